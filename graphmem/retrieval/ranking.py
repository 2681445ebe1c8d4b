"""One list out of all candidates: their features, scaled, times fixed weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.index import Candidates, features
from graphmem.ports import Candidate

# Fitted by logistic regression on LoCoMo, FriendsQA, LongMemEval and QMSum (the best 150
# candidates of each channel), averaged and rounded by hand so that no set finds more than 0.02 less
# of its evidence within ten than with weights fitted on the others (docs/adr/0006). Context weighs
# as much as the turn itself. ``only`` is larger than fitted: a word that one row alone holds must
# win against every vector.
EPISODE: Mapping[str, float] = {
    features.COSINE: 0.25,
    features.WINDOW_COSINE: 0.25,
    features.NEAR_COSINE: 0.10,
    features.BM25: 0.15,
    features.WINDOW_BM25: 0.20,
    features.NEAR_BM25: 0.10,
    features.SHARE: 0.10,
    features.ONLY: 0.50,
    features.SUBJECT: 0.15,
    features.LENGTH: 0.12,
    features.ASKS: -0.03,
    features.GRAPH: 0.10,
}
# What an episode gets by its context an edge, which has none, gets by its own words, so that the
# two kinds weigh about the same in one list. Chosen on look-alike facts (80 people, 12 templates)
# and on LoCoMo's observations stored as edges beside the turns.
EDGE: Mapping[str, float] = {
    features.COSINE: 0.60,
    features.BM25: 0.30,
    features.SHARE: 0.25,
    features.ONLY: 0.50,
    features.NAMED: 0.15,
    features.GRAPH: 0.10,
}
# These are scaled to 0..1 over all candidates; the others mean the same in every search.
_SCALED = frozenset(
    {
        features.COSINE,
        features.WINDOW_COSINE,
        features.NEAR_COSINE,
        features.BM25,
        features.WINDOW_BM25,
        features.NEAR_BM25,
        features.LENGTH,
        features.GRAPH,
    }
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its place: ``parts`` say what each feature added to ``score``."""

    candidate: Candidate
    rank: int
    score: float
    parts: Mapping[str, float]


def rank(candidates: Sequence[Candidate], limit: int) -> list[Scored]:
    """Return the best ``limit`` candidates by (score descending, id, kind).

    A feature is scaled to 0..1 over the candidates that have it (least to greatest value, 0 if all
    are equal) or taken as it is, then weighed; a score is the sum. Scores are rounded to nine
    decimals; equal ones share a rank, from 1, and the next rank counts them all (1, 1, 3).
    """
    found = Candidates.of(candidates)
    parts = _parts(found)
    scores = np.round(sum(parts.values(), np.zeros(len(found))), 9)
    if len(found) > limit:
        near = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
    else:
        near = np.arange(len(found))
    chosen: list[int] = near.tolist()
    best = sorted((-float(scores[at]), found.ids[at], not found.edges[at], at) for at in chosen)
    ranked: list[Scored] = []
    for place, (negated, _, _, at) in enumerate(best[:limit], start=1):
        one, tied = found.made(at), bool(ranked) and ranked[-1].score == -negated
        own = {name: float(added[at]) for name, added in parts.items() if name in one.features}
        ranked.append(Scored(one, ranked[-1].rank if tied else place, -negated, own))
    return ranked


def _parts(found: Candidates) -> dict[str, NDArray[np.float64]]:
    names = sorted({*EPISODE, *EDGE} & found.features.keys())
    if not names or not len(found):
        return {}
    table = np.stack([found.features[name] for name in names])
    known = ~np.isnan(table)
    least = np.where(known, table, np.inf).min(axis=1, keepdims=True)
    greatest = np.where(known, table, -np.inf).max(axis=1, keepdims=True)
    spread = np.where(greatest > least, greatest - least, 1.0)
    scaled = np.array([[name in _SCALED] for name in names])
    values = np.where(scaled & known, (table - least) / spread, table)
    edge = np.array([[EDGE.get(name, 0.0)] for name in names])
    episode = np.array([[EPISODE.get(name, 0.0)] for name in names])
    added = np.where(known, values * np.where(found.edges, edge, episode), 0.0)
    return dict(zip(names, added, strict=True))
