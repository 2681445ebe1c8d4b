"""As-of questions over facts that state their own interval: wikidata12k and yago11k.

Each fact is a statement of the set's day with the bounds of its row; its relation is a
many-to-many state, for the sets hold many right values at one instant. A year is answered by
overlap. Right is the exact set of what certainly and what may have held then.

Facts of years before 1 and facts that end before they begin must be refused, and the number of
each must be the known one. A year known in part (``19##``) is an unknown bound.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from benchmarks.case import Row
from benchmarks.ways import ALL_FACTS, SAMPLE, SAMPLED, Facts, Way, relation, told
from graphmem import Interval, InvalidInput, Memory

_SAID = datetime(2021, 8, 27, tzinfo=UTC)
_YEAR = re.compile(r"(-?\d+)-(?:##|\d)")
BEFORE_ONE, REVERSED = "years before 1", "reversed"
REFUSED: Mapping[str, Mapping[str, int]] = {
    "wikidata12k": {BEFORE_ONE: 0, REVERSED: 10},
    "yago11k": {BEFORE_ONE: 10, REVERSED: 70},
}
"""How many facts of each set cannot be, by the reason."""
UNANSWERABLE: Mapping[str, int] = {"wikidata12k": 0, "yago11k": 3}
"""How many questions ask for a year before 1."""


@dataclass(frozen=True, slots=True)
class Set:
    """Facts and questions; ``refused`` are the facts that must not get in, by the reason."""

    name: str
    facts: Facts
    refused: Mapping[str, Facts]
    questions: Sequence[Mapping[str, Any]]

    def sample(self, size: int) -> Set:
        """Return about ``size`` facts: all of some (subject, relation) pairs that are asked for."""
        wanted = Counter((f["subject"], f["relation"]) for f in self.facts)
        pairs: set[tuple[str, str]] = set()
        count = 0
        for q in self.questions:
            pair = (q["subject"], q["relation"])
            if pair not in pairs and count + wanted[pair] <= size:
                pairs.add(pair)
                count += wanted[pair]
        facts = [f for f in self.facts if (f["subject"], f["relation"]) in pairs]
        questions = [q for q in self.questions if (q["subject"], q["relation"]) in pairs]
        return Set(self.name, facts, self.refused, questions)


def wikidata12k(data: Path) -> Iterator[Row]:
    return _rows(read(data, "wikidata12k"))


def yago11k(data: Path) -> Iterator[Row]:
    return _rows(read(data, "yago11k"))


def _rows(found: Set) -> Iterator[Row]:
    for way in ALL_FACTS:
        yield from measured(found, way)
    for way in SAMPLED:
        yield from measured(found.sample(SAMPLE), way)


def read(data: Path, name: str) -> Set:
    """Read a set; the facts that must be refused are told by the dates alone."""
    with gzip.open(data / name / "facts.tsv.gz", "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][1:]
    facts: list[Mapping[str, Any]] = []
    refused: dict[str, list[Mapping[str, Any]]] = {BEFORE_ONE: [], REVERSED: []}
    for line in lines:
        reason = _impossible(*(_year(text) for text in line[3:5]))
        (refused[reason] if reason else facts).append(_fact(line))
    with gzip.open(data / name / "asof_queries_dev.jsonl.gz", "rt", encoding="utf-8") as file:
        return Set(name, facts, refused, [json.loads(line) for line in file])


def _impossible(start: int | None, end: int | None) -> str | None:
    known = [year for year in (start, end) if year is not None]
    if any(year < 1 for year in known):
        return BEFORE_ONE
    return REVERSED if known != sorted(known) else None


def _fact(line: Sequence[str]) -> Mapping[str, Any]:
    return {
        "subject": line[0],
        "relation": line[1],
        "object": line[2],
        "valid_from": _bound(line[3]),
        "valid_to": _bound(line[4]),
        "occurred_at": _SAID,
    }


def _year(text: str) -> int | None:
    found = _YEAR.match(text)
    return int(found[1]) if found else None


def _bound(text: str) -> str | None:
    """Return a date as exactly as the set knows it; a month or day that is none is left out."""
    year = _year(text)
    if year is None or year < 1:
        return None if year is None else str(year)
    parts = text.split("-")
    kept = [f"{year:04}", *(part for part in parts[1:] if part.isdecimal())]
    try:
        date(year, *(int(part) for part in (*kept[1:], "1", "1")[:2]))
    except ValueError:
        kept = kept[:1]
    return "-".join(kept)


def measured(found: Set, way: Way) -> Iterator[Row]:
    """Yield a row a question, and one with how much was refused, for facts told in one way.

    Raises:
        AssertionError: Something that cannot be was taken, or another number of it than is known.
    """
    relations = [relation(name) for name in sorted({f["relation"] for f in found.facts})]
    with told(way, found.facts, relations) as memory:
        counts = {reason: _refusals(memory, facts) for reason, facts in found.refused.items()}
        assert counts == REFUSED[found.name], f"{found.name}: refused {counts}"
        yield Row(found.name, "graphmem", "refused", str(way), counts)
        for question in found.questions:
            if question["as_of_year"] >= 1:
                yield _answered(found.name, memory, question, way)


def _refusals(memory: Memory, facts: Facts) -> int:
    refused = 0
    for fact in facts:
        try:
            memory.assert_fact(**fact)
        except InvalidInput:
            refused += 1
    return refused


def _answered(name: str, memory: Memory, question: Mapping[str, Any], way: Way) -> Row:
    year = question["as_of_year"]
    during = Interval(*(datetime(y, 1, 1, tzinfo=UTC) for y in (year, year + 1)))
    answers = memory.match(question["subject"], question["relation"], during=during, limit=10_000)
    right = {*question["valid"], *question["valid_if_open_ended"]}
    figures = {"right": float({answer.object for answer in answers} == right)}
    return Row(name, "graphmem", question["qid"], str(way), figures)
