"""Rows of one kind, scored by channel: candidates and the features that both kinds have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.index import features
from graphmem.model import HitKind, Vector
from graphmem.ports import Candidate, SearchRequest
from graphmem.testing.channels import Lucene, cosine, ranks


@dataclass(frozen=True, slots=True)
class Document:
    """A believed row of one kind, as channels read it; ``seen`` if it passes every filter."""

    id: str
    terms: tuple[str, ...]
    vector: Vector | None
    seen: bool


class Scored:
    """One kind of rows, scored: ``scores`` by channel, then id, of what each channel finds."""

    def __init__(self, documents: Sequence[Document], request: SearchRequest) -> None:
        self.documents = {document.id: document for document in documents}
        self.bm25 = Lucene([document.terms for document in documents])
        self.request = request
        self.scores: dict[str, dict[str, float]] = {}
        seen = [document for document in documents if document.seen]
        question = request.vector
        if "lexical" in request.channels:
            scores = {d.id: self.bm25.score(request.terms, [d.terms], 1) for d in seen}
            self.scores["lexical"] = {id: score for id, score in scores.items() if score > 0}
        if "vector" in request.channels and question is not None:
            embedded = [d for d in seen if d.vector is not None]
            self.scores["vector"] = {d.id: cosine(question, d.vector) for d in embedded}

    def features(self, id: str) -> dict[str, float]:
        """Return the features that both kinds have."""
        document, asked = self.documents[id], self.request.terms
        values: dict[str, float] = {}
        if "vector" in self.scores:
            values[features.COSINE] = self.scores["vector"].get(id, 0.0)
        if "graph" in self.scores:
            values[features.GRAPH] = self.scores["graph"].get(id, 0.0)
        if "lexical" in self.scores:
            values[features.BM25] = self.scores["lexical"].get(id, 0.0)
            values[features.SHARE] = self.bm25.share(asked, document.terms, only=False)
            values[features.ONLY] = self.bm25.share(asked, document.terms, only=True)
        return values

    def candidates(
        self, kind: HitKind, more: Callable[[str], Mapping[str, float]]
    ) -> list[Candidate]:
        """Return the best of every channel; ``more`` gives the features of this kind alone."""
        limit = self.request.limit
        best = {channel: ranks(scores, limit) for channel, scores in self.scores.items()}
        return [
            Candidate(
                id,
                kind,
                {channel: ranked[id] for channel, ranked in best.items() if id in ranked},
                {**self.features(id), **more(id)},
            )
            for id in set[str]().union(*best.values())
        ]
