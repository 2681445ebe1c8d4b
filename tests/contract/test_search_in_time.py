"""``Store.search`` in two times: versions, bounds, events, expiry, what was closed."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from graphmem.index import terms, words
from graphmem.model import (
    EpisodeKind,
    Evidence,
)
from graphmem.ports import Candidate, Store
from graphmem.temporal import FOREVER, Interval
from graphmem.testing import FakeClock
from graphmem.testing.records import (
    assertion,
    day,
    edge,
    embedded,
    episode,
    put,
    request,
    vector,
)

TICK = timedelta(microseconds=1)


def search(store: Store, text: str = "", **asked: Any) -> Sequence[Candidate]:
    return store.search("g", request(terms=terms(text), names=words(text), **asked))


def ids(found: Sequence[Candidate]) -> list[str]:
    return [one.id for one in found]


def test_unknown_times_pass_occurred_by_and_not_during(store: Store) -> None:
    put(store, episode("u", text="zebra"), episode("k", text="zebra", occurred_at=day(5)))

    assert ids(search(store, "zebra", occurred_by=day(4))) == ["u"]
    assert ids(search(store, "zebra", occurred_by=day(5))) == ["k", "u"]
    assert ids(search(store, "zebra", during=Interval(day(5), day(6)))) == ["k"]
    assert ids(search(store, "zebra", during=Interval(day(4), day(5)))) == []


def test_both_times_of_edges_are_half_open(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, edge("e", fact="zebra", valid=Interval(day(1), day(3))))
    clock.now = day(7)
    put(store, close_edges=("e",))

    def seen(valid: int, recorded: int, shift: timedelta = timedelta()) -> bool:
        at = day(valid) + shift
        asked: dict[str, Any] = {"valid": Interval(at, at + TICK)}
        return bool(search(store, "zebra", recorded=day(recorded) + shift, **asked))

    assert [seen(1, 5), seen(3, 7, -TICK)] == [True, True]
    assert [seen(1, 5, -TICK), seen(3, 5), seen(1, 7)] == [False, False, False]


def test_events_have_happened_and_contested_edges_are_not_found(store: Store) -> None:
    valid = Interval(day(5), day(6))
    put(
        store,
        edge("event", relation="joined", fact="zebra", valid=valid),
        edge("state", fact="zebra", valid=valid),
        edge("contested", relation="joined", fact="zebra", valid=valid, contested=True),
    )
    at = Interval(day(9), day(9) + TICK)

    assert ids(search(store, "zebra", valid=at)) == []
    assert ids(search(store, "zebra", valid=at, events=frozenset({"joined"}))) == ["event"]
    before = Interval(day(5) - TICK, day(5))
    assert ids(search(store, "zebra", valid=before, events=frozenset({"joined"}))) == []


def test_one_source_must_be_of_the_thread_and_the_speaker(store: Store) -> None:
    put(
        store,
        edge("e", fact="zebra"),
        *(assertion("a", episode_id="1"), Evidence("e", "a")),
        *(assertion("b"), Evidence("e", "b")),
    )
    ann, nobody = frozenset({"Ann"}), frozenset({"Ben"})

    assert ids(search(store, "zebra", threads=frozenset({"t"}), speakers=ann)) == ["e"]
    assert ids(search(store, "zebra", threads=frozenset({"t"}), speakers=nobody)) == []
    assert ids(search(store, "zebra", threads=frozenset())) == []


def test_a_search_reads_the_version_of_its_time(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, episode("e", text="zebra"))
    assert ids(search(store, "zebra")) == ["e"]
    clock.now = day(7)
    put(store, episode("e", text="quokka", version=2), close_episodes=("e",))

    assert ids(search(store, "zebra", recorded=day(6))) == ["e"]
    assert ids(search(store, "zebra")) == ids(search(store, "quokka", recorded=day(6))) == []
    assert ids(search(store, "quokka")) == ["e"]


def test_a_turn_that_was_closed_is_found_as_of_before(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, *embedded(episode("e", text="zebra"), 1, 0))
    clock.now = day(7)
    put(store, close_episodes=("e",))

    assert search(store, "zebra", vector=vector(1, 0)) == []
    assert ids(search(store, "zebra", vector=vector(1, 0), recorded=day(6))) == ["e"]


def test_what_was_recorded_later_changes_no_earlier_ranking(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, *(episode(f"{n}", text=f"zebra {n % 3} {n}") for n in range(6)), edge("e"))
    before = search(store, "zebra 2 rome", recorded=day(6))
    clock.now = day(7)
    put(store, *(episode(f"x{n}", text="zebra 2") for n in range(9)), edge("f"))

    assert search(store, "zebra 2 rome", recorded=day(6)) == before
    assert search(store, "zebra 2 rome") != before


def test_expired_and_deleted_and_empty_turns_are_not_found(store: Store, clock: FakeClock) -> None:
    put(
        store,
        episode("e", text="zebra", expires_at=day(7)),
        episode("d", text="zebra", kind=EpisodeKind.DELETED),
        *embedded(episode("w", text="…"), 1, 0),
    )

    found = search(store, "zebra ann", recorded=day(7) - TICK, vector=vector(1, 0))
    assert ids(found) == ["e"]
    assert search(store, "zebra ann", recorded=day(7), vector=vector(1, 0)) == []


def test_an_edge_recorded_ahead_is_found_from_then_on(store: Store, clock: FakeClock) -> None:
    clock.now = day(2)
    put(store, edge("ahead", fact="zebra", recorded=Interval(day(9), FOREVER)))

    assert ids(search(store, "zebra", recorded=day(8))) == []
    assert ids(search(store, "zebra", recorded=day(9))) == ["ahead"]
    clock.now = day(5)
    put(store, close_edges=("ahead",))
    assert ids(search(store, "zebra", recorded=day(9))) == []
