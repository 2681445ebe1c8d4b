"""Latency: CPU time of one search in a group of 10,000 edges and 10,000 episodes, made here.

Words come from a vocabulary of 5,000 by Zipf's law, turns are 6 to 24 words long, 1,500 people
speak; a question names a person and five words of a turn.

The question's embedding is not counted: it is made once before. The peer does the least that
a search can do with the same two sources: rank-bm25 over the same texts, a dot product over the
same vectors, one sum, one sort.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.case import Row
from benchmarks.peers import Bm25
from benchmarks.vectors import Remembering, Seeded
from graphmem import Memory

EDGES = EPISODES = 10_000
QUESTIONS = 200
_VERBS = ["uses", "knows", "visited", "supports", "depends on", "develops"]
_SYLLABLES = [c + v for c in "bdfgklmnprst" for v in "aeiou"]


class Writer:
    """Makes up people, words and sentences, the same ones every time."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.people = [f"{self._word(2).title()}{n:04}" for n in range(1500)]
        words = dict.fromkeys(self._word(self.random.randint(2, 4)) for _ in range(20_000))
        self._words = list(words)[:5000]
        self._weights = list(accumulate(1 / (n + 10) for n in range(len(self._words))))

    def _word(self, syllables: int) -> str:
        return "".join(self.random.choices(_SYLLABLES, k=syllables))

    def words(self, count: int) -> str:
        return " ".join(self.random.choices(self._words, cum_weights=self._weights, k=count))

    def person(self) -> str:
        return self.random.choice(self.people)


def rows(data: Path) -> Iterator[Row]:
    """Yield a row a question and system, in milliseconds of CPU; needs no data set."""
    del data
    writer = Writer(7)
    model = Remembering(Seeded())
    with (
        TemporaryDirectory() as folder,
        Memory.open(
            f"sqlite:{Path(folder, 'm.db')}", group_id="g", embedder=model, extractor=None
        ) as memory,
    ):
        _fill(memory, writer)
        yield from _measured(memory, model, writer)


def _fill(memory: Memory, writer: Writer) -> None:
    start = datetime(2024, 1, 1, tzinfo=UTC)
    memory.add_many(
        {
            "text": f"{writer.words(writer.random.randint(6, 24))}.",
            "speaker": writer.person(),
            "thread_id": f"t{n // 50}",
            "occurred_at": start + timedelta(minutes=n),
        }
        for n in range(EPISODES)
    )
    memory.assert_many(
        {
            "subject": writer.person(),
            "relation": writer.random.choice(_VERBS),
            "object": f"{writer.words(2)} {n}",
            "occurred_at": start + timedelta(minutes=n),
        }
        for n in range(EDGES)
    )


def _measured(memory: Memory, model: Remembering, writer: Writer) -> Iterator[Row]:
    turns = memory.episodes(limit=EPISODES)
    texts = [f"{turn.speaker}: {turn.text}" for turn in turns]
    texts += [edge.fact for edge in memory.edges()]
    bm25, matrix = Bm25(texts), np.stack(model.embed(texts))
    questions = [_question(writer, writer.random.choice(turns).text) for _ in range(QUESTIONS)]

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


def _question(writer: Writer, turn: str) -> str:
    words = turn.rstrip(".").split()
    chosen = writer.random.sample(words, k=min(5, len(words)))
    return f"What did {writer.person()} say about {' '.join(chosen)}?"
