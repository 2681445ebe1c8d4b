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
    rows = np.flatnonzero(found)
    if len(rows) > limit > 0:
        values = scores[rows]
        least = np.partition(values, len(rows) - limit)[len(rows) - limit]
        rows = rows[values >= least]
    ordered = sorted((-score, ids[row], row) for score, row in _pairs(scores, rows))[:limit]
    ranks: dict[int, int] = {}
    before, rank = 0.0, 0
    for place, (score, _, row) in enumerate(ordered, start=1):
        rank = rank if place > 1 and score == before else place
        before, ranks[row] = score, rank
    return ranks


def _pairs(scores: NDArray[np.float64], rows: NDArray[np.intp]) -> list[tuple[float, int]]:
    return list(zip(scores[rows].tolist(), rows.tolist(), strict=True))
