"""Times as archives write them."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from graphmem.errors import InvalidInput
from graphmem.temporal import Moment, Precision, parse_instant, utc


def read_time(text: str, *, what: str, timezone: tzinfo | None) -> Moment:
    """Read a date or time as ``parse_instant`` does; one without a zone is local to ``timezone``.

    A bare date keeps standing at its first instant in UTC.

    Raises:
        InvalidInput: Not such a time, or without a zone while ``timezone`` is None.
    """
    try:
        return parse_instant(text, what=what)
    except InvalidInput as error:
        local = _without_zone(text)
        if local is None:
            raise
        if timezone is None:
            raise InvalidInput(
                f"{what} {text!r} has no time zone; add one, or name the zone of the whole source: "
                "--timezone Europe/Berlin"
            ) from error
        return Moment(utc(local.replace(tzinfo=timezone), what=what), Precision.INSTANT)


def _without_zone(text: str) -> datetime | None:
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return read if read.tzinfo is None else None


def read_epoch(seconds: float, *, what: str) -> Moment:
    """Read seconds since 1970-01-01T00:00Z.

    Raises:
        InvalidInput: Outside years 1 to 9999, or not a number.
    """
    try:
        return Moment(datetime.fromtimestamp(seconds, UTC), Precision.INSTANT)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(
            f"{what} {seconds!r} is not in seconds since 1970 within years 1 to 9999"
        ) from error
