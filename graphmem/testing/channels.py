"""What each search channel finds, by the plainest means: rank-bm25, numpy and networkx."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import networkx as nx
import numpy as np
from rank_bm25 import BM25  # pyright: ignore[reportMissingTypeStubs]

from graphmem.index import text_hash
from graphmem.index.bm25 import K1, B
from graphmem.index.graph import ARCS, DAMPING, HOPS, NEWEST
from graphmem.model import Edge, Vector
from graphmem.temporal import to_micros


class Lucene(BM25):
    """rank-bm25 with the formula of ``graphmem.index.Bm25``; a repeated question term counts once.

    Args:
        corpus: The terms of every document.
    """

    def __init__(self, corpus: Sequence[Sequence[str]]) -> None:
        super().__init__(corpus or [()])  # pyright: ignore[reportUnknownMemberType]
        self.average = self.avgdl or 1.0

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.holding = nd

    def weight(self, term: str) -> float:
        """Return the idf of a term, known or not."""
        holding = self.holding.get(term, 0)
        return math.log1p((self.corpus_size - holding + 0.5) / (holding + 0.5))

    def score(self, terms: Iterable[str], documents: Iterable[Sequence[str]], size: int) -> float:
        """Return the score of documents taken as one, where ``size`` of them are usual."""
        counts = Counter(term for document in documents for term in document)
        long = B * counts.total() / (size * self.average)
        return sum(
            self.weight(term) * counts[term] / (counts[term] + K1 * (1 - B + long))
            for term in dict.fromkeys(terms)
        )

    def share(self, terms: Iterable[str], document: Sequence[str], *, only: bool) -> float:
        """Return which part of the terms' weight stands in a document.

        ``only`` counts terms that no other document holds.
        """
        weights = {term: self.weight(term) for term in terms}
        held = weights.keys() & set(document)
        kept = (weights[t] for t in held if not only or self.holding[t] == 1)
        return sum(kept) / (sum(weights.values()) or 1.0)


def cosine(question: Vector, vector: Vector | None) -> float:
    """Return the cosine of unit vectors to six decimals; 0 without one."""
    return 0.0 if vector is None else round(float(np.dot(question, vector)), 6)


def ranks(scores: Mapping[str, float], limit: int) -> dict[str, int]:
    """Return the rank of the best ``limit`` ids by (score descending, id); ties share a rank."""
    best = sorted(scores, key=lambda id: (-scores[id], id))[:limit]
    return {id: 1 + sum(other > scores[id] for other in scores.values()) for id in best}


def walk(edges: Iterable[Edge], seeds: Mapping[str, float]) -> dict[str, float]:
    """Return the chance to find the walk of ``index.graph.Arcs`` at each entity it reaches.

    Where that stops after 20 steps this goes on until it stands still: 2e-6 apart at most.
    """
    if not seeds:
        return {}
    arcs = _newest(edges)
    near, leaving = set(seeds), list[tuple[str, str]]()
    for _ in range(HOPS):
        more = [(tail, head) for tail in near for head in arcs.get(tail, ())]
        if len(more) > ARCS:
            break
        leaving = more
        near = near.union(head for _, head in leaving)
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(leaving)
    graph.add_nodes_from(near)
    return nx.pagerank(graph, DAMPING, personalization=dict(seeds), tol=1e-12)


def _newest(edges: Iterable[Edge]) -> dict[str, list[str]]:
    arcs: dict[str, list[str]] = {}
    for edge in sorted(edges, key=lambda e: (-to_micros(e.valid.start), text_hash(e.id))):
        arcs.setdefault(edge.subject_id, []).append(edge.object_id)
        arcs.setdefault(edge.object_id, []).append(edge.subject_id)
    return {tail: heads[:NEWEST] for tail, heads in arcs.items()}
