"""The same memory for asyncio: each call runs in a thread, none holds up the loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from graphmem.memory.memory import Memory
from graphmem.model import Receipt

P = ParamSpec("P")
R = TypeVar("R")


def _threaded(
    method: Callable[Concatenate[Memory, P], R],
) -> Callable[Concatenate[AsyncMemory, P], Awaitable[R]]:
    @wraps(method)
    async def call(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self.memory, *args, **kwargs)

    return call


def _streamed(
    method: Callable[Concatenate[Memory, P], Iterator[Receipt]],
) -> Callable[Concatenate[AsyncMemory, P], AsyncGenerator[Receipt]]:
    @wraps(method)
    async def call(
        self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncGenerator[Receipt]:
        receipts = await asyncio.to_thread(method, self.memory, *args, **kwargs)
        while (receipt := await asyncio.to_thread(next, receipts, None)) is not None:
            yield receipt

    return call


class AsyncMemory:
    """``Memory`` with awaitable methods of the same names, arguments and results.

    ``ingest`` gives an asynchronous iterator. A cancelled call still finishes in its thread.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @classmethod
    async def open(cls, url: str, **options: Any) -> Self:
        """Open a memory; the arguments are those of ``Memory.open``."""
        return cls(await asyncio.to_thread(Memory.open, url, **options))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    add = _threaded(Memory.add)
    add_many = _threaded(Memory.add_many)
    ingest = _streamed(Memory.ingest)
    extract = _threaded(Memory.extract)
    assert_fact = _threaded(Memory.assert_fact)
    assert_many = _threaded(Memory.assert_many)
    end_fact = _threaded(Memory.end_fact)
    deny_fact = _threaded(Memory.deny_fact)
    correct = _threaded(Memory.correct)
    retract = _threaded(Memory.retract)
    quarantine = _threaded(Memory.quarantine)
    admit = _threaded(Memory.admit)
    pin = _threaded(Memory.pin)
    merge = _threaded(Memory.merge)
    split = _threaded(Memory.split)
    reassign = _threaded(Memory.reassign)
    add_relations = _threaded(Memory.add_relations)
    relations = _threaded(Memory.relations)
    search = _threaded(Memory.search)
    edges = _threaded(Memory.edges)
    match = _threaded(Memory.match)
    ask = _threaded(Memory.ask)
    history = _threaded(Memory.history)
    episodes = _threaded(Memory.episodes)
    threads = _threaded(Memory.threads)
    entities = _threaded(Memory.entities)
    groups = _threaded(Memory.groups)
    status = _threaded(Memory.status)
    check = _threaded(Memory.check)
    close = _threaded(Memory.close)
