"""Fixtures for all tests."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the folder of the evaluation sets, named by GRAPHMEM_DATA; skip without it.

    With GRAPHMEM_REQUIRE_DATA=1 its absence is a failure.
    """
    named = os.environ.get("GRAPHMEM_DATA")
    if named and Path(named).is_dir():
        return Path(named)
    reason = f"GRAPHMEM_DATA is {named!r}: set it to the folder of the evaluation sets"
    if os.environ.get("GRAPHMEM_REQUIRE_DATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
