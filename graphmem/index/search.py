"""One search over the tables of an image: channels, candidates, features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.index import features
from graphmem.index.around import Around
from graphmem.index.facts import Facts
from graphmem.index.postings import Matches
from graphmem.index.top import top
from graphmem.index.turns import Turns
from graphmem.index.vectors import Vectors
from graphmem.model import HitKind
from graphmem.ports import Candidate, SearchRequest

MENTIONED = 0.1
"""Weight of a seed for each time it is an end of a channel's best edges; a named entity adds 1."""
BEST_EDGES = 5
MOST_NAMED = 32
LONGEST = 30
REACH = 10

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scored:
    """One kind of rows: which are seen, and a score a row in each channel that looked.

    A channel finds the seen rows that score above 0; ``vector`` those that have a vector, the
    others score minus infinity.
    """

    table: Turns | Facts
    seen: NDArray[np.bool_]
    matches: Matches | None
    scores: dict[str, Values]

    @classmethod
    def of(cls, table: Turns | Facts, vectors: Vectors, request: SearchRequest) -> Scored:
        """Score all rows of a kind by words and by vector, as far as the request asks for it."""
        believed = table.believed(request)
        found = cls(table, table.seen(request, believed), None, {})
        if "vector" in request.channels and request.vector is not None:
            slots = table.slots()
            cosines = vectors.cosines(request.vector, slots, scan=True)
            found.scores["vector"] = np.where(slots < 0, -np.inf, cosines)
        if "lexical" not in request.channels:
            return found
        matches = table.postings.find(request.terms, believed)
        found.scores["lexical"] = matches.scores()
        return cls(table, found.seen, matches, found.scores)

    def ranks(self, channel: str, limit: int) -> dict[int, int]:
        """Return rank by row of the best rows that a channel finds."""
        scores = self.scores[channel]
        found = self.seen & (scores > (-np.inf if channel == "vector" else 0.0))
        return top(scores, found, self.table.ids, limit)

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

    def candidates(self) -> list[Candidate]:
        """Return the union of what the channels found, with all features, by (id, kind)."""
        found: list[Candidate] = []
        named = self.facts.names.named(self.request.names)[:MOST_NAMED]
        edges = Scored.of(self.facts, self.fact_vectors, self.request)
        if "graph" in self.request.channels:
            edges.scores["graph"] = self._walk(edges, named)
        if HitKind.EDGE in self.request.kinds:
            found += self._found(edges, HitKind.EDGE, named)
        if HitKind.EPISODE in self.request.kinds:
            episodes = Scored.of(self.turns, self.turn_vectors, self.request)
            if "graph" in edges.scores:
                best = self.facts.lift(edges.scores["graph"], len(self.turns.numbers))
                episodes.scores["graph"] = best[self.turns.columns["number"]]
            found += self._found(episodes, HitKind.EPISODE, named)
        return sorted(found, key=lambda one: (one.id, one.kind))

    def _walk(self, edges: Scored, named: list[int]) -> Values:
        seeds = dict.fromkeys(named, 1.0)
        for channel in sorted(edges.scores):
            for row in edges.ranks(channel, BEST_EDGES):
                for end in ("tail", "head"):
                    node = int(self.facts.columns[end][row])
                    seeds[node] = seeds.get(node, 0.0) + MENTIONED
        return self.facts.walk(edges.seen, seeds)

    def _found(self, scored: Scored, kind: HitKind, named: list[int]) -> list[Candidate]:
        ranks = {name: scored.ranks(name, self.request.limit) for name in sorted(scored.scores)}
        rows = np.array(sorted({row for found in ranks.values() for row in found}), np.intp)
        if not len(rows):
            return []
        values = scored.values(rows)
        if kind is HitKind.EDGE:
            values |= self._edge_values(rows, named)
        else:
            values |= self._turn_values(scored, rows)
        return _candidates(scored.table.ids, kind, rows, ranks, values)

    def _edge_values(self, rows: NDArray[np.intp], named: list[int]) -> dict[str, Values]:
        flags = np.zeros(len(self.facts.names.numbers))
        flags[named] = 0.5
        columns = self.facts.columns
        return {features.NAMED: flags[columns["tail"][rows]] + flags[columns["head"][rows]]}

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
            values[features.WINDOW_BM25] = near.closer(1).bm25(scored.matches)
            values[features.NEAR_BM25] = near.bm25(scored.matches)
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
    rows: NDArray[np.intp],
    ranks: Mapping[str, Mapping[int, int]],
    values: Mapping[str, Values],
) -> list[Candidate]:
    found: list[Candidate] = []
    lines: list[list[float]] = np.column_stack(list(values.values())).tolist()
    for row, line in zip(map(int, rows), lines, strict=True):
        by = {name: ranked[row] for name, ranked in ranks.items() if row in ranked}
        found.append(Candidate(ids[row], kind, by, dict(zip(values, line, strict=True))))
    return found
