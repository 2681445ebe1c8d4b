"""Rows for the in-memory image of a group: all of them once, then what the log names."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import Any

from graphmem.index import EdgeSource, Rows
from graphmem.model import EpisodeVectors, TextVector
from graphmem.store.sqlite import rows

_SOME = " AND {column} IN (SELECT value FROM json_each(:ids))"
_EPISODES = "SELECT * FROM episodes WHERE g = :g"
_ENTITIES = "SELECT * FROM entities WHERE g = :g AND kind <> 'value'"
_EDGES = (
    "SELECT e.g, e.id, e.subject_id, e.relation, e.object_id, e.fact, e.valid_from, e.valid_to,"
    " e.start_precision, e.end_precision, e.contested, e.recorded_from, e.recorded_to,"
    " (SELECT name FROM entities n WHERE n.g = e.g AND n.id = e.subject_id"
    "   ORDER BY recorded_from DESC LIMIT 1),"
    " (SELECT name FROM entities n WHERE n.g = e.g AND n.id = e.object_id"
    "   ORDER BY recorded_from DESC LIMIT 1)"
    " FROM edges e WHERE e.g = :g"
)
_SOURCES = (
    "SELECT DISTINCT v.edge_id, a.episode_id, a.thread_id, a.speaker FROM evidence v"
    " JOIN assertions a ON a.g = v.g AND a.id = v.assertion_id WHERE v.g = :g"
)
_EPISODE_VECTORS = "SELECT episode_id, turn_hash, window_hash FROM episode_vectors WHERE g = :g"
_EDGE_VECTORS = "SELECT edge_id, text_hash FROM edge_vectors WHERE g = :g"
_VECTORS = "SELECT text_hash, vector FROM vectors WHERE g = :g"


class Feed:
    """Reads one group's rows for its image through the caller's connection and lock."""

    def __init__(self, connection: sqlite3.Connection, g: int, group_id: str) -> None:
        self._connection = connection
        self._g = g
        self._group_id = group_id

    def _some(self, sql: str, column: str, ids: Collection[str] | None) -> list[Any]:
        if ids is None:
            return self._connection.execute(sql, {"g": self._g}).fetchall()
        narrowed = sql + _SOME.format(column=column)
        return self._connection.execute(
            narrowed, {"g": self._g, "ids": rows.dump_ids(ids)}
        ).fetchall()

    def last(self) -> int:
        """Return the number of the group's last log row, 0 if it has none."""
        sql = "SELECT coalesce(max(seq), 0) FROM log WHERE g = ?"
        return self._connection.execute(sql, (self._g,)).fetchone()[0]

    def everything(self) -> Rows:
        """Return all rows of the group."""
        return self._rows(None, None, None)

    def since(self, seq: int) -> Rows:
        """Return the present rows of all that was touched after log row ``seq``."""
        touched: dict[str, set[str]] = {"episode": set(), "entity": set(), "edge": set()}
        sql = "SELECT DISTINCT kind, id FROM log WHERE g = ? AND seq > ?"
        for kind, id in self._connection.execute(sql, (self._g, seq)):
            touched.setdefault(kind, set()).add(id)
        return self._rows(touched["episode"], touched["entity"], touched["edge"])

    def _rows(
        self,
        episodes: Collection[str] | None,
        entities: Collection[str] | None,
        edges: Collection[str] | None,
    ) -> Rows:
        group_id = self._group_id
        turn_vectors = self._some(_EPISODE_VECTORS, "episode_id", episodes)
        fact_vectors = self._some(_EDGE_VECTORS, "edge_id", edges)
        wanted = None
        if episodes is not None:
            wanted = {h for _, *hashes in turn_vectors for h in hashes}
            wanted |= {text_hash for _, text_hash in fact_vectors}
        edge_rows = self._some(_EDGES, "e.id", edges)
        return Rows(
            episodes=[rows.episode(group_id, r) for r in self._some(_EPISODES, "id", episodes)],
            entities=[rows.entity(group_id, r) for r in self._some(_ENTITIES, "id", entities)],
            edges=[rows.edge(group_id, r) for r in edge_rows],
            sources=[EdgeSource(*r) for r in self._some(_SOURCES, "v.edge_id", edges)],
            vectors=[
                TextVector(text_hash, rows.vector(blob))
                for text_hash, blob in self._some(_VECTORS, "text_hash", wanted)
            ],
            episode_vectors=[EpisodeVectors(*r) for r in turn_vectors],
            edge_vectors=[(r[0], r[1]) for r in fact_vectors],
            removed=sorted(set(edges or ()) - {r[1] for r in edge_rows}),
        )
