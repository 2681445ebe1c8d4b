"""A stretch of time that one value at a time may hold."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
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

    def rivals(self, value: Value, span: Span) -> Iterator[Taken]:
        """Yield in order what other values have taken of ``span``."""
        for taken in self._from(span[0]):
            if taken.start >= span[1]:
                return
            if taken.value != value:
                yield taken

    def next_rival(self, value: Value, at: datetime, limit: datetime) -> datetime:
        """Return the first instant from ``at`` on that a rival has taken, else ``limit``."""
        for taken in self._from(at):
            if taken.start >= limit:
                break
            if taken.value != value:
                return max(taken.start, at)
        return limit

    def free_from(self, at: datetime, floor: datetime) -> datetime:
        """Return the end of the last span taken before ``at``, by any value, else ``floor``."""
        place = bisect_left(self._starts, at)
        return max(floor, min(self._taken[place - 1].end, at)) if place else floor

    def take(self, span: Span, value: Value, tier: int) -> None:
        """Take what is still free of ``span``; the rest is the value's own already."""
        own = [(t.start, t.end) for t in self._from(span[0]) if t.start < span[1]]
        for start, end in without([span], own):
            self._insert(Taken(start, end, value, tier))

    def _from(self, at: datetime) -> Iterator[Taken]:
        place = max(0, bisect_right(self._starts, at) - 1)
        while place < len(self._taken):
            taken = self._taken[place]
            if taken.end > at:
                yield taken
            place += 1

    def _insert(self, new: Taken) -> None:
        place = bisect_right(self._starts, new.start)
        start, end = new.start, new.end
        low, high = place, place
        if low and _joins(self._taken[low - 1], new):
            low -= 1
            start = self._taken[low].start
        if high < len(self._taken) and _joins(new, self._taken[high]):
            end = self._taken[high].end
            high += 1
        self._taken[low:high] = [new._replace(start=start, end=end)]
        self._starts[low:high] = [start]


def _joins(one: Taken, next: Taken) -> bool:
    return one.end == next.start and one.value == next.value and one.tier == next.tier
