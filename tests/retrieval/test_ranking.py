import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.index import features
from graphmem.model import HitKind
from graphmem.ports import Candidate
from graphmem.retrieval import rank
from graphmem.retrieval.ranking import EDGE, EPISODE


def turn(id: str, **values: float) -> Candidate:
    return Candidate(id, HitKind.EPISODE, {"lexical": 1}, values)


def fact(id: str, **values: float) -> Candidate:
    return Candidate(id, HitKind.EDGE, {"lexical": 1}, values)


VALUES = st.dictionaries(st.sampled_from(sorted(EPISODE)), st.sampled_from([0.0, 0.5, 3.0]))
CANDIDATES = st.lists(
    st.builds(Candidate, st.sampled_from("abcdef"), st.sampled_from(HitKind), st.just({}), VALUES),
    max_size=8,
    unique_by=lambda one: (one.id, one.kind),
)


@given(CANDIDATES, st.integers(1, 9))
def test_parts_sum_to_scores_and_ties_share_a_rank(found: list[Candidate], limit: int) -> None:
    everything = rank(found, len(found) + 1)
    scores = [one.score for one in everything]

    assert rank(found, limit) == everything[:limit]
    assert scores == sorted(scores, reverse=True)
    for one in everything:
        assert sum(one.parts.values()) == pytest.approx(one.score, abs=1e-8)
        assert one.rank == 1 + sum(score > one.score for score in scores)
        tied = [other.candidate.id for other in everything if other.score == one.score]
        assert tied == sorted(tied)


def test_features_are_scaled_over_both_kinds() -> None:
    best, middle, worst = rank([fact("a", bm25=9), fact("b", bm25=5), turn("c", bm25=1)], 3)

    assert best.parts == {"bm25": EDGE[features.BM25]}
    assert middle.parts == {"bm25": EDGE[features.BM25] / 2}
    assert worst.parts == {"bm25": 0}


def test_a_word_that_one_row_alone_holds_outweighs_every_vector() -> None:
    alone = turn("alone", bm25=1, share=1, only=1, cosine=0, window_cosine=0, near_bm25=1)
    near = {"cosine": 1, "window_cosine": 1, "near_cosine": 1, "length": 3, "window_bm25": 1}
    beside = turn("beside", bm25=0, share=0, only=0, near_bm25=1, **near)

    assert [one.candidate.id for one in rank([beside, alone], 2)] == ["alone", "beside"]


def test_nothing_found_ranks_nothing() -> None:
    assert rank([], 5) == []
