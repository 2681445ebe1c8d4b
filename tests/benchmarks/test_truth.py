"""A sample of each suite that ``make bench-truth`` runs whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.case import Row, wrongs
from benchmarks.oracle import HIGH, LOW, Value, Word, concluded, one_value
from benchmarks.suites import arrival_order, icews14, intervals, one_at_a_time
from benchmarks.telling import FAMILIES, clusters
from benchmarks.ways import Way
from graphmem import Authority

WAYS = (
    Way("sqlite", shuffled=False, size=100),
    Way("sqlite", shuffled=True, size=None),
    Way("reference", shuffled=True, size=100),
)
ONE_BY_ONE = (
    Way("sqlite", shuffled=True, size=1),
    Way("reference", shuffled=True, size=1),
)


def right(rows: Iterator[Row], *, least: int) -> None:
    found = list(rows)
    assert len(found) >= least
    assert wrongs(found) == []


@pytest.mark.parametrize("way", [*WAYS, *ONE_BY_ONE], ids=str)
@pytest.mark.parametrize("name", ["wikidata12k", "yago11k"])
def test_every_right_value_of_a_year_is_found(data_dir: Path, name: str, way: Way) -> None:
    size = 150 if way in ONE_BY_ONE else 600

    right(intervals.measured(intervals.read(data_dir, name).sample(size), way), least=30)


@pytest.mark.parametrize("name", ["wikidata12k", "yago11k"])
def test_facts_and_questions_that_cannot_be_are_those_known(data_dir: Path, name: str) -> None:
    found = intervals.read(data_dir, name)
    counts = {reason: len(facts) for reason, facts in found.refused.items()}
    before_one = sum(question["as_of_year"] < 1 for question in found.questions)

    assert counts == intervals.REFUSED[name]
    assert before_one == intervals.UNANSWERABLE[name]


@pytest.mark.parametrize("way", [*WAYS, *ONE_BY_ONE], ids=str)
def test_first_and_last_before_and_after_are_found(data_dir: Path, way: Way) -> None:
    size = 150 if way in ONE_BY_ONE else 600

    right(icews14.measured(icews14.read(data_dir).sample(size), way), least=30)


@pytest.mark.parametrize("way", [*WAYS, *ONE_BY_ONE], ids=str)
def test_slots_conclude_what_the_oracle_does(way: Way) -> None:
    size = 200 if way in ONE_BY_ONE else 1500

    right(one_at_a_time.measured(list(clusters(size, 11)), way), least=20)


@pytest.mark.parametrize("story", arrival_order.STORIES, ids=lambda story: story.relation)
@pytest.mark.parametrize(("store", "orders"), [("reference", 40), ("sqlite", 4)])
def test_order_and_batches_of_arrival_change_nothing(
    story: arrival_order.Story, store: str, orders: int
) -> None:
    right(arrival_order.measured(story, store, orders), least=orders * 4)


def test_a_fact_left_out_is_noticed(data_dir: Path) -> None:
    way = WAYS[0]
    dated, events = intervals.read(data_dir, "yago11k").sample(200), icews14.read(data_dir)
    events, found = events.sample(200), list(clusters(200, 11))
    fewer = [replace(cluster, facts=cluster.facts[:-1]) for cluster in found]
    story = arrival_order.STORIES[0]
    shorter = replace(story, facts=story.facts[1:])
    measured: Sequence[Callable[[], Iterator[Row]]] = (
        lambda: intervals.measured(replace(dated, facts=dated.facts[::2]), way),
        lambda: icews14.measured(replace(events, facts=events.facts[::2]), way),
        lambda: one_at_a_time.measured(fewer, way),
        lambda: arrival_order.measured(shorter, "reference", 2),
    )

    assert [bool(wrongs(list(rows()))) for rows in measured] == [True] * 4


def test_statements_are_of_every_kind() -> None:
    words = [w for c in clusters(2000, 11) for w in (*c.words, *(h.word for h in c.happened))]
    told = {
        "plans": sum(
            w.start is not None and w.said is not None and w.start > w.said for w in words
        ),
        "until": sum(w.until and w.kind == "affirms" for w in words),
        "late": sum(w.start is not None and w.said is not None and w.start < w.said for w in words),
        "ends of anything": sum(w.of_any and w.kind == "ends" for w in words),
        "denials": sum(w.kind == "denies" for w in words),
        "lower tier": sum(w.tier == 2 for w in words),
        "events": sum(len(c.happened) for c in clusters(2000, 11)),
    }

    assert min(told.values()) > 30, told
    assert {c.family.name for c in clusters(2000, 11)} == {family.name for family in FAMILIES}


def test_the_oracle_agrees_with_every_named_case(data_dir: Path) -> None:
    authorities = list(Authority)
    lines = (data_dir / "conclude" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    wrong: list[str] = []
    for line in lines:
        case = json.loads(line)
        words: list[Word] = []
        for place, s in enumerate(sorted(case["statements"], key=lambda s: s["id"])):
            names = one_value(Value("ann", "r", s["value"])) if s["value"] else ("ann", "r")
            authority = Authority(s["authority"])
            said = LOW if s["said"] is None else s["said"]
            order = (said, -authorities.index(authority), place)
            times = (s["said"], s["start"], s["end"])
            words.append(Word(names, s["kind"], *times, authority.tier, order))
        found = {
            value.object: [[_tick(start), _tick(end)] for start, end in spans]
            for value, spans in concluded(words, lambda value: (value.subject,)).items()
        }
        if found != case["expected"]:
            wrong.append(f"{case['case']}: {found}, not {case['expected']}")

    assert len(lines) == 640
    assert wrong == []


def _tick(instant: int) -> int | None:
    return None if instant in (LOW, HIGH) else instant
