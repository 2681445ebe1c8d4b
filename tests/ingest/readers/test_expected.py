"""Every message that a fixture's archive is said to hold comes out once, and nothing else."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem.ingest.readers import RawTurn, Skipped, detect, read_source
from graphmem.model import EpisodeKind

ARCHIVES = Path(__file__).parents[2] / "fixtures" / "archives"
CASES = [
    ("chatgpt", "classic", "chatgpt/conversations.json"),
    ("chatgpt", "classic", "chatgpt"),
    ("chatgpt", "sharded", "chatgpt/export_2026.zip"),
    ("openai_messages", "jsonl", "openai_messages/train.jsonl"),
]
cases = pytest.mark.parametrize(("format", "case", "source"), CASES)


def turns_of(source: str) -> list[RawTurn]:
    return [turn for turn in read_source(ARCHIVES / source) if isinstance(turn, RawTurn)]


def expected(format: str, case: str) -> list[dict[str, Any]]:
    lines = (ARCHIVES / format / f"{case}.expected.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in lines.splitlines()]


def matches(turn: RawTurn, wanted: dict[str, Any]) -> bool:
    time = wanted.get("ts")
    told = {
        "thread": turn.thread_id,
        "id": turn.source.message_id,
        "line": int(turn.record.split(":")[1]),
        "speaker": turn.speaker,
        "role": turn.role,
        "text": turn.text,
        "kind": turn.kind,
        "attachments": list(turn.attachments),
        "ts": turn.occurred_at,
    }
    wanted = {"kind": "message"} | wanted | ({"ts": datetime.fromisoformat(time)} if time else {})
    return all(told[key] == value for key, value in wanted.items() if key in told)


@cases
def test_every_expected_message_comes_out_once(format: str, case: str, source: str) -> None:
    turns = turns_of(source)
    wanted = [message for message in expected(format, case) if not message.get("optional")]

    assert [sum(matches(turn, message) for turn in turns) for message in wanted] == [1] * len(
        wanted
    )


@cases
def test_nothing_else_comes_out_as_a_message(format: str, case: str, source: str) -> None:
    wanted = [message for message in expected(format, case) if not message.get("optional")]
    messages = [turn for turn in turns_of(source) if turn.kind is EpisodeKind.MESSAGE]

    assert len(messages) == len(wanted)


@cases
def test_what_is_no_message_keeps_its_kind(format: str, case: str, source: str) -> None:
    others = [turn for turn in turns_of(source) if turn.kind is not EpisodeKind.MESSAGE]
    optional = [message for message in expected(format, case) if message.get("optional")]

    assert others
    assert all(any(matches(turn, message) for message in optional) for turn in others)


@cases
def test_what_is_left_out_says_why(format: str, case: str, source: str) -> None:
    left_out = [record for record in read_source(ARCHIVES / source) if isinstance(record, Skipped)]

    assert left_out
    assert not [record for record in left_out if record.failed or not record.reason]


@cases
def test_the_format_is_recognised(format: str, case: str, source: str) -> None:
    assert detect(ARCHIVES / source).name == format
