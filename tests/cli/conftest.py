from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from typer.testing import CliRunner, Result

from graphmem import Memory
from graphmem.cli import app

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]
Program = Callable[..., CompletedProcess[bytes]]


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, without settings from outside and without an embedding model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("GRAPHMEM_STORE", "GRAPHMEM_GROUP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("graphmem.embedding.load", lambda spec: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


@pytest.fixture
def run() -> Run:
    runner = CliRunner()

    def call(*arguments: str) -> Result:
        return runner.invoke(app, list(arguments), catch_exceptions=False)

    return call


@pytest.fixture
def program() -> Program:
    """Run the program as a process of its own, in the current folder."""

    def call(*arguments: str, **environment: str) -> CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-c", "from graphmem.cli import run; run()", *arguments],
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            timeout=60,
        )

    return call


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store in the default place, with a few facts and turns of 2024."""
    url = f"sqlite:{tmp_path / 'memory.db'}"
    with Memory.open(url, group_id="default", embedder=None, extractor="none") as memory:
        memory.add(
            "I approved the Helios rollout plan.",
            episode_id="e1",
            speaker="Ruth Adeyemi",
            thread_id="ops",
            occurred_at="2024-05-19",
        )
        memory.add("The weather is fine.", speaker="Ann", thread_id="talk", occurred_at="2024-06")
        memory.assert_fact("Ruth Adeyemi", "approved", "Helios rollout plan", episode_id="e1")
        memory.assert_many(
            [
                {
                    "subject": subject,
                    "relation": relation,
                    "object": object,
                    "occurred_at": memory_time(month),
                    "quote": f"{subject} {relation} {object}.",
                    "speaker": "Ruth Adeyemi",
                }
                for subject, relation, object, month in (
                    ("Lena Brandt", "manages", "Ruth Adeyemi", 2),
                    ("Ann", "leads", "Atlas", 3),
                    ("Ben", "leads", "Atlas", 4),
                    ("陈薇", "lives in", "杭州", 4),
                )
            ]
        )
        memory.assert_fact("Mallory", "leads", "Zeus", group_id="other", occurred_at=memory_time(4))
    return url


def memory_time(month: int) -> datetime:
    return datetime(2024, month, 1, tzinfo=UTC)
