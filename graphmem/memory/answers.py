"""What reads give back besides edges, episodes and hits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphmem.model import Citation, Edge, Entity
from graphmem.temporal import Interval, Precision


class Ending(StrEnum):
    """Why a fact stopped being concluded at its end."""

    SUPERSEDED = "superseded"
    ENDED = "ended"
    STATED = "stated"


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One value that a relation had, and what is known of it.

    Attributes:
        subject, relation, object: Names, in the relation's canonical direction.
        valid: When it held, half-open, UTC.
        recorded: Since when the store has believed it.
        citations: Who said so, in which words, oldest first.
        ending: Why it ended; None while it goes on.
        ended_by: The words that ended it, or that named what came instead.
        successor: The value that came instead, or None.
    """

    edge_id: str
    subject: str
    relation: str
    object: str
    fact: str
    valid: Interval
    start_precision: Precision
    end_precision: Precision
    contested: bool
    recorded: Interval
    citations: tuple[Citation, ...]
    ending: Ending | None
    ended_by: Citation | None
    successor: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """One match of a pattern: the edge, its ends as the pattern asked for them, and its sources.

    Attributes:
        subject, relation, object: In the direction of the pattern: asked by an inverse, they are
            the edge's read from its other end.
        value: What was asked for: the name of the end that the pattern left open (the object if
            neither or both); when it began, as exactly as that is known; or the relation.
        edge: The edge, in its canonical direction, with its times.
        citations: Who said so, in which words, oldest first.
        through: The answer that this one was reached from, or None.
    """

    subject: str
    relation: str
    object: str
    value: str
    edge: Edge
    citations: tuple[Citation, ...]
    through: Answer | None = None

    @property
    def path(self) -> tuple[Answer, ...]:
        """The answers that led here, the first hop first, this one last."""
        return (*(self.through.path if self.through else ()), self)


@dataclass(frozen=True, slots=True)
class EntityPage:
    """A stretch of entities in order of id, and where the next one begins."""

    entities: tuple[Entity, ...]
    after: str | None
