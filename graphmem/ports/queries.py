"""What can be asked of a store."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.model import HitKind, Vector
from graphmem.temporal import Interval


@dataclass(frozen=True, slots=True)
class SlotQuery:
    """Which statements or edges one slot is made of.

    A row matches if its relation is among ``relations``, and each end that is given equals the
    row's, or the row leaves its object open (an ``ends`` or ``denies`` of any value).
    """

    relations: tuple[str, ...]
    subject_id: str | None
    object_id: str | None


@dataclass(frozen=True, slots=True)
class StatementFilter:
    """Which assertions to read; what is None does not narrow.

    Attributes:
        ids: Their own.
        episode_ids: Of the episodes that state them.
        entity_ids: Either end, as told or as resolved.
        told_relations: As told (``Assertion.told``).
        speakers: As written.
        expired_by: Those that have expired by then.
        ever: Rows closed in transaction time too, so that an id may come more than once.
    """

    ids: Collection[str] | None = None
    episode_ids: Collection[str] | None = None
    entity_ids: Collection[str] | None = None
    told_relations: Collection[str] | None = None
    speakers: Collection[str] | None = None
    expired_by: datetime | None = None
    ever: bool = False


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Which edges to read; what is None does not narrow.

    ``during`` overlaps; ``recorded`` is an instant. Edges of the relations in ``events`` also fit
    if they began before ``during`` ends: read at an instant, an event has happened by then.
    """

    recorded: datetime
    during: Interval | None = None
    subject_ids: Collection[str] | None = None
    relations: Collection[str] | None = None
    object_ids: Collection[str] | None = None
    contested: bool = False
    events: Collection[str] = ()
    ids: Collection[str] | None = None


@dataclass(frozen=True, slots=True)
class EpisodeFilter:
    """Which episodes to read; what is None does not narrow. Expired ones are left out.

    Attributes:
        recorded: The version current at this instant of transaction time.
        occurred_by: Leaves out what occurred after it; unknown times stay in.
        during: Only what occurred inside; unknown times are left out.
    """

    recorded: datetime
    occurred_by: datetime | None = None
    during: Interval | None = None
    threads: Collection[str] | None = None
    speakers: Collection[str] | None = None
    ids: Collection[str] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of an ordered list: at most ``limit`` rows after the row with key ``after``."""

    limit: int
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """One thread: how many current turns, and when the first and last of known time occurred."""

    id: str
    episodes: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to look for in one group; every filter applies before any limit.

    Attributes:
        terms: Stems of the question, stop words dropped (``index.terms``).
        names: Words of the question as written (``index.words``), to find entities named in it.
        vector: The question's embedding, or None: no vector channel.
        channels: Among ``lexical``, ``vector``, ``graph``.
        valid: Edges that hold in it (an instant is an interval of a microsecond).
        events: Relations whose edges also fit if they began before ``valid`` ends: read at an
            instant, an event has happened by then.
        limit: How many candidates a channel may bring, of each kind.
    """

    terms: tuple[str, ...]
    names: tuple[str, ...]
    vector: Vector | None
    kinds: frozenset[HitKind]
    channels: frozenset[str]
    valid: Interval
    recorded: datetime
    occurred_by: datetime
    threads: frozenset[str] | None
    speakers: frozenset[str] | None
    during: Interval | None
    limit: int
    events: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a channel found, with the raw features that retrieval weighs.

    ``ranks``: rank in each channel that found it, from 1, ties share. ``features``: raw, unscaled
    values by name (``index.features`` documents them); absent means it does not apply.
    """

    id: str
    kind: HitKind
    ranks: Mapping[str, int]
    features: Mapping[str, float]
