"""Embedders for suites: one that remembers, and one that needs no model."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from graphmem.model import Vector
from graphmem.ports import Embedder


class Remembering:
    """Embeds each text once: graphmem and its peers get the same vectors, and none is timed."""

    def __init__(self, embedder: Embedder) -> None:
        self.model_id = embedder.model_id
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._texts: dict[str, Vector] = {}
        self._questions: dict[str, Vector] = {}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        new = [text for text in dict.fromkeys(texts) if text not in self._texts]
        self._texts |= dict(zip(new, self._embedder.embed(new), strict=True))
        return [self._texts[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        if text not in self._questions:
            self._questions[text] = self._embedder.embed_query(text)
        return self._questions[text]


class Seeded:
    """Unit vectors made from the text's hash: what a search costs does not depend on meaning."""

    dimension = 384
    model_id = "seeded-384"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        vector = np.random.default_rng(seed).standard_normal(self.dimension, dtype=np.float32)
        return np.asarray(vector / np.linalg.norm(vector), np.float32)
