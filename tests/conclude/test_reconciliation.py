"""Which rows close, stay and open."""

from dataclasses import replace
from datetime import timedelta

from graphmem.conclude import Conclusion, Reconciled, reconcile
from graphmem.model import Edge, Evidence
from graphmem.temporal import FOREVER, Interval, Precision
from graphmem.testing.records import ruling
from tests.conclude.ticks import EPOCH, Memory, say

HOUR = timedelta(hours=1)
NAMES = {"ann": "Ann", "rome": "Rome"}
ROME = Conclusion(
    subject_id="ann",
    relation="lives in",
    object_id="rome",
    fact="Ann lives in Rome",
    valid=Interval(EPOCH),
    start_precision=Precision.INSTANT,
    end_precision=Precision.UNKNOWN,
    contested=False,
    evidence=("a1",),
    sentences=("Ann lives in Rome",),
)
NOTHING = Reconciled((), (), ())


def rows(
    *wanted: Conclusion, edges: tuple[Edge, ...] = (), known: dict[str, set[str]] | None = None
) -> Reconciled:
    held = [(Interval(EPOCH + HOUR), conclusion) for conclusion in wanted]
    return reconcile(held, edges, known or {}, group_id="g", names=NAMES, now=EPOCH + HOUR)


def opened() -> Edge:
    (edge,) = rows(ROME).edges
    return replace(edge, recorded=Interval(EPOCH))


def test_a_new_conclusion_becomes_a_row_with_names_and_evidence() -> None:
    part = rows(ROME)

    (edge,) = part.edges
    assert (edge.subject, edge.object, edge.group_id) == ("Ann", "Rome", "g")
    assert edge.recorded == Interval(EPOCH + HOUR)
    assert part.evidence == (Evidence(edge.id, "a1"),)
    assert part.close_edges == ()


def test_ids_follow_from_what_a_row_says() -> None:
    assert rows(ROME).edges[0].id == rows(ROME).edges[0].id
    other = replace(ROME, valid=Interval(EPOCH + HOUR))
    assert rows(other).edges[0].id != rows(ROME).edges[0].id


def test_a_row_that_says_the_same_stays() -> None:
    edge = opened()

    assert rows(ROME, edges=(edge,), known={edge.id: {"a1"}}) == NOTHING


def test_one_more_mention_adds_a_link_and_no_row() -> None:
    edge = opened()
    mentioned = replace(
        ROME,
        fact="She is at home in Rome",
        evidence=("a1", "a2"),
        sentences=("Ann lives in Rome", "She is at home in Rome"),
    )

    part = rows(mentioned, edges=(edge,), known={edge.id: {"a1"}})
    assert part == Reconciled((), (), (Evidence(edge.id, "a2"),))


def test_a_row_closes_when_valid_precision_contest_or_expiry_change() -> None:
    edge = opened()
    for other in (
        replace(ROME, valid=Interval(EPOCH, EPOCH + HOUR)),
        replace(ROME, start_precision=Precision.DAY),
        replace(ROME, contested=True),
    ):
        part = rows(other, edges=(edge,))
        assert part.close_edges == (edge.id,)
        assert len(part.edges) == 1

    expiring = replace(edge, recorded=Interval(EPOCH, EPOCH + 2 * HOUR))
    assert rows(ROME, edges=(expiring,)).close_edges == (edge.id,)


def test_a_row_without_a_conclusion_closes() -> None:
    edge = opened()

    assert rows(edges=(edge,)) == Reconciled((edge.id,), (), ())


def test_a_sentence_that_nothing_says_any_more_is_replaced() -> None:
    edge = opened()
    left = replace(ROME, fact="Rome it is", evidence=("a2",), sentences=("Rome it is",))

    part = rows(left, edges=(edge,), known={edge.id: {"a1", "a2"}})
    assert part.close_edges == (edge.id,)
    assert [row.fact for row in part.edges] == ["Rome it is"]


def test_a_retracted_sentence_is_not_shown() -> None:
    memory = Memory()
    memory.tell(say(10, "rome", id="secret"), say(10, "rome", id="plain"))
    (before,) = memory.believed()
    memory.rule(ruling("r", before.fact))
    (after,) = memory.believed()

    assert {before.fact, after.fact} == {"secret", "plain"}


def test_rows_that_lie_ahead_stay_while_they_are_still_wanted() -> None:
    memory = Memory()
    soon = replace(say(10, "rome", id="a"), expires_at=EPOCH + timedelta(days=30))
    memory.tell(soon, say(12, "rome", id="b"))
    ahead = {e.id for e in memory.edges.values() if e.recorded.start > memory.now}
    assert len(ahead) == 1

    memory.tell(say(11, "rome", subject="ben"))
    assert memory.settle([soon]) == []
    assert ahead <= set(memory.edges)


def test_a_row_that_has_not_begun_is_removed_when_it_is_not_wanted_any_more() -> None:
    memory = Memory()
    soon = replace(say(10, "rome", id="a"), expires_at=EPOCH + timedelta(days=30))
    late = say(12, "rome", id="b")
    memory.tell(soon, late)
    memory.forget(late)

    assert [e.recorded.end for e in memory.believed()] == [EPOCH + timedelta(days=30)]
    assert memory.believed(EPOCH + timedelta(days=31)) == []
    assert FOREVER not in {e.recorded.end for e in memory.edges.values()}
