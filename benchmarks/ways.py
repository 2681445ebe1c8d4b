"""Ways into a memory: which store, which order, how many facts a write."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from graphmem import Cardinality, Memory, Relation, TemporalKind
from graphmem.testing import FakeClock, ReferenceStore

Facts = Sequence[Mapping[str, Any]]
"""Facts as ``Memory.assert_many`` takes them."""
NOW = datetime(2026, 1, 1, tzinfo=UTC)
SEED = 7
SAMPLE = 2000
"""How many facts the slow ways are given."""


@dataclass(frozen=True, slots=True)
class Way:
    """How facts come in.

    Attributes:
        store: ``"sqlite"`` or ``"reference"``.
        shuffled: In a seeded random order, else as they stand in the file.
        size: Facts a write; None: all in one.
    """

    store: str
    shuffled: bool
    size: int | None

    def __str__(self) -> str:
        order = "shuffled" if self.shuffled else "in file order"
        return f"{self.store}, {order}, {f'by {self.size}' if self.size else 'all at once'}"


ALL_FACTS = tuple(
    Way("sqlite", shuffled, size) for size in (100, None) for shuffled in (False, True)
)
"""The ways that a whole set goes in."""
SAMPLED = (
    *(Way(store, shuffled, 1) for store in ("sqlite", "reference") for shuffled in (False, True)),
    *(Way("reference", True, size) for size in (100, None)),
)
"""The ways that a sample goes in."""


@contextmanager
def opened(store: str) -> Generator[Memory]:
    """Open an empty memory of group ``"g"``, without models; it is gone afterwards."""
    clock = FakeClock(NOW)
    with TemporaryDirectory() as folder:
        if store == "reference":
            memory = Memory(
                ReferenceStore(clock=clock),
                group_id="g",
                extractor=None,
                embedder=None,
                clock=clock,
            )
        else:
            url = f"sqlite:{Path(folder) / 'memory.db'}"
            memory = Memory.open(url, group_id="g", extractor="none", embedder=None, clock=clock)
        with memory:
            yield memory


@contextmanager
def told(way: Way, facts: Facts, relations: Sequence[Relation]) -> Generator[Memory]:
    """Open a memory that was told ``facts`` in this way."""
    ordered = list(facts)
    if way.shuffled:
        Random(SEED).shuffle(ordered)
    with opened(way.store) as memory:
        memory.add_relations(relations)
        for batch in batches(ordered, way.size):
            memory.assert_many(batch)
        yield memory


def batches(facts: Facts, size: int | None) -> Iterator[Facts]:
    """Yield ``facts`` in runs of ``size``, all in one if None."""
    step = size or max(1, len(facts))
    for start in range(0, len(facts), step):
        yield facts[start : start + step]


def relation(name: str, **changes: Any) -> Relation:
    """Return a many-to-many state of this name, with ``changes``."""
    plain = Relation(
        name, (), None, (), Cardinality.MANY_TO_MANY, TemporalKind.STATE, False, (), (), (), "", ""
    )
    return replace(plain, **changes)
