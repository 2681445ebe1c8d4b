"""The order of turns in their threads, and what stands around a turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class ThreadOrder:
    """Row numbers of all turns by (thread, sequence, id, version); new ones merge when asked."""

    def __init__(self) -> None:
        self._order = np.zeros(0, np.intp)

    def rows(
        self,
        threads: NDArray[np.int64],
        sequences: NDArray[np.int64],
        ids: Sequence[str],
        versions: Sequence[int],
    ) -> NDArray[np.intp]:
        """Return the order; ids, then versions decide between equal sequences."""
        if len(self._order) == len(threads):
            return self._order
        # Old rows in their order, then the new ones: almost sorted, which the sort is fast at.
        order = np.concatenate([self._order, np.arange(len(self._order), len(threads))])
        order = order[np.lexsort((sequences[order], threads[order]))]
        same = (np.diff(threads[order]) == 0) & (np.diff(sequences[order]) == 0)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], same, [False]]).astype(np.int8)))
        for first, last in edges.reshape(-1, 2):
            tied = sorted(
                (ids[row], versions[row], row) for row in map(int, order[first : last + 1])
            )
            order[first : last + 1] = [row for *_, row in tied]
        self._order = order
        return order
