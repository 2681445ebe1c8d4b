"""Which rows a request may see, kept as long as neither rows nor answer change."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from graphmem.index.postings import Believed


class Seen:
    """The rows of a table that a request believes, and those of them that it sees.

    Attributes:
        believed: The rows current at the request's transaction time.
        seen: Flags of those that pass every other filter as well.
        slots: The slot of each row's vector, -1 without.
    """

    def __init__(
        self, believed: Believed, seen: NDArray[np.bool_], slots: NDArray[np.int64]
    ) -> None:
        self.believed, self.seen, self.slots = believed, seen, slots

    @cached_property
    def embedded(self) -> NDArray[np.intp]:
        """Seen rows that have a vector, in order."""
        return (self.seen & (self.slots >= 0)).nonzero()[0]


class Kept:
    """The last answer to requests of the same filters, until an instant passes a row's bound."""

    def __init__(self) -> None:
        self._filters: Hashable = None
        self._spans: list[tuple[int, int]] = []
        self._seen: Seen | None = None

    def drop(self) -> None:
        """Forget the answer: a row has changed."""
        self._seen = None

    def get(self, filters: Hashable, *instants: int) -> Seen | None:
        """Return the answer that was kept, None if it may differ now."""
        if self._seen is None or filters != self._filters:
            return None
        held = zip(self._spans, instants, strict=True)
        return self._seen if all(low <= at < high for (low, high), at in held) else None

    def put(
        self, seen: Seen, filters: Hashable, *bounded: tuple[int, tuple[NDArray[np.int64], ...]]
    ) -> None:
        """Keep an answer.

        Args:
            seen: The answer.
            filters: What else than instants it depends on.
            bounded: The instants it was made for; each with columns of the instants from which on
                it is another.
        """
        self._seen, self._filters = seen, filters
        self._spans = [_steady(at, columns) for at, columns in bounded]


def _steady(at: int, columns: tuple[NDArray[np.int64], ...]) -> tuple[int, int]:
    """Return the greatest bound up to an instant, and the least one after it."""
    limits = np.iinfo(np.int64)
    bounds = np.concatenate([*columns, np.array([limits.min, limits.max])])
    return int(bounds[bounds <= at].max()), int(bounds[bounds > at].min())
