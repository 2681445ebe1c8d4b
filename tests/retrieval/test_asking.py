from datetime import timedelta
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.model import HitKind
from graphmem.ports import SearchRequest
from graphmem.retrieval import request
from graphmem.temporal import FOREVER, Interval
from graphmem.testing.records import day


def ask(query: str, **more: Any) -> SearchRequest:
    base: dict[str, Any] = {
        "vector": None,
        "valid": day(5),
        "recorded": day(9),
        "limit": 10,
        "kinds": frozenset(HitKind),
        "channels": frozenset({"lexical"}),
    }
    return request(query, **(base | more))


@pytest.mark.parametrize("query", ["", " \n\t", "\u3000"])
def test_an_empty_question_is_an_error(query: str) -> None:
    with pytest.raises(InvalidInput, match="nothing to search for"):
        ask(query)


def test_a_question_becomes_terms_and_words() -> None:
    asked = ask("Where does Ann live? Ann!")

    assert asked.terms == ("ann", "live")
    assert asked.names == ("where", "does", "ann", "live", "ann")
    assert ask("who is it").terms == ("who", "is", "it")
    assert ask("?!").terms == ask("?!").names == ()


def test_a_long_question_is_bounded() -> None:
    asked = ask(" ".join(f"w{n}" for n in range(5000)))

    assert asked.terms == tuple(f"w{n}" for n in range(256))
    assert len(asked.names) == 512
    assert ask("x" * 9_999 + "y" + " z").terms == ("x" * 128,)


def test_an_instant_is_a_microsecond_wide_even_at_the_end_of_time() -> None:
    asked = ask("tea", events=frozenset({"met"}))

    assert asked.valid == Interval(day(5), day(5) + timedelta(microseconds=1))
    assert (asked.recorded, asked.occurred_by) == (day(9), day(5))
    assert asked.events == {"met"}
    assert ask("tea", valid=FOREVER).valid.end <= FOREVER


def test_during_replaces_the_instant_and_events_overlap_it() -> None:
    span = Interval(day(1), day(3))
    asked = ask("tea", during=span, events=frozenset({"met"}))

    assert asked.valid == asked.during == span
    assert asked.occurred_by == day(3)
    assert asked.events == frozenset()


def test_a_large_limit_asks_for_as_many_candidates() -> None:
    assert ask("tea", limit=10).limit == 100
    assert ask("tea", limit=500).limit == 500
