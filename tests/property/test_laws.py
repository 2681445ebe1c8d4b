"""The engine's laws, on real stores through the public API: any order, batch, repeat, undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem import UNKNOWN, Authority, Cardinality, Catalog, Edge, Memory
from graphmem.model import AssertionKind, Quote, Receipt
from graphmem.ports import Claim, Clock, Store
from graphmem.store.sqlite import SqliteStore
from graphmem.temporal import FOREVER, Interval, Precision
from graphmem.testing import FakeClock, ReferenceStore, ScriptedExtractor

T0 = datetime(2020, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
RELATIONS = [
    "lives in",
    "leads",
    "married to",
    "likes",
    "dislikes",
    "uses",
    "works at",
    "joined",
    "left",
    "born in",
    "reports to",
    "manages",
]
NAMES = ["Ann", "Ben", "Cyd"]


@dataclass(frozen=True)
class Told:
    """A statement: by a turn that the extractor reads, or by a call with an authority."""

    number: int
    subject: str
    relation: str
    object: str | None
    kind: AssertionKind
    said: int | None
    start: int | None
    end: int | None
    role: str
    authority: Authority | None

    @property
    def text(self) -> str:
        return f"statement {self.number}"

    def claim(self) -> Claim:
        return Claim(
            episode_id="",
            subject=self.subject,
            relation=self.relation,
            object=self.object,
            object_value=None,
            kind=self.kind,
            fact=self.text,
            quote=Quote(self.text, 0, len(self.text)),
            start=_instant(self.start),
            start_precision=Precision.DAY if self.start is not None else Precision.UNKNOWN,
            end=_instant(self.end),
            end_precision=Precision.INSTANT if self.end is not None else Precision.UNKNOWN,
            confidence=1.0,
        )


def _instant(tick: int | None) -> datetime | None:
    return None if tick is None else T0 + tick * DAY


@st.composite
def statements(draw: st.DrawFn, number: int) -> Told:
    kind = draw(st.sampled_from([*[AssertionKind.AFFIRMS] * 4, *AssertionKind]))
    relation = draw(st.sampled_from(RELATIONS))
    # Without an object only the canonical direction can be told.
    anything = kind is not AssertionKind.AFFIRMS and not Catalog.builtin().resolve(relation)[1]
    start = draw(st.none() | st.integers(0, 40))
    length = draw(st.none() | st.integers(1, 20))
    if kind is AssertionKind.ENDS:
        start, end = None, draw(st.none() | st.integers(0, 40))
    else:
        end = None if length is None else (0 if start is None else start) + length
    return Told(
        number=number,
        subject=draw(st.sampled_from(NAMES)),
        relation=relation,
        object=draw(st.sampled_from([*NAMES, "Dee", *([None] if anything else [])])),
        kind=kind,
        said=draw(st.none() | st.integers(0, 40)),
        start=start,
        end=end,
        role=draw(st.sampled_from(["user", "user", "assistant"])),
        authority=draw(st.none() | st.sampled_from(list(Authority))),
    )


histories = st.integers(1, 7).flatmap(
    lambda count: st.tuples(*(statements(number) for number in range(count)))
)


def _sqlite(path: Path, clock: Clock) -> Store:
    return SqliteStore.open(path, clock=clock)


def _reference(path: Path, clock: Clock) -> Store:
    del path
    return ReferenceStore(clock=clock)


STORES: dict[str, Callable[[Path, Clock], Store]] = {"sqlite": _sqlite, "reference": _reference}


class Teller:
    """Tells statements to one memory of its own."""

    def __init__(self, kind: str, folder: str, name: str, history: Sequence[Told]) -> None:
        self._kind = kind
        self._path = Path(folder, f"{name}.db")
        self._clock = FakeClock(T0 + 1000 * DAY)
        self._script = ScriptedExtractor({told.text: [told.claim()] for told in history})
        self._store = STORES[kind](self._path, self._clock)
        self.memory = self._open()
        self.targets: dict[int, str] = {}

    def _open(self) -> Memory:
        return Memory(
            self._store,
            group_id="g",
            extractor=self._script,
            embedder=None,
            clock=self._clock,
        )

    def restart(self) -> None:
        if self._kind == "sqlite":
            self._store.close()
            self._store = STORES[self._kind](self._path, self._clock)
            self.memory = self._open()

    def tell(self, batch: Sequence[Told]) -> None:
        """Tell a batch: its turns in one write, its calls one by one."""
        for by_call, some in groupby(batch, key=lambda told: told.authority is not None):
            if by_call:
                for told in some:
                    self._call(told)
            else:
                self._turns(list(some))

    def _turns(self, batch: Sequence[Told]) -> None:
        turns = [
            {
                "text": told.text,
                "speaker": "Cyd",
                "role": told.role,
                "thread_id": f"t{told.number}",
                "occurred_at": _instant(told.said) or UNKNOWN,
                "episode_id": f"e{told.number}",
            }
            for told in batch
        ]
        for told, receipt in zip(batch, self.memory.add_many(turns), strict=True):
            self.targets[told.number] = receipt.episode_id or ""

    def _call(self, told: Told) -> None:
        verbs: dict[AssertionKind, Callable[..., Receipt]] = {
            AssertionKind.AFFIRMS: self.memory.assert_fact,
            AssertionKind.ENDS: self.memory.end_fact,
            AssertionKind.DENIES: self.memory.deny_fact,
        }
        bounds = {} if told.start is None else {"valid_from": _instant(told.start)}
        bounds |= {} if told.end is None else {"valid_to": _instant(told.end)}
        receipt = verbs[told.kind](
            told.subject,
            told.relation,
            told.object,
            occurred_at=_instant(told.said) or UNKNOWN,
            authority=told.authority,
            thread_id=f"t{told.number}",
            quote=told.text,
            **bounds,
        )
        self.targets[told.number] = receipt.assertion_ids[0]

    def edges(self) -> list[tuple[object, ...]]:
        """Return what is concluded over all of time, contested too."""
        found = [
            (e.subject, e.relation, e.object, e.valid, e.contested, e.start_precision)
            for e in self._edges()
        ]
        return sorted(found, key=repr)

    def uncontested(self) -> list[Edge]:
        return [edge for edge in self._edges() if not edge.contested]

    def _edges(self) -> list[Edge]:
        every = Interval(datetime(1, 1, 1, tzinfo=UTC), FOREVER)
        pairs = [
            answer.edge
            for relation in Catalog.builtin().relations
            if relation in RELATIONS
            for answer in self.memory.match(
                relation=relation, during=every, include_contested=True, limit=1000
            )
        ]
        return list({edge.id: edge for edge in pairs}.values())


@pytest.mark.parametrize("kind", STORES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_law_1_order_and_batching_do_not_matter(kind: str, data: st.DataObject) -> None:
    history = data.draw(histories)
    shuffled = data.draw(st.permutations(history))
    size = data.draw(st.integers(1, len(history)))
    with TemporaryDirectory() as folder:
        one, other = Teller(kind, folder, "a", history), Teller(kind, folder, "b", history)
        one.tell(history)
        for start in range(0, len(shuffled), size):
            other.tell(shuffled[start : start + size])
            other.restart()

        assert one.edges() == other.edges()


@pytest.mark.parametrize("kind", STORES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_law_3_what_is_retracted_is_as_if_it_had_never_come(kind: str, data: st.DataObject) -> None:
    history = data.draw(histories)
    gone = data.draw(st.sampled_from(history))
    rest = [told for told in history if told is not gone]
    with TemporaryDirectory() as folder:
        one, other = Teller(kind, folder, "a", history), Teller(kind, folder, "b", history)
        one.tell(history)
        one.memory.retract(one.targets[gone.number])
        other.tell(rest)

        assert one.edges() == other.edges()


@pytest.mark.parametrize("kind", STORES)
@settings(max_examples=40, deadline=None)
@given(history=histories)
def test_law_4_the_same_input_twice_changes_nothing(kind: str, history: tuple[Told, ...]) -> None:
    with TemporaryDirectory() as folder:
        teller = Teller(kind, folder, "a", history)
        teller.tell(history)
        before = (teller.edges(), teller.memory.status(), [e.id for e in teller.uncontested()])
        teller.tell(history)

        after = (teller.edges(), teller.memory.status(), [e.id for e in teller.uncontested()])
        assert before == after


@pytest.mark.parametrize("kind", STORES)
@settings(max_examples=60, deadline=None)
@given(history=histories)
def test_law_6_a_one_at_a_time_slot_has_one_uncontested_value(
    kind: str, history: tuple[Told, ...]
) -> None:
    with TemporaryDirectory() as folder:
        teller = Teller(kind, folder, "a", history)
        teller.tell(history)
        edges = teller.uncontested()

    catalog = Catalog.builtin()
    for number, edge in enumerate(edges):
        for other in edges[:number]:
            assert not (_are_rivals(edge, other, catalog) and edge.valid.overlaps(other.valid))


def _are_rivals(one: Edge, other: Edge, catalog: Catalog) -> bool:
    pair = (one.subject_id, one.object_id), (other.subject_id, other.object_id)
    if one.relation != other.relation:
        return pair[0] == pair[1] and other.relation in catalog.excluding(one.relation)
    relation = catalog.relations[one.relation]
    if relation.symmetric:
        return len({*pair[0]} & {*pair[1]}) == 1
    same_subject, same_object = pair[0][0] == pair[1][0], pair[0][1] == pair[1][1]
    return {
        Cardinality.MANY_TO_ONE: same_subject and not same_object,
        Cardinality.ONE_TO_MANY: same_object and not same_subject,
        Cardinality.ONE_TO_ONE: same_subject != same_object,
        Cardinality.MANY_TO_MANY: False,
    }[relation.cardinality] and relation.temporal != "event"
