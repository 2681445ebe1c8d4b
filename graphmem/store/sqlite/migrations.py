"""From the schema of any older version to the present one, a function a step.

A step holds its own SQL: ``schema.sql`` says what a new file gets and moves on, a step never does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TypeAlias

Migration: TypeAlias = Callable[[sqlite3.Connection], None]
"""Takes a file one version further, inside the caller's transaction."""


def keep_what_was_told(connection: sqlite3.Connection) -> None:
    """1 to 2: statements keep their own wording, entities can be merged, catalogs have a past.

    Version 1 kept only what a statement means; that stands for what was told. Its relations could
    not be redefined once used, so each has been as it is since its group began.
    """
    for statement in _TOLD:
        connection.execute(statement)


MIGRATIONS: tuple[Migration, ...] = (keep_what_was_told,)
"""The n-th takes version n to n + 1. Files of every version are about: add, never change."""


def current_version() -> int:
    """Return the version of a file that every migration has been run on."""
    return len(MIGRATIONS) + 1


def migrate(connection: sqlite3.Connection) -> None:
    """Bring an older file to the present version in one transaction, or leave it as it is.

    The caller holds the file's lock and has refused a version that is not older.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for migration in MIGRATIONS[version - 1 :]:
            migration(connection)
        connection.execute(f"PRAGMA user_version = {current_version()}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


# A new column that may not be NULL needs a new table: SQLite adds none without a default.
_TOLD = (
    "ALTER TABLE entities ADD COLUMN merged_into TEXT",
    "CREATE INDEX entities_merged ON entities (g, merged_into) WHERE merged_into IS NOT NULL",
    "ALTER TABLE assertions RENAME TO assertions_1",
    "DROP INDEX assertions_subject",
    "DROP INDEX assertions_object",
    "DROP INDEX assertions_open_object",
    "DROP INDEX assertions_episode",
    """
    CREATE TABLE assertions (
      g INTEGER NOT NULL, id TEXT NOT NULL,
      episode_id TEXT, thread_id TEXT NOT NULL, sequence INTEGER NOT NULL, speaker TEXT,
      quote_text TEXT, quote_start INTEGER, quote_end INTEGER,
      subject_id TEXT NOT NULL, relation TEXT NOT NULL, object_id TEXT,
      fact TEXT NOT NULL, kind TEXT NOT NULL,
      start_at INTEGER, start_precision TEXT NOT NULL, end_at INTEGER, end_precision TEXT NOT NULL,
      said INTEGER, authority TEXT NOT NULL, confidence REAL NOT NULL,
      because TEXT NOT NULL, extractor TEXT NOT NULL, expires_at INTEGER,
      recorded_from INTEGER NOT NULL, recorded_to INTEGER NOT NULL,
      told_subject TEXT NOT NULL, told_relation TEXT NOT NULL, told_object TEXT,
      PRIMARY KEY (g, id, recorded_from)
    )
    """,
    "INSERT INTO assertions SELECT *, subject_id, relation, object_id FROM assertions_1",
    "DROP TABLE assertions_1",
    "CREATE INDEX assertions_subject ON assertions (g, subject_id, relation, object_id)",
    "CREATE INDEX assertions_object ON assertions (g, object_id, relation)",
    "CREATE INDEX assertions_open_object ON assertions (g, relation) WHERE object_id IS NULL",
    "CREATE INDEX assertions_episode ON assertions (g, episode_id)",
    "CREATE INDEX assertions_told_subject ON assertions (g, told_subject)",
    "CREATE INDEX assertions_told_object ON assertions (g, told_object)",
    "CREATE INDEX assertions_told_relation ON assertions (g, told_relation)",
    "ALTER TABLE relations RENAME TO relations_1",
    """
    CREATE TABLE relations (
      g INTEGER NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL,
      recorded_from INTEGER NOT NULL,
      PRIMARY KEY (g, name, recorded_from)
    )
    """,
    """
    INSERT INTO relations SELECT g, name, definition, coalesce(
      (SELECT min(recorded_from) FROM (
        SELECT recorded_from FROM episodes e WHERE e.g = r.g
        UNION ALL SELECT recorded_from FROM assertions a WHERE a.g = r.g)),
      (SELECT value FROM meta WHERE key = 'stamp'), 0)
    FROM relations_1 r
    """,
    "DROP TABLE relations_1",
)
