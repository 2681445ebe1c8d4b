"""Episodes: versions, filters, order and pages; threads; the queue of what is to be read."""

from collections.abc import Sequence
from datetime import datetime

import pytest

from graphmem.errors import NotFound
from graphmem.model import Episode, Extraction, ExtractionState
from graphmem.ports import EpisodeFilter, Page, Store, ThreadSummary
from graphmem.temporal import FOREVER, Interval
from graphmem.testing import FakeClock
from graphmem.testing.records import day, episode, put

EVERYTHING = EpisodeFilter(recorded=FOREVER)


def ids(episodes: Sequence[Episode]) -> list[str]:
    return [e.id for e in episodes]


def found(store: Store, filter: EpisodeFilter = EVERYTHING, limit: int = 100) -> list[str]:
    return ids(store.view("g").find_episodes(filter, Page(limit)))


def test_the_current_version_is_returned_and_unknown_ids_are_absent(store: Store) -> None:
    put(store, episode("e", text="one"), episode("gone"), episode("other"))
    put(store, episode("e", text="two", version=2), close_episodes=("e", "gone"))

    current = store.view("g").episodes({"e", "gone", "unknown"})
    assert {id: (e.text, e.version) for id, e in current.items()} == {"e": ("two", 2)}


def test_a_filter_reads_the_version_of_its_time(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, episode("e", text="one"))
    clock.now = day(7)
    put(store, episode("e", text="two", version=2), close_episodes=("e",))
    clock.now = day(9)
    view = store.view("g")

    def texts(recorded: datetime) -> list[str]:
        turns = view.find_episodes(EpisodeFilter(recorded), Page(9))
        assert view.latest(EpisodeFilter(recorded), 9) == turns
        return [e.text for e in turns]

    assert texts(day(4)) == []
    assert texts(day(5)) == texts(day(6)) == ["one"]
    assert texts(day(7)) == texts(FOREVER) == ["two"]


def test_an_expired_episode_is_not_found_from_then_on(store: Store, clock: FakeClock) -> None:
    put(store, episode("e", expires_at=day(7)))
    clock.now = day(9)

    assert found(store, EpisodeFilter(day(6))) == ["e"]
    assert found(store, EpisodeFilter(day(7))) == found(store) == []
    assert store.view("g").latest(EVERYTHING, 5) == []


def test_what_occurred_later_is_left_out_and_unknown_times_stay(store: Store) -> None:
    put(store, *(episode(f"{n}", occurred_at=day(n)) for n in (4, 5, 6)), episode("unknown"))

    assert found(store, EpisodeFilter(FOREVER, occurred_by=day(5))) == ["4", "5", "unknown"]


def test_during_keeps_what_occurred_inside_and_drops_unknown_times(store: Store) -> None:
    put(store, *(episode(f"{n}", occurred_at=day(n)) for n in (4, 5, 6, 7)), episode("unknown"))
    during = Interval(day(5), day(7))

    assert found(store, EpisodeFilter(FOREVER, during=during)) == ["5", "6"]
    assert found(store, EpisodeFilter(FOREVER, during=during, occurred_by=day(5))) == ["5"]


def test_threads_and_speakers_narrow(store: Store) -> None:
    put(
        store,
        episode("1", thread_id="a", speaker="Ann"),
        episode("2", thread_id="a", speaker="Ben"),
        episode("3", thread_id="b", speaker="Ann"),
        episode("4", thread_id="c", speaker=None),
    )

    assert found(store, EpisodeFilter(FOREVER, threads={"a", "unknown"})) == ["1", "2"]
    assert found(store, EpisodeFilter(FOREVER, speakers=["Ann"])) == ["1", "3"]
    assert found(store, EpisodeFilter(FOREVER, threads=("b", "a"), speakers=["Ben"])) == ["2"]
    assert found(store, EpisodeFilter(FOREVER, threads=())) == []
    assert found(store, EpisodeFilter(FOREVER, speakers=frozenset())) == []


def test_episodes_come_by_thread_sequence_and_id(store: Store) -> None:
    put(
        store,
        episode("1", thread_id="b", sequence=1, occurred_at=day(1)),
        episode("4", thread_id="a", sequence=10, occurred_at=day(2)),
        episode("3", thread_id="a", sequence=9, occurred_at=day(4)),
        episode("2", thread_id="a", sequence=9),
        episode("5", thread_id="a", sequence=-3),
    )

    assert found(store) == ["5", "2", "3", "4", "1"]


def test_pages_go_on_after_an_episode(store: Store) -> None:
    put(store, *(episode(f"{n % 3}{n}", sequence=n // 2) for n in range(7)))
    everything = found(store)
    view = store.view("g")
    pages: list[str] = []
    while page := view.find_episodes(EVERYTHING, Page(2, pages[-1] if pages else None)):
        assert len(page) <= 2
        pages += ids(page)

    assert pages == everything


def test_a_page_may_go_on_after_an_episode_that_the_filter_leaves_out(store: Store) -> None:
    put(store, *(episode(f"{n}", sequence=n, speaker="AB"[n % 2]) for n in range(6)))

    page = store.view("g").find_episodes(EpisodeFilter(FOREVER, speakers="A"), Page(2, "1"))
    assert ids(page) == ["2", "4"]


def test_a_page_after_an_unknown_episode_is_an_error(store: Store) -> None:
    put(store, episode("e"))

    with pytest.raises(NotFound, match="unknown"):
        store.view("g").find_episodes(EVERYTHING, Page(2, "unknown"))


def test_latest_come_last_and_unknown_times_first(store: Store) -> None:
    put(
        store,
        episode("1", thread_id="b", occurred_at=day(3)),
        episode("2", thread_id="a", occurred_at=day(5), sequence=7),
        episode("3", thread_id="b", occurred_at=day(5), sequence=2),
        episode("4", thread_id="a", occurred_at=day(5), sequence=3),
        episode("5", thread_id="z"),
        episode("6", thread_id="y"),
    )
    view = store.view("g")

    assert ids(view.latest(EVERYTHING, 100)) == ["6", "5", "1", "4", "2", "3"]
    assert ids(view.latest(EVERYTHING, 2)) == ["2", "3"]
    assert ids(view.latest(EpisodeFilter(FOREVER, occurred_by=day(4)), 2)) == ["5", "1"]
    assert ids(view.latest(EpisodeFilter(FOREVER, threads={"a", "b"}), 3)) == ["4", "2", "3"]


def test_turns_of_equal_time_come_by_sequence_and_then_id(store: Store) -> None:
    turns = [episode(f"{9 - n}", sequence=n // 2, occurred_at=day(1)) for n in range(10)]
    put(store, *turns[5:], *turns[:5])

    expected = sorted(turns, key=lambda e: (e.sequence, e.id))
    assert ids(store.view("g").latest(EVERYTHING, 5)) == ids(expected[-5:])


def test_the_latest_of_one_thread_come_by_sequence_whatever_their_times(store: Store) -> None:
    put(
        store,
        episode("3", sequence=3, occurred_at=day(1)),
        episode("2", sequence=2, occurred_at=day(9)),
        episode("1", sequence=1),
        episode("other", thread_id="u", sequence=9, occurred_at=day(9)),
    )

    latest = store.view("g").latest(EpisodeFilter(FOREVER, threads={"t"}), 2)
    assert ids(latest) == ["2", "3"]


def test_a_thread_is_its_current_turns_by_sequence_and_id(store: Store) -> None:
    put(
        store,
        episode("c", sequence=2, occurred_at=day(1)),
        episode("b", sequence=10),
        episode("a", sequence=2, occurred_at=day(5)),
        episode("gone", sequence=3),
        episode("other", thread_id="u"),
    )
    put(store, episode("b", sequence=0, version=2), close_episodes=("gone", "b"))

    assert ids(store.view("g").thread("t")) == ["b", "a", "c"]
    assert store.view("g").thread("unknown") == []


def test_the_turns_beside_a_place_come_in_thread_order(store: Store) -> None:
    turns = [episode(f"{n}", sequence=n // 2 * 10) for n in range(6)]
    put(store, *turns, episode("gone", sequence=15), episode("u", thread_id="u", sequence=15))
    put(store, close_episodes=("gone",))
    view = store.view("g")
    not_stored = episode("late", sequence=15)

    before = view.before([*turns[:4], not_stored], 2)
    after = view.after([*turns[2:], not_stored], 2)

    assert [ids(before[id]) for id in ("0", "1", "2", "3")] == [[], ["0"], ["0", "1"], ["1", "2"]]
    assert [ids(after[id]) for id in ("2", "3", "4", "5")] == [["3", "4"], ["4", "5"], ["5"], []]
    assert (ids(before["late"]), ids(after["late"])) == (["2", "3"], ["4", "5"])
    assert view.before([], 2) == view.after([], 2) == {}


def test_threads_say_how_many_turns_and_their_first_and_last_time(store: Store) -> None:
    put(
        store,
        episode("1", thread_id="b", sequence=1, occurred_at=day(7)),
        episode("2", thread_id="b", sequence=2, occurred_at=day(3)),
        episode("3", thread_id="b", sequence=3),
        episode("4", thread_id="a"),
        episode("5", thread_id="c", occurred_at=day(1)),
        episode("6", thread_id="gone"),
        episode("7", thread_id="b", occurred_at=day(9)),
    )
    put(store, close_episodes=("6", "7"))
    view = store.view("g")

    assert view.threads(Page(9)) == [
        ThreadSummary("a", 1, None, None),
        ThreadSummary("b", 3, day(3), day(7)),
        ThreadSummary("c", 1, day(1), day(1)),
    ]
    assert [t.id for t in view.threads(Page(1))] == ["a"]
    assert [t.id for t in view.threads(Page(1, "a"))] == ["b"]
    assert [t.id for t in view.threads(Page(5, "aa"))] == ["b", "c"]
    assert view.threads(Page(5, "c")) == []


def test_pending_are_current_turns_that_wait_for_extraction(store: Store) -> None:
    states = dict(zip("abcd", Extraction, strict=True))
    put(
        store,
        *(episode(id, sequence=9) for id in states),
        *(ExtractionState(id, state, "x", None) for id, state in states.items()),
        episode("new", sequence=2),
        episode("gone"),
        episode("far", thread_id="u"),
        *(ExtractionState(id, Extraction.PENDING, "x", None) for id in ("new", "gone", "far")),
    )
    put(store, close_episodes=("gone",))
    view = store.view("g")

    assert ids(view.pending(9)) == ["new", "b", "far"]
    assert ids(view.pending(2)) == ["new", "b"]


def test_the_last_state_of_extraction_counts(store: Store) -> None:
    failed = ExtractionState("e", Extraction.FAILED, "llm-2", "refused: 'no'")
    put(store, episode("e"), ExtractionState("e", Extraction.PENDING, "llm-1", None))
    put(store, failed)

    assert store.view("g").extractions({"e", "unknown"}) == {"e": failed}
    assert store.view("g").pending(9) == []


def test_ids_narrow_to_the_version_of_the_time(store: Store, clock: FakeClock) -> None:
    put(store, episode("a", text="old"), episode("b"))
    clock.now = day(6)
    put(store, episode("a", text="new", version=2), close_episodes=("a",))
    view = store.view("g")

    for recorded, text in ((day(5), "old"), (FOREVER, "new")):
        found = view.find_episodes(EpisodeFilter(recorded, ids=["a", "x"]), Page(9))
        assert [(e.id, e.text) for e in found] == [("a", text)]
    assert view.find_episodes(EpisodeFilter(FOREVER, ids=()), Page(9)) == []
