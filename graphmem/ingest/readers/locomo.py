"""LoCoMo conversations: ``locomo10.json``, plain or gzip.

A sample is a conversation of many dated sessions; each session is a thread. All turns of a session
share its time, to the minute. The set names no zone: UTC, unless one is given. Only what was said
is read, with the caption of a shared picture; never ``query``, an annotator's search words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final

from graphmem.errors import InvalidInput
from graphmem.ingest.readers.files import elements, first_object, read_records
from graphmem.ingest.readers.record import RawTurn, Read, Skipped
from graphmem.model import EpisodeKind, Json, Source
from graphmem.temporal import Moment, Precision, utc

name: Final = "locomo"

_SESSION = re.compile(r"session_(\d+)")
_TIME = re.compile(r"(\d{1,2}):(\d\d) (am|pm) on (\d{1,2}) (\w+), (\d{4})")
_MONTHS: tuple[str, ...] = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def sniff(path: Path) -> bool:
    """Tell whether the first object of the array is a sample."""
    if not path.is_file():
        return False
    return {"sample_id", "conversation"} <= first_object(path, elements).keys()


def read(path: Path, *, timezone: tzinfo | None) -> Iterator[Read]:
    """Yield the turns of every sample, session by session."""
    for found in read_records(path, elements):
        if isinstance(found, Skipped):
            yield found
            continue
        record, sample = found
        sample_id, conversation = sample.get("sample_id"), sample.get("conversation")
        if isinstance(sample_id, str) and isinstance(conversation, dict):
            yield from _sample(sample_id, conversation, path.name, timezone or UTC)
        else:
            yield Skipped(record, "no sample_id or no conversation", failed=True)


def _sample(
    sample_id: str, conversation: dict[str, Json], file: str, timezone: tzinfo
) -> Iterator[Read]:
    sessions = {
        int(match[1]): turns
        for key, turns in conversation.items()
        if (match := _SESSION.fullmatch(key)) and isinstance(turns, list)
    }
    for number in sorted(sessions):
        date = conversation.get(f"session_{number}_date_time")
        thread_id = f"{sample_id}:session_{number}"
        for place, turn in enumerate(sessions[number], start=1):
            record = f"{file}:{thread_id}:{place}"
            try:
                yield _turn(turn, record, thread_id, file, _time(date, timezone))
            except InvalidInput as error:
                yield Skipped(record, str(error), failed=True, thread_id=thread_id)


def _turn(turn: Json, record: str, thread_id: str, file: str, said: Moment | None) -> Read:
    match turn:
        case {"speaker": str(speaker), "dia_id": str(dia_id), "text": str(text)}:
            caption = turn.get("blip_caption")
        case _:
            raise InvalidInput("no speaker, dia_id or text")
    shared = f"[shares {caption}]" if isinstance(caption, str) else ""
    words = f"{text} {shared}" if text and shared else text or shared
    if not words.strip():
        return Skipped(record, "empty text", failed=False, thread_id=thread_id)
    sample_id = thread_id.rpartition(":")[0]
    return RawTurn(
        record=record,
        source=Source(name, file, f"{sample_id}:{dia_id}"),
        thread_id=thread_id,
        speaker=speaker,
        role="user",
        kind=EpisodeKind.MESSAGE,
        text=words,
        occurred_at=said.instant if said else None,
        occurred_precision=said.precision if said else Precision.UNKNOWN,
    )


def _time(text: Json, timezone: tzinfo) -> Moment | None:
    """Read ``"1:56 pm on 8 May, 2023"``; None if there is no time.

    Raises:
        InvalidInput: Something else stands there.
    """
    if text is None:
        return None
    match = _TIME.fullmatch(text.strip()) if isinstance(text, str) else None
    try:
        if match is None:
            raise ValueError
        hour = int(match[1]) % 12 + (12 if match[3] == "pm" else 0)
        day = int(match[6]), _MONTHS.index(match[5]) + 1, int(match[4])
        local = datetime(*day, hour, int(match[2]), tzinfo=timezone)
    except ValueError as error:
        raise InvalidInput(
            f"session time {text!r}; write it as '1:56 pm on 8 May, 2023'"
        ) from error
    return Moment(utc(local), Precision.MINUTE)
