"""The memory: one facade over store, ingest and retrieval."""

from graphmem.memory.aio import AsyncMemory
from graphmem.memory.answers import Answer, Ending, HistoryRow
from graphmem.memory.memory import Memory

__all__ = ["Answer", "AsyncMemory", "Ending", "HistoryRow", "Memory"]
