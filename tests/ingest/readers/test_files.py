import json
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.ingest.readers import files
from graphmem.ingest.readers.files import Split, elements, lines, read_records, records

text = st.text(alphabet='a"\\[]{}, \u00e9\n', max_size=8)
values = st.recursive(
    st.none() | st.integers() | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
objects = st.lists(st.dictionaries(text, values, max_size=3), max_size=5)


class Trickle(BytesIO):
    """Gives one byte a read, however many are asked for."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size, 1) if size else size)


@given(objects, st.sampled_from([None, 1]), st.booleans(), st.booleans())
def test_an_array_is_cut_into_its_objects(
    given: list[dict[str, Any]], indent: int | None, ascii: bool, trickle: bool
) -> None:
    content = json.dumps(given, indent=indent, ensure_ascii=ascii).encode()
    stream = Trickle(content) if trickle else BytesIO(content)

    assert [json.loads(piece) for piece in elements(stream)] == given


@pytest.mark.parametrize(
    "content",
    [b'[{"a": 1}, {"a": "%b"}]' % (b"x" * 200), b'[{"a": 1}, {"a": [%b0]}]' % (b"[], " * 50)],
)
def test_an_object_beyond_the_limit_ends_the_file(
    content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RECORD_LIMIT", 100)
    monkeypatch.setattr(files, "_CHUNK", 10)

    first, last = records(elements(BytesIO(content)), "big.json")

    assert first == ("big.json:1", {"a": 1})
    assert "a record is longer than 100 bytes" in str(last)


@pytest.mark.parametrize("content", [b"", b'{"a": 1}', b'x [{"a": 1}]', b"\x00"])
def test_what_is_no_array_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"cannot read 'a\.json': it is not a JSON array"):
        list(records(elements(BytesIO(content)), "a.json"))


def test_a_disk_that_fails_midway_leaves_what_was_read() -> None:
    def failing() -> Iterator[bytes]:
        yield b"{}"
        raise OSError("input/output error")

    first, last = records(failing(), "a.jsonl")

    assert first == ("a.jsonl:1", {})
    assert "cannot read on from here: input/output error" in str(last)


@given(st.lists(st.binary(max_size=5).map(lambda line: line.replace(b"\n", b"")), max_size=5))
def test_lines_are_cut_at_line_feeds_only(given: list[bytes]) -> None:
    content = b"".join(line + b"\n" for line in given)

    assert [line[:-1] for line in lines(BytesIO(content))] == given


@pytest.mark.parametrize(("split", "between"), [(lines, b"\n"), (elements, b",")])
def test_memory_does_not_grow_with_the_file(split: Split, between: bytes, tmp_path: Path) -> None:
    file = tmp_path / "big"
    record = b'{"text": "%b"}' % (b"x" * 1000)
    frame = (b"[", b"]") if split is elements else (b"", b"")
    file.write_bytes(frame[0] + between.join([record] * 8_000) + frame[1])

    tracemalloc.start()
    count = sum(1 for _ in read_records(file, split))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 8_000
    assert peak < 4_000_000
