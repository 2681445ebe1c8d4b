from typing import Any

import numpy as np
import pytest

from graphmem.index import Image, Rows, features
from graphmem.index.around import Places, greatest
from graphmem.temporal import FOREVER, Interval
from graphmem.testing.records import day, edge, episode, request

EPISODES = [
    episode("later", text="tea", occurred_at=day(20), recorded=Interval(day(2))),
    episode("closed", text="tea", sequence=1, recorded=Interval(day(2), day(5))),
    episode("expired", text="tea", sequence=2, recorded=Interval(day(3)), expires_at=day(7)),
]
EDGES = [
    edge("ended", fact="tea", valid=Interval(day(1), day(10)), recorded=Interval(day(2))),
    edge("begun", fact="tea", valid=Interval(day(10)), recorded=Interval(day(4), day(6))),
]


def found(held: Image, **asked: Any) -> set[str]:
    return {one.id for one in held.search(request(terms=("tea",), **asked))}


def test_a_search_after_another_finds_what_it_would_have_found_first() -> None:
    kept = Image()
    kept.put(Rows(episodes=EPISODES, edges=EDGES))
    bounds = [day(n) for n in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 20, 21)]
    for times in (bounds, bounds[::-1]):
        for recorded in times:
            for valid in times:
                asked: dict[str, Any] = {
                    "recorded": recorded,
                    "occurred_by": valid,
                    "valid": Interval(valid, FOREVER if valid == day(4) else valid.replace(hour=1)),
                }
                fresh = Image()
                fresh.put(Rows(episodes=EPISODES, edges=EDGES))
                assert found(kept, **asked) == found(fresh, **asked), asked


@pytest.mark.parametrize(
    "narrow",
    [
        {"threads": frozenset({"other"})},
        {"speakers": frozenset({"Ben"})},
        {"during": Interval(day(25), day(26))},
    ],
)
def test_what_was_kept_for_other_filters_is_not_used(narrow: dict[str, Any]) -> None:
    held = Image()
    held.put(Rows(episodes=EPISODES))
    wide: dict[str, Any] = {"recorded": day(4), "occurred_by": day(30)}

    assert found(held, **wide) == {"later", "closed", "expired"}
    assert found(held, **wide, **narrow) == set()
    assert found(held, **wide) == {"later", "closed", "expired"}


def test_rows_put_after_a_search_are_seen() -> None:
    held = Image()
    held.put(Rows(episodes=EPISODES[:1]))
    asked: dict[str, Any] = {"recorded": day(4), "occurred_by": day(30)}
    before = held.search(request(terms=("tea",), **asked))[0].features[features.NEAR_BM25]
    held.put(Rows(episodes=EPISODES[1:]))

    after = held.search(request(terms=("tea",), **asked))
    assert {one.id for one in after} == {"later", "closed", "expired"}
    assert after[0].features[features.NEAR_BM25] != before
    held.put(Rows(removed=["later"]))
    assert found(held, **asked) == {"closed", "expired"}


def test_spans_of_places_end_where_their_thread_does() -> None:
    order, threads = np.array([2, 0, 3, 1, 4]), np.array([0, 1, 0, 1, 1])
    among = np.array([True, True, True, False, True])
    places = Places(order, threads, np.array([1.0, 2, 3, 4, 5]), among)

    assert places.rows.tolist() == [2, 0, 1, 4]
    first, last = places.around(np.array([0, 1, 4]), 1)
    assert (first.tolist(), last.tolist()) == ([0, 2, 2], [1, 3, 3])
    assert places.sums.tolist() == [0, 3, 4, 6, 11]
    harmless = np.array([True, True, False, True, True])
    assert places.whole(harmless).tolist() == [False, False, True, True]


def test_the_greatest_of_spans_that_overlap_in_any_order() -> None:
    values = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    first, last = np.array([3, 0, 1, 4, 1]), np.array([4, 0, 2, 4, 3])

    assert greatest(values, first, last).tolist() == [5, 3, 2, 4, 5]
