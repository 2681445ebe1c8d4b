"""Step 1: each affirmation is corrected by what was told later, or by a higher tier."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from graphmem.catalog import Relation, TemporalKind
from graphmem.conclude.span import Span, without
from graphmem.conclude.statement import MICROSECOND, Statement, Value, just_after
from graphmem.model import AssertionKind
from graphmem.temporal import ALWAYS, FOREVER, Precision

Lanes: TypeAlias = Callable[[Value], tuple[Hashable, ...]]
"""Where a value needs to be alone: two values are rivals if they share a lane."""

_FINENESS = {precision: place for place, precision in enumerate(Precision)}


def rank(precision: Precision) -> int:
    """Return 0 for the finest precision, more for coarser ones."""
    return _FINENESS[precision]


@dataclass(frozen=True, slots=True)
class Standing:
    """An affirmation as corrections left it.

    Attributes:
        first: First instant that it covers explicitly; ALWAYS if nothing was told.
        through: End of what it covers explicitly if nothing stops it; ``first`` if nothing is.
        presumed: A state without a stated end: it is presumed to hold from ``through`` on.
        stop: Where it ends at the latest, with its precision; FOREVER if nobody told.
        denied: Spans that it does not cover.
    """

    statement: Statement
    first: datetime
    through: datetime
    presumed: bool
    stop: datetime
    stop_precision: Precision
    denied: tuple[Span, ...]

    @property
    def explicit(self) -> list[Span]:
        """What it covers explicitly, denials left out."""
        end = min(self.through, self.stop)
        return without([(self.first, end)] if self.first < end else (), self.denied)


class Naming:
    """Finds the statements that name a value, or any value of its subject and relation."""

    def __init__(self, statements: Iterable[Statement], *, symmetric: bool) -> None:
        self._symmetric = symmetric
        self._by_value: dict[Value, list[Statement]] = {}
        for statement in statements:
            self._by_value.setdefault(statement.value, []).append(statement)

    def __bool__(self) -> bool:
        return bool(self._by_value)

    def __call__(self, value: Value) -> list[Statement]:
        """Return them in no particular order."""
        found = (self._by_value.get(name, ()) for name in names(value, symmetric=self._symmetric))
        return [statement for statements in found for statement in statements]


def names(value: Value, *, symmetric: bool) -> list[Value]:
    """Return how an end or a denial may name a value: itself, or any of its subject's."""
    found = [value, Value(value.subject_id, value.relation, None)]
    if symmetric and value.object_id not in (None, value.subject_id):
        found.append(Value(value.object_id, value.relation, None))
    return found


def standing(statements: Sequence[Statement], relation: Relation) -> list[Standing]:
    """Return the affirmations that are neither denied whole nor replaced by a newer plan.

    Args:
        statements: All of ``relation``, or of relations that exclude it.
        relation: A state or something permanent holds through the instant it was said; an event
            only happens.
    """
    symmetric = relation.symmetric
    stands = _happens if relation.temporal is TemporalKind.EVENT else _holds
    denials = Naming((s for s in statements if s.kind is AssertionKind.DENIES), symmetric=symmetric)
    affirmed = [stands(s) for s in statements if s.kind is AssertionKind.AFFIRMS]
    if denials:
        affirmed = [kept for each in affirmed if (kept := _undenied(each, denials)) is not None]
    plans: dict[Value, list[Statement]] = {}
    for each in affirmed:
        if _is_plan(each.statement):
            plans.setdefault(each.statement.value, []).append(each.statement)
    return [each for each in affirmed if not _moved(each.statement, plans)]


def _holds(s: Statement) -> Standing:
    first, stop = _first(s), s.end or FOREVER
    if s.end is not None:
        return Standing(s, first, stop, False, stop, s.end_precision, ())
    dated = s.said is not None or s.start is not None
    through = just_after(max(first, s.said or ALWAYS)) if dated else ALWAYS
    return Standing(s, first, through, True, stop, s.end_precision, ())


def _happens(s: Statement) -> Standing:
    first, stop = _first(s), s.end or FOREVER
    if s.end is None and (s.start is not None or s.said is not None):
        stop = s.start_precision.end(first)
    return Standing(s, first, stop, False, stop, s.end_precision, ())


def _first(s: Statement) -> datetime:
    if s.until and s.end is not None:
        return _unit_start(s.end, s.end_precision)
    return s.start or s.said or ALWAYS


def _unit_start(stop: datetime, precision: Precision) -> datetime:
    """Return the start of the last unit before ``stop``."""
    return precision.floor(stop - MICROSECOND) if stop > ALWAYS else ALWAYS


def _undenied(each: Standing, denials: Naming) -> Standing | None:
    s = each.statement
    told = [d for d in denials(s.value) if _corrects(d, s)]
    bounds = ((d.start or ALWAYS, d.end or FOREVER) for d in told)
    spans = tuple((start, end) for start, end in bounds if start < end)
    if not spans:
        return each
    left = replace(each, denied=spans)
    undated = each.first == each.through
    covered = without([(ALWAYS, each.stop)], spans) if undated else left.explicit
    return left if covered else None


def _corrects(other: Statement, s: Statement) -> bool:
    if other.said is None and s.said is not None:
        return False
    if other.tier == s.tier:
        return other.told_after(s)
    return other.tier < s.tier


def _is_plan(s: Statement) -> bool:
    return s.start is not None and s.said is not None and s.start > s.said


def _moved(s: Statement, plans: dict[Value, list[Statement]]) -> bool:
    return _is_plan(s) and any(
        newer.tier == s.tier and newer.told_after(s) and _before(newer.said, s.start)
        for newer in plans[s.value]
    )


def _before(one: datetime | None, other: datetime | None) -> bool:
    return one is not None and other is not None and one < other


def ended(standings: Sequence[Standing], ends: Naming, lanes: Lanes) -> list[Standing]:
    """Shorten what ended, and drop mere mentions that belong to an ended stint.

    Args:
        standings: What stands after ``standing``.
        ends: The statements that tell an end: ``ends``, and ``standings`` with a stated end.
        lanes: Where a value needs to be alone.
    """
    if not ends:
        return list(standings)
    stints = _Stints(standings, lanes)
    kept: list[Standing] = []
    for each in standings:
        told = [e for e in ends(each.statement.value) if _is_corrected(each.statement, e)]
        if told and any(stints.over(each, e) for e in _gone_by(each, told)):
            continue
        kept.append(_shortened(each, told) if told else each)
    return kept


def _is_corrected(s: Statement, end: Statement) -> bool:
    return end is not s and _corrects(end, s)


def _shortened(each: Standing, told: Iterable[Statement]) -> Standing:
    stop, precision = each.stop, each.stop_precision
    for end in told:
        at = _ends_at(each, end)
        if at is not None and (at, rank(end.end_precision)) < (stop, rank(precision)):
            stop, precision = at, end.end_precision
    if stop == each.stop:
        return each
    first = _unit_start(stop, precision) if each.statement.until else each.first
    return replace(each, first=first, stop=stop, stop_precision=precision)


def _ends_at(each: Standing, end: Statement) -> datetime | None:
    """Return where ``end`` stops a standing, or None if that began only then or later."""
    s = each.statement
    if end.end is None:
        return each.through
    # Nobody said since when "until June" had been so: any end told later lies after its start.
    began = ALWAYS if s.until and end.told_after(s) else each.first
    return end.end if began < end.end else None


def _gone_by(each: Standing, told: Iterable[Statement]) -> list[Statement]:
    """Return the ends told after a mere mention that lie at or before it: the last of each kind.

    A later end leaves less room for a reason to keep the mention, so one of each kind will do.
    """
    s = each.statement
    if s.start is not None or s.until or s.said is None:
        return []
    last: dict[bool, Statement] = {}
    for end in told:
        if end.end is not None and end.end <= s.said and end.told_after(s):
            known = last.get(end.value.object_id is None)
            if known is None or known.end is None or known.end < end.end:
                last[end.value.object_id is None] = end
    return list(last.values())


class _Stints:
    """Tells whether a mention belongs to a stint that had ended."""

    def __init__(self, standings: Sequence[Standing], lanes: Lanes) -> None:
        self._lanes = lanes
        self._standings = standings
        self._starts: dict[Hashable, list[tuple[datetime, int, Standing]]] = {}
        self._first: dict[tuple[Value, int], datetime] = {}

    def over(self, mention: Standing, end: Statement) -> bool:
        if not self._starts:
            self._index()
        if end.end is None or self._renewed(mention, end.end):
            return False
        return end.value.object_id is not None or self._began(mention.statement) <= end.end

    def _index(self) -> None:
        for place, each in enumerate(self._standings):
            key = (each.statement.value, each.statement.tier)
            self._first[key] = min(each.first, self._first.get(key, FOREVER))
            for lane in self._lanes(each.statement.value):
                self._starts.setdefault(lane, []).append((each.first, place, each))
        for starts in self._starts.values():
            starts.sort(key=lambda start: start[:2])

    def _began(self, s: Statement) -> datetime:
        return min(self._first.get((s.value, tier), FOREVER) for tier in range(s.tier + 1))

    def _renewed(self, mention: Standing, ended: datetime) -> bool:
        """Tell whether a rival, or the value with a stated start, starts between the two."""
        s = mention.statement
        for lane in self._lanes(s.value):
            starts = self._starts[lane]
            for at in range(bisect_left(starts, ended, key=_instant), len(starts)):
                first, _, each = starts[at]
                if first > mention.first:
                    break
                other = each.statement
                if other.tier <= s.tier and (other.value != s.value or other.start is not None):
                    return True
        return False


def _instant(start: tuple[datetime, int, Standing]) -> datetime:
    return start[0]
