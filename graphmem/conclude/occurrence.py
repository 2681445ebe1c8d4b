"""What happens rather than holds, what it begins and ends, and what is so for good."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from datetime import datetime

from graphmem.catalog import Relation
from graphmem.conclude.correction import Lanes, Standing
from graphmem.conclude.placement import Piece
from graphmem.conclude.statement import Statement, Value, value_of
from graphmem.model import AssertionKind
from graphmem.temporal import ALWAYS, FOREVER, Precision


def happened(standings: Iterable[Standing]) -> list[Piece]:
    """Return one piece for each occurrence: [t, t + its precision), or what was stated.

    Without a stated time it happened by ``said``; undated, some time between ALWAYS and FOREVER.
    """
    return [
        Piece(each.statement, each.first, each.stop, False)
        for each in standings
        if each.first < each.stop and each.statement.value.object_id is not None
    ]


def fed(standings: Iterable[Standing], event: Relation, state: Relation) -> list[Statement]:
    """Return what an event's occurrences say about a state that it begins or ends.

    At the event's stated time with its precision; without one, like a mention when it was said,
    or an end then.
    """
    statements: list[Statement] = []
    for each in standings:
        begun, ended = _fed(each, state)
        if state.name in event.ends:
            statements.append(ended)
        if state.name in event.begins and begun.value.object_id is not None:
            statements.append(begun)
    return statements


def _fed(each: Standing, state: Relation) -> tuple[Statement, Statement]:
    s = each.statement
    value = value_of(state, s.assertion.subject_id, s.assertion.object_id)
    timed = s.start is not None or s.until
    at = each.first if timed else None
    precision = s.end_precision if s.until else s.start_precision
    begun = replace(
        s,
        value=value,
        start=at,
        start_precision=precision,
        end=None,
        end_precision=Precision.UNKNOWN,
    )
    ended = replace(
        begun,
        kind=AssertionKind.ENDS,
        start=None,
        end=at if timed else s.said,
        end_precision=precision,
    )
    return begun, ended


def lasting(standings: Iterable[Standing], lanes: Lanes) -> list[Piece]:
    """Return what is so for good: of rivals the last word, from its stated start or ALWAYS on."""
    words = sorted(standings, key=lambda each: each.statement.order, reverse=True)
    words.sort(key=lambda each: each.statement.tier)
    winners: dict[Hashable, Statement] = {}
    starts: dict[Value, datetime] = {}
    for each in words:
        if each.statement.start is not None:
            starts.setdefault(each.statement.value, each.statement.start)
    pieces: list[Piece] = []
    for s in (each.statement for each in words):
        start = starts.get(s.value, ALWAYS)
        won = [winners[lane] for lane in lanes(s.value) if lane in winners]
        rivals = [winner for winner in won if winner.value != s.value]
        if not rivals:
            winners.update(dict.fromkeys(lanes(s.value), s))
            pieces.append(Piece(s, start, FOREVER, False))
        elif any(_outdoes(winner, s) for winner in rivals):
            pieces.append(Piece(s, start, FOREVER, True))
    return pieces


def _outdoes(winner: Statement, s: Statement) -> bool:
    return winner.tier < s.tier or (s.said is not None and winner.said == s.said)
