"""Opening: what is refused, what is left alone, who may use it."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from graphmem import InvalidInput, Memory, ReadOnlyStore, SchemaMismatch, StoreClosed
from graphmem.testing import HashEmbedder


def opened(path: Path, *, read_only: bool = False) -> Memory:
    return Memory.open(
        f"sqlite:{path}", group_id="g", extractor=None, embedder=None, read_only=read_only
    )


@pytest.mark.parametrize("url", ["", "memory", "sqlite:", "postgres://x", "sqlite", "memory:x"])
def test_a_url_that_is_none_is_refused_with_the_right_forms(url: str) -> None:
    with pytest.raises(InvalidInput, match="sqlite:PATH"):
        Memory.open(url, embedder=None)


def test_files_are_for_their_owner_only(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        memory.add("hello")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}

    assert set(modes.values()) == {0o600}, modes


@pytest.mark.parametrize("content", [b"hello, not a database", b"SQLite format 3\0" + b"x" * 500])
def test_a_foreign_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m.db"
    path.write_bytes(content)

    with pytest.raises(SchemaMismatch, match=r"m\.db"):
        opened(path)
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    content = path.read_bytes()

    with pytest.raises(SchemaMismatch, match="another program"):
        opened(path)
    assert path.read_bytes() == content


def test_a_truncated_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.add_many([{"text": f"turn {n} " + "word " * 50} for n in range(300)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])

    with pytest.raises(SchemaMismatch):
        opened(path).episodes()


def test_a_folder_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="folder"):
        opened(tmp_path)
    with pytest.raises(InvalidInput, match="folder"):
        opened(tmp_path / "nowhere" / "m.db")
    with pytest.raises(InvalidInput, match="no store"):
        opened(tmp_path / "m.db", read_only=True)
    assert not (tmp_path / "m.db").exists()


def test_read_only_reads_and_refuses_to_write(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        memory.assert_fact("Ann", "leads", "Atlas")
        with opened(tmp_path / "m.db", read_only=True) as reader:
            assert [edge.fact for edge in reader.edges()] == ["Ann leads Atlas"]
            assert reader.search("Atlas")
            with pytest.raises(ReadOnlyStore):
                reader.add("hello")


def test_a_closed_memory_says_so(tmp_path: Path) -> None:
    memory = opened(tmp_path / "m.db")
    memory.close()
    memory.close()

    for use in (memory.edges, memory.groups, lambda: memory.add("x"), lambda: memory.search("x")):
        with pytest.raises(StoreClosed):
            use()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_must_open_its_own(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from graphmem import Memory, StoreClosed\n"
        f"m = Memory.open('sqlite:{tmp_path}/m.db', group_id='g', extractor=None, embedder=None)\n"
        "m.add('parent')\n"
        "if os.fork() == 0:\n"
        "    try:\n"
        "        m.add('child')\n"
        "    except StoreClosed:\n"
        "        os._exit(7)\n"
        "    os._exit(0)\n"
        "_, status = os.wait()\n"
        "m.add('again')\n"
        "print(os.waitstatus_to_exitcode(status), len(m.episodes()))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stdout.split() == ["7", "2"], done.stderr


def test_another_model_on_the_same_store_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:{tmp_path}/m.db"
    with Memory.open(url, group_id="g", extractor=None, embedder=HashEmbedder()) as memory:
        memory.add("hello")

    with pytest.raises(InvalidInput, match=r"hash-64.*hash-32"):
        Memory.open(url, embedder=HashEmbedder(dimension=32))


def test_threads_and_a_second_process_see_each_acknowledged_turn(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory, opened(path) as other:

        def write(name: str) -> None:
            for number in range(20):
                memory.add(f"{name} {number}", thread_id=name)

        threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert Counter(e.thread_id for e in other.episodes()) == {"a": 20, "b": 20, "c": 20}
        assert [e.text for e in other.episodes(threads=["b"])] == [f"b {n}" for n in range(20)]


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX systems")
def test_after_kill_9_nothing_acknowledged_is_lost_and_nothing_doubled(tmp_path: Path) -> None:
    source = tmp_path / "chat.jsonl"
    source.write_text(
        "".join(f'{{"id": "m{n}", "text": "Person{n} leads Part{n}."}}\n' for n in range(3000))
    )
    command = [sys.executable, "-c", _INGEST, str(tmp_path / "m.db"), str(source)]
    acknowledged = 0
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        seen = [process.stdout.readline() for _ in range(300)]
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        acknowledged = max(acknowledged, sum(bool(line) for line in seen))
        with opened(tmp_path / "m.db") as memory:
            assert len(memory.episodes(limit=5000)) >= acknowledged
            assert memory.check() == []
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    with opened(tmp_path / "m.db") as memory:
        ids = [episode.id for episode in memory.episodes(limit=5000)]
        assert len(ids) == len(set(ids)) == 3000
        assert Counter(r.outcome for r in memory.ingest(source, extractor="none")) == {
            "unchanged": 3000
        }
        assert memory.check() == []


_INGEST = """
import sys
from graphmem import Memory
memory = Memory.open(f"sqlite:{sys.argv[1]}", group_id="g", extractor=None, embedder=None)
for receipt in memory.ingest(sys.argv[2], extractor="none"):
    print(receipt.episode_id, flush=True)
memory.close()
"""
