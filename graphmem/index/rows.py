"""What an image is fed with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from graphmem.model import Edge, Entity, Episode, EpisodeVectors, TextVector


@dataclass(frozen=True, slots=True)
class EdgeSource:
    """One assertion that supports an edge: its episode, and where and by whom it was said."""

    edge_id: str
    episode_id: str | None
    thread_id: str
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one group, to put into its image.

    Attributes:
        episodes: New versions, or known ones (id, version) whose ``recorded`` has changed.
        entities: New rows; of two rows of one id the later recorded one counts.
        edges: New edges, or known ones whose ``recorded`` has changed.
        sources: Links from edges, given before or with them, to what supports them; known ones
            are ignored.
        vectors: Embeddings by text hash.
        episode_vectors: They stand for the latest version of the episode, older ones lose theirs.
        edge_vectors: (edge id, text hash) of the fact. Vectors, links to them and the rows linked
            may come in any order.
        removed: Ids of episodes and edges that are gone, in all versions.
    """

    episodes: Sequence[Episode] = ()
    entities: Sequence[Entity] = ()
    edges: Sequence[Edge] = ()
    sources: Sequence[EdgeSource] = ()
    vectors: Sequence[TextVector] = ()
    episode_vectors: Sequence[EpisodeVectors] = ()
    edge_vectors: Sequence[tuple[str, str]] = ()
    removed: Collection[str] = ()
