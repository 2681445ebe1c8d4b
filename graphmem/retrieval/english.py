"""English questions: where the relation's words stand, and what stands on either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from graphmem.retrieval.clause import Clause, Span
from graphmem.retrieval.naming import Known, Word
from graphmem.retrieval.phrases import ARTICLES, BE, HAVE, PREPOSITIONS, Phrasebook, Sense, stem

_WH: Final = frozenset("who whom whose what which where when whoever".split())
_DO: Final = frozenset("do does did".split())
_AUX: Final = BE | HAVE | _DO | frozenset("will would can could shall should".split())
_OWNERS: Final = frozenset("their his her its".split())
_OWNING: Final = frozenset("of for at in on to".split())
_RELATIVE: Final = frozenset("that which who".split())
_HEADS: Final = frozenset(
    "person people one man woman guy colleague member engineer manager company team organization"
    " organisation project thing place city".split()
)
"""Nouns that a relative clause may follow: "the person who leads Atlas"."""
_FILLERS: Final = ARTICLES | frozenset(
    "currently now today still again already just actually ever recently also all exactly"
    " right there here please presently nowadays then else our my your this these those".split()
)
_BEYOND: Final = frozenset(
    "not never isn't wasn't doesn't didn't don't won't no previously formerly former before after"
    " until without except both together besides why how many originally earlier".split()
)
"""Words that ask for more than a pattern can tell: better no answer than a wrong one."""
_ABOUT: Final = frozenset("about regarding concerning on for".split())
_ANY: Final = frozenset(
    "think of about feel how related connected to and between relationship connection relation with"
    " opinion".split()
)
"""Words that ask how two things hang together."""
_US: Final = frozenset("we they team everyone everybody somebody someone anyone".split())
_BARE: Final = {"where": ("in", "at", "to"), "when": ("on",)}
_LONGEST: Final = 5


@dataclass(frozen=True, slots=True)
class _Match:
    """Where a relation's words begin and end.

    ``noun``: what an owner has ("X's manager"). ``passive``: "was approved", without "by".
    """

    start: int
    end: int
    sense: Sense
    noun: bool = False
    passive: bool = False


def read_english(words: Sequence[Word], book: Phrasebook, known: Sequence[Known]) -> Clause | None:
    """Return what one clause of an English question asks, or None if that cannot be told.

    Args:
        words: Of the clause, time words left out.
        book: The catalog's phrases.
        known: Names in the text: words inside them are no relation's, unless no others are.
    """
    return _Question(_in_order(words), book, known).read()


def _in_order(words: Sequence[Word]) -> list[Word]:
    """Return "by whom was it led" as "whom was it led by", and "how long" as "when"."""
    lower = [word.lower for word in words[:2]]
    if lower == ["how", "long"]:
        return [replace(words[1], text="when"), *words[2:]]
    if lower == ["how", "much"]:
        return [replace(words[1], text="what"), *words[2:]]
    if len(lower) == 2 and lower[1] in _WH and lower[0] in PREPOSITIONS | {"since", "until"}:
        is_moved = lower[0] in PREPOSITIONS
        return [*words[1:], *(words[:1] if is_moved else ())]
    return list(words)


class _Question:
    def __init__(self, words: list[Word], book: Phrasebook, known: Sequence[Known]) -> None:
        self._words = words
        self._lower = [word.lower for word in words]
        self._stems = [stem(word) for word in self._lower]
        self._book = book
        self._known = known
        self._start, self._wh = self._begin()
        self._relative = self._relative_at()
        self._with_be = self._follows_be()

    def read(self) -> Clause | None:
        if self._start < 0:
            return None
        found = list(self._matches(self._start, self._relative))
        if all(self._is_nominal(match) for match in found):
            found = self._after_relative() or found
        if not found:
            inner = self._inner(self._relative, len(self._words))
            return inner or self._undeclared()
        chosen = min(found, key=lambda match: self._preference(match, found))
        if self._is_beyond(chosen):
            return None
        return self._of_noun(chosen) if chosen.noun else self._of_verb(chosen)

    def _begin(self) -> tuple[int, str]:
        """Return where the question begins (-1: it is none), and its question word or ""."""
        for at, word in enumerate(self._lower):
            if word in _WH and not self._leads(at):
                return at, word
        return (0, "") if self._words else (-1, "")

    def _leads(self, at: int) -> bool:
        """Tell whether a word opens a relative clause."""
        if at == 0:
            return False
        head = self._lower[at - 1]
        is_head = head in _HEADS or head.removesuffix("s") in _HEADS
        return self._lower[at] == "whoever" or (self._lower[at] in _RELATIVE and is_head)

    def _relative_at(self) -> int:
        places = (at for at in range(self._start + 1, len(self._words)) if self._leads(at))
        return next(places, len(self._words))

    def _follows_be(self) -> bool:
        """Tell whether "be" is the verb in front: "who is", "who's", "is"."""
        if not self._words:
            return False
        if not self._wh:
            return self._lower[0] in BE
        aux = next((word for word in self._lower[self._start + 1 :] if word in _AUX), "")
        return self._words[self._start].owner or aux in BE

    def _matches(self, start: int, end: int) -> Iterator[_Match]:
        for at in range(start + bool(self._wh), end):
            for size in range(min(_LONGEST, end - at), 0, -1):
                yield from self._at(at, at + size)

    def _at(self, at: int, end: int) -> Iterator[_Match]:
        words, stems = tuple(self._lower[at:end]), tuple(self._stems[at:end])
        if (noun := self._book.nouns.get(words)) and self._has_owner(at, end):
            yield _Match(at, end, noun, noun=True)
        said = self._with_be and self._is_participle(at) and not self._lower[at].endswith("ing")
        if said and (passive := self._book.passives.get(stems)):
            yield _Match(at, end, passive, passive=True)
        elif (verb := self._book.verbs.get(stems)) and self._stands(at, end):
            yield _Match(at, end, verb)
        senses = self._book.bare.get(stems[0], {}) if len(stems) == 1 else {}
        for preposition in _BARE.get(self._wh, ()):
            if preposition in senses:
                yield _Match(at, end, senses[preposition])
                return

    def _stands(self, at: int, end: int) -> bool:
        """Tell whether prepositions alone say "is in" or "is from" here."""
        if not all(word in PREPOSITIONS for word in self._lower[at:end]):
            return True
        return self._lower[at - 1] in BE or (self._with_be and end == len(self._words))

    def _is_participle(self, at: int) -> bool:
        word = self._lower[at]
        return word.endswith(("ed", "en", "ing")) or stem(word) != stem(word.removesuffix("s"))

    def _has_owner(self, at: int, end: int) -> bool:
        left = self._trimmed(self._left(), at)
        if self._lower[end : end + 1] and self._lower[end] in _OWNING:
            return left is None
        if left is None or self._trimmed(end, len(self._words)) is not None:
            return self._wh == "whose"
        before = self._words[at - 1]
        return before.owner or before.lower in _OWNERS or self._with_be

    def _preference(
        self, match: _Match, found: Sequence[_Match]
    ) -> tuple[bool, bool, bool, int, int]:
        """Order matches: outside names, finite, not "the lead"; then the first, the longest."""
        at, size = match.start, match.end - match.start
        is_base = self._with_be and size == 1 and not match.noun and not self._is_participle(at)
        is_class = at == self._start + 1 and self._wh in ("which", "what")
        is_class = is_class and not self._with_be and any(m.start > at for m in found)
        return self._is_named(at), is_base or is_class, self._is_nominal(match), at, -size

    def _is_nominal(self, match: _Match) -> bool:
        """Tell whether a match is a noun before the verb: "the lead" of "does the lead live"."""
        before = self._words[match.start - 1] if match.start else None
        named = before is not None and (before.lower in ARTICLES or before.owner)
        return named and not self._with_be

    def _is_beyond(self, chosen: _Match) -> bool:
        for at in range(self._start, self._relative):
            inside = chosen.start <= at < chosen.end or self._is_named(at)
            if not inside and self._lower[at] in _BEYOND:
                return True
            if self._lower[at : at + 2] == ["used", "to"] and chosen.end - chosen.start == 1:
                return True
        return False

    def _left(self) -> int:
        """Return where the words before the verb begin: after "which team does"."""
        if self._wh not in ("which", "what"):
            return self._start + bool(self._wh)
        places = (at + 1 for at in range(self._start, len(self._words)) if self._lower[at] in _AUX)
        return next(places, len(self._words))

    def _of_verb(self, chosen: _Match) -> Clause | None:
        subject = self._end(self._left(), chosen.start)
        object = self._end(chosen.end, len(self._words))
        if (subject is None and object is None) or self._wh == "whose":
            return None
        if (topic := self._topic(chosen)) is not None:
            inverted = chosen.sense.inverted is not chosen.passive
            return Clause(Sense(chosen.sense.relation, inverted), None, topic, about=True)
        literal = chosen.sense.relation.object_kind == "value"
        return Clause(chosen.sense, subject, object, self._wh == "when" and not literal)

    def _topic(self, chosen: _Match) -> Span | Clause | None:
        """Return the end of "what was decided about the bus", "what did we decide on the bus"."""
        if self._wh not in ("what", "which"):
            return None
        left, about = self._trimmed(self._left(), chosen.start), self._lower[chosen.end :][:1]
        is_about = bool(about) and about[0] in _ABOUT
        if left is None and not is_about:
            return None
        if left is not None and not set(self._lower[slice(*left)]) <= _US:
            return None
        return self._end(chosen.end + is_about, len(self._words))

    def _of_noun(self, chosen: _Match) -> Clause | None:
        if self._wh == "whose":
            return Clause(chosen.sense, None, self._end(chosen.end, len(self._words)))
        after = self._lower[chosen.end : chosen.end + 1]
        of = bool(after) and after[0] in _OWNING
        span = (chosen.end + 1, len(self._words)) if of else (self._left(), chosen.start)
        owner = self._end(*span)
        return None if owner is None else Clause(chosen.sense, owner, None)

    def _trimmed(self, start: int, end: int) -> tuple[int, int] | None:
        """Return a stretch without auxiliaries and fillers at its edges; None: nothing left."""
        while start < end and self._lower[start] in _AUX | _FILLERS:
            start += 1
        while start < end and self._lower[end - 1] in _AUX | _FILLERS:
            end -= 1
        return (start, end) if start < end else None

    def _end(self, start: int, end: int) -> Span | Clause | None:
        if (trimmed := self._trimmed(start, end)) is None:
            return None
        start, end = trimmed
        span = Span(self._words[start].start, self._words[end - 1].end)
        for known in self._known:
            if known.start <= span.start and span.end <= known.end:
                return Span(known.start, known.end)
        is_relative = start <= self._relative < end
        inner = self._inner(self._relative, end) if is_relative else None
        return self._role(start, end) or inner or span

    def _inner(self, start: int, end: int) -> Clause | None:
        """Read a relative clause as a question: "who leads Atlas"."""
        if not self._start < start < end:
            return None
        words = [replace(self._words[start], text="who"), *self._words[start + 1 : end]]
        return _Question(words, self._book, self._known).read()

    def _role(self, start: int, end: int) -> Clause | None:
        """Read "the lead of Atlas" and "Atlas's lead" as who that is."""
        words = self._words[start:end]
        inner = _Question(words, self._book, self._known)
        for match in inner._matches(0, len(words)):
            literal = match.sense.relation.object_kind == "value"
            is_owned = match.start > 0 and words[match.start - 1].owner
            if match.noun and not literal and (match.start == 0 or is_owned):
                return inner._of_noun(match)
        return None

    def _after_relative(self) -> list[_Match]:
        """Return the main verb after a relative clause: "live" in "the person who leads X live"."""
        found = [
            match
            for match in self._matches(self._relative + 1, len(self._words))
            if match.end == len(self._words) and match.start > self._relative + 1
        ]
        return sorted(found, key=lambda match: match.start)[:1]

    def _undeclared(self) -> Clause | None:
        """Read a verb that the catalog does not know between names that the group knows.

        "How are X and Y related?" and "what does X think of Y?" ask for any relation.
        """
        named = [k for k in self._known if self._first() <= k.start and k.end <= self._last()]
        said = [
            at
            for at, word in enumerate(self._lower)
            if at >= self._start and word not in _AUX | _FILLERS | _WH and not self._is_named(at)
        ]
        words = {self._lower[at] for at in said}
        ends: list[Span | None] = [Span(k.start, k.end) for k in named]
        if len(ends) == 2 and words and words <= _ANY:
            return Clause(None, ends[0], ends[1])
        if not 0 < len(ends) < 3 or not words or words & _BEYOND:
            return None
        if len(ends) == 1:
            goes_first = any(word in _DO for word in self._lower[: self._start + 3])
            ends = [*ends, None] if goes_first else [None, *ends]
        stems = tuple(self._stems[at] for at in said)
        return Clause(None, ends[0], ends[1], self._wh == "when", stems=stems)

    def _first(self) -> int:
        return self._words[self._start].start

    def _last(self) -> int:
        return self._words[-1].end

    def _is_named(self, at: int) -> bool:
        return any(k.start <= self._words[at].start < k.end for k in self._known)
