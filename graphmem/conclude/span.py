"""Half-open spans of time as bare pairs: placing a slot makes many of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias

Span: TypeAlias = tuple[datetime, datetime]
"""``[start, end)``, UTC, never empty."""


def without(spans: Iterable[Span], cuts: Iterable[Span]) -> list[Span]:
    """Return what is left of ``spans`` after removing every one of ``cuts``, in order."""
    left = list(spans)
    for cut in cuts:
        left = [piece for span in left for piece in _cut(span, cut)]
    return left


def _cut(span: Span, cut: Span) -> list[Span]:
    start, end = span
    if cut[1] <= start or end <= cut[0]:
        return [span]
    before = [(start, cut[0])] if start < cut[0] else []
    return [*before, (cut[1], end)] if cut[1] < end else before


def shared(span: Span, other: Span) -> list[Span]:
    """Return the part that both cover: one span or none."""
    start, end = max(span[0], other[0]), min(span[1], other[1])
    return [(start, end)] if start < end else []
