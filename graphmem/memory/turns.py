"""Turns as callers give them, one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.ingest.digest import digest
from graphmem.ingest.pipeline import whole
from graphmem.ingest.readers import RawTurn
from graphmem.model import EpisodeKind, Source
from graphmem.temporal import UNKNOWN, Moment, Precision, parse_instant, utc

LIVE = "live"
"""Format of what ``add`` stores, and the thread of what names none."""
_KEYS = frozenset(
    {
        "text",
        "speaker",
        "role",
        "thread_id",
        "occurred_at",
        "episode_id",
        "kind",
        "reply_to",
        "mentions",
        "expires_at",
    }
)


def live_turn(number: int, turn: Mapping[str, Any], now: datetime) -> RawTurn:
    """Return a turn given by its arguments of ``Memory.add``; without a time it was said now.

    Raises:
        InvalidInput: An unknown argument, a time without a zone, an unknown kind, no text.
    """
    record = f"turn {number + 1}"
    if unknown := turn.keys() - _KEYS:
        raise InvalidInput(f"{record}: unknown {sorted(unknown)}; known are {sorted(_KEYS)}")
    text = _text(turn, "text", record)
    if text is None:
        raise InvalidInput(f"{record}: 'text' is missing")
    thread_id = _text(turn, "thread_id", record) or LIVE
    at = _occurred(turn.get("occurred_at"), now)
    speaker, role = _text(turn, "speaker", record), _text(turn, "role", record) or "user"
    # What is said now is new each time; told with its time, the same turn again is the same.
    now_told = turn.get("occurred_at") is None
    told = [at.instant.isoformat() if at else None, number if now_told else None]
    chosen = _text(turn, "episode_id", record)
    if chosen is not None and not chosen.strip():
        raise InvalidInput(f"{record}: episode_id is empty; leave it out to get one")
    expires = turn.get("expires_at")
    return RawTurn(
        record=record,
        source=Source(LIVE, None, None),
        thread_id=thread_id,
        speaker=speaker,
        role=role,
        kind=_kind(turn.get("kind"), role),
        text=text,
        occurred_at=at.instant if at else None,
        occurred_precision=at.precision if at else Precision.UNKNOWN,
        reply_to=_text(turn, "reply_to", record),
        mentions=tuple(turn.get("mentions") or ()),
        expires_at=None if expires is None else utc(expires, what="expires_at"),
        episode_id=chosen or f"ep_{digest(LIVE, thread_id, speaker, role, *told, text)}",
    )


def _occurred(given: datetime | str | object, now: datetime) -> Moment | None:
    if given is UNKNOWN:
        return None
    if given is None:
        return Moment(now, Precision.INSTANT)
    if isinstance(given, str):
        return parse_instant(given, what="occurred_at")
    if isinstance(given, datetime):
        return Moment(utc(given, what="occurred_at"), Precision.INSTANT)
    raise InvalidInput(f"occurred_at {given!r}: give an aware datetime, text or UNKNOWN")


def _kind(given: EpisodeKind | str | None, role: str) -> EpisodeKind:
    if given is None:
        return EpisodeKind.MESSAGE
    try:
        kind = EpisodeKind(given)
    except ValueError as error:
        raise InvalidInput(f"kind {given!r}: give one of {', '.join(EpisodeKind)}") from error
    tool = kind is EpisodeKind.MESSAGE and role == "tool"
    return EpisodeKind.TOOL_RESULT if tool else kind


def _text(turn: Mapping[str, Any], key: str, record: str) -> str | None:
    value = turn.get(key)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"{record}: {key} {value!r} is no text")
    return None if value is None else whole(value)
