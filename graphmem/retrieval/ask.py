"""Plain questions to patterns over edges, by rule: no model is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from graphmem.catalog import Catalog, Relation
from graphmem.retrieval.chinese import read_chinese
from graphmem.retrieval.clause import Clause, Span, Wanted
from graphmem.retrieval.english import read_english
from graphmem.retrieval.naming import Known, Lookup, Mention, find_names, mention, split
from graphmem.retrieval.phrases import Phrasebook, phrasebook
from graphmem.temporal import Interval
from graphmem.temporal.words import TimeRole, TimeSpan, find_times

_LONGEST: Final = 600
"""Characters of the longest question: what is longer is a text, not a question."""
_WH: Final = r"(?:who|whom|whose|what|which|where|when|how|why|by\s+whom|since\s+when)(?:['’]s)?\b"
_JOINT: Final = re.compile(
    rf"[,;?.!]*\s+(?:and|then|but)\s+(?:then\s+)?(?={_WH})|[,;?.!]+\s+(?={_WH})|[?;]\s+"
    r"|[？；。，]\s*|\?(?=[\u3400-\u9fff])",
    re.IGNORECASE,
)
_BACK: Final = re.compile(
    r"(?:they|them|their|he|him|his|she|her|it|its|that|this"
    r"|(?:that|this|the|the\s+same)?\s*"
    r"(?:person|man|woman|one|company|team|organi[sz]ation|project|place)"
    r"|[他她它]们?|[这那](?:个人|人|位|家公司|个项目|个团队)?|此人|该(?:人|公司|项目|团队))",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"\b(?:how\s+(?:do|can)\s+(?:we|you|i)\s+know|is\s+it\s+true)\s+(?:that\s+)?", re.IGNORECASE
)
_MOMENT: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Hop:
    """One pattern of a plan.

    Attributes:
        relation: The relation. None: one that nobody declared, said with some of ``stems``; without
            stems any, either way round.
        inverted: The question's words say it from object to subject.
        subject: What stands before the words: a mention, the number of the earlier hop whose
            answers are meant, or None: open.
        object: Likewise what stands after them.
        wanted: Which end, or the time, is asked for.
        shown: It is asked for itself, not only on the way to another.
        stems: The stems of the clause, if ``relation`` is None.
    """

    relation: Relation | None
    inverted: bool
    subject: Mention | int | None
    object: Mention | int | None
    wanted: Wanted
    shown: bool = True
    stems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The patterns of a question, each after those that it leans on, and when they should hold.

    No hops: the question was not understood. It names an instant (``valid``), a stretch
    (``during``), or no time.
    """

    hops: tuple[Hop, ...]
    valid: datetime | None = None
    during: Interval | None = None


def plan(question: str, *, catalog: Catalog, named: Lookup, now: datetime) -> Plan:
    """Return the patterns that a question asks for. Cost: one look-up of names, whatever it asks.

    A relation is known by its names, aliases and inverse, in any form of the verb. What the rules
    do not understand gives no pattern: no guess.

    Args:
        question: One question, or two joined ("..., and who is that person's manager?").
        catalog: The group's relations.
        named: Looks names up, as ``View.named`` does.
        now: What "today" and "in April" are told from.
    """
    if len(question) > _LONGEST:
        return Plan(())
    known = find_names(question, named)
    times = [
        span
        for span in find_times(question, now, lean="past")
        if not any(k.start < span.end and span.start < k.end for k in known)
    ]
    hops = _Reader(question, phrasebook(catalog), known, times).hops()
    valid, during = _when(times[0], question) if len(times) == 1 else (None, None)
    return Plan(tuple(hops), valid, during)


class _Reader:
    def __init__(
        self, text: str, book: Phrasebook, known: Sequence[Known], times: Sequence[TimeSpan]
    ) -> None:
        self._text = text
        self._timeless = _blanked(text, times)
        self._book = book
        self._known = known
        self._hops: list[Hop] = []

    def hops(self) -> list[Hop]:
        at = 0
        for joint in _JOINT.finditer(self._timeless):
            if not any(k.start < joint.end() and joint.start() < k.end for k in self._known):
                self._add(at, joint.start())
                at = joint.end()
        self._add(at, len(self._text))
        return self._hops

    def _add(self, start: int, end: int) -> None:
        clause = read_chinese(self._timeless, start, end, self._book, self._known)
        if clause is None:
            words = [w for w in split(self._timeless) if start <= w.start and w.end <= end]
            clause = read_english(words, self._book, self._known)
        if clause is not None:
            kept = len(self._hops)
            if self._hop(clause, shown=True) is None:
                del self._hops[kept:]

    def _hop(self, clause: Clause, *, shown: bool) -> int | None:
        """Add a clause's hop after those that it leans on; return its number, None without one."""
        ends: list[Mention | int | None] = []
        for end in (clause.subject, clause.object):
            found = None if end is None else self._end(end)
            if found is None and end is not None:
                return None
            ends.append(found)
        sense, (subject, object) = clause.sense, ends
        if clause.about and isinstance(object, Mention):
            object = Mention(object.text)
        self._hops.append(
            Hop(
                None if sense is None else sense.relation,
                sense is not None and sense.inverted,
                subject,
                object,
                _wanted(clause),
                shown,
                clause.stems,
            )
        )
        return len(self._hops) - 1

    def _end(self, end: Span | Clause) -> Mention | int | None:
        if isinstance(end, Clause):
            return self._hop(end, shown=False)
        meant = mention(self._text, end.start, end.end, self._known)
        if meant.ids or not _BACK.fullmatch(meant.text.strip()):
            return meant
        asked = (Wanted.SUBJECT, Wanted.OBJECT)
        earlier = [n for n, hop in enumerate(self._hops) if hop.shown and hop.wanted in asked]
        return earlier[-1] if earlier else None


def _wanted(clause: Clause) -> Wanted:
    if clause.sense is None and not clause.stems:
        return Wanted.RELATION
    if clause.asks_time:
        return Wanted.TIME
    if clause.subject is None and not clause.about:
        return Wanted.SUBJECT
    return Wanted.OBJECT if clause.object is None or clause.about else Wanted.WHETHER


def _blanked(text: str, times: Sequence[TimeSpan]) -> str:
    spans = [(span.start, span.end) for span in times]
    for start, end in (*spans, *(match.span() for match in _LEAD.finditer(text))):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _when(span: TimeSpan, text: str) -> tuple[datetime | None, Interval | None]:
    """Return the instant or the stretch that time words mean.

    "As of" a day or month is its last instant. What has gone on "since" then is read now.
    """
    if span.role in (TimeRole.BEFORE, TimeRole.UNTIL):
        return span.at.instant - _MOMENT, None
    if span.role is TimeRole.AFTER or span.to.instant <= span.at.instant:
        return span.to.instant, None
    if text[span.start : span.end].lower().startswith("as"):
        return span.to.instant - _MOMENT, None
    if span.role in (TimeRole.SINCE, TimeRole.DUE):
        return None, None
    return None, Interval(span.at.instant, span.to.instant)
