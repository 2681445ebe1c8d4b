"""Clauses that the parser puts into one another, and names it takes apart."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem import Memory

SAID = datetime(2025, 5, 19, tzinfo=UTC)


def told(text: str) -> list[tuple[str, str, str]]:
    with Memory.open("memory:", group_id="g", embedder=None) as memory:
        memory.add(text, speaker="Ann", occurred_at=SAID)
        edges = memory.edges(as_of=datetime(2026, 1, 1, tzinfo=UTC))
        return sorted((edge.subject, edge.relation, edge.object) for edge in edges)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I approved the Helios rollout plan.", [("Ann", "approved", "Helios rollout plan")]),
        ("I dislike the blue theme, it hides things.", [("Ann", "dislikes", "blue theme")]),
        ("I live in Lisbon, so I am late.", [("Ann", "lives in", "Lisbon")]),
        ("It was Ben, not Cyd, who has led Orbit since 3 March.", [("Ben", "leads", "Orbit")]),
        ("Ben leads Orbit, I think.", []),
        ("Ben leads Orbit, I suppose.", []),
    ],
)
def test_a_clause_is_read_for_itself(text: str, facts: list[tuple[str, str, str]]) -> None:
    assert told(text) == facts


def test_the_value_after_now_is_the_value() -> None:
    ((_, relation, value),) = told("The deadline for the Helios beta is now 14 July.")

    assert relation == "has deadline"
    assert "now" not in value
    assert "14" in value


def test_i_no_longer_ends_what_i_did() -> None:
    with Memory.open("memory:", group_id="g", embedder=None) as memory:
        memory.add("I lead Atlas.", speaker="Ann", occurred_at=SAID)
        memory.add("I no longer lead Atlas, and I sleep well.", speaker="Ann")

        assert memory.edges() == []
