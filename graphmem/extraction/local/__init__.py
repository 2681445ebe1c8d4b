"""Statements read by rules, without any model service."""

from graphmem.extraction.local.extractor import LocalExtractor

__all__ = ["LocalExtractor"]
