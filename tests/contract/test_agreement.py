"""Every store answers what the reference store answers, over random histories.

Reads must be equal; of searches the candidates, their ranks but for ties, and their features.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest

from graphmem.index import features, terms, text_hash, turn_text, words
from graphmem.model import (
    EpisodeKind,
    EpisodeVectors,
    Evidence,
    Extraction,
    ExtractionState,
    HitKind,
    TextVector,
)
from graphmem.ports import (
    Candidate,
    Clock,
    EdgeFilter,
    EpisodeFilter,
    Page,
    SearchRequest,
    SlotQuery,
    Store,
    View,
)
from graphmem.store.sqlite import SqliteStore
from graphmem.temporal import FOREVER, Interval
from graphmem.testing import FakeClock, HashEmbedder, ReferenceStore
from graphmem.testing.records import (
    Record,
    assertion,
    day,
    edge,
    entity,
    episode,
    put,
    request,
    ruling,
)

OTHERS: dict[str, Callable[[Path, Clock], Store]] = {
    "sqlite": lambda path, clock: SqliteStore.open(path, clock=clock),
    "memory": lambda path, clock: SqliteStore.open(None, clock=clock),
}
SCORES = {"lexical": features.BM25, "vector": features.COSINE, "graph": features.GRAPH}
CLOSE = 1e-5
_SAID = "ann ben cid dora rome oslo acme tea chess rain 北京 the of who lives works likes why"
WORDS = _SAID.split()
EMBEDDER = HashEmbedder(dimension=16)


Pair = tuple[Store, Store, FakeClock]


@pytest.fixture(params=OTHERS)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    """The reference store and another one, with one clock that stands still until it is set."""
    clock = FakeClock(day(10), step=timedelta(0))
    other = OTHERS[request.param](tmp_path / "store.db", clock)
    yield ReferenceStore(clock=clock), other, clock
    other.close()


class History:
    """A random history of one group; remembers which ids there are and which are open."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.versions: dict[str, int] = {}
        self.assertions: list[str] = []
        self.edges: list[str] = []
        self.rulings: list[str] = []
        self.open: dict[str, list[str]] = {"episodes": [], "assertions": [], "edges": []}

    def text(self, most: int = 12) -> str:
        chosen = self.random.choices(WORDS, k=self.random.randint(0, most))
        return " ".join(chosen) + self.random.choice(["", ".", "?", " ", "？"])

    def name(self) -> str:
        return self.random.choice(["ann", "Ben Cid", "the", "Dora", "rome", "Acme Oslo", "北京"])

    def write(self, stores: Sequence[Store]) -> None:
        closing = {kind: self._closing(ids) for kind, ids in self.open.items()}
        records = [*self._entities(), *self._episodes(closing["episodes"]), *self._facts()]
        for store in stores:
            put(
                store,
                *records,
                close_episodes=closing["episodes"],
                close_assertions=closing["assertions"],
                close_edges=closing["edges"],
            )

    def _closing(self, ids: list[str]) -> tuple[str, ...]:
        chosen = tuple(id for id in ids if self.random.random() < 0.1)
        ids[:] = [id for id in ids if id not in chosen]
        return chosen

    def _entities(self) -> Iterator[Record]:
        for id in {self.random.choice("abcdefgh") for _ in range(3)}:
            kind = "value" if id == "h" else "person"
            yield entity(id, self.name(), kind=kind, aliases=[self.name()])

    def _episodes(self, closed: tuple[str, ...]) -> Iterator[Record]:
        again = [id for id in closed if self.random.random() < 0.7]
        new = [f"t{len(self.versions) + n:03}" for n in range(self.random.randint(0, 6))]
        for id in (*again, *new):
            self.versions[id] = self.versions.get(id, 0) + 1
            self.open["episodes"].append(id)
            turn = episode(
                id,
                thread_id=str(int(id[1:]) % 3),
                sequence=int(id[1:]) * 7 % 11,
                text=self.text(40 if self.random.random() < 0.1 else 12),
                speaker=self.random.choice(["Ann", "Ben Cid", "the", None, "北京"]),
                kind=self.random.choice([*[EpisodeKind.MESSAGE] * 9, EpisodeKind.DELETED]),
                occurred_at=self.random.choice([None, day(1), day(5), day(9)]),
                version=self.versions[id],
                expires_at=self.random.choice([None, None, None, day(12), day(30)]),
            )
            yield turn
            yield ExtractionState(id, self.random.choice([*Extraction]), "x", None)
            if self.random.random() < 0.8:
                yield from self._vectors(id, turn_text(turn))

    def _vectors(self, id: str, text: str) -> Iterator[Record]:
        window = text + " " + self.text()
        yield EpisodeVectors(id, text_hash(text), text_hash(window))
        for each in (text, window):
            if self.random.random() < 0.9:
                yield TextVector(text_hash(each), EMBEDDER.embed_query(each))

    def _facts(self) -> Iterator[Record]:
        for _ in range(self.random.randint(0, 5)):
            id = f"e{len(self.edges):03}"
            ends = self.random.choices("abcdefgh", k=2)
            start = self.random.choice([1, 3, 5])
            row = edge(
                id,
                ends[0],
                self.random.choice(["likes", "joined"]),
                ends[1],
                fact=self.text(),
                valid=Interval(day(start), self.random.choice([FOREVER, day(start + 3)])),
                contested=self.random.random() < 0.1,
            )
            self.edges.append(id)
            self.open["edges"].append(id)
            yield row
            if self.random.random() < 0.8:
                yield (id, text_hash(row.fact))
                yield TextVector(text_hash(row.fact), EMBEDDER.embed_query(row.fact))
        for _ in range(self.random.randint(0, 4)):
            yield from self._support()

    def _support(self) -> Iterator[Record]:
        if self.edges and self.versions:
            id = f"a{len(self.assertions):03}"
            self.assertions.append(id)
            self.open["assertions"].append(id)
            source = self.random.choice([*self.versions, None])
            yield replace(
                assertion(
                    id,
                    self.random.choice("abc"),
                    self.random.choice(["likes", "joined"]),
                    self.random.choice(["d", "e", None]),
                    episode_id=source,
                    said=self.random.choice([None, day(1), day(2)]),
                ),
                thread_id=self.random.choice(["0", "1", "2", ""]),
                speaker=self.random.choice(["Ann", "Ben Cid", None]),
            )
            yield Evidence(self.random.choice(self.edges), id)
            if self.random.random() < 0.3:
                self.rulings.append(f"r{len(self.rulings)}")
                yield ruling(self.rulings[-1], id, self.random.choice(self.assertions))

    def request(self) -> SearchRequest:
        text = self.text() + self.name()
        choice, some = self.random.choice, self.random.random
        at = day(choice([1, 2, 4, 7]))
        return request(
            terms=terms(text),
            names=words(text),
            vector=None if some() < 0.2 else EMBEDDER.embed_query(text),
            kinds=choice([HitKind, HitKind, [HitKind.EDGE], [HitKind.EPISODE]]),
            channels=[c for c in SCORES if some() < 0.8],
            valid=Interval(at, choice([day(8), day(30)])),
            events=frozenset({"joined"} if some() < 0.5 else ()),
            recorded=choice([day(10), day(13), day(14), day(366)]),
            occurred_by=choice([day(4), FOREVER]),
            threads=choice([None, None, frozenset({"0", "2"}), frozenset({"1", ""})]),
            speakers=choice([None, None, frozenset({"Ann"}), frozenset({"Ben Cid", "北京"})]),
            during=choice([None, None, None, Interval(day(2), day(8))]),
            limit=choice([3, 1000]),
        )


@pytest.mark.parametrize("seed", range(12))
def test_stores_answer_and_find_what_the_reference_store_does(pair: Pair, seed: int) -> None:
    reference, other, clock = pair
    history = History(seed)
    for _ in range(12):
        clock.now += history.random.choice([timedelta(0), timedelta(hours=5), timedelta(days=1)])
        history.write((reference, other))
        _compare_views(reference.view("g"), other.view("g"), history)
        for _ in range(3):
            _compare(reference, other, history.request())
    assert not [line for line in other.check() if "image" in line]


def _compare_views(expected: View, found: View, history: History) -> None:
    some = history.random.choice
    assert found.stamp == expected.stamp
    for read in _reads(history, some([day(10), day(11), day(14), FOREVER])):
        assert read(found) == read(expected)


def _reads(history: History, recorded: datetime) -> Iterator[Callable[[View], object]]:
    """Yield reads of everything, by filters that narrow now and then."""
    some, few = history.random.choice, partial(history.random.choice, [1, 3, 100])
    turns = EpisodeFilter(
        recorded,
        occurred_by=some([None, day(4)]),
        during=some([None, Interval(day(2), day(8))]),
        threads=some([None, {"0", "2"}, {"1"}]),
        speakers=some([None, {"Ann", "Ben Cid"}]),
    )
    facts = EdgeFilter(
        recorded,
        during=some([None, Interval(day(6), day(7))]),
        subject_ids=some([None, ["a", "b"]]),
        relations=some([None, {"likes"}]),
        object_ids=some([None, ["c"]]),
        contested=some([True, False]),
        events=some([(), ("joined",)]),
    )
    slots = [
        SlotQuery(("likes",), some(["a", None]), some(["d", None])),
        SlotQuery(("joined", "likes"), some(["b", None]), some(["e", None])),
    ]
    page, ids = Page(few(), some([*history.versions, None])), [*history.versions, "unknown"]
    yield lambda view: (view.episodes(ids), view.extractions(ids), view.stated_by(ids))
    yield lambda view: view.find_episodes(turns, page)
    yield lambda view: view.latest(turns, page.limit)
    yield lambda view: [view.thread(id) for id in "012"]
    yield lambda view: [view.before(view.thread("1"), n) for n in (1, 3)]
    yield lambda view: [view.after(view.thread("1"), n) for n in (1, 3)]
    yield lambda view: (view.threads(Page(page.limit)), view.pending(page.limit))
    yield lambda view: (view.entities("abc"), view.named(["ann", "the", "北京", "none"]))
    yield lambda view: (view.find_entities(Page(3, "b")), view.assertions(history.assertions))
    yield lambda view: (view.stated(slots), view.rulings(history.assertions))
    yield lambda view: (view.concluded(slots), view.evidence(history.edges))
    yield lambda view: (view.edges(facts), view.edge_history(facts))


def _by_key(found: Sequence[Candidate]) -> dict[tuple[str, HitKind], Candidate]:
    return {(one.id, one.kind): one for one in found}


def _tied(found: Mapping[tuple[str, HitKind], Candidate], one: Candidate, channel: str) -> int:
    name = SCORES[channel]
    score = one.features[name]
    same = (c for c in found.values() if c.kind is one.kind and channel in c.ranks)
    return sum(abs(c.features[name] - score) <= CLOSE for c in same)


def test_stores_walk_a_long_chain_and_a_hub_alike(pair: Pair) -> None:
    reference, other, _ = pair
    chain = [edge(f"c{n}", f"n{n}", "likes", f"n{n + 1}") for n in range(9)]
    hub = [
        edge(f"h{n:03}", "hub", "likes", f"s{n}", valid=Interval(day(1 + n % 7)))
        for n in range(100)
    ]
    ring = [edge("loop", "n1", "likes", "n1"), edge("back", "n1", "likes", "n0")]
    for each in pair[:2]:
        put(each, *(entity(id) for id in ("n0", "hub")), *chain, *hub, *ring)

    for name in ("n0", "hub", "n0 hub"):
        asked = request(names=words(name), channels=["graph"], valid=Interval(day(8)), limit=1000)
        _compare(reference, other, asked)
    asked = request(names=("n0",), channels=["graph"])
    assert {one.id for one in other.search("g", asked)} == {"c0", "c1", "c2", "c3", "loop", "back"}


def test_stores_stop_before_a_hop_that_is_too_wide_alike(pair: Pair) -> None:
    reference, other, _ = pair
    near = [edge(f"n{n}", "hub", "likes", f"s{n}") for n in range(64)]
    wide = [edge(f"w{n}", f"s{n % 64}", "likes", f"f{n}") for n in range(64 * 63)]
    wider = [edge(f"x{n}", f"f{n}", "likes", f"s{n % 7}") for n in range(64 * 3)]
    for each in pair[:2]:
        put(each, entity("hub"), *near, *wide, *wider)

    _compare(reference, other, request(names=("hub",), channels=["graph"], limit=100))


def _compare(reference: Store, other: Store, asked: SearchRequest) -> None:
    listed = other.search("g", asked)
    expected, found = _by_key(reference.search("g", asked)), _by_key(listed)

    assert [*found] == sorted(found)
    assert found.keys() == expected.keys()
    for key, one in expected.items():
        assert found[key].features == pytest.approx(one.features, abs=CLOSE)
        assert found[key].ranks.keys() == one.ranks.keys()
        for channel, rank in one.ranks.items():
            assert abs(found[key].ranks[channel] - rank) < _tied(expected, one, channel), key
