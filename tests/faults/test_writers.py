"""Eight processes write one file at once: the laws hold, and nobody sees a lock."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from graphmem import Memory

GROUPS = ("north", "south")
WRITERS = 8
_WRITER = """
import json, sys
from graphmem import Memory
path, number, facts = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with Memory.open(f"sqlite:{path}", extractor="none", embedder=None) as memory:
    for place, (group, fact) in enumerate(facts):
        text = f"{group} {number} {place}"
        memory.add(text, group_id=group, episode_id=f"{number}-{place}", thread_id=str(number))
        memory.assert_many([fact], group_id=group)
"""


def statements(seed: int) -> list[tuple[str, dict[str, Any]]]:
    """Draw facts about few names, so that every writer meets every slot and makes every entity."""
    random = Random(seed)
    drawn: list[tuple[str, dict[str, Any]]] = []
    for number in range(WRITERS * 24):
        relation = random.choice(("works at", "leads", "knows"))
        fact = {
            "subject": f"Person{random.randrange(5)}",
            "relation": relation,
            "object": f"{'Person' if relation == 'knows' else 'Thing'}{random.randrange(5, 9)}",
            "kind": random.choice(("affirms", "affirms", "affirms", "ends", "denies")),
            "occurred_at": f"2024-01-{random.randint(1, 28):02}T00:00:{number % 60:02}Z",
        }
        drawn.append((random.choice(GROUPS), fact))
    return drawn


def edges(memory: Memory, group: str) -> list[tuple[Any, ...]]:
    rows = [row for n in range(5) for row in _history(memory, f"Person{n}", group)]
    return sorted((r.subject, r.relation, r.object, r.valid.start, r.valid.end) for r in rows)


def _history(memory: Memory, name: str, group: str) -> list[Any]:
    return memory.history(name, group_id=group)


def written_at_once(path: Path, facts: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """Let every writer write its share; return what any of them complained of."""
    pipe = subprocess.PIPE
    writers = [
        subprocess.Popen(
            [*(sys.executable, "-c", _WRITER, str(path), str(number)), json.dumps(share)],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
        )
        for number in range(WRITERS)
        for share in [facts[number::WRITERS]]
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    return [writer.communicate()[1] for writer in writers]


@pytest.mark.parametrize("seed", [1, 2])
def test_eight_processes_write_two_groups_as_one_would(tmp_path: Path, seed: int) -> None:
    path, facts = tmp_path / "m.db", statements(seed)

    assert written_at_once(path, facts) == [""] * WRITERS

    with (
        Memory.open(f"sqlite:{path}", extractor="none", embedder=None) as memory,
        Memory.open("memory:", extractor="none", embedder=None) as alone,
    ):
        for group, fact in facts:
            alone.assert_fact(**_verb(fact), group_id=group) if fact["kind"] == "affirms" else (
                alone.assert_many([fact], group_id=group)
            )
        assert memory.check() == []
        assert memory.groups() == list(GROUPS)
        for group in GROUPS:
            turns = memory.episodes(group_id=group, limit=1000)
            names = [entity.name for entity in memory.entities(group_id=group)]
            counts = [one.status(group_id=group) for one in (memory, alone)]

            assert edges(memory, group) == edges(alone, group)
            assert max(Counter(names).values()) == 1
            assert sorted(names) == sorted(e.name for e in alone.entities(group_id=group))
            assert counts[0]["assertions"] == counts[1]["assertions"]
            assert len(turns) == sum(1 for name, _ in facts if name == group)
            assert {turn.text.split()[0] for turn in turns} == {group}


def _verb(fact: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fact.items() if key != "kind"}
