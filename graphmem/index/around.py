"""What stands around a turn in its thread, among the turns that a request may see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphmem.index.bm25 import Bm25
from graphmem.index.postings import Matches


class Places:
    """Some rows in thread order.

    Attributes:
        rows: Their numbers, by (thread, sequence, id).
        at: The place in ``rows`` of each row of the table, 0 for one that is not among them.
        begins: By place, where its thread begins.
        ends: By place, where its thread ends, the last place included.
        sums: Terms of all rows before each place, and an end.
    """

    def __init__(
        self,
        order: NDArray[np.intp],
        threads: NDArray[np.int64],
        lengths: NDArray[np.float64],
        among: NDArray[np.bool_],
    ) -> None:
        """Place the rows that ``among`` flags; ``order`` holds all rows in thread order."""
        self.rows = rows = order[among[order]]
        self.at = np.zeros(len(among), np.intp)
        self.at[rows] = np.arange(len(rows))
        starts = np.flatnonzero(np.diff(threads[rows], prepend=-1))
        sizes = np.diff(starts, append=len(rows))
        self.begins = np.repeat(starts, sizes)
        self.ends = np.repeat(starts + sizes - 1, sizes)
        self.sums = np.append(0.0, lengths[rows].cumsum())

    def around(
        self, turns: NDArray[np.intp], reach: int
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the first and last place up to ``reach`` from each turn, of its own thread."""
        at = self.at[turns]
        first = np.maximum(at - reach, self.begins[at])
        return first, np.minimum(at + reach, self.ends[at])

    def whole(self, harmless: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Flag, by place, what is harmless and stands between harmless ones of its thread."""
        fine, at = harmless[self.rows], np.arange(len(self.rows))
        before = fine[np.maximum(at - 1, self.begins)]
        return fine & before & fine[np.minimum(at + 1, self.ends)]


def greatest(
    values: NDArray[np.floating], first: NDArray[np.intp], last: NDArray[np.intp]
) -> NDArray[np.floating]:
    """Return the greatest value of each span of places, both ends included."""
    padded = np.empty(len(values) + 1, values.dtype)
    padded[:-1], padded[-1] = values, -np.inf
    ends = np.empty(2 * len(first), np.intp)
    ends[::2], ends[1::2] = first, last + 1
    return np.maximum.reduceat(padded, ends)[::2]


class Merged:
    """BM25 of turns taken as one row with those around them.

    Args:
        places: The seen turns.
        turns: Some of them.
        matches: Where the question's words stand.
        reach: How far from a turn is looked at most.
    """

    def __init__(
        self, places: Places, turns: NDArray[np.intp], matches: Matches, reach: int
    ) -> None:
        self._places, self._turns, self._matches = places, turns, matches
        self._pairs(reach)

    def _pairs(self, reach: int) -> None:
        """Find which matches stand around which turns: few, as most stand near none."""
        places, size = self._places, len(self._places.rows)
        of_turns = places.at[self._turns]
        order = of_turns.argsort()
        before = np.zeros(size + 2 * reach + 2, np.int32)  # turns before each place, less reach
        before[of_turns + reach + 1] = 1
        before = before.cumsum(dtype=np.int32)
        at = places.at[self._matches.rows]
        first = before[at]
        counts = before[at + 2 * reach + 1] - first
        match = np.arange(len(at)).repeat(counts)
        skipped = (first - counts.cumsum() + counts).repeat(counts)
        turn = order[skipped + np.arange(len(match))]
        at, mine = at[match], of_turns[turn]
        fits = places.begins[at] == places.begins[mine]
        fits &= places.rows[at] == self._matches.rows[match]  # a row that is not seen has no place
        kept = fits.nonzero()[0]
        self._turn, self._match, self._far = turn[kept], match[kept], np.abs(at - mine)[kept]

    def bm25(self, reach: int) -> NDArray[np.float64]:
        """Return the score of each turn and up to ``reach`` turns on either side."""
        matches, places, size = self._matches, self._places, len(self._turns)
        near = (self._far <= reach).nonzero()[0]
        turn, match = self._turn[near], self._match[near]
        cells = matches.terms[match] * size + turn
        counts = np.bincount(cells, matches.counts[match], len(matches.idf) * size)
        first, last = places.around(self._turns, reach)
        lengths = places.sums[last + 1] - places.sums[first]
        average = matches.believed.average * (2 * reach + 1)
        counts = counts.astype(np.float64, copy=False).reshape(len(matches.idf), size)
        return matches.idf @ Bm25.saturate(counts, lengths, average)
