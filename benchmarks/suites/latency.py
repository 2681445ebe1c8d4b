"""Latency: CPU time of one search in a group of 10,000 edges and 10,000 episodes, made here.

The question's embedding is not counted: it is made once before. The peer does the least that
a search can do with the same two sources: rank-bm25 over the same texts, a dot product over the
same vectors, one sum, one sort.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.case import Row
from benchmarks.peers import Bm25
from benchmarks.vectors import Remembering, Seeded
from graphmem import Memory

EDGES = EPISODES = 10_000
QUESTIONS = 200
_TOPICS = "rollout budget contract database migration server review launch holiday deadline".split()
_VERBS = ["uses", "knows", "visited", "supports", "depends on", "develops"]


def rows(data: Path) -> Iterator[Row]:
    """Yield a row a question and system, in milliseconds of CPU; needs no data set."""
    del data
    rng = random.Random(7)
    model = Remembering(Seeded())
    with (
        TemporaryDirectory() as folder,
        Memory.open(
            f"sqlite:{Path(folder, 'm.db')}", group_id="g", embedder=model, extractor=None
        ) as memory,
    ):
        _fill(memory, rng)
        yield from _measured(memory, model, rng)


def _fill(memory: Memory, rng: random.Random) -> None:
    start = datetime(2024, 1, 1, tzinfo=UTC)
    people = [f"Person{n:04}" for n in range(1500)]
    turns = [
        {
            "text": f"{_sentence(rng)} {rng.choice(people)} said item {n}.",
            "speaker": rng.choice(people),
            "thread_id": f"t{n // 50}",
            "occurred_at": start + timedelta(minutes=n),
        }
        for n in range(EPISODES)
    ]
    memory.add_many(turns)
    facts = (
        {
            "subject": rng.choice(people),
            "relation": rng.choice(_VERBS),
            "object": f"{rng.choice(_TOPICS)} {n}",
            "occurred_at": start + timedelta(minutes=n),
        }
        for n in range(EDGES)
    )
    memory.assert_many(facts)


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(_TOPICS, k=8)) + f" word{rng.randrange(4000)}."


def _measured(memory: Memory, model: Remembering, rng: random.Random) -> Iterator[Row]:
    texts = [f"{e.speaker}: {e.text}" for e in memory.episodes(limit=EPISODES)]
    texts += [edge.fact for edge in memory.edges()]
    bm25, matrix = Bm25(texts), np.stack(model.embed(texts))
    questions = [
        f"What did Person{rng.randrange(1500):04} say about the {_sentence(rng)}"
        for _ in range(QUESTIONS)
    ]

    def peer(question: str) -> None:
        scores = bm25.scores(question) + matrix @ model.embed_query(question)
        np.argpartition(-scores, 10)

    systems: dict[str, Callable[[str], object]] = {"graphmem": memory.search, "brute force": peer}
    for question in questions:
        model.embed_query(question)
    for system, search in systems.items():
        search(questions[0])
        for number, question in enumerate(questions):
            began = time.process_time()
            search(question)
            spent = (time.process_time() - began) * 1e3
            yield Row("latency", system, f"q{number}", "10k", {"search_cpu_ms": spent})
