"""From the statements of one slot to what holds when: the engine's one rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from graphmem.catalog import Catalog
from graphmem.conclude.derivation import Derived, derive
from graphmem.conclude.placement import Piece
from graphmem.conclude.precisions import finest, occurrence_bounds
from graphmem.conclude.slot import Slot
from graphmem.conclude.span import Span, without
from graphmem.conclude.statement import Statement, Value
from graphmem.model import Assertion, Edge, Ruling
from graphmem.temporal import FOREVER, Interval, Precision


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What an edge row will say, transaction time apart.

    Attributes:
        fact: The sentence of the highest tier, then the latest said, among the evidence; empty if
            that is of an event: it says what happened, not what has held since.
        contested: It is claimed, but a higher tier or a word of the same instant stands against it.
        evidence: Ids of the assertions that support it, sorted.
        sentences: Every sentence of the evidence, once each, sorted.
    """

    subject_id: str
    relation: str
    object_id: str
    fact: str
    valid: Interval
    start_precision: Precision
    end_precision: Precision
    contested: bool
    evidence: tuple[str, ...]
    sentences: tuple[str, ...]


class Content(NamedTuple):
    """What makes two rows say the same: all but the sentence and the evidence."""

    subject_id: str
    relation: str
    object_id: str
    valid: Interval
    start_precision: Precision
    end_precision: Precision
    contested: bool


def conclude(
    assertions: Iterable[Assertion],
    rulings: Iterable[Ruling],
    catalog: Catalog,
    slot: Slot,
    *,
    at: datetime,
) -> list[Conclusion]:
    """Return what follows from one slot's statements, as decided at one instant.

    A pure function; the order of the rows given does not matter.

    Args:
        assertions: All current ones of the slot, as ``gather`` hands them out: its relations, and
            events that begin or end them.
        rulings: Those about the assertions or their episodes; others do no harm.
        catalog: The group's relations.
        slot: Whose statements these are.
        at: Transaction time: what has expired by then concludes nothing, but still stops others.

    Returns:
        By subject, relation, object, valid start. Of rivals, at most one is uncontested at any
        instant.
    """
    return _conclusions(derive(assertions, rulings, catalog, slot), at)


def timeline(
    assertions: Iterable[Assertion],
    rulings: Iterable[Ruling],
    catalog: Catalog,
    slot: Slot,
    *,
    now: datetime,
) -> list[tuple[Interval, Conclusion]]:
    """Return what follows from ``now`` on, each conclusion with its transaction time.

    What follows changes only where a statement expires; what stays the same is not split there, and
    shows a sentence that lasts as long. By start of transaction time, then as ``conclude``.
    Arguments as there.
    """
    rows = list(assertions)
    derived = derive(rows, rulings, catalog, slot)
    expiries = {a.expires_at for a in rows if a.expires_at is not None and a.expires_at > now}
    if not expiries:
        held = Interval(now, FOREVER)
        return [(held, conclusion) for conclusion in _conclusions(derived, now)]
    running: dict[Content, tuple[datetime, Conclusion]] = {}
    ended: list[tuple[Interval, Conclusion]] = []
    for at in (now, *sorted(expiries)):
        found = {content(c): c for c in _conclusions(derived, at)}
        for gone in running.keys() - found.keys():
            start, conclusion = running.pop(gone)
            ended.append((Interval(start, at), conclusion))
        for key, c in found.items():
            start, before = running.get(key, (at, c))
            running[key] = (start, replace(c, evidence=before.evidence))
    ended += ((Interval(start, FOREVER), conclusion) for start, conclusion in running.values())
    return sorted(ended, key=lambda row: (row[0].start, content(row[1])))


def content(row: Conclusion | Edge) -> Content:
    """Return what makes two rows say the same."""
    return Content(
        row.subject_id,
        row.relation,
        row.object_id,
        row.valid,
        row.start_precision,
        row.end_precision,
        row.contested,
    )


class _Stretch(NamedTuple):
    value: Value
    span: Span
    contested: bool
    statements: list[Statement]


def _conclusions(derived: Iterable[Derived], at: datetime) -> list[Conclusion]:
    conclusions: list[Conclusion] = []
    for part in derived:
        pieces = [piece for piece in part.pieces if not _expired(piece, at)]
        stretches = _joined(pieces) if part.joined else _equal(pieces)
        conclusions += (_conclusion(stretch, part) for stretch in stretches)
    return sorted(conclusions, key=content)


def _expired(piece: Piece, at: datetime) -> bool:
    expires_at = piece.statement.assertion.expires_at
    return expires_at is not None and expires_at <= at


def _equal(pieces: Iterable[Piece]) -> list[_Stretch]:
    stretches: dict[tuple[Value, Span], _Stretch] = {}
    for piece in pieces:
        value, span = piece.statement.value, (piece.start, piece.end)
        stretch = stretches.setdefault((value, span), _Stretch(value, span, False, []))
        stretch.statements.append(piece.statement)
    return list(stretches.values())


def _joined(pieces: Iterable[Piece]) -> list[_Stretch]:
    held: dict[Value, list[Piece]] = {}
    claimed: dict[Value, list[Piece]] = {}
    for piece in pieces:
        side = claimed if piece.contested else held
        side.setdefault(piece.statement.value, []).append(piece)
    stretches = [s for value, own in held.items() for s in _runs(value, own)]
    spans: dict[Value, list[Span]] = {}
    for stretch in stretches:
        spans.setdefault(stretch.value, []).append(stretch.span)
    for value, own in claimed.items():
        free = [
            piece._replace(start=start, end=end)
            for piece in own
            for start, end in without([(piece.start, piece.end)], spans.get(value, ()))
        ]
        stretches += _runs(value, free)
    return stretches


def _runs(value: Value, pieces: Iterable[Piece]) -> list[_Stretch]:
    """Join pieces that touch or overlap."""
    runs: list[_Stretch] = []
    for piece in sorted(pieces, key=lambda piece: piece.start):
        if runs and piece.start <= runs[-1].span[1]:
            run = runs[-1]
            run.statements.append(piece.statement)
            runs[-1] = run._replace(span=(run.span[0], max(run.span[1], piece.end)))
        else:
            span = (piece.start, piece.end)
            runs.append(_Stretch(value, span, piece.contested, [piece.statement]))
    return runs


def _sentence(s: Statement) -> str:
    return s.assertion.fact if s.assertion.relation == s.value.relation else ""


def _conclusion(stretch: _Stretch, derived: Derived) -> Conclusion:
    value, (start, end) = stretch.value, stretch.span
    assert value.object_id is not None, "only ends and denials leave the object open"
    told = stretch.statements
    tier = min(s.tier for s in told)
    shown = max((s for s in told if s.tier == tier), key=lambda s: s.order)
    precisions = (
        derived.precisions if derived.joined else finest(occurrence_bounds(told, start, end))
    )
    return Conclusion(
        subject_id=value.subject_id,
        relation=value.relation,
        object_id=value.object_id,
        fact=_sentence(shown),
        valid=Interval(start, end),
        start_precision=precisions.get(start, Precision.INSTANT),
        end_precision=precisions.get(end, Precision.INSTANT),
        contested=stretch.contested,
        evidence=tuple(sorted({s.assertion.id for s in told})),
        sentences=tuple(sorted({_sentence(s) for s in told})),
    )
