"""Hits out of scored candidates and the rows they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphmem.model import Assertion, Citation, Edge, Episode, Hit, HitKind
from graphmem.retrieval.ranking import Scored


def citation(assertion: Assertion) -> Citation:
    """Return the words behind an assertion: its quote, or its sentence when it has none."""
    quote = assertion.fact if assertion.quote is None else assertion.quote.text
    place = (assertion.episode_id, assertion.thread_id, assertion.speaker)
    return Citation(*place, quote, assertion.said)


def hits(
    scored: Iterable[Scored],
    edges: Mapping[str, Edge],
    episodes: Mapping[str, Episode],
    citations: Mapping[str, Sequence[Citation]],
) -> list[Hit]:
    """Return a hit for each scored candidate, in order.

    Args:
        scored: Best first. One whose row is not given (erased meanwhile) is left out.
        edges: By id.
        episodes: By id; an episode cites itself.
        citations: Of each edge, by its id.
    """
    found = (
        _edge_hit(one, edges, citations)
        if one.candidate.kind is HitKind.EDGE
        else _episode_hit(one, episodes)
        for one in scored
    )
    return [hit for hit in found if hit is not None]


def _edge_hit(
    scored: Scored, edges: Mapping[str, Edge], citations: Mapping[str, Sequence[Citation]]
) -> Hit | None:
    edge = edges.get(scored.candidate.id)
    if edge is None:
        return None
    return _hit(scored, edge.fact, edge, None, tuple(citations.get(edge.id, ())))


def _episode_hit(scored: Scored, episodes: Mapping[str, Episode]) -> Hit | None:
    turn = episodes.get(scored.candidate.id)
    if turn is None:
        return None
    own = Citation(turn.id, turn.thread_id, turn.speaker, turn.text, turn.occurred_at)
    return _hit(scored, turn.text, None, turn, (own,))


def _hit(
    scored: Scored,
    text: str,
    edge: Edge | None,
    episode: Episode | None,
    citations: tuple[Citation, ...],
) -> Hit:
    row = edge or episode
    assert row is not None
    return Hit(
        id=row.id,
        kind=scored.candidate.kind,
        text=text,
        rank=scored.rank,
        score=scored.score,
        channels=scored.candidate.ranks,
        parts=scored.parts,
        group_id=row.group_id,
        edge=edge,
        episode=episode,
        citations=citations,
    )
