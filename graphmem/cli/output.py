"""What is printed: data on stdout, the rest on stderr; stored text never drives a terminal."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper

import typer

from graphmem.errors import GraphMemError
from graphmem.model import Json

_SPACE = re.compile(r"\s+")
_JOINERS = "\u200c\u200d"
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# JSON leaves these as they are; a terminal may obey them.
_OBEYED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Return text on one line, without characters that move, colour or turn a terminal's own."""
    line = _SPACE.sub(" ", text)
    return "".join(c for c in line if c in _JOINERS or unicodedata.category(c) not in _DROPPED)


def show(line: str) -> None:
    """Print one line of data."""
    print(line)


def show_json(document: Mapping[str, Json]) -> None:
    """Print a document as one line of JSON; nothing in it is lost, nothing is obeyed."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not utf8)
    show(_OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def say(line: str) -> None:
    """Print one line for people, on stderr; what comes from elsewhere must be ``plain``."""
    print(line, file=sys.stderr)


@contextmanager
def guarded() -> Generator[None]:
    """Turn what may go wrong into a message and an exit code; a bug keeps its traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with _plain_warnings():
        try:
            yield
            sys.stdout.flush()
        except GraphMemError as error:
            say(f"error: {plain(str(error))}")
            raise typer.Exit(1) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(130) from error
        except BrokenPipeError as error:
            # Whoever read has had enough: what is left goes nowhere, also when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from error


@contextmanager
def _plain_warnings() -> Generator[None]:
    said: set[str] = set()

    def once(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in said:
            said.add(str(message))
            say(f"warning: {plain(str(message))}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = once
        yield
