"""Edges as search reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from graphmem.index import STOP_WORDS, edge_terms, features, words
from graphmem.index.search import BEST_EDGES, MENTIONED, MOST_NAMED
from graphmem.model import Assertion, Edge
from graphmem.ports import SearchRequest
from graphmem.testing.channels import ranks, walk
from graphmem.testing.scored import Document, Scored
from graphmem.testing.tables import Tables

_LONGEST_NAME = 6


class Facts:
    """The edges believed at ``request.recorded``, and what each channel makes of them."""

    def __init__(self, tables: Tables, request: SearchRequest) -> None:
        self._request = request
        # Of two rows of one entity the later counts, whenever it was recorded.
        entities = {e.id: e for e in tables.entities if e.kind != "value"}
        names = {id: (e.name, *(a.name for a in e.aliases)) for id, e in entities.items()}
        self.named = named(names, request.names)[:MOST_NAMED]
        self._sources = _sources(tables)
        believed = [e for e in tables.edges if e.recorded.contains(request.recorded)]
        self.seen = {e.id: e for e in believed if self._is_seen(e)}
        self.scored = Scored(
            [
                Document(
                    e.id,
                    edge_terms(e.fact, (*names.get(e.subject_id, ()), *names.get(e.object_id, ()))),
                    tables.vectors.get(tables.edge_vectors.get(e.id, "")),
                    e.id in self.seen,
                )
                for e in believed
            ],
            request,
        )
        if "graph" in request.channels:
            self.scored.scores["graph"] = self._walk()

    def _is_seen(self, edge: Edge) -> bool:
        request = self._request
        began = edge.valid.start < request.valid.end
        holds = edge.valid.overlaps(request.valid) or (edge.relation in request.events and began)
        unnarrowed = request.threads is None and request.speakers is None
        sources = self._sources.get(edge.id, ())
        return holds and not edge.contested and (unnarrowed or any(map(self._told, sources)))

    def _told(self, source: Assertion) -> bool:
        threads, speakers = self._request.threads, self._request.speakers
        return (threads is None or source.thread_id in threads) and (
            speakers is None or source.speaker in speakers
        )

    def _walk(self) -> dict[str, float]:
        seeds = dict.fromkeys(self.named, 1.0)
        for scores in self.scored.scores.values():
            for id in ranks(scores, BEST_EDGES):
                for end in (self.seen[id].subject_id, self.seen[id].object_id):
                    seeds[end] = seeds.get(end, 0.0) + MENTIONED
        chances = walk(self.seen.values(), seeds)
        return {
            id: score
            for id, e in self.seen.items()
            if (score := round(chances.get(e.subject_id, 0) + chances.get(e.object_id, 0), 9)) > 0
        }

    def lifted(self) -> dict[str, float]:
        """Return for each episode the greatest graph score of an edge that it supports."""
        best: dict[str, float] = {}
        for edge_id, score in self.scored.scores.get("graph", {}).items():
            for source in self._sources.get(edge_id, ()):
                if source.episode_id is not None:
                    best[source.episode_id] = max(score, best.get(source.episode_id, 0))
        return best

    def features(self, id: str) -> dict[str, float]:
        """Return the features of edges alone."""
        ends = (self.seen[id].subject_id, self.seen[id].object_id)
        return {features.NAMED: sum(end in self.named for end in ends) / 2}


def _sources(tables: Tables) -> dict[str, list[Assertion]]:
    found: dict[str, list[Assertion]] = {}
    for link in tables.evidence:
        told = (a for a in tables.assertions if a.id == link.assertion_id)
        found.setdefault(link.edge_id, []).extend(told)
    return found


def named(names: Mapping[str, Sequence[str]], question: Sequence[str]) -> list[str]:
    """Return the entities that a question's words name, in order of mention.

    The longest run of up to six words that is a name wins, each word is used once; a single stop
    word names nothing.
    """
    known: dict[tuple[str, ...], list[str]] = {}
    for id, own in names.items():
        for name in own:
            known.setdefault(words(name), []).append(id)
    found: dict[str, None] = {}
    at = 0
    while at < len(question):
        run = next(_names_at(known, tuple(question[at : at + _LONGEST_NAME])), ())
        found |= dict.fromkeys(known[run] if run else ())
        at += len(run) or 1
    return list(found)


def _names_at(
    known: Mapping[tuple[str, ...], object], ahead: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    for size in range(len(ahead), 0, -1):
        run = ahead[:size]
        if run in known and not (size == 1 and run[0] in STOP_WORDS):
            yield run
