"""The best rows by score, ties in the order of their ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Best:
    """Some rows, best first, and the rank of each, from 1."""

    rows: NDArray[np.intp]
    ranks: NDArray[np.int64]


def top(
    rows: NDArray[np.intp], scores: NDArray[np.float64], ids: Sequence[str], limit: int
) -> Best:
    """Return the best ``limit`` of ``rows``; ``scores`` holds one score for each of them.

    Order: score descending, then id. Ranks start at 1; equal scores share one, and the next rank
    counts them all (1, 1, 3). Cost: linear in the rows; ids are compared only where scores tie.
    """
    negated = -scores
    if len(rows) > limit:
        worst = negated.copy()
        worst.partition(limit - 1)
        kept = (negated <= worst[limit - 1]).nonzero()[0]
        rows, negated = rows[kept], negated[kept]
    order = negated.argsort()
    rows, negated = rows[order], negated[order]
    places = np.arange(len(rows))
    tied = (negated[1:] == negated[:-1]).nonzero()[0] + 1
    if len(tied):
        places[tied] = 0
        places = np.maximum.accumulate(places)
        ranked = zip(places.tolist(), [ids[row] for row in rows.tolist()], rows, strict=True)
        rows = np.array([row for *_, row in sorted(ranked)], np.intp)
    return Best(rows[:limit], places[:limit] + 1)
