"""``Store.search``: each channel alone, every filter before any limit, times, order and ties."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.index import features, terms, words
from graphmem.model import (
    Evidence,
    HitKind,
    TextVector,
)
from graphmem.ports import Candidate, Store
from graphmem.temporal import Interval
from graphmem.testing import FakeClock
from graphmem.testing.records import (
    assertion,
    day,
    edge,
    embedded,
    entity,
    episode,
    put,
    request,
    supporting,
    vector,
)

TICK = timedelta(microseconds=1)


def search(store: Store, text: str = "", **asked: Any) -> Sequence[Candidate]:
    return store.search("g", request(terms=terms(text), names=words(text), **asked))


def filter_name(narrow: dict[str, Any]) -> str:
    return next(iter(narrow))


def ids(found: Sequence[Candidate]) -> list[str]:
    return [one.id for one in found]


def best(found: Sequence[Candidate], channel: str = "lexical") -> list[str]:
    """Ids by rank in a channel."""
    ranked = [one for one in found if channel in one.ranks]
    return ids(sorted(ranked, key=lambda one: (one.ranks[channel], one.id)))


def test_words_alone_find_turns_and_facts(store: Store) -> None:
    put(
        store,
        episode("turn", text="I saw a zebra."),
        episode("other", text="I saw a horse."),
        edge("fact", fact="Ann likes zebras"),
    )

    found = search(store, "zebra", channels=["lexical"])
    assert [(one.id, one.kind) for one in found] == [
        ("fact", HitKind.EDGE),
        ("turn", HitKind.EPISODE),
    ]
    assert all(one.ranks == {"lexical": 1} for one in found)
    assert features.COSINE not in found[0].features
    assert features.GRAPH not in found[0].features


def test_vectors_alone_find_the_nearest_turns_and_facts(store: Store) -> None:
    put(
        store,
        *embedded(episode("near", text="a"), 1, 0.1),
        *embedded(episode("far", text="a"), 0, 1),
        *(edge("fact"), ("fact", "fact"), TextVector("fact", vector(1, 1))),
        episode("no vector", text="zebra"),
    )

    found = search(store, "zebra", channels=["vector"], vector=vector(1, 0))
    assert best([one for one in found if one.kind is HitKind.EPISODE], "vector") == ["near", "far"]
    assert [one.id for one in found if one.kind is HitKind.EDGE] == ["fact"]
    assert all(one.ranks.keys() == {"vector"} for one in found)
    cosines = {one.id: one.features[features.COSINE] for one in found}
    assert cosines == pytest.approx({"near": 0.995037, "far": 0, "fact": 0.707107}, abs=1e-6)


def test_the_graph_alone_finds_what_is_near_a_named_entity(store: Store) -> None:
    put(
        store,
        *(entity("1", "Ann Lee", aliases=["安"]), entity("2", "Acme"), entity("3"), entity("4")),
        *(edge("near", "1", "works at", "2"), edge("next", "3", "leads", "2")),
        *(edge("apart", "4", "knows", "5"), episode("e", text="hello")),
        *(assertion("a", episode_id="e"), Evidence("next", "a")),
    )

    for question in ("where does ann lee work", "安"):
        found = search(store, question, channels=["graph"])
        assert best([one for one in found if one.kind is HitKind.EDGE], "graph") == ["near", "next"]
        assert [one.id for one in found if one.kind is HitKind.EPISODE] == ["e"]
        assert {one.id: one.features.get(features.NAMED) for one in found} == {
            "near": 0.5,
            "next": 0,
            "e": None,
        }
    assert search(store, "nobody", channels=["graph"]) == []


def test_without_a_vector_there_is_no_vector_channel(store: Store) -> None:
    put(store, *embedded(episode("e", text="zebra"), 1, 0))

    (found,) = search(store, "zebra", channels=["lexical", "vector"])
    assert found.ranks == {"lexical": 1}
    assert features.COSINE not in found.features


def test_channels_join_in_one_candidate_with_all_its_features(store: Store) -> None:
    put(
        store,
        *embedded(episode("both", text="zebra?"), 1, 0),
        *embedded(episode("one", text="horse"), 1, 1),
    )

    both, one = search(store, "zebra", vector=vector(1, 0))
    assert (both.id, both.ranks) == ("both", {"lexical": 1, "vector": 1})
    assert (one.id, one.ranks) == ("one", {"vector": 2})
    assert both.features.keys() == one.features.keys()
    assert (one.features[features.BM25], both.features[features.ASKS]) == (0, 1)


@pytest.mark.parametrize("channel", ["lexical", "vector", "graph"])
def test_no_channels_bring_nothing_and_each_kind_can_be_left_out(
    store: Store, channel: str
) -> None:
    put(
        store,
        *(entity("ann"), edge("fact"), ("fact", "h"), TextVector("h", vector(1, 0))),
        *embedded(episode("turn", text="ann lives in rome"), 1, 0),
        *(assertion("a", episode_id="turn"), Evidence("fact", "a")),
    )

    for kind, id in ((HitKind.EDGE, "fact"), (HitKind.EPISODE, "turn")):
        asked: dict[str, Any] = {"kinds": [kind], "vector": vector(1, 0)}
        assert ids(search(store, "ann", channels=[channel], **asked)) == [id]
        assert search(store, "ann", channels=[], **asked) == []
    assert search(store, "ann", kinds=[]) == []


def test_candidates_come_by_id_and_kind_and_ties_share_a_rank(store: Store) -> None:
    put(
        store,
        *(episode(id, thread_id=id, text="zebra") for id in "cab"),
        episode("best", text="zebra zebra"),
        episode("last", text="zebra and a long tail of other animals"),
        *(edge("b", fact="zebra"), edge("a", fact="zebra")),
    )

    found = search(store, "zebra", channels=["lexical"])
    assert [(one.id, one.kind.value) for one in found] == [
        *[("a", "edge"), ("a", "episode"), ("b", "edge"), ("b", "episode")],
        *[("best", "episode"), ("c", "episode"), ("last", "episode")],
    ]
    turns = {one.id: one.ranks["lexical"] for one in found if one.kind is HitKind.EPISODE}
    assert turns == {"best": 1, "a": 2, "b": 2, "c": 2, "last": 5}


def test_the_limit_is_for_each_channel_and_kind_and_ties_go_by_id(store: Store) -> None:
    put(
        store,
        *(episode(id, thread_id=id, text="zebra") for id in "dcab"),
        *(edge(f"e{n}", fact="zebra") for n in range(3)),
        *embedded(episode("far", text="a"), 0, 1),
        *embedded(episode("near", text="a"), 1, 0),
    )

    found = search(store, "zebra", limit=2, vector=vector(1, 0), channels=["lexical", "vector"])
    assert ids(found) == ["a", "b", "e0", "e1", "far", "near"]


def test_a_word_stored_once_is_found_first_among_many(store: Store) -> None:
    put(store, *(episode(f"{n}", text=f"the zebra number {n} sleeps") for n in range(500)))
    put(store, episode("x", text=" ".join(["the zebra number sleeps"] * 30) + " quokka"))

    assert best(search(store, "which zebra number is the quokka"))[0] == "x"
    assert best(search(store, "QUOKKA!", limit=1)) == ["x"]


@pytest.mark.parametrize(
    "narrow",
    [
        {"threads": frozenset({"w"})},
        {"speakers": frozenset({"Wanted"})},
        {"during": Interval(day(9), day(10))},
        {"occurred_by": day(9)},
        {"recorded": day(300)},
    ],
    ids=filter_name,
)
@pytest.mark.parametrize("channel", ["lexical", "vector", "graph"])
def test_turns_are_filtered_before_the_limit(
    store: Store, clock: FakeClock, narrow: dict[str, Any], channel: str
) -> None:
    clock.now = day(299)
    long = "a zebra and much more that is not asked for"
    wanted = episode("z", thread_id="w", speaker="Wanted", text=long, occurred_at=day(9))
    put(store, entity("ann"), edge("e"), *embedded(wanted, 1, 1), *supporting("e", wanted))
    clock.now = day(301)
    for n in range(30):
        better = episode(f"a{n:02}", speaker="Other", text="zebra", occurred_at=day(20))
        put(store, *embedded(better, 1, 0), *supporting("e", better))
    asked: dict[str, Any] = {"vector": vector(1, 0), "channels": [channel], "limit": 3}
    asked["kinds"] = [HitKind.EPISODE]

    assert ids(search(store, "zebra ann", **asked)) == ["a00", "a01", "a02"]
    assert ids(search(store, "zebra ann", **asked, **narrow)) == ["z"]


@pytest.mark.parametrize(
    "narrow",
    [
        {"threads": frozenset({"t"})},
        {"speakers": frozenset({"Ann"})},
        {"valid": Interval(day(9), day(9) + TICK)},
        {"recorded": day(300)},
    ],
    ids=filter_name,
)
@pytest.mark.parametrize("channel", ["lexical", "vector", "graph"])
def test_edges_are_filtered_before_the_limit(
    store: Store, clock: FakeClock, narrow: dict[str, Any], channel: str
) -> None:
    clock.now = day(299)
    put(
        store,
        *(entity("ann"), entity("rome"), assertion("s", episode_id="e")),
        edge("z", fact="ann saw a zebra and much more that is not asked for"),
        *(("z", "z"), TextVector("z", vector(1, 1)), Evidence("z", "s")),
    )
    clock.now = day(301)
    rows = [edge(f"a{n:02}", fact="zebra", valid=Interval(day(1), day(9))) for n in range(30)]
    links = [(row.id, "near") for row in rows]
    put(store, *rows, *links, TextVector("near", vector(1, 0)))
    asked: dict[str, Any] = {"vector": vector(1, 0), "channels": [channel], "limit": 3}

    assert ids(search(store, "zebra ann", **asked)) == ["a00", "a01", "a02"]
    assert ids(search(store, "zebra ann", **asked, **narrow)) == ["z"]


def test_an_edge_is_found_by_the_names_of_its_ends_as_they_are_now(store: Store) -> None:
    put(store, entity("1", "Ann"), edge("e", "1", fact="she likes tea"))
    assert ids(search(store, "ann", channels=["lexical"])) == ["e"]
    put(store, entity("1", "Zoe", aliases=["Zoë", "Z."]))

    for name in ("zoe", "Zoë"):
        assert ids(search(store, name, channels=["lexical"])) == ["e"]
        assert ids(search(store, name, channels=["graph"])) == ["e"]
    assert search(store, "ann") == []


def test_vectors_may_come_after_what_they_stand_for(store: Store) -> None:
    put(store, episode("e", text="zebra"), edge("f", fact="horse"))
    assert search(store, channels=["vector"], vector=vector(1, 0)) == []
    put(store, *embedded(episode("e"), 1, 0)[1:], ("f", "hash of e"))

    assert ids(search(store, channels=["vector"], vector=vector(1, 0))) == ["e", "f"]


def test_a_question_of_another_dimension_is_refused(store: Store) -> None:
    put(store, *embedded(episode("e", text="a"), 1, 0))

    with pytest.raises(InvalidInput):
        search(store, "e", vector=vector(1, 0, 0))


@pytest.mark.parametrize("text", ["", "the of", "?!", "…", " ", "'\"; DROP", "zebra " * 2000])
def test_any_question_is_answered(store: Store, text: str) -> None:
    put(store, episode("e", text="a zebra"), edge("f"))

    assert ids(search(store, text)) == (["e"] if "zebra" in text else [])
    assert store.search("unknown group", request(terms=terms(text), names=words(text))) == []


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("我住在北京。", "北京"),
        ("أعيش في القاهرة", "القاهرة"),
        ("Я живу в Москве", "МОСКВЕ"),
        ("ticket SR-2023-052 is open", "SR-2023-052"),
        ("see C:\\temp\\notes|old.txt", "notes old"),
        ("party 🎉 tonight", "🎉"),
        ("İstanbul’da 'quoted' \"text\" {x} [y]", "İSTANBUL"),
    ],
)
def test_every_script_is_found(store: Store, text: str, question: str) -> None:
    put(store, episode("e", text=text), episode("other", text="something else"))

    assert best(search(store, question, channels=["lexical"])) == ["e"]
