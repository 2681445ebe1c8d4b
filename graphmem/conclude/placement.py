"""Step 2: each statement takes what is free of the time that it covers, the last word first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from graphmem.conclude.correction import Lanes, Naming, Standing
from graphmem.conclude.lane import Lane, Taken
from graphmem.conclude.span import Span, shared, without
from graphmem.conclude.statement import Statement, Value
from graphmem.model import AssertionKind
from graphmem.temporal import ALWAYS

_Starts: TypeAlias = dict[Hashable, list[tuple[datetime, Statement]]]
"""First instants by lane, in order of time."""


class Piece(NamedTuple):
    """What a statement got, or, contested, claims in vain."""

    statement: Statement
    start: datetime
    end: datetime
    contested: bool


def place(standings: Sequence[Standing], ends: Naming, lanes: Lanes) -> list[Piece]:
    """Return who holds when, tier by tier, within a tier the last word first.

    Args:
        standings: Corrected affirmations.
        ends: The statements that tell an end.
        lanes: Where a value needs to be alone.

    Returns:
        Pieces in no particular order; those of one value may overlap, uncontested ones of rivals
        never do.
    """
    board = _Board(standings, ends, lanes)
    pieces: list[Piece] = []
    for tier in sorted({each.statement.tier for each in standings}):
        words = [each for each in standings if each.statement.tier == tier]
        words.sort(key=lambda each: each.statement.order, reverse=True)
        reaching: list[tuple[Standing, datetime]] = []
        for each in words:
            got = board.put(each)
            pieces += got
            held = [piece.start for piece in got if not piece.contested]
            if each.statement.until and held:
                reaching.append((each, min(held)))
        for each, start in reaching:
            pieces += board.reach_back(each, start)
    return pieces


def _rivals(one: Value, other: Value, lanes: Lanes) -> bool:
    return one != other and not set(lanes(one)).isdisjoint(lanes(other))


class _Board:
    """What has been taken so far, and what lies ahead."""

    def __init__(self, standings: Sequence[Standing], ends: Naming, lanes: Lanes) -> None:
        self._lanes_of = lanes
        self._ends = ends
        self._lanes: dict[Hashable, Lane] = {}
        self._told: dict[tuple[Value, bool], list[tuple[datetime, int]]] = {}
        self._at_once: dict[tuple[datetime, int], list[tuple[Value, list[Span]]]] = {}
        self._starts: _Starts = {}
        self._planned: _Starts = {}
        for each in sorted(standings, key=lambda each: each.first):
            s = each.statement
            for lane in lanes(s.value):
                self._lanes.setdefault(lane, Lane())
                if s.start is not None:
                    self._planned.setdefault(lane, []).append((each.first, s))
                if s.start is not None or s.said is not None:
                    self._starts.setdefault(lane, []).append((each.first, s))

    def put(self, each: Standing) -> list[Piece]:
        """Take what is free of what a statement covers."""
        s, lanes = each.statement, self._lanes_for(each.statement.value)
        explicit = each.explicit
        taken = [t for lane in lanes for span in explicit for t in lane.rivals(s.value, span)]
        own = without(explicit, [(t.start, t.end) for t in taken]) if taken else explicit
        contested = self._contested(each, without(explicit, own), taken) if taken else []
        got = _touching(own + self._presumed(each, own, lanes))
        self._take(s, got, lanes)
        if got and s.said is not None:
            self._at_once.setdefault((s.said, s.tier), []).append((s.value, got))
        pieces = [Piece(s, start, end, False) for start, end in got]
        return pieces + [Piece(s, start, end, True) for start, end in contested]

    def reach_back(self, each: Standing, start: datetime) -> list[Piece]:
        """Extend "until" to the nearest instant taken or denied, else to ALWAYS."""
        s, lanes = each.statement, self._lanes_for(each.statement.value)
        floor = max((min(end, start) for at, end in each.denied if at < start), default=ALWAYS)
        for lane in lanes:
            floor = lane.free_from(start, floor)
        if floor >= start:
            return []
        self._take(s, [(floor, start)], lanes)
        return [Piece(s, floor, start, False)]

    def _lanes_for(self, value: Value) -> list[Lane]:
        return [self._lanes[lane] for lane in self._lanes_of(value)]

    def _take(self, s: Statement, spans: Iterable[Span], lanes: Iterable[Lane]) -> None:
        for lane in lanes:
            for span in spans:
                lane.take(span, s.value, s.tier)

    def _presumed(self, each: Standing, own: Sequence[Span], lanes: Iterable[Lane]) -> list[Span]:
        undated = each.first == each.through
        if not each.presumed or not (undated or (own and own[-1][1] == each.through)):
            return []
        limit = self._next_end(each)
        for lane in lanes:
            limit = lane.next_rival(each.statement.value, each.through, limit)
        return _held(each, self._next_start(each, self._planned, limit))

    def _next_end(self, each: Standing) -> datetime:
        """Return the first end of the value from ``through`` on, told by its tier or a higher."""
        s = each.statement
        if not self._ends:
            return each.stop
        key = (s.value, s.said is None)
        if key not in self._told:
            self._told[key] = sorted(
                (end.end, end.tier)
                for end in self._ends(s.value)
                if end.end is not None and (s.said is None or not _is_undated_end(end))
            )
        told = self._told[key]
        for at in range(bisect_left(told, (each.through, -1)), len(told)):
            if told[at][1] <= s.tier:
                return min(told[at][0], each.stop)
        return each.stop

    def _next_start(self, each: Standing, starts: _Starts, limit: datetime) -> datetime:
        """Return the first start of a rival of its tier from ``through`` on, else ``limit``."""
        s = each.statement
        for lane in self._lanes_of(s.value):
            ahead = starts.get(lane, [])
            for at in range(bisect_left(ahead, each.through, key=_first), len(ahead)):
                first, rival = ahead[at]
                if first >= limit:
                    break
                if rival.value == s.value or rival.tier != s.tier:
                    continue
                if starts is self._starts or rival.order < s.order:
                    limit = first
        return limit

    def _contested(
        self, each: Standing, lost: Sequence[Span], taken: Iterable[Taken]
    ) -> list[Span]:
        """Return what it lost to a higher tier or to a word of the same instant."""
        s = each.statement
        winners = [(t.start, t.end) for t in taken if t.tier < s.tier]
        if s.said is not None:
            for value, spans in self._at_once.get((s.said, s.tier), ()):
                if _rivals(value, s.value, self._lanes_of):
                    winners += spans
        claimed = [part for span in lost for won in winners for part in shared(span, won)]
        if each.presumed and any(end == each.through for _, end in claimed):
            limit = self._next_start(each, self._starts, self._next_end(each))
            claimed += _held(each, limit)
        return claimed


def _touching(spans: Sequence[Span]) -> list[Span]:
    """Join the last explicit span with what is presumed right after it."""
    if len(spans) > 1 and spans[-2][1] == spans[-1][0]:
        return [*spans[:-2], (spans[-2][0], spans[-1][1])]
    return list(spans)


def _held(each: Standing, limit: datetime) -> list[Span]:
    return without([(each.through, limit)] if each.through < limit else (), each.denied)


def _is_undated_end(end: Statement) -> bool:
    return end.kind is AssertionKind.ENDS and end.said is None


def _first(start: tuple[datetime, Statement]) -> datetime:
    return start[0]
