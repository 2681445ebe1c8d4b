"""A snapshot of one group, read from rows: everything recorded up to its stamp, nothing later."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from threading import RLock
from typing import Any

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
from graphmem.store.sqlite import rows
from graphmem.store.sqlite.conditions import (
    edge_conditions,
    episode_conditions,
    slot_conditions,
    statement_conditions,
)
from graphmem.store.sqlite.file import translated
from graphmem.temporal import from_micros, to_micros

_OPEN = "recorded_from <= :t AND recorded_to > :t"
_EVER = "recorded_from <= :t"
_RECORDED_FROM = 24  # where an assertion's row holds it
_ONE_OF = "(SELECT value FROM json_each(:ids))"
_EPISODES = (
    "SELECT g, id, version, thread_id, sequence, speaker, role, kind, text, occurred_at,"
    " occurred_precision, reply_to, mentions, source_format, source_file, source_message,"
    " edited_at, content_hash, expires_at, recorded_from, recorded_to FROM episodes"
)
_PLACE = f"{_EPISODES} WHERE g = :g AND thread_id = :thread AND {_OPEN} AND (sequence, id)"
_BEFORE = f"{_PLACE} < (:sequence, :id) ORDER BY sequence DESC, id DESC LIMIT :limit"
_AFTER = f"{_PLACE} > (:sequence, :id) ORDER BY sequence, id LIMIT :limit"
_EDGES = (
    "SELECT e.g, e.id, e.subject_id, e.relation, e.object_id, e.fact, e.valid_from, e.valid_to,"
    " e.start_precision, e.end_precision, e.contested, e.recorded_from, e.recorded_to,"
    " (SELECT name FROM entities n WHERE n.g = e.g AND n.id = e.subject_id"
    "   AND n.recorded_from <= :t AND n.recorded_to > :t),"
    " (SELECT name FROM entities n WHERE n.g = e.g AND n.id = e.object_id"
    "   AND n.recorded_from <= :t AND n.recorded_to > :t)"
    " FROM edges e"
)


class SqliteView:
    """``ports.View`` over one connection; each method is one statement or one a slot query."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        mutex: RLock,
        *,
        name: str,
        group_id: str,
        g: int | None,
        stamp: datetime,
    ) -> None:
        self._connection = connection
        self._mutex = mutex
        self._name = name
        self._group_id = group_id
        self._g = -1 if g is None else g
        self._stamp = stamp

    @property
    def stamp(self) -> datetime:
        """Transaction time of this snapshot."""
        return self._stamp

    def _all(self, sql: str, **values: Any) -> list[rows.Row]:
        values = {"g": self._g, "t": to_micros(self._stamp), **values}
        with self._mutex, translated(self._name):
            return self._connection.execute(sql, values).fetchall()

    def catalog(self, recorded: datetime | None = None) -> Catalog:
        """Return the group's relations as of ``recorded``."""
        sql = (
            "SELECT name, definition FROM relations WHERE g = :g AND recorded_from <= :r"
            " ORDER BY recorded_from, name"
        )
        found = dict(self._all(sql, r=to_micros(min(recorded or self._stamp, self._stamp))))
        return Catalog.of_rows(tuple(sorted(found.items())))

    def catalog_times(self) -> list[datetime]:
        """Return when relations were added or redefined, in order."""
        sql = (
            "SELECT DISTINCT recorded_from FROM relations WHERE g = :g AND recorded_from <= :t"
            " ORDER BY recorded_from"
        )
        return [from_micros(at) for (at,) in self._all(sql)]

    def told_relations(self) -> set[str]:
        """Return every relation that a current statement was told with."""
        sql = f"SELECT DISTINCT told_relation FROM assertions WHERE g = :g AND {_OPEN}"
        return {relation for (relation,) in self._all(sql)}

    def merged(self, ids: Collection[str], recorded: datetime | None = None) -> dict[str, str]:
        """Return, for ids that were merged as of ``recorded``, the entity each stands for."""
        sql = (
            "WITH RECURSIVE chain (id, at) AS (SELECT value, value FROM json_each(:ids) UNION"
            " SELECT chain.id, e.merged_into FROM chain JOIN entities e ON e.g = :g"
            " AND e.id = chain.at AND e.merged_into IS NOT NULL"
            " AND e.recorded_from <= :r AND e.recorded_to > :r)"
            " SELECT id, at FROM chain c WHERE id <> at AND NOT EXISTS (SELECT 1 FROM entities e"
            " WHERE e.g = :g AND e.id = c.at AND e.merged_into IS NOT NULL"
            " AND e.recorded_from <= :r AND e.recorded_to > :r)"
        )
        at = to_micros(min(recorded or self._stamp, self._stamp))
        return dict(self._all(sql, ids=rows.dump_ids(ids), r=at))

    def episodes(self, ids: Collection[str]) -> dict[str, Episode]:
        """Return the current versions of these ids."""
        sql = f"{_EPISODES} WHERE g = :g AND id IN {_ONE_OF} AND {_OPEN}"
        found = self._all(sql, ids=rows.dump_ids(ids))
        return {row[1]: rows.episode(self._group_id, row) for row in found}

    def find_episodes(self, filter: EpisodeFilter, page: Page) -> list[Episode]:
        """Return episodes by (thread, sequence, id)."""
        where, values = episode_conditions(filter, self._stamp)
        if page.after is not None:
            anchor = self._all(f"{_EPISODES} WHERE g = :g AND id = :id LIMIT 1", id=page.after)
            if not anchor:
                raise NotFound(f"no episode {page.after!r} in this group to continue after")
            where += " AND (thread_id, sequence, id) > (:thread, :sequence, :after)"
            values |= {"thread": anchor[0][3], "sequence": anchor[0][4], "after": page.after}
        # Known ids are looked up by the primary key, not met on a walk in thread order.
        first = "thread_id" if filter.ids is None else "+thread_id"
        sql = f"{_EPISODES} WHERE g = :g{where} ORDER BY {first}, sequence, id LIMIT :limit"
        return self._episodes(sql, **values, limit=page.limit)

    def latest(self, filter: EpisodeFilter, limit: int) -> list[Episode]:
        """Return the last episodes, oldest first."""
        where, values = episode_conditions(filter, self._stamp)
        one_thread = filter.threads is not None and len(filter.threads) == 1
        order = "" if one_thread else "occurred_at DESC, thread_id DESC, "
        sql = f"{_EPISODES} WHERE g = :g{where} ORDER BY {order}sequence DESC, id DESC LIMIT :limit"
        return self._episodes(sql, **values, limit=limit)[::-1]

    def before(self, episodes: Sequence[Episode], limit: int) -> dict[str, list[Episode]]:
        """Return, by id, the current turns just before each place, in thread order."""
        found = self._beside(_BEFORE, episodes, limit)
        return {id: turns[::-1] for id, turns in found.items()}

    def after(self, episodes: Sequence[Episode], limit: int) -> dict[str, list[Episode]]:
        """Return, by id, the current turns just after each place, in thread order."""
        return self._beside(_AFTER, episodes, limit)

    def _beside(
        self, sql: str, episodes: Sequence[Episode], limit: int
    ) -> dict[str, list[Episode]]:
        return {
            e.id: self._episodes(sql, thread=e.thread_id, sequence=e.sequence, id=e.id, limit=limit)
            for e in episodes
        }

    def thread(self, thread_id: str) -> list[Episode]:
        """Return the current turns of a thread by (sequence, id)."""
        sql = f"{_EPISODES} WHERE g = :g AND thread_id = :thread AND {_OPEN} ORDER BY sequence, id"
        return self._episodes(sql, thread=thread_id)

    def _episodes(self, sql: str, **values: Any) -> list[Episode]:
        return [rows.episode(self._group_id, row) for row in self._all(sql, **values)]

    def threads(self, page: Page) -> list[ThreadSummary]:
        """Return threads by id."""
        sql = (
            "SELECT thread_id, count(*), min(occurred_at), max(occurred_at) FROM episodes"
            f" WHERE g = :g AND thread_id > :after AND {_OPEN}"
            " GROUP BY thread_id ORDER BY thread_id LIMIT :limit"
        )
        found = self._all(sql, after=page.after or "", limit=page.limit)
        return [
            ThreadSummary(id, count, rows.instant(first), rows.instant(last))
            for id, count, first, last in found
        ]

    def pending(self, limit: int) -> list[Episode]:
        """Return current episodes whose extraction is pending, by (thread, sequence, id)."""
        sql = (
            f"{_EPISODES} WHERE g = :g AND {_OPEN} AND id IN (SELECT episode_id FROM extractions"
            " WHERE g = :g AND state = 'pending')"
            " ORDER BY thread_id, sequence, id LIMIT :limit"
        )
        return self._episodes(sql, limit=limit)

    def extractions(self, episode_ids: Collection[str]) -> dict[str, ExtractionState]:
        """Return the state of extraction of these episodes."""
        sql = (
            "SELECT episode_id, state, extractor, reason FROM extractions"
            f" WHERE g = :g AND episode_id IN {_ONE_OF}"
        )
        found = self._all(sql, ids=rows.dump_ids(episode_ids))
        return {
            id: ExtractionState(id, Extraction(state), extractor, reason)
            for id, state, extractor, reason in found
        }

    def entities(self, ids: Collection[str]) -> dict[str, Entity]:
        """Return current entities; unknown ids are absent."""
        sql = f"SELECT * FROM entities WHERE g = :g AND id IN {_ONE_OF} AND {_OPEN}"
        found = self._all(sql, ids=rows.dump_ids(ids))
        return {row[1]: rows.entity(self._group_id, row) for row in found}

    def named(self, keys: Collection[str]) -> dict[str, list[str]]:
        """Return ids of entities whose name or alias has this key."""
        sql = (
            "SELECT n.key, e.* FROM names n JOIN entities e ON e.g = n.g AND e.id = n.entity_id"
            f" WHERE n.g = :g AND n.key IN {_ONE_OF} AND {_OPEN} ORDER BY n.key, e.id"
        )
        found: defaultdict[str, list[str]] = defaultdict(list)
        for key, *row in self._all(sql, ids=rows.dump_ids(keys)):
            entity = rows.entity(self._group_id, tuple(row))
            # The index also holds names that an entity bore before.
            if key in {name_key(n) for n in names_of(entity)}:
                found[key].append(entity.id)
        return dict(found)

    def find_entities(self, page: Page) -> list[Entity]:
        """Return entities, literal values and what was merged left out, by id."""
        sql = (
            f"SELECT * FROM entities WHERE g = :g AND id > :after AND kind <> 'value' AND {_OPEN}"
            " AND merged_into IS NULL"
            " ORDER BY id LIMIT :limit"
        )
        found = self._all(sql, after=page.after or "", limit=page.limit)
        return [rows.entity(self._group_id, row) for row in found]

    def assertions(self, ids: Collection[str]) -> dict[str, Assertion]:
        """Return assertions by id, closed ones too; of several rows the latest."""
        sql = (
            f"SELECT * FROM assertions WHERE g = :g AND id IN {_ONE_OF} AND recorded_from <= :t"
            " ORDER BY recorded_from"
        )
        found = self._all(sql, ids=rows.dump_ids(ids))
        return {row[1]: rows.assertion(self._group_id, row) for row in found}

    def stated(self, queries: Sequence[SlotQuery], *, ever: bool = False) -> list[Assertion]:
        """Return assertions that match any query, once each, by (id, recorded)."""
        found: dict[tuple[str, int], rows.Row] = {}
        believed = _EVER if ever else _OPEN
        for ends, values in map(slot_conditions, queries):
            for where in ends:
                sql = f"SELECT * FROM assertions WHERE g = :g AND {where} AND {believed}"
                found |= {(row[1], row[_RECORDED_FROM]): row for row in self._all(sql, **values)}
        return [rows.assertion(self._group_id, found[key]) for key in sorted(found)]

    def statements(self, filter: StatementFilter) -> list[Assertion]:
        """Return assertions that pass every part of the filter, by (id, recorded)."""
        where, values = statement_conditions(filter)
        believed = _EVER if filter.ever else _OPEN
        sql = (
            f"SELECT * FROM assertions WHERE g = :g AND {believed}{where}"
            " ORDER BY id, recorded_from"
        )
        return [rows.assertion(self._group_id, row) for row in self._all(sql, **values)]

    def stated_by(self, episode_ids: Collection[str]) -> list[Assertion]:
        """Return current assertions of these episodes, by id."""
        sql = (
            f"SELECT * FROM assertions WHERE g = :g AND episode_id IN {_ONE_OF} AND {_OPEN}"
            " ORDER BY id"
        )
        found = self._all(sql, ids=rows.dump_ids(episode_ids))
        return [rows.assertion(self._group_id, row) for row in found]

    def rulings(self, target_ids: Collection[str]) -> list[Ruling]:
        """Return rulings about these ids, in order of recording."""
        sql = (
            "SELECT * FROM rulings WHERE g = :g AND recorded_from <= :t AND id IN (SELECT ruling_id"
            f" FROM ruling_targets WHERE g = :g AND target_id IN {_ONE_OF})"
            " ORDER BY recorded_from, id"
        )
        found = self._all(sql, ids=rows.dump_ids(target_ids))
        return [rows.ruling(self._group_id, row) for row in found]

    def concluded(self, queries: Sequence[SlotQuery], *, ever: bool = False) -> list[Edge]:
        """Return edges whose transaction time ends after the stamp, by id; or all rows."""
        found: dict[str, rows.Row] = {}
        ahead = "" if ever else " AND recorded_to > :t"
        for ends, values in map(slot_conditions, queries):
            sql = f"{_EDGES} WHERE e.g = :g AND {ends[0]}{ahead} AND written <= :t"
            found |= {row[1]: row for row in self._all(sql, **values)}
        return [rows.edge(self._group_id, found[id]) for id in sorted(found)]

    def edges(self, filter: EdgeFilter) -> list[Edge]:
        """Return the edges believed at ``filter.recorded``."""
        return self._edges(filter, " AND e.recorded_from <= :r AND e.recorded_to > :r")

    def edge_history(self, filter: EdgeFilter) -> list[Edge]:
        """Return edge rows ever recorded up to ``filter.recorded``."""
        return self._edges(filter, " AND e.recorded_from <= :r")

    def _edges(self, filter: EdgeFilter, recorded: str) -> list[Edge]:
        where, values = edge_conditions(filter)
        values["r"] = to_micros(min(filter.recorded, self._stamp))
        found = self._all(f"{_EDGES} WHERE e.g = :g{where}{recorded} AND written <= :t", **values)
        edges = [rows.edge(self._group_id, row) for row in found]
        return sorted(edges, key=lambda e: (e.subject, e.relation, e.valid.start, e.object, e.id))

    def evidence(self, edge_ids: Collection[str]) -> dict[str, list[Assertion]]:
        """Return the assertions that support each edge, by (said, id); unknown said first."""
        sql = (
            f"SELECT edge_id, assertion_id FROM evidence WHERE g = :g AND edge_id IN {_ONE_OF}"
            " AND recorded_from <= :t"
        )
        links = self._all(sql, ids=rows.dump_ids(edge_ids))
        known = self.assertions({assertion_id for _, assertion_id in links})
        found: dict[str, list[Assertion]] = {id: [] for id in edge_ids}
        for edge_id, assertion_id in links:
            found[edge_id].append(known[assertion_id])
        for assertions in found.values():
            assertions.sort(key=lambda a: (a.said is not None, a.said or a.recorded.start, a.id))
        return found

    def known_vectors(self, text_hashes: Collection[str]) -> set[str]:
        """Return those hashes that have a vector in this group."""
        sql = f"SELECT text_hash FROM vectors WHERE g = :g AND text_hash IN {_ONE_OF}"
        return {row[0] for row in self._all(sql, ids=rows.dump_ids(text_hashes))}


def names_of(entity: Entity) -> list[str]:
    """Return an entity's own names: those that came by a merge are the other entity's."""
    return [entity.name, *(alias.name for alias in entity.aliases if not alias.by_merge)]
