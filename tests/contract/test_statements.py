"""Assertions, read by id, by slot and by episode; rulings."""

from collections.abc import Sequence

import pytest

from graphmem.model import Assertion, AssertionKind, RulingKind
from graphmem.ports import SlotQuery, Store
from graphmem.testing import FakeClock
from graphmem.testing.records import assertion, day, episode, put, ruling


def ids(assertions: Sequence[Assertion]) -> list[str]:
    return [a.id for a in assertions]


def test_assertions_are_read_by_id_closed_ones_too(store: Store) -> None:
    put(store, assertion("a"), assertion("b"), assertion("c"))
    put(store, close_assertions=("a",))

    found = store.view("g").assertions({"a", "b", "unknown"})
    assert sorted(found) == ["a", "b"]
    assert found["a"].recorded.end < found["b"].recorded.end


def test_an_assertion_recorded_again_is_read_as_its_latest_row(store: Store) -> None:
    put(store, assertion("a", object_id="paris"))
    put(store, close_assertions=("a",))
    put(store, assertion("a", object_id="rome"))

    view = store.view("g")
    assert view.assertions(["a"])["a"].object_id == "rome"
    assert [a.object_id for a in view.stated([SlotQuery(("lives in",), None, None)])] == ["rome"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (SlotQuery(("lives in",), "ann", None), ["1", "2", "ends any"]),
        (SlotQuery(("lives in",), None, "rome"), ["1", "4", "ends any", "ends any of ben"]),
        (SlotQuery(("lives in",), "ann", "rome"), ["1", "ends any"]),
        (SlotQuery(("lives in",), "ben", "oslo"), ["ends any of ben"]),
        (SlotQuery(("lives in", "works at"), "ann", None), ["1", "2", "3", "ends any"]),
        (SlotQuery(("works at",), None, None), ["3"]),
        (SlotQuery(("works at",), "ben", None), []),
        (SlotQuery((), None, None), []),
    ],
)
def test_a_slot_is_what_fits_its_ends_or_leaves_its_object_open(
    store: Store, query: SlotQuery, expected: list[str]
) -> None:
    put(
        store,
        assertion("1", "ann", "lives in", "rome"),
        assertion("2", "ann", "lives in", "oslo"),
        assertion("3", "ann", "works at", "rome"),
        assertion("4", "ben", "lives in", "rome"),
        assertion("ends any", "ann", "lives in", None, kind=AssertionKind.ENDS),
        assertion("ends any of ben", "ben", "lives in", None, kind=AssertionKind.DENIES),
        assertion("closed", "ann", "lives in", "rome"),
    )
    put(store, close_assertions=("closed",))

    assert ids(store.view("g").stated([query])) == expected


def test_what_fits_two_queries_is_returned_once(store: Store) -> None:
    put(store, assertion("b"), assertion("a", "ben"), assertion("c", "cid"))
    queries = [SlotQuery(("lives in",), "ann", None), SlotQuery(("lives in",), None, "rome")]

    assert ids(store.view("g").stated(queries)) == ["a", "b", "c"]
    assert store.view("g").stated([]) == []


def test_the_current_assertions_of_episodes_come_by_id(store: Store) -> None:
    put(
        store,
        *(episode(id) for id in "xyz"),
        assertion("3", episode_id="x"),
        assertion("1", episode_id="y"),
        assertion("2", episode_id="x"),
        assertion("4", episode_id="z"),
        assertion("5"),
        assertion("6", episode_id="x"),
    )
    put(store, close_assertions=("6",))

    assert ids(store.view("g").stated_by({"x", "y", "unknown"})) == ["1", "2", "3"]


def test_rulings_come_in_order_of_recording_once_each(store: Store, clock: FakeClock) -> None:
    put(store, ruling("z", "a", "b"))
    put(store, ruling("y", "b", kind=RulingKind.ADMIT), ruling("x", "c"))
    put(store, ruling("w", "other"))
    put(store, ruling("a", "a", "c"))
    clock.now = day(5)

    view = store.view("g")
    assert [r.id for r in view.rulings({"a", "b"})] == ["z", "y", "a"]
    assert [r.id for r in view.rulings(["c"])] == ["x", "a"]
    assert view.rulings(["unknown"]) == []


def test_rulings_of_one_write_come_by_id(store: Store) -> None:
    put(store, *(ruling(id, "a") for id in "cab"))

    assert [r.id for r in store.view("g").rulings(["a"])] == ["a", "b", "c"]
