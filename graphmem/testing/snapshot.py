"""``ports.View`` over the reference store's tables: every method is one filter over a list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from graphmem.catalog import Catalog
from graphmem.errors import NotFound
from graphmem.index import name_key
from graphmem.model import (
    Assertion,
    Edge,
    Entity,
    Episode,
    Extraction,
    ExtractionState,
    Ruling,
)
from graphmem.ports import (
    EdgeFilter,
    EpisodeFilter,
    Page,
    SlotQuery,
    StatementFilter,
    ThreadSummary,
)
from graphmem.temporal import ALWAYS, Interval
from graphmem.testing.tables import Tables

_Row = TypeVar("_Row", Episode, Entity, Assertion, Edge)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One group as it is in ``tables``, read at ``stamp``. The methods are those of ``View``."""

    tables: Tables
    stamp: datetime

    def catalog(self, recorded: datetime | None = None) -> Catalog:
        """Return the group's relations as of ``recorded``."""
        known = self._known(recorded or self.stamp)
        rows = {r.name: r.definition for at, r in self.tables.relations if at <= known}
        return Catalog.of_rows(sorted(rows.items()))

    def catalog_times(self) -> list[datetime]:
        """Return when relations were added or redefined, in order."""
        return sorted({at for at, _ in self.tables.relations})

    def told_relations(self) -> set[str]:
        """Return every relation that a current statement was told with."""
        return {a.told.relation for a in self._current(self.tables.assertions)}

    def merged(self, ids: Collection[str], recorded: datetime | None = None) -> dict[str, str]:
        """Return, for ids that were merged as of ``recorded``, the entity each stands for."""
        known = self._known(recorded or self.stamp)
        rows = self.tables.entities
        believed = (e for e in rows if e.recorded.start <= known < e.recorded.end)
        into = {e.id: e.merged_into for e in believed}
        found: dict[str, str] = {}
        for id in ids:
            at = id
            while (further := into.get(at)) is not None:
                at = found[id] = further
        return found

    def episodes(self, ids: Collection[str]) -> dict[str, Episode]:
        """Return the current versions of these ids."""
        return {e.id: e for e in self._current(self.tables.episodes) if e.id in ids}

    def find_episodes(self, filter: EpisodeFilter, page: Page) -> list[Episode]:
        """Return episodes by (thread, sequence, id)."""
        found = sorted(self._matching(filter), key=_place)
        if page.after is not None:
            after = self._place_of(page.after)
            found = [e for e in found if _place(e) > after]
        return found[: page.limit]

    def latest(self, filter: EpisodeFilter, limit: int) -> list[Episode]:
        """Return the last episodes, oldest first."""
        one_thread = filter.threads is not None and len(filter.threads) == 1
        found = sorted(self._matching(filter), key=_place if one_thread else _occurrence)
        return _last(found, limit)

    def before(self, episodes: Sequence[Episode], limit: int) -> dict[str, list[Episode]]:
        """Return, by id, the ``limit`` current turns just before each place, in thread order."""
        return {
            e.id: _last(
                [turn for turn in self.thread(e.thread_id) if _place(turn) < _place(e)], limit
            )
            for e in episodes
        }

    def after(self, episodes: Sequence[Episode], limit: int) -> dict[str, list[Episode]]:
        """Return, by id, the ``limit`` current turns just after each place, in thread order."""
        return {
            e.id: [turn for turn in self.thread(e.thread_id) if _place(turn) > _place(e)][:limit]
            for e in episodes
        }

    def thread(self, thread_id: str) -> list[Episode]:
        """Return the current turns of a thread by (sequence, id)."""
        turns = (e for e in self._current(self.tables.episodes) if e.thread_id == thread_id)
        return sorted(turns, key=_place)

    def threads(self, page: Page) -> list[ThreadSummary]:
        """Return threads by id."""
        ids = {e.thread_id for e in self._current(self.tables.episodes)}
        return [_summary(id, self.thread(id)) for id in _paged(ids, page)]

    def pending(self, limit: int) -> list[Episode]:
        """Return current episodes whose extraction is pending, by (thread, sequence, id)."""
        states = self.tables.extractions
        waiting = {id for id, state in states.items() if state.state is Extraction.PENDING}
        found = (e for e in self._current(self.tables.episodes) if e.id in waiting)
        return sorted(found, key=_place)[:limit]

    def extractions(self, episode_ids: Collection[str]) -> dict[str, ExtractionState]:
        """Return the state of extraction of these episodes."""
        return {id: state for id, state in self.tables.extractions.items() if id in episode_ids}

    def entities(self, ids: Collection[str]) -> dict[str, Entity]:
        """Return current entities."""
        return {e.id: e for e in self._current(self.tables.entities) if e.id in ids}

    def named(self, keys: Collection[str]) -> dict[str, list[str]]:
        """Return ids of entities, in order, whose name or alias has this key."""
        found: dict[str, set[str]] = {}
        for entity in self._current(self.tables.entities):
            own = (alias.name for alias in entity.aliases if not alias.by_merge)
            for name in (entity.name, *own):
                found.setdefault(name_key(name), set()).add(entity.id)
        return {key: sorted(found[key]) for key in keys if key in found}

    def find_entities(self, page: Page) -> list[Entity]:
        """Return entities, literal values left out, by id."""
        current = self._current(self.tables.entities)
        known = {e.id: e for e in current if e.kind != "value" and e.merged_into is None}
        return [known[id] for id in _paged(known, page)]

    def assertions(self, ids: Collection[str]) -> dict[str, Assertion]:
        """Return assertions by id, closed ones too; the latest row of each."""
        return {a.id: a for a in self.tables.assertions if a.id in ids}

    def stated(self, queries: Sequence[SlotQuery], *, ever: bool = False) -> list[Assertion]:
        """Return assertions that match any query, once each, by (id, recorded)."""
        rows = self.tables.assertions if ever else self._current(self.tables.assertions)
        return _in_order(a for a in rows if any(_matches(a, query) for query in queries))

    def statements(self, filter: StatementFilter) -> list[Assertion]:
        """Return assertions that pass every part of the filter, by (id, recorded)."""
        rows = self.tables.assertions
        rows = rows if filter.ever else self._current(rows)
        return _in_order(a for a in rows if _is_meant(a, filter))

    def stated_by(self, episode_ids: Collection[str]) -> list[Assertion]:
        """Return current assertions of these episodes, by id."""
        current = self._current(self.tables.assertions)
        return _by_id(a for a in current if a.episode_id in episode_ids)

    def rulings(self, target_ids: Collection[str]) -> list[Ruling]:
        """Return rulings about these ids, in order of recording; of one write by id."""
        wanted = set(target_ids)
        found = (r for r in self.tables.rulings if wanted.intersection(r.target_ids))
        return sorted(found, key=lambda r: (r.recorded_from, r.id))

    def concluded(self, queries: Sequence[SlotQuery], *, ever: bool = False) -> list[Edge]:
        """Return edges whose transaction time ends after the stamp, by id; or all rows."""
        ahead = (e for e in self.tables.edges if ever or e.recorded.end > self.stamp)
        found = (e for e in ahead if any(_matches(e, query) for query in queries))
        return self._with_names(_by_id(found))

    def edges(self, filter: EdgeFilter) -> list[Edge]:
        """Return edges by (subject name, relation, valid start, object name, id)."""
        known = self._known(filter.recorded)
        return [e for e in self.edge_history(filter) if e.recorded.end > known]

    def edge_history(self, filter: EdgeFilter) -> list[Edge]:
        """Return edge rows ever recorded up to ``filter.recorded``; same order."""
        known = self._known(filter.recorded)
        found = (e for e in self.tables.edges if e.recorded.start <= known and _passes(e, filter))
        return sorted(
            self._with_names(found),
            key=lambda e: (e.subject, e.relation, e.valid.start, e.object, e.id),
        )

    def evidence(self, edge_ids: Collection[str]) -> dict[str, list[Assertion]]:
        """Return the assertions that support each edge, by (said, id)."""
        known = {a.id: a for a in self.tables.assertions}
        links = self.tables.evidence
        return {
            id: sorted((known[e.assertion_id] for e in links if e.edge_id == id), key=_said)
            for id in edge_ids
        }

    def known_vectors(self, text_hashes: Collection[str]) -> set[str]:
        """Return those hashes that have a vector in this group."""
        return set(text_hashes) & self.tables.vectors.keys()

    def _current(self, rows: Iterable[_Row]) -> list[_Row]:
        return [row for row in rows if row.recorded.contains(self.stamp)]

    def _known(self, recorded: datetime) -> datetime:
        """Return the last instant that this snapshot can be read at, at most ``recorded``."""
        return min(recorded, self.stamp)

    def _matching(self, filter: EpisodeFilter) -> list[Episode]:
        known = self._known(filter.recorded)
        rows = self.tables.episodes
        return [e for e in rows if e.recorded.contains(known) and _admits(filter, e, known)]

    def _place_of(self, id: str) -> tuple[str, int, str]:
        for episode in reversed(self.tables.episodes):
            if episode.id == id:
                return _place(episode)
        raise NotFound(f"there is no episode {id!r} in this group to continue after")

    def _with_names(self, edges: Iterable[Edge]) -> list[Edge]:
        names = {e.id: e.name for e in self._current(self.tables.entities)}
        return [
            replace(
                edge,
                subject=names.get(edge.subject_id) or edge.subject_id,
                object=names.get(edge.object_id) or edge.object_id,
            )
            for edge in edges
        ]


def _admits(filter: EpisodeFilter, episode: Episode, known: datetime) -> bool:
    at = episode.occurred_at
    return (
        (episode.expires_at is None or episode.expires_at > known)
        and (filter.occurred_by is None or at is None or at <= filter.occurred_by)
        and (filter.during is None or (at is not None and filter.during.contains(at)))
        and (filter.threads is None or episode.thread_id in filter.threads)
        and (filter.speakers is None or episode.speaker in filter.speakers)
        and (filter.ids is None or episode.id in filter.ids)
    )


def _holds(edge: Edge, during: Interval, events: Collection[str]) -> bool:
    happened = edge.relation in events and edge.valid.start < during.end
    return happened or edge.valid.overlaps(during)


def _passes(edge: Edge, filter: EdgeFilter) -> bool:
    return (
        (filter.during is None or _holds(edge, filter.during, filter.events))
        and (filter.subject_ids is None or edge.subject_id in filter.subject_ids)
        and (filter.relations is None or edge.relation in filter.relations)
        and (filter.object_ids is None or edge.object_id in filter.object_ids)
        and (filter.ids is None or edge.id in filter.ids)
        and (filter.contested or not edge.contested)
    )


def _matches(row: Assertion | Edge, query: SlotQuery) -> bool:
    return (
        row.relation in query.relations
        and query.subject_id in (None, row.subject_id)
        and (query.object_id is None or row.object_id in (None, query.object_id))
    )


def _is_meant(a: Assertion, filter: StatementFilter) -> bool:
    ends = {a.subject_id, a.object_id, a.told.subject_id, a.told.object_id}
    by = filter.expired_by
    return (
        (filter.ids is None or a.id in filter.ids)
        and (filter.episode_ids is None or a.episode_id in filter.episode_ids)
        and (filter.entity_ids is None or not ends.isdisjoint(filter.entity_ids))
        and (filter.told_relations is None or a.told.relation in filter.told_relations)
        and (filter.speakers is None or a.speaker in filter.speakers)
        and (by is None or (a.expires_at is not None and a.expires_at <= by))
    )


def _in_order(rows: Iterable[Assertion]) -> list[Assertion]:
    return sorted(rows, key=lambda a: (a.id, a.recorded.start))


def _place(episode: Episode) -> tuple[str, int, str]:
    return episode.thread_id, episode.sequence, episode.id


def _occurrence(episode: Episode) -> tuple[bool, datetime, str, int, str]:
    at = episode.occurred_at
    return at is not None, at or ALWAYS, *_place(episode)


def _said(assertion: Assertion) -> tuple[bool, datetime, str]:
    return assertion.said is not None, assertion.said or ALWAYS, assertion.id


def _by_id(rows: Iterable[_Row]) -> list[_Row]:
    return sorted(rows, key=lambda row: row.id)


def _last(episodes: list[Episode], limit: int) -> list[Episode]:
    return episodes[max(0, len(episodes) - limit) :]


def _paged(ids: Iterable[str], page: Page) -> list[str]:
    return sorted(id for id in ids if page.after is None or id > page.after)[: page.limit]


def _summary(id: str, turns: Sequence[Episode]) -> ThreadSummary:
    known = [turn.occurred_at for turn in turns if turn.occurred_at is not None]
    return ThreadSummary(id, len(turns), min(known, default=None), max(known, default=None))
