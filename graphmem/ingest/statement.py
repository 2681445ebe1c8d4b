"""A statement whose names are not resolved yet, whoever made it: a turn's words or a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeAlias

from graphmem.model import (
    AssertionKind,
    Authority,
    Entity,
    Episode,
    EpisodeKind,
    Quote,
)
from graphmem.ports import Claim
from graphmem.temporal import Moment, Precision, Unknown


@dataclass(frozen=True, slots=True)
class Value:
    """A literal text as the object of a fact; a plain ``str`` there is an entity's name."""

    text: str


Object: TypeAlias = str | Entity | Value | bool | int | float | date | datetime
"""What a fact may be about: a name or entity id, an entity, or a typed literal."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement with names as given.

    ``said`` None: the instant of the write; UNKNOWN: undated; a bound that is not stated is as
    exact as it. ``episode_id`` None: stated by a
    call alone. ``because`` names facts by (subject, relation, object).
    """

    subject: str | Entity
    relation: str
    object: Object | None
    kind: AssertionKind
    fact: str | None
    quote: Quote | None
    speaker: str | None
    start: Moment | None
    end: Moment | None
    said: datetime | Unknown | None
    said_precision: Precision
    authority: Authority
    confidence: float
    because: tuple[tuple[str, str, str], ...]
    extractor: str
    expires_at: datetime | None
    episode_id: str | None
    thread_id: str
    sequence: int
    subject_kind: str = ""
    object_kind: str = ""


_ASSISTANTS = frozenset({"assistant", "bot", "model", "ai"})


def may_state(episode: Episode) -> bool:
    """Tell whether an episode's words may become somebody's statement.

    Tool output, system notices, summaries, reasoning, deleted and off-branch turns never do.
    """
    return episode.kind is EpisodeKind.MESSAGE and episode.role not in {"tool", "system"}


def of_claim(claim: Claim, episode: Episode, extractor: str) -> Statement:
    """Return the statement that ``extractor`` read out of ``episode``."""
    by_assistant = episode.role in _ASSISTANTS
    return Statement(
        subject=claim.subject,
        relation=claim.relation,
        object=_object(claim),
        kind=claim.kind,
        fact=claim.fact,
        quote=claim.quote,
        speaker=episode.speaker,
        start=_moment(claim.start, claim.start_precision),
        end=_moment(claim.end, claim.end_precision),
        said=episode.occurred_at or Unknown.UNKNOWN,
        said_precision=episode.occurred_precision,
        authority=Authority.ASSISTANT if by_assistant else Authority.PERSON,
        confidence=claim.confidence,
        because=claim.because,
        extractor=extractor,
        expires_at=episode.expires_at,
        episode_id=episode.id,
        thread_id=episode.thread_id,
        sequence=episode.sequence,
        subject_kind=claim.subject_kind,
        object_kind=claim.object_kind,
    )


def _object(claim: Claim) -> Object | None:
    value = claim.object_value
    if value is None:
        return claim.object
    return Value(value) if isinstance(value, str) else value


def _moment(instant: datetime | None, precision: Precision) -> Moment | None:
    return None if instant is None else Moment(instant, precision)


def literal(value: Value | bool | int | float | date) -> Mapping[str, str | bool | int | float]:
    """Return the type and value of a literal as plain JSON; equal literals give equal maps."""
    match value:
        case Value(text):
            return {"type": "text", "value": text}
        case bool():
            return {"type": "bool", "value": value}
        case int():
            return {"type": "int", "value": value}
        case float():
            return {"type": "float", "value": value}
        case datetime():
            return {"type": "time", "value": value.isoformat()}
        case date():
            return {"type": "date", "value": value.isoformat()}
