"""Statements to assertions: names resolved, relations canonical, ids derived from content."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graphmem.catalog import Catalog, relation_key
from graphmem.errors import InvalidInput
from graphmem.ingest.meaning import meaning
from graphmem.ingest.resolve import Resolver
from graphmem.ingest.statement import Statement, Value
from graphmem.model import Assertion, AssertionKind, Support, Told
from graphmem.ports import View
from graphmem.temporal import FOREVER, Interval, Moment, Unknown, to_micros, utc


@dataclass(frozen=True, slots=True)
class Reading:
    """What turns statements into assertions within one unit of work."""

    group_id: str
    view: View
    catalog: Catalog
    resolver: Resolver

    def assertion(self, s: Statement) -> Assertion:
        """Return the assertion of one statement.

        Raises:
            InvalidInput: A bad name, time or relation, or an ``affirms`` without an object.
        """
        if s.expires_at is not None:
            s = replace(s, expires_at=utc(s.expires_at, what="expires_at"))
        told = self._told(s)
        said = self._said(s)
        start, end = _bounds(s)
        id = self._id(s, told.subject_id, told.relation, told.object_id, said, start, end)
        merged = self.resolver.merged
        subject_id, relation, object_id = meaning(told, self.catalog, merged, {})
        return Assertion(
            id=id,
            group_id=self.group_id,
            episode_id=s.episode_id,
            thread_id=s.thread_id,
            sequence=s.sequence,
            speaker=s.speaker,
            quote=s.quote,
            subject_id=subject_id,
            relation=relation,
            object_id=object_id,
            fact=s.fact or self._sentence(s, subject_id, relation, object_id),
            kind=s.kind,
            start=start.instant if start else None,
            start_precision=start.precision if start else s.said_precision,
            end=end.instant if end else None,
            end_precision=end.precision if end else s.said_precision,
            said=said,
            authority=s.authority,
            confidence=s.confidence,
            because=tuple(self._support(*b, said) for b in s.because),
            extractor=s.extractor,
            expires_at=s.expires_at,
            recorded=Interval(self.view.stamp, FOREVER),
            told=told,
        )

    def _told(self, s: Statement) -> Told:
        relation, inverted = self.catalog.resolve(s.relation)
        literal = relation.object_kind == "value" and not inverted
        subject = self.resolver.resolve(s.subject)
        if s.object is None and s.kind is AssertionKind.AFFIRMS:
            raise InvalidInput(f"{s.subject!r} {s.relation!r}: an object is needed to affirm it")
        object = None if s.object is None else self.resolver.resolve(s.object, value=literal)
        return Told(subject, relation_key(s.relation), object)

    def _said(self, s: Statement) -> datetime | None:
        if s.said is Unknown.UNKNOWN:
            return None
        return self.view.stamp if s.said is None else utc(s.said, what="occurred_at")

    def _sentence(self, s: Statement, subject_id: str, relation: str, object_id: str | None) -> str:
        names = self.resolver.names(id for id in (subject_id, object_id) if id is not None)
        verb = {
            AssertionKind.AFFIRMS: relation,
            AssertionKind.ENDS: f"no longer {relation}",
            AssertionKind.DENIES: f"never {relation}",
        }[s.kind]
        return f"{names[subject_id]} {verb} {names[object_id] if object_id else 'anything'}"

    def _support(self, subject: str, relation: str, object: str, said: datetime | None) -> Support:
        known, inverted = self.catalog.resolve(relation)
        ends = [self.resolver.resolve(name) for name in (subject, object)]
        if inverted:
            ends.reverse()
        return Support(ends[0], known.name, ends[1], said)

    def _id(self, s: Statement, *content: Any) -> str:
        quote = s.quote and (s.quote.text, s.quote.start)
        parts = (
            *(self.group_id, s.episode_id, s.thread_id, s.speaker, quote, *content),
            *(s.kind, s.authority, s.extractor, s.expires_at),
        )
        return "as_" + hashlib.sha256(repr([_plain(p) for p in parts]).encode()).hexdigest()[:24]


def mentioned(s: Statement) -> list[Any]:
    """Return everything that a statement names, for one batched look-up."""
    object = s.object
    texts = [Value(object)] if isinstance(object, str) else []
    supports = [name for subject, _, other in s.because for name in (subject, other)]
    return [s.subject, object, *texts, *supports]


def _bounds(s: Statement) -> tuple[Moment | None, Moment | None]:
    start = s.start and Moment(utc(s.start.instant, what="valid_from"), s.start.precision)
    end = s.end and Moment(utc(s.end.instant, what="valid_to"), s.end.precision)
    if start and end and end.instant <= start.instant:
        raise InvalidInput(
            f"valid_to {end.instant.isoformat()} is not after valid_from "
            f"{start.instant.isoformat()}"
        )
    return start, end


def _plain(part: Any) -> Any:
    """Return a form that prints the same in every Python and time zone."""
    if isinstance(part, datetime):
        return to_micros(part)
    if isinstance(part, Moment):
        return to_micros(part.instant), str(part.precision)
    return str(part) if isinstance(part, str) else part
