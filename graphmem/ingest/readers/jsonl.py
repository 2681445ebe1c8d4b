"""Our own plain form: JSON Lines, one turn a line.

=============  ====================================================================
key            meaning
=============  ====================================================================
text           the words; required, a blank one is skipped
speaker        display name
role           user (default), assistant, tool, system, bot
thread_id      the conversation; default: the file's name without its ending
id             the turn's id, used as it is; without ids a file that comes again is
               compared with what is stored, in order
occurred_at    ``2025-03-05T10:00:00Z``, or a date (``2025-03-05``, ``2025-03``,
               ``2025``); without it the time is unknown
kind           message (default), tool_result (default of role tool), system
               (default of role system), reasoning, tool_call, summary, media,
               deleted, off-branch, sidechain, error
reply_to       id of the turn that this one answers
mentions       list of names
edited_at      when the text was last changed, like ``occurred_at``
expires_at     when the turn stops counting, like ``occurred_at``
=============  ====================================================================

null is the same as leaving a key out. A line with any other key fails, so that a misspelt
``occured_at`` is not lost unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

from graphmem.errors import InvalidInput
from graphmem.ingest.readers.checks import checked
from graphmem.ingest.readers.files import first_object, lines, read_records, stem
from graphmem.ingest.readers.instants import read_time
from graphmem.ingest.readers.record import RawTurn, Read, Skipped
from graphmem.model import EpisodeKind, Source
from graphmem.temporal import Moment, Precision, utc

name: Final = "jsonl"

_Id = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
_Time = str | Annotated[datetime, Strict()]
_KINDS = {"tool": EpisodeKind.TOOL_RESULT, "system": EpisodeKind.SYSTEM}


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str | None
    speaker: str | None = None
    role: Literal["user", "assistant", "tool", "system", "bot"] | None = None
    thread_id: _Id | None = None
    id: _Id | None = None
    occurred_at: _Time | None = None
    kind: EpisodeKind | None = None
    reply_to: _Id | None = None
    mentions: tuple[str, ...] | None = None
    edited_at: _Time | None = None
    expires_at: _Time | None = None


def sniff(path: Path) -> bool:
    """Tell whether the first JSON object of a file has a text."""
    return path.is_file() and isinstance(first_object(path, lines).get("text"), str)


def read(path: Path, *, timezone: tzinfo | None) -> Iterator[Read]:
    """Yield the turns of a file, in its order."""
    for found in read_records(path, lines):
        if isinstance(found, Skipped):
            yield found
        else:
            record, line = found
            yield _read(line, record, path.name, stem(path), timezone)


def read_mappings(
    turns: Iterable[Mapping[str, object]], *, thread_id: str, timezone: tzinfo | None
) -> Iterator[Read]:
    """Yield turns that the caller gives, with the keys above; times may be aware datetimes.

    Args:
        turns: One mapping a turn.
        thread_id: The conversation of those that name none.
        timezone: Zone of times without one; None: such a turn fails.
    """
    for number, turn in enumerate(turns, start=1):
        yield _read(turn, f"turn {number}", None, thread_id, timezone)


def _read(
    line: object,
    record: str,
    file: str | None,
    thread_id: str,
    timezone: tzinfo | None,
) -> Read:
    try:
        return _turn(checked(_Line, line), record, file, thread_id, timezone)
    except InvalidInput as error:
        return Skipped(record, str(error), failed=True)


def _turn(
    line: _Line, record: str, file: str | None, thread_id: str, timezone: tzinfo | None
) -> Read:
    thread_id = line.thread_id or thread_id
    if not line.text or not line.text.strip():
        return Skipped(record, "empty text", failed=False, thread_id=thread_id)
    occurred = _moment(line.occurred_at, "occurred_at", timezone)
    edited = _moment(line.edited_at, "edited_at", timezone)
    expires = _moment(line.expires_at, "expires_at", timezone)
    role = line.role or "user"
    return RawTurn(
        record=record,
        source=Source(name, file, line.id),
        thread_id=thread_id,
        speaker=line.speaker,
        role=role,
        kind=line.kind or _KINDS.get(role, EpisodeKind.MESSAGE),
        text=line.text,
        occurred_at=occurred.instant if occurred else None,
        occurred_precision=occurred.precision if occurred else Precision.UNKNOWN,
        reply_to=line.reply_to,
        mentions=line.mentions or (),
        edited_at=edited.instant if edited else None,
        expires_at=expires.instant if expires else None,
        episode_id=line.id,
    )


def _moment(given: str | datetime | None, what: str, timezone: tzinfo | None) -> Moment | None:
    if given is None:
        return None
    if isinstance(given, str):
        return read_time(given, what=what, timezone=timezone)
    aware = given if given.tzinfo or timezone is None else given.replace(tzinfo=timezone)
    return Moment(utc(aware, what=what), Precision.INSTANT)
