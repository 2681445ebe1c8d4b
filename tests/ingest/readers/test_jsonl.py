import gzip
import json
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from graphmem.ingest.readers import RawTurn, Read, Skipped, files, read_source
from graphmem.model import EpisodeKind, Source
from graphmem.temporal import Precision


def write(folder: Path, *lines: dict[str, Any] | bytes, name: str = "chat.jsonl") -> Path:
    file = folder / name
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    file.write_bytes(b"".join(line + b"\n" for line in raw))
    return file


def read(path: Path, **options: Any) -> list[Read]:
    return list(read_source(path, format="jsonl", **options))


def one(folder: Path, line: dict[str, Any] | bytes, **options: Any) -> RawTurn:
    (turn,) = read(write(folder, line), **options)
    assert isinstance(turn, RawTurn), turn
    return turn


def why(folder: Path, line: dict[str, Any] | bytes, **options: Any) -> str:
    (record,) = read(write(folder, line), **options)
    assert isinstance(record, Skipped)
    assert record.failed
    return record.reason


def test_a_turn_keeps_everything_that_its_line_says(tmp_path: Path) -> None:
    line = {
        "id": "t7",
        "thread_id": "general",
        "speaker": "陈薇",
        "role": "bot",
        "kind": "summary",
        "text": " 大家好 \n",
        "occurred_at": "2025-03-05T10:00:00+02:00",
        "reply_to": "t6",
        "mentions": ["Ann", "Ben"],
        "edited_at": "2025-03-06",
        "expires_at": "2026",
    }

    assert one(tmp_path, line) == RawTurn(
        record="chat.jsonl:1",
        source=Source("jsonl", "chat.jsonl", "t7"),
        thread_id="general",
        speaker="陈薇",
        role="bot",
        kind=EpisodeKind.SUMMARY,
        text=" 大家好 \n",
        occurred_at=datetime(2025, 3, 5, 8, tzinfo=UTC),
        occurred_precision=Precision.INSTANT,
        reply_to="t6",
        mentions=("Ann", "Ben"),
        edited_at=datetime(2025, 3, 6, tzinfo=UTC),
        expires_at=datetime(2026, 1, 1, tzinfo=UTC),
        episode_id="t7",
    )


def test_text_alone_is_enough_and_its_time_is_unknown(tmp_path: Path) -> None:
    turn = one(tmp_path, {"text": "x"})

    assert (turn.thread_id, turn.role, turn.kind) == ("chat", "user", EpisodeKind.MESSAGE)
    assert (turn.occurred_at, turn.occurred_precision) == (None, Precision.UNKNOWN)
    assert (turn.episode_id, turn.source.message_id) == (None, None)


@pytest.mark.parametrize(
    ("written", "precision"),
    [("2025-03-05", Precision.DAY), ("2025-03", Precision.MONTH), ("2025", Precision.YEAR)],
)
def test_a_coarse_date_keeps_its_precision_in_any_zone(
    tmp_path: Path, written: str, precision: Precision
) -> None:
    turn = one(tmp_path, {"text": "x", "occurred_at": written}, timezone=ZoneInfo("Asia/Shanghai"))

    assert turn.occurred_precision is precision
    assert turn.occurred_at == precision.floor(datetime(2025, 3, 5, tzinfo=UTC))


def test_a_time_without_a_zone_fails_and_says_which_option_helps(tmp_path: Path) -> None:
    reason = why(tmp_path, {"text": "x", "occurred_at": "2025-03-05T10:00:00"})

    assert "occurred_at '2025-03-05T10:00:00' has no time zone" in reason
    assert "--timezone" in reason


def test_a_time_without_a_zone_is_local_to_the_zone_of_the_option(tmp_path: Path) -> None:
    line = {"text": "x", "occurred_at": "2025-07-05T10:00:00"}

    turn = one(tmp_path, line, timezone=ZoneInfo("Europe/Berlin"))

    assert turn.occurred_at == datetime(2025, 7, 5, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"text": "x", "occured_at": "2025"}, "unknown key 'occured_at'; known keys: text, "),
        ({"speaker": "Ann"}, "key 'text' is missing"),
        ({"text": 5}, "text: input should be a valid string, not 5"),
        ({"text": ["x" * 100]}, "text: input should be a valid string, not ['xxx"),
        ({"text": "x", "role": "admin"}, "role: input should be 'user', 'assistant', "),
        ({"text": "x", "kind": "rumour"}, "kind: input should be 'message', "),
        ({"text": "x", "id": ""}, "id: string should have at least 1 character, not ''"),
        ({"text": "x", "mentions": "Ann"}, "mentions: input should be a valid tuple"),
        ({"text": "x", "occurred_at": "soon"}, "cannot read occurred_at 'soon'; write 2024"),
        ({"text": "x", "occurred_at": 1735814460}, "occurred_at: input should be a valid"),
        ({"text": "x", "expires_at": "2025-02-30"}, "cannot read expires_at '2025-02-30'"),
        ({"text": "x", "occurred_at": "0000"}, "cannot read occurred_at '0000'"),
        (b"[1]", "not a JSON object but list"),
        (b'{"text": "x"', "not JSON: Expecting ',' delimiter"),
        (b'{"text": "\xe9t\xe9"}', "not UTF-8: invalid continuation byte at byte 10"),
        (b'{"text": ' + b"[" * 100_000, "not JSON that can be read: nested too deeply"),
    ],
)
def test_a_bad_line_says_what_is_wrong(
    tmp_path: Path, line: dict[str, Any] | bytes, reason: str
) -> None:
    assert why(tmp_path, line).startswith(reason)


def test_a_bad_line_fails_alone(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"text": "a"}, b"{", {"text": "b"}))

    assert [isinstance(record, RawTurn) for record in found] == [True, False, True]
    assert [record.record for record in found] == ["chat.jsonl:1", "chat.jsonl:2", "chat.jsonl:3"]


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000", None])
def test_an_empty_turn_is_skipped_not_failed(tmp_path: Path, text: str | None) -> None:
    assert read(write(tmp_path, {"text": text})) == [
        Skipped("chat.jsonl:1", "empty text", failed=False, thread_id="chat")
    ]


@pytest.mark.parametrize("text", ["k", "好", "👍", "0"])
def test_one_character_is_a_turn(tmp_path: Path, text: str) -> None:
    assert one(tmp_path, {"text": text}).text == text


@pytest.mark.parametrize(
    ("role", "kind"),
    [
        ("assistant", EpisodeKind.MESSAGE),
        ("tool", EpisodeKind.TOOL_RESULT),
        ("system", EpisodeKind.SYSTEM),
    ],
)
def test_what_no_person_said_is_no_message(tmp_path: Path, role: str, kind: EpisodeKind) -> None:
    assert one(tmp_path, {"text": "x", "role": role}).kind is kind


def test_numbers_as_ids_are_taken_as_text(tmp_path: Path) -> None:
    turn = one(tmp_path, {"text": "x", "id": 7, "thread_id": 1, "reply_to": 6})

    assert (turn.episode_id, turn.thread_id, turn.reply_to) == ("7", "1", "6")


def test_threads_keep_their_order_when_a_file_mixes_them(tmp_path: Path) -> None:
    lines = [{"text": f"{n}", "thread_id": "ab"[n % 2]} for n in range(6)]

    found = [turn for turn in read(write(tmp_path, *lines)) if isinstance(turn, RawTurn)]

    assert [turn.text for turn in found if turn.thread_id == "a"] == ["0", "2", "4"]
    assert [turn.text for turn in found if turn.thread_id == "b"] == ["1", "3", "5"]


def test_marks_line_ends_and_blank_lines_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"text": "a"}\r\n\r\n  \n{"text": "b\xe2\x80\xa8c"}')

    found = [record for record in read(file) if isinstance(record, RawTurn)]

    assert [(turn.record, turn.text) for turn in found] == [
        ("chat.jsonl:1", "a"),
        ("chat.jsonl:4", "b\u2028c"),
    ]


def test_a_line_beyond_the_limit_fails_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RECORD_LIMIT", 64)
    file = write(tmp_path, {"text": "x" * 500}, {"text": "next"})

    long, turn = read(file)

    assert isinstance(long, Skipped)
    assert long.reason == "longer than 64 bytes; split it into several records"
    assert isinstance(turn, RawTurn)
    assert (turn.record, turn.text) == ("chat.jsonl:2", "next")


def test_half_a_character_is_replaced(tmp_path: Path) -> None:
    assert one(tmp_path, rb'{"text": "a\ud83d"}').text == "a\N{REPLACEMENT CHARACTER}"


def test_a_packed_file_is_the_same_thread(tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl.gz"
    file.write_bytes(gzip.compress(b'{"text": "a"}\n'))

    (turn,) = read(file)

    assert turn.thread_id == "chat"


def test_a_cut_packed_file_gives_what_stands_before_the_cut(tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl.gz"
    lines = b"".join(b'{"text": "%d"}\n' % n for n in range(20_000))
    file.write_bytes(gzip.compress(lines)[:-1000])

    *turns, last = read(file)

    assert len(turns) > 15_000
    assert isinstance(last, Skipped)
    assert last.failed
    assert "what stands before it was read" in last.reason


def test_the_thread_of_a_file_name_is_the_same_on_every_machine(tmp_path: Path) -> None:
    file = write(tmp_path, {"text": "x"}, name=unicodedata.normalize("NFD", "Café.jsonl"))

    assert [record.thread_id for record in read(file)] == ["Café"]


def test_turns_can_be_given_as_mappings() -> None:
    zone = ZoneInfo("Europe/Berlin")
    given = [
        {"text": "a", "occurred_at": datetime(2025, 1, 1, tzinfo=UTC)},
        {"text": "b", "occurred_at": datetime(2025, 1, 1, 1)},
        {"text": "c", "thread_id": "t"},
    ]

    found = [turn for turn in read_source(given, timezone=zone) if isinstance(turn, RawTurn)]

    assert [turn.record for turn in found] == ["turn 1", "turn 2", "turn 3"]
    assert [turn.thread_id for turn in found] == ["default", "default", "t"]
    assert found[0].occurred_at == found[1].occurred_at
    assert found[0].source == Source("jsonl", None, None)


def test_a_mapping_with_a_naive_time_fails_alone() -> None:
    given: list[dict[str, object]] = [
        {"text": "a", "occurred_at": datetime(2025, 1, 1)},
        {"text": "b"},
    ]

    naive, turn = read_source(given)

    assert isinstance(naive, Skipped)
    assert "occurred_at '2025-01-01T00:00:00' has no time zone" in naive.reason
    assert isinstance(turn, RawTurn)
