"""Records for tests: everything has a default but what the test is about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import numpy as np

from graphmem.model import (
    Alias,
    Assertion,
    AssertionKind,
    Authority,
    Changes,
    Edge,
    Entity,
    Episode,
    EpisodeKind,
    EpisodeVectors,
    Evidence,
    ExtractionState,
    HitKind,
    Json,
    Quote,
    RelationRow,
    Ruling,
    RulingKind,
    Source,
    TextVector,
    Told,
    Vector,
)
from graphmem.ports import Claim, SearchRequest, Store, View
from graphmem.temporal import ALWAYS, FOREVER, Interval, Precision

NOW = Interval(ALWAYS)
"""Transaction time that ``changes`` replaces by ``[stamp, FOREVER)``."""

Record: TypeAlias = (
    Episode
    | Entity
    | Assertion
    | Ruling
    | Edge
    | Evidence
    | TextVector
    | EpisodeVectors
    | tuple[str, str]
    | ExtractionState
    | RelationRow
)
"""What a unit of work can write; a pair of strings is an edge id and the hash of its text."""

_FIELDS: dict[type, str] = {
    Episode: "episodes",
    Entity: "entities",
    Assertion: "assertions",
    Ruling: "rulings",
    Edge: "edges",
    Evidence: "evidence",
    TextVector: "vectors",
    EpisodeVectors: "episode_vectors",
    tuple: "edge_vectors",
    ExtractionState: "extractions",
    RelationRow: "relations",
}


def day(number: int) -> datetime:
    """Return midnight UTC of day ``number`` of 2024; 1 is 1 January."""
    return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=number - 1)


def episode(
    id: str,
    *,
    thread_id: str = "t",
    sequence: int = 0,
    text: str = "",
    speaker: str | None = "Ann",
    role: str = "user",
    kind: EpisodeKind = EpisodeKind.MESSAGE,
    occurred_at: datetime | None = None,
    version: int = 1,
    expires_at: datetime | None = None,
    recorded: Interval = NOW,
) -> Episode:
    """Return a turn of thread ``t``, at an unknown time unless given."""
    return Episode(
        id=id,
        group_id="g",
        thread_id=thread_id,
        sequence=sequence,
        speaker=speaker,
        role=role,
        kind=kind,
        text=text,
        occurred_at=occurred_at,
        occurred_precision=Precision.UNKNOWN if occurred_at is None else Precision.INSTANT,
        reply_to=None,
        mentions=(),
        source=Source("live", None, None),
        version=version,
        edited_at=None,
        content_hash=f"hash of {text}",
        expires_at=expires_at,
        recorded=recorded,
    )


def entity(
    id: str,
    name: str | None = None,
    *,
    kind: str = "person",
    aliases: Iterable[str] = (),
    attributes: dict[str, Json] | None = None,
    recorded: Interval = NOW,
) -> Entity:
    """Return a person named like its id unless ``name`` is given."""
    known = tuple(Alias(alias, "user") for alias in aliases)
    return Entity(id, "g", name or id, kind, known, attributes or {}, recorded)


def assertion(
    id: str,
    subject_id: str = "ann",
    relation: str = "lives in",
    object_id: str | None = "rome",
    *,
    kind: AssertionKind = AssertionKind.AFFIRMS,
    episode_id: str | None = None,
    said: datetime | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    authority: Authority = Authority.PERSON,
    quote: Quote | None = None,
    recorded: Interval = NOW,
) -> Assertion:
    """Return a person's undated statement that Ann lives in Rome, unless told otherwise."""
    return Assertion(
        id=id,
        group_id="g",
        episode_id=episode_id,
        thread_id="t" if episode_id else "",
        sequence=0,
        speaker="Ann",
        quote=quote,
        subject_id=subject_id,
        relation=relation,
        object_id=object_id,
        fact=f"{subject_id} {relation} {object_id}",
        kind=kind,
        start=start,
        start_precision=Precision.UNKNOWN if start is None else Precision.INSTANT,
        end=end,
        end_precision=Precision.UNKNOWN if end is None else Precision.INSTANT,
        said=said,
        authority=authority,
        confidence=1.0,
        because=(),
        extractor="scripted",
        expires_at=None,
        recorded=recorded,
        told=Told(subject_id, relation, object_id),
    )


def ruling(
    id: str,
    *target_ids: str,
    kind: RulingKind = RulingKind.RETRACT,
    authority: Authority | None = None,
    recorded_from: datetime = ALWAYS,
) -> Ruling:
    """Return a user's retraction of ``target_ids``."""
    return Ruling(id, "g", kind, target_ids, "said so", "user", authority, recorded_from)


def edge(
    id: str,
    subject_id: str = "ann",
    relation: str = "lives in",
    object_id: str = "rome",
    *,
    fact: str | None = None,
    valid: Interval = NOW,
    contested: bool = False,
    recorded: Interval = NOW,
) -> Edge:
    """Return an edge that holds for all time; its ends are named by their ids."""
    return Edge(
        id=id,
        group_id="g",
        subject_id=subject_id,
        relation=relation,
        object_id=object_id,
        subject=subject_id,
        object=object_id,
        fact=f"{subject_id} {relation} {object_id}" if fact is None else fact,
        valid=valid,
        start_precision=Precision.INSTANT,
        end_precision=Precision.INSTANT,
        contested=contested,
        recorded=recorded,
    )


def vector(*values: float) -> Vector:
    """Return the unit vector in the direction of ``values``; what has none stays as it is."""
    given = np.asarray(values, dtype=np.float32)
    length = np.linalg.norm(given)
    return np.asarray(given / length if 0 < length < np.inf else given, dtype=np.float32)


def embedded(turn: Episode, *values: float) -> tuple[Episode, EpisodeVectors, TextVector]:
    """Return a turn with the vector of ``values`` for itself and its window."""
    text_hash = f"hash of {turn.id}"
    vectors = EpisodeVectors(turn.id, text_hash, text_hash)
    return turn, vectors, TextVector(text_hash, vector(*values))


def supporting(edge_id: str, turn: Episode) -> tuple[Assertion, Evidence]:
    """Return an assertion of a turn, with the turn's id, and its link to an edge."""
    stated = assertion(turn.id, episode_id=turn.id)
    stated = replace(stated, thread_id=turn.thread_id, speaker=turn.speaker)
    return stated, Evidence(edge_id, turn.id)


def claim(
    subject: str,
    relation: str,
    object: str | None,
    *,
    quote: str = "",
    kind: AssertionKind = AssertionKind.AFFIRMS,
    start: datetime | None = None,
    end: datetime | None = None,
) -> Claim:
    """Return a claim for ``ScriptedExtractor``, bounds known to the instant."""
    return Claim(
        episode_id="",
        subject=subject,
        relation=relation,
        object=object,
        object_value=None,
        kind=kind,
        fact=f"{subject} {relation} {object}",
        quote=Quote(quote, -1, -1),
        start=start,
        start_precision=Precision.UNKNOWN if start is None else Precision.INSTANT,
        end=end,
        end_precision=Precision.UNKNOWN if end is None else Precision.INSTANT,
        confidence=1.0,
    )


def request(
    *,
    terms: Sequence[str] = (),
    names: Sequence[str] = (),
    vector: Vector | None = None,
    kinds: Collection[HitKind] = frozenset(HitKind),
    channels: Collection[str] = frozenset({"lexical", "vector", "graph"}),
    valid: Interval | None = None,
    recorded: datetime | None = None,
    occurred_by: datetime = FOREVER,
    threads: frozenset[str] | None = None,
    speakers: frozenset[str] | None = None,
    during: Interval | None = None,
    limit: int = 20,
    events: frozenset[str] = frozenset(),
) -> SearchRequest:
    """Return a search in all channels, as believed on 31 December 2024, edges of 1 January."""
    return SearchRequest(
        terms=tuple(terms),
        names=tuple(names),
        vector=vector,
        kinds=frozenset(kinds),
        channels=frozenset(channels),
        valid=valid or Interval(day(1), day(1) + timedelta(microseconds=1)),
        recorded=recorded or day(366),
        occurred_by=occurred_by,
        threads=threads,
        speakers=speakers,
        during=during,
        limit=limit,
        events=events,
    )


def changes(*records: Record, stamp: datetime, group_id: str = "g") -> Changes:
    """Return changes that write records: moved into the group, those recorded ``NOW`` at ``stamp``.

    A ruling recorded at ``ALWAYS`` gets the stamp too.
    """
    written: dict[str, Any] = {}
    for record in records:
        moved = _moved(record, group_id, stamp)
        written[_FIELDS[type(record)]] = (*written.get(_FIELDS[type(record)], ()), moved)
    return Changes(**written)


def put(
    store: Store,
    *records: Record,
    group_id: str = "g",
    close_episodes: tuple[str, ...] = (),
    close_assertions: tuple[str, ...] = (),
    close_edges: tuple[str, ...] = (),
) -> datetime:
    """Write records, as ``changes`` makes them, in one unit of work; return its stamp."""
    stamps: list[datetime] = []

    def work(view: View) -> Changes:
        stamps.append(view.stamp)
        return replace(
            changes(*records, stamp=view.stamp, group_id=group_id),
            close_episodes=close_episodes,
            close_assertions=close_assertions,
            close_edges=close_edges,
        )

    store.write(group_id, work)
    return stamps[-1]


def _moved(record: Record, group_id: str, stamp: datetime) -> Record:
    if isinstance(record, Ruling):
        at = stamp if record.recorded_from == ALWAYS else record.recorded_from
        return replace(record, group_id=group_id, recorded_from=at)
    if isinstance(record, Episode | Entity | Assertion | Edge):
        recorded = Interval(stamp) if record.recorded == NOW else record.recorded
        return replace(record, group_id=group_id, recorded=recorded)
    return record
