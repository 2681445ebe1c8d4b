"""What follows from statements, worked out the slow way and apart from the engine.

Time is cut into cells at every instant that anybody named, and each cell is painted by one value a
lane. Everything that was said is looked at for everything else; nothing is indexed, gathered or
kept. Times are whole microseconds; every bound is exact to the microsecond.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

LOW, HIGH = -(10**18), 10**18
"""Always and forever."""

Spans: TypeAlias = list[tuple[int, int]]


class Value(NamedTuple):
    """A fact in its relation's own direction; of a symmetric one the lesser name comes first."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Word:
    """One statement. ``order``: the greater, the later the word; equal for no two."""

    names: frozenset[Value] | tuple[str, str]
    kind: str
    said: int | None
    start: int | None
    end: int | None
    tier: int
    order: tuple[int, ...]

    @property
    def value(self) -> Value:
        """What an affirmation says."""
        assert isinstance(self.names, frozenset)
        (value,) = self.names
        return value

    @property
    def of_any(self) -> bool:
        """Whether it names no object: "Ann leads nothing any more"."""
        return isinstance(self.names, tuple)

    @property
    def until(self) -> bool:
        """Whether all that it states is an end that had passed."""
        passed = self.end is not None and (self.said is None or self.end <= self.said)
        return self.start is None and passed

    @property
    def ended(self) -> int | None:
        """When an ``ends`` says it ended."""
        return self.end if self.end is not None else self.said


@dataclass(frozen=True, slots=True)
class Happening:
    """An event that begins or ends a state: the word affirms it in terms of the state's value.

    ``event`` is the event itself: who, what, whom.
    """

    event: tuple[str, str, str]
    begins: bool
    word: Word

    def effect(self) -> Word:
        """Return what it says about the state."""
        word = self.word
        return word if self.begins else replace(word, kind="ends", start=None, end=word.start)


@dataclass(slots=True)
class _Claim:
    word: Word
    first: int
    through: int
    stop: int
    denied: Spans

    @property
    def value(self) -> Value:
        return self.word.value

    @property
    def presumed(self) -> bool:
        return self.word.end is None

    def explicit(self) -> tuple[int, int]:
        return self.first, max(self.first, min(self.through, self.stop))


def one_value(value: Value) -> frozenset[Value]:
    return frozenset({value})


def concluded(
    words: Sequence[Word],
    lanes: Callable[[Value], Collection[Hashable]],
    *,
    happened: Sequence[Happening] = (),
    symmetric: Collection[str] = (),
) -> dict[Value, Spans]:
    """Return what holds uncontested, half-open, in order.

    Args:
        words: All that was said of some relations; in any order.
        happened: Events that begin or end them; one that was put off has no effect.
        lanes: Two values that share one cannot hold at once.
        symmetric: Relations whose "anything" means either end.
    """
    effects = [h.effect() for h in happened if not _put_off(h, happened)]
    return _Board([*words, *effects], lanes, symmetric).painted()


class _Board:
    def __init__(
        self,
        words: Sequence[Word],
        lanes: Callable[[Value], Collection[Hashable]],
        symmetric: Collection[str],
    ) -> None:
        self._lanes, self._symmetric = lanes, symmetric
        times = {t for w in words for t in (w.said, w.start, w.end) if t is not None}
        self._cuts = sorted({LOW, HIGH, *(t + d for t in times for d in (-1, 0, 1))})
        self._paint: dict[tuple[Hashable, int], Value] = {}
        claims = [_claim(w) for w in words if w.kind == "affirms"]
        claims = self._without_denied(claims, [w for w in words if w.kind == "denies"])
        claims = [c for c in claims if not _replaced(c, claims)]
        told = [w for w in words if w.kind == "ends"]
        self._ends = told + [c.word for c in claims if c.word.end is not None]
        self._claims = [c for c in claims if not self._belongs_to_ended(c, claims)]
        for claim in self._claims:
            self._shorten(claim)

    def painted(self) -> dict[Value, Spans]:
        cells: dict[Value, set[int]] = {}
        for tier in sorted({c.word.tier for c in self._claims}):
            some = [c for c in self._claims if c.word.tier == tier]
            some.sort(key=lambda c: c.word.order, reverse=True)
            held = [(c, self._place(c)) for c in some]
            for claim, got in held:
                if claim.word.until and got:
                    got |= self._reach_back(claim, min(got))
                cells.setdefault(claim.value, set()).update(got)
        return {value: self._spans(got) for value, got in cells.items() if got}

    def _without_denied(self, claims: Iterable[_Claim], denials: Iterable[Word]) -> list[_Claim]:
        kept: list[_Claim] = []
        for claim in claims:
            claim.denied = [
                (LOW if d.start is None else d.start, HIGH if d.end is None else d.end)
                for d in denials
                if self._names(d, claim.value) and _corrects(d, claim.word)
            ]
            span = claim.explicit() if claim.first < claim.through else (LOW, claim.stop)
            if not claim.denied or self._free(claim, self._cells(*span)):
                kept.append(claim)
        return kept

    def _names(self, word: Word, value: Value) -> bool:
        if isinstance(word.names, frozenset):
            return value in word.names
        subject, relation = word.names
        ends = {value.subject}
        if relation in self._symmetric:
            ends.add(value.object)
        return relation == value.relation and subject in ends

    def _told(self, claim: _Claim) -> list[Word]:
        return [
            end
            for end in self._ends
            if end is not claim.word
            and self._names(end, claim.value)
            and _corrects(end, claim.word)
        ]

    def _belongs_to_ended(self, claim: _Claim, claims: Iterable[_Claim]) -> bool:
        word = claim.word
        if word.start is not None or word.until or word.said is None:
            return False
        near = [
            c
            for c in claims
            if c.word.tier <= word.tier and (c.value == claim.value or self._rivals(c, claim))
        ]
        began = min(c.first for c in near if c.value == claim.value)
        for end in self._told(claim):
            at = end.ended
            if at is None or at > word.said or not _later(end, word):
                continue
            renewed = any(
                at <= c.first <= claim.first
                and (c.value != claim.value or c.word.start is not None)
                for c in near
            )
            if not renewed and (not end.of_any or began <= at):
                return True
        return False

    def _shorten(self, claim: _Claim) -> None:
        word, stop = claim.word, claim.stop
        for end in self._told(claim):
            at = claim.through if end.ended is None else end.ended
            anywhere = word.until and _later(end, word)
            if (anywhere or claim.first < at) and at < stop:
                stop = at
        if stop < claim.stop and word.until:
            claim.first = stop - 1
        claim.stop = stop

    def _rivals(self, one: _Claim, other: _Claim) -> bool:
        shared = set(self._lanes(one.value)) & set(self._lanes(other.value))
        return one.value != other.value and bool(shared)

    def _place(self, claim: _Claim) -> set[int]:
        explicit = self._free(claim, self._cells(*claim.explicit()))
        got = {cell for cell in explicit if not self._taken(claim, cell)}
        undated = claim.first == claim.through
        if claim.presumed and (undated or self._cell(claim.through - 1) in got):
            got |= self._presumed(claim)
        for cell in got:
            for lane in self._lanes(claim.value):
                self._paint[lane, cell] = claim.value
        return got

    def _presumed(self, claim: _Claim) -> set[int]:
        word = claim.word
        barriers = {claim.stop}
        for end in self._ends:
            undated = end.kind == "ends" and end.said is None and word.said is not None
            if self._names(end, claim.value) and end.tier <= word.tier and not undated:
                barriers.add(HIGH if end.ended is None else end.ended)
        for plan in self._claims:
            later = plan.word.tier == word.tier and plan.word.order < word.order
            if plan.word.start is not None and later and self._rivals(plan, claim):
                barriers.add(plan.first)
        got: set[int] = set()
        for cell in self._cells(claim.through, HIGH):
            if self._cuts[cell] in barriers or self._taken(claim, cell):
                break
            got.add(cell)
        return self._free(claim, got)

    def _reach_back(self, claim: _Claim, first: int) -> set[int]:
        got: set[int] = set()
        for cell in range(first - 1, -1, -1):
            painted = any((lane, cell) in self._paint for lane in self._lanes(claim.value))
            if painted or not self._free(claim, [cell]):
                break
            got.add(cell)
        for cell in got:
            for lane in self._lanes(claim.value):
                self._paint[lane, cell] = claim.value
        return got

    def _taken(self, claim: _Claim, cell: int) -> bool:
        painted = (self._paint.get((lane, cell)) for lane in self._lanes(claim.value))
        return any(value is not None and value != claim.value for value in painted)

    def _free(self, claim: _Claim, cells: Iterable[int]) -> set[int]:
        at = self._cuts
        return {c for c in cells if not any(low <= at[c] < high for low, high in claim.denied)}

    def _cell(self, instant: int) -> int:
        return bisect_left(self._cuts, instant)

    def _cells(self, start: int, end: int) -> range:
        return range(self._cell(start), self._cell(end))

    def _spans(self, cells: Iterable[int]) -> Spans:
        spans: Spans = []
        for cell in sorted(cells):
            start, end = self._cuts[cell], self._cuts[cell + 1]
            if spans and spans[-1][1] == start:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        return spans


def _claim(word: Word) -> _Claim:
    first = LOW if word.said is None else word.said
    first = first if word.start is None else word.start
    if word.end is not None:
        return _Claim(word, word.end - 1 if word.until else first, word.end, word.end, [])
    if word.said is None and word.start is None:
        return _Claim(word, LOW, LOW, HIGH, [])
    through = max(first, LOW if word.said is None else word.said) + 1
    return _Claim(word, first, through, HIGH, [])


def _later(one: Word, other: Word) -> bool:
    if one.said is None:
        return other.said is None and (one.kind != "affirms" or one.order > other.order)
    return other.said is None or one.said > other.said


def _corrects(one: Word, other: Word) -> bool:
    if one.said is None and other.said is not None:
        return False
    return one.tier < other.tier or (one.tier == other.tier and _later(one, other))


def _replaced(claim: _Claim, claims: Iterable[_Claim]) -> bool:
    """Tell whether a newer plan of the same value was told before this one began."""
    return _moved(claim.word, [c.word for c in claims if c.value == claim.value])


def _put_off(one: Happening, happened: Iterable[Happening]) -> bool:
    return _moved(one.word, [h.word for h in happened if h.event == one.event])


def _moved(plan: Word, newer: Iterable[Word]) -> bool:
    if not _is_plan(plan) or plan.start is None:
        return False
    return any(
        _is_plan(w)
        and w.tier == plan.tier
        and _later(w, plan)
        and w.said is not None
        and w.said < plan.start
        for w in newer
    )


def _is_plan(word: Word) -> bool:
    return word.start is not None and word.said is not None and word.start > word.said
