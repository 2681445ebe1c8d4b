import sys
from datetime import datetime, timedelta

import numpy as np
import pytest

from graphmem.catalog import Catalog
from graphmem.errors import InvalidInput, MissingExtra
from graphmem.ports import Clock, Embedder, Extractor, Failure, Store
from graphmem.testing import FakeClock, HashEmbedder, ReferenceStore, ScriptedExtractor
from graphmem.testing.records import claim, day, episode


def test_the_fakes_are_what_the_ports_ask_for() -> None:
    clock: Clock = FakeClock()
    embedder: Embedder = HashEmbedder()
    extractor: Extractor = ScriptedExtractor({})
    store: Store = ReferenceStore(clock=clock)

    assert (embedder.dimension, extractor.run_id, store.groups()) == (64, "scripted", [])


def test_a_clock_moves_by_its_step_and_can_be_set() -> None:
    clock = FakeClock(day(3), step=timedelta(hours=1))

    assert [clock(), clock()] == [day(3), day(3) + timedelta(hours=1)]
    clock.now, clock.step = day(1), timedelta(0)
    assert [clock(), clock()] == [day(1), day(1)]


def test_a_clock_needs_a_time_zone() -> None:
    with pytest.raises(InvalidInput, match="no time zone"):
        FakeClock(datetime(2024, 1, 1))


def test_hashed_vectors_are_unit_long_and_always_the_same() -> None:
    texts = ["Ann lives in Rome", "", "…", "安住在罗马", "👋"]
    vectors = HashEmbedder(dimension=16).embed(texts)

    assert [v.shape for v in vectors] == [(16,)] * 5
    assert all(v.dtype == np.float32 for v in vectors)
    np.testing.assert_allclose([np.linalg.norm(v) for v in vectors], 1, atol=1e-6)
    np.testing.assert_array_equal(HashEmbedder(dimension=16).embed_query(texts[0]), vectors[0])
    np.testing.assert_allclose(
        HashEmbedder(dimension=3).embed_query("rome"), [0.46007, 0.07237, 0.88493], atol=1e-4
    )


def test_texts_that_share_words_are_nearer_than_others() -> None:
    embed = HashEmbedder().embed_query
    question, near, far = map(embed, ("where does Ann live", "Ann: I live in Rome", "it rains"))

    assert float(question @ near) > 0.4 > float(question @ far)
    assert float(embed("Rome, ANN!") @ embed("ann rome")) == pytest.approx(1)


def test_an_embedder_needs_a_dimension() -> None:
    with pytest.raises(InvalidInput, match="0"):
        HashEmbedder(dimension=0)


def test_an_extractor_says_what_its_script_says_about_each_turn() -> None:
    lives = claim("Ann", "lives in", "Rome")
    script = {"I live in Rome.": [lives], "???": [Failure("", "unreadable")]}
    turns = [
        episode("1", text="I live in Rome."),
        episode("2", text="Hi"),
        episode("3", text="???"),
    ]

    found = list(ScriptedExtractor(script).extract(turns, {}, Catalog([])))
    assert [(type(f).__name__, f.episode_id) for f in found] == [
        ("Claim", "1"),
        ("Failure", "3"),
    ]


@pytest.mark.parametrize("absent", ["networkx", "rank_bm25", "scipy"])
def test_the_reference_store_names_the_extra_it_needs(
    monkeypatch: pytest.MonkeyPatch, absent: str
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)

    with pytest.raises(MissingExtra, match=r"graphmem\[reference\]"):
        ReferenceStore(clock=FakeClock())
