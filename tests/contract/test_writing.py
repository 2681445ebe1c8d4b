"""``Store.write``: one unit of work, all or nothing, at a stamp of its own."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import pairwise
from threading import Thread

import pytest

from graphmem.errors import InvalidInput, NotFound
from graphmem.model import Changes, Evidence, Extraction, ExtractionState
from graphmem.ports import EdgeFilter, SlotQuery, Store, View
from graphmem.temporal import FOREVER, Interval
from graphmem.testing import FakeClock
from graphmem.testing.records import (
    Record,
    assertion,
    changes,
    day,
    edge,
    entity,
    episode,
    put,
    ruling,
)

LIVES_IN = SlotQuery(("lives in",), None, None)


def history(store: Store, group_id: str = "g") -> list[str]:
    rows = store.view(group_id).edge_history(EdgeFilter(recorded=FOREVER, contested=True))
    return sorted(row.id for row in rows)


def _closing(what: str, id: str, view: View) -> Changes:
    decided = changes(entity("new"), edge("new"), stamp=view.stamp)
    return replace(decided, **{what: (id,)})


def test_a_write_returns_what_its_work_returned(store: Store) -> None:
    decided = Changes(extractions=(ExtractionState("e", Extraction.PENDING, "none", None),))

    assert store.write("g", lambda view: decided) == decided
    assert store.write("g", lambda view: Changes()) == Changes()


def test_the_work_sees_the_stamp_that_its_rows_get(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)

    assert put(store, edge("e")) == day(5)
    assert store.view("g").edges(EdgeFilter(recorded=FOREVER))[0].recorded == Interval(day(5))


@pytest.mark.parametrize("step", [0, -1])
def test_stamps_strictly_increase_when_the_clock_stands_or_goes_back(
    store: Store, clock: FakeClock, step: int
) -> None:
    clock.step = timedelta(days=step)

    stamps = [put(store, entity(f"e{n}")) for n in range(5)]

    assert all(one < other for one, other in pairwise(stamps))
    assert stamps[-1] - stamps[0] == timedelta(microseconds=4)


def test_a_write_gets_a_later_stamp_than_reads_before_it(store: Store, clock: FakeClock) -> None:
    clock.step = timedelta(0)
    put(store, entity("e"))

    read = store.view("g").stamp

    assert put(store, entity("f")) > read


def test_a_read_is_stamped_with_the_later_of_clock_and_last_write(
    store: Store, clock: FakeClock
) -> None:
    clock.now = day(5)
    written = put(store, entity("e"))
    clock.now = day(3)
    behind = store.view("g").stamp
    clock.now = day(9)
    ahead = store.view("g").stamp

    assert (behind, ahead) == (written, day(9))


def test_empty_changes_write_nothing_and_use_up_no_stamp(store: Store, clock: FakeClock) -> None:
    clock.step = timedelta(0)
    first = put(store, entity("e"))
    empty = put(store)

    assert empty == put(store, entity("f")) == first + timedelta(microseconds=1)
    assert put(store, group_id="h") > first
    assert store.groups() == ["g"]


def test_work_that_raises_leaves_the_store_as_it_was(store: Store, clock: FakeClock) -> None:
    clock.step = timedelta(0)
    first = put(store, entity("e"))

    def work(view: View) -> Changes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.write("g", work)
    with pytest.raises(ZeroDivisionError):
        store.write("new", work)
    assert store.groups() == ["g"]
    assert put(store, entity("f")) == first + timedelta(microseconds=1)


def test_the_work_sees_what_was_written_before(store: Store) -> None:
    put(store, edge("old"))
    seen: list[str] = []

    def work(view: View) -> Changes:
        seen.extend(row.id for row in view.concluded([LIVES_IN]))
        return Changes()

    store.write("g", work)

    assert seen == ["old"]


@pytest.mark.parametrize("closing", ["close_episodes", "close_assertions", "close_edges"])
def test_closing_what_is_unknown_or_closed_writes_nothing(store: Store, closing: str) -> None:
    put(store, episode("x"), assertion("x"), edge("x"))
    put(store, close_episodes=("x",), close_assertions=("x",), close_edges=("x",))

    for id in ("x", "unknown"):
        with pytest.raises(NotFound, match=id):
            store.write("g", partial(_closing, closing, id))
    assert store.view("g").entities(["new"]) == {}
    assert history(store) == ["x"]


def test_one_bad_close_leaves_the_good_ones_open(store: Store) -> None:
    put(store, edge("a"), edge("b"))

    with pytest.raises(NotFound):
        put(store, close_edges=("a", "unknown", "b"))
    assert [row.id for row in store.view("g").concluded([LIVES_IN])] == ["a", "b"]


def test_closes_apply_before_new_rows(store: Store) -> None:
    put(store, episode("e", text="old"), assertion("a"))
    put(
        store,
        episode("e", text="new", version=2),
        assertion("a", object_id="oslo"),
        close_episodes=("e",),
        close_assertions=("a",),
    )

    view = store.view("g")
    assert view.episodes(["e"])["e"].text == "new"
    assert view.assertions(["a"])["a"].object_id == "oslo"
    assert [row.object_id for row in view.stated([LIVES_IN])] == ["oslo"]


def test_a_row_closed_before_it_begins_is_removed(store: Store, clock: FakeClock) -> None:
    clock.now = day(2)
    support = (entity("ann"), entity("rome"), assertion("a"), Evidence("ahead", "a"))
    put(store, *support, edge("ahead", recorded=Interval(day(9))), ("ahead", "hash"))
    put(store, close_edges=("ahead",))

    clock.now = day(10)
    assert history(store) == []
    assert store.view("g").evidence(["ahead"]) == {"ahead": []}
    assert store.check() == []


def test_a_row_closed_at_the_instant_it_would_begin_is_removed(
    store: Store, clock: FakeClock
) -> None:
    clock.now = day(2)
    put(store, edge("ahead", recorded=Interval(day(9))))
    clock.now = day(9)
    assert put(store, close_edges=("ahead",)) == day(9)

    assert history(store) == []
    assert store.view("g").concluded([LIVES_IN]) == []


def test_a_row_with_a_foreseen_end_can_be_closed_before_it(store: Store, clock: FakeClock) -> None:
    clock.now = day(2)
    put(store, edge("e", recorded=Interval(day(2), day(9))))
    clock.now = day(5)
    put(store, close_edges=("e",))

    (row,) = store.view("g").edge_history(EdgeFilter(recorded=FOREVER))
    assert row.recorded == Interval(day(2), day(5))


def test_a_row_past_its_foreseen_end_is_closed_already(store: Store, clock: FakeClock) -> None:
    clock.now = day(2)
    put(store, edge("e", recorded=Interval(day(2), day(9))))
    clock.now = day(9)

    with pytest.raises(NotFound):
        put(store, close_edges=("e",))


@pytest.mark.parametrize(
    "record", [episode("x"), entity("x"), assertion("x"), ruling("x", "y"), edge("x")]
)
def test_a_record_of_another_group_is_refused(store: Store, record: Record) -> None:
    with pytest.raises(InvalidInput):
        store.write("g", lambda view: changes(record, stamp=view.stamp, group_id="h"))
    assert store.groups() == []


def test_an_edge_recorded_behind_the_stamp_is_refused(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)

    with pytest.raises(InvalidInput):
        put(store, edge("e", recorded=Interval(day(4))))
    assert history(store) == []


@pytest.mark.parametrize(
    "record",
    [
        episode("x"),
        episode("x", version=2),
        assertion("x"),
        ruling("x", "y"),
        edge("x", "other"),
    ],
)
def test_a_second_open_row_of_one_id_is_refused(store: Store, record: Record) -> None:
    put(store, episode("x"), assertion("x"), ruling("x", "y"), edge("x"))

    with pytest.raises(InvalidInput):
        put(store, entity("new"), record)
    assert store.view("g").entities(["new"]) == {}


def test_two_threads_that_write_lose_nothing(store: Store) -> None:
    seen: list[int] = []

    def write_fifty(name: str) -> None:
        for n in range(50):
            store.write("g", lambda view, id=f"{name}{n:02}": _counted(view, id))

    def _counted(view: View, id: str) -> Changes:
        seen.append(len(view.concluded([LIVES_IN])))
        return changes(edge(id), stamp=view.stamp)

    threads = [Thread(target=write_fifty, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    rows = store.view("g").edge_history(EdgeFilter(recorded=FOREVER))
    assert len(history(store)) == 100
    assert len({row.recorded.start for row in rows}) == 100
    assert seen == list(range(100))


def test_threads_that_read_and_search_while_others_write_see_whole_writes(store: Store) -> None:
    torn: list[int] = []
    writer = Thread(target=lambda: [put(store, edge(f"a{n}"), edge(f"b{n}")) for n in range(30)])
    writer.start()
    while writer.is_alive():
        torn += [n for n in [len(store.view("g").concluded([LIVES_IN]))] if n % 2]
    writer.join()

    assert torn == []
