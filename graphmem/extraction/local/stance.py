"""What a clause does with what it says: affirm, end or deny it, and in which time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from graphmem.extraction.local.vocabulary import (
    FACTIVE,
    FORMERLY,
    GOING_ON,
    MODAL,
    NOT_QUITE,
    NOT_YET,
    REPORTING,
    STARTING,
    STOPPING,
    THINKING,
)
from graphmem.model import AssertionKind

if TYPE_CHECKING:
    from spacy.tokens import Token


_BARE_SUBJECTS = frozenset({"i", "we", "you", "they"})
"""With these a present tense looks like a bare verb: "I no longer lead Atlas"."""


@dataclass(frozen=True, slots=True)
class Stance:
    """How a clause puts something.

    Attributes:
        tense: Of the verb; "future" for "will", "is going to".
        perfect: "has led".
        progressive: "is leading".
        begins: Tells the beginning of it ("became", "started").
        over: Says that it is over ("used to", "formerly").
        trust: Confidence, from 0 to 1.
    """

    kind: AssertionKind = AssertionKind.AFFIRMS
    tense: Literal["past", "present", "future"] = "present"
    perfect: bool = False
    progressive: bool = False
    begins: bool = False
    over: bool = False
    trust: float = 0.9

    @property
    def lean(self) -> Literal["past", "future"]:
        """Which "Friday" a clause like this means."""
        if self.tense == "future" or (self.tense == "present" and self.progressive):
            return "future"
        is_past = self.tense == "past" or self.perfect
        return "past" if is_past or self.kind is not AssertionKind.AFFIRMS else "future"


def stance_of(verb: Token) -> Stance | None:
    """Return how the clause of ``verb`` is put; None if it puts nothing forward as so."""
    if verb.dep_ == "xcomp":
        return _under_aspect(verb)
    if _only_supposed(verb):
        return None
    if verb.dep_ == "ccomp":
        return _own(verb) if _stands_alone(verb) else _reported(verb)
    if verb.dep_ == "pcomp":
        return None
    return _own(verb)


def auxiliaries(verb: Token) -> list[Token]:
    """Return the auxiliaries of a verb; one joined by "and" shares those of the first."""
    found = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    return auxiliaries(verb.head) if not found and _shares(verb) else found


def _shares(verb: Token) -> bool:
    """Tell whether a verb has its subject, and so its tense, from the one it is joined to."""
    own = any(child.dep_.startswith("nsubj") for child in verb.children)
    return verb.dep_ == "conj" and not own and verb.head != verb


def is_passive(verb: Token) -> bool:
    """Tell whether the subject is what the verb is done to."""
    return any(child.dep_ in ("auxpass", "nsubjpass") for child in verb.children) or (
        verb.dep_ == "acl" and verb.tag_ == "VBN"
    )


def _own(verb: Token) -> Stance | None:
    helpers = auxiliaries(verb)
    words = {helper.lower_ for helper in helpers}
    adverbs = {child.lower_ for child in verb.children if child.dep_ in ("advmod", "neg")}
    if words & MODAL or adverbs & NOT_QUITE or not _is_finite(verb, helpers):
        return None
    kind = _polarity(verb)
    if kind is None:
        return None
    has = bool(words & {"have", "has", "'ve", "having"})
    past = _is_past(verb, helpers)
    return Stance(
        kind=kind,
        tense="future" if words & {"will", "'ll", "wo"} else "past" if past else "present",
        perfect=has,
        progressive=verb.tag_ == "VBG" and bool(words),
        begins=verb.dep_ == "acl",  # "Atlas, led by Ann": from some time on, not over
        over=bool(adverbs & FORMERLY) and past,
    )


def _is_past(verb: Token, helpers: list[Token]) -> bool:
    if not helpers:
        is_bare = verb.tag_ in ("VB", "VBP", "NN") and _shares(verb)
        return _is_past(verb.head, helpers) if is_bare else verb.tag_ in ("VBD", "VBN")
    first = helpers[0]
    return first.tag_ == "VBD" or first.lower_ in ("did", "was", "were", "had")


def _is_finite(verb: Token, helpers: list[Token]) -> bool:
    if any(helper.tag_ != "TO" and helper.tag_ not in ("VB", "VBG") for helper in helpers):
        return True
    if verb.tag_ in ("VBZ", "VBP", "VBD"):
        return True
    if verb.tag_ == "VB" and not helpers and verb.dep_ in ("ROOT", "ccomp"):
        return any(c.lower_ in _BARE_SUBJECTS for c in verb.lefts if c.dep_ == "nsubj")
    if _shares(verb):
        return _is_finite(verb.head, helpers)
    return verb.tag_ == "VBN" and verb.dep_ in ("acl", "ROOT")


def _polarity(verb: Token) -> AssertionKind | None:
    """Return what a "not", "never" or "no longer" of this verb makes of it."""
    around = {child.lower_ for child in _near(verb)}
    # in "Ann leads Atlas, not Ben" the "not" is no longer about the verb
    last = verb.i + 2 if verb.pos_ == "AUX" else verb.i
    negated = any(child.dep_ == "neg" and child.i <= last for child in verb.children)
    if "longer" in around and around & {"no", "any", "not", "n't", "n’t"}:
        return AssertionKind.ENDS
    if not negated:
        return AssertionKind.AFFIRMS
    if around & {"only", "just", "necessarily", "always", "really", "sure"}:
        return None
    more = verb.doc[verb.i : verb.sent.end].text.lower()
    ends = "anymore" in around or "any more" in more or "any longer" in more
    return AssertionKind.ENDS if ends else AssertionKind.DENIES


def _near(verb: Token) -> Iterator[Token]:
    for child in verb.children:
        if child.dep_ in ("neg", "advmod", "npadvmod"):
            yield child
            yield from child.children


def _only_supposed(verb: Token) -> bool:
    return any(child.lower_ in NOT_YET for child in verb.children if child.dep_ == "mark") or (
        verb.tag_ != "VBD" and any(child.lower_ == "when" for child in verb.children)
    )


def _under_aspect(verb: Token) -> Stance | None:
    """Read "stopped working", "used to work", "is going to work" by their first verb."""
    governor = verb.head
    stance = stance_of(governor)
    if stance is None or any(child.dep_ in ("dobj", "neg") for child in governor.children):
        return None
    lemma, infinitive = governor.lemma_.lower(), any(c.tag_ == "TO" for c in verb.children)
    if lemma in STOPPING and not infinitive:
        return replace(stance, kind=AssertionKind.ENDS, progressive=False)
    if lemma in STARTING:
        return replace(stance, begins=True, progressive=False)
    if lemma in GOING_ON:
        return replace(stance, tense="present", perfect=False)
    if governor.lower_ == "used" and infinitive:
        return replace(stance, over=True, tense="past")
    if governor.lower_ == "going" and infinitive and stance.tense == "present":
        return replace(stance, tense="future", progressive=False)
    return None


def _stands_alone(verb: Token) -> bool:
    """Tell "I live in Oslo, so I am late": two clauses that the parser puts into one another."""
    governor = verb.head
    both_have_subjects = _has_subject(verb) and _has_subject(governor)
    if (
        verb.i > governor.i
        or not both_have_subjects
        or any(c.dep_ == "mark" for c in verb.children)
    ):
        return False
    helpers = {helper.lower_ for helper in auxiliaries(governor)}
    between = verb.doc[verb.i + 1 : governor.i]
    apart = any(token.text in (",", ";", "-", "–", "—", ":") for token in between)
    return apart and not helpers & MODAL and governor.lemma_.lower() not in THINKING


def _has_subject(verb: Token) -> bool:
    return any(child.dep_.startswith(("nsubj", "expl")) for child in verb.children)


def _reported(verb: Token) -> Stance | None:
    """Read "Ann said that ..." and "note that ..."; what is thought or wanted is not so."""
    governor, stance = verb.head, _own(verb)
    lemma = governor.lemma_.lower()
    if lemma == "do" and verb.i < governor.i:
        return stance  # "Ann no longer leads it, Ben does"
    if stance is None or lemma not in FACTIVE | REPORTING:
        return None
    imperative = governor.tag_ == "VB"
    outer = Stance() if imperative else stance_of(governor)
    if outer is None or outer.kind is not AssertionKind.AFFIRMS:
        return None
    return replace(stance, trust=0.6) if lemma in REPORTING else stance
