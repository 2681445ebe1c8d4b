import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from graphmem.errors import InvalidInput
from graphmem.ingest.readers import RawTurn, Skipped, detect, read_source
from graphmem.model import EpisodeKind
from graphmem.temporal import Precision


def node(
    id: str,
    parent: str | None = None,
    text: str | None = None,
    *,
    role: str = "user",
    **message: Any,
) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    told = {"id": id, "author": {"role": role}, "content": content} | message
    return {"id": id, "parent": parent, "message": told if text is not None else None}


def conversation(*nodes: dict[str, Any], current: str | None = None, **keys: Any) -> dict[str, Any]:
    mapping = {found["id"]: found for found in nodes}
    last = nodes[-1]["id"] if nodes else None
    return {"conversation_id": "c", "mapping": mapping, "current_node": current or last} | keys


def write(folder: Path, *conversations: object, name: str = "conversations.json") -> Path:
    file = folder / name
    file.write_text(json.dumps(conversations), encoding="utf-8")
    return file


def turns(path: Path) -> list[RawTurn]:
    return [record for record in read_source(path, format="chatgpt") if isinstance(record, RawTurn)]


def skipped(path: Path) -> list[Skipped]:
    return [record for record in read_source(path, format="chatgpt") if isinstance(record, Skipped)]


def test_branches_stand_before_what_took_their_place(tmp_path: Path) -> None:
    tree = conversation(
        node("a", None, "root"),
        node("kept", "a", "kept"),
        node("edited", "a", "edited"),
        node("answer to edited", "edited", "…", role="assistant"),
        node("last", "kept", "last"),
    )

    found = turns(write(tmp_path, tree))

    assert [turn.source.message_id for turn in found] == [
        "a",
        "edited",
        "answer to edited",
        "kept",
        "last",
    ]
    assert [turn.kind is EpisodeKind.OFF_BRANCH for turn in found] == [
        False,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("current", ["gone", None])
def test_without_a_current_node_the_last_leaf_was_said(tmp_path: Path, current: str | None) -> None:
    tree = conversation(node("a", None, "1"), node("b", "a", "2"), node("c", "a", "3"))

    found = turns(write(tmp_path, tree | {"current_node": current}))

    said = [turn.source.message_id for turn in found if turn.kind is EpisodeKind.MESSAGE]
    assert said == ["a", "c"]


def test_nodes_whose_parents_form_a_ring_come_out_once(tmp_path: Path) -> None:
    tree = conversation(node("a", "b", "1"), node("b", "a", "2"), node("c", "gone", "3"))

    assert sorted(turn.text for turn in turns(write(tmp_path, tree))) == ["1", "2", "3"]


def test_a_conversation_of_early_2023_is_named_after_its_first_message(tmp_path: Path) -> None:
    tree = conversation(
        node("client-root"), node("m1", "client-root", "Hi"), node("m2", "m1", "Ho")
    )
    del tree["conversation_id"]

    assert {turn.thread_id for turn in turns(write(tmp_path, tree))} == {"m1"}


def test_one_bad_conversation_fails_alone(tmp_path: Path) -> None:
    good = json.dumps(conversation(node("a", None, "Hi")))
    bad = good.encode().replace(b"Hi", b"\xff")
    file = tmp_path / "conversations.json"
    file.write_bytes(b"[%b, %b, {}, 7, %b, 8]" % (good.encode(), bad, good.encode()))

    assert [turn.text for turn in turns(file)] == ["Hi", "Hi"]
    assert {record.record: record.reason for record in skipped(file)} == {
        "conversations.json:2": "not UTF-8: invalid start byte at byte 168",
        "conversations.json:3": "no mapping of messages",
        "conversations.json:4": "not a JSON object but int",
        "conversations.json:6": "not a JSON object but int",
    }
    assert all(record.failed for record in skipped(file))


def test_one_bad_message_fails_alone(tmp_path: Path) -> None:
    tree = conversation(
        node("a", None, "Hi"),
        node("b", "a", "no such time", create_time=1e300),
        node("c", "b", "no such role", role="critic"),
        node("d", "c", "text for a time", create_time="noon"),
        node("e", "d", "Ho"),
    )
    file = write(tmp_path, tree)

    assert [turn.text for turn in turns(file)] == ["Hi", "Ho"]
    assert [record.failed for record in skipped(file)] == [True, True, True]
    assert "critic" in skipped(file)[1].reason


def test_times_are_exact_and_missing_ones_unknown(tmp_path: Path) -> None:
    tree = conversation(node("a", None, "Hi", create_time=1735814460.25), node("b", "a", "Ho"))

    dated, undated = turns(write(tmp_path, tree))

    assert dated.occurred_at is not None
    assert dated.occurred_at.isoformat() == "2025-01-02T10:41:00.250000+00:00"
    assert (undated.occurred_at, undated.occurred_precision) == (None, Precision.UNKNOWN)


def test_hidden_and_empty_messages_are_skipped_with_a_reason(tmp_path: Path) -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    tree = conversation(
        node("a", None, "You are terse.", role="system"),
        node("b", "a", "pasted by the page", metadata=hidden),
        node("c", "b", " \n"),
        node("d", "c", "x"),
    )
    file = write(tmp_path, tree)

    assert [turn.text for turn in turns(file)] == ["x"]
    assert [record.reason for record in skipped(file)] == [
        "system prompt",
        "hidden from the conversation",
        "empty text",
    ]


@pytest.mark.parametrize(
    ("role", "content", "recipient", "kind"),
    [
        ("tool", {"content_type": "text", "parts": ["x"]}, "all", EpisodeKind.TOOL_RESULT),
        ("assistant", {"content_type": "text", "parts": ["x"]}, "bio", EpisodeKind.TOOL_CALL),
        (
            "assistant",
            {"content_type": "tether_quote", "text": "x"},
            "all",
            EpisodeKind.TOOL_RESULT,
        ),
        ("tool", {"content_type": "system_error", "text": "x"}, "all", EpisodeKind.ERROR),
        (
            "user",
            {"content_type": "multimodal_text", "parts": [{"asset_pointer": "file://1"}]},
            "all",
            EpisodeKind.MEDIA,
        ),
        (
            "user",
            {
                "content_type": "multimodal_text",
                "parts": [{"content_type": "audio_transcription", "text": "spoken"}],
            },
            "all",
            EpisodeKind.MESSAGE,
        ),
    ],
)
def test_only_plain_words_are_messages(
    tmp_path: Path, role: str, content: dict[str, Any], recipient: str, kind: EpisodeKind
) -> None:
    tree = conversation(node("a", None, "", role=role, content=content, recipient=recipient))

    assert [turn.kind for turn in turns(write(tmp_path, tree))] == [kind]


def test_half_a_character_is_replaced_and_a_whole_one_kept(tmp_path: Path) -> None:
    file = write(tmp_path, conversation(node("a", None, "👍 cut: \ud83d")))

    assert [turn.text for turn in turns(file)] == ["👍 cut: \N{REPLACEMENT CHARACTER}"]


def test_shards_are_read_in_order_of_number(tmp_path: Path) -> None:
    for number in (10, 9):
        tree = conversation(node("a", None, str(number)), conversation_id=f"c{number}")
        write(tmp_path, tree, name=f"conversations-{number}.json")

    assert [turn.text for turn in turns(tmp_path)] == ["9", "10"]


def test_a_broken_shard_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "conversations-000.json").write_text("[{")
    write(tmp_path, conversation(node("a", None, "Hi")), name="conversations-001.json")

    assert [turn.text for turn in turns(tmp_path)] == ["Hi"]
    assert [record.failed for record in skipped(tmp_path)] == [True]


def test_a_cut_file_gives_what_stands_before_the_cut(tmp_path: Path) -> None:
    file = write(tmp_path, *[conversation(node(f"a{n}", None, f"{n}")) for n in range(3)])
    file.write_bytes(file.read_bytes()[:-20])

    assert [turn.text for turn in turns(file)] == ["0", "1"]
    assert [record.record for record in skipped(file)] == ["conversations.json:3"]


def pack(folder: Path, content: bytes, *, method: int = ZIP_DEFLATED) -> Path:
    file = folder / "export.zip"
    with ZipFile(file, "w", method) as archive:
        archive.writestr("export/conversations.json", content)
    return file


def test_a_zip_that_unpacks_beyond_reason_is_refused(tmp_path: Path) -> None:
    file = pack(tmp_path, b"[" + b" " * 10_000_000 + b"]")

    with pytest.raises(InvalidInput, match="would unpack to 10000002 bytes"):
        list(read_source(file))


def test_a_shard_that_is_refused_leaves_those_before_it(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        good = json.dumps([conversation(node("a", None, "Hi"))])
        archive.writestr("conversations-000.json", good)
        archive.writestr("conversations-001.json", b"[" + b" " * 1_000_000 + b"]")

    assert [turn.text for turn in turns(file)] == ["Hi"]
    assert [(record.record, record.failed) for record in skipped(file)] == [("export.zip", True)]


def test_a_zip_packed_in_another_way_is_refused(tmp_path: Path) -> None:
    file = pack(tmp_path, b"[]", method=ZIP_BZIP2)

    with pytest.raises(InvalidInput, match="unpack it and give the folder"):
        list(read_source(file, format="chatgpt"))


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    file = pack(tmp_path, b"[]")
    content = bytearray(file.read_bytes())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(content)

    with pytest.raises(InvalidInput, match="is encrypted"):
        list(read_source(file, format="chatgpt"))


def test_a_damaged_zip_says_what_to_do(tmp_path: Path) -> None:
    file = pack(tmp_path, b"[]")
    file.write_bytes(file.read_bytes()[:-30])

    with pytest.raises(InvalidInput, match=r"is a damaged zip: .*; download it again"):
        detect(file)


def test_a_zip_without_conversations_says_so(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    with ZipFile(file, "w") as archive:
        archive.writestr("user.json", "{}")

    with pytest.raises(InvalidInput, match="no conversations in"):
        list(read_source(file, format="chatgpt"))
