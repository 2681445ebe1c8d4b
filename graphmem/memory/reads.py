"""What can be asked of a memory: search, edges, patterns, history, lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from graphmem import retrieval
from graphmem.catalog import TemporalKind
from graphmem.errors import InvalidInput
from graphmem.memory.answers import Answer, HistoryRow
from graphmem.memory.asking import answered, matched
from graphmem.memory.core import Core
from graphmem.memory.history import history_rows
from graphmem.model import Edge, Entity, Episode, Hit, HitKind
from graphmem.ports import EdgeFilter, EpisodeFilter, Page, ThreadSummary, View
from graphmem.temporal import AsOf, AsOfLike, Interval, Precision
from graphmem.temporal import as_of as point

CHANNELS = ("lexical", "vector", "graph")
PAGE = 1000
"""Rows of a list when no limit is given."""


class Reads(Core):
    """Reads; none of them calls a model but for the question's embedding, none writes."""

    def search(
        self,
        query: str,
        *,
        group_id: str | None = None,
        as_of: AsOfLike = None,
        limit: int = 10,
        kinds: Sequence[str] = ("edge", "episode"),
        channels: Sequence[str] | None = None,
        threads: Collection[str] | None = None,
        speakers: Collection[str] | None = None,
        during: Interval | None = None,
        max_tokens: int | None = None,
    ) -> list[Hit]:
        """Find edges and episodes about ``query``.

        Cost: one embedding of the question, then work in memory that grows with the group's rows
        (a few milliseconds at 10,000 edges and 10,000 episodes).

        Args:
            query: Words in any language.
            group_id: Whose memory.
            as_of: The point in both times to search at; edges must hold then, episodes must
                have occurred by then (those of unknown time stay in).
            limit: How many hits at most, from 1.
            kinds: ``"edge"``, ``"episode"`` or both.
            channels: Some of ``"lexical"``, ``"vector"``, ``"graph"``; None: all there are.
            threads: Only what was said in these threads.
            speakers: Only what these people said, by their names as stored.
            during: Only what overlaps it: edges by valid time, episodes by when they occurred.
            max_tokens: Leave out hits from where their texts together would pass about so many
                tokens (a token is taken as four characters, of Chinese one); the first always
                stays.

        Returns:
            Hits, best first; ties share a rank and stand in order of id.

        Raises:
            InvalidInput: An empty query, an unknown kind or channel, a limit below 1.
        """
        group = self._group(group_id)
        view = self._store.view(group)
        valid, recorded = _at(as_of, view)
        hits = retrieval.search(
            self._store,
            view,
            group,
            query,
            embedder=self._embedder,
            valid=valid,
            recorded=recorded,
            limit=_positive(limit),
            kinds=frozenset(map(_kind, kinds)),
            channels=_channels(channels),
            threads=None if threads is None else frozenset(threads),
            speakers=None if speakers is None else frozenset(speakers),
            during=during,
        )
        return hits if max_tokens is None else retrieval.within_budget(hits, max_tokens)

    def edges(
        self,
        *,
        group_id: str | None = None,
        as_of: AsOfLike = None,
        include_contested: bool = False,
    ) -> list[Edge]:
        """Return every edge that holds at ``as_of``.

        Returns:
            By subject, relation, start, object. Times are half-open, UTC.
        """
        view = self._store.view(self._group(group_id))
        valid, recorded = _at(as_of, view)
        return view.edges(_edges_at(view, valid, recorded, contested=include_contested))

    def match(
        self,
        subject: str | None = None,
        relation: str | None = None,
        object: str | None = None,
        *,
        group_id: str | None = None,
        as_of: AsOfLike = None,
        during: Interval | None = None,
        include_contested: bool = False,
        limit: int = 100,
    ) -> list[Answer]:
        """Return the edges that fit one pattern; what is None fits anything.

        Names, aliases and entity ids are understood; so are a relation's aliases and its
        inverse. Symmetric relations fit either way round. Cost: one indexed read.

        Raises:
            InvalidInput: Neither end nor relation given, or a limit below 1.
        """
        if subject is None and relation is None and object is None:
            raise InvalidInput("a pattern needs a subject, a relation or an object")
        view = self._store.view(self._group(group_id))
        valid, recorded = _at(as_of, view)
        pattern = retrieval.Pattern(subject, relation, object)
        base = _edges_at(view, valid, recorded, contested=include_contested)
        if during is not None:
            base = EdgeFilter(recorded, during, contested=include_contested)
        found = retrieval.match(view, pattern, base)[: _positive(limit)]
        asks_subject = subject is None and object is not None
        return matched(view, found, recorded, asks_subject=asks_subject)

    def ask(
        self,
        question: str,
        *,
        group_id: str | None = None,
        as_of: AsOfLike = None,
        limit: int = 10,
    ) -> list[Answer]:
        """Answer a plain question about relations, in English or Chinese; no model is asked.

        Understood are questions that come down to relations between named things, in the words of
        the catalog or of the facts: "who approved the rollout, and who is that person's manager?",
        "where does the lead of Atlas live?", "when did Tomas join Acme?", "谁批准了预算？". A thing
        may be named in part, if nothing bears just that name: then all that fit best answer.
        Cost: one look-up of names, one indexed read a relation, one of the evidence.

        Args:
            question: One question, or several joined; "they" is whom the one before asks for.
            group_id: Whose memory.
            as_of: The point in both times to answer at. Left out: what the question says, else
                now. "In May" takes what held or happened at some time in May, "as of May" what
                did at its end, "when" looks at all of time.
            limit: At most so many answers of each part, the latest start first.

        Returns:
            The answers of each part in turn; empty when the question is not understood or nothing
            fits. An answer reached through another one names it (``Answer.path``).

        Raises:
            InvalidInput: An empty question, or a limit below 1.
        """
        if not question.strip():
            raise InvalidInput(f"nothing is asked in {question!r}")
        view = self._store.view(self._group(group_id))
        given = point(as_of)
        named = retrieval.followed(view, point(as_of).at(view.stamp)[1])
        plan = retrieval.plan(question, catalog=view.catalog(), named=named, now=view.stamp)
        if given.valid is None and plan.valid is not None:
            given = AsOf(plan.valid, given.recorded)
        valid, recorded = given.at(view.stamp)
        at = _edges_at(view, valid, recorded, contested=False)
        if given.valid is None and plan.during is not None:
            at = EdgeFilter(recorded, plan.during)
        ever = at if as_of is not None else EdgeFilter(recorded)
        found = retrieval.answers(view, plan.hops, at, ever=ever, limit=_positive(limit))
        return answered(view, found, recorded)

    def history(
        self,
        subject: str,
        relation: str | None = None,
        *,
        group_id: str | None = None,
        as_of: AsOfLike = None,
    ) -> list[HistoryRow]:
        """Return every value that ``subject`` had, past, present and planned.

        Args:
            subject: A name or entity id.
            relation: A relation, alias or inverse; None: all in which it is the subject.
            group_id: Whose memory.
            as_of: Only its ``recorded`` counts: what was believed then.

        Returns:
            By relation, start, object; contested values are flagged.
        """
        view = self._store.view(self._group(group_id))
        _, recorded = _at(as_of, view)
        pattern = retrieval.Pattern(subject, relation, None)
        found = retrieval.match(view, pattern, EdgeFilter(recorded=recorded, contested=True))
        rows = history_rows(view, [edge for edge, _ in found], recorded)
        return sorted(rows, key=lambda row: (row.relation, row.valid.start, row.object))

    def episodes(
        self,
        *,
        group_id: str | None = None,
        as_of: AsOfLike = None,
        threads: Collection[str] | None = None,
        speakers: Collection[str] | None = None,
        during: Interval | None = None,
        last: int | None = None,
        after: str | None = None,
        limit: int = PAGE,
    ) -> list[Episode]:
        """Return episodes, a page at a time.

        Args:
            group_id: Whose memory.
            as_of: The versions current at ``recorded``; what occurred after ``valid`` stays out.
            threads: Only of these threads.
            speakers: Only by these speakers.
            during: Only what occurred in it; unknown times stay out.
            last: The last so many instead of a page, oldest first.
            after: The id that the page before ended with.
            limit: Rows of a page.

        Returns:
            By thread, then sequence.

        Raises:
            NotFound: ``after`` is no episode of the group.
        """
        view = self._store.view(self._group(group_id))
        valid, recorded = _at(as_of, view)
        chosen = EpisodeFilter(recorded, valid, during, threads, speakers)
        if last is not None:
            return view.latest(chosen, _positive(last))
        return view.find_episodes(chosen, Page(_positive(limit), after))

    def threads(
        self, *, group_id: str | None = None, after: str | None = None, limit: int = PAGE
    ) -> list[ThreadSummary]:
        """Return threads by id, with their number of turns and first and last known time."""
        return self._store.view(self._group(group_id)).threads(Page(_positive(limit), after))

    def entities(
        self, *, group_id: str | None = None, after: str | None = None, limit: int = PAGE
    ) -> list[Entity]:
        """Return entities by id, literal values left out; ``after`` is the last id of a page."""
        return self._store.view(self._group(group_id)).find_entities(Page(_positive(limit), after))


def _at(given: AsOfLike, view: View) -> tuple[datetime, datetime]:
    return point(given).at(view.stamp)


def _edges_at(view: View, valid: datetime, recorded: datetime, *, contested: bool) -> EdgeFilter:
    """Return the filter of states that hold at ``valid`` and events that happened by then."""
    relations = view.catalog().relations.values()
    events = frozenset(r.name for r in relations if r.temporal is TemporalKind.EVENT)
    during = Interval(valid, Precision.INSTANT.end(valid))
    return EdgeFilter(recorded, during, contested=contested, events=events)


def _positive(limit: int) -> int:
    if limit < 1:
        raise InvalidInput(f"limit {limit}: give 1 or more")
    return limit


def _kind(kind: str) -> HitKind:
    try:
        return HitKind(kind)
    except ValueError as error:
        raise InvalidInput(f"unknown kind {kind!r}: give 'edge' or 'episode'") from error


def _channels(channels: Sequence[str] | None) -> frozenset[str]:
    chosen = frozenset(CHANNELS if channels is None else channels)
    if unknown := chosen - set(CHANNELS):
        raise InvalidInput(f"unknown channels {sorted(unknown)}: give some of {CHANNELS}")
    return chosen
