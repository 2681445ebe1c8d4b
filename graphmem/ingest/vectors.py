"""Embeddings of one batch: made before the write lock, kept by the text's hash."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.index import text_hash
from graphmem.model import TextVector, Vector
from graphmem.ports import Embedder, View


class Vectors:
    """The vectors that a batch needs. Without an embedder there are none, anywhere.

    Cost: each new text is embedded once; ``prepare`` does it outside the write lock, so that
    ``rows`` inside it seldom has anything left to embed (a neighbour that another writer added).
    """

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._made: dict[str, Vector] = {}

    @property
    def wanted(self) -> bool:
        """Whether there is a model at all."""
        return self._embedder is not None

    def prepare(self, view: View, texts: Iterable[str]) -> None:
        """Embed those texts that the group has no vector of yet."""
        if self._embedder is None:
            return
        by_hash = {text_hash(text): text for text in texts}
        missing = by_hash.keys() - self._made.keys()
        missing -= view.known_vectors(missing)
        hashes = sorted(missing)
        vectors = self._embedder.embed([by_hash[h] for h in hashes])
        self._made |= dict(zip(hashes, vectors, strict=True))

    def rows(self, view: View, texts: Iterable[str]) -> tuple[TextVector, ...]:
        """Return the rows to write so that each of these texts has a vector in the group."""
        if self._embedder is None:
            return ()
        wanted = list(texts)
        self.prepare(view, wanted)
        hashes = {text_hash(text) for text in wanted}
        new = hashes - view.known_vectors(hashes)
        return tuple(TextVector(h, self._made[h]) for h in sorted(new))
