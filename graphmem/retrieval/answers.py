"""The edges that answer a plan: one indexed read a pattern, whatever it finds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.model import Edge
from graphmem.ports import EdgeFilter, View
from graphmem.retrieval.ask import Hop
from graphmem.retrieval.clause import Wanted
from graphmem.retrieval.naming import Mention, resembling
from graphmem.retrieval.pattern import related
from graphmem.retrieval.phrases import stems_of
from graphmem.temporal import to_micros


@dataclass(frozen=True, slots=True)
class Found:
    """An edge that fits a hop.

    Attributes:
        hop: The pattern.
        edge: The edge, in its canonical direction.
        inverted: The question reads it from object to subject.
        through: The answer of the earlier hop that it was reached from, or None.
    """

    hop: Hop
    edge: Edge
    inverted: bool
    through: Found | None

    @property
    def subject(self) -> tuple[str, str]:
        """Id and name of what stands before the relation as the question says it."""
        edge = self.edge
        return (edge.object_id, edge.object) if self.inverted else (edge.subject_id, edge.subject)

    @property
    def object(self) -> tuple[str, str]:
        """Id and name of what stands after it."""
        edge = self.edge
        return (edge.subject_id, edge.subject) if self.inverted else (edge.object_id, edge.object)

    @property
    def asked(self) -> tuple[str, str]:
        """Id and name of the end that is asked for; the object if none is."""
        return self.subject if self.hop.wanted is Wanted.SUBJECT else self.object


def answers(
    view: View, hops: Sequence[Hop], at: EdgeFilter, *, ever: EdgeFilter, limit: int
) -> list[Found]:
    """Return the edges that answer the hops that are shown, hop by hop, the latest start first.

    Args:
        view: What to read.
        hops: The patterns of a plan; each may lean on earlier ones.
        at: What holds, or has happened, at the instant of the question.
        ever: Read instead when a hop asks for a time.
        limit: How many edges of each hop at most.
    """
    found: list[list[Found]] = []
    for hop in hops:
        base = ever if hop.wanted is Wanted.TIME else at
        edges = sorted(_edges(view, hop, base, found), key=_latest)
        found.append([_placed(hop, edge, turned, found) for edge, turned in edges[:limit]])
    return [one for hop, of_hop in zip(hops, found, strict=True) if hop.shown for one in of_hop]


def _latest(found: tuple[Edge, bool]) -> int:
    return -to_micros(found[0].valid.start)


def _edges(
    view: View, hop: Hop, base: EdgeFilter, found: Sequence[Sequence[Found]]
) -> list[tuple[Edge, bool]]:
    subjects, objects = _ids(hop.subject, found), _ids(hop.object, found)
    if subjects == frozenset() or objects == frozenset():
        return []
    if hop.relation is None:
        straight = view.edges(replace(base, subject_ids=subjects, object_ids=objects))
        if hop.stems:
            return [(edge, False) for edge in straight if _is_said(edge.relation, hop.stems)]
        turned = view.edges(replace(base, subject_ids=objects, object_ids=subjects))
        return [(edge, False) for edge in straight] + [(edge, True) for edge in turned]
    edges = related(view, hop.relation, hop.inverted, subjects, objects, base)
    return _meant(_meant(edges, hop.subject, first=True), hop.object, first=False)


def _ids(end: Mention | int | None, found: Sequence[Sequence[Found]]) -> frozenset[str] | None:
    """Return the ids that an end may be; None: any, or to be told by its words."""
    if isinstance(end, Mention):
        return end.ids or None
    return None if end is None else frozenset(one.asked[0] for one in found[end])


def _meant(
    edges: list[tuple[Edge, bool]], end: Mention | int | None, *, first: bool
) -> list[tuple[Edge, bool]]:
    """Keep the edges whose end a mention names by its words alone."""
    if not isinstance(end, Mention) or end.ids:
        return edges
    names: dict[str, str] = {}
    ends: defaultdict[str, list[tuple[Edge, bool]]] = defaultdict(list)
    for edge, inverted in edges:
        at_subject = first is not inverted
        id = edge.subject_id if at_subject else edge.object_id
        names[id] = edge.subject if at_subject else edge.object
        ends[id].append((edge, inverted))
    chosen = resembling(end, names)
    return [pair for id in names if id in chosen for pair in ends[id]]


def _placed(hop: Hop, edge: Edge, inverted: bool, found: Sequence[Sequence[Found]]) -> Found:
    placed = Found(hop, edge, inverted, None)
    for end, (id, _) in ((hop.subject, placed.subject), (hop.object, placed.object)):
        if isinstance(end, int):
            through = next(one for one in found[end] if one.asked[0] == id)
            return replace(placed, through=through)
    return placed


def _is_said(relation: str, stems: Iterable[str]) -> bool:
    """Tell whether all words of an undeclared relation stand together among the stems."""
    said, asked = stems_of(relation.split()), tuple(stems)
    return any(asked[at : at + len(said)] == said for at in range(len(asked)))
