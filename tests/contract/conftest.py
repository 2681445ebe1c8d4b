from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphmem.ports import Clock, Store
from graphmem.store.sqlite import SqliteStore
from graphmem.testing import FakeClock, ReferenceStore


def _reference(path: Path, clock: Clock) -> Store:
    del path
    return ReferenceStore(clock=clock)


def _sqlite(path: Path, clock: Clock) -> Store:
    return SqliteStore.open(path, clock=clock)


def _memory(path: Path, clock: Clock) -> Store:
    del path
    return SqliteStore.open(None, clock=clock)


STORES: dict[str, Callable[[Path, Clock], Store]] = {
    "reference": _reference,
    "sqlite": _sqlite,
    "memory": _memory,
}
DURABLE: dict[str, Callable[[Path, Clock, bool], Store]] = {
    "sqlite": lambda path, clock, read_only: SqliteStore.open(
        path, clock=clock, read_only=read_only
    )
}


@pytest.fixture
def clock() -> FakeClock:
    """Starts on 1 January 2024 and moves a second a reading."""
    return FakeClock()


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Store]:
    store = STORES[request.param](tmp_path / "store.db", clock)
    yield store
    store.close()


@pytest.fixture(params=DURABLE)
def handle(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock
) -> Iterator[Callable[..., Store]]:
    """Opens one more handle on the same file, as another process would."""
    opened: list[Store] = []

    def another(*, read_only: bool = False) -> Store:
        opened.append(DURABLE[request.param](tmp_path / "store.db", clock, read_only))
        return opened[-1]

    yield another
    for store in opened:
        store.close()
