"""What the engine needs from outside: a store, an embedder, an extractor, a clock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from graphmem.catalog import Catalog
from graphmem.model import (
    Assertion,
    AssertionKind,
    Changes,
    Edge,
    Entity,
    Episode,
    ExtractionState,
    HitKind,
    Json,
    Quote,
    Ruling,
    Vector,
)
from graphmem.temporal import Interval, Precision

Clock = Callable[[], datetime]
"""Returns the present as an aware UTC datetime."""


@dataclass(frozen=True, slots=True)
class SlotQuery:
    """Which statements or edges one slot is made of.

    A row matches if its relation is among ``relations``, and each end that is given equals the
    row's, or the row leaves its object open (an ``ends`` or ``denies`` of any value).
    """

    relations: tuple[str, ...]
    subject_id: str | None
    object_id: str | None


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Which edges to read; what is None does not narrow.

    ``during`` overlaps; ``recorded`` is an instant. Edges of the relations in ``events`` also fit
    if they began before ``during`` ends: read at an instant, an event has happened by then.
    """

    recorded: datetime
    during: Interval | None = None
    subject_ids: Collection[str] | None = None
    relations: Collection[str] | None = None
    object_ids: Collection[str] | None = None
    contested: bool = False
    events: Collection[str] = ()
    ids: Collection[str] | None = None


@dataclass(frozen=True, slots=True)
class EpisodeFilter:
    """Which episodes to read; what is None does not narrow. Expired ones are left out.

    Attributes:
        recorded: The version current at this instant of transaction time.
        occurred_by: Leaves out what occurred after it; unknown times stay in.
        during: Only what occurred inside; unknown times are left out.
    """

    recorded: datetime
    occurred_by: datetime | None = None
    during: Interval | None = None
    threads: Collection[str] | None = None
    speakers: Collection[str] | None = None
    ids: Collection[str] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of an ordered list: at most ``limit`` rows after the row with key ``after``."""

    limit: int
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """One thread: how many current turns, and when the first and last of known time occurred."""

    id: str
    episodes: int
    first: datetime | None
    last: datetime | None


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

    def catalog(self) -> Catalog:
        """Return the group's relations (built-in ones and what users added)."""
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

        Literal values too; keys that nothing has are absent.
        """
        ...

    def find_entities(self, page: Page) -> list[Entity]:
        """Return entities, literal values left out, by id."""
        ...

    def assertions(self, ids: Collection[str]) -> dict[str, Assertion]:
        """Return assertions by id, closed ones too; of several rows of an id the latest."""
        ...

    def stated(self, queries: Sequence[SlotQuery]) -> list[Assertion]:
        """Return current assertions that match any query, once each, by id."""
        ...

    def stated_by(self, episode_ids: Collection[str]) -> list[Assertion]:
        """Return current assertions of these episodes, by id."""
        ...

    def rulings(self, target_ids: Collection[str]) -> list[Ruling]:
        """Return rulings about these ids by (recorded, id), once each."""
        ...

    def concluded(self, queries: Sequence[SlotQuery]) -> list[Edge]:
        """Return edges whose transaction time ends after ``stamp`` (contested too), by id."""
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


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to look for in one group; every filter applies before any limit.

    Attributes:
        terms: Stems of the question, stop words dropped (``index.terms``).
        names: Words of the question as written (``index.words``), to find entities named in it.
        vector: The question's embedding, or None: no vector channel.
        channels: Among ``lexical``, ``vector``, ``graph``.
        valid: Edges that hold in it (an instant is an interval of a microsecond).
        events: Relations whose edges also fit if they began before ``valid`` ends: read at an
            instant, an event has happened by then.
        limit: How many candidates a channel may bring, of each kind.
    """

    terms: tuple[str, ...]
    names: tuple[str, ...]
    vector: Vector | None
    kinds: frozenset[HitKind]
    channels: frozenset[str]
    valid: Interval
    recorded: datetime
    occurred_by: datetime
    threads: frozenset[str] | None
    speakers: frozenset[str] | None
    during: Interval | None
    limit: int
    events: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a channel found, with the raw features that retrieval weighs.

    ``ranks``: rank in each channel that found it, from 1, ties share. ``features``: raw, unscaled
    values by name (``index.features`` documents them); absent means it does not apply.
    """

    id: str
    kind: HitKind
    ranks: Mapping[str, int]
    features: Mapping[str, float]


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


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def model_id(self) -> str:
        """Name and version of the model; stored with its vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a unit vector for each text, in order."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Return a unit vector for a question (some models mark questions)."""
        ...


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement read out of an episode, names not resolved yet.

    ``subject`` and ``object`` are names as written, the speaker's own for "I".
    ``object_value`` holds a typed literal instead of ``object``; both None: any value.
    ``relation`` is a catalog name, alias or inverse, or any other verb phrase.
    """

    episode_id: str
    subject: str
    relation: str
    object: str | None
    object_value: bool | int | float | str | datetime | None
    kind: AssertionKind
    fact: str
    quote: Quote
    start: datetime | None
    start_precision: Precision
    end: datetime | None
    end_precision: Precision
    confidence: float
    subject_kind: str = ""
    object_kind: str = ""
    because: tuple[tuple[str, str, str], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Failure:
    """An episode that could not be read for facts, and why; it is retried later."""

    episode_id: str
    reason: str


class Extractor(Protocol):
    """Reads statements out of turns. Never sees more than one group at a time."""

    @property
    def run_id(self) -> str:
        """Name and version; another one re-extracts and closes this one's assertions."""
        ...

    def extract(
        self, turns: Sequence[Episode], context: Mapping[str, Sequence[Episode]], catalog: Catalog
    ) -> Iterable[Claim | Failure]:
        """Yield what ``turns`` state.

        Args:
            turns: Turns to read, in thread order; only ordinary messages.
            context: For a turn's id, the turns just before it in its thread (names, replies).
            catalog: The group's relations.
        """
        ...
