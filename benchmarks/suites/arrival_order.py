"""Six changing facts in every order of arrival and in batches: the best-known edges stay the same.

``right``: what was worked out by hand from the rule of the engine. ``same``: row for row (ends,
bounds, precision, contested claims) as in the order in which things were said. ``sentence``: each
row also shows the same sentence; a row keeps the one it was recorded with while somebody says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from benchmarks.case import Row
from benchmarks.ways import SEED, batches, opened
from graphmem import ALWAYS, FOREVER, Edge, Interval

SIZES = (1, 2, 3, 6)
ORDERS = {"reference": 720, "sqlite": 60}
_EPOCH = datetime(2024, 1, 1, tzinfo=UTC)

Spans: TypeAlias = list[tuple[str, int, int | None]]
"""Subject and object, first day, day after the last; None: open."""


@dataclass(frozen=True, slots=True)
class Story:
    """Six facts in the order in which they were said, and what they come to."""

    name: str
    relation: str
    facts: Sequence[Mapping[str, Any]]
    expected: Spans


def _fact(
    said: int,
    told: str,
    *,
    start: int | None = None,
    end: int | None = None,
    kind: str = "affirms",
    by: str = "person",
) -> Mapping[str, Any]:
    subject, relation, object = told.split(" | ")
    return {
        "subject": subject,
        "relation": relation,
        "object": object,
        "kind": kind,
        "authority": by,
        "occurred_at": _day(said),
        "valid_from": None if start is None else _day(start),
        "valid_to": None if end is None else _day(end),
    }


def _day(day: int) -> datetime:
    return _EPOCH + timedelta(days=day)


STORIES = (
    Story(
        "a plan that moves, late news, a return",
        "works at",
        (
            _fact(2, "Ann | works at | Acme"),
            _fact(4, "Ann | works at | Beta", start=30),
            _fact(9, "Beta | employs | Ann", start=40),
            _fact(20, "Ann | works at | Acme", end=15, kind="ends"),
            _fact(22, "Ann | works at | Acme", start=21),
            _fact(25, "Ann | works at | Cyan", start=16, end=18),
        ),
        [("Ann Acme", 2, 15), ("Ann Cyan", 16, 18), ("Ann Acme", 21, 40), ("Ann Beta", 40, None)],
    ),
    Story(
        "couples, an event that ends one, a plan",
        "married to",
        (
            _fact(3, "Ann | married to | Ben"),
            _fact(10, "Ann | divorced | Ben", start=8),
            _fact(12, "Cyd | married to | Ann", start=9),
            _fact(14, "Ben | married to | Dan"),
            _fact(20, "Dan | married to | Cyd", start=30),
            _fact(24, "Ann | married to | Cyd"),
        ),
        [("Ann Ben", 3, 8), ("Ann Cyd", 9, 30), ("Ben Dan", 14, 30), ("Cyd Dan", 30, None)],
    ),
    Story(
        "a denied successor, events, an assistant's claim",
        "leads",
        (
            _fact(2, "Ann | leads | Atlas"),
            _fact(5, "Ben | leads | Atlas", by="assistant"),
            _fact(10, "Ann | handed over | Atlas", start=8),
            _fact(11, "Cyd | took over | Atlas", start=12),
            _fact(13, "Cyd | leads | Atlas", kind="denies"),
            _fact(16, "Atlas | led by | Dan", start=14),
        ),
        [("Ann Atlas", 2, 8), ("Dan Atlas", 14, None)],
    ),
)


def rows(data: Path) -> Iterator[Row]:
    """Yield a row an order, batching and store; no data is read."""
    del data
    for story in STORIES:
        for store, orders in ORDERS.items():
            yield from measured(story, store, orders)


def measured(story: Story, store: str, orders: int) -> Iterator[Row]:
    """Yield a row for each of so many orders, drawn without repeats, in batches of each size."""
    drawn = Random(SEED).sample([*permutations(range(len(story.facts)))], orders)
    first = _edges(story, store, range(len(story.facts)), 1)
    for order in drawn:
        case = f"{story.name}: {''.join(map(str, order))}"
        for size in SIZES:
            found = _edges(story, store, order, size)
            right = _spans(found) == sorted(story.expected, key=repr)
            same = list(map(_content, found)) == list(map(_content, first))
            sentence = same and [edge.fact for edge in found] == [edge.fact for edge in first]
            figures = {"right": float(right), "same": float(same), "sentence": float(sentence)}
            yield Row("arrival_order", "graphmem", case, f"{store}, by {size}", figures)


def _edges(story: Story, store: str, order: Sequence[int], size: int) -> list[Edge]:
    with opened(store) as memory:
        for batch in batches([story.facts[place] for place in order], size):
            memory.assert_many(batch)
        during = Interval(ALWAYS, FOREVER)
        answers = memory.match(relation=story.relation, during=during, include_contested=True)
        return sorted((answer.edge for answer in answers), key=_content)


def _content(edge: Edge) -> tuple[Any, ...]:
    ends = (edge.subject_id, edge.relation, edge.object_id)
    bounds = (edge.valid, edge.start_precision, edge.end_precision)
    return (*ends, *bounds, edge.contested)


def _spans(edges: Sequence[Edge]) -> Spans:
    found: Spans = []
    for edge in edges:
        if not edge.contested:
            ends = (edge.subject, edge.object)
            names = " ".join(sorted(ends) if edge.relation == "married to" else ends)
            end = None if edge.valid.end == FOREVER else (edge.valid.end - _EPOCH).days
            found.append((names, (edge.valid.start - _EPOCH).days, end))
    return sorted(found, key=repr)
