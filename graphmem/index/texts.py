"""Which text stands for a record in search, and the hash that its vector is kept by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from graphmem.index.words import terms
from graphmem.model import Episode


def text_hash(text: str) -> str:
    """Return the SHA-256 of the text in UTF-8, in hexadecimal; half surrogate pairs count."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def turn_text(episode: Episode) -> str:
    """Return what is indexed and embedded for an episode: ``"Speaker: text"``."""
    return f"{episode.speaker}: {episode.text}" if episode.speaker else episode.text


def window_text(before: Episode | None, this: Episode, after: Episode | None) -> str:
    """Return what is embedded as an episode's window: up to three turns, one a line.

    ``before`` and ``after`` are its neighbours among the current turns of its thread.
    """
    return "\n".join(turn_text(turn) for turn in (before, this, after) if turn is not None)


def edge_terms(fact: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the terms an edge is found by.

    The fact's terms, then each term of its ends' names and aliases that the fact lacks, once.
    """
    told = terms(fact)
    named = dict.fromkeys(term for name in names for term in terms(name))
    return (*told, *(term for term in named if term not in told))
