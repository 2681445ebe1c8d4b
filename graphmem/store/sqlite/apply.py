"""Writing one unit of work: closes first, then new rows, then the log."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import numpy as np

from graphmem.errors import InvalidInput, NotFound
from graphmem.index import name_key
from graphmem.model import Changes, Entity
from graphmem.store.sqlite import rows
from graphmem.temporal import to_micros

_WIDTHS = {"episodes": 21, "entities": 9, "assertions": 29, "rulings": 8, "edges": 14}
_INSERT = {
    table: f"INSERT INTO {table} VALUES ({','.join('?' * width)})"
    for table, width in _WIDTHS.items()
}
_CLOSE = {
    table: (
        f"UPDATE {table} SET recorded_to = :t"
        " WHERE g = :g AND id = :id AND recorded_from < :t AND recorded_to > :t"
    )
    for table in ("episodes", "entities", "assertions", "edges")
}


def apply(connection: sqlite3.Connection, g: int, changes: Changes, stamp: datetime) -> None:
    """Write ``changes`` at ``stamp`` inside the caller's transaction.

    Raises:
        NotFound: An id to close is unknown or closed already.
        InvalidInput: A vector that cannot be compared, or a row that is there already.
    """
    at = to_micros(stamp)
    _close(connection, g, at, changes)
    _insert(connection, g, at, changes)
    _insert_vectors(connection, g, changes)
    touched = sorted(set(_touched(changes)))
    connection.executemany(
        "INSERT INTO log (g, kind, id) VALUES (?, ?, ?)", [(g, kind, id) for kind, id in touched]
    )


def _close(connection: sqlite3.Connection, g: int, at: int, changes: Changes) -> None:
    for table, ids in (
        ("episodes", changes.close_episodes),
        ("assertions", changes.close_assertions),
        ("edges", changes.close_edges),
    ):
        for id in ids:
            values = {"g": g, "id": id, "t": at}
            done = connection.execute(_CLOSE[table], values).rowcount
            if not done and table == "edges":
                done = _withdraw(connection, values)
            if not done:
                raise NotFound(f"cannot close {id!r}: no open row of it in {table}")


def _withdraw(connection: sqlite3.Connection, values: dict[str, Any]) -> int:
    """Remove an edge that has not begun: never believed, it leaves no history."""
    not_begun = "DELETE FROM edges WHERE g = :g AND id = :id AND recorded_from >= :t"
    done = connection.execute(not_begun, values).rowcount
    if done:
        connection.execute("DELETE FROM evidence WHERE g = :g AND edge_id = :id", values)
        connection.execute("DELETE FROM edge_vectors WHERE g = :g AND edge_id = :id", values)
    return done


def _refuse_conflicts(connection: sqlite3.Connection, g: int, at: int, changes: Changes) -> None:
    for table, ids in (
        ("episodes", [e.id for e in changes.episodes]),
        ("assertions", [a.id for a in changes.assertions]),
    ):
        sql = (
            f"SELECT id FROM {table} WHERE g = ? AND id IN (SELECT value FROM json_each(?))"
            " AND recorded_to > ? LIMIT 1"
        )
        for (id,) in connection.execute(sql, (g, rows.dump_ids(ids), at)):
            raise InvalidInput(f"{id!r} has an open row in {table}; close it in the same write")
        if len(set(ids)) < len(ids):
            raise InvalidInput(f"a write gives one id two rows in {table}")
    for edge in changes.edges:
        if to_micros(edge.recorded.start) < at:
            raise InvalidInput(f"edge {edge.id!r} would be recorded before its own write")


def _insert(connection: sqlite3.Connection, g: int, at: int, changes: Changes) -> None:
    many = connection.executemany
    _refuse_conflicts(connection, g, at, changes)
    many(_INSERT["episodes"], [rows.episode_row(g, e) for e in changes.episodes])
    _insert_entities(connection, g, at, changes.entities)
    many(_INSERT["assertions"], [rows.assertion_row(g, a) for a in changes.assertions])
    many(_INSERT["rulings"], [rows.ruling_row(g, r) for r in changes.rulings])
    targets = [(g, target, r.id) for r in changes.rulings for target in r.target_ids]
    many("INSERT OR IGNORE INTO ruling_targets VALUES (?, ?, ?)", targets)
    many(_INSERT["edges"], [rows.edge_row(g, e, at) for e in changes.edges])
    links = [(g, link.edge_id, link.assertion_id, at) for link in changes.evidence]
    many("INSERT OR IGNORE INTO evidence VALUES (?, ?, ?, ?)", links)
    states = [(g, s.episode_id, s.state, s.extractor, s.reason) for s in changes.extractions]
    many("INSERT OR REPLACE INTO extractions VALUES (?, ?, ?, ?, ?)", states)
    definitions = [(g, r.name, r.definition, at) for r in changes.relations]
    many("INSERT INTO relations VALUES (?, ?, ?, ?)", definitions)


def _insert_entities(
    connection: sqlite3.Connection, g: int, at: int, entities: Iterable[Entity]
) -> None:
    for entity in entities:
        connection.execute(_CLOSE["entities"], {"g": g, "id": entity.id, "t": at})
        connection.execute(_INSERT["entities"], rows.entity_row(g, entity))
        names = {entity.name, *(alias.name for alias in entity.aliases)}
        connection.executemany(
            "INSERT OR IGNORE INTO names VALUES (?, ?, ?)",
            [(g, name_key(name), entity.id) for name in names],
        )


def _insert_vectors(connection: sqlite3.Connection, g: int, changes: Changes) -> None:
    _check_vectors(connection, changes)
    many = connection.executemany
    blobs = [(g, v.text_hash, rows.vector_blob(v.vector)) for v in changes.vectors]
    many("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", blobs)
    turns = [(g, v.episode_id, v.turn_hash, v.window_hash) for v in changes.episode_vectors]
    many("INSERT OR REPLACE INTO episode_vectors VALUES (?, ?, ?, ?)", turns)
    facts = [(g, edge_id, text_hash) for edge_id, text_hash in changes.edge_vectors]
    many("INSERT OR REPLACE INTO edge_vectors VALUES (?, ?, ?)", facts)


def _check_vectors(connection: sqlite3.Connection, changes: Changes) -> None:
    if not changes.vectors:
        return
    first = changes.vectors[0].vector
    bound = connection.execute("SELECT value FROM meta WHERE key = 'dimension'").fetchone()
    dimension = first.size if bound is None else int(bound[0])
    if bound is None:
        connection.execute("INSERT INTO meta VALUES ('dimension', ?)", (dimension,))
    for row in changes.vectors:
        if row.vector.shape != (dimension,):
            raise InvalidInput(
                f"a vector of shape {row.vector.shape} in a store of dimension {dimension}; "
                "use the model that the store was made with"
            )
        if not np.isfinite(row.vector).all() or not row.vector.any():
            raise InvalidInput(
                "a vector that is zero or not finite cannot be compared; check the embedder"
            )


def _touched(changes: Changes) -> Iterator[tuple[str, str]]:
    for id in (*changes.close_episodes, *(e.id for e in changes.episodes)):
        yield "episode", id
    for row in changes.episode_vectors:
        yield "episode", row.episode_id
    for entity in changes.entities:
        yield "entity", entity.id
    for id in (*changes.close_edges, *(e.id for e in changes.edges)):
        yield "edge", id
    for link in changes.evidence:
        yield "edge", link.edge_id
    for edge_id, _ in changes.edge_vectors:
        yield "edge", edge_id
    for relation in changes.relations:
        yield "relation", relation.name
