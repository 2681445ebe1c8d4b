"""Extractors by name."""

from __future__ import annotations

from typing import Final

from graphmem.errors import InvalidInput
from graphmem.extraction.local import LocalExtractor
from graphmem.ports import Extractor

EXTRACTORS: Final = ("local", "none")


def load(name: str) -> Extractor | None:
    """Return the extractor of a name; None for ``"none"``: turns are stored and searched only.

    Raises:
        InvalidInput: There is no such extractor.
        MissingExtra: Its extra is not installed.
        ModelUnavailable: Its model is not.
    """
    if name == "none":
        return None
    if name == "local":
        return LocalExtractor()
    raise InvalidInput(f"unknown extractor {name!r}; use one of {', '.join(EXTRACTORS)}")
