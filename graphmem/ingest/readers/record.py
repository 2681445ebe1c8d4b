"""What readers yield, and what a reader is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Protocol, TypeAlias

from graphmem.model import EpisodeKind, Source
from graphmem.temporal import Precision


@dataclass(frozen=True, slots=True)
class RawTurn:
    """One turn as its source tells it, before the engine gives it an id, a place and a hash.

    Attributes:
        record: Where it stands, for receipts: ``"chat.jsonl:12"``.
        source: Format, file name and the source's own id of the message, None if it has none.
        thread_id: The conversation; never made from a path.
        occurred_at: UTC; None: unknown, with precision UNKNOWN.
        reply_to: The source's own id of the message that this one answers.
        attachments: Names of files that came with it.
        episode_id: An id that the caller chose, to be used as it is.
    """

    record: str
    source: Source
    thread_id: str
    speaker: str | None
    role: str
    kind: EpisodeKind
    text: str
    occurred_at: datetime | None
    occurred_precision: Precision
    reply_to: str | None = None
    mentions: tuple[str, ...] = ()
    edited_at: datetime | None = None
    expires_at: datetime | None = None
    attachments: tuple[str, ...] = ()
    episode_id: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that gives no turn, and why.

    ``failed``: it could not be read; else it was left out by rule (empty, a system prompt).
    """

    record: str
    reason: str
    failed: bool
    thread_id: str | None = None


Read: TypeAlias = RawTurn | Skipped
"""What became of one record."""


class Reader(Protocol):
    """Reads one format. One file of ``readers/`` each."""

    @property
    def name(self) -> str:
        """The format's name, as in ``--format``."""
        ...

    def sniff(self, path: Path) -> bool:
        """Tell whether ``path``, a file or a folder, holds this format. Reads only its beginning.

        Raises:
            InvalidInput: The file cannot be opened.
        """
        ...

    def read(self, path: Path, *, timezone: tzinfo | None) -> Iterator[Read]:
        """Yield every record once, each thread in its order; one bad record stops nothing.

        Memory is bounded by the largest record.

        Args:
            path: What ``sniff`` knows, or is claimed to be of this format.
            timezone: Zone of times without one; None: such a record fails.

        Raises:
            InvalidInput: Nothing of the file can be read; with what to do next.
        """
        ...
