"""Chat-completion messages: JSON Lines of ``{"messages": [...], "metadata": {...}}``.

A line is a conversation. Its thread is ``metadata.session_id`` (or ``thread_id`` or
``conversation_id``); without one it is named after its first words, so that a line that grows, or
that others are put before, stays the same thread wherever the file lies. Editing those very first
words makes it another thread. ``metadata.created_at`` (text, or seconds since 1970) is the time of
all its messages; otherwise their time is unknown. Messages have no ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from graphmem.errors import InvalidInput
from graphmem.ingest.digest import digest
from graphmem.ingest.readers.checks import checked
from graphmem.ingest.readers.files import first_object, lines, read_records
from graphmem.ingest.readers.instants import read_epoch, read_time
from graphmem.ingest.readers.record import RawTurn, Read, Skipped
from graphmem.model import EpisodeKind, Json, Source
from graphmem.temporal import Moment, Precision

name: Final = "openai_messages"


_Id = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]


class _Metadata(BaseModel):
    session_id: _Id | None = None
    thread_id: _Id | None = None
    conversation_id: _Id | None = None
    created_at: str | float | None = None

    @property
    def thread(self) -> str | None:
        """The conversation's own id, if any."""
        return self.session_id or self.thread_id or self.conversation_id

    def said(self, timezone: tzinfo | None) -> Moment | None:
        """Return when the conversation was; None: unknown."""
        if isinstance(self.created_at, str):
            return read_time(self.created_at, what="created_at", timezone=timezone)
        return None if self.created_at is None else read_epoch(self.created_at, what="created_at")


class _Line(BaseModel):
    messages: list[Any]
    metadata: _Metadata | None = None


class _Part(BaseModel):
    text: str | None = None
    refusal: str | None = None


class _Message(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[_Part] | None = None
    refusal: str | None = None
    name: str | None = None

    @property
    def words(self) -> str:
        """All text of the message; parts are lines of their own."""
        if isinstance(self.content, str):
            return self.content
        parts = [part.text or part.refusal for part in self.content or ()]
        return "\n".join(part for part in (*parts, self.refusal) if part)

    @property
    def dropped(self) -> str | None:
        """Why this is no turn; None if it is one."""
        if self.role in ("system", "developer"):
            return "system prompt"
        return None if self.words.strip() else "empty text"


def sniff(path: Path) -> bool:
    """Tell whether the first JSON object of a file has a list of messages."""
    return path.is_file() and isinstance(first_object(path, lines).get("messages"), list)


def read(path: Path, *, timezone: tzinfo | None) -> Iterator[Read]:
    """Yield the messages of every line, in order."""
    openings: Counter[str] = Counter()
    for found in read_records(path, lines):
        if isinstance(found, Skipped):
            yield found
            continue
        record, line = found
        try:
            yield from _turns(line, record, path.name, openings, timezone)
        except InvalidInput as error:
            yield Skipped(record, str(error), failed=True)


def _turns(
    line: dict[str, Json],
    record: str,
    file: str,
    openings: Counter[str],
    timezone: tzinfo | None,
) -> Iterator[Read]:
    chat = checked(_Line, line)
    metadata = chat.metadata or _Metadata()
    said = metadata.said(timezone)
    messages = [_message(message) for message in chat.messages]
    thread_id = metadata.thread or _opening(messages, openings)
    for place, message in enumerate(messages, start=1):
        label = f"{record}:{place}"
        if isinstance(message, InvalidInput):
            yield Skipped(label, str(message), failed=True, thread_id=thread_id)
        elif message.dropped:
            yield Skipped(label, message.dropped, failed=False, thread_id=thread_id)
        else:
            yield _turn(message, label, Source(name, file, None), thread_id, said)


def _message(value: object) -> _Message | InvalidInput:
    try:
        return checked(_Message, value)
    except InvalidInput as error:
        return error


def _opening(messages: Iterable[_Message | InvalidInput], openings: Counter[str]) -> str:
    """Name a conversation after its first words; the n-th that begins alike in a file, n too."""
    turns = (m for m in messages if isinstance(m, _Message) and not m.dropped)
    start = next(((turn.role, turn.words) for turn in turns), ("", ""))
    opening = digest(*start)[:16]
    openings[opening] += 1
    count = openings[opening]
    return f"chat-{opening}" if count == 1 else f"chat-{opening}-{count}"


def _turn(
    message: _Message, record: str, source: Source, thread_id: str, said: Moment | None
) -> RawTurn:
    tool = message.role in ("tool", "function")
    return RawTurn(
        record=record,
        source=source,
        thread_id=thread_id,
        speaker=message.name,
        role="tool" if tool else message.role,
        kind=EpisodeKind.TOOL_RESULT if tool else EpisodeKind.MESSAGE,
        text=message.words,
        occurred_at=said.instant if said else None,
        occurred_precision=said.precision if said else Precision.UNKNOWN,
    )
