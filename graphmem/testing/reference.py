"""The executable specification of a store: in memory, the shortest code that is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from importlib.util import find_spec
from threading import RLock

import numpy as np

from graphmem.errors import InvalidInput, MissingExtra, StoreClosed
from graphmem.model import Changes, Extraction, Json, TextVector
from graphmem.ports import Candidate, Clock, SearchRequest, View
from graphmem.temporal import ALWAYS, utc
from graphmem.testing.snapshot import Snapshot
from graphmem.testing.tables import Tables

_NEEDED = ("networkx", "rank_bm25", "scipy")  # networkx ranks pages with scipy
_TICK = timedelta(microseconds=1)
_COUNTED = ("episodes", "entities", "assertions", "edges", "vectors")


class ReferenceStore:
    """``ports.Store`` as an oracle for others: networkx, rank-bm25 and numpy, nothing durable.

    Slow on purpose: a write copies its group's tables, a search builds every index anew. Safe for
    threads.

    Raises:
        MissingExtra: networkx, rank-bm25 or scipy is not installed.
    """

    def __init__(self, *, clock: Clock) -> None:
        if not all(map(find_spec, _NEEDED)):
            raise MissingExtra("the reference store", "reference")
        from graphmem.testing.search import search

        self._search = search
        self._clock = clock
        self._lock = RLock()
        self._groups: dict[str, Tables] = {}
        self._last = ALWAYS
        self._model: str | None = None
        self._dimension: int | None = None
        self._closed = False

    def write(self, group_id: str, work: Callable[[View], Changes]) -> Changes:
        """Run ``work`` on a view under the lock and apply what it returns, all or nothing."""
        with self._opened():
            stamp = max(self._now(), self._last + _TICK)
            tables = self._tables(group_id)
            changes = work(Snapshot(tables, stamp))
            if changes:
                written = tables.after(changes, group_id, stamp)
                self._dimension = _dimension(changes.vectors, self._dimension)
                self._groups[group_id] = written
                self._last = stamp
        return changes

    def view(self, group_id: str) -> Snapshot:
        """Return a snapshot for reading; later writes get later stamps than it has."""
        with self._opened():
            self._last = max(self._now(), self._last)
            return Snapshot(self._tables(group_id), self._last)

    def search(self, group_id: str, request: SearchRequest) -> list[Candidate]:
        """Return the union of what the channels found, each with all its features, by id."""
        with self._opened():
            tables = self._tables(group_id)
        return self._search(tables, request)

    def groups(self) -> list[str]:
        """Return the ids of all groups that hold anything, in order."""
        with self._opened():
            return sorted(self._groups)

    def status(self, group_id: str | None) -> dict[str, Json]:
        """Return counts and settings for people; of all groups if None."""
        with self._opened():
            groups = self._groups if group_id is None else {group_id: self._tables(group_id)}
        counts: dict[str, Json] = {
            name: sum(len(getattr(tables, name)) for tables in groups.values()) for name in _COUNTED
        }
        for state in (Extraction.PENDING, Extraction.FAILED):
            counts[f"extraction_{state}"] = sum(
                extraction.state is state
                for tables in groups.values()
                for extraction in tables.extractions.values()
            )
        return {"store": "reference", "path": None, "model": self._model, **counts}

    def check(self) -> list[str]:
        """Return links between rows that lead nowhere; empty when all is well."""
        with self._opened():
            return [line for tables in self._groups.values() for line in _dangling(tables)]

    def use_model(self, model_id: str, dimension: int) -> None:
        """Bind the store to an embedding model, or verify that it is bound to this one."""
        with self._opened():
            bound = (self._model or model_id, self._dimension or dimension)
            if bound != (model_id, dimension):
                raise InvalidInput(
                    f"the store's vectors were made by {self._model!r} (dimension "
                    f"{self._dimension}), not {model_id!r} ({dimension}); open it with that model"
                )
            self._model, self._dimension = bound

    def close(self) -> None:
        """Drop everything; a second call does nothing."""
        self._closed = True
        self._groups = {}

    def _opened(self) -> RLock:
        if self._closed:
            raise StoreClosed("the reference store was closed; make a new one")
        return self._lock

    def _now(self) -> datetime:
        return utc(self._clock(), what="clock")

    def _tables(self, group_id: str) -> Tables:
        return self._groups.get(group_id, Tables())


def _dimension(vectors: Iterable[TextVector], bound: int | None) -> int | None:
    """Return the dimension that the store is bound to after ``vectors``."""
    for row in vectors:
        bound = bound or row.vector.size
        if row.vector.shape != (bound,):
            raise InvalidInput(
                f"a vector of shape {row.vector.shape} in a store of dimension {bound}; "
                "use the model that the store was made with"
            )
        if not np.isfinite(row.vector).all() or not row.vector.any():
            raise InvalidInput(
                "a vector that is zero or not finite cannot be compared; check the embedder"
            )
    return bound


def _dangling(tables: Tables) -> list[str]:
    edges = {e.id for e in tables.edges}
    assertions = {a.id for a in tables.assertions}
    entities = {e.id for e in tables.entities}
    episodes = {e.id for e in tables.episodes}
    supported = {link.edge_id for link in tables.evidence}
    ends = {id for e in tables.edges for id in (e.subject_id, e.object_id)}
    sources = {a.episode_id for a in tables.assertions if a.episode_id is not None}
    found = {
        "evidence of an edge that is not there": supported - edges,
        "evidence of an assertion that is not there": {
            link.assertion_id for link in tables.evidence
        }
        - assertions,
        "edges without evidence": edges - supported,
        "edges of an entity that is not there": ends - entities,
        "assertions of an episode that is not there": sources - episodes,
    }
    return [f"{len(ids)} rows: {name}" for name, ids in found.items() if ids]
