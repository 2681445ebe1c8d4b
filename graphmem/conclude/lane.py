"""A stretch of time that one value at a time may hold."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import datetime
from typing import NamedTuple

from graphmem.conclude.span import Span, without
from graphmem.conclude.statement import Value


class Taken(NamedTuple):
    """A span that a value has taken, by a statement of this tier."""

    start: datetime
    end: datetime
    value: Value
    tier: int


class Lane:
    """What has been taken: disjoint spans in order, neighbours of one value and tier joined."""

    __slots__ = ("_starts", "_taken")

    def __init__(self) -> None:
        self._starts: list[datetime] = []
        self._taken: list[Taken] = []

    def rivals(self, value: Value, span: Span) -> list[Taken]:
        """Return in order what other values have taken that overlaps ``span``."""
        return [taken for taken in self._over(span) if taken.value != value]

    def next_rival(self, value: Value, at: datetime, limit: datetime) -> datetime:
        """Return the first instant from ``at`` on that a rival has taken, else ``limit``."""
        for place in range(self._place(at), len(self._taken)):
            taken = self._taken[place]
            if taken.start >= limit:
                break
            if taken.value != value and taken.end > at:
                return max(taken.start, at)
        return limit

    def free_from(self, at: datetime, floor: datetime) -> datetime:
        """Return the end of the last span taken before ``at``, by any value, else ``floor``."""
        place = bisect_left(self._starts, at)
        return max(floor, min(self._taken[place - 1].end, at)) if place else floor

    def take(self, span: Span, value: Value, tier: int) -> None:
        """Take what is still free of ``span``; the rest is the value's own already."""
        own = [(taken.start, taken.end) for taken in self._over(span)]
        for start, end in without([span], own):
            self._insert(Taken(start, end, value, tier))

    def _place(self, at: datetime) -> int:
        return max(0, bisect_right(self._starts, at) - 1)

    def _over(self, span: Span) -> list[Taken]:
        found: list[Taken] = []
        for place in range(self._place(span[0]), len(self._taken)):
            taken = self._taken[place]
            if taken.start >= span[1]:
                break
            if taken.end > span[0]:
                found.append(taken)
        return found

    def _insert(self, new: Taken) -> None:
        low = high = bisect_right(self._starts, new.start)
        if low and _joins(self._taken[low - 1], new):
            low -= 1
            new = Taken(self._taken[low].start, *new[1:])
        if high < len(self._taken) and _joins(new, self._taken[high]):
            new = Taken(new.start, self._taken[high].end, *new[2:])
            high += 1
        self._taken[low:high] = [new]
        self._starts[low:high] = [new.start]


def _joins(one: Taken, next: Taken) -> bool:
    return one.end == next.start and one.value == next.value and one.tier == next.tier
