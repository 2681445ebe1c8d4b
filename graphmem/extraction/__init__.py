"""Readers of statements: turns in, claims out."""

from __future__ import annotations

from graphmem.errors import InvalidInput
from graphmem.extraction.local import LocalExtractor
from graphmem.ports import Extractor

EXTRACTORS = ("local", "none")
"""Names that ``load`` knows."""

__all__ = ["EXTRACTORS", "LocalExtractor", "load"]


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
