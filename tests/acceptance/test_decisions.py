"""What is decided afterwards: who is one, what is held back, what a relation means."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphmem import AsOf, Cardinality, InvalidInput, Memory, NotFound, Outcome
from tests.acceptance.conftest import Opener


def at(day: int) -> datetime:
    return datetime(2024, 3, day, tzinfo=UTC)


def facts(memory: Memory, as_of: AsOf | None = None) -> set[tuple[str, str, str]]:
    return {(e.subject, e.relation, e.object) for e in memory.edges(as_of=as_of)}


def now(memory: Memory) -> AsOf:
    return AsOf(valid=at(30), recorded=memory._store.view("team").stamp)  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def people(memory: Memory) -> Memory:
    memory.assert_fact("Bob", "lives in", "Rome", occurred_at=at(1))
    memory.assert_fact("Robert Smith", "lives in", "Oslo", occurred_at=at(2))
    memory.assert_fact("Ann", "reports to", "Bob", occurred_at=at(3))
    return memory


APART = {
    ("Bob", "lives in", "Rome"),
    ("Robert Smith", "lives in", "Oslo"),
    ("Bob", "manages", "Ann"),
}
AS_ONE = {("Robert Smith", "lives in", "Oslo"), ("Robert Smith", "manages", "Ann")}


def test_b3_a_merge_makes_one_of_two_and_a_split_brings_them_back(people: Memory) -> None:
    before = now(people)
    people.merge("Bob", "Robert Smith", reason="same badge")
    assert facts(people) == AS_ONE
    during = now(people)
    people.split("Bob")
    assert facts(people) == APART
    assert (facts(people, before), facts(people, during)) == (APART, AS_ONE)


def test_either_name_finds_what_was_merged_as_it_was_believed(people: Memory) -> None:
    before = now(people)
    people.merge("Bob", "Robert Smith")
    for name in ("Bob", "Robert Smith"):
        assert [row.object for row in people.history(name, "lives in")] == ["Rome", "Oslo"]
    assert [a.object for a in people.match("Bob", "lives in", as_of=before)] == ["Rome"]
    assert "Bob" not in {entity.name for entity in people.entities()}


def test_what_is_told_after_a_merge_follows_it_and_a_split_takes_it_back(people: Memory) -> None:
    people.merge("Bob", "Robert Smith")
    people.assert_fact("Bob", "works at", "Acme", occurred_at=at(5))
    assert ("Robert Smith", "works at", "Acme") in facts(people)
    people.split("Bob")
    assert ("Bob", "works at", "Acme") in facts(people)


def test_the_same_words_after_a_merge_change_nothing(people: Memory) -> None:
    people.merge("Bob", "Robert Smith")
    again = people.assert_fact("Bob", "lives in", "Rome", occurred_at=at(1))
    assert again.outcome is Outcome.UNCHANGED


def test_merges_come_in_any_order_with_what_is_told(opener: Opener) -> None:
    first, second = opener("one"), opener("two")
    told = [("Bob", "lives in", "Rome", at(1)), ("Robert Smith", "lives in", "Oslo", at(2))]
    for memory in (first, second):
        for name in ("Bob", "Robert Smith"):
            memory.assert_fact(name, "likes", "tea", occurred_at=at(1))
    second.merge("Bob", "Robert Smith")
    for memory in (first, second):
        for subject, relation, object, said in told:
            memory.assert_fact(subject, relation, object, occurred_at=said)
    first.merge("Bob", "Robert Smith")
    assert facts(first) == facts(second)


def test_a_chain_of_merges_can_be_undone_in_the_middle(memory: Memory) -> None:
    for number, name in enumerate(("A", "B", "C"), start=1):
        memory.assert_fact(name, "likes", f"thing {number}", occurred_at=at(number))
    memory.merge("A", "B")
    memory.merge("B", "C")
    assert {subject for subject, _, _ in facts(memory)} == {"C"}
    memory.split("B")
    assert {(s, o) for s, _, o in facts(memory)} == {
        ("B", "thing 1"),
        ("B", "thing 2"),
        ("C", "thing 3"),
    }


def test_what_cannot_be_one_is_refused_and_nothing_changes(people: Memory) -> None:
    with pytest.raises(NotFound, match="Nobody"):
        people.merge("Nobody", "Bob")
    people.merge("Bob", "Robert Smith")
    with pytest.raises(InvalidInput, match="one entity already"):
        people.merge("Robert Smith", "Bob")
    with pytest.raises(InvalidInput, match="not merged"):
        people.split("Ann")
    assert facts(people) == AS_ONE


def test_b2_statements_that_name_another_are_reassigned(people: Memory) -> None:
    told = people.assert_fact("Bob", "works at", "Acme", occurred_at=at(4))
    before = now(people)
    people.reassign(told.assertion_ids, "Bob", "Bob Jones")
    assert ("Bob Jones", "works at", "Acme") in facts(people)
    assert ("Bob", "works at", "Acme") not in facts(people)
    assert ("Bob", "works at", "Acme") in facts(people, before)
    assert people.assert_fact("Bob", "works at", "Acme", occurred_at=at(4)).recorded_edges == 0
    with pytest.raises(NotFound, match="not about"):
        people.reassign(told.assertion_ids, "Ann", "Bob")
    with pytest.raises(InvalidInput, match="at least one"):
        people.reassign([], "Bob", "Ann")


def test_a_reassigned_statement_follows_a_merge(people: Memory) -> None:
    told = people.assert_fact("Ann", "works at", "Acme", occurred_at=at(4))
    people.merge("Bob", "Robert Smith")
    people.reassign(told.assertion_ids, "Ann", "Bob")
    assert ("Robert Smith", "works at", "Acme") in facts(people)
    people.split("Bob")
    assert ("Bob", "works at", "Acme") in facts(people)


def test_quarantined_statements_wait_until_they_are_admitted(people: Memory) -> None:
    told = people.assert_fact("Bob", "lives in", "Lyon", occurred_at=at(9))
    (id,) = told.assertion_ids
    people.quarantine(id)
    assert ("Bob", "lives in", "Rome") in facts(people)
    people.admit(id, authority="person")
    assert ("Bob", "lives in", "Lyon") in facts(people)
    people.retract(id)
    assert ("Bob", "lives in", "Rome") in facts(people)
    assert people.retract(id).outcome is Outcome.UNCHANGED
    with pytest.raises(InvalidInput, match="authority 'king'"):
        people.admit(id, authority="king")


def test_d11_a_pinned_fact_outlives_what_is_imported_later(people: Memory) -> None:
    people.correct("Bob", "lives in", "Turin", occurred_at=at(5), pin=True)
    people.assert_fact("Bob", "lives in", "Lyon", occurred_at=at(9), authority="record")
    assert ("Bob", "lives in", "Turin") in facts(people)
    with pytest.raises(InvalidInput, match="user's own"):
        people.correct("Bob", "lives in", "Rome", authority="record")


def test_a_dry_run_tells_what_would_change_and_writes_nothing(people: Memory) -> None:
    receipt = people.merge("Bob", "Robert Smith", dry_run=True)
    assert (receipt.outcome, receipt.closed_edges) == (Outcome.NEW, 2)
    assert facts(people) == APART
    with pytest.raises(InvalidInput, match="not merged"):
        people.split("Bob")


def test_a_relation_declared_later_is_concluded_anew_and_recorded(memory: Memory) -> None:
    for day, room in enumerate(("Red", "Blue"), start=1):
        memory.assert_fact("Ann", "sits in", room, occurred_at=at(day))
    before = now(memory)
    both = {("Ann", "sits in", "Red"), ("Ann", "sits in", "Blue")}
    assert facts(memory) == both
    sits = replace(
        memory.relations()[0],
        name="sits in",
        aliases=("has a desk in",),
        inverse="seats",
        inverse_aliases=(),
        cardinality=Cardinality.MANY_TO_ONE,
    )
    memory.add_relations([sits])
    assert facts(memory) == {("Ann", "sits in", "Blue")}
    assert facts(memory, before) == both
    assert memory.add_relations([sits]).outcome is Outcome.UNCHANGED


def test_words_told_before_they_were_declared_become_the_relation(opener: Opener) -> None:
    early, late = opener("one"), opener("two")
    template = early.relations()[0]
    seats = replace(
        template,
        name="is seated in",
        aliases=(),
        inverse="seats",
        inverse_aliases=(),
        cardinality=Cardinality.MANY_TO_ONE,
        excludes=(),
    )
    early.add_relations([seats])
    for memory in (early, late):
        memory.assert_fact("Red", "seats", "Ann", occurred_at=at(1))
        memory.assert_fact("Ann", "is seated in", "Blue", occurred_at=at(2))
    late.add_relations([seats])
    assert facts(early) == facts(late) == {("Ann", "is seated in", "Blue")}
    assert late.assert_fact("Red", "seats", "Ann", occurred_at=at(1)).outcome is Outcome.UNCHANGED
