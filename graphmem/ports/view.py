"""Reading one group of a store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from graphmem.catalog import Catalog
from graphmem.model import Assertion, Edge, Entity, Episode, ExtractionState, Ruling
from graphmem.ports.queries import (
    EdgeFilter,
    EpisodeFilter,
    Page,
    SlotQuery,
    StatementFilter,
    ThreadSummary,
)


class View(Protocol):
    """What the store holds, as one consistent snapshot of one group.

    Inside ``Store.write`` it also sees nothing of other writers. "Current" means: open in
    transaction time at ``stamp``. A filter's ``recorded`` after ``stamp`` means ``stamp``.
    Entities, and the names of an edge's ends, are those current at ``stamp``, whatever is
    filtered. Batched: no method is to be called once a record.
    """

    @property
    def stamp(self) -> datetime:
        """Transaction time of this write; of a read: the later of the clock and the last write.

        Whatever is written after a view was had gets a later stamp than that view.
        """
        ...

    def catalog(self, recorded: datetime | None = None) -> Catalog:
        """Return the group's relations (built-in ones and what users added), as of ``recorded``."""
        ...

    def catalog_times(self) -> list[datetime]:
        """Return when relations were added or redefined, in order, once each."""
        ...

    def told_relations(self) -> set[str]:
        """Return every relation that a current statement was told with."""
        ...

    def merged(self, ids: Collection[str], recorded: datetime | None = None) -> dict[str, str]:
        """Return, for ids that were merged as of ``recorded``, the entity each stands for.

        Chains are followed to their end; ids that stand for themselves are absent.
        """
        ...

    def episodes(self, ids: Collection[str]) -> dict[str, Episode]:
        """Return the current versions of these ids; unknown ones are absent."""
        ...

    def find_episodes(self, filter: EpisodeFilter, page: Page) -> list[Episode]:
        """Return episodes by (thread, sequence, id); ``page.after`` is an episode id.

        Raises:
            NotFound: There is no episode ``page.after``; that the filter leaves it out is no error.
        """
        ...

    def latest(self, filter: EpisodeFilter, limit: int) -> list[Episode]:
        """Return the last episodes, oldest first.

        Order: occurred_at (unknown first), then thread, sequence, id; by sequence in one thread.
        """
        ...

    def before(self, episodes: Sequence[Episode], limit: int) -> dict[str, list[Episode]]:
        """Return, by id, the ``limit`` current turns just before each place, in thread order.

        A place is (thread, sequence, id); the episodes themselves need not be stored yet.
        """
        ...

    def after(self, episodes: Sequence[Episode], limit: int) -> dict[str, list[Episode]]:
        """Return, by id, the ``limit`` current turns just after each place, in thread order."""
        ...

    def thread(self, thread_id: str) -> list[Episode]:
        """Return the current turns of a thread by (sequence, id)."""
        ...

    def threads(self, page: Page) -> list[ThreadSummary]:
        """Return threads by id."""
        ...

    def pending(self, limit: int) -> list[Episode]:
        """Return current episodes whose extraction is pending, by (thread, sequence, id)."""
        ...

    def extractions(self, episode_ids: Collection[str]) -> dict[str, ExtractionState]:
        """Return the state of extraction of these episodes."""
        ...

    def entities(self, ids: Collection[str]) -> dict[str, Entity]:
        """Return current entities; unknown ids are absent."""
        ...

    def named(self, keys: Collection[str]) -> dict[str, list[str]]:
        """Return ids, in order, of entities whose name or alias has this key (``index.name_key``).

        A name that came by a merge gives the entity that was merged (see ``merged``), not the one
        that it stands for. Literal values too; keys that nothing has are absent.
        """
        ...

    def find_entities(self, page: Page) -> list[Entity]:
        """Return entities, literal values and what was merged left out, by id."""
        ...

    def assertions(self, ids: Collection[str]) -> dict[str, Assertion]:
        """Return assertions by id, closed ones too; of several rows of an id the latest."""
        ...

    def stated(self, queries: Sequence[SlotQuery], *, ever: bool = False) -> list[Assertion]:
        """Return current assertions that match any query, once each, by id.

        ``ever``: all rows, closed ones too, by (id, recorded).
        """
        ...

    def stated_by(self, episode_ids: Collection[str]) -> list[Assertion]:
        """Return current assertions of these episodes, by id."""
        ...

    def statements(self, filter: StatementFilter) -> list[Assertion]:
        """Return assertions that pass every part of the filter, by (id, recorded)."""
        ...

    def rulings(self, target_ids: Collection[str]) -> list[Ruling]:
        """Return rulings about these ids by (recorded, id), once each."""
        ...

    def concluded(self, queries: Sequence[SlotQuery], *, ever: bool = False) -> list[Edge]:
        """Return edges whose transaction time ends after ``stamp`` (contested too), by id.

        ``ever``: all rows.
        """
        ...

    def edges(self, filter: EdgeFilter) -> list[Edge]:
        """Return edges by (subject name, relation, valid start, object name, id)."""
        ...

    def edge_history(self, filter: EdgeFilter) -> list[Edge]:
        """Return edge rows ever recorded up to ``filter.recorded``, closed ones too; same order."""
        ...

    def evidence(self, edge_ids: Collection[str]) -> dict[str, list[Assertion]]:
        """Return the assertions that support each edge, by (said, id); unknown ``said`` first.

        Closed ones too. Every id asked for is a key.
        """
        ...

    def known_vectors(self, text_hashes: Collection[str]) -> set[str]:
        """Return those hashes that have a vector in this group."""
        ...
