"""20,000 statements about slots that hold one value at a time, beside an oracle.

Right is a cluster of slots whose uncontested edges are what ``benchmarks.oracle`` works out, value
by value and bound by bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.case import Row
from benchmarks.oracle import Spans, Value
from benchmarks.telling import FAMILIES, Cluster, clusters, declared, spans
from benchmarks.ways import ALL_FACTS, SAMPLE, SAMPLED, SEED, Way, told
from graphmem import ALWAYS, FOREVER, Interval, Memory

TOTAL = 20_000


def rows(data: Path) -> Iterator[Row]:
    """Yield a row a cluster and way; no data is read."""
    del data
    found = list(clusters(TOTAL, SEED))
    for way in ALL_FACTS:
        yield from measured(found, way)
    for way in SAMPLED:
        yield from measured(list(clusters(SAMPLE, SEED + 1)), way)


def measured(found: Sequence[Cluster], way: Way) -> Iterator[Row]:
    """Yield a row a cluster, for statements told in one way; clusters come mixed."""
    with told(way, _mixed(found), declared()) as memory:
        held = _held(memory)
    for number, cluster in enumerate(found):
        expected = cluster.expected()
        names = _names(cluster.facts)
        got = {value: own for name in names for value, own in held.get(name, {}).items()}
        case = f"{cluster.family.name} {number}"
        figures = {"right": float(got == expected)}
        yield Row("one_at_a_time", "graphmem", case, str(way), figures)


def _mixed(found: Sequence[Cluster]) -> list[Mapping[str, Any]]:
    """Return all facts, those of a cluster in order and far apart."""
    random = Random(SEED)
    placed = [
        (at, fact)
        for cluster in found
        for at, fact in zip(
            sorted(random.random() for _ in cluster.facts), cluster.facts, strict=True
        )
    ]
    return [fact for _, fact in sorted(placed, key=lambda pair: pair[0])]


def _names(facts: Sequence[Mapping[str, Any]]) -> set[str]:
    return {fact[end] for fact in facts for end in ("subject", "object") if fact[end]}


def _held(memory: Memory) -> dict[str, dict[Value, Spans]]:
    """Return all uncontested edges of the states, by subject."""
    symmetric = {name for family in FAMILIES if family.symmetric for name in family.relations}
    held: dict[str, dict[Value, Spans]] = {}
    for family in FAMILIES:
        for relation in family.relations:
            answers = memory.match(
                relation=relation, during=Interval(ALWAYS, FOREVER), limit=10 * TOTAL
            )
            edges = [answer.edge for answer in answers]
            for value, own in spans(edges, symmetric.__contains__).items():
                held.setdefault(value.subject, {})[value] = own
    return held
