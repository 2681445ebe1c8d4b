"""Coarse bounds stand at their earliest instant, unless something was known to hold inside them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from graphmem.conclude.correction import Lanes, Standing, names
from graphmem.conclude.statement import MICROSECOND, Statement, Value, just_after


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
                after = min(just_after(s.said), each.stop)
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
    return end if end - s.start > MICROSECOND else None


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


def postponed(
    ends: Sequence[Statement], standings: Iterable[Standing], *, symmetric: bool
) -> list[Statement]:
    """Return ``ends`` with coarse ones moved to just after the last mention of what ended.

    "Left today" cannot have been before "at Acme" this morning. An end of any value is moved only
    if nothing had begun before it, and then after the value that began first.
    """
    coarse = {end.value for end in ends if _told_end(end) is not None}
    if not coarse:
        return list(ends)
    named: dict[Value, list[Standing]] = {}
    for each in standings:
        for name in names(each.statement.value, symmetric=symmetric):
            if name in coarse:
                named.setdefault(name, []).append(each)
    return [_postponed(end, named.get(end.value, ())) for end in ends]


def _told_end(end: Statement) -> datetime | None:
    """Return the end of the unit that a coarse end stands for, as far as it was past."""
    if end.end is None or end.said is None:
        return None
    limit = min(end.end_precision.end(end.end), end.said)
    return limit if limit - end.end > MICROSECOND else None


def _postponed(end: Statement, named: Iterable[Standing]) -> Statement:
    limit = _told_end(end)
    if limit is None or end.end is None:
        return end
    corrected = [each for each in named if each.statement.tier >= end.tier]
    if end.value.object_id is None and any(each.first < end.end for each in corrected):
        return end
    inside = [each for each in corrected if _is_mention(each) and end.end <= each.first < limit]
    inside.sort(key=lambda each: (each.first, each.statement.value))
    if not inside:
        return end
    held = list(takewhile(lambda each: each.statement.value == inside[0].statement.value, inside))
    return replace(end, end=just_after(held[-1].first))


def _is_mention(each: Standing) -> bool:
    s = each.statement
    return s.start is None and s.said is not None and not s.until
