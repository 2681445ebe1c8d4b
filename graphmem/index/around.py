"""What stands around a turn in its thread, among the turns that a request may see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.index.bm25 import Bm25
from graphmem.index.postings import Matches


@dataclass(frozen=True, slots=True)
class Around:
    """The seen turns around some turns.

    Attributes:
        rows: One line a turn; its columns are the rows from ``reach`` before it to as many after.
        inside: Which of them exist: seen, and in the same thread.
    """

    rows: NDArray[np.intp]
    inside: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        turns: NDArray[np.intp],
        order: NDArray[np.intp],
        threads: NDArray[np.int64],
        seen: NDArray[np.bool_],
        *,
        reach: int,
    ) -> Around:
        """Look around ``turns``; ``order`` holds all rows in thread order."""
        visible = order[seen[order]]
        places = np.zeros(len(seen), np.intp)
        places[visible] = np.arange(len(visible))
        at = places[turns][:, None] + np.arange(-reach, reach + 1)
        any_rows = visible if len(visible) else turns[:1]  # of none that is seen, none is inside
        rows = any_rows[np.clip(at, 0, len(any_rows) - 1)]
        inside = (at >= 0) & (at < len(visible)) & (threads[rows] == threads[turns][:, None])
        return cls(rows, inside)

    def closer(self, reach: int) -> Around:
        """Return the middle of it, ``reach`` turns on either side."""
        middle = self.rows.shape[1] // 2
        kept = slice(middle - reach, middle + reach + 1)
        return Around(self.rows[:, kept], self.inside[:, kept])

    def best(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the greatest value around each turn; ``values`` holds one a row."""
        return np.where(self.inside, values[self.rows], -np.inf).max(axis=1)

    def bm25(self, matches: Matches) -> NDArray[np.float64]:
        """Return the BM25 score of each turn taken as one row with those around it."""
        near = np.zeros(len(matches.lengths), np.bool_)
        near[self.rows[self.inside]] = True
        kept = near[matches.rows]
        places = np.cumsum(near)  # 0 stays free for what is not inside
        table = np.zeros((len(matches.idf), int(near.sum()) + 1))
        table[matches.terms[kept], places[matches.rows[kept]]] = matches.counts[kept]
        counts = table[:, np.where(self.inside, places[self.rows], 0)].sum(axis=2)
        lengths = np.where(self.inside, matches.lengths[self.rows], 0).sum(axis=1)
        average = matches.average * self.rows.shape[1]
        return matches.idf @ Bm25.saturate(counts, lengths, average)
