"""From what follows now to the rows that change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.conclude.conclusion import Conclusion, Content, content
from graphmem.model import Edge, Evidence
from graphmem.temporal import Interval, to_micros


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The edges' part of ``Changes``; empty when everything is as it was."""

    close_edges: tuple[str, ...]
    edges: tuple[Edge, ...]
    evidence: tuple[Evidence, ...]


def reconcile(
    wanted: Iterable[tuple[Interval, Conclusion]],
    edges: Sequence[Edge],
    known: Mapping[str, Collection[str]],
    *,
    group_id: str,
    names: Mapping[str, str],
    now: datetime,
) -> Reconciled:
    """Return which rows to close and which to record, so that the slots say what follows.

    A row stays if it says the same for as long: then only new evidence is linked to it. A row
    whose sentence is no longer one of its evidence is replaced: nothing retracted keeps speaking.

    Args:
        wanted: As ``timeline`` returns them from ``now`` on; of one slot or of many.
        edges: The rows of those slots whose transaction time ends after ``now``.
        known: Ids of the assertions linked to each of ``edges``; none if absent.
        group_id: Whose edges they are.
        names: Entity names by id, for every end in ``wanted``.
        now: The stamp of this write.

    Returns:
        Each part in order of id; ids of new rows follow from what they say.
    """
    rows = {_key(edge, edge.recorded, now): edge for edge in sorted(edges, key=lambda e: e.id)}
    opened: list[Edge] = []
    links: list[Evidence] = []
    kept: set[str] = set()
    for recorded, conclusion in wanted:
        row = rows.get(_key(conclusion, recorded, now))
        if row is None or row.fact not in _sentences(conclusion, names):
            row = _edge(conclusion, recorded, group_id, names)
            opened.append(row)
        else:
            kept.add(row.id)
        linked = known.get(row.id, ())
        links += (Evidence(row.id, id) for id in conclusion.evidence if id not in linked)
    return Reconciled(
        close_edges=tuple(sorted({edge.id for edge in edges} - kept)),
        edges=tuple(sorted(opened, key=lambda edge: edge.id)),
        evidence=tuple(sorted(links, key=lambda link: (link.edge_id, link.assertion_id))),
    )


def _plain(c: Conclusion, names: Mapping[str, str]) -> str:
    """Return what an edge says when only an event told of it."""
    return f"{names[c.subject_id]} {c.relation} {names[c.object_id]}"


def _sentences(c: Conclusion, names: Mapping[str, str]) -> set[str]:
    return {sentence or _plain(c, names) for sentence in c.sentences}


def _key(row: Conclusion | Edge, recorded: Interval, now: datetime) -> tuple[Content, Interval]:
    return content(row), Interval(max(recorded.start, now), recorded.end)


def _edge(c: Conclusion, recorded: Interval, group_id: str, names: Mapping[str, str]) -> Edge:
    return Edge(
        id=_id(c, recorded, group_id),
        group_id=group_id,
        subject_id=c.subject_id,
        relation=c.relation,
        object_id=c.object_id,
        subject=names[c.subject_id],
        object=names[c.object_id],
        fact=c.fact or _plain(c, names),
        valid=c.valid,
        start_precision=c.start_precision,
        end_precision=c.end_precision,
        contested=c.contested,
        recorded=recorded,
    )


def _id(c: Conclusion, recorded: Interval, group_id: str) -> str:
    instants = (c.valid.start, c.valid.end, recorded.start, recorded.end)
    ends = (group_id, c.subject_id, c.relation, c.object_id, c.fact)
    parts = (*ends, *map(to_micros, instants), c.start_precision, c.end_precision, c.contested)
    return "ed_" + hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]
