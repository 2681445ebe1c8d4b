"""Arguments and options that commands share."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Literal, TypeAlias

import typer

from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.temporal import AsOf, parse_instant

Store: TypeAlias = Annotated[
    str, typer.Option("--store", envvar="GRAPHMEM_STORE", help="Where the memory is: sqlite:PATH.")
]
Group: TypeAlias = Annotated[
    str, typer.Option("--group", envvar="GRAPHMEM_GROUP", help="Whose memory; groups never meet.")
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON, one object a line, instead of text.")
]
ValidAt: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        help="What held then: 2025, 2025-03, 2025-03-05 or 2025-03-05T10:00:00Z. Default: now.",
    ),
]
RecordedAt: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--recorded-as-of",
        metavar="TIME",
        help="What the memory believed then. Default: what it believes now.",
    ),
]
Limit: TypeAlias = Annotated[int, typer.Option("--limit", min=1, help="How many at most.")]

STORE = "sqlite:memory.db"
GROUP = "default"


@contextmanager
def reading(store: str, group: str, *, vectors: bool = False) -> Generator[Memory]:
    """Open a store that must exist, to read; a model is loaded only if ``vectors`` are wanted."""
    model: Literal["default"] | None = "default" if vectors else None
    with Memory.open(store, group_id=group, embedder=model, read_only=True) as memory:
        yield memory


def instants(valid: str | None, recorded: str | None) -> AsOf | None:
    """Return the point in both times that a read is made at; None: now.

    Raises:
        BadParameter: A text that is no time, or one without a zone.
    """
    if valid is None and recorded is None:
        return None
    try:
        return AsOf(
            None if valid is None else parse_instant(valid, what="--as-of").instant,
            None if recorded is None else parse_instant(recorded, what="--recorded-as-of").instant,
        )
    except InvalidInput as error:
        raise typer.BadParameter(str(error)) from error
