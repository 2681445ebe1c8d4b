"""Readings to claims: bounds, one plain sentence, and the words they stand on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from graphmem.catalog import Relation
from graphmem.extraction.local.bounds import Bounds, bounds
from graphmem.extraction.local.lexicon import Lexicon
from graphmem.extraction.local.names import Name
from graphmem.extraction.local.scene import End
from graphmem.extraction.local.stance import Stance
from graphmem.extraction.local.vocabulary import BE
from graphmem.model import AssertionKind, Episode, Quote
from graphmem.ports import Claim
from graphmem.temporal import Moment, Precision
from graphmem.temporal.words import TimeSpan


class Triple(NamedTuple):
    """Two names in a relation's own direction; ``words`` name the relation if it is undeclared."""

    subject: Name
    relation: Relation | None
    words: str
    object: End


@dataclass(frozen=True, slots=True)
class Claims:
    """Makes the claims of one turn."""

    episode: Episode
    lexicon: Lexicon

    @property
    def said(self) -> Moment | None:
        """When the turn was said."""
        instant = self.episode.occurred_at
        return None if instant is None else Moment(instant, self.episode.occurred_precision)

    def claim(
        self,
        triple: Triple,
        stance: Stance,
        times: Sequence[TimeSpan],
        start: int,
        end: int,
        *,
        fact: str = "",
    ) -> Claim | None:
        """Return the claim that the words at ``[start, end)`` make, or None if they make none.

        ``fact``: its sentence; left out, it is made in English.
        """
        subject, relation, words, object = triple
        told_after = stance.tense == "past" or stance.perfect
        if relation and told_after and self.lexicon.outlasts(relation):
            stance = replace(stance, begins=True)
        definite = subject.first or (isinstance(object, Name) and object.proper)
        held = bounds(stance, relation, times, self.said, definite=definite)
        if held is None:
            return None
        since, until = _ordered(held)
        is_name = isinstance(object, Name)
        ahead = bool(since and self.said and since.instant > self.said.instant)
        return Claim(
            episode_id=self.episode.id,
            subject=subject.text,
            relation=words,
            object=object.text if is_name else None,
            object_value=None if is_name else object.literal,
            kind=stance.kind,
            fact=fact or _fact(self.lexicon, triple, stance.kind, ahead=ahead),
            quote=_quote(self.episode.text, start, end),
            start=since.instant if since else None,
            start_precision=since.precision if since else Precision.UNKNOWN,
            end=until.instant if until else None,
            end_precision=until.precision if until else Precision.UNKNOWN,
            confidence=_confidence(
                stance, subject, object, is_implied=until is not None and until == self.said
            ),
            subject_kind=relation.subject_kind if relation else "",
            object_kind=relation.object_kind if relation else "",
        )


def _ordered(held: Bounds) -> Bounds:
    start, end = held
    return Bounds(start) if start and end and end.instant <= start.instant else held


def _quote(text: str, start: int, end: int) -> Quote:
    while start < end and text[start] in " \t\n*_-+•#`~":
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return Quote(text[start:end], start, end)


def _confidence(stance: Stance, subject: Name, object: End, *, is_implied: bool) -> float:
    """Trust a pronoun less, and an end that only a past tense implies."""
    guessed = subject.resolved or (isinstance(object, Name) and object.resolved)
    trust = min(stance.trust, 0.6) if is_implied and not stance.over else stance.trust
    return round(trust * (0.75 if guessed else 1), 2)


def _fact(lexicon: Lexicon, triple: Triple, kind: AssertionKind, *, ahead: bool) -> str:
    subject, relation, words, object = triple
    said = words if relation is None else lexicon.predicate(relation, ahead=ahead)
    who = subject.words or subject.text
    what = (isinstance(object, Name) and object.words) or object.text
    what = what.removeprefix("to ") if said.endswith(" to") else what
    match kind:
        case AssertionKind.AFFIRMS:
            return f"{who} {said} {what}"
        case AssertionKind.ENDS:
            first, _, rest = said.partition(" ")
            said = f"is no longer {rest}" if first in BE else f"no longer {said}"
            return f"{who} {said} {what}"
        case AssertionKind.DENIES:
            return f"It is not so that {who} {said} {what}"
