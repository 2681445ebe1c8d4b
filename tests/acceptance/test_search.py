"""Acceptance E and F1: search through the public API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

import numpy as np
import pytest

from graphmem import InvalidInput, Memory
from graphmem.model import Vector
from graphmem.testing import HashEmbedder

Open = Callable[..., Memory]


def on(month: int, day: int = 1) -> datetime:
    return datetime(2024, month, day, tzinfo=UTC)


@pytest.fixture
def filled(opener: Open) -> Memory:
    memory = opener(extractor="none")
    memory.add_many(
        [
            {
                "text": f"Note {n} about the quarterly budget and the rollout of part {n % 7}.",
                "speaker": "Ann" if n % 2 else "Ben",
                "thread_id": f"t{n // 20}",
                "occurred_at": on(1, 1 + n % 28),
            }
            for n in range(60)
        ]
    )
    memory.assert_fact("Ann", "leads", "Atlas", occurred_at=on(2), quote="Ann leads Atlas")
    memory.assert_fact("Ann", "works at", "Northfern", occurred_at=on(2))
    return memory


def test_e1_odd_queries_and_limits_are_answered_or_refused(filled: Memory) -> None:
    assert len(filled.search("budget", limit=3)) == 3
    assert len(filled.search("budget", limit=100)) > 50
    assert filled.search("zebra", channels=["lexical"]) == []
    assert isinstance(filled.search("the of and"), list)
    assert isinstance(filled.search("?!… --- ///"), list)
    assert filled.search("budget " * 2000)
    assert filled.search("rollout " + "x" * 10_000)
    for bad in ("", "   ", "\n\t"):
        with pytest.raises(InvalidInput, match="question"):
            filled.search(bad)
    for limit in (0, -1):
        with pytest.raises(InvalidInput, match=str(limit)):
            filled.search("budget", limit=limit)
    assert len(filled.search("budget")) == 10


def test_e1_settings_do_not_leak_between_calls(filled: Memory) -> None:
    before = filled.search("budget rollout")
    filled.search("budget", limit=1, channels=["graph"], kinds=["edge"], threads=["t0"])

    assert filled.search("budget rollout") == before


@pytest.mark.parametrize("channel", ["lexical", "vector", "graph"])
def test_e2_each_channel_works_alone_and_says_so(filled: Memory, channel: str) -> None:
    hits = filled.search("Where does Ann of Northfern work?", channels=[channel])

    assert hits
    assert {name for hit in hits for name in hit.channels} == {channel}
    with pytest.raises(InvalidInput, match="smell"):
        filled.search("Ann", channels=["smell"])


def test_e2_without_a_model_search_is_lexical_and_by_graph(opener: Open) -> None:
    memory = Memory(
        opener()._store,  # pyright: ignore[reportPrivateUsage]
        group_id="team",
        extractor=None,
        embedder=None,
        clock=lambda: on(12),
    )
    memory.add("Ann leads Atlas.", speaker="Cyd", occurred_at=on(1))
    memory.assert_fact("Ann", "leads", "Atlas", occurred_at=on(1))

    found = {name for hit in memory.search("Who leads Atlas?") for name in hit.channels}
    assert found == {"lexical", "graph"}


@pytest.mark.parametrize("size", [10, 300])
def test_e3_a_unique_token_is_found_first(opener: Open, size: int) -> None:
    memory = opener(extractor="none")
    turns: list[dict[str, object]] = [
        {"text": f"The status of ticket SR-2023-{n:03} is open.", "occurred_at": on(1)}
        for n in range(size)
    ]
    memory.add_many(turns)

    for wanted in ("SR-2023-007", "sr-2023-003"):
        (first, *_) = memory.search(f"what is the status of {wanted}?")
        assert wanted.upper() in first.text


def test_e6_hits_carry_no_vectors_and_keep_to_a_budget(filled: Memory) -> None:
    hits = filled.search("budget rollout", limit=50)
    some = filled.search("budget rollout", limit=50, max_tokens=60)

    assert not any(isinstance(value, np.ndarray) for hit in hits for value in _values(asdict(hit)))
    assert some == hits[: len(some)]
    assert 1 <= len(some) < len(hits)
    assert sum(len(hit.text) for hit in some) <= 4 * 60
    assert len(filled.search("budget", max_tokens=1)) == 1


def _values(tree: object) -> list[object]:
    if isinstance(tree, dict):
        return [leaf for value in tree.values() for leaf in _values(value)]  # pyright: ignore
    if isinstance(tree, list | tuple):
        return [leaf for value in tree for leaf in _values(value)]  # pyright: ignore
    return [tree]


def test_e7_a_broad_question_is_answered(filled: Memory) -> None:
    assert filled.search("What do you know?")
    assert filled.search("Tell me everything about everything, please")


def test_e8_every_hit_names_its_source(filled: Memory) -> None:
    for hit in filled.search("Who leads Atlas? budget", limit=20):
        assert hit.citations
        for citation in hit.citations:
            assert citation.quote
            assert citation.occurred_at is not None
        if hit.episode is not None:
            assert hit.citations[0].episode_id == hit.episode.id
            assert hit.citations[0].thread_id == hit.episode.thread_id


class Broken(HashEmbedder):
    def __init__(self, vector: Vector) -> None:
        super().__init__()
        self._vector = vector

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector for _ in texts]


@pytest.mark.parametrize(
    "vector",
    [
        np.ones(3, np.float32),
        np.zeros(64, np.float32),
        np.full(64, np.nan, np.float32),
    ],
)
def test_e9_a_vector_that_cannot_be_compared_is_refused_at_the_write(
    opener: Open, vector: Vector
) -> None:
    memory = opener(embedder=Broken(vector), extractor="none")

    with pytest.raises(InvalidInput, match=r"vector|dimension"):
        memory.add("hello")
    assert memory.episodes() == []


def test_filters_apply_before_the_limit(filled: Memory) -> None:
    filled.add("budget", speaker="Cyd", thread_id="quiet", occurred_at=on(3))

    assert [h.text for h in filled.search("budget", threads=["quiet"])] == ["budget"]
    assert [h.text for h in filled.search("budget", speakers=["Cyd"], limit=1)] == ["budget"]
    assert {h.kind for h in filled.search("Atlas", kinds=["edge"])} == {"edge"}


def test_groups_never_meet_in_a_search(filled: Memory) -> None:
    before = filled.search("budget")
    filled.add("budget budget budget", group_id="other", occurred_at=on(1))

    assert filled.search("budget") == before
    assert [h.text for h in filled.search("budget", group_id="other")] == ["budget budget budget"]
    assert filled.search("budget", group_id="nobody") == []


def test_a_search_as_of_the_past_sees_nothing_later(filled: Memory) -> None:
    filled.assert_fact("Ben", "leads", "Atlas", occurred_at=on(5))

    def leaders(month: int) -> list[str]:
        hits = filled.search("Who leads Atlas?", kinds=["edge"], as_of=on(month))
        return [h.edge.subject for h in hits if h.edge and h.edge.relation == "leads"]

    assert leaders(3) == ["Ann"]
    assert leaders(6) == ["Ben"]
    assert all(
        h.episode is None or (h.episode.occurred_at or on(1)) <= on(1, 10)
        for h in filled.search("budget", as_of=on(1, 10), limit=100)
    )


def test_chinese_is_found(opener: Open) -> None:
    memory = opener(extractor="none")
    memory.add("陈薇批准了样机预算。", speaker="何俊", occurred_at=on(1))
    memory.add("样品到了，十二箱。", speaker="陈薇", occurred_at=on(1, 2))

    assert memory.search("谁批准了预算？")[0].text == "陈薇批准了样机预算。"
