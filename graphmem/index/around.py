"""What stands around a turn in its thread, among the turns that a request may see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.index.bm25 import Bm25
from graphmem.index.postings import Matches


@dataclass(frozen=True, slots=True)
class Around:
    """The seen turns around some turns, by their places in thread order.

    Attributes:
        rows: Rows of all seen turns, by (thread, sequence, id).
        near: One line a turn: the places in ``rows`` from ``reach`` before it to as many after.
        inside: Which of these exist: in ``rows``, and of the turn's own thread.
    """

    rows: NDArray[np.intp]
    near: NDArray[np.intp]
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
        rows = order[seen[order]]
        if not len(rows):  # there must be a row to point at, though nothing is inside
            nowhere = np.zeros((len(turns), 2 * reach + 1), np.intp)
            return cls(turns[:1], nowhere, nowhere > 0)
        places = np.zeros(len(seen), np.intp)
        places[rows] = np.arange(len(rows))
        near = places[turns][:, None] + np.arange(-reach, reach + 1)
        inside = (near >= 0) & (near < len(rows))
        near = np.clip(near, 0, len(rows) - 1)
        inside &= threads[rows[near]] == threads[turns][:, None]
        return cls(rows, near, inside)

    def best(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the greatest value around each turn; ``values`` holds one a row."""
        return np.where(self.inside, values[self.rows][self.near], -np.inf).max(axis=1)


class Merged:
    """BM25 of turns taken as one row with those around them."""

    def __init__(self, around: Around, matches: Matches) -> None:
        self._around, self._matches = around, matches
        near = np.zeros(len(around.rows), np.bool_)
        near[around.near[around.inside]] = True
        # Only what is near some turn gets a column; the columns of one stretch stay neighbours.
        self._columns = np.cumsum(near)
        column = np.zeros(len(matches.lengths), np.intp)
        column[around.rows[near]] = self._columns[near]
        kept = np.flatnonzero(column[matches.rows])
        counts = np.zeros((len(matches.idf), int(near.sum()) + 1))
        counts[matches.terms[kept], column[matches.rows[kept]]] = matches.counts[kept]
        self._counts = np.cumsum(counts, axis=1)
        lengths = matches.lengths[around.rows[near]]
        self._lengths = np.cumsum(np.concatenate([[0.0], lengths]))

    def bm25(self, reach: int) -> NDArray[np.float64]:
        """Return the score of each turn and up to ``reach`` turns on either side."""
        around, matches = self._around, self._matches
        middle = around.near.shape[1] // 2
        at = self._columns[around.near[:, middle]]
        before = at - 1 - around.inside[:, middle - reach : middle].sum(axis=1)
        last = at + around.inside[:, middle + 1 : middle + reach + 1].sum(axis=1)
        counts = self._counts[:, last] - self._counts[:, before]
        lengths = self._lengths[last] - self._lengths[before]
        average = matches.average * (2 * reach + 1)
        return matches.idf @ Bm25.saturate(counts, lengths, average)
