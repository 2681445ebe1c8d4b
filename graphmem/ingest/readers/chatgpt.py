"""ChatGPT exports: ``conversations.json``, the folder or zip with it, or with its 2026 shards.

A conversation is a tree: edited prompts and regenerated answers are branches. The path from
``current_node`` to the root is what was said; the rest comes out as ``off-branch``, before what
took its place. Hidden messages, custom instructions and system prompts are skipped. A zip is read
in place; nothing is unpacked to disk.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import tzinfo
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, TypeAlias, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import BaseModel

from graphmem.errors import InvalidInput
from graphmem.ingest.readers.checks import checked
from graphmem.ingest.readers.files import elements, first_of, opened, past_mark, records
from graphmem.ingest.readers.instants import read_epoch
from graphmem.ingest.readers.record import RawTurn, Read, Skipped
from graphmem.model import EpisodeKind, Json, Source
from graphmem.temporal import Precision

name: Final = "chatgpt"

_MEMBER = re.compile(r"conversations(?:-(\d+))?\.json")
_RATIO = 200
"""A member that unpacks to more than this many times its size is no chat (those reach about 30)."""

_ZIP_ERRORS = (BadZipFile, RuntimeError, UnicodeError)
"""What zipfile raises over headers that it cannot read or does not support."""

_Nodes: TypeAlias = dict[str, dict[str, Json]]

_KINDS = {
    "text": EpisodeKind.MESSAGE,
    "multimodal_text": EpisodeKind.MESSAGE,
    "code": EpisodeKind.TOOL_CALL,
    "thoughts": EpisodeKind.REASONING,
    "reasoning_recap": EpisodeKind.REASONING,
    "system_error": EpisodeKind.ERROR,
}
_SETTINGS = ("user_editable_context", "model_editable_context")


class _Author(BaseModel):
    role: Literal["user", "assistant", "tool", "system"]
    name: str | None = None


class _Attachment(BaseModel):
    name: str | None = None


class _Metadata(BaseModel):
    is_visually_hidden_from_conversation: bool | None = None
    attachments: list[_Attachment] | None = None


class _Message(BaseModel):
    id: str | None = None
    author: _Author
    create_time: float | None = None
    content: dict[str, Any]
    recipient: str | None = None
    metadata: _Metadata | None = None

    @property
    def words(self) -> str:
        """All that was written, parts in lines of their own."""
        content: dict[str, Json] = self.content
        match content:
            case {"parts": list(parts)}:
                texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
            case {"thoughts": list(thoughts)}:
                steps = [step for step in thoughts if isinstance(step, dict)]
                texts = [step.get(key) for step in steps for key in ("summary", "content")]
            case _:
                texts = [content.get(key) for key in ("text", "content", "result")]
        return "\n".join(text for text in texts if isinstance(text, str) and text)

    @property
    def files(self) -> tuple[str, ...]:
        """Names of attached files; of a picture without one, its pointer."""
        known = (self.metadata and self.metadata.attachments) or []
        names = tuple(attachment.name for attachment in known if attachment.name)
        parts: Json = self.content.get("parts")
        pointers = [
            part.get("asset_pointer")
            for part in (parts if isinstance(parts, list) else ())
            if isinstance(part, dict)
        ]
        return names or tuple(pointer for pointer in pointers if isinstance(pointer, str))

    @property
    def kind(self) -> EpisodeKind:
        """What it is when it lies on the path that was said."""
        kind = _KINDS.get(str(self.content.get("content_type")), EpisodeKind.TOOL_RESULT)
        if kind is not EpisodeKind.MESSAGE:
            return kind
        if self.author.role == "tool":
            return EpisodeKind.TOOL_RESULT
        if self.author.role == "assistant" and self.recipient not in (None, "all"):
            return EpisodeKind.TOOL_CALL
        return kind if self.words.strip() else EpisodeKind.MEDIA

    @property
    def dropped(self) -> str | None:
        """Why this is no turn; None if it is one."""
        if self.author.role == "system":
            return "system prompt"
        if self.content.get("content_type") in _SETTINGS:
            return "custom instructions"
        if self.metadata and self.metadata.is_visually_hidden_from_conversation:
            return "hidden from the conversation"
        return None if self.words.strip() or self.files else "empty text"


def sniff(path: Path) -> bool:
    """Tell whether the first conversation is a tree of messages."""
    with closing(_streams(path)) as streams:
        return any("mapping" in first_of(stream, elements) for _, stream in streams)


def read(path: Path, *, timezone: tzinfo | None) -> Iterator[Read]:
    """Yield the messages of every conversation; their times need no zone."""
    del timezone
    empty = True
    try:
        for file, stream in _streams(path):
            for found in _shard(stream, file, alone=file == path.name):
                yield found
                empty = False
        if empty:
            raise InvalidInput(f"no conversations in {str(path)!r}; give the export as it came")
    except InvalidInput as error:
        if empty:
            raise
        yield Skipped(path.name, str(error), failed=True)


def _shard(stream: BinaryIO, file: str, *, alone: bool) -> Iterator[Read]:
    try:
        for found in records(elements(stream), file):
            yield from [found] if isinstance(found, Skipped) else _turns(*found, file)
    except InvalidInput as error:
        if alone:
            raise
        yield Skipped(file, str(error), failed=True)


def _streams(path: Path) -> Generator[tuple[str, BinaryIO]]:
    """Yield the name and content of each file of conversations, in order."""
    if path.is_dir():
        found = [file for file in path.iterdir() if _MEMBER.fullmatch(file.name)]
        for file in sorted(found, key=lambda file: _order(file.name)):
            with opened(file) as stream:
                yield f"{path.name}/{file.name}", stream
        return
    with opened(path) as stream:
        start = stream.read(4)
        stream.seek(0)
        if start != b"PK\x03\x04":
            yield path.name, stream
            return
        for member, content in _members(stream, path):
            yield f"{path.name}/{member}", content


def _order(member: str) -> tuple[int, str]:
    match = _MEMBER.fullmatch(member.rpartition("/")[2])
    return int(match[1] or -1) if match else -1, member


def _members(stream: BinaryIO, path: Path) -> Iterator[tuple[str, BinaryIO]]:
    try:
        with ZipFile(stream) as archive:
            found = [
                m for m in archive.infolist() if _MEMBER.fullmatch(m.filename.rpartition("/")[2])
            ]
            for member in sorted(found, key=lambda member: _order(member.filename)):
                _check(member, path)
                with archive.open(member) as content:
                    yield member.filename, past_mark(cast(BinaryIO, content), member.filename)
    except _ZIP_ERRORS as error:
        raise InvalidInput(f"{str(path)!r} is a damaged zip: {error}; download it again") from error


def _check(member: ZipInfo, path: Path) -> None:
    where = f"{member.filename!r} in {str(path)!r}"
    if member.flag_bits & 1:
        raise InvalidInput(f"{where} is encrypted; unpack it and give the folder")
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise InvalidInput(f"{where} is packed in an unknown way; unpack it and give the folder")
    if member.file_size > _RATIO * max(member.compress_size, 1):
        raise InvalidInput(
            f"{where} would unpack to {member.file_size} bytes: no chat packs so well"
        )


def _turns(record: str, conversation: dict[str, Json], file: str) -> Iterator[Read]:
    mapping = conversation.get("mapping")
    if not isinstance(mapping, dict):
        yield Skipped(record, "no mapping of messages", failed=True)
        return
    nodes = {id: node if isinstance(node, dict) else {} for id, node in mapping.items()}
    said = _path(nodes, conversation.get("current_node"))
    filled = [id for id in _ordered(nodes, said) if nodes[id].get("message") is not None]
    if not filled:
        yield Skipped(record, "conversation without a message", failed=False)
    thread_id = conversation.get("conversation_id") or conversation.get("id")
    for id in filled:
        # exports of early 2023 do not name the conversation, but its first message is unique
        thread = thread_id if isinstance(thread_id, str) else filled[0]
        try:
            message = checked(_Message, nodes[id]["message"])
            yield _turn(message, id, f"{record}:{id}", file, thread, said=id in said)
        except InvalidInput as error:
            yield Skipped(f"{record}:{id}", str(error), failed=True, thread_id=thread)


def _parent(node: dict[str, Json]) -> str | None:
    parent = node.get("parent")
    return parent if isinstance(parent, str) else None


def _path(nodes: _Nodes, current: Json) -> set[str]:
    """Return the nodes from ``current``, or else the last leaf, up to the root."""
    parents = {_parent(node) for node in nodes.values()}
    leaf = next((id for id in reversed(nodes) if id not in parents), None)
    at = current if isinstance(current, str) and current in nodes else leaf
    path: set[str] = set()
    while at is not None and at in nodes and at not in path:
        path.add(at)
        at = _parent(nodes[at])
    return path


def _ordered(nodes: _Nodes, said: set[str]) -> list[str]:
    """Return all nodes, parents first, branches as they came, the one that was said last.

    Nodes that no root leads to (a ring) come at the end.
    """
    children: defaultdict[str | None, list[str]] = defaultdict(list)
    for id, node in nodes.items():
        parent = _parent(node)
        children[parent if parent in nodes else None].append(id)
    order: dict[str, None] = {}
    waiting = sorted(children[None], key=lambda id: id in said)[::-1]
    while waiting:
        id = waiting.pop()
        order[id] = None
        waiting += sorted(children[id], key=lambda child: child in said)[::-1]
    return [*order, *(id for id in nodes if id not in order)]


def _turn(
    message: _Message, id: str, record: str, file: str, thread_id: str, *, said: bool
) -> Read:
    if message.dropped:
        return Skipped(record, message.dropped, failed=False, thread_id=thread_id)
    time = message.create_time
    occurred = None if time is None else read_epoch(time, what="create_time")
    return RawTurn(
        record=record,
        source=Source(name, file, message.id or id),
        thread_id=thread_id,
        speaker=message.author.name,
        role=message.author.role,
        kind=message.kind if said else EpisodeKind.OFF_BRANCH,
        text=message.words or ", ".join(message.files),
        occurred_at=occurred.instant if occurred else None,
        occurred_precision=occurred.precision if occurred else Precision.UNKNOWN,
        attachments=message.files,
    )
