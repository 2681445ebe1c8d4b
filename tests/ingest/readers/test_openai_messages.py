import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from graphmem.ingest.readers import RawTurn, Read, Skipped, read_source
from graphmem.model import EpisodeKind

TRAIN = Path(__file__).parents[2] / "fixtures" / "archives" / "openai_messages" / "train.jsonl"


def chat(*words: str, **metadata: object) -> dict[str, Any]:
    roles = ("user", "assistant") * len(words)
    messages = [
        {"role": role, "content": content} for role, content in zip(roles, words, strict=False)
    ]
    return {"messages": messages} | ({"metadata": metadata} if metadata else {})


def read(folder: Path, *lines: dict[str, Any], **options: Any) -> list[Read]:
    folder.mkdir(exist_ok=True)
    file = folder / "train.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return list(read_source(file, format="openai_messages", **options))


def told(records: list[Read]) -> list[tuple[str, str]]:
    return [(turn.thread_id, turn.text) for turn in records if isinstance(turn, RawTurn)]


def test_appended_lines_change_nothing_before_them(tmp_path: Path) -> None:
    lines = TRAIN.read_text(encoding="utf-8").splitlines()
    more = [json.dumps(chat(f"question {n}", f"answer {n}")) for n in range(3)]
    file = tmp_path / "train.jsonl"
    file.write_text("\n".join([*lines, *more]), encoding="utf-8")

    before, after = list(read_source(TRAIN)), list(read_source(file))

    assert after[: len(before)] == before
    assert len(told(after)) - len(told(before)) == 6


def test_a_line_keeps_its_thread_wherever_it_stands_and_however_it_grows(tmp_path: Path) -> None:
    (first,) = {thread for thread, _ in told(read(tmp_path / "a", chat("Hi", "Ho")))}

    moved = told(read(tmp_path / "b", chat("other"), chat("Hi", "Ho, edited", "more")))

    assert moved[1:] == [(first, "Hi"), (first, "Ho, edited"), (first, "more")]


def test_lines_that_begin_alike_are_threads_of_their_own(tmp_path: Path) -> None:
    found = told(read(tmp_path, chat("Hi", "a"), chat("Hi", "b"), chat("Hi", "c")))

    assert len({thread for thread, _ in found}) == 3
    assert [thread for thread, _ in found[::2]] == [thread for thread, _ in found[1::2]]


@pytest.mark.parametrize("key", ["session_id", "thread_id", "conversation_id"])
@pytest.mark.parametrize("id", ["s-1", 1])
def test_a_named_session_is_the_thread(tmp_path: Path, key: str, id: str | int) -> None:
    assert told(read(tmp_path, chat("Hi", **{key: id}))) == [(str(id), "Hi")]


@pytest.mark.parametrize("created_at", ["2025-05-02T10:00:00Z", 1746180000, 1746180000.0])
def test_the_time_of_the_metadata_is_the_time_of_all_messages(
    tmp_path: Path, created_at: object
) -> None:
    found = read(tmp_path, chat("Hi", "Ho", created_at=created_at))

    times = {turn.occurred_at for turn in found if isinstance(turn, RawTurn)}
    assert times == {datetime(2025, 5, 2, 10, tzinfo=UTC)}


def test_without_metadata_the_time_is_unknown(tmp_path: Path) -> None:
    (turn,) = read(tmp_path, chat("Hi"))

    assert isinstance(turn, RawTurn)
    assert turn.occurred_at is None


def test_a_time_without_a_zone_fails_or_takes_the_zone_of_the_option(tmp_path: Path) -> None:
    line = chat("Hi", created_at="2025-05-02T10:00:00")

    (failed,) = read(tmp_path, line)
    (turn,) = read(tmp_path, line, timezone=ZoneInfo("Asia/Tokyo"))

    assert isinstance(failed, Skipped)
    assert failed.failed
    assert "no time zone" in failed.reason
    assert isinstance(turn, RawTurn)
    assert turn.occurred_at == datetime(2025, 5, 2, 1, tzinfo=UTC)


def test_one_bad_message_fails_alone(tmp_path: Path) -> None:
    line = chat("Hi", "Ho")
    line["messages"][1:1] = ["words", {"role": "king", "content": "x"}, {"role": "user"}]

    found = read(tmp_path, line)

    assert [text for _, text in told(found)] == ["Hi", "Ho"]
    assert [(r.record, r.failed, r.reason) for r in found if isinstance(r, Skipped)] == [
        (
            "train.jsonl:1:2",
            True,
            "record: input should be a valid dictionary or instance of _message, not 'words'",
        ),
        (
            "train.jsonl:1:3",
            True,
            "role: input should be 'system', 'developer', 'user', 'assistant', 'tool' or "
            "'function', not 'king'",
        ),
        ("train.jsonl:1:4", False, "empty text"),
    ]


def test_a_line_without_messages_fails_alone(tmp_path: Path) -> None:
    bad, turn = read(tmp_path, {"messages": "Hi"}, chat("Ho"))

    assert isinstance(bad, Skipped)
    assert bad.failed
    assert isinstance(turn, RawTurn)


def test_only_what_was_said_is_a_message(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "Be terse."},
        {"role": "function", "name": "search", "content": "found"},
        {"role": "assistant", "content": None, "refusal": "I cannot."},
    ]

    prompt, tool, refusal = read(tmp_path, {"messages": messages})

    assert isinstance(prompt, Skipped)
    assert (prompt.reason, prompt.failed) == ("system prompt", False)
    assert isinstance(tool, RawTurn)
    assert (tool.kind, tool.role, tool.speaker) == (EpisodeKind.TOOL_RESULT, "tool", "search")
    assert isinstance(refusal, RawTurn)
    assert (refusal.kind, refusal.text) == (EpisodeKind.MESSAGE, "I cannot.")
