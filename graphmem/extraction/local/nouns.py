"""What nouns relate: "the lead of Atlas", "my manager", "the deadline for Orion"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmem.catalog.catalog import relation_key
from graphmem.extraction.local.lexicon import Sense
from graphmem.extraction.local.names import Name, looks_proper, phrase
from graphmem.extraction.local.scene import End, Reading, Scene, plain_value
from graphmem.extraction.local.stance import Stance, is_passive
from graphmem.extraction.local.verbs import subjects
from graphmem.extraction.local.vocabulary import (
    COMING,
    COPULAS,
    FORMER,
    HOLDING_A_ROLE,
    LEAVING_A_ROLE,
    OCCUPATION_ENDINGS,
    SETTING,
    TAKING_A_ROLE,
)
from graphmem.model import AssertionKind

if TYPE_CHECKING:
    from spacy.tokens import Token

_OWNING: Final = ("of", "for", "at", "in", "on", "to")
_ASIDES: Final = frozenset({"now", "currently", "still", "already", "again"})
_HOLDERS: Final = ("attr", "acomp", "npadvmod", "advmod", "dobj", "pobj")


class Role(NamedTuple):
    """A noun that the catalog knows, with its owner; its holder is the subject of ``sense``."""

    noun: Token
    sense: Sense
    owner: Token


def read_role(scene: Scene, noun: Token) -> Role | None:
    """Return what a noun means: "lead" in "lead of Atlas", "Atlas's lead", "the Atlas lead"."""
    sense = scene.lexicon.noun(_noun_names(scene.namer.text, noun))
    owner = _owner(noun) if sense else None
    return Role(noun, sense, owner) if sense and owner is not None else None


def read_nouns(scene: Scene, verb: Token, stance: Stance) -> Iterator[Reading]:
    """Yield what the nouns around a verb relate."""
    found = subjects(verb)
    for subject in found:
        if verb.lemma_ in COPULAS:
            yield from _copula(scene, verb, subject, stance)
        else:
            yield from _set(scene, verb, subject, stance)
            yield from _as_role(scene, verb, subject, stance)


def read_apposition(scene: Scene, token: Token) -> Iterator[Reading]:
    """Yield what "Mina, the lead of Atlas" and "my manager, Ben" say by the way."""
    if token.dep_ != "appos":
        return
    for noun, holder in ((token, token.head), (token.head, token)):
        role = read_role(scene, noun)
        name = scene.namer.name(holder) if role and holder.pos_ == "PROPN" else None
        if role and name:
            yield from _held(scene, token, role, name, Stance())
            return


def read_label(scene: Scene, token: Token) -> Iterator[Reading]:
    """Yield what a note says: "Deadline for Orion: 5 May"."""
    if token.dep_ != "ROOT" or token.pos_ != "NOUN":
        return
    colon = next((child for child in token.rights if child.text == ":"), None)
    role = read_role(scene, token) if colon is not None else None
    if colon is None or role is None or colon.i + 1 >= token.sent.end:
        return
    relation, following = role.sense.relation, token.doc[colon.i + 1]
    value = scene.value(following, relation) if relation.object_kind == "value" else None
    holder = value or scene.namer.name(following)
    if holder is not None:
        yield from _held(scene, token, role, holder, Stance())


def _copula(scene: Scene, verb: Token, subject: Token, stance: Stance) -> Iterator[Reading]:
    if verb.lemma_ == "become":
        stance = replace(stance, begins=True)
    role = read_role(scene, subject) if verb.dep_ != "relcl" else None
    if role is not None:
        yield from _filled(scene, verb, verb, role, stance)
        return
    for child in verb.children:
        if child.dep_ not in ("attr", "acomp"):
            continue
        role = read_role(scene, child)
        for holder in scene.namer.names(subject):
            if role is not None:
                yield from _held(scene, verb, role, holder, stance)
            else:
                yield from _occupation(scene, verb, holder, child, stance)
                yield from _dated(scene, verb, holder, child, stance)


def _filled(
    scene: Scene, clause: Token, parent: Token, role: Role, stance: Stance
) -> Iterator[Reading]:
    """Read who or what is "the lead of Atlas" or "the deadline": what stands after ``parent``."""
    for child in parent.rights:
        if child.dep_ == "prep" and parent is clause:
            child = next((each for each in child.children if each.dep_ == "pobj"), child)
        if child.dep_ not in _HOLDERS or child.lower_ in _ASIDES:
            continue
        holders: list[End] = list(scene.namer.names(child))
        if role.sense.relation.object_kind == "value":
            value = scene.value(child, role.sense.relation)
            is_phrase = value and value.literal == value.text and value.text.isalpha()
            if value and is_phrase and child.dep_ == "pobj":
                at = child.head.idx  # "at risk"
                value = plain_value(scene.namer.text, at, value.end)
            holders = [value] if value else []
        for holder in holders:
            yield from _held(scene, clause, role, holder, stance)
        if holders:
            return


def _held(
    scene: Scene, clause: Token, role: Role, holder: End, stance: Stance
) -> Iterator[Reading]:
    adjectives = {child.lower_ for child in role.noun.children}
    if adjectives & COMING:
        return
    if adjectives & FORMER:
        stance = replace(stance, over=True, tense="past")
    for owner in scene.namer.names(role.owner):
        yield from scene.pair(clause, role.sense, holder, owner, stance)


def _set(scene: Scene, verb: Token, subject: Token, stance: Stance) -> Iterator[Reading]:
    """Read "the deadline was moved to Friday", "we moved the launch to Friday"."""
    if verb.lemma_ not in SETTING:
        return
    direct = [child for child in verb.children if child.dep_ == "dobj"]
    stance = replace(stance, begins=True)
    for noun in direct or [subject]:
        role = read_role(scene, noun)
        for preposition in verb.children:
            if preposition.lower_ not in ("to", "for", "at", "until"):
                continue
            if role is None:
                yield from _rescheduled(scene, verb, noun, preposition, stance)
            elif role.sense.relation.object_kind == "value":
                yield from _filled(scene, verb, preposition, role, stance)


def _rescheduled(
    scene: Scene, verb: Token, noun: Token, preposition: Token, stance: Stance
) -> Iterator[Reading]:
    scheduled = scene.lexicon.state(("scheduled", "for"))
    if scheduled is None or scheduled.relation.object_kind != "value":
        return
    for child in preposition.children:
        value = scene.value(child, scheduled.relation) if child.dep_ == "pobj" else None
        for name in scene.namer.names(noun):
            if value and isinstance(value.literal, datetime) and name.label != "PERSON":
                yield from scene.pair(verb, scheduled, name, value, stance)


def _as_role(scene: Scene, verb: Token, subject: Token, stance: Stance) -> Iterator[Reading]:
    """Read "took over as lead of Atlas", "was appointed lead of Atlas"."""
    lemma = verb.lemma_.lower()
    if lemma not in TAKING_A_ROLE | LEAVING_A_ROLE | HOLDING_A_ROLE:
        return
    role = next(filter(None, (read_role(scene, noun) for noun in _as_nouns(verb))), None)
    if role is None:
        return
    if lemma in LEAVING_A_ROLE:
        stance = replace(stance, kind=AssertionKind.ENDS)
    elif lemma in TAKING_A_ROLE:
        stance = replace(stance, begins=True)
    for holder in scene.namer.names(subject):
        yield from _held(scene, verb, role, holder, stance)
    if lemma == "replace":
        yield from _replaced(scene, verb, role, stance)


def _replaced(scene: Scene, verb: Token, role: Role, stance: Stance) -> Iterator[Reading]:
    """Read whom "Ben replaced Ann as lead of Atlas" takes the role from."""
    if stance.kind is not AssertionKind.AFFIRMS or is_passive(verb):
        return
    ended = replace(stance, kind=AssertionKind.ENDS)
    for child in verb.children:
        if child.dep_ == "dobj" and (before := scene.namer.name(child)):
            yield from _held(scene, verb, role, before, ended)


def _as_nouns(verb: Token) -> Iterator[Token]:
    for child in verb.children:
        if child.dep_ == "oprd":
            yield child
        if child.lower_ == "as":
            yield from (each for each in child.children if each.dep_ == "pobj")


def _occupation(
    scene: Scene, verb: Token, holder: Name, noun: Token, stance: Stance
) -> Iterator[Reading]:
    """Read "Ann is a data engineer at Acme" as her job and her employer."""
    if holder.label == "GPE" or not noun.lemma_.lower().endswith(OCCUPATION_ENDINGS):
        return
    text = scene.namer.text
    start, end = phrase(text, noun)
    start += len("new ") if text.startswith("new ", start) else 0
    title = plain_value(text, start, end)
    works_as = scene.lexicon.verb(("work",), ("as",))
    if title and works_as and works_as.relation.object_kind == "value":
        yield from scene.pair(verb, works_as, holder, title, stance)
    works_at = scene.lexicon.verb(("work",), ("at",))
    for child in noun.children:
        if works_at and child.lower_ == "at":
            for place in child.children:
                if place.dep_ == "pobj":
                    yield from scene.joined(verb, works_at, holder, place, stance)


def _dated(
    scene: Scene, verb: Token, holder: Name, word: Token, stance: Stance
) -> Iterator[Reading]:
    """Read "Orion is due Friday": an adjective with a literal right after it."""
    sense = scene.lexicon.state((word.lower_,))
    if sense and sense.relation.object_kind == "value" and not sense.inverted:
        for following in word.rights:
            if following.dep_ in ("npadvmod", "advmod"):
                yield from scene.joined(verb, sense, holder, following, stance)


def _noun_names(text: str, noun: Token) -> Iterator[str]:
    """Yield what a noun may be called, longest first: "on call engineer", "engineer"."""
    lead = text[max(noun.sent.start_char, noun.idx - 40) : noun.idx]
    before = relation_key(lead).split()[-3:] if lead.strip(" -_") else []
    for first in range(len(before) + 1):
        for form in {noun.lower_: 0, noun.lemma_.lower(): 0}:
            yield " ".join((*before[first:], form))


def _owner(noun: Token) -> Token | None:
    for child in noun.children:
        if child.dep_ == "poss":
            return child
        if child.dep_ == "prep" and child.lower_ in _OWNING:
            return next((each for each in child.children if each.dep_ == "pobj"), None)
    compounds = (c for c in noun.lefts if c.dep_ in ("compound", "nmod") and looks_proper(c.text))
    return next(compounds, None)
