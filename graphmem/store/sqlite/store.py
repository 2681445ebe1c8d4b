"""The embedded store: one SQLite file, and an image of each group in use."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import RLock
from types import TracebackType

from graphmem.errors import InvalidInput
from graphmem.index import Image
from graphmem.model import Changes, Json
from graphmem.ports import Candidate, Clock, SearchRequest, View
from graphmem.store.sqlite.apply import apply
from graphmem.store.sqlite.feed import Feed
from graphmem.store.sqlite.file import Database, translated
from graphmem.store.sqlite.view import SqliteView
from graphmem.temporal import from_micros, to_micros, utc

IMAGE_BYTES = 2 << 30
"""How much memory the images of all groups may take together before the oldest are dropped."""
_COUNTED = ("episodes", "entities", "assertions", "edges", "vectors")


@dataclass(slots=True)
class _Loaded:
    image: Image
    seq: int


class SqliteStore:
    """``ports.Store`` on one SQLite file. Safe for threads; open a new one after a fork.

    Cost: a write is one transaction (one fsync) under the file's lock; a search follows the log
    from where its image stands, then works in memory. The first search of a group loads it.
    """

    def __init__(self, database: Database, *, clock: Clock, image_bytes: int) -> None:
        self._database = database
        self._clock = clock
        self._image_bytes = image_bytes
        self._images: OrderedDict[str, _Loaded] = OrderedDict()
        self._images_lock = RLock()
        self._stamps = RLock()
        self._read_stamp = 0
        self._writing: int | None = None

    @classmethod
    def open(
        cls,
        path: Path | None,
        *,
        clock: Clock,
        read_only: bool = False,
        image_bytes: int = IMAGE_BYTES,
    ) -> SqliteStore:
        """Open ``path``, created (mode 0600) if absent; None: a store in memory.

        Raises:
            InvalidInput: The path is a folder, or lies in none, or is absent and read-only.
            SchemaMismatch: The file is not a graphmem store; it was not changed.
        """
        return cls(Database(path, read_only=read_only), clock=clock, image_bytes=image_bytes)

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def write(self, group_id: str, work: Callable[[View], Changes]) -> Changes:
        """Run ``work`` under the write lock and apply what it returns, all or nothing."""
        stamp = 0
        try:
            with self._database.transaction() as connection:
                stamp = self._begin(connection)
                return self._work(connection, group_id, work, from_micros(stamp))
        finally:
            # Another writer may have begun by now; its mark stays.
            with self._stamps:
                self._writing = None if self._writing == stamp else self._writing

    def _work(
        self,
        connection: sqlite3.Connection,
        group_id: str,
        work: Callable[[View], Changes],
        stamp: datetime,
    ) -> Changes:
        g = _group(connection, group_id)
        changes = work(self._view(connection, self._database.write_mutex, group_id, g, stamp))
        _refuse_foreign(changes, group_id)
        if changes:
            apply(connection, g or _add_group(connection, group_id), changes, stamp)
            connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('stamp', ?)", (to_micros(stamp),)
            )
        return changes

    def _begin(self, connection: sqlite3.Connection) -> int:
        """Choose the stamp of a write; views made until it ends stand before it and never see it.

        A write of another process that is under way is not known of here.
        """
        with self._stamps:
            last = max(_last_stamp(connection), self._read_stamp)
            self._writing = max(to_micros(utc(self._clock(), what="clock")), last + 1)
            return self._writing

    def _view(
        self,
        connection: sqlite3.Connection,
        mutex: RLock,
        group_id: str,
        g: int | None,
        stamp: datetime,
    ) -> SqliteView:
        name = self._database.name
        return SqliteView(connection, mutex, name=name, group_id=group_id, g=g, stamp=stamp)

    def view(self, group_id: str) -> SqliteView:
        """Return a snapshot for reading."""
        self._database.require_open()
        database = self._database
        with database.read_mutex, self._stamps, translated(database.name):
            g = _group(database.reader, group_id)
            stamp = max(to_micros(utc(self._clock(), what="clock")), _last_stamp(database.reader))
            if self._writing is not None:
                stamp = min(stamp, self._writing - 1)
            # A later write must get a later stamp, even from a clock that stands still.
            self._read_stamp = max(self._read_stamp, stamp)
        return self._view(database.reader, database.read_mutex, group_id, g, from_micros(stamp))

    def search(self, group_id: str, request: SearchRequest) -> Sequence[Candidate]:
        """Return what the channels of the group's image found."""
        self._database.require_open()
        with self._images_lock:
            image = self._image(group_id)
            return [] if image is None else image.search(request)

    def _image(self, group_id: str) -> Image | None:
        database = self._database
        with database.read_mutex, translated(database.name):
            g = _group(database.reader, group_id)
            if g is None:
                return None
            feed = Feed(database.reader, g, group_id)
            loaded = self._images.get(group_id)
            seq = feed.last()
            if loaded is None:
                loaded = self._images[group_id] = _Loaded(Image(), seq)
                loaded.image.put(feed.everything())
            elif loaded.seq != seq:
                loaded.image.put(feed.since(loaded.seq))
                loaded.seq = seq
        self._images.move_to_end(group_id)
        self._evict()
        return loaded.image

    def _evict(self) -> None:
        while len(self._images) > 1:
            if sum(loaded.image.nbytes for loaded in self._images.values()) <= self._image_bytes:
                return
            self._images.popitem(last=False)

    def groups(self) -> list[str]:
        """Return the ids of all groups that hold anything, in order."""
        self._database.require_open()
        with self._database.read_mutex, translated(self._database.name):
            found = self._database.reader.execute("SELECT name FROM groups").fetchall()
        return sorted(name for (name,) in found)

    def status(self, group_id: str | None) -> dict[str, Json]:
        """Return counts and settings for people; of all groups if None."""
        self._database.require_open()
        connection = self._database.reader
        with self._database.read_mutex, translated(self._database.name):
            g = None if group_id is None else (_group(connection, group_id) or -1)
            counts: dict[str, Json] = {
                table: connection.execute(
                    f"SELECT count(*) FROM {table} WHERE ?1 IS NULL OR g = ?1", (g,)
                ).fetchone()[0]
                for table in _COUNTED
            }
            waiting = "SELECT count(*) FROM extractions WHERE state = ?2 AND (?1 IS NULL OR g = ?1)"
            for state in ("pending", "failed"):
                counts[f"extraction_{state}"] = connection.execute(waiting, (g, state)).fetchone()[
                    0
                ]
            meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        model: Json = meta.get("model")
        return {"store": "sqlite", "path": self._database.name, "model": model, **counts}

    def check(self) -> list[str]:
        """Return what is wrong in the file, or between rows and images. Reads everything."""
        self._database.require_open()
        connection = self._database.reader
        wrong: list[str] = []
        with self._images_lock, self._database.read_mutex, translated(self._database.name):
            for (line,) in connection.execute("PRAGMA integrity_check"):
                wrong += [] if line == "ok" else [f"file: {line}"]
            for name, sql in _DANGLING.items():
                (count,) = connection.execute(sql).fetchone()
                wrong += [f"{count} rows: {name}"] if count else []
            for group_id in self.groups():
                wrong += self._check_image(group_id)
        return wrong

    def _check_image(self, group_id: str) -> list[str]:
        followed = self._image(group_id)
        rebuilt = Image()
        g = _group(self._database.reader, group_id)
        if followed is None or g is None:
            return []
        rebuilt.put(Feed(self._database.reader, g, group_id).everything())
        if followed.fingerprint() == rebuilt.fingerprint():
            return []
        return [f"the image of group {group_id!r} differs from its rows"]

    def use_model(self, model_id: str, dimension: int) -> None:
        """Bind the store to an embedding model, or verify that it is bound to this one."""
        self._database.require_open()
        wanted = {"model": model_id, "dimension": dimension}
        sql = "SELECT key, value FROM meta WHERE key IN ('model', 'dimension')"
        with self._database.read_mutex, translated(self._database.name):
            bound = dict(self._database.reader.execute(sql).fetchall())
        if any(bound.get(key, value) != value for key, value in wanted.items()):
            raise InvalidInput(
                f"the store's vectors were made by {bound.get('model')!r} (dimension "
                f"{bound.get('dimension')}), not {model_id!r} ({dimension}); open it with that "
                "model, or without one"
            )
        if bound.keys() != wanted.keys() and not self._database.read_only:
            with self._database.transaction() as connection:
                connection.executemany(
                    "INSERT OR IGNORE INTO meta VALUES (?, ?)", list(wanted.items())
                )

    def close(self) -> None:
        """Release the file and all images; a second call does nothing."""
        with self._images_lock:
            self._images.clear()
        self._database.close()


_DANGLING = {
    "evidence of an edge that is not there": (
        "SELECT count(*) FROM evidence v WHERE NOT EXISTS"
        " (SELECT 1 FROM edges e WHERE e.g = v.g AND e.id = v.edge_id)"
    ),
    "evidence of an assertion that is not there": (
        "SELECT count(*) FROM evidence v WHERE NOT EXISTS"
        " (SELECT 1 FROM assertions a WHERE a.g = v.g AND a.id = v.assertion_id)"
    ),
    "edges without evidence": (
        "SELECT count(*) FROM edges e WHERE NOT EXISTS"
        " (SELECT 1 FROM evidence v WHERE v.g = e.g AND v.edge_id = e.id)"
    ),
    "edges of an entity that is not there": (
        "SELECT count(*) FROM edges e WHERE NOT EXISTS"
        " (SELECT 1 FROM entities n WHERE n.g = e.g AND n.id = e.subject_id) OR NOT EXISTS"
        " (SELECT 1 FROM entities n WHERE n.g = e.g AND n.id = e.object_id)"
    ),
    "assertions of an episode that is not there": (
        "SELECT count(*) FROM assertions a WHERE a.episode_id IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM episodes e WHERE e.g = a.g AND e.id = a.episode_id)"
    ),
}


def _group(connection: sqlite3.Connection, group_id: str) -> int | None:
    found = connection.execute("SELECT g FROM groups WHERE name = ?", (group_id,)).fetchone()
    return None if found is None else found[0]


def _add_group(connection: sqlite3.Connection, group_id: str) -> int:
    connection.execute("INSERT INTO groups (name) VALUES (?)", (group_id,))
    return connection.execute("SELECT g FROM groups WHERE name = ?", (group_id,)).fetchone()[0]


def _last_stamp(connection: sqlite3.Connection) -> int:
    found = connection.execute("SELECT value FROM meta WHERE key = 'stamp'").fetchone()
    return 0 if found is None else found[0]


def _refuse_foreign(changes: Changes, group_id: str) -> None:
    records = (
        *changes.episodes,
        *changes.entities,
        *changes.assertions,
        *changes.rulings,
        *changes.edges,
    )
    if any(record.group_id != group_id for record in records):
        raise InvalidInput(f"a record of another group in a write to {group_id!r}")
