"""Archive readers: any source to turns, one file a format."""

from graphmem.ingest.readers.record import RawTurn, Read, Reader, Skipped
from graphmem.ingest.readers.registry import FORMATS, detect, named, read_source

__all__ = [
    "FORMATS",
    "RawTurn",
    "Read",
    "Reader",
    "Skipped",
    "detect",
    "named",
    "read_source",
]
