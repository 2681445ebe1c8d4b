"""Why a value stopped: what ended it, or what came instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.catalog import Cardinality, Catalog, TemporalKind
from graphmem.memory.answers import Ending, HistoryRow
from graphmem.model import Assertion, AssertionKind, Edge
from graphmem.ports import EdgeFilter, SlotQuery, View
from graphmem.retrieval import citation, supporting
from graphmem.temporal import FOREVER


@dataclass(frozen=True, slots=True)
class _Told:
    """What may explain an ending: the statements about the same pairs, and the rivals' edges."""

    statements: Sequence[Assertion]
    rivals: Sequence[Edge]
    evidence: Mapping[str, list[Assertion]]
    catalog: Catalog


def history_rows(view: View, edges: Sequence[Edge], recorded: datetime) -> list[HistoryRow]:
    """Return one row an edge, in their order. Cost: four batched reads, whatever their number."""
    catalog = view.catalog()
    ended = [edge for edge in edges if _can_end(edge, catalog)]
    rivals = _rivals(view, ended, recorded, catalog)
    ids = {edge.id for edge in (*edges, *rivals)}
    told = _Told(
        _statements(view, ended, catalog), rivals, supporting(view, ids, recorded), catalog
    )
    return [_row(edge, told, explain=edge in ended) for edge in edges]


def _can_end(edge: Edge, catalog: Catalog) -> bool:
    relation, _ = catalog.resolve(edge.relation)
    return edge.valid.end < FOREVER and relation.temporal is not TemporalKind.EVENT


def _rivals(view: View, ended: Sequence[Edge], recorded: datetime, catalog: Catalog) -> list[Edge]:
    if not ended:
        return []
    relations = {
        name for edge in ended for name in (edge.relation, *catalog.excluded(edge.relation))
    }
    subjects = {edge.subject_id for edge in ended}
    objects = {edge.object_id for edge in ended}
    found = (
        *view.edges(EdgeFilter(recorded, relations=relations, subject_ids=subjects)),
        *view.edges(EdgeFilter(recorded, relations=relations, object_ids=objects)),
    )
    return list({edge.id: edge for edge in found}.values())


def _statements(view: View, ended: Sequence[Edge], catalog: Catalog) -> list[Assertion]:
    return view.stated(
        [
            SlotQuery(
                (edge.relation, *(event.name for event in catalog.feeding(edge.relation))),
                edge.subject_id,
                edge.object_id,
            )
            for edge in ended
        ]
    )


def _row(edge: Edge, told: _Told, *, explain: bool) -> HistoryRow:
    ending, by, successor = _ending(edge, told) if explain else (None, None, None)
    return HistoryRow(
        edge_id=edge.id,
        subject=edge.subject,
        relation=edge.relation,
        object=edge.object,
        fact=edge.fact,
        valid=edge.valid,
        start_precision=edge.start_precision,
        end_precision=edge.end_precision,
        contested=edge.contested,
        recorded=edge.recorded,
        citations=tuple(map(citation, told.evidence[edge.id])),
        ending=ending,
        ended_by=None if by is None else citation(by),
        successor=successor,
    )


def _ending(edge: Edge, told: _Told) -> tuple[Ending | None, Assertion | None, str | None]:
    if ends := [a for a in told.statements if _ends(a, edge)]:
        return Ending.ENDED, ends[-1], None
    for rival in told.rivals:
        if _succeeds(rival, edge, told.catalog):
            by = told.evidence[rival.id]
            value = rival.object if rival.subject_id == edge.subject_id else rival.subject
            return Ending.SUPERSEDED, by[0] if by else None, value
    stated = [a for a in told.evidence[edge.id] if a.end == edge.valid.end]
    return (Ending.STATED, stated[-1], None) if stated else (None, None, None)


def _ends(assertion: Assertion, edge: Edge) -> bool:
    if assertion.subject_id != edge.subject_id:
        return False
    if assertion.object_id not in (None, edge.object_id):
        return False
    if assertion.relation != edge.relation:
        return (assertion.start or assertion.said) == edge.valid.end
    ended = assertion.end or assertion.said
    return assertion.kind is AssertionKind.ENDS and ended == edge.valid.end


def _succeeds(rival: Edge, edge: Edge, catalog: Catalog) -> bool:
    if rival.contested or rival.valid.start != edge.valid.end:
        return False
    same_subject = rival.subject_id == edge.subject_id
    same_object = rival.object_id == edge.object_id
    if rival.relation != edge.relation:
        return same_subject and same_object and rival.relation in catalog.excluded(edge.relation)
    match catalog.resolve(edge.relation)[0].cardinality:
        case Cardinality.MANY_TO_ONE:
            return same_subject and not same_object
        case Cardinality.ONE_TO_MANY:
            return same_object and not same_subject
        case Cardinality.ONE_TO_ONE:
            return same_subject != same_object
        case Cardinality.MANY_TO_MANY:
            return False
