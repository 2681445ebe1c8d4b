"""What a file says of itself before SQLite touches it: a foreign one is left as it is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from graphmem.errors import InvalidInput, SchemaMismatch

APPLICATION_ID = 0x67726D6D  # "grmm", in the file's header: tells our files from others
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_ONE_PAGE_OF_64_K = 1


class _Header(NamedTuple):
    """The fields that matter. Source: SQLite's "Database File Format", section 1.3."""

    application: int
    bytes: int


def refuse_impossible(path: Path, *, read_only: bool) -> None:
    """Refuse a place where no store can be.

    Raises:
        InvalidInput: A folder, a pipe or the like, in no folder, or absent and to be read only.
    """
    if path.is_dir():
        raise InvalidInput(
            f"{str(path)!r} is a folder; give a file, for example 'sqlite:memory.db'"
        )
    if path.exists() and not path.is_file():
        raise InvalidInput(f"{str(path)!r} is no plain file; give the path of one")
    if read_only and not path.exists():
        raise InvalidInput(f"there is no store at {str(path)!r} to read")
    if not path.parent.is_dir():
        raise InvalidInput(f"the folder of {str(path)!r} does not exist; create it first")


def refuse_foreign(path: Path) -> None:
    """Refuse a file that is no store of ours, or only a part of one, without a byte changed.

    SQLite itself would delete the log beside an empty file, and fold the log of another program's
    database into it.

    Raises:
        SchemaMismatch: It is foreign, cut short, or empty with its log still there.
    """
    header = _read(path)
    if header is None:
        if _bytes(_log(path)):
            raise _damaged(path, f"it is empty, but its log {_log(path).name!r} is not")
        return
    if header.application != APPLICATION_ID and not _ours_by_its_log(path, header):
        raise SchemaMismatch(
            f"{str(path)!r} is a SQLite file of another program; it was left as it is. "
            "Give another path"
        )
    # Looked at twice: another process may fold its log in between reading header and size.
    if _cut_short(path, header) and (again := _read(path)) and _cut_short(path, again):
        raise _damaged(path, f"it is cut short to {_bytes(path)} of {again.bytes} bytes")


def _read(path: Path) -> _Header | None:
    """Return what the header says; None: the file is empty."""
    with path.open("rb") as file:
        head = file.read(_HEADER)
    if not head:
        return None
    if not head.startswith(_MAGIC[: len(head)]):
        raise _damaged(path, "file is not a database")
    if len(head) < _HEADER:
        raise _damaged(path, f"it is cut short to {len(head)} bytes")
    page = int.from_bytes(head[16:18], "big")
    page = 1 << 16 if page == _ONE_PAGE_OF_64_K else page
    pages = int.from_bytes(head[28:32], "big")
    return _Header(int.from_bytes(head[68:72], "big"), page * pages)


def _ours_by_its_log(path: Path, header: _Header) -> bool:
    """Tell whether a file without our mark gets it from its log, or holds nothing at all."""
    if header.application:
        return False
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return application == APPLICATION_ID or (application, tables) == (0, 0)


def _cut_short(path: Path, header: _Header) -> bool:
    return not _bytes(_log(path)) and _bytes(path) < header.bytes


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _bytes(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _damaged(path: Path, what: str) -> SchemaMismatch:
    return SchemaMismatch(
        f"{str(path)!r} is not a readable graphmem store: {what}; it was left as it is. "
        "Give another path, or restore the file from a backup"
    )
