import json
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput
from graphmem.ingest.readers import FORMATS, RawTurn, Skipped, detect, named, read_source


def test_formats_are_listed_by_name() -> None:
    assert list(FORMATS) == sorted(FORMATS)
    assert all(named(name).name == name for name in FORMATS)


def test_an_unknown_format_lists_those_that_there_are() -> None:
    with pytest.raises(InvalidInput, match="no format 'slaack'; there are chatgpt, jsonl, locomo"):
        named("slaack")


@pytest.mark.parametrize("content", [b"", b"words", b"[]", b"[1]", b'{"a": 1}', b"\x00" * 100])
def test_a_file_of_no_known_format_asks_for_it(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)

    with pytest.raises(InvalidInput, match=r"looks like no known format; .* --format: chatgpt, "):
        detect(file)


def test_an_ambiguous_file_asks_for_its_format(tmp_path: Path) -> None:
    file = tmp_path / "both.jsonl"
    file.write_text(json.dumps({"text": "x", "messages": []}))

    with pytest.raises(InvalidInput, match="looks like jsonl and openai_messages; name the format"):
        detect(file)


def test_a_format_is_seen_behind_a_bad_first_line(tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_bytes(b'\xff\n{"text": "x"}\n')

    assert detect(file).name == "jsonl"


@pytest.mark.parametrize("format", [None, "jsonl"])
def test_a_path_that_is_not_there_is_named(tmp_path: Path, format: str | None) -> None:
    with pytest.raises(InvalidInput, match=r"there is no file or folder '.*absent'"):
        read_source(tmp_path / "absent", format=format)


def test_utf16_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_bytes('{"text": "x"}'.encode("utf-16"))

    with pytest.raises(InvalidInput, match=r"'chat\.jsonl' is UTF-16; save it as UTF-8"):
        read_source(file)


def test_a_folder_is_read_file_by_file_in_order_of_name(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text('{"text": "b"}\n')
    (tmp_path / "a.jsonl").write_text('{"messages": [{"role": "user", "content": "a"}]}\n')
    (tmp_path / "c.txt").write_text("words")
    (tmp_path / "d").mkdir()
    (tmp_path / "e.jsonl").write_text('{"text": "x", "messages": []}')
    (tmp_path / "f.jsonl").write_bytes(b"\xff\xfe")

    found = list(read_source(tmp_path))

    assert [turn.text for turn in found if isinstance(turn, RawTurn)] == ["a", "b"]
    assert [record for record in found if isinstance(record, Skipped)] == [
        Skipped("c.txt", "no format knows it", failed=False),
        Skipped("d", "no format knows it", failed=False),
        Skipped("e.jsonl", "several formats know it", failed=True),
        Skipped("f.jsonl", "'f.jsonl' is UTF-16; save it as UTF-8", failed=True),
    ]


def test_a_named_format_reads_only_its_own_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"messages": [{"role": "user", "content": "a"}]}\n')
    (tmp_path / "b.jsonl").write_text('{"text": "b"}\n')

    other, turn = read_source(tmp_path, format="jsonl")

    assert other == Skipped("a.jsonl", "no format knows it", failed=False)
    assert isinstance(turn, RawTurn)


def test_a_folder_with_nothing_to_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"no file in the folder '.*' is of a known format"):
        list(read_source(tmp_path))


def test_mappings_are_of_one_format_only() -> None:
    with pytest.raises(InvalidInput, match="turns given as mappings are of format 'jsonl'"):
        read_source([{"text": "x"}], format="locomo")


def test_one_thread_can_be_chosen() -> None:
    turns = [{"text": "1", "thread_id": "a"}, {"text": "2", "thread_id": "ab"}]
    turns += [{"text": "3", "thread_id": "a:x"}, {"text": "", "thread_id": "ab"}]

    found = list(read_source(turns, only="a"))

    assert [turn.text for turn in found if isinstance(turn, RawTurn)] == ["1", "3"]
    assert not [record for record in found if isinstance(record, Skipped)]


def test_a_thread_that_is_not_there_is_an_error_that_lists_those_that_are() -> None:
    turns = [{"text": "1", "thread_id": "a"}, {"text": "2", "thread_id": "b"}]

    with pytest.raises(InvalidInput, match="no conversation 'c' in the source; it holds 'a', 'b'"):
        list(read_source(turns, only="c"))
