"""Seeded statements about one-at-a-time slots, and how each reads to the oracle.

A cluster is a few people or things of one family of relations, with names of its own, so that no
cluster touches another. What is told: affirmations with and without stated bounds, by the relation
or its inverse, ends and denials with and without an object, plans, late news, events that begin or
end the state. Times are days after ``EPOCH``; in a cluster each is said on another day.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from benchmarks.oracle import HIGH, LOW, Happening, Spans, Value, Word, concluded, one_value
from benchmarks.ways import relation
from graphmem import ALWAYS, FOREVER, Cardinality, Edge, Relation

EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
_DAY = 86_400_000_000
_LAST = 60
SEAT = relation("sits at", cardinality=Cardinality.ONE_TO_ONE, inverse="seat of")
"""One-to-one and not symmetric: the packaged relations have none."""

_AUTHORITIES = {
    "record": (1, 8),
    "person": (1, 5),
    "edit": (1, 2),
    "assistant": (2, 3),
    "inferred": (2, 1),
    "pinned": (0, 1),
}
"""Tier and weight."""


@dataclass(frozen=True, slots=True)
class Family:
    """Relations that are concluded together.

    Attributes:
        name: What is measured under this name.
        relations: Names and, if there is one, the inverse of each.
        cardinality: One of the four, ``"excluded"`` where relations exclude one another.
        begins, ends: Events that do so to the first relation.
        symmetric: Either end may come first.
        ends_of: How many subjects and objects a cluster has.
    """

    name: str
    relations: Mapping[str, str | None]
    cardinality: str
    begins: str | None = None
    ends: str | None = None
    symmetric: bool = False
    ends_of: tuple[int, int] = (1, 3)

    def lanes(self, value: Value) -> Collection[Hashable]:
        """Return where a value needs to be alone."""
        subject, relation, object = value
        match self.cardinality:
            case "many-to-one":
                return [("subject", subject)]
            case "one-to-many":
                return [("object", object)]
            case "one-to-one":
                sides = ("end", "end") if self.symmetric else ("subject", "object")
                return [*zip(sides, (subject, object), strict=True)]
            case _:
                pair = (subject, object)
                return [(*pair, *sorted((relation, o))) for o in EXCLUDES[relation]]


EXCLUDES = {
    "likes": ("dislikes", "hates"),
    "loves": ("dislikes", "hates"),
    "dislikes": ("likes", "loves"),
    "hates": ("likes", "loves"),
}
FAMILIES = (
    Family("many-to-one", {"lives in": "home of"}, "many-to-one", "moved to", "moved out of"),
    Family(
        "many-to-one, two", {"works at": "employs"}, "many-to-one", "joined", "left", False, (2, 3)
    ),
    Family(
        "one-to-many", {"leads": "led by"}, "one-to-many", "took over", "handed over", False, (3, 2)
    ),
    Family("inverse", {"manages": "reports to"}, "one-to-many", ends_of=(3, 1)),
    Family("one-to-one", {"sits at": "seat of"}, "one-to-one", ends_of=(3, 3)),
    Family("symmetric", {"married to": None}, "one-to-one", "married", "divorced", True, (4, 0)),
    Family(
        "excluded",
        {"likes": "liked by", "loves": "loved by", "dislikes": "disliked by", "hates": "hated by"},
        "excluded",
        ends_of=(1, 2),
    ),
)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Statements of one family about a few names."""

    family: Family
    facts: Sequence[Mapping[str, Any]]
    words: Sequence[Word]
    happened: Sequence[Happening]

    def expected(self) -> dict[Value, Spans]:
        """Return what the oracle concludes about the states."""
        symmetric = [*self.family.relations] if self.family.symmetric else []
        return concluded(self.words, self.family.lanes, happened=self.happened, symmetric=symmetric)


def clusters(total: int, seed: int) -> Iterator[Cluster]:
    """Yield clusters with ``total`` statements in all."""
    random = Random(seed)
    for number in count():
        if total <= 0:
            return
        size = min(total, random.randint(3, 14))
        total -= size
        yield _Teller(FAMILIES[number % len(FAMILIES)], number, random).cluster(size)


class _Teller:
    def __init__(self, family: Family, number: int, random: Random) -> None:
        self._family, self._random = family, random
        subjects, objects = family.ends_of
        self._subjects = [f"Ann {number}.{n}" for n in range(subjects)]
        self._objects = [f"Bay {number}.{n}" for n in range(objects)] or self._subjects

    def cluster(self, size: int) -> Cluster:
        told: list[tuple[Mapping[str, Any], Word | Happening]] = []
        for said in self._random.sample(range(_LAST), size):
            event = self._family.begins is not None and self._random.random() < 0.2
            told.append(self._event(said) if event else self._state(said))
        return Cluster(
            self._family,
            [fact for fact, _ in told],
            [word for _, word in told if isinstance(word, Word)],
            [word for _, word in told if isinstance(word, Happening)],
        )

    def _pair(self) -> tuple[str, str]:
        subject = self._random.choice(self._subjects)
        return subject, self._random.choice([o for o in self._objects if o != subject])

    def _value(self, subject: str, relation: str, object: str) -> Value:
        if self._family.symmetric:
            subject, object = sorted((subject, object))
        return Value(subject, relation, object)

    def _state(self, said: int) -> tuple[Mapping[str, Any], Word]:
        kind = self._random.choices(["affirms", "ends", "denies"], [7, 2, 1])[0]
        start, end = self._bounds(said, kind)
        relation = self._random.choice([*self._family.relations])
        subject, object = self._pair()
        names = one_value(self._value(subject, relation, object))
        told: tuple[str, str, str | None] = (subject, relation, object)
        inverse = self._family.relations[relation]
        if kind != "affirms" and self._random.random() < 0.3:
            names, told = (subject, relation), (subject, relation, None)
        elif inverse is not None and self._random.random() < 0.3:
            told = (object, inverse, subject)
        return self._statement(told, names, kind, said, start, end)

    def _bounds(self, said: int, kind: str) -> tuple[int | None, int | None]:
        """Return a start and an end in days: none, past, or ahead (a plan)."""
        random = self._random
        if kind == "ends":
            return None, random.choice([None, self._day()])
        start = random.choice([None, None, None, self._day(), self._day()])
        if random.random() < 0.7:
            return start, None
        return start, (said - 10 if start is None else start) + random.randint(1, 25)

    def _day(self) -> int:
        return self._random.randint(-5, _LAST + 10)

    def _event(self, said: int) -> tuple[Mapping[str, Any], Happening]:
        subject, object = self._pair()
        start = self._random.choice([None, self._day()])
        begins = self._random.random() < 0.6
        event = (self._family.begins if begins else self._family.ends) or ""
        (state,) = self._family.relations
        names = one_value(self._value(subject, state, object))
        told = (subject, event, object)
        fact, word = self._statement(told, names, "affirms", said, start, None)
        return fact, Happening(told, begins, word)

    def _statement(
        self,
        told: tuple[str, str | None, str | None],
        names: frozenset[Value] | tuple[str, str],
        kind: str,
        said: int,
        start: int | None,
        end: int | None,
    ) -> tuple[Mapping[str, Any], Word]:
        weights = [weight for _, weight in _AUTHORITIES.values()]
        authority = self._random.choices([*_AUTHORITIES], weights)[0]
        fact = {
            "subject": told[0],
            "relation": told[1],
            "object": told[2],
            "kind": kind,
            "authority": authority,
            "occurred_at": _instant(said),
            "valid_from": None if start is None else _instant(start),
            "valid_to": None if end is None else _instant(end),
        }
        first, last = (None if day is None else day * _DAY for day in (start, end))
        tier, _ = _AUTHORITIES[authority]
        return fact, Word(names, kind, said * _DAY, first, last, tier, (said,))


def _instant(day: int) -> datetime:
    return EPOCH + timedelta(days=day)


def spans(edges: Sequence[Edge], symmetric: Callable[[str], bool]) -> dict[Value, Spans]:
    """Return edges in the form of ``concluded``."""
    found: dict[Value, Spans] = {}
    for edge in edges:
        ends = (edge.subject, edge.object)
        first, second = sorted(ends) if symmetric(edge.relation) else ends
        span = (_micros(edge.valid.start), _micros(edge.valid.end))
        found.setdefault(Value(first, edge.relation, second), []).append(span)
    return {value: sorted(own) for value, own in found.items()}


def _micros(instant: datetime) -> int:
    if instant in (ALWAYS, FOREVER):
        return LOW if instant == ALWAYS else HIGH
    return (instant - EPOCH) // timedelta(microseconds=1)


def declared() -> list[Relation]:
    """Return what the clusters need besides the packaged relations."""
    return [SEAT]
