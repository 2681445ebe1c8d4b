"""Which turn a record is, and whether its content is still the same."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Container, Iterable
from datetime import datetime
from typing import NamedTuple

from graphmem.ingest.digest import digest
from graphmem.ingest.readers.record import RawTurn
from graphmem.model import Episode

EPISODE_PREFIX = "ep_"


class ContentKey(NamedTuple):
    """What a turn without an id is known by, in NFC: whose words, which, and when.

    Two turns with the same ``words`` say the same; with the same ``place`` one may be an edited
    version of the other.
    """

    speaker: str | None
    role: str
    text: str
    occurred_at: datetime | None

    @property
    def words(self) -> tuple[str | None, str, str]:
        """Who said what, whenever."""
        return self.speaker, self.role, self.text

    @property
    def place(self) -> tuple[str | None, str, datetime | None]:
        """Who spoke when, whatever was said."""
        return self.speaker, self.role, self.occurred_at


def content_key(turn: RawTurn | Episode) -> ContentKey:
    """Return what ``turn`` is known by when its source gives it no id."""
    speaker = turn.speaker and unicodedata.normalize("NFC", turn.speaker)
    text = unicodedata.normalize("NFC", turn.text)
    return ContentKey(speaker, turn.role, text, turn.occurred_at)


def content_hash(turn: RawTurn | Episode) -> str:
    """Return a hash that stays the same exactly while nothing that matters changed.

    It covers the words, who said them, kind, time with precision, reply, mentions and expiry; not
    ``edited_at``, which an export may touch without a change.
    """
    return digest(
        turn.text,
        turn.speaker,
        turn.role,
        turn.kind,
        _iso(turn.occurred_at),
        turn.occurred_precision,
        turn.reply_to,
        list(turn.mentions),
        _iso(turn.expires_at),
    )


def _iso(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()


def episode_id(group_id: str, format: str, thread_id: str, message_id: str) -> str:
    """Return the id of a message that its source names; the same wherever the file lies."""
    return EPISODE_PREFIX + digest("id", group_id, format, thread_id, message_id)


def episode_ids(
    group_id: str,
    format: str,
    thread_id: str,
    keys: Iterable[ContentKey],
    *,
    taken: Container[str],
) -> list[str]:
    """Return ids for new turns of a thread that their source does not name, in order.

    An id is made of the words and of a count, so equal words get different ids.

    Args:
        group_id: Whose memory.
        format: Name of the reader.
        thread_id: The thread that all ``keys`` belong to.
        keys: The new turns, in order.
        taken: Ids that the thread's stored turns have.
    """
    counts: Counter[str] = Counter()
    ids: list[str] = []
    for key in keys:
        words = digest("words", group_id, format, thread_id, *key.words)
        counts[words] += 1
        while (found := EPISODE_PREFIX + digest(words, counts[words])) in taken:
            counts[words] += 1
        ids.append(found)
    return ids
