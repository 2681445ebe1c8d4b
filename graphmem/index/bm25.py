"""The one BM25 formula of all stores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75


class Bm25:
    """BM25 as Lucene computes it, without the constant factor (k1 + 1).

    ``idf = ln(1 + (N - df + 0.5) / (df + 0.5))``; a term adds
    ``idf * tf / (tf + k1 * (1 - b + b * dl / avgdl))``, k1 1.2, b 0.75.

    Statistics (N, df, avgdl) are per group and per kind (episodes, edges apart), over the rows
    that are searchable and believed at ``SearchRequest.recorded``, whatever their valid time,
    thread or speaker: what was recorded later never changes an earlier ranking.

    Source:
        Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009; Lucene.
    """

    @staticmethod
    def idf(rows: int, holding: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weight of terms that ``holding`` of ``rows`` documents hold (df of N)."""
        return np.log1p((rows - holding + 0.5) / (holding + 0.5))

    @staticmethod
    def saturate(
        counts: NDArray[np.float64], lengths: NDArray[np.float64], average: float
    ) -> NDArray[np.float64]:
        """Return ``tf / (tf + k1 * (1 - b + b * dl / avgdl))``; arrays broadcast."""
        return counts / (counts + Bm25.norm(lengths, average))

    @staticmethod
    def norm(lengths: NDArray[np.float64], average: float) -> NDArray[np.float64]:
        """Return ``k1 * (1 - b + b * dl / avgdl)``."""
        return K1 * (1 - B + B * lengths / average)
