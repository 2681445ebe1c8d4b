"""The five records: episode, entity, assertion, ruling, edge. All frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.temporal import FOREVER, Interval, Precision

Vector: TypeAlias = NDArray[np.float32]
"""One text's embedding, shape (dimension,), unit length."""
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""What JSON can hold."""
RULING_PREFIX = "ru_"
"""What the ids of rulings begin with."""


class EpisodeKind(StrEnum):
    """What an episode is. Only a MESSAGE may become a person's statement."""

    MESSAGE = "message"
    REASONING = "reasoning"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    SUMMARY = "summary"
    SYSTEM = "system"
    MEDIA = "media"
    DELETED = "deleted"
    OFF_BRANCH = "off-branch"
    SIDECHAIN = "sidechain"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Source:
    """Where an episode came from: format (``"live"``: ``add``), file name, the format's own id."""

    format: str
    file: str | None
    message_id: str | None


@dataclass(frozen=True, slots=True)
class Episode:
    """One raw input, kept verbatim.

    ``sequence`` orders the thread; it has gaps, so that a late turn fits between two others.
    ``occurred_at`` None means unknown, never "now". ``recorded`` is this version's transaction
    time: a newer version closes it.
    """

    id: str
    group_id: str
    thread_id: str
    sequence: int
    speaker: str | None
    role: str
    kind: EpisodeKind
    text: str
    occurred_at: datetime | None
    occurred_precision: Precision
    reply_to: str | None
    mentions: tuple[str, ...]
    source: Source
    version: int
    edited_at: datetime | None
    content_hash: str
    expires_at: datetime | None
    recorded: Interval


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of an entity, and where it came from (an episode id, ``"user"``, a ruling)."""

    name: str
    source: str

    @property
    def by_merge(self) -> bool:
        """Tell whether it is the name of an entity that was merged into this one."""
        return self.source.startswith(RULING_PREFIX)


@dataclass(frozen=True, slots=True)
class Entity:
    """What facts are about; with ``kind="value"`` a typed literal (``attributes``: type, value).

    ``merged_into`` is the entity that it stands for since a merge, else None.
    """

    id: str
    group_id: str
    name: str
    kind: str
    aliases: tuple[Alias, ...]
    attributes: Mapping[str, Json]
    recorded: Interval
    merged_into: str | None = None


class AssertionKind(StrEnum):
    """What a statement does: says it is so, that it stopped, or that it never was."""

    AFFIRMS = "affirms"
    ENDS = "ends"
    DENIES = "denies"


class Authority(StrEnum):
    """Who stands behind a statement; ``tier`` orders them, 0 first."""

    PINNED = "pinned"
    EDIT = "edit"
    PERSON = "person"
    RECORD = "record"
    ASSISTANT = "assistant"
    INFERRED = "inferred"

    @property
    def tier(self) -> int:
        """0 pinned; 1 edit, person, record; 2 assistant, inferred."""
        return _TIERS[self]


_TIERS = {
    Authority.PINNED: 0,
    Authority.EDIT: 1,
    Authority.PERSON: 1,
    Authority.RECORD: 1,
    Authority.ASSISTANT: 2,
    Authority.INFERRED: 2,
}


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of a statement: ``text``, and where they stand in the episode's text if they do.

    ``start`` and ``end`` are character offsets, half-open; both -1 when the words were given apart.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Support:
    """A fact that another rests on, at an instant (None: when it was said)."""

    subject_id: str
    relation: str
    object_id: str
    instant: datetime | None


@dataclass(frozen=True, slots=True)
class Told:
    """A statement's triple as it was told: before merges, in its own direction and wording.

    ``relation`` is the words given, in the form of ``catalog.relation_key``.
    """

    subject_id: str
    relation: str
    object_id: str | None


@dataclass(frozen=True, slots=True)
class Assertion:
    """What one episode states: who said what, with which words. Immutable.

    ``relation`` is canonical and the ends stand in its direction, merges and reassignments
    followed; ``told`` is what they follow from, and never changes. ``object_id`` None (``ends`` and
    ``denies`` only): any value. ``start``/``end`` are the stated bounds, None when not stated;
    for ``ends``, ``end`` is when it ended, else ``said``. ``said`` None: undated.
    The precision of a bound that is not stated is that of ``said``; UNKNOWN counts as INSTANT.
    ``thread_id`` and ``sequence`` are the episode's place, ``""`` and 0 without an episode.
    ``recorded`` closes when the episode's version or the extractor's run is replaced.
    """

    id: str
    group_id: str
    episode_id: str | None
    thread_id: str
    sequence: int
    speaker: str | None
    quote: Quote | None
    subject_id: str
    relation: str
    object_id: str | None
    fact: str
    kind: AssertionKind
    start: datetime | None
    start_precision: Precision
    end: datetime | None
    end_precision: Precision
    said: datetime | None
    authority: Authority
    confidence: float
    because: tuple[Support, ...]
    extractor: str
    expires_at: datetime | None
    recorded: Interval
    told: Told


class RulingKind(StrEnum):
    """What was decided about records afterwards."""

    RETRACT = "retract"
    QUARANTINE = "quarantine"
    ADMIT = "admit"
    PIN = "pin"
    MERGE = "merge"
    SPLIT = "split"
    REASSIGN = "reassign"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision about records, by whom and why. Immutable; the latest about a target wins.

    Targets are assertion ids, or episode ids (then it is about all that the episode states); of
    MERGE and SPLIT the entity that moves, then the one that it moves into or out of; of REASSIGN
    the assertion, the entity that it named, then the one that it is about.
    ``authority`` is the admitter's, for ADMIT only.
    """

    id: str
    group_id: str
    kind: RulingKind
    target_ids: tuple[str, ...]
    reason: str
    by: str
    authority: Authority | None
    recorded_from: datetime


@dataclass(frozen=True, slots=True)
class Edge:
    """What the engine concludes: subject -relation-> object holds during ``valid``.

    ``subject`` and ``object`` are the entities' names as of the read.
    """

    id: str
    group_id: str
    subject_id: str
    relation: str
    object_id: str
    subject: str
    object: str
    fact: str
    valid: Interval
    start_precision: Precision
    end_precision: Precision
    contested: bool
    recorded: Interval


OPEN = FOREVER
"""Transaction time of a row that is still believed."""
