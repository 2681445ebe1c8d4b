"""What a catalog's names mean as English words: verbs with their prepositions, and nouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from graphmem.catalog import Catalog, Relation, TemporalKind
from graphmem.catalog.catalog import relation_key
from graphmem.extraction.local.vocabulary import ARTICLES, BE, PREPOSITIONS
from graphmem.index import terms

_IDEOGRAPH: Final = re.compile("[\u3400-\u9fff]")


class Sense(NamedTuple):
    """What words mean: a relation, and whether their subject is the relation's object."""

    relation: Relation
    inverted: bool


class Verb(NamedTuple):
    """A word as a verb: its lemma, and whether it is inflected ("leads", "approved")."""

    lemma: str
    inflected: bool


class _Name(NamedTuple):
    """``helper``: "be" or "have" if it began with one, which ``words`` leave out like articles."""

    words: tuple[str, ...]
    verb: Verb
    sense: Sense
    helper: str


class Lexicon:
    """Looks words up among a catalog's names, aliases and inverses; earlier relations win.

    A name that begins with an inflected verb is that verb ("leads", "took over"). A noun with a
    preposition is a role ("manager of": the subject is it), one without is a property
    ("deadline", "manager is": the object is it). A state of a person that is one verb also gives
    the noun of who does it ("leads": "the lead of", "the leader of").
    """

    def __init__(self, catalog: Catalog, verbs: Callable[[Sequence[str]], Sequence[Verb]]) -> None:
        self._verbs: dict[tuple[str, ...], Sense] = {}
        self._surfaces: dict[tuple[str, ...], tuple[Sense, bool]] = {}
        self._states: dict[tuple[str, ...], Sense] = {}
        self._nouns: dict[str, Sense] = {}
        names = list(_names(catalog, verbs))
        self._present = _present(names)
        classes = list(_classes(names))
        for name, is_verb, is_noun in classes:
            self._add(name, is_verb=is_verb, is_noun=is_noun)
        for name, _, is_noun in classes:
            self._add_property(name, is_noun=is_noun)
        for name in names:
            self._add_doers(name)

    def verb(self, heads: Iterable[str], rest: Sequence[str]) -> Sense | None:
        """Look up a verb (any of its ``heads``, see ``verb_heads``) and the words after it."""
        found = (self._verbs.get((head, *rest)) for head in heads)
        return next((sense for sense in found if sense is not None), None)

    def state(self, words: Sequence[str]) -> Sense | None:
        """Look up what is said with "be": ("married", "to")."""
        return self._states.get(tuple(words))

    def surface(self, words: Sequence[str]) -> tuple[Sense, bool] | None:
        """Look up a verb exactly as the catalog writes it; the flag tells a past tense."""
        return self._surfaces.get(tuple(words))

    def noun(self, names: Iterable[str]) -> Sense | None:
        """Look up a noun; its holder is the subject, its owner ("of ...") the object."""
        found = (self._nouns.get(name) for name in names)
        return next((sense for sense in found if sense is not None), None)

    def predicate(self, relation: Relation, *, ahead: bool = False) -> str:
        """Return a relation's name as it stands between subject and object of a sentence.

        A name that needs "be" takes it from an alias: "was born in" for "born in".

        Args:
            relation: A relation of the catalog.
            ahead: It is yet to happen: "moves to" rather than "moved to".
        """
        if ahead and relation.name in self._present:
            return self._present[relation.name]
        content = _content(relation.name)
        for alias in relation.aliases:
            if alias.split()[0] in BE and _content(alias) == content:
                return alias
        is_event = relation.temporal is TemporalKind.EVENT
        return f"will have {relation.name}" if ahead and is_event else relation.name

    def outlasts(self, relation: Relation) -> bool:
        """Tell whether its past tense tells of what still holds ("was assigned to")."""
        return any(alias.startswith("was ") for alias in relation.aliases)

    def _add(self, name: _Name, *, is_verb: bool, is_noun: bool) -> None:
        words, verb, sense, helper = name
        if verb.inflected:
            self._surfaces.setdefault(words, (sense, not words[0].endswith("s")))
        for head in verb_heads(words[0], verb.lemma) if is_verb else ():
            self._verbs.setdefault((head, *words[1:]), sense)
        if helper == "have":
            self._verbs.setdefault(("have", *words), sense)
        if helper == "be" or not (is_verb and words[0].endswith("s")):
            self._states.setdefault(words, sense)
        if is_noun and helper != "have" and len(words) > 1 and words[-1] in PREPOSITIONS:
            self._nouns.setdefault(" ".join(words[:-1]), sense)

    def _add_property(self, name: _Name, *, is_noun: bool) -> None:
        words, _, sense, _ = name
        if words[-1] in BE:
            self._nouns.setdefault(" ".join(words[:-1]), _turned(sense))
        elif is_noun and words[-1] not in PREPOSITIONS:
            self._nouns.setdefault(" ".join(words), _turned(sense))

    def _add_doers(self, name: _Name) -> None:
        words, verb, sense, _ = name
        relation = sense.relation
        kind = relation.object_kind if sense.inverted else relation.subject_kind
        is_state = relation.temporal is TemporalKind.STATE and relation.object_kind != "value"
        if (
            kind == "person"
            and is_state
            and verb.inflected
            and words[0].endswith("s")
            and len(words) == 1
        ):
            stem = verb.lemma.removesuffix("e")
            for doer in (verb.lemma, f"{stem}er", f"{stem}or"):
                self._nouns.setdefault(doer, sense)


def _classes(names: Sequence[_Name]) -> Iterator[tuple[_Name, bool, bool]]:
    """Tell of each name whether it can be a verb, and whether it can be a noun.

    Another name of the relation decides: "use" is the verb that "uses" shows. Where none does,
    a name without "of" may be either ("mentor").
    """

    def form(name: _Name, word: str) -> tuple[str, ...]:
        return (name.sense.relation.name, word, *name.words[1:])

    inflected = [name for name in names if name.verb.inflected and not _is_plural(name)]
    shown = {form(name, name.verb.lemma) for name in inflected}
    spoken = {name.sense.relation.name for name in inflected}
    for name in names:
        relation, first = name.sense.relation, name.words[0]
        if _is_plural(name) or name.helper == "have":
            yield name, False, not name.verb.inflected
        elif (
            name.verb.inflected
            or form(name, first) in shown
            or first in ("can't", "cannot")
            or relation.temporal is TemporalKind.EVENT
        ):
            yield name, True, False
        else:
            either = relation.name not in spoken and relation.object_kind != "value"
            yield name, either and name.words[-1] != "of", True


def _is_plural(name: _Name) -> bool:
    """Tell "is friends with" from "befriends"."""
    return name.helper == "be" and name.words[0].endswith("s")


def _present(names: Sequence[_Name]) -> dict[str, str]:
    """Return the present tense of relations whose name is a past one: "moves to"."""
    own = {n.sense.relation.name: n.verb.lemma for n in names[::-1] if not n.sense.inverted}
    return {
        name.sense.relation.name: " ".join(name.words)
        for name in reversed(names)
        if name.words[0].endswith("s")
        and name.verb.inflected
        and not name.sense.inverted
        and name.verb.lemma == own[name.sense.relation.name]
    }


@lru_cache(maxsize=1 << 14)
def verb_heads(word: str, lemma: str) -> tuple[str, ...]:
    """Return the forms that a verb is looked up by: stems of the word and of its lemma.

    Lemmas alone differ between forms of a rare verb; stems alone between those of an irregular one.
    """
    return tuple(dict.fromkeys(terms(form)[0] for form in (lemma, word) if terms(form)))


def _turned(sense: Sense) -> Sense:
    return Sense(sense.relation, not sense.inverted)


def _names(catalog: Catalog, verbs: Callable[[Sequence[str]], Sequence[Verb]]) -> Iterator[_Name]:
    found = [
        (words, sense, _helper(name))
        for relation in catalog.relations.values()
        for name, sense in _senses(relation)
        if not _IDEOGRAPH.search(name) and (words := _content(name))
    ]
    read = verbs([words[0] for words, _, _ in found])
    for (words, sense, helper), verb in zip(found, read, strict=True):
        yield _Name(words, verb, sense, helper)


def _helper(name: str) -> str:
    first = name.split()[0]
    return "be" if first in BE else "have" if first in ("has", "have", "had") else ""


def _senses(relation: Relation) -> Iterator[tuple[str, Sense]]:
    for name in (relation.name, *relation.aliases):
        yield name, Sense(relation, inverted=False)
    for name in (relation.inverse, *relation.inverse_aliases):
        if name:
            yield name, Sense(relation, inverted=True)


def _content(name: str) -> tuple[str, ...]:
    """Return the words that carry the meaning: "lead of" of "is the lead of"."""
    words = [word for word in relation_key(name).split() if word not in ARTICLES]
    while len(words) > 1 and words[0] in (*BE, "has", "have", "had"):
        words = words[1:]
    return tuple(words)
