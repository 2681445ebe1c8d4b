"""A coarse start is moved to just after the last rival known to hold inside it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.conclude.correction import Lanes, Standing
from graphmem.conclude.statement import MICROSECOND


def settled(standings: Sequence[Standing], lanes: Lanes) -> list[Standing]:
    """Return the standings with coarse starts moved: "joined this year", after "at Beta" in June.

    A rival was known to hold when it was said without a stated start, or until its stated end if
    that came first. Only what was said before counts, by the same tier or a higher one.
    """
    if all(_unit_end(each) is None for each in standings):
        return list(standings)
    known: dict[Hashable, list[tuple[datetime, Standing]]] = {}
    for each in standings:
        s = each.statement
        if s.start is None and s.said is not None:
            for lane in lanes(s.value):
                after = min(s.said + MICROSECOND, each.stop)
                known.setdefault(lane, []).append((after, each))
    for witnesses in known.values():
        witnesses.sort(key=_after)
    return [_moved(each, known, lanes) for each in standings]


def _unit_end(each: Standing) -> datetime | None:
    """Return the end of the unit that a coarse stated start stands for, as far as it was past."""
    s = each.statement
    if s.start is None or s.said is None:
        return None
    end = min(s.start_precision.end(s.start), s.said)
    return end if end > s.start + MICROSECOND else None


def _moved(
    each: Standing, known: dict[Hashable, list[tuple[datetime, Standing]]], lanes: Lanes
) -> Standing:
    end = _unit_end(each)
    if end is None:
        return each
    s, first = each.statement, each.first
    for lane in lanes(s.value):
        witnesses = known.get(lane, [])
        for at in range(bisect_right(witnesses, end, key=_after) - 1, -1, -1):
            after, rival = witnesses[at]
            if after <= first:
                break
            if rival.statement.value != s.value and rival.statement.tier <= s.tier:
                first = after
    return replace(each, first=first) if each.first < first < each.stop else each


def _after(witness: tuple[datetime, Standing]) -> datetime:
    return witness[0]
