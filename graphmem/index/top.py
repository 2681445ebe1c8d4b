"""The best rows by score, ties in the order of their ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def top(
    scores: NDArray[np.float64], found: NDArray[np.bool_], ids: Sequence[str], limit: int
) -> dict[int, int]:
    """Return the rank of each of the best ``limit`` rows among ``found``, by row, best first.

    Order: score descending, then id. Ranks start at 1; equal scores share one, and the next rank
    counts them all (1, 1, 3).
    """
    values = np.where(found, -scores, np.inf)
    if len(values) > limit:
        found = found & (values <= np.partition(values, limit - 1)[limit - 1])
    rows = np.flatnonzero(found)
    order = np.argsort(values[rows])
    rows, values = rows[order], values[rows[order]]
    places = np.arange(len(rows))
    firsts = places.copy()
    firsts[1:][values[1:] == values[:-1]] = 0
    firsts = np.maximum.accumulate(firsts)
    best: list[int] = rows.tolist()
    if (firsts != places).any():
        keys = zip(firsts.tolist(), (ids[row] for row in best), best, strict=True)
        best = [row for *_, row in sorted(keys)]
    return dict(zip(best[:limit], (firsts[:limit] + 1).tolist(), strict=True))
