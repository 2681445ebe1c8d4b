from collections.abc import Sequence

import numpy as np
import pytest

from graphmem.index.graph import NEWEST, Arcs

Pairs = Sequence[tuple[int, int]]


def arcs(pairs: Pairs, into: Arcs | None = None) -> Arcs:
    tails, heads = np.array(pairs, np.int64).T
    numbers = np.arange(len(pairs), dtype=np.int64)
    known = into or Arcs()
    known.sort(tails, heads, numbers, numbers)
    return known


def walk(
    pairs: Pairs, seeds: dict[int, float], *, seen: Sequence[bool] | None = None
) -> list[float]:
    flags = np.array(seen or [True] * len(pairs))
    nodes = 1 + max(max(pair) for pair in pairs)
    return arcs(pairs).walk(flags, seeds, nodes).tolist()


def test_the_walk_is_found_near_its_seeds() -> None:
    chances = walk([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], {0: 1.0})

    assert sum(chances) == pytest.approx(1)
    assert chances[:3] == sorted(chances[:3], reverse=True)
    assert chances[3] > 0 == chances[4] == chances[5]


def test_the_walk_is_personalised_pagerank() -> None:
    chances = walk([(0, 1), (0, 2)], {0: 1.0})

    assert chances == pytest.approx([2 / 3, 1 / 6, 1 / 6], abs=1e-5)


def test_edges_that_are_not_seen_are_not_walked() -> None:
    assert walk([(0, 1), (0, 2)], {0: 1.0}, seen=[False, True])[1] == 0


def test_seeds_weigh_as_given_and_lone_ones_stay() -> None:
    chances = walk([(0, 1), (2, 3)], {0: 3.0, 2: 1.0})

    assert chances[0] == pytest.approx(3 * chances[2])
    assert walk([(0, 1)], {}) == [0, 0]
    assert arcs([(0, 1)]).walk(np.array([True]), {5: 1.0}, 6).tolist() == [0, 0, 0, 0, 0, 1]


def test_of_a_hub_the_newest_edges_are_walked() -> None:
    chances = walk([(0, n) for n in range(1, NEWEST + 11)], {0: 1.0})

    assert [node for node in range(1, NEWEST + 11) if chances[node] > 0] == [
        *range(11, NEWEST + 11)
    ]


def test_edges_added_later_are_walked_like_those_sorted_at_once() -> None:
    pairs = [(0, 1), (1, 2), (2, 0), (3, 1), (0, 0), (1, 3)]
    step_by_step = Arcs()
    for size in range(1, len(pairs) + 1):
        arcs(pairs[:size], step_by_step)

    seen = np.ones(len(pairs), np.bool_)
    found = step_by_step.walk(seen, {3: 1.0}, 4).tolist()
    assert found == pytest.approx(arcs(pairs).walk(seen, {3: 1.0}, 4).tolist())
