import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.index.postings import Postings

TERMS = st.sampled_from("abcdef")
DOCUMENTS = st.lists(st.lists(TERMS, max_size=8), min_size=1, max_size=8)


def postings(documents: list[list[str]]) -> Postings:
    held = Postings()
    for row, document in enumerate(documents):
        held.put(row, document)
    return held


def plain_bm25(query: set[str], documents: list[list[str]], row: int) -> float:
    average = sum(map(len, documents)) / len(documents) or 1.0
    score = 0.0
    for term in query:
        df = sum(term in document for document in documents)
        tf = documents[row].count(term)
        idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
        score += idf * tf / (tf + 1.2 * (1 - 0.75 + 0.75 * len(documents[row]) / average))
    return score


@given(DOCUMENTS, st.lists(TERMS, max_size=4), st.integers(0, 255))
def test_scores_are_bm25_over_the_believed_rows(
    documents: list[list[str]], query: list[str], bits: int
) -> None:
    believed = np.array([bits >> row & 1 > 0 for row in range(len(documents))])
    kept = [document for document, use in zip(documents, believed, strict=True) if use]
    held = postings(documents)
    found = held.find(query, held.believed(believed))

    expected = iter([plain_bm25(set(query), kept, row) for row in range(len(kept))])
    assert found.scores() == pytest.approx([next(expected) if use else 0 for use in believed])


@given(DOCUMENTS, st.lists(st.tuples(st.integers(0, 7), st.lists(TERMS, max_size=8)), max_size=6))
def test_a_row_put_again_holds_only_its_new_terms(
    documents: list[list[str]], changes: list[tuple[int, list[str]]]
) -> None:
    held = postings(documents)
    for row, terms in changes:
        if row < len(documents):
            held.put(row, terms)
            documents[row] = terms

    assert [dict(held) for held in held.documents()] == [Counter(one) for one in documents]
    assert held.lengths.tolist() == [len(document) for document in documents]


def test_share_and_only_are_parts_of_the_weight_of_all_terms() -> None:
    held = postings([["tea", "rome"], ["tea"], ["rome"], []])
    found = held.find(("tea", "rome", "unheard", "tea"), held.believed(np.ones(4, np.bool_)))
    unheard = math.log(1 + 4.5 / 0.5)

    assert found.share()[0] == pytest.approx(1 - unheard / found.idf.sum())
    assert found.only().tolist() == [0, 0, 0, 0]
    three = held.believed(np.array([False, True, True, True]))
    assert held.find(("tea",), three).only().tolist() == [0, 1, 0, 0]


def test_no_terms_and_no_rows_score_nothing() -> None:
    held, empty = postings([["tea"]]), Postings()
    assert held.find((), held.believed(np.ones(1, np.bool_))).scores().tolist() == [0]
    assert empty.find(("tea",), empty.believed(np.zeros(0, np.bool_))).share().tolist() == []
