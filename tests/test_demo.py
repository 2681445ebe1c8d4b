"""What ``make demo`` shows is right, in English and Chinese, offline."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXPECTED = [
    "Ruth Adeyemi -approved-> Helios rollout plan, 2025-05-19",
    '"I approved the Helios rollout plan." (Ruth Adeyemi, 2025-05-19, turn t056)',
    "陈薇 -approved-> 样机预算, 2025-05-14",
    "board -approved-> Atlas budget, 2025-03-27",
    "Lena Brandt -leads-> Atlas, 2025-02-25T10:00:00Z to 2025-05-05",
    "Marco Ferri -leads-> Atlas, 2025-05-05 to 2025-09-01",
    "Lena Brandt -leads-> Atlas, 2025-09-01",
    "Marco Ferri -leads-> Orbit, 2025-03-03 to 2026-01-01",
    "Ruth Adeyemi -reports to-> Lena Brandt",
    '"We decided to use Kafka for the event bus." (Lena Brandt, 2025-03-06, turn t014)',
    "because running Kafka takes one of us two days a week",
    "我搬到杭州了，离工厂近多了。",
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "memory.db"


@pytest.fixture(scope="module")
def printed(store: Path) -> str:
    return demo("--store", str(store))


def demo(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "demo.py", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("line", EXPECTED)
def test_the_demo_shows(printed: str, line: str) -> None:
    assert line in printed


def test_all_answers_of_the_demo_are_right(printed: str) -> None:
    last = printed.splitlines()[-1]

    assert re.fullmatch(r"demo: (\d+) of \1 answers are right", last), last
    assert "turns: 101 new" in printed


def test_the_demo_again_on_its_store_imports_nothing_twice(printed: str, store: Path) -> None:
    again = demo("--store", str(store))

    assert "turns: 101 unchanged" in again
    assert again.splitlines()[-1] == printed.splitlines()[-1]


def test_the_demo_takes_nothing_planted_or_guessed_for_a_fact(printed: str) -> None:
    facts = re.findall(r"^ +(\S.* -\S.*-> .*)$", printed, re.MULTILINE)

    assert facts
    assert not [fact for fact in facts if "Tomas Lindqvist -leads->" in fact]
    assert not [fact for fact in facts if "unlimited" in fact or "Hector" in fact]
