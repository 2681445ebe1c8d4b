import gzip
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from graphmem.ingest.readers import RawTurn, Read, Skipped, read_source
from graphmem.temporal import Precision


def turn(dia_id: str, text: str = "Hi", **more: object) -> dict[str, Any]:
    return {"speaker": "Ann", "dia_id": dia_id, "text": text} | more


def sample(**conversation: object) -> dict[str, Any]:
    time = {"session_1_date_time": "1:56 pm on 8 May, 2023"}
    return {"qa": [], "conversation": time | conversation, "sample_id": "conv-1"}


def read(folder: Path, *samples: dict[str, Any], **options: Any) -> list[Read]:
    file = folder / "locomo.json"
    file.write_text(json.dumps(samples), encoding="utf-8")
    return list(read_source(file, **options))


def turns(records: list[Read]) -> list[RawTurn]:
    return [record for record in records if isinstance(record, RawTurn)]


def test_every_turn_of_the_set_is_read_once(data_dir: Path) -> None:
    found = list(read_source(data_dir / "locomo" / "locomo_dev.json.gz"))

    assert len(turns(found)) == len(found) == 3996
    assert len({turn.source.message_id for turn in turns(found)}) == 3996
    assert Counter(turn.thread_id.partition(":")[0] for turn in turns(found)) == {
        "conv-26": 419,
        "conv-30": 369,
        "conv-41": 663,
        "conv-43": 680,
        "conv-44": 675,
        "conv-48": 681,
        "conv-49": 509,
    }
    assert {turn.occurred_precision for turn in turns(found)} == {Precision.MINUTE}


def test_every_evidence_turn_can_be_found_by_its_id(data_dir: Path) -> None:
    found = turns(list(read_source(data_dir / "locomo" / "locomo_dev.json.gz")))
    ids = {turn.source.message_id for turn in found}
    with gzip.open(data_dir / "locomo" / "questions_dev.jsonl.gz", "rt") as lines:
        questions = [json.loads(line) for line in lines]

    evidence = {f"{q['qid'].split(':')[0]}:{id}" for q in questions for id in q["evidence"]}
    assert evidence <= ids


def test_what_an_annotator_searched_for_is_never_read(data_dir: Path) -> None:
    with gzip.open(data_dir / "locomo" / "locomo_dev.json.gz") as file:
        samples: list[dict[str, dict[str, list[dict[str, str]] | str]]] = json.load(file)
    sessions = [turns for sample in samples for turns in sample["conversation"].values()]
    told = [turn for turns in sessions if not isinstance(turns, str) for turn in turns]
    said = {f"{t['text']} [shares {t['blip_caption']}]" for t in told if "blip_caption" in t}
    said |= {turn["text"] for turn in told if "blip_caption" not in turn}

    found = turns(list(read_source(data_dir / "locomo" / "locomo_dev.json.gz")))

    assert {turn.text for turn in found} == said


def test_one_conversation_can_be_chosen(data_dir: Path) -> None:
    found = list(read_source(data_dir / "locomo" / "locomo_dev.json.gz", only="conv-30"))

    assert len(found) == 369


def test_a_session_is_a_thread_and_its_turns_share_its_minute(tmp_path: Path) -> None:
    two = {"session_2": [turn("D2:1")], "session_2_date_time": "12:09 am on 13 September, 2023"}

    found = turns(read(tmp_path, sample(session_1=[turn("D1:1"), turn("D1:2")], **two)))

    noon = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    night = datetime(2023, 9, 13, 0, 9, tzinfo=UTC)
    assert [(t.thread_id, t.source.message_id, t.occurred_at) for t in found] == [
        ("conv-1:session_1", "conv-1:D1:1", noon),
        ("conv-1:session_1", "conv-1:D1:2", noon),
        ("conv-1:session_2", "conv-1:D2:1", night),
    ]


def test_sessions_are_read_in_order_of_number(tmp_path: Path) -> None:
    late_first = {"session_10": [turn("D10:1")], "session_2": [turn("D2:1")]}

    found = turns(read(tmp_path, sample(**late_first)))

    assert [t.source.message_id for t in found] == ["conv-1:D2:1", "conv-1:D10:1"]


def test_a_zone_can_be_given(tmp_path: Path) -> None:
    zone = ZoneInfo("America/New_York")

    (found,) = turns(read(tmp_path, sample(session_1=[turn("D1:1")]), timezone=zone))

    assert found.occurred_at == datetime(2023, 5, 8, 17, 56, tzinfo=UTC)


def test_a_session_without_a_date_has_unknown_time(tmp_path: Path) -> None:
    (found,) = turns(read(tmp_path, sample(session_2=[turn("D2:1")])))

    assert (found.occurred_at, found.occurred_precision) == (None, Precision.UNKNOWN)


@pytest.mark.parametrize(
    "date", ["8 May 2023", "1:56 pm on 31 June, 2023", "1:56 pm on 8 Mai, 2023"]
)
def test_a_date_that_cannot_be_read_fails_its_turns(tmp_path: Path, date: str) -> None:
    bad = {"session_2": [turn("D2:1")], "session_2_date_time": date}

    failed, good = read(tmp_path, sample(**bad, session_3=[turn("D3:1")]))

    assert isinstance(failed, Skipped)
    assert failed.failed
    assert f"session time {date!r}" in failed.reason
    assert isinstance(good, RawTurn)


def test_bad_turns_and_samples_fail_alone(tmp_path: Path) -> None:
    session = [turn("D1:1"), "words", {"speaker": "Ann"}, turn("D1:4", " ")]

    found = read(tmp_path, sample(session_1=session), {"sample_id": "conv-2"})

    assert [t.source.message_id for t in turns(found)] == ["conv-1:D1:1"]
    assert [(r.reason, r.failed) for r in found if isinstance(r, Skipped)] == [
        ("no speaker, dia_id or text", True),
        ("no speaker, dia_id or text", True),
        ("empty text", False),
        ("no sample_id or no conversation", True),
    ]


def test_a_picture_without_words_is_its_caption(tmp_path: Path) -> None:
    (found,) = turns(read(tmp_path, sample(session_1=[turn("D1:1", "", blip_caption="a dog")])))

    assert found.text == "[shares a dog]"
