import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphmem.errors import InvalidInput
from graphmem.index import text_hash, turn_text, window_text
from graphmem.model import (
    Edge,
    Episode,
    EpisodeVectors,
    Evidence,
    Hit,
    HitKind,
    Quote,
    TextVector,
)
from graphmem.ports import Store
from graphmem.retrieval import search
from graphmem.store.sqlite import SqliteStore
from graphmem.temporal import FOREVER, Interval
from graphmem.testing import FakeClock, HashEmbedder, ReferenceStore
from graphmem.testing.records import Record, assertion, day, edge, entity, episode, put

EMBEDDER = HashEmbedder(dimension=64)
CHANNELS = frozenset({"lexical", "vector", "graph"})
STORES: dict[str, Callable[[FakeClock], Store]] = {
    "reference": lambda clock: ReferenceStore(clock=clock),
    "memory": lambda clock: SqliteStore.open(None, clock=clock),
}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(day(1))


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, clock: FakeClock) -> Iterator[Store]:
    store = STORES[request.param](clock)
    yield store
    store.close()


@pytest.fixture
def embedded() -> Iterator[Store]:
    store = SqliteStore.open(None, clock=FakeClock(day(1)))
    yield store
    store.close()


def find(store: Store, query: str, **asked: Any) -> list[Hit]:
    base: dict[str, Any] = {
        "embedder": EMBEDDER,
        "valid": day(300),
        "recorded": FOREVER,
        "limit": 10,
        "kinds": frozenset(HitKind),
        "channels": CHANNELS,
    }
    return search(store, store.view("g"), "g", query, **(base | asked))


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.id for hit in hits]


def turns(*texts: str, **more: Any) -> list[Record]:
    rows = [episode(f"t{n:03}", text=text, sequence=n, **more) for n, text in enumerate(texts)]
    return with_vectors(rows)


def with_vectors(rows: Sequence[Episode]) -> list[Record]:
    records: list[Record] = [*rows]
    for before, turn, after in zip([None, *rows], rows, [*rows[1:], None], strict=False):
        texts = (turn_text(turn), window_text(before, turn, after))
        records.append(EpisodeVectors(turn.id, *map(text_hash, texts)))
        records += [TextVector(text_hash(text), EMBEDDER.embed_query(text)) for text in texts]
    return records


def facts(*edges: Edge) -> list[Record]:
    names = {name for one in edges for name in (one.subject_id, one.object_id)}
    records: list[Record] = [*edges, *(entity(name) for name in sorted(names))]
    for one in edges:
        hash = text_hash(one.fact)
        records += [(one.id, hash), TextVector(hash, EMBEDDER.embed_query(one.fact))]
    return records


def test_edges_and_episodes_come_in_one_list_with_their_reasons(store: Store) -> None:
    said = assertion(
        "a", "Ann", "likes", "tea", episode_id="t000", quote=Quote("I like tea", 0, 10)
    )
    put(
        store,
        *turns("I like tea", "It rains"),
        *facts(edge("e", "Ann", "likes", "tea"), edge("f", "Ben", "likes", "chess")),
        said,
        Evidence("e", "a"),
    )
    hits = find(store, "Who likes tea?")

    assert {hit.id for hit in hits if hit.rank <= 2} == {"e", "t000"}
    by_id = {hit.id: hit for hit in hits}
    assert (by_id["e"].text, by_id["t000"].text) == ("Ann likes tea", "I like tea")
    for hit in hits:
        row = hit.edge if hit.kind is HitKind.EDGE else hit.episode
        assert row is not None
        assert (row.id, hit.edge is None) == (hit.id, hit.episode is not None)
    assert [(c.episode_id, c.quote) for c in by_id["e"].citations] == [("t000", "I like tea")]
    assert [(c.episode_id, c.quote) for c in by_id["t000"].citations] == [("t000", "I like tea")]
    assert by_id["e"].channels["lexical"] == by_id["t000"].channels["lexical"] == 1
    assert sum(by_id["e"].parts.values()) == pytest.approx(by_id["e"].score)


def test_hits_are_the_rows_of_the_time_they_are_asked_for(store: Store, clock: FakeClock) -> None:
    put(store, episode("t", text="tea at four"), edge("e", fact="tea in Rome"), assertion("old"))
    put(store, Evidence("e", "old"))
    clock.now = day(20)
    newer = episode("t", text="tea at five", version=2)
    put(store, newer, assertion("new"), close_episodes=("t",), close_assertions=("old",))
    put(store, Evidence("e", "new"))

    def found(recorded: Any) -> list[tuple[str, list[str | None]]]:
        hits = find(store, "tea", recorded=recorded, embedder=None)
        return sorted((hit.text, [c.quote for c in hit.citations]) for hit in hits)

    fact = "ann lives in rome"
    assert found(day(10)) == [("tea at four", ["tea at four"]), ("tea in Rome", [fact])]
    assert found(FOREVER) == [("tea at five", ["tea at five"]), ("tea in Rome", [fact])]


def test_it_works_without_a_model(store: Store) -> None:
    put(store, *turns("I like tea", "It rains"), *facts(edge("e", "Ann", "likes", "tea")))

    assert set(ids(find(store, "tea", embedder=None))) == {"e", "t000"}
    with pytest.raises(InvalidInput, match="needs an embedding model"):
        find(store, "tea", embedder=None, channels=frozenset({"vector"}))


@pytest.mark.parametrize("channel", sorted(CHANNELS))
def test_each_channel_works_alone_and_says_so(store: Store, channel: str) -> None:
    put(store, *turns("Ann likes tea"), *facts(edge("e", "Ann", "likes", "tea")))
    hits = find(store, "Ann tea", channels=frozenset({channel}))

    assert "e" in ids(hits)
    assert {name for hit in hits for name in hit.channels} == {channel}


def test_odd_questions_are_answered_sanely(store: Store) -> None:
    put(store, *turns("Who is it?", "tea 👍", "It rains"))

    assert find(store, "?! …") == []
    assert find(store, "who is it")[0].id == "t000"
    assert find(store, "👍")[0].id == "t001"
    assert find(store, "tell me everything", limit=2)
    assert find(store, "tea " + "x" * 10_000)[0].id == "t001"
    assert len(find(store, "tea", limit=1)) == 1
    with pytest.raises(InvalidInput):
        find(store, "  ")


def test_settings_do_not_leak_into_the_next_call(store: Store) -> None:
    put(store, *turns("tea", "more tea", speaker="Ann"))
    before = find(store, "tea")
    find(store, "tea", limit=1, speakers=frozenset({"Ben"}), channels=frozenset({"graph"}))

    assert find(store, "tea") == before


def test_time_threads_and_speakers_narrow(store: Store) -> None:
    put(
        store,
        episode("early", text="tea", occurred_at=day(2), thread_id="x"),
        episode("late", text="tea", occurred_at=day(8), speaker="Ben"),
        edge("past", fact="tea once", valid=Interval(day(1), day(3))),
        edge("now", fact="tea now", valid=Interval(day(5))),
    )

    def found(**asked: Any) -> set[str]:
        return set(ids(find(store, "tea", embedder=None, **asked)))

    assert found() == {"early", "late", "now"}
    assert found(valid=day(2)) == {"early", "past"}
    assert found(during=Interval(day(2), day(4))) == {"early", "past"}
    assert found(threads=frozenset({"x"})) == {"early"}
    assert found(speakers=frozenset({"Ben"})) == {"late"}
    assert found(kinds=frozenset({HitKind.EDGE})) == {"now"}


def test_an_event_has_happened_by_the_time_of_the_read(store: Store) -> None:
    put(store, edge("e", "ann", "visited", "rome", valid=Interval(day(2), day(3))))

    assert ids(find(store, "rome", embedder=None)) == ["e"]
    assert find(store, "rome", embedder=None, valid=day(1)) == []
    assert find(store, "rome", embedder=None, during=Interval(day(4), day(9))) == []


@pytest.mark.parametrize("size", [3, 600])
def test_a_unique_token_stored_once_is_first(embedded: Store, size: int) -> None:
    texts = [f"we talked about tea and cake number {n} for a while" for n in range(size)]
    texts[size // 2] = "the zebrafish was there"
    lives = (edge(f"e{n}", f"p{n}", "talked about", "tea") for n in range(min(size, 60)))
    put(embedded, *turns(*texts), *facts(*lives))

    for query in ("zebrafish", "did we talk about the zebrafish?"):
        assert find(embedded, query)[0].id == f"t{size // 2:03}"


FIRST = "Ann Ben Cara Dan Eva Finn Gina Hugo Iris Jack".split()
LAST = "Lee Moss Novak Ortiz Park Quinn Reed Stone".split()
TEMPLATES = {
    "lives in": "Where does {} live?",
    "works at": "What company does {} work at?",
    "reports to": "Whom does {} report to?",
    "likes": "What does {} like?",
    "owns": "What is it that {} owns?",
    "speaks": "Which language is spoken by {}?",
    "studied": "What did {} study?",
    "is married to": "Who is the spouse of {}?",
    "plays": "Which instrument does {} play?",
    "was born in": "Where was {} born?",
    "leads": "Which project is led by {}?",
    "avoids": "What is it that {} must avoid?",
}


def test_fusion_is_not_below_its_best_channel_among_look_alikes(embedded: Store) -> None:
    people = [f"{first} {last}" for first in FIRST for last in LAST]
    rows = [
        edge(f"{p:02}-{r:02}", person, relation, f"{relation.split()[-1]} {(p * 7 + r) % 5}")
        for p, person in enumerate(people)
        for r, relation in enumerate(TEMPLATES)
    ]
    put(embedded, *facts(*rows))

    def first(channels: frozenset[str]) -> float:
        return float(np.mean([_right(embedded, people, n, channels) for n in range(0, 960, 7)]))

    alone = {channel: first(frozenset({channel})) for channel in sorted(CHANNELS)}
    assert first(CHANNELS) >= max(alone.values()) > 0.4, alone


def _right(store: Store, people: list[str], number: int, channels: frozenset[str]) -> float:
    person, template = divmod(number, 12)
    query = list(TEMPLATES.values())[template].format(people[person])
    ranked = [hit for hit in find(store, query, channels=channels) if hit.rank == 1]
    return (f"{person:02}-{template:02}" in ids(ranked)) / max(1, len(ranked))


def test_context_finds_more_evidence_than_words_alone(embedded: Store, data_dir: Path) -> None:
    """Of the questions of one LoCoMo conversation, without a model."""
    with gzip.open(data_dir / "locomo" / "locomo_dev.json.gz") as file:
        sample = next(one for one in json.load(file) if one["sample_id"] == "conv-26")
    put(embedded, *_turns_of(sample["conversation"]))
    asked = [qa for qa in sample["qa"] if qa["category"] < 5 and qa["evidence"]]

    plain = np.mean([_recall(embedded, qa, ranked=False) for qa in asked])
    context = np.mean([_recall(embedded, qa, ranked=True) for qa in asked])
    assert plain > 0.55
    assert context > plain + 0.05


def _turns_of(conversation: dict[str, Any]) -> Iterator[Episode]:
    sessions = {name for name in conversation if f"{name}_date_time" in conversation}
    for session in sessions & conversation.keys():
        found: list[dict[str, str]] = conversation[session]
        for n, turn in enumerate(found):
            shared = f" [shares {turn['blip_caption']}]" if "blip_caption" in turn else ""
            place: dict[str, Any] = {"thread_id": session, "sequence": n}
            text, speaker = turn["text"] + shared, turn["speaker"]
            yield episode(turn["dia_id"], text=text, speaker=speaker, **place)


def _recall(store: Store, qa: dict[str, Any], *, ranked: bool) -> float:
    words = frozenset({"lexical"})
    hits = find(store, qa["question"], embedder=None, channels=words, limit=10 if ranked else 100)
    if not ranked:
        hits = sorted(hits, key=lambda hit: hit.channels["lexical"])[:10]
    return len({*ids(hits)} & {*qa["evidence"]}) / len(qa["evidence"])
