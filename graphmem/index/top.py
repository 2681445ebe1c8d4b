"""The best rows by score, ties in the order of their ids."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray


def top(
    scores: NDArray[np.float64], found: NDArray[np.bool_], ids: Sequence[str], limit: int
) -> dict[int, int]:
    """Return the rank of each of the best ``limit`` rows among ``found``, by row, best first.

    Order: score descending, then id. Ranks start at 1; equal scores share one, and the next rank
    counts them all (1, 1, 3). Cost: linear in the rows; ids are compared only where scores tie.
    """
    rows = np.flatnonzero(found)
    values = -scores[rows]
    tied: list[int] = []
    if len(rows) > limit:
        worst = np.partition(values, limit - 1)[limit - 1]
        tied = rows[values == worst].tolist()
        better = values < worst
        rows, values = rows[better], values[better]
    rows = rows[np.argsort(values)]
    # Those of the worst score all tie: of them as many as still fit, by id.
    last = nsmallest(limit - len(rows), tied, key=ids.__getitem__)
    ordered: list[int] = [*rows.tolist(), *last]
    firsts = _firsts(scores[ordered])
    if (np.diff(firsts) == 0).any():
        keys = zip(firsts.tolist(), (ids[row] for row in ordered), ordered, strict=True)
        ordered = [row for *_, row in sorted(keys)]
    return dict(zip(ordered, (firsts + 1).tolist(), strict=True))


def _firsts(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return, for sorted values, where the run of each value begins."""
    places = np.arange(len(values))
    places[1:][values[1:] == values[:-1]] = 0
    return np.maximum.accumulate(places)
