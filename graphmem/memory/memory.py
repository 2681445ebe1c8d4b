"""The public face of the engine, for one thread or many; ``AsyncMemory`` mirrors it."""

from __future__ import annotations

from graphmem.memory.decisions import Decisions
from graphmem.memory.reads import Reads
from graphmem.memory.writes import Writes


class Memory(Writes, Decisions, Reads):
    """A memory: what was said, by whom, and what holds when because of it.

    ``open`` makes one. Every verb and read takes a ``group_id``, unless the memory was opened
    with one; groups never see each other.
    """
