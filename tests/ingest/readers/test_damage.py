"""Files that are cut or garbled: never a crash, and what can be read is read."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.ingest.readers import FORMATS, RawTurn, Read, Skipped, read_source

ARCHIVES = Path(__file__).parents[2] / "fixtures" / "archives"
FILES = {
    "chatgpt": ARCHIVES / "chatgpt" / "conversations.json",
    "openai_messages": ARCHIVES / "openai_messages" / "train.jsonl",
}
CONTENT = {
    **{format: file.read_bytes() for format, file in FILES.items()},
    "zip": (ARCHIVES / "chatgpt" / "export_2026.zip").read_bytes(),
    "jsonl": b"".join(b'{"text": "turn %d", "speaker": "\xe9\x99\x88"}\n' % n for n in range(9)),
    "locomo": b'[{"sample_id": "s", "conversation": {"session_1": [{"speaker": "Ann", '
    b'"dia_id": "D1:1", "text": "Hi"}], "session_1_date_time": "1:56 pm on 8 May, 2023"}}, {}]',
}
contents = st.sampled_from(sorted(CONTENT))


@pytest.fixture(scope="module")
def file() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder) / "archive"


def read(file: Path, content: bytes, format: str | None) -> list[Read]:
    """Return all records, none when the file is refused; refusing after a record is a fault."""
    file.write_bytes(content)
    try:
        records = read_source(file, format=format)
        first = list(islice(records, 1))
    except InvalidInput:
        return []
    return [*first, *records]


def texts(records: list[Read]) -> list[str]:
    return [record.text for record in records if isinstance(record, RawTurn)]


@settings(max_examples=150, deadline=None)
@given(contents, st.data())
def test_what_stands_before_a_cut_is_read(file: Path, kind: str, data: st.DataObject) -> None:
    content = CONTENT[kind]
    format = {"zip": "chatgpt"}.get(kind, kind)
    cut = data.draw(st.integers(0, len(content)))

    whole, part = read(file, content, format), read(file, content[:cut], format)

    assert texts(part) == texts(whole)[: len(texts(part))]
    lines = content[:cut].count(b"\n")
    assert kind not in ("jsonl", "openai_messages") or len(part) >= len(
        [r for r in whole if int(r.record.split(":")[1]) <= lines]
    )


@settings(max_examples=150, deadline=None)
@given(contents, st.sampled_from([None, *FORMATS]), st.data())
def test_garbage_anywhere_is_no_crash(
    file: Path, kind: str, format: str | None, data: st.DataObject
) -> None:
    content = bytearray(CONTENT[kind])
    start = data.draw(st.integers(0, len(content)))
    length = data.draw(st.integers(0, 30))
    content[start : start + length] = data.draw(st.binary(max_size=30))

    for record in read(file, bytes(content), format):
        assert isinstance(record, RawTurn) or record.reason


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([None, *FORMATS]))
def test_any_bytes_are_no_crash(file: Path, content: bytes, format: str | None) -> None:
    assert not texts(read(file, content, format))


def test_a_line_that_is_cut_is_a_failed_record(file: Path) -> None:
    *_, last = read(file, CONTENT["jsonl"][:-5], "jsonl")

    assert isinstance(last, Skipped)
    assert last.failed
