"""One search over the tables of an image: channels, candidates, features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.index import features
from graphmem.index.around import Merged, greatest
from graphmem.index.candidates import Candidates
from graphmem.index.facts import Facts
from graphmem.index.postings import Matches
from graphmem.index.seen import Seen
from graphmem.index.top import Best, top
from graphmem.index.turns import SeenTurns, Turns
from graphmem.index.vectors import Vectors
from graphmem.model import HitKind
from graphmem.ports import SearchRequest

MENTIONED = 0.1
"""Weight of a seed for each time it is an end of a channel's best edges; a named entity adds 1."""
BEST_EDGES = 5
MOST_NAMED = 32
LONGEST = 30
REACH = 10
ROUNDING = 2e-6

Values = NDArray[np.float64]
Cosines = NDArray[np.float32]


class Scored:
    """One kind of rows: what each channel makes of them.

    A channel finds the seen rows that score above 0; ``vector`` those that have a vector.
    ``best`` holds the best rows by channel, ``seeding`` the best five of each; ``scores`` a value
    a row of ``lexical`` and ``graph``; ``cosines`` one a row, not rounded, minus infinity without
    a vector.
    """

    def __init__(
        self, table: Turns | Facts, seen: Seen, cosines: Cosines | None, request: SearchRequest
    ) -> None:
        self._ids, self._limit = table.ids, request.limit
        self._seen = seen
        self.cosines = cosines
        self.matches: Matches | None = None
        self.scores: dict[str, Values] = {}
        self.best: dict[str, Best] = {}
        self.seeding: list[int] = []
        if "lexical" in request.channels:
            self.matches = table.postings.find(request.terms, seen.believed)
            scores = self.scores["lexical"] = self.matches.scores()
            found = (seen.seen & (scores > 0.0)).nonzero()[0]
            self._rank("lexical", found, scores[found])
        if cosines is not None:
            self._rank("vector", *self._nearest(cosines))

    @property
    def _most(self) -> int:
        return max(self._limit, BEST_EDGES)

    def _nearest(self, cosines: Cosines) -> tuple[NDArray[np.intp], Values]:
        """Return the seen rows that may be among the best, few more than those."""
        rows = self._seen.embedded
        values = cosines if len(rows) == len(cosines) else cosines[rows]
        if len(rows) > self._most:
            least = values.copy()
            least.partition(len(rows) - self._most)
            # What differs by less than this may tie when it is rounded.
            kept = (values >= least[len(rows) - self._most] - ROUNDING).nonzero()[0]
            rows, values = rows[kept], values[kept]
        return rows, _rounded(values)

    def add(self, channel: str, rows: NDArray[np.intp], scores: Values) -> None:
        """Take what a channel says of some rows, each more than 0, of the others 0."""
        every = self.scores[channel] = np.zeros(len(self._ids))
        every[rows] = scores
        self._rank(channel, rows, scores)

    def _rank(self, channel: str, found: NDArray[np.intp], scores: Values) -> None:
        best = top(found, scores, self._ids, self._most)
        self.seeding += best.rows[:BEST_EDGES].tolist()
        self.best[channel] = Best(best.rows[: self._limit], best.ranks[: self._limit])

    def rows(self) -> NDArray[np.intp]:
        """Return all rows that any channel found, in order."""
        found = np.zeros(len(self._ids), np.bool_)
        for best in self.best.values():
            found[best.rows] = True
        return found.nonzero()[0]

    def values(self, rows: NDArray[np.intp]) -> dict[str, Values]:
        """Return the features that both kinds have, of these rows."""
        found: dict[str, Values] = {}
        if self.cosines is not None:
            found[features.COSINE] = _rounded(self.cosines[rows])
        if "graph" in self.scores:
            found[features.GRAPH] = self.scores["graph"][rows]
        if self.matches is not None:
            found[features.BM25] = self.scores["lexical"][rows]
            found[features.SHARE] = self.matches.share()[rows]
            found[features.ONLY] = self.matches.only()[rows]
        return found


def _rounded(cosines: NDArray[np.floating]) -> Values:
    """Round to six decimals, so that equal texts tie wherever they stand; 0 without a vector."""
    values = cosines.astype(np.float64)
    values[values == -np.inf] = 0.0
    return values.round(6)


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
        kinds, found = self.request.kinds, list[Candidates]()
        lifted: tuple[NDArray[np.int64], Values] | None = None
        facts, turns = self._cosines()
        if HitKind.EDGE in kinds or "graph" in self.request.channels:
            named = self.facts.names.named(self.request.names)[:MOST_NAMED]
            seen = self.facts.look(self.request)
            edges = Scored(self.facts, seen, facts, self.request)
            if "graph" in self.request.channels:
                rows, scores = self._walk(edges, seen, named)
                edges.add("graph", rows, scores)
                lifted = self.facts.lift(rows, scores)
            if HitKind.EDGE in kinds:
                found += self._edges(edges, named)
        if HitKind.EPISODE in kinds:
            found += self._episodes(turns, lifted)
        return Candidates.together(found)

    def _cosines(self) -> tuple[Cosines | None, Cosines | None]:
        """Scan edges and turns, one after the other: a scan empties the processor's caches."""
        query, request = self.request.vector, self.request
        if query is None or "vector" not in request.channels:
            return None, None
        facts = turns = None
        if HitKind.EDGE in request.kinds or "graph" in request.channels:
            facts = self.fact_vectors.scan(query)[self.facts.columns["fact"]]
        if HitKind.EPISODE in request.kinds:
            turns = self.turn_vectors.scan(query)[self.turns.columns["turn"]]
        return facts, turns

    def _walk(self, edges: Scored, seen: Seen, named: list[int]) -> tuple[NDArray[np.intp], Values]:
        seeds = dict.fromkeys(named, 1.0)
        for end in ("tail", "head"):
            for node in self.facts.columns[end][edges.seeding].tolist():
                seeds[node] = seeds.get(node, 0.0) + MENTIONED
        return self.facts.walk(seen.seen, seeds)

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

    def _episodes(
        self, cosines: Cosines | None, lifted: tuple[NDArray[np.int64], Values] | None
    ) -> list[Candidates]:
        seen = self.turns.look(self.request)
        scored = Scored(self.turns, seen, cosines, self.request)
        if lifted is not None:
            scored.add("graph", *self.turns.versions_of(*lifted, seen.seen))
        rows = scored.rows()
        if not len(rows):
            return []
        values = scored.values(rows) | self._turn_values(scored, seen, rows)
        return [_candidates(self.turns.ids, HitKind.EPISODE, rows, scored.best, values)]

    def _turn_values(
        self, scored: Scored, seen: SeenTurns, rows: NDArray[np.intp]
    ) -> dict[str, Values]:
        columns = self.turns.columns
        subject = self.turns.subject(self.request.names, seen)
        values: dict[str, Values] = {
            features.SUBJECT: subject[columns["speaker"][rows]].astype(np.float64),
            features.ASKS: columns["asks"][rows].astype(np.float64),
            features.LENGTH: np.log1p(np.minimum(self.turns.postings.lengths[rows], LONGEST)),
        }
        if scored.matches is not None:
            merged = Merged(seen.places, rows, scored.matches, REACH)
            values[features.WINDOW_BM25] = merged.bm25(1)
            values[features.NEAR_BM25] = merged.bm25(REACH)
        if self.request.vector is not None and scored.cosines is not None:
            near = scored.cosines[seen.places.rows]
            best = greatest(near, *seen.places.around(rows, REACH))
            values[features.NEAR_COSINE] = _rounded(best)
            slots = seen.windows[rows]
            windows = self.window_vectors.cosines(self.request.vector, slots)
            turns = _rounded(scored.cosines[rows])
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
