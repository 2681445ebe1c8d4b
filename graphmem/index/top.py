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
        kept = (negated <= np.partition(negated, limit - 1)[limit - 1]).nonzero()[0]
        rows, negated = rows[kept], negated[kept]
    order = negated.argsort()
    rows, negated = rows[order], negated[order]
    begins = np.ones(len(rows), np.bool_)
    np.not_equal(negated[1:], negated[:-1], out=begins[1:])
    firsts = begins.nonzero()[0]
    sizes = np.diff(firsts, append=len(rows))
    for first, size in zip(firsts[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        tied: list[int] = rows[first : first + size].tolist()
        rows[first : first + size] = sorted(tied, key=ids.__getitem__)
    return Best(rows[:limit], np.repeat(firsts + 1, sizes)[:limit])
