"""What the local extractor reads out of turns that it was not written for.

Two sets with gold facts (``benchmarks/gold/README.md``): an archive written apart, and 100 turns
of the team chat. A claim is right if its turn has a gold fact of the same kind and relation (by
the catalog, inverses turned) between the same ends: letter case and leading articles aside, a
first name may stand for a participant, and one end may hold the other's words. Doubtful gold
counts neither as missed nor as wrong. Times are scored apart, over the right claims.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.case import Row
from graphmem import Catalog, Episode, InvalidInput, Memory, extraction
from graphmem.ports import Claim, Failure

_UNSEEN = Path(__file__).parents[2] / "tests" / "extraction" / "unseen"
_GOLD = Path(__file__).parents[1] / "gold" / "team_chat_100.jsonl"
_ARTICLES = ("the ", "a ", "an ", "our ", "my ")


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a turn, in the relation's canonical direction."""

    subject: str
    relation: str
    object: str
    kind: str
    doubtful: bool
    start: str | None
    end: str | None


def rows(data: Path) -> Iterator[Row]:
    """Yield a row a claim (``precision``) and a row a clear gold fact (``recall``)."""
    yield from _measured("unseen", _lines(_UNSEEN / "archive.jsonl"), _gold(_UNSEEN / "gold.jsonl"))
    yield from _measured("team_chat", _team_chat(data), _gold(_GOLD))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _team_chat(data: Path) -> list[dict[str, Any]]:
    with gzip.open(data / "team_chat" / "team_chat_en.json.gz", "rt", encoding="utf-8") as file:
        messages = json.load(file)["conversation_list"][:100]
    return [
        {
            "id": message["message_id"],
            "text": message["content"],
            "speaker": message["sender_name"],
            "occurred_at": message["create_time"],
        }
        for message in messages
    ]


def _gold(path: Path) -> dict[str, list[Fact]]:
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for row in _lines(path):
        turn = row.get("episode_id") or row["message_id"]
        doubtful, start, end = row.get("doubtful", False), row.get("start"), row.get("end")
        ends = (row["subject"], row["relation"], row["object"])
        found[turn].append(_fact(*ends, row["kind"], doubtful=doubtful, start=start, end=end))
    return dict(found)


def _fact(
    subject: str,
    relation: str,
    object: str,
    kind: str,
    *,
    doubtful: bool = False,
    start: str | None = None,
    end: str | None = None,
) -> Fact:
    known, inverted = Catalog.builtin().resolve(relation)
    ends = (object, subject) if inverted else (subject, object)
    return Fact(ends[0], known.name, ends[1], kind, doubtful, start, end)


def _measured(
    name: str, turns: Iterable[dict[str, Any]], gold: dict[str, list[Fact]]
) -> Iterator[Row]:
    claims = _claims(turns)
    for turn, facts in claims.items():
        for number, fact in enumerate(facts):
            near = [g for g in gold.get(turn, []) if _same(fact, g)]
            if any(g.doubtful for g in near) and all(g.doubtful for g in near):
                continue
            figures = {"precision": float(bool(near))}
            if near:
                figures["times"] = float(any(_same_times(fact, g) for g in near))
            yield Row("extraction", "graphmem", f"{name}:{turn}:claim{number}", name, figures)
    for turn, facts in gold.items():
        for number, fact in enumerate(f for f in facts if not f.doubtful):
            found = any(_same(claim, fact) for claim in claims.get(turn, []))
            figures = {"recall": float(found)}
            yield Row("extraction", "graphmem", f"{name}:{turn}:gold{number}", name, figures)


def _claims(turns: Iterable[dict[str, Any]]) -> dict[str, list[Fact]]:
    extractor = extraction.load("local")
    assert extractor is not None
    with Memory.open("memory:", group_id="g", extractor=None, embedder=None) as memory:
        list(memory.ingest(turns, extractor="none"))
        episodes = memory.episodes()
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for claim in extractor.extract(episodes, _context(episodes), Catalog.builtin()):
        if not isinstance(claim, Failure) and (fact := _of(claim)) is not None:
            found[claim.episode_id].append(fact)
    return dict(found)


def _context(episodes: list[Episode]) -> dict[str, list[Episode]]:
    threads: defaultdict[str, list[Episode]] = defaultdict(list)
    context: dict[str, list[Episode]] = {}
    for episode in episodes:
        context[episode.id] = threads[episode.thread_id][-4:]
        threads[episode.thread_id].append(episode)
    return context


def _of(claim: Claim) -> Fact | None:
    value = claim.object if claim.object_value is None else claim.object_value
    text = value.date().isoformat() if isinstance(value, datetime) else str(value or "")
    start, end = (
        None if t is None else t.astimezone(UTC).date().isoformat()
        for t in (claim.start, claim.end)
    )
    try:
        return _fact(claim.subject, claim.relation, text, claim.kind, start=start, end=end)
    except InvalidInput:
        return None


def _same(one: Fact, other: Fact) -> bool:
    if (one.relation, one.kind) != (other.relation, other.kind):
        return False
    return _near(one.subject, other.subject) and _near(one.object, other.object)


def _near(one: str, other: str) -> bool:
    words = [_plain(name).split() for name in (one, other)]
    shorter, longer = sorted(words, key=len)
    if _plain(one) == _plain(other) or _plain(one).replace(" ", "") == _plain(other).replace(
        " ", ""
    ):
        return True
    return bool(shorter) and " ".join(shorter) in " ".join(longer)


def _plain(name: str) -> str:
    plain = " ".join(name.casefold().split()).strip(".。!！?？,，")
    for article in _ARTICLES:
        plain = plain.removeprefix(article)
    return plain


def _same_times(claim: Fact, gold: Fact) -> bool:
    return (claim.start, claim.end) == (gold.start, gold.end)
