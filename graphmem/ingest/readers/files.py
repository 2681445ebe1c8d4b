"""Files of records: JSON a line, or one JSON array, plain or gzip; a bad record fails alone."""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast
from zipfile import BadZipFile

from graphmem.errors import InvalidInput
from graphmem.ingest.readers.record import Skipped
from graphmem.model import Json

RECORD_LIMIT = 64 << 20
"""Largest record in bytes: images inside a chat are text and may be long."""
BROKEN = (OSError, EOFError, zlib.error, BadZipFile)
"""What reading a damaged file raises."""

Record: TypeAlias = tuple[str, dict[str, Json]]
"""Where a record stands, and its JSON object."""
Split: TypeAlias = Callable[[BinaryIO], Iterator[bytes]]
"""``lines`` or ``elements``."""

_CHUNK = 1 << 20
_HEAD = 4 << 20
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_PART = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+[\[\]{}]', re.DOTALL)
"""Everything up to and with the next bracket outside of strings; never backtracks."""


@contextmanager
def opened(path: Path) -> Generator[BinaryIO]:
    """Open a file for reading, unpacked if it is gzip, past a UTF-8 mark.

    Raises:
        InvalidInput: It cannot be opened, or is UTF-16.
    """
    try:
        with path.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
            plain.seek(0)
            stream = cast(BinaryIO, gzip.GzipFile(fileobj=plain)) if packed else plain
            yield past_mark(stream, path.name)
    except BROKEN as error:
        raise InvalidInput(f"cannot read {str(path)!r}: {error}") from error


def past_mark(stream: BinaryIO, file: str) -> BinaryIO:
    """Return ``stream`` past a UTF-8 byte order mark.

    Raises:
        InvalidInput: It is UTF-16.
    """
    start = stream.read(3)
    if start[:2] in _UTF16:
        raise InvalidInput(f"{file!r} is UTF-16; save it as UTF-8")
    if start != _BOM:
        stream.seek(0)
    return stream


def read_records(path: Path, split: Split) -> Iterator[Record | Skipped]:
    """Yield the JSON objects of a file, numbered from 1; see ``records``."""
    with opened(path) as stream:
        yield from records(split(stream), path.name)


def records(pieces: Iterator[bytes], file: str) -> Iterator[Record | Skipped]:
    """Yield the JSON object in each piece; blank pieces count but are left out.

    Where the file is damaged or cut off, one failed record stands for the rest.

    Raises:
        InvalidInput: It is damaged before the first piece ends.
    """
    number = 0
    try:
        for number, piece in enumerate(pieces, start=1):
            if piece.strip():
                yield _record(f"{file}:{number}", piece)
    except (InvalidInput, *BROKEN) as error:
        if number == 0:
            raise InvalidInput(f"cannot read {file!r}: {error}") from error
        reason = f"cannot read on from here: {error}; what stands before it was read"
        yield Skipped(f"{file}:{number + 1}", reason, failed=True)


def first_object(path: Path, split: Split) -> dict[str, Json]:
    """Return the first record of a file that is a JSON object, or an empty one.

    Raises:
        InvalidInput: The file cannot be opened.
    """
    with opened(path) as stream:
        return first_of(stream, split)


def first_of(stream: BinaryIO, split: Split) -> dict[str, Json]:
    """Return the first record that is a JSON object, or an empty one; reads at most 4 MiB."""
    try:
        found = records(split(BytesIO(stream.read(_HEAD))), "")
        first = next((record for record in found if not isinstance(record, Skipped)), None)
    except (InvalidInput, *BROKEN):
        return {}
    return first[1] if first else {}


def _record(label: str, piece: bytes) -> Record | Skipped:
    try:
        return label, _object(piece)
    except InvalidInput as error:
        return Skipped(label, str(error), failed=True)


def _object(piece: bytes) -> dict[str, Json]:
    if len(piece) > RECORD_LIMIT:
        raise InvalidInput(f"longer than {RECORD_LIMIT} bytes; split it into several records")
    try:
        value: Json = json.loads(piece.decode())
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8: {error.reason} at byte {error.start}") from error
    except RecursionError as error:
        raise InvalidInput("not JSON that can be read: nested too deeply") from error
    except ValueError as error:
        raise InvalidInput(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidInput(f"not a JSON object but {type(value).__name__}")
    return _whole(value) if rb"\ud" in piece.lower() else value


def _whole(value: dict[str, Json]) -> dict[str, Json]:
    """Return ``value`` with half characters (a cut emoji) replaced by U+FFFD."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """Cut a stream into lines; of one that is too long only the beginning is kept."""
    while line := stream.readline(RECORD_LIMIT + 1):
        yield line
        while len(line) > RECORD_LIMIT and not line.endswith(b"\n"):
            line = stream.readline(RECORD_LIMIT + 1)


def elements(stream: BinaryIO) -> Iterator[bytes]:
    """Cut a stream that holds a JSON array of objects into their texts.

    An object is found by its brackets alone, so one that cannot be read leaves the others whole.

    Raises:
        InvalidInput: It is no array, or an element is larger than ``RECORD_LIMIT``.
        EOFError: It ends inside the array.
    """
    parts = _parts(stream)
    if next(parts, b"").strip() != b"[":
        raise InvalidInput("it is not a JSON array")
    depth, held = 1, bytearray()
    for part in parts:
        opens = part.endswith((b"[", b"{"))
        if depth == 1:
            yield from _filled(part[:-1])
            part = part[-1:]
        depth += 1 if opens else -1
        held += part
        if depth == 0:
            return
        if depth == 1:
            yield bytes(held)
            held.clear()
        if len(held) > RECORD_LIMIT:
            raise InvalidInput(f"a record is longer than {RECORD_LIMIT} bytes")
    raise EOFError("the file ends before its array does")


def _filled(between: bytes) -> list[bytes]:
    """Return what stands between two objects, if it is more than what separates them."""
    left = between.strip(b", \t\r\n")
    return [left] if left else []


def _parts(stream: BinaryIO) -> Iterator[bytes]:
    """Cut a stream after each bracket that stands outside of strings; drop what follows the last.

    Each read doubles what is held, so a long string costs linear time.
    """
    held = b""
    while chunk := stream.read(max(_CHUNK, len(held))):
        held += chunk
        start = 0
        while part := _PART.match(held, start):
            yield part[0]
            start = part.end()
        held = held[start:]
        if len(held) > RECORD_LIMIT:
            raise InvalidInput(f"a record is longer than {RECORD_LIMIT} bytes")


def stem(path: Path) -> str:
    """Return a file's name without ``.gz`` and its ending, NFC: what names a chat without an id."""
    return unicodedata.normalize("NFC", Path(path.name.removesuffix(".gz")).stem)
