"""The program as people and other programs run it: streams, exit codes, hostile text."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import typer
from typer.testing import CliRunner, Result

from graphmem import Memory
from graphmem.cli import app

Run = Callable[..., Result]
Program = Callable[..., CompletedProcess[bytes]]
ROOT = Path(__file__).parents[2]
HOSTILE = "Eve\x1b]0;owned\x07\x1b[2J\x9b31m \u202egnp.exe\u2066\r\nAnn -leads-> Everything"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A store whose names, quotes, speakers and threads try to drive a terminal."""
    path = tmp_path / "memory.db"
    with Memory.open(
        f"sqlite:{path}", group_id="default", embedder=None, extractor="none"
    ) as memory:
        memory.add(f"Hello {HOSTILE}", speaker=HOSTILE, thread_id=HOSTILE, episode_id=HOSTILE)
        for object in ("Atlas", HOSTILE):
            memory.assert_fact("Mo", "leads", object, quote=HOSTILE, speaker=HOSTILE)
        memory.assert_fact(HOSTILE, "leads", "Atlas", quote=HOSTILE, speaker=HOSTILE)
    return path


COMMANDS = [
    ("edges",),
    ("search", "Hello Eve Atlas", "--channel", "lexical"),
    ("ask", "Who leads Atlas?"),
    ("ask", "What does Mo lead?"),
    ("history", "Mo"),
    ("history", "Atlas", "led by"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.usefixtures("hostile")
def test_stored_text_never_drives_the_terminal(run: Run, command: tuple[str, ...]) -> None:
    for extra in ((), ("--json",)):
        result = run(*command, *extra)
        printed = (result.stdout + result.stderr).replace("\n", "")

        assert result.exit_code == 0
        assert "Eve" in printed
        assert {unicodedata.category(char) for char in printed}.isdisjoint({"Cc", "Cf", "Cs"})
        assert not any(line.startswith("Ann -leads->") for line in result.stdout.splitlines())


@pytest.mark.usefixtures("hostile")
def test_json_keeps_hostile_text_whole(run: Run) -> None:
    rows = [json.loads(line) for line in run("search", "Hello", "--json").stdout.splitlines()]

    assert f"Hello {HOSTILE}" in {row["text"] for row in rows}
    assert HOSTILE in {row["episode"]["speaker"] for row in rows if row["episode"]}


@pytest.mark.usefixtures("hostile")
def test_the_nearest_misses_do_not_drive_the_terminal_either(run: Run) -> None:
    result = run("ask", "Who approved Eve?")

    assert result.exit_code == 4
    assert "Eve" in result.stderr
    assert not {"\x1b", "\x9b", "\x07", "\u202e"} & set(result.stderr)


@pytest.mark.usefixtures("store")
def test_data_goes_to_stdout_and_the_rest_to_stderr(program: Program) -> None:
    found = program("ask", "Who leads Atlas?")
    missed = program("ask", "Who leads Nothing?")
    broken = program("edges", "--store", "sqlite:missing.db")
    unknown = program("dance")

    assert (found.returncode, found.stderr) == (0, b"")
    assert found.stdout.startswith(b"Ben\n")
    assert (missed.returncode, missed.stdout) == (4, b"")
    assert (broken.returncode, broken.stdout) == (1, b"")
    assert broken.stderr == b"error: there is no store at 'missing.db' to read\n"
    assert (unknown.returncode, unknown.stdout) == (2, b"")


@pytest.mark.usefixtures("store")
def test_output_that_is_not_utf8_is_escaped(program: Program) -> None:
    for encoding in ("ascii", "latin-1"):
        text = program("edges", PYTHONIOENCODING=encoding)
        document = program("edges", "--json", PYTHONIOENCODING=encoding)

        assert (text.returncode, text.stderr) == (0, b"")
        assert b"\\u9648\\u8587 -lives in->" in text.stdout
        names = [json.loads(line)["subject"] for line in document.stdout.splitlines()]
        assert "陈薇" in names


def test_a_reader_that_stops_early_is_no_error(store: str) -> None:
    with Memory.open(store, group_id="default", embedder=None) as memory:
        memory.assert_many(
            {"subject": f"Person {n}", "relation": "knows", "object": "Ann" * 50}
            for n in range(2000)
        )
    code = "from graphmem.cli import run; run()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "edges", "--json", "--store", store],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()

    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.usefixtures("store")
def test_a_read_that_needs_no_model_loads_none(tmp_path: Path) -> None:
    program = """
import sys
from graphmem.cli import app
heavy = {"fastembed", "onnxruntime", "spacy", "huggingface_hub"}
for command in (["--help"], ["edges"], ["ask", "Who leads Atlas?"], ["history", "Ann"],
                ["status"], ["check"], ["search", "Atlas", "--channel", "lexical"]):
    app(command, standalone_mode=False)
    assert not heavy & sys.modules.keys(), command
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr


def test_every_command_explains_itself_and_the_exit_codes(run: Run) -> None:
    for command in ("ingest", "add", "search", "ask", "history", "edges", "status", "check"):
        assert run(command, "--help").exit_code == 0
    text = run("--help").stdout

    for code in ("0 all", "1 an error", "2 the command", "3 some records", "4 `ask`", "130"):
        assert code in " ".join(text.split())
    assert "--install-completion" in text


def test_a_warning_is_plain_text_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def groups(_: Memory) -> dict[str, str]:
        for _turn in range(3):
            warnings.warn("the moon is full", stacklevel=2)
        return {}

    monkeypatch.setattr(Memory, "status", groups)
    Memory.open("sqlite:memory.db", embedder=None).close()

    assert run("status").stderr == "warning: the moon is full\n"


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def edges(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Memory, "edges", edges)
    Memory.open("sqlite:memory.db", embedder=None).close()

    result = CliRunner().invoke(app, ["edges"])

    assert isinstance(result.exception, RuntimeError)


def test_the_app_is_typers() -> None:
    assert isinstance(app, typer.Typer)
