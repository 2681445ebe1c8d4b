"""Readers of statements: turns in, claims out."""

from graphmem.extraction.loading import EXTRACTORS, load
from graphmem.extraction.local import LocalExtractor

__all__ = ["EXTRACTORS", "LocalExtractor", "load"]
