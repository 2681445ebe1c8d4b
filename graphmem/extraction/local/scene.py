"""One paragraph being read: what its phrases name, and which of them a relation can join."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from graphmem.catalog import Relation, TemporalKind
from graphmem.extraction.local.lexicon import Lexicon, Sense
from graphmem.extraction.local.names import Name, Namer, phrase
from graphmem.extraction.local.stance import Stance
from graphmem.extraction.local.vocabulary import MEASURES
from graphmem.temporal.words import find_times

if TYPE_CHECKING:
    from spacy.tokens import Token

_NUMBER: Final = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?")
_YEAR: Final = re.compile(r"\d{4}")
_PREPOSITION: Final = re.compile(
    r"^(?:(?:no later than|due|on|by|at|in|for|to|until|since|from)\s+)+", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Value:
    """A literal in the paragraph: a date, a number, or else its words."""

    literal: int | float | str | datetime
    text: str
    start: int
    end: int


End: TypeAlias = Name | Value


@dataclass(frozen=True, slots=True)
class Reading:
    """Two ends that a clause relates, in the relation's own direction.

    ``relation`` None: nobody declared it, and ``words`` name it. ``clause`` is the verb (or the
    noun) whose time words are its own; or where they stand, half-open, in the paragraph.
    """

    clause: Token | tuple[int, int]
    subject: Name
    relation: Relation | None
    words: str
    object: End
    stance: Stance


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known while a paragraph is read; ``said``: when, or None."""

    lexicon: Lexicon
    namer: Namer
    said: datetime | None

    def joined(
        self, clause: Token, sense: Sense, subject: Name, object: Token, stance: Stance
    ) -> Iterator[Reading]:
        """Yield what ``sense`` relates ``subject`` to: each name of the phrase, or its value."""
        relation = sense.relation
        ends: list[End] = list(self.namer.names(object))
        if relation.object_kind == "value" and not sense.inverted:
            value = self.value(object, relation)
            ends = [value] if value else []
        for end in ends:
            yield from self.pair(clause, sense, subject, end, stance)

    def pair(
        self,
        clause: Token | tuple[int, int],
        sense: Sense,
        one: End,
        other: End,
        stance: Stance,
    ) -> Iterator[Reading]:
        """Yield the reading of ``one`` - ``sense`` - ``other``, if both can be its ends."""
        subject, object = (other, one) if sense.inverted else (one, other)
        relation = sense.relation
        if isinstance(subject, Name) and _fits(relation, subject, object):
            yield Reading(clause, subject, relation, relation.name, object, stance)

    def value(self, token: Token, relation: Relation) -> Value | None:
        """Return the literal that begins with the phrase of ``token``."""
        start, end = token.left_edge.idx, token.sent[-1].idx + len(token.sent[-1])
        lean = "past" if relation.temporal is TemporalKind.PERMANENT else "future"
        text = self.namer.text
        for span in find_times(text[start:end], self.said, lean=lean)[:1]:
            if span.start <= token.idx + len(token) - start:
                words = _PREPOSITION.sub("", text[start + span.start : start + span.end])
                end = start + span.end
                is_whole = lean == "future" or _YEAR.search(words)  # a birthday without its year
                literal = span.at.instant if is_whole else words
                return Value(literal, words, end - len(words), end)
        return plain_value(text, *phrase(text, token))


def plain_value(text: str, start: int, end: int) -> Value | None:
    """Return a number, or the words themselves."""
    words = text[start:end]
    if not words:
        return None
    if _NUMBER.fullmatch(words):
        return Value(float(words) if "." in words else int(words), words, start, end)
    return Value(words, words, start, end)


def _fits(relation: Relation, subject: Name, object: End) -> bool:
    if subject.text == object.text or subject.label in MEASURES:
        return False
    if not (subject.proper if relation.subject_kind == "person" else subject.definite):
        return False
    if relation.object_kind == "value" or isinstance(object, Value):
        return relation.object_kind == "value" and isinstance(object, Value)
    if object.label in MEASURES:
        return False
    if relation.object_kind in ("person", "place", "organization"):
        return object.proper
    return object.proper or relation.object_kind != "project" or " " in object.text
