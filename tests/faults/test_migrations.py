"""Files of older and newer schemas: brought up to date in one step, or refused with advice."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsOf, Memory, ReadOnlyStore, SchemaMismatch, StoreUnavailable
from graphmem.store.sqlite import migrations
from graphmem.store.sqlite.header import APPLICATION_ID
from graphmem.testing import FakeClock, HashEmbedder

HERE = Path(__file__).parent
PRESENT = migrations.current_version()
_EARLY = AsOf(recorded=datetime(2024, 1, 1, 0, 0, 30, tzinfo=UTC))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A store as version 1 left it, rows and all."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA page_size = 16384")
        connection.execute("PRAGMA journal_mode = WAL")
        for name in ("schema1.sql", "version1.sql"):
            connection.executescript((HERE / name).read_text(encoding="utf-8"))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    return path


def opened(path: Path, *, read_only: bool = False) -> Memory:
    clock = FakeClock(datetime(2024, 6, 1, tzinfo=UTC))
    return Memory.open(
        f"sqlite:{path}",
        extractor="none",
        embedder=HashEmbedder(dimension=8),
        clock=clock,
        read_only=read_only,
    )


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def schema(path: Path) -> dict[str, str]:
    """Return what a file's tables and indexes are, comments and spacing aside."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {name: " ".join(re.sub(r"--[^\n]*", "", sql).split()) for name, sql in rows}


def columns(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as connection:
        return {
            name: connection.execute(f"PRAGMA table_info({name})").fetchall()
            for name, sql in schema(path).items()
            if sql.startswith("CREATE TABLE")
        }


def answers(memory: Memory) -> dict[str, Any]:
    """Return what a store answers, as JSON; ``version1.json`` holds what version 1 did."""
    found: dict[str, Any] = {"check": memory.check(), "groups": memory.groups()}
    for group in memory.groups():
        found[group] = {
            "edges": [
                [
                    e.id,
                    e.subject,
                    e.relation,
                    e.object,
                    e.fact,
                    str(e.valid.start),
                    str(e.valid.end),
                ]
                for e in memory.edges(group_id=group, include_contested=True)
            ],
            "history": {
                name: [
                    [
                        *(r.relation, r.object, str(r.valid.start), str(r.valid.end)),
                        *(r.contested, str(r.ending), str(r.recorded.start), r.successor),
                    ]
                    for r in memory.history(name, group_id=group)
                ]
                for name in ("Ann", "Ben", "Eve")
                if group == "north"
            },
            "march": [e.fact for e in memory.edges(group_id=group, as_of="2023-03-15")],
            "believed early": [e.fact for e in memory.edges(group_id=group, as_of=_EARLY)],
            "episodes": [[e.id, e.text, e.version] for e in memory.episodes(group_id=group)],
            "hits": [[h.id, h.text] for h in memory.search("Where does Ann work?", group_id=group)],
        }
    return found


def test_an_older_store_answers_as_it_did(old: Path) -> None:
    told = json.loads((HERE / "version1.json").read_text(encoding="utf-8"))

    with opened(old) as memory:
        assert answers(memory) == told
    with opened(old, read_only=True) as memory:
        assert answers(memory) == told
    assert version(old) == PRESENT


def test_an_older_store_has_the_schema_of_a_new_one_afterwards(old: Path, tmp_path: Path) -> None:
    opened(old).close()
    opened(tmp_path / "new.db").close()

    assert schema(old).keys() == schema(tmp_path / "new.db").keys()
    assert columns(old) == columns(tmp_path / "new.db")


def test_an_older_store_goes_on_being_written(old: Path) -> None:
    with opened(old) as memory:
        for object, said in (("Beta", "2023-06-01T00:00:00Z"), ("Delta", "2023-08-01T00:00:00Z")):
            memory.assert_fact("Ann", "works at", object, group_id="north", occurred_at=said)
        again = memory.add(
            "Ann moved to Oslo.",
            group_id="north",
            speaker="Ben",
            episode_id="north-1",
            occurred_at="2023-02-01T10:00:00Z",
        )

        assert again.outcome == "unchanged"
        assert [
            (row.object, str(row.valid.start.date()))
            for row in memory.history("Ann", "works at", group_id="north")
        ] == [("Acme", "2023-01-01"), ("Beta", "2023-06-01"), ("Delta", "2023-08-01")]
        assert memory.check() == []


def test_an_older_store_is_not_changed_by_reading_and_says_what_to_do(old: Path) -> None:
    before = old.read_bytes()

    with pytest.raises(SchemaMismatch, match=r"schema 1.*open it once for writing"):
        opened(old, read_only=True)
    assert old.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_store_asks_for_a_newer_graphmem(old: Path, read_only: bool) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute(f"PRAGMA user_version = {PRESENT + 1}")
    before = old.read_bytes()

    with pytest.raises(SchemaMismatch, match=f"schema {PRESENT + 1}.*upgrade graphmem"):
        opened(old, read_only=read_only)
    assert old.read_bytes() == before


@pytest.mark.parametrize("wrong", [0, -3])
def test_a_version_that_never_was_is_refused(old: Path, wrong: int) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute(f"PRAGMA user_version = {wrong}")

    with pytest.raises(SchemaMismatch, match="no graphmem wrote such a one"):
        opened(old)


def _disk_full(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA max_page_count = 1")
    connection.execute("CREATE TABLE more AS SELECT zeroblob(2 << 20)")


def _no_such_table(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO nowhere VALUES (1)")


@pytest.mark.parametrize("failing", [_disk_full, _no_such_table])
def test_a_migration_that_fails_leaves_the_older_store(
    old: Path, monkeypatch: pytest.MonkeyPatch, failing: Callable[[sqlite3.Connection], None]
) -> None:
    before = schema(old)
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, failing))
        with pytest.raises(StoreUnavailable, match="nothing was written"):
            opened(old)

    assert (version(old), schema(old)) == (1, before)
    with opened(old) as memory:
        assert memory.check() == []


_DIES = """
import os, signal, sys
from pathlib import Path
from graphmem import Memory
from graphmem.store.sqlite import migrations
def die(connection):
    os.kill(os.getpid(), signal.SIGKILL)
migrations.MIGRATIONS = (*migrations.MIGRATIONS, die)
Memory.open(f"sqlite:{sys.argv[1]}", extractor="none", embedder=None)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX systems")
def test_a_migration_that_is_killed_leaves_the_older_store(old: Path) -> None:
    before = schema(old)
    killed = subprocess.run([sys.executable, "-c", _DIES, str(old)], check=False)

    assert killed.returncode == -signal.SIGKILL
    assert (version(old), schema(old)) == (1, before)
    with opened(old) as memory:
        assert answers(memory) == json.loads((HERE / "version1.json").read_text(encoding="utf-8"))


def test_a_store_that_was_migrated_under_an_older_process_takes_no_more_of_its_writes(
    tmp_path: Path,
) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.add("before", group_id="north")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version = {PRESENT + 1}")

        with pytest.raises(SchemaMismatch, match="upgrade graphmem"):
            memory.add("after", group_id="north")
        assert [e.text for e in memory.episodes(group_id="north")] == ["before"]


def _denied(*_: object) -> bool:
    return False


def test_an_older_store_that_may_not_be_written_is_left_as_it_is(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", _denied)

    with pytest.raises(ReadOnlyStore, match="permissions"):
        opened(old)
    assert version(old) == 1


def test_a_store_with_relations_of_its_own_is_sound(tmp_path: Path) -> None:
    relations = tmp_path / "relations.toml"
    relations.write_text('[[relation]]\nname = "mentors"\n', encoding="utf-8")

    with opened(tmp_path / "m.db") as memory:
        memory.add_relations(relations, group_id="north")

        assert memory.check() == []
