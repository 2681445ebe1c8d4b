"""Questions before, after, first and last over dated events: icews14.

Each event happens on its day. A question is one pattern read during a span, and the first or last
day among the answers. Right is the exact set of answers.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.case import Row
from benchmarks.ways import ALL_FACTS, SAMPLE, SAMPLED, Facts, Way, relation, told
from graphmem import ALWAYS, FOREVER, Answer, Interval, Memory, Precision, Relation, TemporalKind

_SAID = datetime(2021, 4, 13, tzinfo=UTC)
_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class Set:
    """Events, and questions about them."""

    facts: Facts
    questions: Sequence[Mapping[str, Any]]

    def sample(self, size: int) -> Set:
        """Return about ``size`` events: all of some (relation, object) pairs that are asked for."""
        wanted = Counter((f["relation"], f["object"]) for f in self.facts)
        pairs: set[tuple[str, str]] = set()
        count = 0
        for pair in map(_pair, self.questions):
            if pair not in pairs and count + wanted[pair] <= size:
                pairs.add(pair)
                count += wanted[pair]
        return Set(
            [f for f in self.facts if (f["relation"], f["object"]) in pairs],
            [q for q in self.questions if _pair(q) in pairs],
        )


def _pair(question: Mapping[str, Any]) -> tuple[str, str]:
    return question["args"]["relation"], question["args"]["object"]


def rows(data: Path) -> Iterator[Row]:
    """Yield a row a question and way."""
    found = read(data)
    for way in ALL_FACTS:
        yield from measured(found, way)
    for way in SAMPLED:
        yield from measured(found.sample(SAMPLE), way)


def read(data: Path) -> Set:
    """Read the events and the questions."""
    with gzip.open(data / "icews14" / "events.tsv.gz", "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][1:]
    facts = [
        {
            "subject": subject,
            "relation": relation,
            "object": object,
            "valid_from": day,
            "occurred_at": _SAID,
        }
        for subject, relation, object, day in lines
    ]
    with gzip.open(data / "icews14" / "questions_dev.jsonl.gz", "rt", encoding="utf-8") as file:
        return Set(facts, [json.loads(line) for line in file])


def measured(found: Set, way: Way) -> Iterator[Row]:
    """Yield a row a question, for events told in one way."""
    with told(way, found.facts, _relations(found.facts)) as memory:
        for question in found.questions:
            right = {_plain(answer) for answer in question["answers"]}
            figures = {"right": float(_answers(memory, question) == right)}
            yield Row("icews14", "graphmem", question["qid"], str(way), figures)


def _relations(facts: Facts) -> list[Relation]:
    names = sorted({fact["relation"] for fact in facts})
    return [relation(name, temporal=TemporalKind.EVENT) for name in names]


def _plain(name: str) -> str:
    return " ".join(name.split())


def _answers(memory: Memory, question: Mapping[str, Any]) -> set[str]:
    args, kind = question["args"], question["kind"]
    found = memory.match(
        args.get("subject"),
        args["relation"],
        args["object"],
        during=_span(args),
        limit=_LIMIT,
    )
    if kind.startswith("when"):
        return {_day(answer) for answer in _extreme(found, last=kind == "when_last")}
    if kind.startswith("equal"):
        return {answer.subject for answer in found}
    return {answer.subject for answer in _extreme(found, last=kind in ("last", "before_last"))}


def _span(args: Mapping[str, str]) -> Interval:
    if day := args.get("date"):
        return _unit(day, Precision.DAY)
    if month := args.get("month"):
        return _unit(f"{month}-01", Precision.MONTH)
    if day := args.get("before"):
        return Interval(ALWAYS, _unit(day, Precision.DAY).start)
    if day := args.get("after"):
        return Interval(_unit(day, Precision.DAY).end, FOREVER)
    return Interval(ALWAYS, FOREVER)


def _unit(day: str, precision: Precision) -> Interval:
    start = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return Interval(start, precision.end(start))


def _extreme(found: Sequence[Answer], *, last: bool) -> list[Answer]:
    if not found:
        return []
    starts = [answer.edge.valid.start for answer in found]
    chosen = max(starts) if last else min(starts)
    return [answer for answer in found if answer.edge.valid.start == chosen]


def _day(answer: Answer) -> str:
    return answer.edge.start_precision.text(answer.edge.valid.start)
