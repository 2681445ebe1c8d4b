"""``Store.search``: each channel alone, every filter before any limit, times, order and ties."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.index import features, terms, words
from graphmem.model import (
    Episode,
    EpisodeKind,
    EpisodeVectors,
    Evidence,
    HitKind,
    TextVector,
)
from graphmem.ports import Candidate, Store
from graphmem.temporal import FOREVER, Interval
from graphmem.testing import FakeClock
from graphmem.testing.records import (
    Record,
    assertion,
    day,
    edge,
    entity,
    episode,
    put,
    request,
    vector,
)

TICK = timedelta(microseconds=1)


def search(store: Store, text: str = "", **asked: Any) -> list[Candidate]:
    return store.search("g", request(terms=terms(text), names=words(text), **asked))


def filter_name(narrow: dict[str, Any]) -> str:
    return next(iter(narrow))


def ids(found: Sequence[Candidate]) -> list[str]:
    return [one.id for one in found]


def best(found: Sequence[Candidate], channel: str = "lexical") -> list[str]:
    """Ids by rank in a channel."""
    ranked = [one for one in found if channel in one.ranks]
    return ids(sorted(ranked, key=lambda one: (one.ranks[channel], one.id)))


def embedded(turn: Episode, *values: float) -> list[Record]:
    """A turn, and this vector for it and its window."""
    text_hash = f"hash of {turn.id}"
    vectors = EpisodeVectors(turn.id, text_hash, text_hash)
    return [turn, vectors, TextVector(text_hash, vector(*values))]


def supporting(edge_id: str, turn: Episode) -> list[Record]:
    """An assertion of the same id as the turn that states it."""
    stated = assertion(turn.id, episode_id=turn.id)
    stated = replace(stated, thread_id=turn.thread_id, speaker=turn.speaker)
    return [stated, Evidence(edge_id, turn.id)]


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


def test_unknown_times_pass_occurred_by_and_not_during(store: Store) -> None:
    put(store, episode("u", text="zebra"), episode("k", text="zebra", occurred_at=day(5)))

    assert ids(search(store, "zebra", occurred_by=day(4))) == ["u"]
    assert ids(search(store, "zebra", occurred_by=day(5))) == ["k", "u"]
    assert ids(search(store, "zebra", during=Interval(day(5), day(6)))) == ["k"]
    assert ids(search(store, "zebra", during=Interval(day(4), day(5)))) == []


def test_both_times_of_edges_are_half_open(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, edge("e", fact="zebra", valid=Interval(day(1), day(3))))
    clock.now = day(7)
    put(store, close_edges=("e",))

    def seen(valid: int, recorded: int, shift: timedelta = timedelta()) -> bool:
        at = day(valid) + shift
        asked: dict[str, Any] = {"valid": Interval(at, at + TICK)}
        return bool(search(store, "zebra", recorded=day(recorded) + shift, **asked))

    assert [seen(1, 5), seen(3, 7, -TICK)] == [True, True]
    assert [seen(1, 5, -TICK), seen(3, 5), seen(1, 7)] == [False, False, False]


def test_events_have_happened_and_contested_edges_are_not_found(store: Store) -> None:
    valid = Interval(day(5), day(6))
    put(
        store,
        edge("event", relation="joined", fact="zebra", valid=valid),
        edge("state", fact="zebra", valid=valid),
        edge("contested", relation="joined", fact="zebra", valid=valid, contested=True),
    )
    at = Interval(day(9), day(9) + TICK)

    assert ids(search(store, "zebra", valid=at)) == []
    assert ids(search(store, "zebra", valid=at, events=frozenset({"joined"}))) == ["event"]
    before = Interval(day(5) - TICK, day(5))
    assert ids(search(store, "zebra", valid=before, events=frozenset({"joined"}))) == []


def test_one_source_must_be_of_the_thread_and_the_speaker(store: Store) -> None:
    put(
        store,
        edge("e", fact="zebra"),
        *(assertion("a", episode_id="1"), Evidence("e", "a")),
        *(assertion("b"), Evidence("e", "b")),
    )
    ann, nobody = frozenset({"Ann"}), frozenset({"Ben"})

    assert ids(search(store, "zebra", threads=frozenset({"t"}), speakers=ann)) == ["e"]
    assert ids(search(store, "zebra", threads=frozenset({"t"}), speakers=nobody)) == []
    assert ids(search(store, "zebra", threads=frozenset())) == []


def test_a_search_reads_the_version_of_its_time(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, episode("e", text="zebra"))
    assert ids(search(store, "zebra")) == ["e"]
    clock.now = day(7)
    put(store, episode("e", text="quokka", version=2), close_episodes=("e",))

    assert ids(search(store, "zebra", recorded=day(6))) == ["e"]
    assert ids(search(store, "zebra")) == ids(search(store, "quokka", recorded=day(6))) == []
    assert ids(search(store, "quokka")) == ["e"]


def test_a_turn_that_was_closed_is_found_as_of_before(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, *embedded(episode("e", text="zebra"), 1, 0))
    clock.now = day(7)
    put(store, close_episodes=("e",))

    assert search(store, "zebra", vector=vector(1, 0)) == []
    assert ids(search(store, "zebra", vector=vector(1, 0), recorded=day(6))) == ["e"]


def test_what_was_recorded_later_changes_no_earlier_ranking(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    put(store, *(episode(f"{n}", text=f"zebra {n % 3} {n}") for n in range(6)), edge("e"))
    before = search(store, "zebra 2 rome", recorded=day(6))
    clock.now = day(7)
    put(store, *(episode(f"x{n}", text="zebra 2") for n in range(9)), edge("f"))

    assert search(store, "zebra 2 rome", recorded=day(6)) == before
    assert search(store, "zebra 2 rome") != before


def test_expired_and_deleted_and_empty_turns_are_not_found(store: Store, clock: FakeClock) -> None:
    put(
        store,
        episode("e", text="zebra", expires_at=day(7)),
        episode("d", text="zebra", kind=EpisodeKind.DELETED),
        *embedded(episode("w", text="…"), 1, 0),
    )

    found = search(store, "zebra ann", recorded=day(7) - TICK, vector=vector(1, 0))
    assert ids(found) == ["e"]
    assert search(store, "zebra ann", recorded=day(7), vector=vector(1, 0)) == []


def test_an_edge_recorded_ahead_is_found_from_then_on(store: Store, clock: FakeClock) -> None:
    clock.now = day(2)
    put(store, edge("ahead", fact="zebra", recorded=Interval(day(9), FOREVER)))

    assert ids(search(store, "zebra", recorded=day(8))) == []
    assert ids(search(store, "zebra", recorded=day(9))) == ["ahead"]
    clock.now = day(5)
    put(store, close_edges=("ahead",))
    assert ids(search(store, "zebra", recorded=day(9))) == []


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
