"""What one clause of a question asks: a relation, and what stands at its ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphmem.retrieval.phrases import Sense


class Wanted(StrEnum):
    """What a question wants to know of the edges that fit."""

    SUBJECT = "subject"
    OBJECT = "object"
    TIME = "time"
    WHETHER = "whether"
    RELATION = "relation"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the question's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Clause:
    """One relation between two ends, in the direction of its words.

    Attributes:
        sense: The relation, or None: not one that the catalog knows.
        subject: What stands before the relation's words: a stretch of the text, another clause
            ("the person who leads Atlas"), or None: open.
        object: Likewise what stands after them.
        asks_time: The answer is when.
        about: ``object`` is a topic ("decided about the event bus"): the object is asked for.
        stems: The stems of the clause, for a relation that nobody declared; none: any relation.
    """

    sense: Sense | None
    subject: Span | Clause | None
    object: Span | Clause | None
    asks_time: bool = False
    about: bool = False
    stems: tuple[str, ...] = ()
