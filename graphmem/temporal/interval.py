"""Half-open spans of time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphmem.errors import InvalidInterval

ALWAYS = datetime(1, 1, 1, tzinfo=UTC)
"""Start of an interval that has no known start."""
FOREVER = datetime(9999, 12, 31, tzinfo=UTC)
"""End of an interval without a known end; ``datetime.max`` would overflow in eastern zones."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(instant: datetime) -> int:
    """Return whole microseconds since 1970-01-01T00:00Z; exact for every datetime."""
    return (instant - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the UTC datetime ``micros`` microseconds after 1970-01-01T00:00Z."""
    return _EPOCH + timedelta(microseconds=micros)


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A half-open span of time ``[start, end)``. Source: SQL:2011 periods.

    Raises:
        InvalidInterval: A bound has no time zone, or ``end`` is not after ``start``.
    """

    start: datetime
    end: datetime = FOREVER

    def __post_init__(self) -> None:
        if self.start.tzinfo is None or self.end.tzinfo is None:
            raise InvalidInterval(f"naive bound in [{self.start}, {self.end}); add a time zone")
        if self.end <= self.start:
            raise InvalidInterval(f"empty or backwards: [{self.start}, {self.end})")

    def contains(self, instant: datetime) -> bool:
        """Tell whether ``instant`` lies inside; ``end`` itself does not."""
        return self.start <= instant < self.end

    def overlaps(self, other: Interval) -> bool:
        """Tell whether the two share an instant; touching ends do not."""
        return self.start < other.end and other.start < self.end

    def __sub__(self, other: Interval) -> list[Interval]:
        """Return what is left after removing ``other``: 0, 1 or 2 intervals, in order."""
        if not self.overlaps(other):
            return [self]
        before = [Interval(self.start, other.start)] if self.start < other.start else []
        after = [Interval(other.end, self.end)] if other.end < self.end else []
        return before + after
