"""``AsyncMemory`` is ``Memory``, awaited."""

from __future__ import annotations

import asyncio
import inspect
from datetime import UTC, datetime
from pathlib import Path

from graphmem import AsyncMemory, Memory
from graphmem.testing import HashEmbedder

ON = datetime(2024, 1, 1, tzinfo=UTC)


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")}


def test_every_method_has_the_same_name_arguments_and_words() -> None:
    assert public(AsyncMemory) == public(Memory)
    for name in public(Memory) - {"open"}:
        sync, aio = getattr(Memory, name), getattr(AsyncMemory, name)
        assert inspect.signature(aio) == inspect.signature(sync), name
        assert aio.__doc__ == sync.__doc__, name


async def use(path: Path) -> list[str]:
    async with await AsyncMemory.open(
        f"sqlite:{path}", group_id="g", extractor=None, embedder=HashEmbedder()
    ) as memory:
        await memory.assert_fact("Ann", "leads", "Atlas", occurred_at=ON)
        rows = [{"id": "m", "text": "hello from Ann", "occurred_at": "2024-01-01"}]
        receipts = [r.outcome async for r in memory.ingest(rows, extractor="none")]
        together = await asyncio.gather(*(memory.search("Ann") for _ in range(5)))
        assert all(hits == together[0] for hits in together)
        edges = [edge.fact for edge in await memory.edges()]
        return [*receipts, *edges, *(hit.text for hit in together[0])]


def test_it_gives_what_the_memory_gives(tmp_path: Path) -> None:
    awaited = asyncio.run(use(tmp_path / "a.db"))
    with Memory.open(
        f"sqlite:{tmp_path / 'b.db'}", group_id="g", extractor=None, embedder=HashEmbedder()
    ) as memory:
        memory.assert_fact("Ann", "leads", "Atlas", occurred_at=ON)
        rows = [{"id": "m", "text": "hello from Ann", "occurred_at": "2024-01-01"}]
        told = [r.outcome for r in memory.ingest(rows, extractor="none")]
        edges = [edge.fact for edge in memory.edges()]
        assert awaited == [*told, *edges, *(hit.text for hit in memory.search("Ann"))]
