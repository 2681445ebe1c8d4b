"""Who may hold at once: one-to-many, one-to-one, symmetric, excluding and undeclared relations."""

from graphmem.model import Edge
from tests.conclude.ticks import ASSISTANT, Memory, denies, ends, number, say, spans, told


def pairs(edges: list[Edge]) -> dict[tuple[str, str], list[tuple[int | None, int | None]]]:
    found: dict[tuple[str, str], list[tuple[int | None, int | None]]] = {}
    for edge in sorted(edges, key=lambda edge: edge.valid):
        if not edge.contested:
            span = (number(edge.valid.start), number(edge.valid.end))
            found.setdefault((edge.subject_id, edge.object_id), []).append(span)
    return found


def leads(said: int, who: str, what: str = "atlas"):
    return say(said, what, subject=who, relation="leads")


def wed(said: int, one: str, other: str, *, since: int | None = None):
    return say(said, other, subject=one, relation="married to", since=since)


def sits(said: int, who: str, seat: str):
    return say(said, seat, subject=who, relation="holds seat")


def test_a_project_has_one_leader_and_a_leader_many_projects() -> None:
    edges = told(leads(10, "ann"), leads(11, "ann", "zeus"), leads(12, "ben"), leads(14, "ann"))

    assert pairs(edges) == {
        ("ann", "atlas"): [(10, 12), (14, None)],
        ("ben", "atlas"): [(12, 14)],
        ("ann", "zeus"): [(11, None)],
    }


def test_an_end_of_anything_reaches_every_slot_of_a_leader() -> None:
    memory = Memory()
    memory.tell(leads(10, "ann"), leads(11, "ann", "zeus"), leads(12, "ben", "hera"))
    memory.tell(ends(20, None, subject="ann", relation="leads"))

    assert pairs(memory.believed()) == {
        ("ann", "atlas"): [(10, 20)],
        ("ann", "zeus"): [(11, 20)],
        ("ben", "hera"): [(12, None)],
    }


def test_a_new_marriage_ends_those_of_both_and_no_other() -> None:
    edges = told(wed(10, "ann", "ben"), wed(11, "cid", "dee"), wed(12, "eve", "flo"))
    assert len(edges) == 3

    edges = told(wed(10, "ann", "ben"), wed(11, "cid", "dee"), wed(20, "dee", "ann"))
    assert pairs(edges) == {
        ("ann", "ben"): [(10, 20)],
        ("cid", "dee"): [(11, 20)],
        ("ann", "dee"): [(20, None)],
    }


def test_a_link_told_later_joins_two_components() -> None:
    memory = Memory()
    memory.tell(wed(10, "ann", "ben"))
    memory.tell(wed(11, "cid", "dee"))
    memory.tell(wed(5, "ben", "cid", since=2))

    assert pairs(memory.believed()) == {
        ("ann", "ben"): [(10, None)],
        ("cid", "dee"): [(11, None)],
        ("ben", "cid"): [(2, 10)],
    }


def test_a_forgotten_link_leaves_its_neighbours_as_if_it_had_never_been() -> None:
    memory = Memory()
    link = wed(20, "ben", "cid")
    memory.tell(wed(10, "ann", "ben"), link, wed(11, "cid", "dee"))
    memory.forget(link)

    assert pairs(memory.believed()) == {("ann", "ben"): [(10, None)], ("cid", "dee"): [(11, None)]}


def test_a_symmetric_pair_is_one_whichever_way_it_is_told() -> None:
    edges = told(
        say(10, "ben", subject="ann", relation="friend of"),
        say(12, "ann", subject="ben", relation="friend of"),
    )
    assert pairs(edges) == {("ann", "ben"): [(10, None)]}

    ended = told(*_friends(), ends(20, None, subject="ben", relation="friend of"))
    assert pairs(ended) == {("ann", "ben"): [(10, 20)], ("ann", "cid"): [(11, None)]}


def _friends():
    return (
        say(10, "ben", subject="ann", relation="friend of"),
        say(11, "cid", subject="ann", relation="friend of"),
    )


def test_rivals_of_a_one_to_one_pair_share_an_end_on_the_same_side() -> None:
    edges = told(sits(10, "a", "b"), sits(11, "b", "c"), sits(12, "d", "c"))

    assert pairs(edges) == {
        ("a", "b"): [(10, None)],
        ("b", "c"): [(11, 12)],
        ("d", "c"): [(12, None)],
    }


def test_an_end_of_any_seat_acts_inside_the_component() -> None:
    edges = told(sits(10, "a", "x"), sits(11, "b", "y"), sits(12, "a", "y"))
    assert pairs(edges) == {
        ("a", "x"): [(10, 12)],
        ("b", "y"): [(11, 12)],
        ("a", "y"): [(12, None)],
    }

    memory = Memory()
    memory.tell(sits(10, "a", "x"), sits(11, "b", "y"))
    memory.tell(ends(20, None, subject="b", relation="holds seat"))
    assert pairs(memory.believed()) == {("a", "x"): [(10, None)], ("b", "y"): [(11, 20)]}


def test_relations_that_exclude_one_another_share_a_slot() -> None:
    edges = told(
        say(10, "food", relation="loves"),
        say(12, "food", relation="hates"),
        say(13, "tea", relation="hates"),
    )
    spans_of = {(e.relation, e.object_id): number(e.valid.end) for e in edges}

    assert spans_of == {("loves", "food"): 12, ("hates", "food"): None, ("hates", "tea"): None}


def test_only_relations_that_exclude_each_other_directly_are_rivals() -> None:
    edges = told(
        say(10, "ben", relation="despises"),
        say(11, "ben", relation="envies"),
        say(12, "ben", relation="admires"),
    )

    found = {edge.relation: number(edge.valid.end) for edge in edges}
    assert found == {"despises": 12, "envies": 12, "admires": None}


def test_an_end_of_anything_ends_its_own_relation_only() -> None:
    memory = Memory()
    memory.tell(say(10, "tea", relation="loves"), say(11, "rain", relation="hates"))
    memory.tell(ends(20, None, relation="loves"))

    found = {edge.object_id: number(edge.valid.end) for edge in memory.believed()}
    assert found == {"tea": 20, "rain": None}


def test_what_is_not_declared_never_ends_another_fact() -> None:
    edges = told(
        say(10, "model a", relation="benchmarked against"),
        say(12, "model b", relation="benchmarked against"),
        say(13, "model c", relation="tested with"),
        say(14, "model d", relation="tested with"),
    )

    assert {edge.valid.end.year for edge in edges} == {9999}
    assert len(edges) == 4


def test_a_denial_of_anything_removes_every_value_told_before() -> None:
    memory = Memory()
    memory.tell(say(10, "a", relation="tested with"), say(11, "b", relation="tested with"))
    memory.tell(denies(20, None, relation="tested with"))
    memory.tell(say(21, "c", relation="tested with"))

    assert spans(memory.believed()) == {"c": [(21, None)]}


def test_a_contested_claim_lasts_until_its_tier_says_otherwise() -> None:
    edges = told(say(10, "paris"), say(15, "rome", by=ASSISTANT), say(20, "oslo", by=ASSISTANT))

    assert spans(edges) == {"paris": [(10, None)]}
    assert spans(edges, contested=True) == {"rome": [(15, 20)], "oslo": [(20, None)]}


def test_a_claim_is_contested_only_where_it_lost() -> None:
    edges = told(
        say(10, "paris", since=10, until=12),
        say(15, "rome", since=8, until=14, by=ASSISTANT),
    )

    assert spans(edges) == {"paris": [(10, 12)], "rome": [(8, 10), (12, 14)]}
    assert spans(edges, contested=True) == {"rome": [(10, 12)]}


def test_a_claim_that_was_granted_later_is_contested_only_before() -> None:
    edges = told(say(10, "paris"), say(15, "rome", by=ASSISTANT), say(20, "rome"), ends(30, "rome"))

    assert spans(edges) == {"paris": [(10, 20)], "rome": [(20, 30)]}
    assert spans(edges, contested=True) == {"rome": [(15, 20)]}
