"""What one unit of work decided, and what became of its input."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphmem.model.records import Assertion, Edge, Entity, Episode, Ruling, Vector


class Outcome(StrEnum):
    """What became of one input record."""

    NEW = "new"
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    SKIPPED = "skipped"
    FAILED = "failed"


class Extraction(StrEnum):
    """How far the reading of an episode's facts has come."""

    NONE = "none"
    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one input record, and why.

    ``record`` says where it stood (``"chat.jsonl:12"``); ``episode_id`` is None if none was stored.
    ``recorded_edges``/``closed_edges`` count edge rows that its write opened and closed.
    """

    record: str
    episode_id: str | None
    outcome: Outcome
    reason: str | None
    extraction: Extraction
    assertion_ids: tuple[str, ...]
    recorded_edges: int
    closed_edges: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A recorded link: this assertion supports that edge."""

    edge_id: str
    assertion_id: str


@dataclass(frozen=True, slots=True)
class ExtractionState:
    """How far the reading of one episode's facts has come, by which extractor, why it failed."""

    episode_id: str
    state: Extraction
    extractor: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class TextVector:
    """A text's embedding, kept by the text's hash within the group."""

    text_hash: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class EpisodeVectors:
    """Which texts stand for an episode in the vector channel: the turn, and its window of three."""

    episode_id: str
    turn_hash: str
    window_hash: str


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A relation that a group's catalog adds or redefines: its definition as JSON text."""

    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What one unit of work decided; a store applies it whole or not at all.

    Order of application: closes, then new rows. Every list may be empty.

    Attributes:
        close_episodes: Ids whose current version's transaction time ends now.
        episodes: New episodes and new versions.
        entities: New entities, or new rows of known ones (aliases, attributes).
        close_assertions: Ids whose transaction time ends now.
        close_edges: Ids whose transaction time ends now; one that has not begun yet is removed.
        edges: New rows; ``recorded.start`` may lie ahead (expiry), never behind the stamp.
        evidence: New links; known ones are ignored.
    """

    close_episodes: tuple[str, ...] = ()
    episodes: tuple[Episode, ...] = ()
    entities: tuple[Entity, ...] = ()
    close_assertions: tuple[str, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    close_edges: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    vectors: tuple[TextVector, ...] = ()
    episode_vectors: tuple[EpisodeVectors, ...] = ()
    edge_vectors: tuple[tuple[str, str], ...] = ()
    extractions: tuple[ExtractionState, ...] = ()
    relations: tuple[RelationRow, ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__)
