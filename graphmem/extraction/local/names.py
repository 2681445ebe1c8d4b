"""Noun phrases to names, as written; "I" is the speaker, "she" the one person just spoken of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmem.catalog import Relation
from graphmem.extraction.local.vocabulary import (
    ARTICLES,
    COUNTED,
    FIRST_PERSON,
    GENERIC,
    INDEFINITE,
    MEASURES,
    THIRD_PERSON,
    VAGUE,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_INSIDE: Final = frozenset({"compound", "amod", "nummod", "nmod", "poss", "quantmod", "flat"})
_COUNTS: Final = ("CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY")
_ONE_OWNER: Final = ("my", "his", "her", "your", "their")  # "my son": somebody without a name
_POINTING: Final = ("the", "a", "an", "this", "that", "these", "those")
_EDGES: Final = " \t\"'“”‘’`()[]{}<>,;:!?.…@#*。，"
_LETTER: Final = re.compile(r"[A-HJ-Z]\.?|v\d[\w.]*")  # "model B", "Atlas v2"
_CODE: Final = re.compile(r"[^\W\d_].*\d|\d.*[^\W\d_]")
_WORD_START: Final = re.compile(r"(?:[^\W_]+[-&'’])+$")
_WORD_END: Final = re.compile(r"(?:[\w+#]|[./&-](?=\w))*")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written.

    Attributes:
        text: Without article, and without "project" or "team" around a proper name.
        start: Offset of its first character in the paragraph; ``end`` is exclusive.
        proper: Written like a proper name; the speaker and a resolved pronoun are.
        label: What the model takes it for (``PERSON``, ``GPE``), or "".
        first: Stands for "I" or "we"; ``plural`` for "we".
        resolved: Stands for "she" or "they".
        definite: Names one known thing: proper, or with "the" or an owner.
        words: The name as it stands in a sentence: "the rollout", "to use Postgres".
    """

    text: str
    start: int
    end: int
    proper: bool
    label: str = ""
    first: bool = False
    plural: bool = False
    resolved: bool = False
    definite: bool = True
    words: str = ""


@dataclass(slots=True)
class People:
    """Who a turn speaks of, for the pronouns after it; ``things`` are known to be no persons."""

    persons: dict[str, int] = field(default_factory=dict[str, int])
    things: set[str] = field(default_factory=set[str])

    def add(self, name: str, at: int) -> None:
        """Note a person named at an offset of the turn; the first place counts."""
        self.persons.setdefault(name, at)

    def before(self, at: int | None = None) -> set[str]:
        """Return who was named before an offset, or at all."""
        named = {name for name, place in self.persons.items() if at is None or place < at}
        return named - self.things


@dataclass(frozen=True, slots=True)
class Namer:
    """Reads names in one paragraph of a turn.

    Attributes:
        offset: Of the paragraph in the turn's text.
        speaker: Who says "I", or None: then "I" has no name.
        people: Those of this turn, filled as it is read.
        earlier: Those of the turn before.
        text: The paragraph.
        times: Where time words stand in it, half-open: they are no part of a name.
    """

    offset: int
    speaker: str | None
    people: People
    earlier: People
    text: str
    times: Sequence[tuple[int, int]] = ()

    def names(self, token: Token) -> Iterator[Name]:
        """Yield the name of a noun phrase, and of those joined to it by "and"."""
        for each in (token, *token.conjuncts):
            if each.i < token.i or (each != token and (begins_clause(each) or _is_ruled_out(each))):
                continue
            if (name := self.name(each)) is not None:
                yield name

    def name(self, token: Token) -> Name | None:
        """Return the name of the phrase that ``token`` heads; None if it names nothing known."""
        word = token.lower_
        if word in FIRST_PERSON:
            plural = word.startswith(("we", "us", "ou"))
            return self._person(token, self.speaker, first=True, plural=plural)
        if word in THIRD_PERSON:
            return self._person(token, self.antecedent(token.idx), resolved=True)
        is_word = token.pos_ in ("PRON", "DET", "VERB", "AUX", "ADP") and not token.ent_type_
        if is_word or word in INDEFINITE:
            return None
        return self._phrase(_named_by(token))

    def _person(
        self,
        token: Token,
        text: str | None,
        *,
        first: bool = False,
        plural: bool = False,
        resolved: bool = False,
    ) -> Name | None:
        if not text:
            return None
        at = token.idx
        end = at + len(token)
        return Name(text, at, end, True, "PERSON", first, plural, resolved, words=text)

    def antecedent(self, at: int) -> str | None:
        """Return the one person spoken of before an offset of the paragraph, if it is just one.

        If nobody is in this turn yet: in the turn before. The speaker never is "she".
        """
        here = self.people.before(self.offset + at) - {self.speaker}
        found = here or self.earlier.before() - {self.speaker}
        return found.pop() if len(found) == 1 else None

    def learn(self, relation: Relation, subject: Name, object: Name | None) -> None:
        """Learn who is a person and what is none, for the pronouns that follow."""
        if relation.subject_kind == "person":
            self.people.add(subject.text, self.offset + subject.start)
        if object is not None and relation.object_kind == "person":
            self.people.add(object.text, self.offset + object.start)
        elif object is not None and relation.object_kind:
            self.people.things.add(object.text)

    def _phrase(self, token: Token) -> Name | None:
        if token.ent_type_ in MEASURES and token.pos_ != "PROPN":
            return None
        determiners = [child.lower_ for child in token.children if child.dep_ in ("det", "predet")]
        if any(word in COUNTED for word in determiners):
            return None
        start, end = self._timeless(*phrase(self.text, token))
        text = self.text[start:end]
        if (
            not text
            or text.lower() in VAGUE
            or "each other" in text.lower()
            or len(text.split()) > 10
        ):
            return None
        proper = _is_proper(text, start, token)
        owners = [child.lower_ for child in token.children if child.dep_ == "poss"]
        owned = bool(owners) and not any(word in _ONE_OWNER for word in owners)
        definite = proper or owned or "the" in determiners
        label = "" if token.ent_type_ in _COUNTS and proper else token.ent_type_
        article = next((word for word in determiners if word in ARTICLES), "")
        words = text if proper or not article else f"{article} {text}"
        return Name(text, start, end, proper, label, definite=definite, words=words)

    def _timeless(self, start: int, end: int) -> tuple[int, int]:
        for since, until in self.times:
            if since <= start < until:
                start = min(until, end)
            elif since < end <= until:
                end = max(since, start)
        return _stripped(self.text, start, end)


def people_in(doc: Doc, text: str, offset: int, people: People) -> None:
    """Note the persons that the model finds in a paragraph."""
    for entity in doc.ents:
        if entity.label_ == "PERSON" and looks_proper(entity.text):
            start, end = _trimmed(text, entity.start_char, entity.end_char)
            people.add(text[start:end].removesuffix("'s"), offset + start)


def phrase(text: str, token: Token) -> tuple[int, int]:
    """Return the offsets of a noun phrase in its paragraph ``text``, trimmed to the name."""
    return _trimmed(text, *_bounds(text, token))


def begins_clause(token: Token) -> bool:
    """Tell a name that was joined to the wrong one: "... at Acme and *Ann* leads Atlas"."""
    following = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else token
    own = any(child.dep_.startswith("nsubj") for child in following.children)
    return token.dep_ == "conj" and following.tag_ in ("VBZ", "VBD") and not own


def _is_ruled_out(token: Token) -> bool:
    """Tell the second name of "Ann, not Ben"."""
    first = token.left_edge.i
    return first > 0 and token.doc[first - 1].lower_ == "not"


def looks_proper(text: str) -> bool:
    """Tell whether a phrase is written like a name: a capital, a code, or a caseless script."""
    return any(
        (word[0].isalpha() and not word[0].islower()) or _CODE.search(word) for word in text.split()
    )


def _is_proper(text: str, start: int, token: Token) -> bool:
    head = token.idx + len(token) - start
    if not looks_proper(text if head < 1 else text[:head]):
        return False  # "fan of Kafka" is no proper name
    begins = token.i == token.sent.start or token.doc[token.i - 1].is_punct
    return not begins or " " in text or token.tag_ != "NNS"


def _named_by(token: Token) -> Token:
    """Of "my manager Ben" and "the project Atlas", take the name that stands beside the noun."""
    if token.pos_ == "PROPN":
        return token
    beside = (child for child in token.children if child.dep_ == "appos" and child.i > token.i)
    named = (child for child in beside if child.pos_ == "PROPN" and not _is_ruled_out(child))
    return next(named, token)


def _bounds(text: str, token: Token) -> tuple[int, int]:
    """Return the offsets of the phrase: modifiers before it, "of ..." and a number after it."""
    doc = token.doc
    inside = {
        each.i
        for child in token.lefts
        if child.dep_ in _INSIDE and child.tag_ != "PRP$"
        for each in child.subtree
    }
    left = token.i
    while left - 1 in inside:
        left -= 1
    right = token.i
    while right + 1 < len(doc) and _continues(doc[right + 1], token):
        right += 1
    right = max(right, _of_phrase(token))
    end = doc[right].idx + len(doc[right])
    tail = _WORD_END.match(text, end)
    start = doc[left].idx
    lead = _WORD_START.search(text[max(0, start - 40) : start])
    return start - len(lead[0]) if lead else start, tail.end() if tail else end


def _continues(following: Token, head: Token) -> bool:
    is_part = following.head == head and following.dep_ in ("nummod", "flat")
    is_entity = following.ent_iob_ == "I" and following.pos_ in ("PROPN", "NUM")
    is_twin = _is_twin(following, head) or (
        following.dep_ in _INSIDE
        and following.i < following.head.i
        and _is_twin(following.head, head)
    )
    return is_part or is_entity or is_twin or bool(_LETTER.fullmatch(following.text))


def _is_twin(other: Token, head: Token) -> bool:
    """Tell "the schema change": a noun that the parser takes for a second object."""
    as_object = other.head == head.head and other.dep_ == head.dep_ in ("dobj", "pobj")
    return as_object and other.i > head.i and all(c.dep_ != "det" for c in other.lefts)


def _of_phrase(token: Token) -> int:
    for child in token.rights:
        if child.lower_ == "of" and child.dep_ == "prep":
            for thing in child.children:
                if thing.dep_ == "pobj" and (token.pos_ != "PROPN" or thing.pos_ == "PROPN"):
                    return thing.i
    return token.i


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Drop punctuation at the edges, an article, and a generic noun beside a proper name."""
    start, end = _stripped(text, start, end)
    words = text[start:end].split()
    first, rest = words[0].lower() if words else "", words[:-1]
    if rest and (first in _POINTING or (first in GENERIC and looks_proper(words[1]))):
        return _trimmed(text, start + len(first), end)
    if rest and words[-1].lower() in GENERIC and all(looks_proper(word) for word in rest):
        end = start + text[start:end].rindex(words[-1])
        return _stripped(text, start, end)
    return start, end


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    lead = len(inner) - len(inner.lstrip(_EDGES))
    kept = inner.strip(_EDGES)
    return start + lead, start + lead + len(kept)
