"""What the engine needs from outside: a store, an embedder, an extractor, a clock."""

from graphmem.ports.models import Claim, Embedder, Extractor, Failure
from graphmem.ports.queries import (
    Candidate,
    EdgeFilter,
    EpisodeFilter,
    Page,
    SearchRequest,
    SlotQuery,
    StatementFilter,
    ThreadSummary,
)
from graphmem.ports.store import Clock, Store
from graphmem.ports.view import View

__all__ = [
    "Candidate",
    "Claim",
    "Clock",
    "EdgeFilter",
    "Embedder",
    "EpisodeFilter",
    "Extractor",
    "Failure",
    "Page",
    "SearchRequest",
    "SlotQuery",
    "StatementFilter",
    "Store",
    "ThreadSummary",
    "View",
]
