"""Edges in two times, their order, and what supports them."""

from datetime import datetime, timedelta

import pytest

from graphmem.model import Evidence
from graphmem.ports import EdgeFilter, SlotQuery, Store
from graphmem.temporal import ALWAYS, FOREVER, Interval
from graphmem.testing import FakeClock
from graphmem.testing.records import assertion, day, edge, entity, put

TICK = timedelta(microseconds=1)


def at(instant: datetime) -> Interval:
    return Interval(instant, instant + TICK)


def ids(store: Store, recorded: datetime = FOREVER, **narrow: object) -> list[str]:
    return [e.id for e in store.view("g").edges(EdgeFilter(recorded, **narrow))]  # pyright: ignore


def test_recorded_time_is_half_open(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, edge("e"))
    clock.now = day(7)
    put(store, close_edges=("e",))
    clock.now = day(9)

    assert ids(store, day(5) - TICK) == []
    assert ids(store, day(5)) == ["e"]
    assert ids(store, day(7) - TICK) == ["e"]
    assert ids(store, day(7)) == []
    assert ids(store) == []


def test_valid_time_is_half_open(store: Store) -> None:
    put(store, edge("e", valid=Interval(day(5), day(7))))

    assert ids(store, during=at(day(5) - TICK)) == []
    assert ids(store, during=at(day(5))) == ["e"]
    assert ids(store, during=at(day(7) - TICK)) == ["e"]
    assert ids(store, during=at(day(7))) == []
    assert ids(store, during=Interval(day(1), day(5))) == []
    assert ids(store, during=Interval(day(1), day(5) + TICK)) == ["e"]


def test_open_ends_reach_to_the_first_and_last_instant(store: Store) -> None:
    put(store, edge("e"))

    assert ids(store, during=at(ALWAYS)) == ["e"]
    assert ids(store, during=Interval(FOREVER - TICK)) == ["e"]


def test_an_edge_closed_stays_visible_as_of_before(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, edge("paris", object_id="paris", valid=Interval(day(1))))
    clock.now = day(7)
    put(
        store,
        edge("paris until 3", object_id="paris", valid=Interval(day(1), day(3))),
        edge("rome", valid=Interval(day(3))),
        close_edges=("paris",),
    )
    clock.now = day(9)

    assert ids(store, day(6), during=at(day(4))) == ["paris"]
    assert ids(store, day(8), during=at(day(4))) == ["rome"]
    assert ids(store, day(8), during=at(day(2))) == ["paris until 3"]


def test_an_event_has_happened_from_its_start_on(store: Store) -> None:
    happened = Interval(day(5), day(6))
    put(store, edge("joined", relation="joined", valid=happened), edge("e", valid=happened))
    events = ("joined",)

    assert ids(store, during=at(day(9))) == []
    assert ids(store, during=at(day(9)), events=events) == ["joined"]
    assert ids(store, during=at(day(5)), events=events) == ["joined", "e"]
    assert ids(store, during=at(day(5) - TICK), events=events) == []


def test_contested_edges_are_left_out_unless_asked_for(store: Store) -> None:
    put(store, edge("sure"), edge("contested", contested=True))

    assert ids(store) == ["sure"]
    assert sorted(ids(store, contested=True)) == ["contested", "sure"]
    view = store.view("g")
    assert [e.id for e in view.edge_history(EdgeFilter(FOREVER))] == ["sure"]


def test_a_row_recorded_ahead_shows_from_then_on(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(
        store,
        edge("until 7", recorded=Interval(day(5), day(7))),
        edge("from 7", recorded=Interval(day(7))),
    )
    before = store.view("g")
    clock.now = day(7)

    assert [e.id for e in before.edges(EdgeFilter(FOREVER))] == ["until 7"]
    assert [e.id for e in before.edge_history(EdgeFilter(FOREVER))] == ["until 7"]
    assert ids(store) == ["from 7"]
    assert ids(store, day(7) - TICK) == ["until 7"]


def test_edges_can_be_narrowed_by_ends_and_relation(store: Store) -> None:
    put(
        store,
        edge("1", "ann", "lives in", "rome"),
        edge("2", "ann", "works at", "acme"),
        edge("3", "ben", "lives in", "rome"),
        edge("4", "ben", "lives in", "oslo"),
    )

    assert ids(store, subject_ids={"ann", "nobody"}) == ["1", "2"]
    assert ids(store, relations=["lives in"], object_ids=("rome",)) == ["1", "3"]
    assert ids(store, subject_ids=["ben"], object_ids={"oslo": 1}.keys()) == ["4"]
    assert ids(store, relations=["unknown"]) == []


def test_edges_come_by_subject_name_relation_start_object_name_and_id(
    store: Store, clock: FakeClock
) -> None:
    names = {"ann": "Zoe", "ben": "Ben", "rome": "Rome", "oslo": "Oslo"}
    put(store, *(entity(id, name) for id, name in names.items()))
    put(
        store,
        edge("1", "ann"),
        edge("2", "ben", "works at"),
        edge("3", "ben", valid=Interval(day(2))),
        edge("5", "ben", valid=Interval(day(1))),
        edge("4", "ben", valid=Interval(day(1))),
        edge("6", "ben", object_id="oslo", valid=Interval(day(1))),
    )

    expected = ["6", "4", "5", "3", "2", "1"]
    assert ids(store) == expected
    assert [e.id for e in store.view("g").edge_history(EdgeFilter(FOREVER))] == expected


def test_the_ends_of_an_edge_have_their_names_as_of_the_read(store: Store) -> None:
    put(store, entity("ann", "Ann"), edge("e"))
    before = store.view("g")
    put(store, entity("ann", "Ann Lee"))
    after = store.view("g")

    for view, name in ((before, "Ann"), (after, "Ann Lee")):
        (row,) = view.edges(EdgeFilter(FOREVER))
        assert (row.subject, row.object) == (name, "rome")
        assert view.edge_history(EdgeFilter(FOREVER)) == [row]
        assert view.concluded([SlotQuery(("lives in",), None, None)]) == [row]


def test_history_holds_every_row_recorded_by_then(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, edge("a", valid=Interval(day(1))), edge("other", "ben"))
    clock.now = day(7)
    put(store, edge("b", valid=Interval(day(2))), close_edges=("a",))
    clock.now = day(9)
    view = store.view("g")

    def history(recorded: datetime) -> list[str]:
        return [e.id for e in view.edge_history(EdgeFilter(recorded, subject_ids=["ann"]))]

    assert history(day(4)) == []
    assert history(day(6)) == ["a"]
    assert history(day(7)) == ["a", "b"]
    assert [e.recorded for e in view.edge_history(EdgeFilter(FOREVER, subject_ids=["ann"]))] == [
        Interval(day(5), day(7)),
        Interval(day(7)),
    ]


def test_history_takes_the_same_filters(store: Store) -> None:
    put(store, edge("a", valid=Interval(day(1), day(3))), edge("b", "ben", contested=True))
    put(store, close_edges=("a", "b"))
    view = store.view("g")

    assert view.edge_history(EdgeFilter(FOREVER, during=at(day(3)))) == []
    assert [e.id for e in view.edge_history(EdgeFilter(FOREVER, during=at(day(2))))] == ["a"]
    assert [e.id for e in view.edge_history(EdgeFilter(FOREVER, contested=True))] == ["a", "b"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (SlotQuery(("lives in",), "ann", None), ["ahead", "contested", "now"]),
        (SlotQuery(("lives in", "works at"), None, "rome"), ["ben", "now", "works"]),
        (SlotQuery(("lives in",), "ann", "oslo"), ["ahead", "contested"]),
        (SlotQuery(("lives in",), None, None), ["ahead", "ben", "contested", "now"]),
        (SlotQuery(("works at",), "ben", None), []),
        (SlotQuery((), "ann", None), []),
    ],
)
def test_concluded_reads_a_slot_with_contested_and_future_rows(
    store: Store, clock: FakeClock, query: SlotQuery, expected: list[str]
) -> None:
    clock.now = day(5)
    put(
        store,
        edge("closed", object_id="oslo"),
        edge("now"),
        edge("contested", object_id="oslo", contested=True),
        edge("ahead", object_id="oslo", recorded=Interval(day(20))),
        edge("expired", recorded=Interval(day(5), day(6))),
        edge("ben", "ben"),
        edge("works", relation="works at"),
    )
    clock.now = day(6)
    put(store, close_edges=("closed",))

    view = store.view("g")
    assert [e.id for e in view.concluded([query])] == expected
    assert [e.id for e in view.concluded([query, query])] == expected


def test_concluded_joins_queries_by_id(store: Store) -> None:
    put(store, edge("b"), edge("a", "ben"), edge("c", "cid"))
    queries = [SlotQuery(("lives in",), id, None) for id in ("ann", "ben")]

    assert [e.id for e in store.view("g").concluded(queries)] == ["a", "b"]
    assert store.view("g").concluded([]) == []


def test_evidence_comes_by_said_and_id_and_unknown_said_first(store: Store) -> None:
    put(
        store,
        edge("e"),
        edge("f"),
        assertion("d", said=day(1)),
        assertion("c", said=day(2)),
        assertion("b", said=day(2)),
        assertion("a", said=day(3)),
        assertion("undated", said=None),
        assertion("alone"),
        *(Evidence("e", id) for id in ("a", "b", "c", "d", "undated")),
        Evidence("f", "a"),
    )

    found = store.view("g").evidence({"e", "f", "unknown"})
    assert {id: [a.id for a in rows] for id, rows in found.items()} == {
        "e": ["undated", "d", "b", "c", "a"],
        "f": ["a"],
        "unknown": [],
    }


def test_evidence_keeps_closed_assertions_and_links_written_later(store: Store) -> None:
    put(store, edge("e"), assertion("a"), Evidence("e", "a"))
    put(store, assertion("b"), Evidence("e", "b"), close_assertions=("a",))

    (found,) = store.view("g").evidence(["e"]).values()
    assert [(a.id, a.recorded.end == FOREVER) for a in found] == [("a", False), ("b", True)]


def test_a_link_known_already_is_ignored(store: Store) -> None:
    put(store, edge("e"), assertion("a"), Evidence("e", "a"), Evidence("e", "a"))
    put(store, Evidence("e", "a"))

    assert [a.id for a in store.view("g").evidence(["e"])["e"]] == ["a"]


def test_ids_narrow_whatever_else_is_asked(store: Store, clock: FakeClock) -> None:
    put(store, edge("a"), edge("b", "ben"), edge("c", "cid", contested=True))
    clock.now = day(6)
    put(store, close_edges=("b",))
    view = store.view("g")

    assert [e.id for e in view.edges(EdgeFilter(FOREVER, ids=["a", "b", "c", "d"]))] == ["a"]
    assert [e.id for e in view.edges(EdgeFilter(day(5), ids={"b"}))] == ["b"]
    assert view.edges(EdgeFilter(FOREVER, ids=())) == []
