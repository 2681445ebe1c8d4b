"""Time: half-open intervals, precision, and the point in both times that a read is made at."""

from graphmem.temporal.interval import ALWAYS, FOREVER, Interval, from_micros, to_micros
from graphmem.temporal.point import (
    UNKNOWN,
    AsOf,
    AsOfLike,
    Moment,
    Unknown,
    as_of,
    parse_instant,
    utc,
)
from graphmem.temporal.precision import Precision

__all__ = [
    "ALWAYS",
    "FOREVER",
    "UNKNOWN",
    "AsOf",
    "AsOfLike",
    "Interval",
    "Moment",
    "Precision",
    "Unknown",
    "as_of",
    "from_micros",
    "parse_instant",
    "to_micros",
    "utc",
]
