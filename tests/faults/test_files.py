"""Files and disks that are not as they should be: a clear error, nothing lost, and on again."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from graphmem import InvalidInput, Memory, SchemaMismatch

NOBODY = 65534


def opened(path: Path, *, read_only: bool = False) -> Memory:
    return Memory.open(
        f"sqlite:{path}", group_id="g", extractor=None, embedder=None, read_only=read_only
    )


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A closed store of a few hundred turns."""
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.add_many([{"text": f"turn {n} " + "word " * 50} for n in range(300)])
        memory.assert_fact("Ann", "leads", "Atlas")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_a_store_cut_short_anywhere_is_refused_as_it_is_and_works_once_whole(store: Path) -> None:
    whole = store.read_bytes()
    page = 16384
    lengths = {1, 15, 16, 50, 99, 100, 101, 4096, page - 1, page, page + 1, 7 * page, 7 * page + 99}
    for length in sorted({*lengths, len(whole) // 2, len(whole) - page, len(whole) - 1}):
        store.write_bytes(whole[:length])
        for read_only in (False, True):
            with pytest.raises(SchemaMismatch, match=rf"{length}\b.*left as it is.*backup"):
                opened(store, read_only=read_only)
        assert store.read_bytes() == whole[:length]

    store.write_bytes(whole)
    with opened(store) as memory:
        assert len(memory.episodes(limit=1000)) == 300
        assert memory.check() == []


def test_an_empty_file_becomes_a_store_but_is_none_to_read(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    path.touch()

    with pytest.raises(SchemaMismatch, match="open it once for writing"):
        opened(path, read_only=True)
    assert path.stat().st_size == 0
    with opened(path) as memory:
        memory.add("hello")
        assert memory.check() == []


def test_an_emptied_store_keeps_its_log_until_the_file_is_back(store: Path) -> None:
    with opened(store) as memory:
        memory.add("only in the log", episode_id="late")
        for name in (store.name, f"{store.name}-wal"):
            shutil.copy(store.with_name(name), store.with_name(f"saved-{name}"))
    saved, log = store.with_name("saved-m.db"), store.with_name("saved-m.db-wal")
    whole = saved.read_bytes()
    saved.write_bytes(b"")
    before = log.read_bytes()

    for read_only in (False, True):
        with pytest.raises(SchemaMismatch, match="empty, but its log"):
            opened(saved, read_only=read_only)
    assert (saved.read_bytes(), log.read_bytes()) == (b"", before)

    saved.write_bytes(whole)
    with opened(saved) as memory:
        assert [e.text for e in memory.episodes(last=1)] == ["only in the log"]


_FOREIGN = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("PRAGMA application_id = " + sys.argv[2])
connection.execute("CREATE TABLE mine (x)")
connection.execute("INSERT INTO mine VALUES (7)")
connection.commit()
os._exit(0)
"""


@pytest.mark.parametrize("application", ["0", "1196444487"])
def test_the_log_of_another_program_is_not_folded_into_its_database(
    tmp_path: Path, application: str
) -> None:
    path = tmp_path / "theirs.db"
    subprocess.run([sys.executable, "-c", _FOREIGN, str(path), application], check=True)
    before = contents(tmp_path)
    assert before["theirs.db-wal"]

    for read_only in (False, True):
        with pytest.raises(SchemaMismatch, match="another program"):
            opened(path, read_only=read_only)
    after = contents(tmp_path)
    assert {name: after[name] for name in ("theirs.db", "theirs.db-wal")} == {
        name: before[name] for name in ("theirs.db", "theirs.db-wal")
    }
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT x FROM mine").fetchall() == [(7,)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_and_a_name_that_is_too_long_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(InvalidInput, match="no plain file"):
        opened(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="shorter path"):
        opened(tmp_path / ("n" * 300))


_DISK_FULL = """
import os, resource, signal, sys
from graphmem import Memory, StoreUnavailable
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
memory = Memory.open(f"sqlite:{sys.argv[1]}", group_id="g", extractor=None, embedder=None)
for size in (0, 100_000, 500_000):
    limit(os.stat(sys.argv[1] + "-wal").st_size + size)
    stored = len(memory.episodes(limit=10_000))
    try:
        for number in range(1000):
            memory.add_many([{"text": f"{size} {number} {n} " + "word " * 99} for n in range(9)])
            stored += 9
        print("never full")
    except StoreUnavailable as error:
        print("refused" if error.retryable and "nothing was written" in str(error) else error)
    assert len(memory.episodes(limit=10_000)) == stored
    limit(resource.RLIM_INFINITY)
    memory.add("room again")
    assert memory.check() == []
memory.close()
with Memory.open(f"sqlite:{sys.argv[1]}", group_id="g", embedder=None) as memory:
    assert memory.check() == []
    print(sum(e.text == "room again" for e in memory.episodes(limit=10_000)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a file's size are of POSIX systems")
def test_a_full_disk_refuses_writes_and_loses_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    done = subprocess.run(
        [sys.executable, "-c", _DISK_FULL, path], capture_output=True, text=True, check=False
    )

    assert done.stdout.split() == ["refused", "refused", "refused", "3"], done.stderr


@pytest.fixture
def theirs() -> Iterator[Path]:
    """A folder with a store, of a user whom permissions bind (root's processes become nobody)."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with opened(folder / "m.db") as memory:
            memory.add("hello")
        if os.geteuid() == 0:
            for path in (folder, *folder.iterdir()):
                os.chown(path, NOBODY, NOBODY)
        yield folder
        folder.chmod(0o700)


_USE = """
import os, sys
from graphmem import Memory, GraphMemError
with Memory.open("memory:", group_id="g", extractor=None, embedder=None) as memory:
    memory.add("what is imported late must be imported before the user changes")
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
mode = sys.argv[2]
try:
    with Memory.open(
        f"sqlite:{sys.argv[1]}", group_id="g", extractor=None, embedder=None,
        read_only=mode == "read",
    ) as memory:
        if mode == "write":
            memory.add("more")
        print("fine", len(memory.episodes()))
except GraphMemError as error:
    print(type(error).__name__, error)
"""


def use(path: Path, mode: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _USE, str(path), mode], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="these permissions are of POSIX systems")
def test_a_file_that_may_not_be_written_can_be_read_and_works_once_it_may(theirs: Path) -> None:
    path = theirs / "m.db"
    before = path.read_bytes()
    path.chmod(stat.S_IRUSR)

    assert use(path, "write").startswith("ReadOnlyStore")
    assert "permissions" in use(path, "write")
    assert use(path, "read") == "fine 1"
    path.chmod(0)
    assert use(path, "read").startswith("ReadOnlyStore")
    path.chmod(0o600)
    assert path.read_bytes() == before
    assert use(path, "write") == "fine 2"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="these permissions are of POSIX systems")
def test_a_folder_that_may_not_be_written_is_named_and_works_once_it_may(theirs: Path) -> None:
    path = theirs / "m.db"
    before = path.read_bytes()
    for lock in theirs.glob("*.lock"):
        lock.unlink()
    theirs.chmod(0o500)

    said = [use(path, mode) for mode in ("write", "read")] + [use(theirs / "new.db", "write")]
    assert {line.split()[0] for line in said} == {"ReadOnlyStore"}
    assert all("folder" in line for line in said), said
    theirs.chmod(0o700)
    assert path.read_bytes() == before
    assert use(path, "write") == "fine 2"
