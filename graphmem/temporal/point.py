"""Instants as people write them, and the point in both times that a read is made at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Final, NamedTuple

from graphmem.errors import InvalidInput
from graphmem.temporal.precision import Precision


class Unknown(Enum):
    """The type of ``UNKNOWN``: the time exists but nobody told it (leaving it out means now)."""

    UNKNOWN = "unknown"


UNKNOWN: Final = Unknown.UNKNOWN


class Moment(NamedTuple):
    """An instant and how exactly it is known."""

    instant: datetime
    precision: Precision


_DATE = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?")


def utc(instant: datetime, *, what: str = "time") -> datetime:
    """Return ``instant`` in UTC.

    Raises:
        InvalidInput: It has no time zone; ``what`` names it in the message.
    """
    if instant.tzinfo is None or instant.utcoffset() is None:
        raise InvalidInput(
            f"{what} {instant.isoformat()!r} has no time zone; "
            "add one, for example datetime(..., tzinfo=UTC) or a trailing 'Z'"
        )
    try:
        return instant.astimezone(UTC)
    except OverflowError as error:
        raise InvalidInput(f"{what} {instant.isoformat()!r} is outside years 1 to 9999") from error


def parse_instant(text: str, *, what: str = "time") -> Moment:
    """Read ``2024``, ``2024-03``, ``2024-03-05`` or an ISO 8601 time with a zone.

    A coarse date stands at its earliest instant, UTC.

    Raises:
        InvalidInput: Not such a time, a time of day without a zone, or a year before 1.
    """
    stripped = text.strip()
    if match := _DATE.fullmatch(stripped):
        return _coarse(match, text, what)
    try:
        instant = datetime.fromisoformat(stripped)
    except ValueError as error:
        raise InvalidInput(
            f"cannot read {what} {text!r}; write 2024, 2024-03, 2024-03-05 or 2024-03-05T10:00:00Z"
        ) from error
    return Moment(utc(instant, what=what), Precision.INSTANT)


def _coarse(match: re.Match[str], text: str, what: str) -> Moment:
    year, month, day = (match["year"], match["month"], match["day"])
    precision = Precision.DAY if day else Precision.MONTH if month else Precision.YEAR
    try:
        instant = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
    except ValueError as error:
        raise InvalidInput(f"cannot read {what} {text!r}: {error}") from error
    return Moment(instant, precision)


@dataclass(frozen=True, slots=True)
class AsOf:
    """The point that a read is made at; a part left out is filled in by the read.

    Attributes:
        valid: When the fact held in the world. None: now, or ``recorded`` if that is given.
        recorded: What the store believed then. None: best known.
    """

    valid: datetime | None = None
    recorded: datetime | None = None

    def __post_init__(self) -> None:
        for name in ("valid", "recorded"):
            instant = getattr(self, name)
            if instant is not None:
                object.__setattr__(self, name, utc(instant, what=f"as_of.{name}"))

    def at(self, now: datetime) -> tuple[datetime, datetime]:
        """Return ``(valid, recorded)`` with what was left out filled in from ``now``."""
        return self.valid or self.recorded or now, self.recorded or now


AsOfLike = AsOf | datetime | str | None
"""What reads take as ``as_of``: a bare time means valid time; text as in ``parse_instant``."""


def as_of(given: AsOfLike) -> AsOf:
    """Return ``given`` as an ``AsOf``.

    Raises:
        InvalidInput: A time without a zone, or text that is no time.
    """
    if given is None:
        return AsOf()
    if isinstance(given, AsOf):
        return given
    if isinstance(given, str):
        return AsOf(valid=parse_instant(given, what="as_of").instant)
    return AsOf(valid=given)
