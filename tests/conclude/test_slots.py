"""Which rows belong together, and how few reads find them."""

import pytest

from graphmem.conclude import Slot, gather, slots
from graphmem.model import Assertion
from graphmem.ports import SlotQuery
from graphmem.testing.records import edge
from tests.conclude.ticks import CATALOG, Memory, denies, ends, say


def gathered(memory: Memory, *told: Assertion):
    touched = [slot for a in told for slot in slots(a, CATALOG)]
    return gather(touched, memory.stated, memory.concluded, CATALOG)


@pytest.mark.parametrize(
    ("statement", "slot"),
    [
        (say(1, "rome"), Slot(("lives in",), ("ann",), ())),
        (ends(1, None), Slot(("lives in",), ("ann",), ())),
        (say(1, "atlas", relation="leads"), Slot(("leads",), (), ("atlas",))),
        (ends(1, None, relation="leads"), Slot(("leads",), ("ann",), ())),
        (say(1, "al", relation="married to"), Slot(("married to",), ("al", "ann"), ("al", "ann"))),
        (say(1, "x", relation="holds seat"), Slot(("holds seat",), ("ann",), ("x",))),
        (say(1, "x", relation="tested with"), Slot(("tested with",), ("ann",), ("x",))),
        (say(1, "x", relation="never declared"), Slot(("never declared",), ("ann",), ("x",))),
        (say(1, "al", relation="friend of"), Slot(("friend of",), ("al",), ("ann",))),
        (
            say(1, "tea", relation="likes"),
            Slot(("dislikes", "hates", "likes", "loves"), ("ann",), ("tea",)),
        ),
    ],
)
def test_the_cardinality_decides_the_slot(statement: Assertion, slot: Slot) -> None:
    assert slots(statement, CATALOG) == [slot]


def test_an_event_touches_its_occurrence_and_the_states_that_it_feeds() -> None:
    assert slots(say(1, "acme", relation="left"), CATALOG) == [
        Slot(("left",), ("ann",), ("acme",)),
        Slot(("member of",), ("ann",), ("acme",)),
        Slot(("works at",), ("ann",), ()),
    ]


def test_a_slot_asks_for_the_events_that_feed_it() -> None:
    (slot,) = slots(say(1, "acme", relation="works at"), CATALOG)

    assert slot.queries(CATALOG) == (SlotQuery(("works at", "joined", "left"), "ann", None),)
    assert slot.edge_queries(CATALOG) == (SlotQuery(("works at",), "ann", None),)


def test_a_thousand_slots_take_two_reads() -> None:
    told = [say(1, f"v{n % 7}", subject=f"s{n}", relation="works at") for n in range(1000)]
    memory = Memory(assertions=told)

    found = gathered(memory, *told)
    assert [one.assertions for one in found] == [(a,) for a in told]
    assert memory.reads == 2


def test_slots_found_by_their_subject_take_one_read_more() -> None:
    told = [say(1, f"p{n}", relation="leads") for n in range(50)]
    end = ends(2, None, relation="leads")
    memory = Memory(assertions=[*told, end])

    found = gathered(memory, end)
    assert {one.slot for one in found} == {Slot(("leads",), (), (f"p{n}",)) for n in range(50)}
    assert all(end in one.assertions and len(one.assertions) == 2 for one in found)
    assert memory.reads == 3


def test_an_end_of_anything_reaches_only_slots_that_its_subject_has_a_value_in() -> None:
    own, other = say(1, "x", relation="leads"), say(1, "x", subject="ben", relation="leads")
    theirs = say(1, "y", subject="ben", relation="leads")
    end = ends(2, None, relation="leads")
    memory = Memory(assertions=[own, other, theirs, end])

    (one,) = gathered(memory, end)
    assert one.slot == Slot(("leads",), (), ("x",))
    assert set(one.assertions) == {own, other, end}
    (apart,) = gathered(memory, theirs)
    assert apart.assertions == (theirs,)


def test_a_component_is_gathered_as_wide_as_it_is() -> None:
    chain = [say(1, f"e{n + 1}", subject=f"e{n}", relation="married to") for n in range(6)]
    apart = say(1, "y", subject="x", relation="married to")
    memory = Memory(assertions=[*chain, apart])

    (one,) = gathered(memory, chain[0])
    assert set(one.assertions) == set(chain)
    assert one.slot.subject_ids == tuple(f"e{n}" for n in range(7))
    both = gathered(memory, chain[0], chain[5], apart)
    assert [set(found.assertions) for found in both] == [set(chain), {apart}]


def test_the_ends_of_an_ordered_one_to_one_relation_are_kept_apart() -> None:
    first = say(1, "b", subject="a", relation="holds seat")
    second = say(1, "c", subject="b", relation="holds seat")
    itself = say(1, "z", subject="z", relation="holds seat")
    memory = Memory(assertions=[first, second, itself])

    assert [one.assertions for one in gathered(memory, first, second, itself)] == [
        (first,),
        (second,),
        (itself,),
    ]


def test_a_denied_event_reaches_the_slots_that_it_had_fed() -> None:
    joined = say(1, "acme", relation="joined")
    denial = denies(2, None, relation="joined")
    memory = Memory(assertions=[joined, denial])

    found = {one.slot.relations: set(one.assertions) for one in gathered(memory, denial)}
    assert found == {("joined",): {joined, denial}, ("works at",): {joined, denial}}


def test_an_edge_whose_statement_is_gone_is_gathered_once() -> None:
    gone = say(1, "bob", relation="married to")
    memory = Memory(edges={"e": edge("e", "ann", "married to", "bob")})
    memory.assertions = [
        say(1, "cid", relation="married to"),
        say(1, "dee", subject="bob", relation="married to"),
    ]

    found = gathered(memory, gone)
    assert [row.id for one in found for row in one.edges] == ["e"]


def test_nothing_touched_reads_nothing() -> None:
    memory = Memory()

    assert gathered(memory) == []
    assert memory.reads == 0
