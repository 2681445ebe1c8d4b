"""What turns texts into vectors and turns into statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from graphmem.catalog import Catalog
from graphmem.model import AssertionKind, Episode, Quote, Vector
from graphmem.temporal import Precision


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
