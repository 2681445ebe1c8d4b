"""The embedded store: SQLite is the durable truth, an in-memory image answers searches."""

from graphmem.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
