"""One search over the tables of an image: channels, candidates, features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.index import features
from graphmem.index.around import Around, Merged
from graphmem.index.candidates import Candidates
from graphmem.index.facts import Facts
from graphmem.index.postings import Matches
from graphmem.index.top import Best, top
from graphmem.index.turns import Turns
from graphmem.index.vectors import Vectors
from graphmem.model import HitKind
from graphmem.ports import SearchRequest

MENTIONED = 0.1
"""Weight of a seed for each time it is an end of a channel's best edges; a named entity adds 1."""
BEST_EDGES = 5
MOST_NAMED = 32
LONGEST = 30
REACH = 10

Values = NDArray[np.float64]


class Scored:
    """One kind of rows: which are seen, and what each channel makes of them.

    A channel finds the seen rows that score above 0; ``vector`` those that have a vector, the
    others score minus infinity. ``scores`` holds a value a row, ``best`` the best rows, both by
    channel; ``seeding`` the best five rows of each channel.
    """

    def __init__(self, table: Turns | Facts, vectors: Vectors, request: SearchRequest) -> None:
        self._table, self._limit = table, request.limit
        believed = table.believed(request)
        self.seen = table.seen(request, believed)
        self.matches: Matches | None = None
        self.scores: dict[str, Values] = {}
        self.best: dict[str, Best] = {}
        self.seeding: list[int] = []
        if "lexical" in request.channels:
            self.matches = table.postings.find(request.terms, believed)
            self.add("lexical", self.matches.scores())
        if "vector" in request.channels and request.vector is not None:
            slots = table.slots()
            cosines = vectors.cosines(request.vector, slots, scan=True)
            self.add("vector", np.where(slots < 0, -np.inf, cosines))

    def add(self, channel: str, scores: Values) -> None:
        """Take what a channel says of every row."""
        found = (self.seen & (scores > (-np.inf if channel == "vector" else 0.0))).nonzero()[0]
        self.scores[channel] = scores
        best = top(found, scores[found], self._table.ids, max(self._limit, BEST_EDGES))
        self.seeding += best.rows[:BEST_EDGES].tolist()
        self.best[channel] = Best(best.rows[: self._limit], best.ranks[: self._limit])

    def rows(self) -> NDArray[np.intp]:
        """Return all rows that any channel found, in order."""
        found = np.zeros(len(self.seen), np.bool_)
        for best in self.best.values():
            found[best.rows] = True
        return found.nonzero()[0]

    def values(self, rows: NDArray[np.intp]) -> dict[str, Values]:
        """Return the features that both kinds have, of these rows."""
        found: dict[str, Values] = {}
        if "vector" in self.scores:
            found[features.COSINE] = _finite(self.scores["vector"][rows])
        if "graph" in self.scores:
            found[features.GRAPH] = self.scores["graph"][rows]
        if self.matches is not None:
            found[features.BM25] = self.scores["lexical"][rows]
            found[features.SHARE] = self.matches.share()[rows]
            found[features.ONLY] = self.matches.only()[rows]
        return found


def _finite(values: Values) -> Values:
    return np.where(np.isinf(values), 0.0, values)


@dataclass(frozen=True, slots=True)
class Search:
    """One request over the tables of an image."""

    turns: Turns
    facts: Facts
    turn_vectors: Vectors
    fact_vectors: Vectors
    window_vectors: Vectors
    request: SearchRequest

    def candidates(self) -> Candidates:
        """Return the union of what the channels found, with all features, by (id, kind)."""
        found: list[Candidates] = []
        lifted: Values | None = None
        if HitKind.EDGE in self.request.kinds or "graph" in self.request.channels:
            named = self.facts.names.named(self.request.names)[:MOST_NAMED]
            edges = Scored(self.facts, self.fact_vectors, self.request)
            if "graph" in self.request.channels:
                edges.add("graph", self._walk(edges, named))
                lifted = self.facts.lift(edges.scores["graph"], len(self.turns.numbers))
            if HitKind.EDGE in self.request.kinds:
                found += self._edges(edges, named)
        if HitKind.EPISODE in self.request.kinds:
            found += self._episodes(lifted)
        return Candidates.together(found)

    def _walk(self, edges: Scored, named: list[int]) -> Values:
        seeds = dict.fromkeys(named, 1.0)
        for end in ("tail", "head"):
            for node in map(int, self.facts.columns[end][edges.seeding]):
                seeds[node] = seeds.get(node, 0.0) + MENTIONED
        return self.facts.walk(edges.seen, seeds)

    def _edges(self, scored: Scored, named: list[int]) -> list[Candidates]:
        rows = scored.rows()
        if not len(rows):
            return []
        ends = np.zeros(len(self.facts.names.numbers))
        ends[named] = 0.5
        columns = self.facts.columns
        halves = ends[columns["tail"][rows]] + ends[columns["head"][rows]]
        values = {**scored.values(rows), features.NAMED: halves}
        return [_candidates(self.facts.ids, HitKind.EDGE, rows, scored.best, values)]

    def _episodes(self, lifted: Values | None) -> list[Candidates]:
        scored = Scored(self.turns, self.turn_vectors, self.request)
        if lifted is not None:
            scored.add("graph", lifted[self.turns.columns["number"]])
        rows = scored.rows()
        if not len(rows):
            return []
        values = scored.values(rows) | self._turn_values(scored, rows)
        return [_candidates(self.turns.ids, HitKind.EPISODE, rows, scored.best, values)]

    def _turn_values(self, scored: Scored, rows: NDArray[np.intp]) -> dict[str, Values]:
        columns, seen = self.turns.columns, scored.seen
        near = Around.of(rows, self.turns.order(), columns["thread"], seen, reach=REACH)
        subject = self.turns.subject(self.request.names, seen)
        values: dict[str, Values] = {
            features.SUBJECT: subject[columns["speaker"][rows]].astype(np.float64),
            features.ASKS: columns["asks"][rows].astype(np.float64),
            features.LENGTH: np.log1p(np.minimum(self.turns.postings.lengths[rows], LONGEST)),
        }
        if scored.matches is not None:
            merged = Merged(near, scored.matches)
            values[features.WINDOW_BM25] = merged.bm25(1)
            values[features.NEAR_BM25] = merged.bm25(REACH)
        if self.request.vector is not None and "vector" in scored.scores:
            values[features.NEAR_COSINE] = _finite(near.best(scored.scores["vector"]))
            slots = self.turns.windows(rows, seen)
            windows = self.window_vectors.cosines(self.request.vector, slots, scan=False)
            turns = _finite(scored.scores["vector"][rows])
            values[features.WINDOW_COSINE] = np.where(slots < 0, turns, windows)
        return values


def _candidates(
    ids: Sequence[str],
    kind: HitKind,
    found: NDArray[np.intp],
    best: Mapping[str, Best],
    values: Mapping[str, Values],
) -> Candidates:
    ranks = {channel: np.zeros(len(found), np.int64) for channel in best}
    for channel, one in best.items():
        ranks[channel][found.searchsorted(one.rows)] = one.ranks
    edges = np.full(len(found), kind is HitKind.EDGE)
    rows: list[int] = found.tolist()
    return Candidates([ids[row] for row in rows], edges, ranks, values)
