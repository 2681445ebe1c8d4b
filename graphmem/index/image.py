"""The searchable image of one group: rows in memory, every filter a mask over row numbers."""

from __future__ import annotations

from graphmem.index.rows import Rows
from graphmem.ports import Candidate, SearchRequest


class Image:
    """What searches of one group read; always rebuildable from the group's rows.

    Not safe for threads: its store lets one thread at a time put or search. New rows are found at
    once. Erased words stay in memory until the image is dropped: build a new one after an erasure.
    """

    def put(self, rows: Rows) -> None:
        """Add rows; a known episode (id, version) or edge (id) takes the new row's times.

        Raises:
            InvalidInput: A vector of another dimension than those before.
        """

    def search(self, request: SearchRequest) -> list[Candidate]:
        """Return the union of what the channels found, with all features, by (id, kind)."""
        return []

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory it holds."""
        return 0

    def fingerprint(self) -> str:
        """Return a hash of what can be found: equal for images of the same rows, however fed."""
        return ""
