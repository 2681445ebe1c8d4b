"""Where memory is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from graphmem.model import Changes, Json
from graphmem.ports.queries import Candidate, SearchRequest
from graphmem.ports.view import View

Clock = Callable[[], datetime]
"""Returns the present as an aware UTC datetime."""


class Store(Protocol):
    """A bitemporal store. ``tests/contract`` is its specification.

    Safe for threads of one process; never carry it over a fork.
    """

    def write(self, group_id: str, work: Callable[[View], Changes]) -> Changes:
        """Run ``work`` on a view under the write lock and apply what it returns, all or nothing.

        Durable when it returns, and visible to every later read of any process. ``work`` may be
        run again after a conflict, so it must have no effect of its own. Empty changes write
        nothing.

        Raises:
            InvalidInput: A record of another group, a row whose id has an open one, an edge that
                would be recorded before this write, or a vector that is zero, not finite or of
                another dimension; nothing was written.
            NotFound: A row to close is unknown or closed already; nothing was written.
            StoreUnavailable: The lock was not had in time; nothing was written.
            ReadOnlyStore: Opened read-only.
        """
        ...

    def view(self, group_id: str) -> View:
        """Return a snapshot for reading."""
        ...

    def search(self, group_id: str, request: SearchRequest) -> Sequence[Candidate]:
        """Return the union of what the channels found, each with all its features, by (id, kind).

        Raises:
            InvalidInput: The question's vector has another dimension than those here.
        """
        ...

    def groups(self) -> list[str]:
        """Return the ids of all groups that hold anything, in order."""
        ...

    def status(self, group_id: str | None) -> dict[str, Json]:
        """Return counts and settings for people; of all groups if None."""
        ...

    def check(self) -> list[str]:
        """Return what is wrong in the file or between rows and image; empty when all is well."""
        ...

    def use_model(self, model_id: str, dimension: int) -> None:
        """Bind the store to an embedding model, or verify that it is the one it is bound to.

        Raises:
            InvalidInput: Another model or dimension wrote its vectors.
        """
        ...

    def close(self) -> None:
        """Release everything; a second call does nothing."""
        ...
