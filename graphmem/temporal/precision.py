"""How exactly a bound is known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum

from graphmem.temporal.interval import FOREVER


class Precision(StrEnum):
    """How exactly a bound is known: it stands at the earliest instant of this unit."""

    INSTANT = "instant"
    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    UNKNOWN = "unknown"

    def floor(self, instant: datetime) -> datetime:
        """Return the first instant of the unit that ``instant`` lies in (UTC units)."""
        match self:
            case Precision.YEAR:
                return instant.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
            case Precision.MONTH:
                return instant.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
            case Precision.DAY:
                return instant.replace(hour=0, minute=0, second=0, microsecond=0)
            case Precision.MINUTE:
                return instant.replace(second=0, microsecond=0)
            case Precision.INSTANT | Precision.UNKNOWN:
                return instant

    def end(self, instant: datetime) -> datetime:
        """Return the first instant after the unit that ``instant`` lies in.

        An instant's unit is one microsecond. Never later than ``FOREVER``.
        """
        start = self.floor(instant)
        try:
            return min(_after(self, start), FOREVER)
        except (ValueError, OverflowError):
            return FOREVER

    def text(self, instant: datetime) -> str:
        """Return ``instant`` in UTC as exactly as it is known: ``2025``, ``2025-05-19``.

        Minutes and instants get a time of day and a ``Z``; of unknown precision, the day.
        """
        at = instant.astimezone(UTC)
        day = at.date().isoformat()
        match self:
            case Precision.YEAR:
                return day[:4]
            case Precision.MONTH:
                return day[:7]
            case Precision.DAY | Precision.UNKNOWN:
                return day
            case Precision.MINUTE:
                return f"{day}T{at:%H:%M}Z"
            case Precision.INSTANT:
                return at.replace(tzinfo=None).isoformat() + "Z"


_STEPS = {
    Precision.INSTANT: timedelta(microseconds=1),
    Precision.UNKNOWN: timedelta(microseconds=1),
    Precision.MINUTE: timedelta(minutes=1),
    Precision.DAY: timedelta(days=1),
}


def _after(precision: Precision, start: datetime) -> datetime:
    if precision is Precision.YEAR:
        return start.replace(year=start.year + 1)
    if precision is Precision.MONTH:
        years, month = divmod(start.month, 12)
        return start.replace(year=start.year + years, month=month + 1)
    return start + _STEPS[precision]
