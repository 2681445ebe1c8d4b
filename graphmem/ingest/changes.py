"""Several decisions of one unit of work as one."""

from __future__ import annotations

from dataclasses import fields
from itertools import chain

from graphmem.model import Changes


def merged(*parts: Changes) -> Changes:
    """Return all parts' rows as one, in order."""
    return Changes(
        **{
            field.name: tuple(chain.from_iterable(getattr(part, field.name) for part in parts))
            for field in fields(Changes)
        }
    )
