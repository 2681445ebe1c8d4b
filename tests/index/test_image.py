from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.index import (
    EdgeSource,
    Image,
    Rows,
    features,
    terms,
    text_hash,
    turn_text,
    window_text,
    words,
)
from graphmem.model import Edge, Episode, EpisodeKind, EpisodeVectors, HitKind, TextVector
from graphmem.ports import Candidate
from graphmem.temporal import Interval
from graphmem.testing import HashEmbedder
from graphmem.testing.records import day, edge, entity, episode, request, vector

EMBEDDER = HashEmbedder(dimension=8)


def image(*puts: Rows) -> Image:
    made = Image()
    for rows in puts:
        made.put(rows)
    return made


def search(held: Image, text: str, **asked: Any) -> dict[str, Candidate]:
    asked = {"terms": terms(text), "names": words(text), "limit": 5, **asked}
    return {one.id: one for one in held.search(request(**asked))}


def chat(*texts: str, **more: Any) -> Rows:
    """A thread of turns a, b, c, ... with vectors for each turn and its window."""
    turns = [episode(chr(97 + n), text=text, sequence=n, **more) for n, text in enumerate(texts)]
    return embedded(turns)


def embedded(turns: list[Episode]) -> Rows:
    beside = zip([None, *turns], turns, [*turns[1:], None], strict=False)
    links: list[EpisodeVectors] = []
    texts: set[str] = set()
    for before, turn, after in beside:
        own = (turn_text(turn), window_text(before, turn, after))
        links.append(EpisodeVectors(turn.id, *map(text_hash, own)))
        texts.update(own)
    vectors = [TextVector(text_hash(text), EMBEDDER.embed_query(text)) for text in sorted(texts)]
    return Rows(episodes=turns, vectors=vectors, episode_vectors=links)


def test_each_filter_applies_before_the_limit() -> None:
    turns = [
        episode(f"{n:02}", text="tea", speaker="Ann" if n < 20 else "Ben", sequence=n)
        for n in range(25)
    ]
    held = image(Rows(episodes=turns))

    found = search(held, "tea", speakers=frozenset({"Ben"}))
    assert list(found) == ["20", "21", "22", "23", "24"]
    assert {one.ranks["lexical"] for one in found.values()} == {1}


def test_candidates_come_once_each_by_id_with_their_ranks() -> None:
    held = image(chat("tea and cake", "rain", "more tea"), Rows(edges=[edge("b", fact="tea")]))
    found = held.search(
        request(terms=("tea",), vector=EMBEDDER.embed_query("rain"), recorded=day(366))
    )

    assert [(one.id, one.kind) for one in found] == [
        ("a", HitKind.EPISODE),
        ("b", HitKind.EDGE),
        ("b", HitKind.EPISODE),
        ("c", HitKind.EPISODE),
    ]
    assert found[2].ranks == {"vector": 1}
    assert found[0].ranks.keys() == {"lexical", "vector"}


def test_chinese_is_found() -> None:
    held = image(chat("我住在北京", "上海下雨", "good morning"))

    assert list(search(held, "谁住在北京?")) == ["a"]


def test_a_unique_code_is_first_among_its_like() -> None:
    codes = [f"ticket SR-2023-{n:03} is open" for n in range(50)]
    turns = [episode(f"{n:03}", text=text, sequence=n) for n, text in enumerate(codes)]
    found = search(image(Rows(episodes=turns)), "sr-2023-017")

    assert found["017"].ranks["lexical"] == 1
    assert [one.id for one in found.values() if one.features[features.ONLY] > 0] == ["017"]


def test_what_is_put_is_found_at_once_and_what_is_removed_is_not() -> None:
    held = image(chat("tea", "rain"))
    held.put(Rows(episodes=[episode("new", text="tea", sequence=9)]))
    assert list(search(held, "tea")) == ["a", "new"]

    held.put(Rows(removed=["a"]))
    assert list(search(held, "tea")) == ["new"]
    held.put(chat("tea"))
    assert list(search(held, "tea")) == ["a", "new"]


def test_a_closed_row_is_found_as_of_before() -> None:
    open_edge = edge("e", fact="Ann likes tea", recorded=Interval(day(3)))
    held = image(Rows(edges=[open_edge]), Rows(edges=[replace(open_edge, recorded=_to(day(9)))]))

    assert list(search(held, "tea", recorded=day(8))) == ["e"]
    assert search(held, "tea", recorded=day(9)) == {}


def _to(end: Any) -> Interval:
    return Interval(day(3), end)


def test_what_is_recorded_later_changes_no_earlier_answer() -> None:
    rows = chat("tea in rome", "rome is far", "tea")
    asked: dict[str, Any] = {"vector": EMBEDDER.embed_query("tea"), "recorded": day(5)}
    held = image(rows)
    before = search(held, "tea rome", **asked)
    later = [
        episode(f"z{n}", text="tea tea", sequence=1, recorded=Interval(day(6))) for n in range(9)
    ]
    held.put(Rows(episodes=later))

    after = search(held, "tea rome", **asked)
    assert {id: one.ranks for id, one in after.items()} == {
        id: one.ranks for id, one in before.items()
    }
    for id, one in after.items():
        # The window's vector may hold what came later, so the turn's own stands for it.
        assert one.features[features.BM25] == before[id].features[features.BM25]
        assert one.features[features.NEAR_BM25] == before[id].features[features.NEAR_BM25]


def test_a_window_that_shows_a_hidden_turn_is_not_used() -> None:
    held = image(chat("tea", "rain", "cake"))
    asked: dict[str, Any] = {"vector": EMBEDDER.embed_query("cake")}
    whole = search(held, "rain", **asked)["b"].features
    held.put(Rows(episodes=[episode("c", text="cake", sequence=2, expires_at=day(20))]))
    hidden = search(held, "rain", **asked)["b"].features

    assert whole[features.WINDOW_COSINE] != whole[features.COSINE]
    assert hidden[features.WINDOW_COSINE] == hidden[features.COSINE] == whole[features.COSINE]
    assert hidden[features.NEAR_COSINE] < whole[features.NEAR_COSINE]


def test_a_deleted_or_wordless_turn_hides_no_window() -> None:
    rows = chat("tea", "rain")
    held = image(rows, Rows(episodes=[episode("b", text="", sequence=1, kind=EpisodeKind.DELETED)]))

    found = search(held, "tea ann", vector=EMBEDDER.embed_query("rain"))
    assert list(found) == ["a"]
    assert found["a"].features[features.WINDOW_COSINE] > found["a"].features[features.COSINE]


def test_context_stays_within_a_thread() -> None:
    one = episode("a", text="tea", thread_id="1")
    other = episode("b", text="rome rome", thread_id="2")
    found = search(image(Rows(episodes=[one, other])), "tea rome")

    assert found["a"].features[features.NEAR_BM25] < found["b"].features[features.NEAR_BM25]
    assert found["a"].features[features.WINDOW_BM25] == pytest.approx(
        found["b"].features[features.WINDOW_BM25], rel=0.5
    )


def test_the_speaker_is_the_first_one_the_question_names() -> None:
    held = image(
        Rows(
            episodes=[
                episode("a", text="tea", speaker="Ann Lee"),
                episode("b", text="tea", speaker="Ben", sequence=1),
                episode("c", text="tea", speaker=None, sequence=2),
            ]
        )
    )
    found = search(held, "What did Ben tell Ann about tea?")

    assert [one.features[features.SUBJECT] for one in found.values()] == [0, 1, 0]


def test_an_edge_is_found_by_the_names_of_its_ends_when_they_change() -> None:
    held = image(
        Rows(
            entities=[entity("r", "Robert Smith"), entity("x", "Acme")],
            edges=[edge("e", "r", "leads", "x", fact="He leads it.")],
        )
    )
    assert list(search(held, "smith")) == ["e"]
    assert search(held, "bob") == {}

    held.put(Rows(entities=[entity("r", "Robert Smith", aliases=["Bob"])]))
    found = search(held, "bob")["e"]
    assert found.ranks == {"lexical": 1, "graph": 1}
    assert found.features[features.NAMED] == 0.5


def test_the_graph_reaches_facts_without_shared_words_and_the_turns_behind_them() -> None:
    held = image(
        Rows(
            episodes=[episode("t", text="It moved.", thread_id="t")],
            entities=[entity("ann", "Ann"), entity("acme", "Acme"), entity("oslo", "Oslo")],
            edges=[
                edge("near", "ann", "works at", "acme", fact="A job."),
                edge("far", "acme", "is in", "oslo", fact="An office."),
            ],
            sources=[EdgeSource("far", "t", "t", "Ben")],
        )
    )
    found = search(held, "Ann", channels=frozenset({"graph"}))

    assert [(id, one.ranks) for id, one in found.items()] == [
        ("far", {"graph": 2}),
        ("near", {"graph": 1}),
        ("t", {"graph": 1}),
    ]


def test_one_source_must_match_thread_and_speaker() -> None:
    rows = Rows(
        edges=[edge("e", fact="tea")],
        sources=[EdgeSource("e", None, "1", "Ann"), EdgeSource("e", None, "2", "Ben")],
    )
    held = image(rows)

    def found(thread: str, speaker: str) -> list[str]:
        only = {"threads": frozenset({thread}), "speakers": frozenset({speaker})}
        return list(search(held, "tea", **only))

    assert found("1", "Ann") == found("2", "Ben") == ["e"]
    assert found("1", "Ben") == found("3", "Ann") == []


def test_vectors_of_two_models_are_an_error() -> None:
    held = image(chat("tea"))

    with pytest.raises(InvalidInput, match=r"shape \(3,\)"):
        search(held, "tea", vector=vector(1, 2, 3))
    wrong = Rows(vectors=[TextVector("h", vector(1, 2, 3))], episode_vectors=[])
    with pytest.raises(InvalidInput, match=r"shape \(3,\)"):
        held.put(replace(wrong, episode_vectors=[EpisodeVectors("a", "h", "h")]))


def test_an_empty_image_finds_nothing() -> None:
    assert Image().search(request(terms=("tea",), names=("tea",), vector=vector(1, 0))) == []
    assert Image().fingerprint() == image(Rows()).fingerprint()
    assert image(chat("tea")).nbytes > Image().nbytes


IDS = "abcd"
TEXTS = ["tea", "rome tea?", "北京 rome", "Ann", "", "the", "tea tea cake 👍"]
SPANS = [Interval(day(1)), Interval(day(1), day(4)), Interval(day(3))]


class Batch:
    """Random rows, some of them of records known already."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def rows(self) -> Rows:
        few = range(self.random.randint(0, 4))
        return Rows(
            episodes=[self.turn() for _ in few],
            entities=[entity(self.id(), self.pick(["Ann", "北京"])) for _ in few],
            edges=[self.edge() for _ in few],
            sources=[EdgeSource(self.id(), self.id(), self.id(), self.pick(["Ann", None]))],
            vectors=[TextVector(id, EMBEDDER.embed_query(id)) for id in [self.id() for _ in few]],
            episode_vectors=[EpisodeVectors(self.id(), self.id(), self.id()) for _ in few],
            edge_vectors=[(self.id(), self.id()) for _ in few],
        )

    def pick(self, options: Sequence[Any]) -> Any:
        return self.random.choice(options)

    def id(self) -> str:
        return self.pick(IDS)

    def turn(self) -> Episode:
        turn = episode(self.id(), text=self.pick(TEXTS), recorded=self.pick(SPANS))
        thread = "x" if turn.id > "b" else "y"
        version, place = self.random.randint(1, 3), ord(turn.id) % 3
        return replace(turn, version=version, thread_id=thread, sequence=place)

    def edge(self) -> Edge:
        row = edge(self.id(), fact=self.pick(TEXTS), contested=self.pick([True, False]))
        return replace(row, subject_id="a", object_id=row.id, recorded=self.pick(SPANS))


def _present(batches: list[Rows]) -> Rows:
    """What a store holds after all batches: the last row of each key."""

    def last(name: str, key: Callable[[Any], object]) -> list[Any]:
        return list({key(row): row for batch in batches for row in getattr(batch, name)}.values())

    edges: set[str] = set()
    sources: list[EdgeSource] = []
    for batch in batches:
        edges.update(one.id for one in batch.edges)
        sources += [source for source in batch.sources if source.edge_id in edges]
    return Rows(
        episodes=last("episodes", lambda e: (e.id, e.version)),
        entities=last("entities", lambda e: e.id),
        edges=last("edges", lambda e: e.id),
        sources=sources,
        vectors=last("vectors", lambda v: v.text_hash),
        episode_vectors=last("episode_vectors", lambda v: v.episode_id),
        edge_vectors=last("edge_vectors", lambda link: link[0]),
    )


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(1, 6))
def test_an_image_fed_step_by_step_equals_one_built_at_once(random: Random, size: int) -> None:
    batches = [Batch(random).rows() for _ in range(size)]
    question = random.choice(TEXTS)
    followed, rebuilt = image(*batches), image(_present(batches))
    assert followed.fingerprint() == rebuilt.fingerprint()

    asked: dict[str, Any] = {"vector": EMBEDDER.embed_query(question), "recorded": day(3)}
    expected = search(rebuilt, question, **asked)
    found = search(followed, question, **asked)
    assert [*found] == [*expected]
    for id, one in found.items():
        assert one.ranks == expected[id].ranks
        assert one.features == pytest.approx(expected[id].features, abs=2e-6)


def test_different_rows_have_different_fingerprints() -> None:
    turn = chat("tea", "rain")
    changed: list[Rows] = [
        chat("tea", "rain!?"),
        chat("tea", "rain", speaker="Ben"),
        chat("tea", "rain", recorded=Interval(day(2))),
        chat("tea", "rain", expires_at=day(9)),
        replace(turn, episode_vectors=()),
        replace(turn, edges=[edge("e")]),
        replace(turn, entities=[entity("x")]),
    ]
    prints = [image(rows).fingerprint() for rows in [turn, *changed]]
    assert len(set(prints)) == len(prints)


def test_many_rows_grow_every_table() -> None:
    turns = [episode(f"{n:04}", text=f"word{n} tea", sequence=-n) for n in range(300)]
    held = image(*(embedded([turn]) for turn in turns))
    asked = EMBEDDER.embed_query("Ann: word150 tea")
    found = search(held, "word150", vector=asked, limit=3)

    assert found["0150"].ranks == {"lexical": 1, "vector": 1}
    assert np.isfinite([*found["0150"].features.values()]).all()
