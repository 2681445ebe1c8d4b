"""Commands that write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from graphmem import Memory, Receipt
from graphmem.model import Extraction, Outcome

Run = Callable[..., Result]
TURNS = [
    {
        "id": "m1",
        "speaker": "Ann",
        "text": "I live in Oslo.",
        "occurred_at": "2024-03-01T10:00:00Z",
    },
    {"id": "m2", "speaker": "Ben", "text": "Nice weather.", "occurred_at": "2024-03-01T10:01:00Z"},
]


def chat(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return chat(tmp_path / "chat.jsonl", *TURNS)


def test_ingest_says_what_came_of_it(run: Run, archive: Path) -> None:
    result = run("ingest", str(archive), "--extractor", "none")

    assert result.exit_code == 0
    assert result.stdout == "2 read: 2 new, 0 unchanged, 0 changed, 0 skipped, 0 failed\n"
    assert run("search", "weather", "--channel", "lexical").stdout.startswith(
        "1. Ben: Nice weather."
    )


def test_c1_again_is_unchanged_and_more_is_new(run: Run, archive: Path) -> None:
    run("ingest", str(archive), "--extractor", "none")
    again = run("ingest", str(archive), "--extractor", "none")
    chat(archive, TURNS[0] | {"text": "I live in Bergen."}, TURNS[1], TURNS[1] | {"id": "m3"})
    more = run("ingest", str(archive), "--extractor", "none")

    assert again.stdout == "2 read: 0 new, 2 unchanged, 0 changed, 0 skipped, 0 failed\n"
    assert more.stdout == "3 read: 1 new, 1 unchanged, 1 changed, 0 skipped, 0 failed\n"


def test_a_record_that_fails_is_named_and_stops_nothing(run: Run, archive: Path) -> None:
    bad = {"id": "m3", "text": "No zone.", "occurred_at": "2024-03-01T10:02:00"}
    chat(archive, TURNS[0], bad, TURNS[1])

    result = run("ingest", str(archive), "--extractor", "none")

    assert result.exit_code == 3
    assert result.stdout == "3 read: 2 new, 0 unchanged, 0 changed, 0 skipped, 1 failed\n"
    failed = [line for line in result.stderr.splitlines() if line.startswith("failed: ")]
    assert len(failed) == 1
    assert "chat.jsonl:2" in failed[0]


def test_a_named_zone_is_that_of_times_without_one(run: Run, archive: Path) -> None:
    chat(archive, TURNS[0] | {"occurred_at": "2024-03-01T10:00:00"})

    options = ("--timezone", "Europe/Berlin", "--extractor", "none")
    assert run("ingest", str(archive), *options).exit_code == 0
    hit = json.loads(run("search", "Oslo", "--json", "--channel", "lexical").stdout)
    assert hit["episode"]["occurred_at"] == "2024-03-01T09:00:00Z"


def test_many_failures_are_counted_not_all_listed(run: Run, archive: Path) -> None:
    chat(archive, *({"id": f"m{n}", "text": "x", "occurred_at": "never"} for n in range(30)))

    result = run("ingest", str(archive), "--extractor", "none")

    assert result.stderr.count("failed: ") == 20
    assert "and 10 more" in result.stderr
    assert len(run("ingest", str(archive), "--json").stdout.splitlines()) == 30


def test_json_is_one_receipt_a_line(run: Run, archive: Path) -> None:
    result = run("ingest", str(archive), "--json", "--extractor", "none")

    receipts = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(r["episode_id"], r["outcome"], r["extraction"]) for r in receipts] == [
        (receipts[0]["episode_id"], "new", "none"),
        (receipts[1]["episode_id"], "new", "none"),
    ]
    assert set(receipts[0]) == {
        *("record", "episode_id", "outcome", "reason", "extraction", "assertion_ids"),
        *("recorded_edges", "closed_edges"),
    }


def test_several_sources_are_read_in_turn(run: Run, tmp_path: Path) -> None:
    one = chat(tmp_path / "one.jsonl", TURNS[0])
    other = chat(tmp_path / "other.jsonl", TURNS[1])

    result = run("ingest", str(one), str(other), "--extractor", "none")

    assert result.stdout.startswith("2 read: 2 new")


def test_what_cannot_be_read_at_all_is_an_error(run: Run, archive: Path, tmp_path: Path) -> None:
    missing = run("ingest", str(archive), "missing.jsonl", "--extractor", "none")
    assert (missing.exit_code, missing.stdout.startswith("2 read: 2 new")) == (1, True)
    assert "error: there is no file or folder 'missing.jsonl'" in missing.stderr

    (tmp_path / "note.bin").write_bytes(bytes(range(256)))
    assert run("ingest", "note.bin").exit_code == 1
    assert run("ingest", str(archive), "--format", "telepathy").exit_code == 1
    assert run("ingest", str(archive), "--timezone", "Mars/Olympus").exit_code == 2
    assert run("ingest", str(archive), "--extractor", "oracle").exit_code == 2
    assert run("ingest").exit_code == 2


def test_no_terminal_no_progress(run: Run, archive: Path) -> None:
    result = run("ingest", str(archive), "--extractor", "none")

    assert result.stderr.startswith("warning: no embedding model")
    assert len(result.stderr.splitlines()) == 1


def test_facts_that_could_not_be_read_are_told(
    run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ingest(*_: object, **__: object) -> Iterator[Receipt]:
        yield Receipt("a:1", "e1", Outcome.NEW, "model down", Extraction.FAILED, (), 0, 0)

    monkeypatch.setattr(Memory, "ingest", ingest)

    result = run("ingest", str(archive))

    assert result.exit_code == 3
    assert "facts not read: a:1: model down" in result.stderr
    assert "facts not read: 1\n" in result.stdout


def test_interrupted_it_says_what_was_stored(
    run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ingest(*_: object, **__: object) -> Iterator[Receipt]:
        yield Receipt("a:1", "e1", Outcome.NEW, None, Extraction.NONE, (), 0, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "ingest", ingest)

    result = run("ingest", str(archive))

    assert result.exit_code == 130
    assert result.stdout.startswith("1 read: 1 new")
    assert "Traceback" not in result.stderr


def test_a_turn_is_added_and_found(run: Run) -> None:
    options = ("--speaker", "Ann", "--thread", "talk", "--occurred-at", "2024-03-01")
    added = run("add", "I live in Oslo.", *options, "--extractor", "none", "--json")

    assert added.exit_code == 0
    assert json.loads(added.stdout)["outcome"] == "new"
    hit = json.loads(run("search", "Oslo", "--json", "--channel", "lexical").stdout)
    assert (hit["episode"]["speaker"], hit["episode"]["thread_id"]) == ("Ann", "talk")
    assert run("add", "Hello", "--occurred-at", "2024-03-01T10:00:00").exit_code == 1
