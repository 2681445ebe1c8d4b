"""Acceptance B and C: entities, ingest, idempotence, through the public API."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import AsOf, InvalidInput, Memory, NotFound, Outcome
from graphmem.model import Extraction, Receipt
from graphmem.testing import FakeClock

Open = Callable[..., Memory]
ODD_NAMES = [
    "王小明",
    "محمد علي",
    "Анна Каренина",
    "🚀 Rocket",
    'O"Brien',
    "AC/DC",
    "back\\slash",
    "a|b|c",
    "name:(x AND y)~2 +z -w *",
    "{n: `MATCH (n) DETACH DELETE n`}",
    "x' OR 1=1; --",
]


def on(month: int, day: int = 1) -> datetime:
    return datetime(2024, month, day, tzinfo=UTC)


def outcomes(receipts: Iterable[Receipt]) -> Counter[str]:
    return Counter(str(receipt.outcome) for receipt in receipts)


def lines(path: Path, rows: Iterable[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")
    return path


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SR-2023-052", "SR-2023-053"),
        ("Rev A", "Rev B"),
        ("Room 101", "Room 102"),
        ("UA123", "UA124"),
        ("Model x2", "Model x²"),
    ],
)
def test_b1_names_that_differ_in_a_digit_or_version_stay_apart(
    memory: Memory, one: str, other: str
) -> None:
    memory.assert_fact(one, "has status", "open", occurred_at=on(1))
    memory.assert_fact(other, "has status", "closed", occurred_at=on(1))

    assert {entity.name for entity in memory.entities()} == {one, other}
    assert [e.object for e in memory.edges(as_of=on(2)) if e.subject == one] == ["open"]


def test_b7_the_same_triple_twice_is_one_edge_with_two_assertions(memory: Memory) -> None:
    for number in range(2):
        memory.add("hello", episode_id=f"e{number}", occurred_at=on(1 + number))
    for number in range(2):
        memory.assert_fact("Ann", "lives in", "Rome", episode_id=f"e{number}")

    (edge,) = memory.edges(as_of=on(3))
    (answer,) = memory.match("Ann", "lives in", "Rome", as_of=on(3))
    assert answer.edge.id == edge.id
    assert [citation.episode_id for citation in answer.citations] == ["e0", "e1"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_b8_any_name_is_stored_and_found(memory: Memory, name: str) -> None:
    memory.assert_fact(name, "works at", "Acme", occurred_at=on(1), quote=f"{name} at Acme")
    memory.assert_fact("Ben", "works at", "Beta", occurred_at=on(1))

    (answer,) = memory.match(name, "works at", None, as_of=on(2))
    assert (answer.subject, answer.object) == (name, "Acme")
    assert memory.search(f"where does {name} work", as_of=on(2))[0].edge == answer.edge
    assert memory.history(name)[0].subject == name


def test_c1_twice_the_same_appended_and_edited(memory: Memory, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": f"m{n}", "text": f"line {n}", "speaker": "Ann", "occurred_at": f"2024-01-0{n}"}
        for n in range(1, 6)
    ]
    path = lines(tmp_path / "chat.jsonl", rows)

    assert outcomes(memory.ingest(path)) == {"new": 5}
    assert outcomes(memory.ingest(path)) == {"unchanged": 5}
    more: list[dict[str, object]] = [{"id": f"x{n}", "text": f"more {n}"} for n in range(3)]
    rows += more
    assert outcomes(memory.ingest(lines(path, rows))) == {"unchanged": 5, "new": 3}
    rows[2] = {**rows[2], "text": "line 3, edited"}
    assert outcomes(memory.ingest(lines(path, rows))) == {"unchanged": 7, "changed": 1}

    (edited,) = [e for e in memory.episodes() if e.id == "m3"]
    assert (edited.text, edited.version) == ("line 3, edited", 2)


def test_c1_a_file_without_ids_is_told_apart_by_its_words(memory: Memory, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"text": text, "speaker": speaker, "thread_id": "t"}
        for text, speaker in [("ok", "Ann"), ("ok", "Ben"), ("ok", "Ann"), ("fine", "Ben")]
    ]
    path = lines(tmp_path / "chat.jsonl", rows)
    first = list(memory.ingest(path))
    moved = tmp_path / "elsewhere.jsonl"

    assert outcomes(first) == {"new": 4}
    assert len({receipt.episode_id for receipt in first}) == 4
    assert outcomes(memory.ingest(lines(moved, rows))) == {"unchanged": 4}
    rows.insert(2, {"text": "inserted", "speaker": "Cyd", "thread_id": "t"})
    assert outcomes(memory.ingest(lines(path, rows))) == {"unchanged": 4, "new": 1}
    rows[4] = {**rows[4], "text": "fine!"}
    assert outcomes(memory.ingest(lines(path, rows))) == {"unchanged": 4, "changed": 1}
    texts = [episode.text for episode in memory.episodes(threads=["t"])]
    assert texts == ["ok", "ok", "inserted", "ok", "fine!"]


def test_c2_what_a_broken_run_left_unread_is_read_by_the_next(opener: Open, tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": f"m{n}", "text": f"Ann{n} leads Atlas{n}.", "speaker": "Cyd"} for n in range(40)
    ]
    path = lines(tmp_path / "chat.jsonl", rows)
    whole = opener("whole")
    list(whole.ingest(path))

    broken = opener("broken")
    half = lines(tmp_path / "half.jsonl", rows[:25])
    stopped = broken.ingest(half)
    next(stopped)
    stopped.close()  # type: ignore[attr-defined]
    broken = opener.restarted(broken, "broken")  # type: ignore[attr-defined]
    list(broken.ingest(path))

    def counts(memory: Memory) -> tuple[int, list[str]]:
        return len(memory.episodes()), [e.fact for e in memory.edges()]

    assert counts(broken) == counts(whole)
    assert counts(whole)[0] == 40


def test_c3_ids_that_the_caller_chose_are_used_and_made_when_new(memory: Memory) -> None:
    first = memory.add("hello", episode_id="mine-1", occurred_at=on(1))
    again = memory.add("hello", episode_id="mine-1", occurred_at=on(1))
    edited = memory.add("hello there", episode_id="mine-1", occurred_at=on(1))

    assert [r.episode_id for r in (first, again, edited)] == ["mine-1"] * 3
    assert [r.outcome for r in (first, again, edited)] == [
        Outcome.NEW,
        Outcome.UNCHANGED,
        Outcome.CHANGED,
    ]
    with pytest.raises(NotFound, match="'nowhere'"):
        memory.assert_fact("Ann", "lives in", "Rome", episode_id="nowhere")


def test_c4_threads_keep_their_order_and_their_first_and_last_time(
    memory: Memory, tmp_path: Path
) -> None:
    rows: list[dict[str, object]] = [
        {
            "id": f"{thread}-{n}",
            "thread_id": thread,
            "text": f"{thread} {n}",
            "occurred_at": f"2024-0{month}-0{n}T10:00:00Z",
        }
        for n in (1, 2)
        for month, thread in enumerate("abcdefgh", start=1)
    ]
    list(memory.ingest(lines(tmp_path / "many.jsonl", rows)))

    threads = memory.threads()
    assert [thread.id for thread in threads] == list("abcdefgh")
    assert {thread.episodes for thread in threads} == {2}
    assert threads[1].first == datetime(2024, 2, 1, 10, tzinfo=UTC)
    assert threads[1].last == datetime(2024, 2, 2, 10, tzinfo=UTC)
    assert [e.text for e in memory.episodes(threads=["c"])] == ["c 1", "c 2"]


def test_c7_what_was_acknowledged_is_there_for_the_next_read(memory: Memory) -> None:
    for number in range(5):
        memory.add(f"token zq{number}x", occurred_at=on(1))
        assert memory.search(f"zq{number}x", as_of=on(2))[0].text.endswith(f"zq{number}x")
        assert len(memory.episodes()) == number + 1


def test_c8_turns_of_any_role_are_stored_or_counted(memory: Memory) -> None:
    receipts = memory.add_many(
        [
            {"text": "Only the assistant speaks.", "role": "assistant"},
            {"text": "A system prompt.", "role": "system", "kind": "system"},
            {"text": ""},
            {"text": " \n\t "},
            {"text": "k"},
        ]
    )

    assert outcomes(receipts) == {"new": 3, "skipped": 2}
    assert {r.reason for r in receipts if r.outcome is Outcome.SKIPPED} == {"no words"}
    assert len(memory.episodes()) == 3


def test_c9_facts_and_text_need_no_model_at_all(opener: Open) -> None:
    memory = opener(extractor="none")
    memory.assert_fact("Ann", "approved", "plan B", occurred_at=on(1), speaker="Ann")
    receipt = memory.add("Ann leads Atlas.", speaker="Cyd", occurred_at=on(1))

    assert receipt.extraction is Extraction.NONE
    assert [edge.relation for edge in memory.edges(as_of=on(2))] == ["approved"]
    assert memory.search("Atlas", as_of=on(2))[0].text


def test_a_late_version_of_an_older_edit_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    def edit(text: str, at: str) -> Counter[str]:
        row: dict[str, object] = {"id": "m", "text": text, "edited_at": at}
        return outcomes(memory.ingest(lines(tmp_path / "chat.jsonl", [row])))

    assert edit("second", "2024-02-02") == {"new": 1}
    assert edit("first", "2024-01-01") == {"unchanged": 1}
    assert edit("third", "2024-03-03") == {"changed": 1}
    assert [e.text for e in memory.episodes()] == ["third"]


def test_an_edited_turn_takes_its_old_facts_back(memory: Memory, clock: FakeClock) -> None:
    clock.now = on(6)
    memory.add("Ann leads Atlas.", speaker="Cyd", episode_id="e", occurred_at=on(1))
    before = clock.now
    clock.now = on(7)
    memory.add("Ben leads Atlas.", speaker="Cyd", episode_id="e", occurred_at=on(1))

    assert [edge.subject for edge in memory.edges()] == ["Ben"]
    assert [edge.subject for edge in memory.edges(as_of=AsOf(recorded=before))] == ["Ann"]
    assert [e.valid.start for e in memory.edges()] == [on(1)]


def test_half_a_character_is_stored_whole(memory: Memory) -> None:
    receipt = memory.add("joined \ud83d\ude00, lone \ud83d end", occurred_at=on(1))

    assert receipt.outcome is Outcome.NEW
    assert memory.episodes()[0].text == "joined 😀, lone \ufffd end"


@pytest.mark.parametrize("group", ["", "  ", "a\0b", "x" * 1001])
def test_a_group_that_cannot_be_is_refused(memory: Memory, group: str) -> None:
    with pytest.raises(InvalidInput, match="group_id"):
        memory.add("hello", group_id=group)


def test_retracting_an_episode_takes_its_facts_out_and_keeps_the_words(
    memory: Memory, clock: FakeClock
) -> None:
    clock.now = on(6)
    memory.add("Ann leads Atlas.", speaker="Cyd", occurred_at=on(1))
    wrong = memory.add("Ben leads Atlas.", speaker="Cyd", occurred_at=on(2))
    assert wrong.episode_id is not None
    memory.retract(wrong.episode_id, reason="wrong person")

    assert [(e.subject, e.valid.start) for e in memory.edges()] == [("Ann", on(1))]
    assert len(memory.episodes()) == 2
