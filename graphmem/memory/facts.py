"""What callers give to state a fact, turned into a statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from datetime import UTC, date, datetime, time
from typing import Any, TypedDict

from graphmem.errors import InvalidInput, NotFound
from graphmem.ingest.statement import Object, Statement
from graphmem.model import AssertionKind, Authority, Entity, Episode, Quote
from graphmem.temporal import Moment, Precision, Unknown, parse_instant, utc

When = datetime | date | str
"""A time as callers give it: aware datetime, date, or text as ``parse_instant`` reads it."""
API = "api"
"""The ``extractor`` of what callers state themselves."""


AFFIRMS, ENDS, DENIES = AssertionKind.AFFIRMS, AssertionKind.ENDS, AssertionKind.DENIES


class Told(TypedDict, total=False):
    """What else a caller may say of a fact; see ``Memory.assert_fact`` for what each means."""

    valid_from: When | None
    valid_to: When | None
    occurred_at: datetime | str | Unknown | None
    authority: Authority | str | None
    episode_id: str | None
    speaker: str | None
    quote: str | None
    precision: Precision | str | None
    confidence: float
    thread_id: str | None
    because: Sequence[tuple[str, str, str]]
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact as a caller states it."""

    subject: str | Entity
    relation: str
    object: Object | None
    kind: AssertionKind
    _: KW_ONLY
    valid_from: When | None = None
    valid_to: When | None = None
    occurred_at: datetime | str | Unknown | None = None
    authority: Authority | str | None = None
    episode_id: str | None = None
    speaker: str | None = None
    quote: str | None = None
    precision: Precision | str | None = None
    confidence: float = 1.0
    thread_id: str | None = None
    because: Sequence[tuple[str, str, str]] = ()
    expires_at: datetime | None = None

    def statement(self, episode: Episode | None) -> Statement:
        """Return the statement; what is left out is taken from ``episode``, if there is one.

        Raises:
            InvalidInput: A time, confidence or authority that cannot be used.
        """
        said, exactly = self._said(episode)
        return Statement(
            subject=self.subject,
            relation=self.relation,
            object=self.object,
            kind=self.kind,
            fact=None,
            quote=_quote(self.quote, episode),
            speaker=self.speaker or (episode.speaker if episode else None),
            start=moment(self.valid_from, self.precision, end=False, what="valid_from"),
            end=moment(self.valid_to, self.precision, end=True, what="valid_to"),
            said=said,
            said_precision=exactly,
            authority=self._authority(),
            confidence=_confidence(self.confidence),
            because=tuple(self.because),
            extractor=API,
            expires_at=self.expires_at,
            episode_id=self.episode_id,
            thread_id=episode.thread_id if episode else self.thread_id or "",
            sequence=episode.sequence if episode else 0,
        )

    def _said(self, episode: Episode | None) -> tuple[datetime | Unknown | None, Precision]:
        if isinstance(self.occurred_at, str):
            return parse_instant(self.occurred_at, what="occurred_at")
        if episode is not None and self.occurred_at is None:
            return episode.occurred_at or Unknown.UNKNOWN, episode.occurred_precision
        return self.occurred_at, Precision.INSTANT

    def _authority(self) -> Authority:
        if self.authority is None:
            return Authority.PERSON if self.speaker or self.episode_id else Authority.RECORD
        try:
            return Authority(self.authority)
        except ValueError as error:
            known = ", ".join(Authority)
            raise InvalidInput(f"authority {self.authority!r}: give one of {known}") from error


def moment(
    given: When | None, precision: Precision | str | None, *, end: bool, what: str
) -> Moment | None:
    """Return the bound that ``given`` means.

    Text and dates are coarse: a start stands at the first instant of its unit, an end means
    through the unit ("to 1929" ends at 1930-01-01). A datetime is where the bound stands;
    ``precision`` says how exactly it is known.

    Raises:
        InvalidInput: No time, no zone, or an unknown precision.
    """
    if given is None:
        return None
    if isinstance(given, datetime):
        return Moment(utc(given, what=what), _precision(precision))
    at = _coarse(given, what)
    through = end and at.precision is not Precision.INSTANT
    return Moment(at.precision.end(at.instant), at.precision) if through else at


def _precision(given: Precision | str | None) -> Precision:
    try:
        return Precision.INSTANT if given is None else Precision(given)
    except ValueError as error:
        known = ", ".join(Precision)
        raise InvalidInput(f"precision {given!r}: give one of {known}") from error


def _coarse(given: date | str, what: str) -> Moment:
    if isinstance(given, str):
        return parse_instant(given, what=what)
    return Moment(datetime.combine(given, time(), UTC), Precision.DAY)


def _confidence(confidence: float) -> float:
    if not 0 <= confidence <= 1:
        raise InvalidInput(f"confidence {confidence!r}: give a number from 0 to 1")
    return confidence


def _quote(words: str | None, episode: Episode | None) -> Quote | None:
    if words is None:
        return None if episode is None else Quote(episode.text, 0, len(episode.text))
    start = -1 if episode is None else episode.text.find(words)
    if episode is not None and start < 0:
        raise InvalidInput(
            f"the quote {words[:80]!r} does not stand in episode {episode.id!r}; quote its words"
        )
    return Quote(words, start, start + len(words) if start >= 0 else -1)


def required(found: dict[str, Episode], episode_id: str | None) -> Episode | None:
    """Return the episode with this id, None for None.

    Raises:
        NotFound: There is no such episode in the group.
    """
    if episode_id is None:
        return None
    if episode_id not in found:
        raise NotFound(f"no episode {episode_id!r} in this group; add it first, or leave it out")
    return found[episode_id]


def stated_fact(number: int, fact: Mapping[str, Any]) -> Stated:
    """Return a fact given as a mapping of ``assert_fact``'s arguments.

    Raises:
        InvalidInput: An unknown argument or kind, or one that is missing.
    """
    given: dict[str, Any] = {"kind": AFFIRMS, "object": None, **fact}
    needed = {"subject", "relation"}
    known = {field.name for field in fields(Stated)} - {"episode_id"}
    if given.keys() - known or not needed <= given.keys():
        raise InvalidInput(
            f"fact {number}: unknown {sorted(given.keys() - known)}, "
            f"missing {sorted(needed - given.keys())}; known are {sorted(known)}"
        )
    try:
        given["kind"] = AssertionKind(given["kind"])
    except ValueError as error:
        kinds = ", ".join(AssertionKind)
        raise InvalidInput(f"fact {number}: kind {given['kind']!r}: give one of {kinds}") from error
    return Stated(**given)
