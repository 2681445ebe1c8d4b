"""A writer that is killed at any point loses nothing that it acknowledged, and doubles nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.faults import Outcomes, nursery, trial

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX systems")


def test_ten_killed_writers_lose_and_double_nothing(tmp_path: Path) -> None:
    outcomes = Outcomes()
    with nursery() as writers:
        for seed in range(10):
            trial(tmp_path, seed, writers, outcomes, steps=20)

    assert outcomes.clean, [*outcomes.lost, *outcomes.doubled, *outcomes.wrong]
    assert outcomes.kills >= 10
    assert outcomes.noted >= 50
