"""Statements to rows: assertions, the edges that their slots conclude, and what links them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.conclude import Gathered, Reconciled, gather, reconcile, slots, timeline
from graphmem.errors import InvalidInput
from graphmem.index import text_hash
from graphmem.ingest.assertions import Reading, mentioned
from graphmem.ingest.meaning import meant_anew, reassigned
from graphmem.ingest.overlay import Overlay
from graphmem.ingest.resolve import Resolver
from graphmem.ingest.rulings import Decision
from graphmem.ingest.statement import Statement
from graphmem.ingest.vectors import Vectors
from graphmem.model import Assertion, Changes, Ruling
from graphmem.ports import SlotQuery, View

_NOTHING = Decision()


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a unit of work recorded.

    Attributes:
        changes: The rows.
        assertions: What the statements became, known ones included, in order.
        by_episode: Ids of an episode's assertions.
        opened: By episode, how many edge rows its statements' slots opened; likewise ``closed``.
        rejected: By episode, why a statement of it could not be used.
    """

    changes: Changes
    assertions: tuple[Assertion, ...]
    by_episode: Mapping[str, tuple[str, ...]]
    opened: Mapping[str, int]
    closed: Mapping[str, int]
    rejected: Mapping[str, str]


@dataclass(slots=True)
class _Tally:
    """Edge rows that a unit of work opens and closes, by the episodes that moved their slots."""

    opened: Counter[str] = field(default_factory=Counter[str])
    closed: Counter[str] = field(default_factory=Counter[str])

    def add(self, part: Reconciled, episode_ids: Iterable[str]) -> None:
        for id in episode_ids:
            self.opened[id] += len(part.edges)
            self.closed[id] += len(part.close_edges)


def record(
    view: View,
    group_id: str,
    statements: Sequence[Statement],
    closing: Sequence[Assertion],
    vectors: Vectors,
    *,
    decision: Decision = _NOTHING,
    strict: bool = False,
) -> Recorded:
    """Decide the rows that record statements and what their slots conclude now.

    Cost: the statements of the touched slots, in a handful of batched reads.

    Args:
        view: The store as it is.
        group_id: Whose.
        statements: New ones; one that is stored already changes nothing.
        closing: Assertions that leave; one that is stated again stays instead.
        vectors: Embeds new sentences.
        decision: What was decided about records that are there, recorded along.
        strict: A statement that cannot be used raises; else it is reported in ``rejected``.

    Raises:
        InvalidInput: A statement that cannot be used, if ``strict``.
    """
    wanted = [name for s in statements for name in mentioned(s)]
    catalog = decision.catalog or view.catalog()
    reading = Reading(group_id, view, catalog, Resolver(view, group_id, wanted))
    reading.resolver.learn(decision.entities)
    told, rejected = _assertions(reading, statements, strict=strict)
    known = view.assertions([a.id for a in told])
    told = _reassigned(reading, told, known)
    open_ids = {a.id for a in known.values() if _is_open(a, view)}
    new = [a for a in told if a.id not in open_ids]
    leaving = [a for a in closing if a.id not in {a.id for a in told}]
    tally = _Tally()
    edges = _edges(reading, new, leaving, decision, tally)
    facts = [edge.fact for edge in edges.edges] if vectors.wanted else []
    changes = Changes(
        entities=(*decision.entities, *reading.resolver.new),
        close_assertions=tuple(a.id for a in (*leaving, *decision.before)),
        assertions=(*new, *decision.after),
        rulings=decision.rulings,
        relations=decision.relations,
        close_edges=edges.close_edges,
        edges=edges.edges,
        evidence=edges.evidence,
        vectors=vectors.rows(view, facts),
        edge_vectors=tuple((e.id, text_hash(e.fact)) for e in edges.edges) if facts else (),
    )
    return Recorded(changes, tuple(told), _by_episode(told), tally.opened, tally.closed, rejected)


def _assertions(
    reading: Reading, statements: Sequence[Statement], *, strict: bool
) -> tuple[list[Assertion], dict[str, str]]:
    told: dict[str, Assertion] = {}
    rejected: dict[str, str] = {}
    for statement in statements:
        try:
            assertion = reading.assertion(statement)
            told.setdefault(assertion.id, assertion)
        except InvalidInput as error:
            if strict:
                raise
            rejected[statement.episode_id or ""] = str(error)
    return list(told.values()), rejected


def _reassigned(
    reading: Reading, told: list[Assertion], known: Mapping[str, Assertion]
) -> list[Assertion]:
    """Return statements with what was once decided about the same words: they may come again."""
    again = [a for a in told if a.id in known]
    moves = reassigned(reading.view.rulings([a.id for a in again])) if again else {}
    ends = {to for moved in moves.values() for to in moved.values()}
    merged = {**reading.view.merged(ends), **reading.resolver.merged} if moves else {}
    anew = {
        a.id: a
        for a in meant_anew(
            reading.view, [a for a in again if a.id in moves], reading.catalog, merged, moves
        )
    }
    return [anew.get(a.id, a) for a in told]


def _is_open(assertion: Assertion, view: View) -> bool:
    return assertion.recorded.end > view.stamp


def _by_episode(told: Iterable[Assertion]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for assertion in told:
        if assertion.episode_id is not None:
            found[assertion.episode_id].append(assertion.id)
    return {id: tuple(ids) for id, ids in found.items()}


def _edges(
    reading: Reading,
    new: Sequence[Assertion],
    leaving: Sequence[Assertion],
    decision: Decision,
    tally: _Tally,
) -> Reconciled:
    """Conclude every slot that the new, leaving and ruled statements touch."""
    view, catalog = reading.view, reading.catalog
    closing = (*leaving, *decision.before)
    moved = (*new, *closing, *decision.about, *decision.after)
    touched = {slot: None for a in moved for slot in slots(a, catalog)}
    overlay = Overlay(view, (*new, *decision.after), (a.id for a in closing))
    found = gather(touched, overlay.stated, view.concluded, catalog)
    rulings = _rulings(view, found, decision)
    ends = {id for g in found for a in g.assertions for id in (a.subject_id, a.object_id)}
    names = reading.resolver.names(id for id in ends if id is not None)
    known = view.evidence([edge.id for g in found for edge in g.edges])
    links = {id: {a.id for a in assertions} for id, assertions in known.items()}
    moving = {a.id: a.episode_id for a in moved if a.episode_id is not None}
    parts: list[Reconciled] = []
    for one in found:
        wanted = timeline(one.assertions, rulings, catalog, one.slot, now=view.stamp)
        part = reconcile(
            wanted, one.edges, links, group_id=reading.group_id, names=names, now=view.stamp
        )
        tally.add(part, {moving[a.id] for a in one.assertions if a.id in moving})
        parts.append(part)
    renamed = [SlotQuery((name,), None, None) for name in decision.renamed]
    gone = [edge.id for edge in (view.concluded(renamed) if renamed else ())]
    return Reconciled(
        tuple(dict.fromkeys([*(id for part in parts for id in part.close_edges), *gone])),
        tuple(edge for part in parts for edge in part.edges),
        tuple(link for part in parts for link in part.evidence),
    )


def _rulings(view: View, found: Sequence[Gathered], decision: Decision) -> list[Ruling]:
    about = {a.id for g in found for a in g.assertions}
    about |= {a.episode_id for g in found for a in g.assertions if a.episode_id is not None}
    stored = view.rulings(about) if about else []
    return [*stored, *decision.rulings]
