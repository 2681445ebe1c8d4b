"""How exactly the bounds of what was concluded are known."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias

from graphmem.conclude.correction import Standing, rank
from graphmem.conclude.statement import Statement
from graphmem.model import AssertionKind
from graphmem.temporal import ALWAYS, FOREVER, Precision

Bound: TypeAlias = tuple[datetime, Precision]
"""An instant that was told, and how exactly."""


def finest(told: Iterable[Bound]) -> dict[datetime, Precision]:
    """Return the finest precision told of each instant; open ends are UNKNOWN."""
    known: dict[datetime, Precision] = {}
    for at, precision in told:
        if rank(precision) <= rank(known.get(at, Precision.UNKNOWN)):
            known[at] = precision
    return {**known, ALWAYS: Precision.UNKNOWN, FOREVER: Precision.UNKNOWN}


def bounds(statements: Iterable[Statement], standings: Iterable[Standing]) -> list[Bound]:
    """Return the bounds told by ends and denials, and by what stands."""
    told: list[Bound] = []
    for s in statements:
        if s.kind is not AssertionKind.AFFIRMS:
            told += [(s.start, s.start_precision)] if s.start else []
            told += [(s.end, s.end_precision)] if s.end else []
    for each in standings:
        until = each.statement.until
        told.append((each.first, each.stop_precision if until else each.statement.start_precision))
        told.append((each.stop, each.stop_precision))
    return told


def occurrence_bounds(
    statements: Iterable[Statement], start: datetime, end: datetime
) -> list[Bound]:
    """Return the bounds of one occurrence: without a stated end it ends with its own precision."""
    told: list[Bound] = []
    for s in statements:
        began = s.end_precision if s.until else s.start_precision
        told += [(start, began), (end, began if s.end is None else s.end_precision)]
    return told
