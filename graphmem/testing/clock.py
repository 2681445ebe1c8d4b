"""A clock that tests set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from graphmem.temporal import utc

_START = datetime(2024, 1, 1, tzinfo=UTC)


class FakeClock:
    """Tells ``now`` and then moves it on by ``step``; a test may set ``now`` to any time.

    A ``step`` of zero stands still, a negative one goes back.

    Raises:
        InvalidInput: ``start`` has no time zone.
    """

    def __init__(self, start: datetime = _START, *, step: timedelta = timedelta(seconds=1)) -> None:
        self.now = utc(start, what="start")
        self.step = step

    def __call__(self) -> datetime:
        """Return the present, UTC, and move on."""
        now = self.now
        self.now = now + self.step
        return now
