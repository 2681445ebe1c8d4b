"""The three search channels by the plainest means: rank-bm25, numpy and networkx."""

from __future__ import annotations

from graphmem.ports import Candidate, SearchRequest
from graphmem.testing.tables import Tables


def search(tables: Tables, request: SearchRequest) -> list[Candidate]:
    """Return what the channels found."""
    return []
