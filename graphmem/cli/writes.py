"""The commands that write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from graphmem.cli import documents
from graphmem.cli.options import GROUP, STORE, AsJson, Group, Store
from graphmem.cli.output import plain, say, show, show_json
from graphmem.memory import Memory
from graphmem.model import Extraction, Outcome, Receipt

SOME_FAILED = 3
"""Exit code of a write that stored what it could, but not all."""
_LISTED = 20


class Reader(StrEnum):
    """Who reads facts out of turns."""

    LOCAL = "local"
    NONE = "none"


Facts = Annotated[
    Reader,
    typer.Option(
        "--extractor", help="Who reads facts out of turns: rules on this machine, or nobody."
    ),
]


def ingest(
    source: Annotated[list[Path], typer.Argument(help="Files or folders of conversations.")],
    format: Annotated[
        str | None,
        typer.Option("--format", help="Name of the reader. Default: told from the content."),
    ] = None,
    extractor: Facts = Reader.LOCAL,
    timezone: Annotated[
        str | None,
        typer.Option(
            "--timezone",
            metavar="ZONE",
            help="Zone of times that have none, like Europe/Berlin. Default: such records fail.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    group: Group = GROUP,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Read conversations into the memory.

    What is there already is left as it is. Stop it at any time and start it again: what was stored
    stays, and nothing is doubled. With --json one receipt a record goes to stdout. Exits with 3 if
    some records failed.
    """
    zone = _zone(timezone)
    count: Counter[str] = Counter()
    try:
        with Memory.open(store, group_id=group, extractor=str(extractor)) as memory:
            for path in source:
                receipts = memory.ingest(
                    path, format=format, extractor=str(extractor), timezone=zone
                )
                for receipt in _progress(receipts, path.name, quiet=quiet):
                    _note(receipt, count, as_json=as_json)
    finally:
        _sum_up(count, as_json=as_json)
    if _failed(count):
        raise typer.Exit(SOME_FAILED)


def add(
    text: Annotated[str, typer.Argument(help="The words, kept as they are.")],
    speaker: Annotated[
        str | None, typer.Option("--speaker", help='Who said it: the "I" in the words.')
    ] = None,
    thread: Annotated[
        str | None, typer.Option("--thread", help="The conversation. Default: live.")
    ] = None,
    occurred_at: Annotated[
        str | None,
        typer.Option("--occurred-at", metavar="TIME", help="When it was said. Default: now."),
    ] = None,
    extractor: Facts = Reader.LOCAL,
    group: Group = GROUP,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Store one turn and read its facts."""
    with Memory.open(store, group_id=group, extractor=str(extractor)) as memory:
        receipt = memory.add(text, speaker=speaker, thread_id=thread, occurred_at=occurred_at)
    if as_json:
        show_json(documents.receipt(receipt))
    else:
        show(plain(f"{receipt.outcome} {receipt.episode_id}"))
    if receipt.extraction is Extraction.FAILED:
        say(plain(f"its facts were not read: {receipt.reason}"))
        raise typer.Exit(SOME_FAILED)


def _zone(name: str | None) -> tzinfo | None:
    try:
        return None if name is None else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise typer.BadParameter(f"no time zone {name!r}; write it like Europe/Berlin") from error


def _progress(receipts: Iterator[Receipt], name: str, *, quiet: bool) -> Iterator[Receipt]:
    """Count records on stderr while they are stored; nothing if that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TextColumn("{task.completed} records"),
        TimeElapsedColumn(),
    )
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(plain(name), total=None)
        for receipt in receipts:
            yield receipt
            progress.advance(task)


def _note(receipt: Receipt, count: Counter[str], *, as_json: bool) -> None:
    unread = receipt.extraction is Extraction.FAILED
    count[str(receipt.outcome)] += 1
    count["unread"] += unread
    if as_json:
        show_json(documents.receipt(receipt))
    elif (unread or receipt.outcome is Outcome.FAILED) and _failed(count) <= _LISTED:
        what = "facts not read" if unread else "failed"
        say(plain(f"{what}: {receipt.record}: {receipt.reason}"))


def _failed(count: Counter[str]) -> int:
    return count[Outcome.FAILED] + count["unread"]


def _sum_up(count: Counter[str], *, as_json: bool) -> None:
    if as_json:
        return
    if _failed(count) > _LISTED:
        say(f"and {_failed(count) - _LISTED} more; --json lists all")
    read = sum(count[outcome] for outcome in Outcome)
    show(f"{read} read: " + ", ".join(f"{count[outcome]} {outcome}" for outcome in Outcome))
    if count["unread"]:
        show(f"facts not read: {count['unread']}")
