"""What happens: occurrences, and the states that they begin and end."""

from dataclasses import replace
from datetime import UTC, datetime

from graphmem.model import Assertion, Edge
from graphmem.temporal import ALWAYS, FOREVER, Interval, Precision
from graphmem.testing.records import ruling
from tests.conclude.ticks import ASSISTANT, Memory, denies, number, say, told


def of(edges: list[Edge], relation: str) -> dict[str, list[tuple[int | None, int | None]]]:
    found: dict[str, list[tuple[int | None, int | None]]] = {}
    for edge in sorted(edges, key=lambda edge: edge.valid):
        if edge.relation == relation:
            span = (number(edge.valid.start), number(edge.valid.end))
            found.setdefault(edge.object_id, []).append(span)
    return found


def joined(said: int | None, what: str = "acme", *, since: int | None = None) -> Assertion:
    return say(said, what, relation="joined", since=since)


def left(said: int, what: str = "acme", *, since: int | None = None) -> Assertion:
    return say(said, what, relation="left", since=since)


def works(said: int, what: str = "acme") -> Assertion:
    return say(said, what, relation="works at")


def test_occurrences_are_joined_only_if_they_are_equal() -> None:
    edges = told(
        *(say(said, "rome", relation="visited", since=5) for said in (10, 11)),
        say(12, "rome", relation="visited", since=6),
        say(13, "rome", relation="visited"),
        say(14, "oslo", relation="visited"),
    )

    assert of(edges, "visited") == {"rome": [(5, 6), (6, 7), (13, 14)], "oslo": [(14, 15)]}


def test_an_occurrence_lasts_as_long_as_its_time_is_coarse() -> None:
    may = replace(
        joined(10),
        start=datetime(2020, 5, 1, tzinfo=UTC),
        start_precision=Precision.MONTH,
    )
    (edge,) = (edge for edge in told(may) if edge.relation == "joined")

    june = datetime(2020, 6, 1, tzinfo=UTC)
    assert edge.valid == Interval(datetime(2020, 5, 1, tzinfo=UTC), june)
    assert (edge.start_precision, edge.end_precision) == (Precision.MONTH, Precision.MONTH)


def test_an_undated_occurrence_happened_some_time() -> None:
    (edge,) = (edge for edge in told(joined(None)) if edge.relation == "joined")

    assert edge.valid == Interval(ALWAYS, FOREVER)
    assert edge.start_precision is Precision.UNKNOWN


def test_an_event_begins_a_state_at_its_stated_time_or_when_it_was_said() -> None:
    assert of(told(joined(10, since=4)), "works at") == {"acme": [(4, None)]}
    assert of(told(joined(10)), "works at") == {"acme": [(10, None)]}
    assert of(told(joined(10), works(8, "beta")), "works at") == {
        "beta": [(8, 10)],
        "acme": [(10, None)],
    }


def test_an_event_ends_the_states_that_it_ends() -> None:
    member = say(8, "acme", relation="member of")
    edges = told(works(5), member, left(20, since=18))

    assert of(edges, "works at") == {"acme": [(5, 18)]}
    assert of(edges, "member of") == {"acme": [(8, 18)]}
    assert of(told(works(5), left(20)), "works at") == {"acme": [(5, 20)]}
    assert of(told(works(5), left(20, "beta")), "works at") == {"acme": [(5, None)]}


def test_an_event_told_late_ends_a_state_told_before() -> None:
    memory = Memory()
    memory.tell(left(20, since=18))
    memory.tell(works(5))
    memory.tell(joined(4, since=3))

    assert of(memory.believed(), "works at") == {"acme": [(3, 18)]}


def test_a_denied_event_begins_nothing() -> None:
    denial = denies(12, "acme", relation="joined")
    assert told(joined(10), denial) == []
    assert of(told(works(5, "beta"), joined(10), denial), "works at") == {"beta": [(5, None)]}

    memory = Memory()
    memory.tell(joined(10))
    memory.tell(denies(12, None, relation="joined"))
    assert memory.believed() == []


def test_a_denial_within_a_span_leaves_the_occurrences_outside_it() -> None:
    edges = told(
        joined(10, since=3),
        joined(11, since=7),
        denies(12, "acme", relation="joined", since=2, until=5),
    )

    assert of(edges, "joined") == {"acme": [(7, 8)]}
    assert of(edges, "works at") == {"acme": [(7, None)]}


def test_a_planned_event_that_moves_happens_once() -> None:
    edges = told(joined(2, since=30), joined(9, since=40))

    assert of(edges, "joined") == {"acme": [(40, 41)]}
    assert of(edges, "works at") == {"acme": [(40, None)]}


def test_an_assistants_event_never_ends_what_a_person_said() -> None:
    guess = replace(left(20), authority=ASSISTANT)

    assert of(told(works(5), guess), "works at") == {"acme": [(5, None)]}


def test_the_event_is_evidence_of_the_state_that_it_begins() -> None:
    memory = Memory()
    event = joined(10)
    memory.tell(event)

    (state,) = (edge for edge in memory.believed() if edge.relation == "works at")
    assert memory.links[state.id] == {event.id}
    assert state.fact == "ann works at acme", "an event's sentence says what happened, not more"


def test_a_retracted_event_begins_nothing() -> None:
    memory = Memory()
    event = joined(10)
    memory.tell(works(5, "beta"), event)
    memory.rule(ruling("r", event.id))

    assert of(memory.believed(), "works at") == {"beta": [(5, None)]}


def test_an_event_feeds_a_one_to_many_state_of_the_same_pair() -> None:
    took = say(10, "atlas", subject="ann", relation="took over")
    edges = told(say(5, "atlas", subject="ben", relation="leads"), took)

    found = {e.subject_id: number(e.valid.end) for e in edges if e.relation == "leads"}
    assert found == {"ben": 10, "ann": None}


def test_an_event_feeds_a_symmetric_state_whichever_way_it_is_told() -> None:
    wedding = say(10, "ann", subject="ben", relation="married", since=4)
    divorce = say(20, "ben", subject="ann", relation="divorced", since=18)
    (state,) = (edge for edge in told(wedding, divorce) if edge.relation == "married to")

    assert (state.subject_id, state.object_id) == ("ann", "ben")
    assert (number(state.valid.start), number(state.valid.end)) == (4, 18)
