"""Records to rows and back. Columns stand in the order of ``schema.sql``, group first."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any, TypeAlias

import numpy as np

from graphmem.model import (
    Alias,
    Assertion,
    AssertionKind,
    Authority,
    Edge,
    Entity,
    Episode,
    EpisodeKind,
    Json,
    Quote,
    Ruling,
    RulingKind,
    Source,
    Support,
    Told,
    Vector,
)
from graphmem.temporal import Interval, Precision, from_micros, to_micros

Row: TypeAlias = tuple[Any, ...]
"""One row as sqlite3 takes and gives it."""


# A dictionary finds a member in a tenth of the time that calling the enumeration takes.
_KINDS = {kind.value: kind for kind in EpisodeKind}
_PRECISIONS = {precision.value: precision for precision in Precision}


def micros(instant: datetime | None) -> int | None:
    """Return the stored form of an instant; None stays None."""
    return None if instant is None else to_micros(instant)


def instant(stored: int | None) -> datetime | None:
    """Return the instant of a stored form; None stays None."""
    return None if stored is None else from_micros(stored)


def span(start: int, end: int) -> Interval:
    """Return the interval of two stored instants."""
    return Interval(from_micros(start), from_micros(end))


def bounds(interval: Interval) -> tuple[int, int]:
    """Return both stored instants of an interval."""
    return to_micros(interval.start), to_micros(interval.end)


def dump(value: Json) -> str:
    """Return compact JSON; other scripts stay readable."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def dump_ids(ids: Collection[str]) -> str:
    """Return ids as a JSON array, for ``json_each``."""
    return json.dumps(list(ids))


def episode_row(g: int, e: Episode) -> Row:
    """Return the row of an episode."""
    return (
        *(g, e.id, e.version, e.thread_id, e.sequence, e.speaker, e.role, e.kind, e.text),
        *(micros(e.occurred_at), e.occurred_precision, e.reply_to, dump(list(e.mentions))),
        *(e.source.format, e.source.file, e.source.message_id),
        *(micros(e.edited_at), e.content_hash, micros(e.expires_at), *bounds(e.recorded)),
    )


def episode(group_id: str, row: Row) -> Episode:
    """Return the episode of a row."""
    _, id, version, thread, sequence, speaker, role, kind, text, at, precision, *rest = row
    reply_to, mentions, format, file, message, edited, content, expires, start, end = rest
    return Episode(
        id=id,
        group_id=group_id,
        thread_id=thread,
        sequence=sequence,
        speaker=speaker,
        role=role,
        kind=_KINDS[kind],
        text=text,
        occurred_at=instant(at),
        occurred_precision=_PRECISIONS[precision],
        reply_to=reply_to,
        mentions=() if mentions == "[]" else tuple(json.loads(mentions)),
        source=Source(format, file, message),
        version=version,
        edited_at=instant(edited),
        content_hash=content,
        expires_at=instant(expires),
        recorded=span(start, end),
    )


def entity_row(g: int, e: Entity) -> Row:
    """Return the row of an entity."""
    aliases = dump([[a.name, a.source] for a in e.aliases])
    attributes = dump(dict(e.attributes))
    since = bounds(e.recorded)
    return (g, e.id, e.name, e.kind, aliases, attributes, *since, e.merged_into)


def entity(group_id: str, row: Row) -> Entity:
    """Return the entity of a row."""
    _, id, name, kind, aliases, attributes, start, end, merged_into = row
    known = tuple(Alias(name, source) for name, source in json.loads(aliases))
    held = span(start, end)
    return Entity(id, group_id, name, kind, known, json.loads(attributes), held, merged_into)


def assertion_row(g: int, a: Assertion) -> Row:
    """Return the row of an assertion."""
    quote = (None, None, None) if a.quote is None else (a.quote.text, a.quote.start, a.quote.end)
    because = dump([[s.subject_id, s.relation, s.object_id, micros(s.instant)] for s in a.because])
    return (
        *(g, a.id, a.episode_id, a.thread_id, a.sequence, a.speaker, *quote),
        *(a.subject_id, a.relation, a.object_id, a.fact, a.kind),
        *(micros(a.start), a.start_precision, micros(a.end), a.end_precision, micros(a.said)),
        *(a.authority, a.confidence, because, a.extractor, micros(a.expires_at)),
        *bounds(a.recorded),
        *(a.told.subject_id, a.told.relation, a.told.object_id),
    )


def assertion(group_id: str, row: Row) -> Assertion:
    """Return the assertion of a row."""
    _, id, episode_id, thread, sequence, speaker, quote, quote_start, quote_end, *facts = row
    subject, relation, object, fact, kind, *times = facts
    start, start_precision, end, end_precision, said, authority, confidence, *rest = times
    because, extractor, expires, recorded_from, recorded_to, *told = rest
    return Assertion(
        id=id,
        group_id=group_id,
        episode_id=episode_id,
        thread_id=thread,
        sequence=sequence,
        speaker=speaker,
        quote=None if quote is None else Quote(quote, quote_start, quote_end),
        subject_id=subject,
        relation=relation,
        object_id=object,
        fact=fact,
        kind=AssertionKind(kind),
        start=instant(start),
        start_precision=Precision(start_precision),
        end=instant(end),
        end_precision=Precision(end_precision),
        said=instant(said),
        authority=Authority(authority),
        confidence=confidence,
        because=tuple(Support(s, r, o, instant(t)) for s, r, o, t in json.loads(because)),
        extractor=extractor,
        expires_at=instant(expires),
        recorded=span(recorded_from, recorded_to),
        told=Told(*told),
    )


def ruling_row(g: int, r: Ruling) -> Row:
    """Return the row of a ruling."""
    at = to_micros(r.recorded_from)
    return (g, r.id, r.kind, dump(list(r.target_ids)), r.reason, r.by, r.authority, at)


def ruling(group_id: str, row: Row) -> Ruling:
    """Return the ruling of a row."""
    _, id, kind, targets, reason, by, authority, at = row
    return Ruling(
        id=id,
        group_id=group_id,
        kind=RulingKind(kind),
        target_ids=tuple(json.loads(targets)),
        reason=reason,
        by=by,
        authority=None if authority is None else Authority(authority),
        recorded_from=from_micros(at),
    )


def edge_row(g: int, e: Edge, written: int) -> Row:
    """Return the row of an edge; the names of its ends live with the entities."""
    return (
        *(g, e.id, e.subject_id, e.relation, e.object_id, e.fact, *bounds(e.valid)),
        *(e.start_precision, e.end_precision, int(e.contested), *bounds(e.recorded), written),
    )


def edge(group_id: str, row: Row) -> Edge:
    """Return the edge of a row that ends with the names of its subject and object."""
    _, id, subject_id, relation, object_id, fact, valid_from, valid_to, *rest = row
    start_precision, end_precision, contested, recorded_from, recorded_to, subject, object = rest
    return Edge(
        id=id,
        group_id=group_id,
        subject_id=subject_id,
        relation=relation,
        object_id=object_id,
        subject=subject or subject_id,
        object=object or object_id,
        fact=fact,
        valid=span(valid_from, valid_to),
        start_precision=_PRECISIONS[start_precision],
        end_precision=_PRECISIONS[end_precision],
        contested=bool(contested),
        recorded=span(recorded_from, recorded_to),
    )


def vector_blob(vector: Vector) -> bytes:
    """Return a vector as little-endian float32 bytes."""
    return np.asarray(vector, dtype="<f4").tobytes()


def vector(blob: bytes) -> Vector:
    """Return the vector of such bytes."""
    return np.frombuffer(blob, dtype="<f4").astype(np.float32, copy=False)
