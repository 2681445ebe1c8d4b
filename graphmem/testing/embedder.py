"""An embedder that needs no model."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_256

import numpy as np

from graphmem.errors import InvalidInput
from graphmem.index import words
from graphmem.model import Vector


class HashEmbedder:
    """``ports.Embedder`` whose vectors are sums of one pseudo-random direction a word.

    The same text has the same vector on every machine; texts that share words are near; word
    order plays no part. A text without words gets a direction of its own.

    Source: random indexing (Kanerva, Kristoferson & Holst, CogSci 2000).

    Raises:
        InvalidInput: ``dimension`` is below 1.
    """

    def __init__(self, *, dimension: int = 64) -> None:
        if dimension < 1:
            raise InvalidInput(f"dimension must be at least 1, not {dimension!r}")
        self.dimension = dimension
        self.model_id = f"hash-{dimension}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a unit vector for each text, in order."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        """Return the same unit vector as ``embed``."""
        total = np.sum([self._direction(word) for word in words(text) or [text]], axis=0)
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)

    def _direction(self, word: str) -> np.ndarray:
        digest = shake_256(word.encode("utf-8", "surrogatepass")).digest(4 * self.dimension)
        return np.frombuffer(digest, dtype="<u4") / 2.0**31 - 1.0
