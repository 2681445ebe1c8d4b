"""Entities by id, by name and by page."""

from graphmem.index import name_key
from graphmem.ports import Page, Store
from graphmem.temporal import FOREVER, Interval
from graphmem.testing import FakeClock
from graphmem.testing.records import day, entity, put


def test_a_new_row_of_an_entity_replaces_the_one_before(store: Store, clock: FakeClock) -> None:
    put(store, entity("ann", "Ann"), entity("ben"))
    clock.now = day(5)
    put(store, entity("ann", "Ann Lee", attributes={"age": 40}))

    found = store.view("g").entities({"ann", "unknown"})
    assert list(found) == ["ann"]
    assert (found["ann"].name, found["ann"].attributes) == ("Ann Lee", {"age": 40})
    assert found["ann"].recorded == Interval(day(5), FOREVER)


def test_entities_are_named_by_the_keys_of_name_and_aliases(store: Store) -> None:
    put(
        store,
        entity("1", "Ann Lee", aliases=["Annie", "李安"]),
        entity("2", "ANN  LEE"),
        entity("3", "Annie"),
        entity("4", "forty", kind="value"),
    )
    keys = {name_key(name) for name in ("ann lee", "annie", "李安", "Forty", "nobody")}

    named = {key: sorted(ids) for key, ids in store.view("g").named(keys).items()}
    assert named == {"ann lee": ["1", "2"], "annie": ["1", "3"], "李安": ["1"], "forty": ["4"]}


def test_a_name_that_was_given_up_finds_nothing(store: Store) -> None:
    put(store, entity("1", "Ann", aliases=["Annie"]))
    put(store, entity("1", "Ann Lee"))

    view = store.view("g")
    assert view.named(["ann", "annie"]) == {}
    assert view.named(["ann lee"]) == {"ann lee": ["1"]}


def test_entities_come_by_id_in_pages_without_values(store: Store) -> None:
    put(store, *(entity(id) for id in "cab"), entity("aa", "40", kind="value"), entity("é"))
    put(store, entity("a", "Ann"))
    view = store.view("g")

    assert [e.id for e in view.find_entities(Page(9))] == ["a", "b", "c", "é"]
    assert [e.name for e in view.find_entities(Page(2))] == ["Ann", "b"]
    assert [e.id for e in view.find_entities(Page(2, "aa"))] == ["b", "c"]
    assert view.find_entities(Page(2, "é")) == []
