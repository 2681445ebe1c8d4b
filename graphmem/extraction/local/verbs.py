"""What a verb relates: its subject with its object, or with what a preposition brings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmem.extraction.local.lexicon import Sense, verb_heads
from graphmem.extraction.local.names import Name, begins_clause
from graphmem.extraction.local.scene import Reading, Scene
from graphmem.extraction.local.stance import Stance, is_passive
from graphmem.extraction.local.vocabulary import (
    COPULAS,
    INCHOATIVE,
    LIGHT,
    MEASURES,
    NEEDING,
    PLACES,
    SWITCHING,
)
from graphmem.model import AssertionKind
from graphmem.temporal.words import find_times

if TYPE_CHECKING:
    from spacy.tokens import Token

_BARE: Final = (("in",), ("from",))
_OBJECTS: Final = ("dobj", "pobj")


class Complement(NamedTuple):
    """What stands with a verb: the words that lead to it, and its head.

    ``theme``: a direct object that the words pass over ("moved *the service* to").
    """

    words: tuple[str, ...]
    head: Token
    theme: Token | None


def subjects(verb: Token) -> list[Token]:
    """Return the heads of a verb's subject; those of the verb it is joined to, or depends on."""
    own = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")]
    if own:
        return [_relative(own[0], verb)]
    if verb.dep_ == "acl" and verb.tag_ == "VBN":
        return [verb.head]
    if verb.i and begins_clause(before := verb.doc[verb.i - 1]):
        return [before]
    return subjects(verb.head) if verb.dep_ in ("conj", "xcomp") and verb.head != verb else []


def read_verb(
    scene: Scene, verb: Token, stance: Stance, *, by_noun: bool = False
) -> Iterator[Reading]:
    """Yield what ``verb`` relates, by the catalog's words, or by its own between two names.

    ``by_noun``: its nouns said something already, so it needs no relation of its own.
    """
    if verb.lemma_ in INCHOATIVE or any(c.lower_ == "got" for c in verb.children):
        stance = replace(stance, begins=True)
    found = False
    for subject in _names(scene, subjects(verb)):
        for complement in complements(verb):
            sense = _sense(scene, verb, complement.words)
            for reading in _read(scene, verb, subject, complement, sense, stance):
                found = True
                yield reading
    if not (found or by_noun):
        yield from _undeclared(scene, verb, stance)


def complements(verb: Token) -> Iterator[Complement]:
    """Yield what stands with a verb, nearest first."""
    particle = tuple(child.lower_ for child in verb.children if child.dep_ == "prt")
    direct = next((child for child in verb.children if child.dep_ in ("dobj", "oprd")), None)
    if direct is not None:
        yield Complement(particle, _relative(direct, verb), None)
        for words, head in (*_prepositions(direct), *_prepositions(verb)):
            yield Complement((*particle, direct.lower_, *words), head, None)
    for words, head in _prepositions(verb):
        yield Complement((*particle, *words), head, direct)
        for more, inner in _prepositions(head):  # "in charge of"
            yield Complement((*particle, *words, head.lower_, *more), inner, None)
    for child in verb.children:
        if child.dep_ in ("acomp", "attr", "prep", "advmod"):
            yield from _through(verb, child)
        elif _is_infinitive(child):
            yield Complement((*particle, "to"), child, None)


def _through(verb: Token, child: Token) -> Iterator[Complement]:
    """Yield what stands after "allergic", "away", "out" with a preposition of their own."""
    for words, head in (*_prepositions(child), *_prepositions(verb)):
        yield Complement((child.lower_, *words), head, None)
    for each in child.children:
        if _is_infinitive(each):  # a rare noun after "allergic to" is taken for a verb
            yield Complement((child.lower_, "to"), each, None)


def _is_infinitive(token: Token) -> bool:
    return token.dep_ == "xcomp" and any(child.tag_ == "TO" for child in token.children)


def _prepositions(token: Token) -> Iterator[tuple[tuple[str, ...], Token]]:
    for child in token.children:
        if child.dep_ in ("prep", "agent", "dative"):
            yield from (((child.lower_,), each) for each in child.children if each.dep_ == "pobj")


def _relative(token: Token, verb: Token) -> Token:
    """Return what "who" or "that" stands for: with a singular verb, the nearest name."""
    if verb.dep_ != "relcl" or token.tag_ not in ("WDT", "WP"):
        return token
    head = _not_the_other(verb.head)
    joined = [each for each in (head, *head.conjuncts) if each.i < token.i]
    return joined[-1] if joined and verb.tag_ == "VBZ" else head


def _not_the_other(head: Token) -> Token:
    """Of "Ann, not Ben, who ..." return Ann, though the parser hangs the clause on Ben."""
    if head.dep_ != "appos":
        return head
    between = head.doc[head.head.i + 1 : head.i]
    return head.head if any(token.dep_ == "neg" for token in between) else head


def _names(scene: Scene, tokens: list[Token]) -> Iterator[Name]:
    for token in tokens:
        yield from scene.namer.names(token)


def _sense(scene: Scene, verb: Token, words: tuple[str, ...]) -> Sense | None:
    heads = verb_heads(verb.lower_, verb.lemma_)
    if is_passive(verb):
        said = scene.lexicon.state((verb.lower_, *words)) or scene.lexicon.verb(heads, words)
        if said is None and words[-1:] == ("by",):
            active = scene.lexicon.verb(heads, words[:-1])
            return active and Sense(active.relation, not active.inverted)
        return said
    if verb.lemma_ in COPULAS:
        return scene.lexicon.state(words) or scene.lexicon.verb(heads, words)
    return scene.lexicon.verb(heads, words) or _switching(scene, verb, words)


def _switching(scene: Scene, verb: Token, words: tuple[str, ...]) -> Sense | None:
    """Read "switched from A to B" as "migrated from A" and "migrated to B"."""
    if verb.lemma_ in SWITCHING and words in (("from",), ("to",)):
        return scene.lexicon.verb(verb_heads("migrated", "migrate"), words)
    return None


def _read(
    scene: Scene,
    verb: Token,
    subject: Name,
    complement: Complement,
    sense: Sense | None,
    stance: Stance,
) -> Iterator[Reading]:
    words, head, theme = complement
    if sense and sense.relation.object_kind == "place" and subject.plural:
        sense = _switching(scene, verb, words) or sense  # "we moved to Kafka"
    if sense is None or (verb.lemma_ in NEEDING and subject.label == "PERSON"):
        return
    if verb.lemma_ in COPULAS and words in _BARE and head.ent_type_ not in PLACES:
        return
    if head.dep_ == "xcomp":
        yield from _clause(scene, verb, subject, head, sense, stance)
        return
    for end in [subject] if theme is None else _themes(scene, theme, sense):
        yield from scene.joined(verb, sense, end, head, stance)


def _themes(scene: Scene, theme: Token, sense: Sense) -> Iterator[Name]:
    """Yield the object that the words pass over; it takes the subject's place."""
    for name in scene.namer.names(theme):
        if sense.relation.subject_kind != "person" or name.label == "PERSON":
            yield name


def _clause(
    scene: Scene, verb: Token, subject: Name, head: Token, sense: Sense, stance: Stance
) -> Iterator[Reading]:
    """Read "decided to use Postgres": what was decided is the rest of the clause."""
    if sense.relation.object_kind not in ("", "value") or sense.inverted:
        return
    if verb.lemma_ == "want" or stance.kind is AssertionKind.DENIES:
        return  # a wish, or what is not planned
    start, end = head.idx, head.right_edge.idx + len(head.right_edge)
    text = scene.namer.text
    for span in find_times(text[start:end], scene.said, lean="future")[-1:]:
        if scene.said and span.to.instant <= scene.said and start + span.end >= end - 1:
            end = start + span.start  # when it was decided; what lies ahead is part of the plan
    words = text[start:end].rstrip(" ,;.!")
    what = Name(words, start, start + len(words), proper=False, words=f"to {words}")
    yield from scene.pair(verb, sense, subject, what, stance)


def _undeclared(scene: Scene, verb: Token, stance: Stance) -> Iterator[Reading]:
    """Read a verb that the catalog does not know, between two proper names."""
    dependents = {child.dep_ for child in verb.children}
    if verb.pos_ != "VERB" or verb.lemma_.lower() in LIGHT or dependents & {"ccomp", "xcomp"}:
        return
    if stance.kind is AssertionKind.DENIES:
        return
    passive = is_passive(verb)
    form = verb.lower_ if stance.tense == "past" or passive else _third_person(verb.lemma_)
    sure = replace(stance, trust=min(stance.trust, 0.5))
    for words, head, theme in list(complements(verb))[:1]:
        if theme is None and head.dep_ in _OBJECTS and (not passive or words == ("by",)):
            for subject in _names(scene, subjects(verb)):
                for object in scene.namer.names(head):
                    ends = (object, subject) if passive else (subject, object)
                    if _is_named(head, object) and _is_named(None, subject):
                        relation = form if passive else " ".join((form, *words))
                        yield Reading(verb, ends[0], None, relation, ends[1], sure)


def _is_named(token: Token | None, name: Name) -> bool:
    is_object_name = token is None or (token.pos_ == "PROPN" and not name.first)
    return name.proper and name.label not in MEASURES and is_object_name and not name.resolved


def read_exchange(scene: Scene, verb: Token, stance: Stance) -> Iterator[Reading]:
    """Read "replaced A with B": B replaced A, and whoever did it went from A to B."""
    ends = {
        words: list(scene.namer.names(head))
        for words, head, _ in complements(verb)
        if words in ((), ("with",), ("by",))
    }
    old, new = ends.get((), []), ends.get(("with",), [])
    replaced = scene.lexicon.verb(verb_heads(verb.lower_, verb.lemma_), ())
    if verb.lemma_ != "replace" or is_passive(verb) or replaced is None:
        return
    for before in old:
        for after in new:
            yield from scene.pair(verb, replaced, after, before, stance)
    for subject in _names(scene, subjects(verb)):
        for word, things in (("from", old if new else []), ("to", new)):
            sense = scene.lexicon.verb(verb_heads("migrated", "migrate"), (word,))
            for thing in things:
                if sense and subject.first:
                    yield from scene.pair(verb, sense, subject, thing, stance)


def read_negated(scene: Scene, verb: Token) -> Iterator[Reading]:
    """Read what the catalog names by a "not": "does not like", "can't stand"."""
    helper = next((child for child in verb.children if child.dep_ == "aux"), None)
    negation = next((child for child in verb.children if child.dep_ == "neg"), None)
    if helper is None or negation is None:
        return
    joined = f"{helper.lower_}{negation.lower_}"
    sense = scene.lexicon.verb(verb_heads("does", "do"), ("not", verb.lemma_))
    if helper.lemma_ != "do" or helper.tag_ == "VBD":
        sense = scene.lexicon.verb(verb_heads(joined, joined), (verb.lemma_,))
    for subject in _names(scene, subjects(verb)) if sense else ():
        for words, head, _ in complements(verb):
            if sense and not words:
                yield from scene.joined(verb, sense, subject, head, Stance())


def _third_person(lemma: str) -> str:
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{lemma}es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return f"{lemma[:-1]}ies"
    return f"{lemma}s"
