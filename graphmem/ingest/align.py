"""Which stored turns the records of a source without message ids are."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

from graphmem.ingest.identity import ContentKey


@dataclass(frozen=True, slots=True)
class Alignment:
    """What became of both sides.

    Attributes:
        ids: For each incoming turn, in order, the stored turn that it is, unchanged or edited
            (``identity.content_hash`` tells which); None: it is new.
        missing: Stored turns that the source no longer has, in order.
    """

    ids: tuple[str | None, ...]
    missing: tuple[str, ...]


class _Pair(NamedTuple):
    """Positions, stored and incoming, of one and the same turn."""

    old: int
    new: int


class _Gap(NamedTuple):
    """A stretch of both sides, half-open, that nothing outside it can match."""

    old: range
    new: range

    def pairs(self) -> Iterable[_Pair]:
        """Return the positions side by side, from the start, while both sides last."""
        return map(_Pair, self.old, self.new)


def align(stored: Sequence[tuple[str, ContentKey]], incoming: Sequence[ContentKey]) -> Alignment:
    """Match a thread as it comes in with the thread as it is stored, both in order.

    Turns with the same words are matched first, in order, so an insertion shifts nothing. In what
    is left between two matches, a stored and an incoming turn of the same speaker and time are
    the same turn, edited. Matches never cross.

    Cost: n log n, except in a stretch where every line occurs more than once: there quadratic,
    as difflib bounds it.

    Source: patience diff (Bram Cohen); Python's difflib for what that leaves.
    """
    old = [key.words for _, key in stored]
    new = [key.words for key in incoming]
    whole = _Gap(range(len(old)), range(len(new)))
    pairs = _same(whole, old, new)
    places = [key.place for _, key in stored], [key.place for key in incoming]
    edited = [pair for gap in _between(pairs, whole) for pair in _same(gap, *places)]
    found = {pair.new: stored[pair.old][0] for pair in (*pairs, *edited)}
    kept = {pair.old for pair in (*pairs, *edited)}
    return Alignment(
        ids=tuple(found.get(j) for j in whole.new),
        missing=tuple(stored[i][0] for i in whole.old if i not in kept),
    )


def _same(whole: _Gap, old: Sequence[Hashable], new: Sequence[Hashable]) -> list[_Pair]:
    pairs: list[_Pair] = []
    gaps = [whole]
    while gaps:
        ends, rest = _trimmed(gaps.pop(), old, new)
        anchors = _anchors(rest, old, new)
        gaps += _between(anchors, rest) if anchors else []
        pairs += ends + (anchors or _blocks(rest, old, new))
    return sorted(pairs)


def _trimmed(
    gap: _Gap, old: Sequence[Hashable], new: Sequence[Hashable]
) -> tuple[list[_Pair], _Gap]:
    """Match the equal turns at both ends of a gap; return them and what lies between."""

    def equal(pair: _Pair) -> bool:
        return old[pair.old] == new[pair.new]

    head = list(takewhile(equal, gap.pairs()))
    left = _Gap(gap.old[len(head) :], gap.new[len(head) :])
    tail = list(takewhile(equal, _Gap(left.old[::-1], left.new[::-1]).pairs()))
    cut = len(tail)
    rest = _Gap(left.old[: len(left.old) - cut], left.new[: len(left.new) - cut])
    return head + tail, rest


def _anchors(gap: _Gap, old: Sequence[Hashable], new: Sequence[Hashable]) -> list[_Pair]:
    """Match what occurs once on each side: the longest run of such pairs that do not cross."""
    there, here = Counter(old[i] for i in gap.old), Counter(new[j] for j in gap.new)
    where = {old[i]: i for i in gap.old if there[old[i]] == 1}
    unique = (j for j in gap.new if here[new[j]] == 1 and new[j] in where)
    return _longest([_Pair(where[new[j]], j) for j in unique])


def _longest(pairs: Sequence[_Pair]) -> list[_Pair]:
    """Return the longest subsequence, ``new`` rising, in which ``old`` rises too."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for i, pair in enumerate(pairs):
        length = bisect_left(ends, pair.old)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [pair.old]
        last[length : length + 1] = [i]
    chain: list[_Pair] = []
    at = last[-1] if last else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _blocks(gap: _Gap, old: Sequence[Hashable], new: Sequence[Hashable]) -> list[_Pair]:
    matcher = SequenceMatcher(None, [old[i] for i in gap.old], [new[j] for j in gap.new])
    return [
        _Pair(gap.old[block.a + k], gap.new[block.b + k])
        for block in matcher.get_matching_blocks()
        for k in range(block.size)
    ]


def _between(pairs: Sequence[_Pair], whole: _Gap) -> list[_Gap]:
    """Return the gaps of ``whole`` between pairs in order, those with turns on both sides."""
    edge = _Pair(whole.old.stop, whole.new.stop)
    start = _Pair(whole.old.start, whole.new.start)
    gaps: list[_Gap] = []
    for pair in (*pairs, edge):
        gaps.append(_Gap(range(start.old, pair.old), range(start.new, pair.new)))
        start = _Pair(pair.old + 1, pair.new + 1)
    return [gap for gap in gaps if gap.old and gap.new]
