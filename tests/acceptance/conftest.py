from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.ports import Clock, Embedder, Extractor, Store
from graphmem.store.sqlite import SqliteStore
from graphmem.testing import FakeClock, HashEmbedder, ReferenceStore


def _sqlite(path: Path, clock: Clock) -> Store:
    return SqliteStore.open(path, clock=clock)


def _reference(path: Path, clock: Clock) -> Store:
    del path
    return ReferenceStore(clock=clock)


STORES: dict[str, Callable[[Path, Clock], Store]] = {"sqlite": _sqlite, "reference": _reference}


@pytest.fixture
def clock() -> FakeClock:
    """Starts at the end of 2024 and moves a second a reading."""
    return FakeClock(datetime(2024, 12, 31, tzinfo=UTC))


class Opener:
    """Opens memories of one kind of store, each with its own file."""

    def __init__(self, kind: str, folder: Path, clock: FakeClock) -> None:
        self.kind = kind
        self._folder = folder
        self._clock = clock
        self._opened: list[Memory] = []

    def __call__(
        self,
        name: str = "memory",
        *,
        extractor: str | Extractor | None = "local",
        embedder: Embedder | None = None,
    ) -> Memory:
        store = STORES[self.kind](self._folder / f"{name}.db", self._clock)
        self._opened.append(
            Memory(
                store,
                group_id="team",
                extractor=extractor,
                embedder=embedder or HashEmbedder(),
                clock=self._clock,
            )
        )
        return self._opened[-1]

    def restarted(self, memory: Memory, name: str = "memory") -> Memory:
        """Close and open again; a store in memory alone goes on as it is."""
        if self.kind == "reference":
            return memory
        memory.close()
        return self(name)

    def close(self) -> None:
        for memory in self._opened:
            memory.close()


@pytest.fixture(params=STORES)
def opener(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Opener]:
    opener = Opener(request.param, tmp_path, clock)
    yield opener
    opener.close()


@pytest.fixture
def memory(opener: Opener) -> Memory:
    return opener()
