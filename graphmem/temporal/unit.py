"""Units of the calendar that time words name: a day, a week, a quarter, a year."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

from graphmem.temporal.precision import Precision

T = TypeVar("T")

Lean: TypeAlias = Literal["past", "future", "after"]
"""Which occurrence of "June" or "Friday" is meant; "after": one that starts after the anchor."""


class Unit(NamedTuple):
    """A named stretch ``[start, after)``; ``precision`` is the coarsest that starts there.

    A week or weekend has day precision, a quarter month precision, a decade year precision.
    """

    start: datetime
    precision: Precision
    after: datetime


@dataclass(frozen=True, slots=True)
class Fixed:
    """Words that mean the same whenever they are said."""

    unit: Unit

    def at(self, anchor: datetime | None, lean: Lean | None) -> Unit | None:
        """Return the unit."""
        del anchor, lean
        return self.unit


@dataclass(frozen=True, slots=True)
class Relative:
    """Words that count from the time they are said ("yesterday"); ``ahead``: only into the future.

    ``make`` may raise ValueError or OverflowError: outside years 1 to 9999.
    """

    make: Callable[[datetime], Unit | None]
    ahead: bool = False

    def at(self, anchor: datetime | None, lean: Lean | None) -> Unit | None:
        """Return the unit, or None without an anchor or with a contrary lean."""
        return None if anchor is None or (self.ahead and lean == "past") else self.make(anchor)


@dataclass(frozen=True, slots=True)
class Floating:
    """Words that name one of many ("June", "Friday"); ``candidates`` are those near the anchor."""

    candidates: Callable[[datetime], Iterable[Unit]]

    def at(self, anchor: datetime | None, lean: Lean | None) -> Unit | None:
        """Return the one meant, or None without an anchor."""
        return None if anchor is None else pick(self.candidates(anchor), anchor, lean)


Meaning: TypeAlias = Fixed | Relative | Floating

NOWHEN: Final = Relative(lambda anchor: None)
"""Names no time, and keeps parts of it from naming one ("31 June 2024")."""


@dataclass(frozen=True, slots=True)
class Named:
    """Words that name a unit, at ``[start, end)`` of a text.

    ``cued``: they name a time only after a preposition ("in May", but "May I").
    """

    start: int
    end: int
    meaning: Meaning
    cued: bool = False


def whole(precision: Precision, start: datetime) -> Unit:
    """Return the unit of ``precision`` that ``start`` lies in."""
    return Unit(precision.floor(start), precision, precision.end(start))


def day(year: int, month: int, date: int) -> Unit:
    """Return a day of the calendar (UTC). Raises ValueError when there is none."""
    return whole(Precision.DAY, datetime(year, month, date, tzinfo=UTC))


def months(year: int, month: int, count: int = 1) -> Unit:
    """Return ``count`` months; ``month`` may lie outside 1 to 12 and then carries into years."""
    first, after = (_month(year, month + offset) for offset in (0, count))
    return Unit(first, Precision.MONTH, after)


def years(year: int, count: int = 1) -> Unit:
    """Return ``count`` years."""
    first, after = (datetime(y, 1, 1, tzinfo=UTC) for y in (year, year + count))
    return Unit(first, Precision.YEAR, after)


def days(anchor: datetime, offset: int, count: int = 1) -> Unit:
    """Return ``count`` days, the first of them ``offset`` days after the anchor's day."""
    first = Precision.DAY.floor(anchor) + timedelta(days=offset)
    return Unit(first, Precision.DAY, first + timedelta(days=count))


def week(anchor: datetime, offset: int) -> Unit:
    """Return the week (from Monday) ``offset`` weeks after the anchor's."""
    return days(anchor, 7 * offset - anchor.weekday(), 7)


def shifted(anchor: datetime, count: int, scale: str) -> Unit:
    """Return the unit ``count`` (negative: back) minutes, hours, days, weeks, months or years on.

    Weeks move by days and keep day precision; hours move by minutes.
    """
    match scale:
        case "minute" | "hour":
            moved = anchor + timedelta(minutes=count * (60 if scale == "hour" else 1))
            return whole(Precision.MINUTE, moved)
        case "day" | "week":
            return days(anchor, count * (7 if scale == "week" else 1))
        case "month":
            return months(anchor.year, anchor.month + count)
        case _:
            return years(anchor.year + count)


def around(anchor: datetime, offset: int, scale: str) -> Unit:
    """Return the whole week, weekend, month, quarter or year ``offset`` units from the anchor's."""
    match scale:
        case "week":
            return week(anchor, offset)
        case "weekend":
            return days(week(anchor, offset).start, 5, 2)
        case "quarter":
            first = anchor.month - (anchor.month - 1) % 3
            return months(anchor.year, first + 3 * offset, 3)
        case _:
            return shifted(anchor, offset, scale)


def yearly(make: Callable[[int], Unit]) -> Floating:
    """Return what comes once a year ("June", "5 March", "Q3")."""
    return Floating(lambda anchor: _made(make, range(anchor.year - 8, anchor.year + 9)))


def weekly(weekday: int) -> Floating:
    """Return a bare weekday, 0 = Monday."""

    def candidates(anchor: datetime) -> list[Unit]:
        found = [days(anchor, offset) for offset in range(-7, 8)]
        return [unit for unit in found if unit.start.weekday() == weekday]

    return Floating(candidates)


def monthly(date: int) -> Floating:
    """Return a bare day of the month ("the 5th")."""

    def candidates(anchor: datetime) -> Iterable[Unit]:
        first = (months(anchor.year, anchor.month + offset).start for offset in range(-2, 3))
        return _made(lambda month: day(month.year, month.month, date), first)

    return Floating(candidates)


def pick(units: Iterable[Unit], anchor: datetime, lean: Lean | None) -> Unit | None:
    """Return the unit meant: the last begun, the first not over, or (no lean) the nearest.

    A tie goes to the earlier one.
    """
    if lean == "past":
        return max((unit for unit in units if unit.start <= anchor), default=None)
    if lean == "future":
        return min((unit for unit in units if unit.after > anchor), default=None)
    if lean == "after":
        return min((unit for unit in units if unit.start > anchor), default=None)
    today = Precision.DAY.floor(anchor)
    return min(units, key=lambda unit: (_gap(unit, today), unit.start), default=None)


def _gap(unit: Unit, today: datetime) -> timedelta:
    return timedelta(0) if unit.start <= today < unit.after else abs(unit.start - today)


def _made(make: Callable[[T], Unit], whens: Iterable[T]) -> Iterable[Unit]:
    for when in whens:
        try:
            yield make(when)
        except (ValueError, OverflowError):  # 29 February, or outside years 1 to 9999
            continue


def _month(year: int, month: int) -> datetime:
    carried, index = divmod(month - 1, 12)
    return datetime(year + carried, index + 1, 1, tzinfo=UTC)
