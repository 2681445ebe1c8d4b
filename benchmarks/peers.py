"""What every suite is held against: BM25 alone and vectors alone, as plainly as can be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi  # pyright: ignore[reportMissingTypeStubs]

from graphmem.ports import Embedder

_WORD = re.compile(r"\w+")
_STOP = frozenset(
    """
    a about an and any are as at be been but by can could did do does for from had has have he her
    him his how i in is it its me my of on or our she should so that the their them then they this
    to was we were what when where which who why will with would you your
    """.split()
)
_stemmer: Any = snowballstemmer.stemmer("english")  # pyright: ignore


def stems(text: str) -> list[str]:
    """Return English stems of the words of a text, stop words dropped."""
    return _stemmer.stemWords([w for w in _WORD.findall(text.lower()) if w not in _STOP])


class Bm25:
    """rank-bm25's stock ``BM25Okapi`` over stems."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._index: Any = BM25Okapi([stems(text) or [""] for text in texts])

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return a score a text."""
        return np.asarray(self._index.get_scores(stems(question)))


class Cosine:
    """Brute force over the same vectors that graphmem uses."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._embedder = embedder
        self._matrix = np.stack(embedder.embed(texts))

    def scores(self, question: str) -> NDArray[np.float32]:
        """Return a cosine a text."""
        return self._matrix @ self._embedder.embed_query(question)


def best(ids: Sequence[str], scores: NDArray[Any], limit: int) -> list[str]:
    """Return the ids of the highest scores, best first; ties by position."""
    return [ids[int(i)] for i in np.argsort(-scores, kind="stable")[:limit]]
