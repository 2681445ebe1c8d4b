"""From a question to what a store is asked."""

from __future__ import annotations

from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.index import terms, words
from graphmem.model import HitKind, Vector
from graphmem.ports import SearchRequest
from graphmem.temporal import FOREVER, Interval, Precision

CANDIDATES = 100
"""How many candidates of each kind a channel brings at least; 150 find 0.004 more at a third more
time (LoCoMo, fraction of the evidence within ten), 64 find 0.005 less."""
LONGEST_QUESTION = 10_000
MOST_TERMS = 256
_LAST = FOREVER.replace(year=FOREVER.year - 1)


def request(
    query: str,
    *,
    vector: Vector | None,
    valid: datetime,
    recorded: datetime,
    limit: int,
    kinds: frozenset[HitKind],
    channels: frozenset[str],
    threads: frozenset[str] | None = None,
    speakers: frozenset[str] | None = None,
    during: Interval | None = None,
    events: frozenset[str] = frozenset(),
) -> SearchRequest:
    """Return what a store is asked for a question.

    Of a long question the first 10,000 characters count, and of these the first 256 distinct
    terms; names are looked for among the first 512 words.

    Args:
        query: Words in any language.
        vector: The question's embedding, or None: no vector channel.
        valid: Edges that hold, episodes that have occurred by then.
        recorded: What the store believed then.
        limit: How many hits are wanted; at least 100 candidates a channel are asked for.
        kinds: Edges, episodes or both.
        channels: Some of ``lexical``, ``vector``, ``graph``.
        threads: Only what was said in these.
        speakers: Only what these people said.
        during: Instead of at ``valid``: edges that hold at some time in it, episodes that occurred
            inside.
        events: Relations whose edges have happened by ``valid`` rather than hold then.

    Raises:
        InvalidInput: The question is empty.
    """
    if not query.strip():
        raise InvalidInput(f"nothing to search for in {query!r}; give a question or some words")
    asked = query[:LONGEST_QUESTION]
    instant = min(valid, _LAST)
    return SearchRequest(
        terms=tuple(dict.fromkeys(terms(asked)))[:MOST_TERMS],
        names=words(asked)[: 2 * MOST_TERMS],
        vector=vector,
        kinds=kinds,
        channels=channels,
        valid=during or Interval(instant, Precision.INSTANT.end(instant)),
        recorded=recorded,
        occurred_by=during.end if during else valid,
        threads=threads,
        speakers=speakers,
        during=during,
        limit=max(limit, CANDIDATES),
        events=frozenset() if during else events,
    )
