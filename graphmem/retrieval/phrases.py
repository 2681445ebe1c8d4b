"""How a catalog's relations are said in questions: verbs, nouns, and Chinese phrases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from graphmem.catalog import Catalog, Relation, TemporalKind, relation_key
from graphmem.index import terms

BE: Final = frozenset("is are was were be been being am".split())
HAVE: Final = frozenset("has have had".split())
ARTICLES: Final = frozenset("a an the".split())
PREPOSITIONS: Final = frozenset("of for to at in on with by from as about into".split())
_PLACED: Final = ("in", "at", "to", "on")
_HAN: Final = re.compile("[\u3400-\u9fff]")
_IRREGULAR: Final = {
    form: base
    for base, forms in {
        "lead": "led", "leave": "left", "buy": "bought", "sell": "sold", "meet": "met",
        "take": "took taken", "write": "wrote written", "choose": "chose chosen",
        "build": "built", "give": "gave given", "go": "went gone", "begin": "began begun",
        "become": "became", "make": "made", "hold": "held", "keep": "kept", "break": "broke broken",
        "drink": "drank drunk", "eat": "ate eaten", "know": "knew known", "speak": "spoke spoken",
        "get": "got gotten", "run": "ran", "see": "saw seen", "win": "won", "pay": "paid",
        "grow": "grew grown", "teach": "taught", "think": "thought", "bring": "brought",
    }.items()
    for form in forms.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sense:
    """What words mean: a relation; ``inverted`` when they stand between its object and subject."""

    relation: Relation
    inverted: bool


@dataclass(frozen=True, slots=True)
class Phrase:
    """A Chinese phrase around what stands in the place of its object: 在 … 工作, or 批准了 …."""

    before: str
    after: str
    sense: Sense


class Phrasebook:
    """The phrases of one catalog; of two that read alike the relation that comes first has it.

    Attributes:
        verbs: By stems, be, have and articles left out: ("approv",), ("report", "to").
        passives: Participles of an inverse that ends with "by": ("approv",).
        bare: A verb's stem without its preposition, for "where": "work" of "works at".
        nouns: What an owner has, by words as written: ("due", "date"), ("manager",). Not inverted:
            the owner is the relation's subject.
        chinese: Longest first.
        holders: Chinese nouns of what an owner has: 负责人.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.verbs: dict[tuple[str, ...], Sense] = {}
        self.passives: dict[tuple[str, ...], Sense] = {}
        self.bare: defaultdict[str, dict[str, Sense]] = defaultdict(dict)
        self.nouns: dict[tuple[str, ...], Sense] = {}
        self.chinese: list[Phrase] = []
        self.holders: dict[str, Sense] = {}
        for relation in catalog.relations.values():
            for name, sense in _names(relation):
                if _HAN.search(name):
                    self._add_chinese(name, sense)
                else:
                    self._add_english(relation_key(name).split(), sense)
        self.chinese.sort(key=lambda phrase: -len(phrase.before + phrase.after))

    def _add_english(self, words: list[str], sense: Sense) -> None:
        said = [word for word in words if word not in ARTICLES]
        while len(said) > 1 and said[0] in BE | HAVE:
            said = said[1:]
        is_state = sense.relation.temporal is not TemporalKind.EVENT
        had = words[0] in HAVE and is_state and said[-1] not in PREPOSITIONS
        if said[-1] in BE and len(said) > 1:
            self.nouns.setdefault(tuple(said[:-1]), sense)
        elif had:
            self.nouns.setdefault(tuple(said), sense)
        else:
            self._add_verb(said, sense)
        if said[-1] == "of" and len(said) > 1 and is_state:
            self._add_holder(tuple(said[:-1]), sense)

    def _add_verb(self, said: list[str], sense: Sense) -> None:
        stems = tuple(map(stem, said))
        self.verbs.setdefault(stems, sense)
        if stems[-1] == "by" and len(stems) > 1:
            self.passives.setdefault(stems[:-1], sense)
        if len(stems) == 2 and stems[1] in _PLACED:
            self.bare[stems[0]].setdefault(stems[1], sense)
        if len(stems) == 1:  # the approver, the creator
            self._add_holder((f"{stems[0]}er",), sense)
            self._add_holder((f"{stems[0]}or",), sense)

    def _add_holder(self, noun: tuple[str, ...], sense: Sense) -> None:
        """Add the noun of who stands before a verb: its owner stands after it."""
        self.nouns.setdefault(noun, Sense(sense.relation, not sense.inverted))

    def _add_chinese(self, name: str, sense: Sense) -> None:
        before, _, after = name.removesuffix("了").partition("…")
        if before.endswith("是") and not after and len(before) > 1:
            self.holders.setdefault(before[:-1], sense)
        self.chinese.append(Phrase(before, after, sense))
        if before.endswith("在") and not after:  # 住在: 在哪里住, 住哪里
            self.chinese.append(Phrase("在", before[:-1], sense))
            self.chinese.append(Phrase(before[:-1], "", sense))


@lru_cache(maxsize=64)
def phrasebook(catalog: Catalog) -> Phrasebook:
    """Return the phrases of a catalog, made once."""
    return Phrasebook(catalog)


def stem(word: str) -> str:
    """Return the form under which forms of a verb are one: "led", "leads" and "leading"."""
    base = _IRREGULAR.get(word, word)
    return (terms(base) or (base,))[0]


def stems_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the stems of a relation's words, be, have and articles left out."""
    return tuple(stem(word) for word in words if word not in BE | HAVE | ARTICLES)


def _names(relation: Relation) -> Iterator[tuple[str, Sense]]:
    for name in (relation.name, *relation.aliases):
        yield name, Sense(relation, inverted=False)
    for name in (relation.inverse, *relation.inverse_aliases):
        if name:
            yield name, Sense(relation, inverted=True)
