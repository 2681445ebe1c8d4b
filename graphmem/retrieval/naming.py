"""Which entities the words of a question name."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from graphmem.index import STOP_WORDS, name_key, terms

Lookup = Callable[[Collection[str]], Mapping[str, list[str]]]
"""Returns the ids of entities by ``name_key``, as ``View.named`` does."""

_WORD: Final = re.compile(r"\S+")
_HAN: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_EDGES: Final = " \t\n?!.,;:\"“”‘’'`()[]{}«»…？！。，；：、（）《》「」"
_OWNER: Final = re.compile(r"['’]s?$", re.IGNORECASE)
_LONGEST: Final = 16
"""Words, or Chinese characters, of the longest name that is looked up."""
_GENERIC: Final = frozenset(
    terms(
        "project team plan company program programme product app system service corp inc ltd gmbh"
    )
)
"""Nouns that may stand beside a name without being part of it: "the Atlas project"."""
_JOINING: Final = frozenset("and or 和 与 及".split())
_SMALL: Final = frozenset("a an the of for to in on at our my your their his her its 的".split())
_ENOUGH: Final = 0.55
"""Share of a mention's idf that a shorter name must cover: more than one of two equal words."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: offsets without punctuation, and whether "'s" follows."""

    text: str
    start: int
    end: int
    owner: bool

    @property
    def lower(self) -> str:
        """Case folded, with straight apostrophes."""
        return self.text.casefold().replace("’", "'")


@dataclass(frozen=True, slots=True)
class Known:
    """A stretch of a question that is the name of entities."""

    start: int
    end: int
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Mention:
    """What a question speaks of: its words, and whom they name; no ids: to be found by words."""

    text: str
    ids: frozenset[str] = frozenset()


def split(text: str) -> list[Word]:
    """Return the words of a text between white space, punctuation at their edges left out."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        inner = match[0].strip(_EDGES)
        if not inner:
            continue
        start = match.start() + match[0].index(inner)
        ends_owner = match[0][match[0].index(inner) :].startswith((f"{inner}'", f"{inner}’"))
        suffix = _OWNER.search(inner)
        inner = inner[: suffix.start()] if suffix else inner
        found.append(Word(inner, start, start + len(inner), bool(suffix) or ends_owner))
    return found


def find_names(text: str, named: Lookup) -> list[Known]:
    """Return the longest names in a text that never overlap, in order. Cost: one look-up.

    A name begins and ends where words do, or at any Chinese character; one small word alone
    ("it", "the") is no name.
    """
    starts, ends = _boundaries(text)
    keys: dict[tuple[int, int], str] = {}
    for at, start in enumerate(starts):
        limit = starts[at + _LONGEST] if at + _LONGEST < len(starts) else len(text)
        for end in (end for end in ends if start < end <= limit):
            if text[start:end].strip() and text[start:end] not in STOP_WORDS:
                keys[start, end] = name_key(text[start:end])
    ids = named(set(keys.values()))
    found: list[Known] = []
    for start, end in sorted(keys, key=lambda span: (span[0] - span[1], span[0])):
        if ids.get(keys[start, end]) and all(end <= k.start or k.end <= start for k in found):
            found.append(Known(start, end, frozenset(ids[keys[start, end]])))
    return sorted(found, key=lambda known: known.start)


def _boundaries(text: str) -> tuple[list[int], list[int]]:
    starts: set[int] = set()
    ends: set[int] = set()
    for match in _WORD.finditer(text):
        inner = match[0].strip(_EDGES)
        begin = match.start() + (match[0].index(inner) if inner else 0)
        starts |= {match.start(), begin}
        ends |= {match.end(), begin + len(inner)}
        if owner := _OWNER.search(inner):
            ends.add(begin + owner.start())
    for match in _HAN.finditer(text):
        starts |= {match.start(), match.end()}
        ends |= {match.start(), match.end()}
    return sorted(starts), sorted(ends)


def mention(text: str, start: int, end: int, known: Sequence[Known]) -> Mention:
    """Return what stands in a stretch of a question.

    It is named by the name that covers all its words but small and generic ones, or by several
    joined with "and".
    """
    inside = [k for k in known if start <= k.start and k.end <= end]
    for one in sorted(inside, key=lambda k: k.start - k.end):
        rest = f"{text[start : one.start]} {text[one.end : end]}"
        if not set(units(rest)) - _GENERIC:
            return Mention(text[start:end], one.ids)
    places = [start, *(place for k in inside for place in (k.start, k.end)), end]
    between = (text[a:b] for a, b in zip(places[::2], places[1::2], strict=True))
    if len(inside) > 1 and {unit for gap in between for unit in units(gap)} <= _JOINING:
        return Mention(text[start:end], frozenset(id for k in inside for id in k.ids))
    return Mention(text[start:end])


@lru_cache(maxsize=1 << 15)
def units(text: str) -> tuple[str, ...]:
    """Return what names are compared by word for word: stems, and single Chinese characters."""
    found: list[str] = []
    spaced = _HAN.sub(lambda match: f" {match[0]} ", text)
    for word in split(spaced):
        is_small = word.lower in _SMALL and word.text in (word.lower, word.text.capitalize())
        if not is_small or word.text == "A":
            found.extend(terms(word.text))
    return tuple(found)


def resembling(mention: Mention, names: Mapping[str, str]) -> set[str]:
    """Return the ids of those names that most resemble a mention, and that it may mean.

    A name may be meant if it holds all words of the mention ("Tomas": "Tomas Lindqvist"), or if
    the mention holds all of its words and little besides: generic nouns, or plain words that
    weigh less by idf; never another proper name or number.

    Args:
        mention: The words of the question.
        names: Names by entity id.
    """
    asked = set(units(mention.text))
    said = {id: set(units(name)) for id, name in names.items() if _may_share(asked, name)}
    counts = Counter(unit for held in said.values() for unit in held)
    marked = _marked(mention.text)
    scores = {id: _likeness(asked, held, counts, len(names), marked) for id, held in said.items()}
    best = max(scores.values(), default=0.0)
    return {id for id, score in scores.items() if score == best > 0}


def _may_share(asked: set[str], name: str) -> bool:
    """Tell cheaply whether a name may hold any of these units: forms of a word begin alike."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return any(unit[:2] in folded for unit in asked)


def _likeness(
    asked: set[str], held: set[str], counts: Mapping[str, int], total: int, marked: set[str]
) -> float:
    if not asked or not held:
        return 0.0
    if asked <= held:
        return 1.0 + len(asked)
    extra = asked - held - _GENERIC
    if not held <= asked or extra & marked:
        return 0.0

    def weight(chosen: Iterable[str]) -> float:
        return sum(math.log(1 + (total + 1) / max(counts.get(unit, 0), 1)) for unit in chosen)

    share = weight(held) / (weight(held) + weight(extra))
    return share if share > _ENOUGH else 0.0


def _marked(text: str) -> set[str]:
    """Return the units of proper names and numbers: what sets two things apart."""
    return {
        unit
        for word in split(text)
        if word.text[:1].isupper() or any(char.isdigit() for char in word.text)
        for unit in units(word.text)
    }
