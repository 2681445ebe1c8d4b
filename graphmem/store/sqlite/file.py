"""Opening the database file: who may, what it must be, and when its log is folded back."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from threading import RLock

from filelock import FileLock, Timeout

from graphmem.errors import (
    InvalidInput,
    ReadOnlyStore,
    SchemaMismatch,
    StoreClosed,
    StoreError,
    StoreUnavailable,
)
from graphmem.store.sqlite.header import APPLICATION_ID, refuse_foreign, refuse_impossible
from graphmem.store.sqlite.migrations import current_version, migrate

LOCK_SECONDS = 60.0
WAL_BYTES = 4 << 20
_NOT_A_DATABASE = ("file is not a database", "malformed", "disk image", "encrypted")


_UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)


def _failure(path: str, error: sqlite3.Error) -> Exception:
    text = str(error)
    if any(sign in text for sign in _NOT_A_DATABASE):
        return SchemaMismatch(
            f"{path!r} is not a readable graphmem store: {text}; it was left as it is. "
            "Give another path, or restore the file from a backup"
        )
    if "readonly" in text:
        return ReadOnlyStore(
            f"{path!r} cannot be written: {text}; check the permissions of the file and its folder"
        )
    if isinstance(error, sqlite3.IntegrityError):
        return InvalidInput(f"{path!r} already holds such a row: {text}; nothing was written")
    if isinstance(error, sqlite3.OperationalError):
        return StoreUnavailable(f"{path!r}: {text}; nothing was written{_advice(text)}")
    return StoreError(f"{path!r}: {text}; nothing was written")


def _advice(text: str) -> str:
    if "full" in text or "I/O" in text:
        return ". Free some space, or check the disk, and try again"
    if "unable to open" in text:
        return ". Even to be read it needs a folder that can be written, for the files beside it"
    return ""


def _os_failure(path: str, error: OSError) -> Exception:
    if error.errno in _UNWRITABLE:
        return ReadOnlyStore(
            f"{path!r} cannot be used: {error.strerror}; check the permissions of the file and of "
            "its folder, where a lock and a log lie beside it"
        )
    if error.errno == errno.ENAMETOOLONG:
        return InvalidInput(f"{path[:80]!r}…: {error.strerror}; give a shorter path")
    return StoreUnavailable(f"{path!r}: {error.strerror}; nothing was written, try again")


@contextmanager
def translated(path: str) -> Generator[None]:
    """Turn SQLite's errors into ours: every one that it raises has a counterpart here."""
    try:
        yield
    except sqlite3.Error as error:
        raise _failure(path, error) from error


@contextmanager
def _reached(path: str) -> Generator[None]:
    """Turn the system's errors about the file and its lock into ours."""
    try:
        yield
    except OSError as error:
        if isinstance(error, Timeout):
            raise
        raise _os_failure(path, error) from error


class Database:
    """One SQLite file (or one in memory): a connection to write and one to read.

    Safe for threads. A process that was forked must open its own.
    """

    def __init__(self, path: Path | None, *, read_only: bool) -> None:
        self.name = ":memory:" if path is None else str(path)
        self.read_only = read_only
        self._path = path
        self._pid = os.getpid()
        self._closed = False
        self.write_mutex = RLock()
        self.read_mutex = self.write_mutex if path is None else RLock()
        self._lock = FileLock(f"{path}.lock", timeout=LOCK_SECONDS, mode=0o600, poll_interval=0.01)
        with translated(self.name):
            if path is not None:
                self._find(path)
            self._open()

    def _find(self, path: Path) -> None:
        with _reached(self.name):
            refuse_impossible(path, read_only=self.read_only)
            if not self.read_only:
                _create(path)
            refuse_foreign(path)
            if not self.read_only and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            if not self.read_only:
                _unlock_beside(path)

    def _open(self) -> None:
        with contextlib.nullcontext() if self._path is None or self.read_only else self._guard():
            self.writer = self._connect()
            try:
                self._prepare()
                self.reader = self.writer if self._path is None else self._connect()
            except BaseException:
                self.writer.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        uri = "file::memory:" if self._path is None else self._path.absolute().as_uri()
        return sqlite3.connect(
            f"{uri}{'?mode=ro' if self.read_only else ''}",
            uri=True,
            timeout=LOCK_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )

    def _prepare(self) -> None:
        """Set up an empty file, bring an older one to the present schema, refuse a newer one."""
        (version,) = self.writer.execute("PRAGMA user_version").fetchone()
        (tables,) = self.writer.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables:
            self._refuse_version(version)
        elif self.read_only:
            raise SchemaMismatch(f"{self.name!r} is empty; open it once for writing")
        if not self.read_only:
            self._configure(create=not tables)
            if tables and version < current_version():
                migrate(self.writer)
                self._fold_when_long()

    def _refuse_version(self, version: int) -> None:
        present = current_version()
        if version > present:
            advice = "upgrade graphmem to open it"
        elif version < 1:
            advice = "no graphmem wrote such a one; restore the file from a backup"
        elif version < present and self.read_only:
            advice = (
                "open it once for writing, which brings it up to date in one step; keep a copy if "
                "an older graphmem shall read it too"
            )
        else:
            return
        raise SchemaMismatch(
            f"{self.name!r} has schema {version}, this graphmem reads {present}; {advice}"
        )

    def _configure(self, *, create: bool) -> None:
        run = self.writer.execute
        if create:
            run("PRAGMA page_size = 16384")
            # First of all, so that no file of ours is ever without the mark.
            run(f"PRAGMA application_id = {APPLICATION_ID}")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA wal_autocheckpoint = 0")
        run("PRAGMA secure_delete = ON")
        if sys.platform == "darwin":
            run("PRAGMA fullfsync = 1")
        if create:
            ddl = (files(__package__ or __name__) / "schema.sql").read_text(encoding="utf-8")
            version = f"PRAGMA user_version = {current_version()}"
            self.writer.executescript(f"BEGIN; {version}; {ddl} COMMIT;")

    def require_open(self) -> None:
        """Raise StoreClosed if it was closed, or opened by the process that forked this one."""
        if self._closed:
            raise StoreClosed(f"{self.name!r} was closed; open it again")
        if os.getpid() != self._pid:
            raise StoreClosed(f"{self.name!r} was opened before a fork; open it in this process")

    @contextmanager
    def _guard(self) -> Generator[None]:
        with self.write_mutex:
            self._take_lock()
            try:
                yield
            finally:
                self._lock.release()

    def _take_lock(self) -> None:
        try:
            with _reached(self.name):
                self._lock.acquire()
        except Timeout as error:
            raise StoreUnavailable(
                f"{self.name!r} is busy: another process held its lock for {LOCK_SECONDS:.0f} s; "
                "nothing was written, try again"
            ) from error

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Yield the writing connection inside one durable transaction under the file's lock."""
        self.require_open()
        if self.read_only:
            raise ReadOnlyStore(f"{self.name!r} was opened read-only; open it for writing")
        with self._exclusive(), translated(self.name):
            self.writer.execute("BEGIN IMMEDIATE")
            try:
                self._refuse_migrated()
                yield self.writer
                self.writer.execute("COMMIT")
            except BaseException:
                if self.writer.in_transaction:
                    self.writer.execute("ROLLBACK")
                raise
            self._fold_when_long()

    def _refuse_migrated(self) -> None:
        """A newer graphmem may have changed the schema since this process opened the file."""
        (version,) = self.writer.execute("PRAGMA user_version").fetchone()
        if version != current_version():
            self._refuse_version(version)

    @contextmanager
    def _exclusive(self) -> Generator[None]:
        with self.write_mutex if self._path is None else self._guard():
            yield

    def _fold_when_long(self) -> None:
        """Move the write-ahead log into the file once it is long, under the lock.

        SQLite before 3.51.3 may damage the file when a checkpoint races a commit of another
        connection, so none ever runs outside the lock.
        """
        wal = Path(f"{self.name}-wal")
        if self._path is not None and wal.exists() and wal.stat().st_size > WAL_BYTES:
            self.writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Fold the log back and release the file; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if os.getpid() != self._pid:
            return
        with self.read_mutex, self.write_mutex:
            if self._path is not None:
                self.reader.close()
            if self._path is not None and not self.read_only:
                self._fold_all()
            self.writer.close()

    def _fold_all(self) -> None:
        # A busy neighbour is no reason to fail a close: the log is kept and folded by the next.
        with contextlib.suppress(Timeout, sqlite3.Error), self._lock.acquire(timeout=5):
            self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _create(path: Path) -> None:
    """Create an empty file that only its owner may read, unless there is one."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    except FileExistsError:
        return
    os.close(descriptor)


def _unlock_beside(path: Path) -> None:
    """Make the log writable again if the file is: readers gave it the mode that the file had."""
    for beside in (Path(f"{path}-wal"), Path(f"{path}-shm")):
        if beside.exists() and not os.access(beside, os.W_OK):
            beside.chmod(path.stat().st_mode & 0o777)
