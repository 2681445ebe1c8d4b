"""Which reader reads what, and reading any source with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from itertools import islice
from os import PathLike
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.ingest.readers import chatgpt, jsonl, locomo, openai_messages
from graphmem.ingest.readers.record import Read, Reader, Skipped

_READERS: tuple[Reader, ...] = (chatgpt, jsonl, locomo, openai_messages)

FORMATS: Mapping[str, Reader] = {reader.name: reader for reader in _READERS}
"""All readers by name, in order of name."""


def named(name: str) -> Reader:
    """Return the reader of a format.

    Raises:
        InvalidInput: There is no such format; the message lists those that there are.
    """
    if name not in FORMATS:
        raise InvalidInput(f"no format {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def detect(path: Path) -> Reader:
    """Return the one reader that knows a file, or a folder as a whole.

    Raises:
        InvalidInput: None or several do, or there is nothing to read at ``path``.
    """
    _must_exist(path)
    known = [reader for reader in FORMATS.values() if reader.sniff(path)]
    if len(known) == 1:
        return known[0]
    found = " and ".join(reader.name for reader in known) or "no known format"
    raise InvalidInput(
        f"{str(path)!r} looks like {found}; name the format with --format: {', '.join(FORMATS)}"
    )


def read_source(
    source: str | PathLike[str] | Iterable[Mapping[str, object]],
    *,
    format: str | None = None,
    timezone: tzinfo | None = None,
    only: str | None = None,
) -> Iterator[Read]:
    """Yield every record of a source; each thread in its order, one bad record stops nothing.

    Args:
        source: A file; a folder, read file by file in order of name unless a format takes it as a
            whole; or turns as mappings with the keys of ``jsonl``.
        format: One of ``FORMATS``; None: as the content tells, file by file.
        timezone: Zone of times without one; None: such a record fails.
        only: Read one conversation: the thread of this id, or those whose ids begin with it and a
            colon (``"conv-26"`` of a LoCoMo file).

    Raises:
        InvalidInput: Nothing can be read, or no turn is of ``only``; with what to do next.
    """
    if isinstance(source, str | PathLike):
        path = Path(source).expanduser()
        reader = None if format is None else named(format)
        found = _read_path(path, reader, timezone)
    elif format not in (None, jsonl.name):
        raise InvalidInput(f"turns given as mappings are of format 'jsonl', not {format!r}")
    else:
        found = jsonl.read_mappings(source, thread_id="default", timezone=timezone)
    return found if only is None else _only(found, only)


def _read_path(path: Path, reader: Reader | None, timezone: tzinfo | None) -> Iterator[Read]:
    _must_exist(path)
    if not path.is_dir():
        return (reader or detect(path)).read(path, timezone=timezone)
    readers = [reader] if reader else list(FORMATS.values())
    whole = next((known for known in readers if known.sniff(path)), None)
    return whole.read(path, timezone=timezone) if whole else _folder(path, readers, timezone)


def _must_exist(path: Path) -> None:
    if not path.exists():
        raise InvalidInput(f"there is no file or folder {str(path)!r}")


def _folder(path: Path, readers: Sequence[Reader], timezone: tzinfo | None) -> Iterator[Read]:
    empty = True
    for file in sorted(path.iterdir()):
        try:
            known = [reader for reader in readers if reader.sniff(file)]
            if len(known) == 1:
                empty = False
                yield from known[0].read(file, timezone=timezone)
            else:
                reason = "several formats know it" if known else "no format knows it"
                yield Skipped(file.name, reason, failed=bool(known))
        except InvalidInput as error:
            yield Skipped(file.name, str(error), failed=True)
    if empty:
        formats = ", ".join(reader.name for reader in readers)
        raise InvalidInput(f"no file in the folder {str(path)!r} is of a known format: {formats}")


def _only(found: Iterable[Read], only: str) -> Iterator[Read]:
    others: dict[str, None] = {}
    missing = True
    for record in found:
        thread_id = record.thread_id
        if thread_id is None or thread_id == only or thread_id.startswith(f"{only}:"):
            missing = missing and isinstance(record, Skipped)
            yield record
        else:
            others[thread_id] = None
    if missing:
        there = ", ".join(repr(thread_id) for thread_id in islice(others, 5))
        raise InvalidInput(f"no conversation {only!r} in the source; it holds {there or 'none'}")
