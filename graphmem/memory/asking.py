"""From edges that fit to answers: what was asked for, and who said so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.memory.answers import Answer
from graphmem.model import Citation, Edge
from graphmem.ports import View
from graphmem.retrieval import Found, Wanted, citations
from graphmem.temporal import ALWAYS

_Cited = Mapping[str, tuple[Citation, ...]]


def matched(
    view: View, found: Sequence[tuple[Edge, bool]], recorded: datetime, *, asks_subject: bool
) -> list[Answer]:
    """Return the answers of one typed pattern. Cost: one read of the evidence.

    Args:
        view: Where the edges were read.
        found: Edges, and whether each is to be read from its other end.
        recorded: The evidence of this instant is cited.
        asks_subject: The subject was left open, not the object.
    """
    cited = citations(view, {edge.id for edge, _ in found}, recorded)
    answers: list[Answer] = []
    for edge, inverted in found:
        ends = (edge.object, edge.subject) if inverted else (edge.subject, edge.object)
        value = ends[0] if asks_subject else ends[1]
        answers.append(_answer(view, edge, inverted, ends, value, cited))
    return answers


def answered(view: View, found: Sequence[Found], recorded: datetime) -> list[Answer]:
    """Return the answers of a plan, with those that they were reached through.

    Cost: one read of the evidence.
    """
    edge_ids = {step.edge.id for one in found for step in _steps(one)}
    cited = citations(view, edge_ids, recorded)
    return [_reached(view, one, cited) for one in found]


def _steps(found: Found) -> Iterator[Found]:
    yield found
    if found.through is not None:
        yield from _steps(found.through)


def _reached(view: View, found: Found, cited: _Cited) -> Answer:
    ends = (found.subject[1], found.object[1])
    edge, value = found.edge, found.asked[1]
    if found.hop.wanted is Wanted.TIME:
        known = edge.valid.start > ALWAYS
        value = edge.start_precision.text(edge.valid.start) if known else "unknown"
    through = None if found.through is None else _reached(view, found.through, cited)
    answer = _answer(view, edge, found.inverted, ends, value, cited, through)
    is_relation = found.hop.wanted is Wanted.RELATION
    return replace(answer, value=answer.relation) if is_relation else answer


def _answer(
    view: View,
    edge: Edge,
    inverted: bool,
    ends: tuple[str, str],
    value: str,
    cited: _Cited,
    through: Answer | None = None,
) -> Answer:
    relation = view.catalog().relations.get(edge.relation) if inverted else None
    name = (relation.inverse if relation else None) or edge.relation
    return Answer(ends[0], name, ends[1], value, edge, cited[edge.id], through)
