"""Laws of the pure functions, over relations of every kind, events, rulings and expiry."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.catalog import Cardinality, TemporalKind
from graphmem.conclude import conclude, gather, slots
from graphmem.model import Assertion, AssertionKind, Authority, Edge, Ruling, RulingKind
from graphmem.temporal import Interval, Precision
from graphmem.testing.records import ruling
from tests.conclude.ticks import CATALOG, EPOCH, Memory, say, tick

THEMES = (
    ("lives in", "moved to", "moved out of"),  # many-to-one, and what feeds it
    ("leads", "took over", "handed over"),  # one-to-many
    ("married to", "married", "divorced"),  # one-to-one, symmetric
    ("holds seat", "seated", "unseated"),  # one-to-one
    ("admires", "despises", "envies"),  # many-to-many; the first excludes the others
    ("friend of", "left", "member of", "works at"),
    ("parent of", "born in", "mascot of"),
)
RELATIONS = tuple(relation for theme in THEMES for relation in theme)
PEOPLE = ("a", "b", "c")
UNITS = (Precision.INSTANT, Precision.INSTANT, Precision.MINUTE)
MINUTE = 60_000_000

ticks = st.integers(0, 6) | st.sampled_from([MINUTE, 2 * MINUTE])
maybe = st.none() | st.none() | ticks


@st.composite
def statements(draw: st.DrawFn, relations: tuple[str, ...]) -> Assertion:
    kind = draw(st.sampled_from([AssertionKind.AFFIRMS] * 4 + list(AssertionKind)))
    since = None if kind is AssertionKind.ENDS else draw(maybe)
    until = draw(
        st.none() | st.none() | st.integers(1, 12).map(lambda length: (since or 0) + length)
    )
    subject, object = draw(st.permutations(PEOPLE))[:2]
    if kind is not AssertionKind.AFFIRMS and draw(st.booleans()):
        object = None
    told = say(
        draw(ticks) if draw(st.integers(0, 9)) else None,
        object,
        since=since,
        until=until,
        by=draw(st.sampled_from([Authority.PERSON] * 3 + list(Authority))),
        kind=kind,
        subject=subject,
        relation=draw(st.sampled_from(relations)),
    )
    unit = Precision.INSTANT if since is None else draw(st.sampled_from(UNITS))
    expires = (
        EPOCH + timedelta(days=draw(st.integers(1, 30))) if not draw(st.integers(0, 4)) else None
    )
    start = told.start if told.start is None else unit.floor(told.start)
    return replace(
        told,
        id=f"{told.id} {unit} {expires}",
        start=start,
        start_precision=told.start_precision if start is None else unit,
        expires_at=expires,
    )


@st.composite
def worlds(draw: st.DrawFn) -> list[Assertion]:
    """Return distinct statements of one theme, so that they meet."""
    theme = draw(st.sampled_from(THEMES))
    told = draw(st.lists(statements((theme[0], theme[0], *theme)), min_size=3, max_size=12))
    return list({a.id: a for a in told}.values())


def believed(memory: Memory, at: datetime | None = None) -> list[tuple[object, ...]]:
    """Return what the edges say, without ids, sentences and the start of transaction time."""
    return sorted(_said(edge, edge.recorded.end) for edge in memory.believed(at))


def _said(edge: Edge, until: datetime) -> tuple[object, ...]:
    ends = (edge.subject_id, edge.relation, edge.object_id)
    return (*ends, edge.valid, edge.start_precision, edge.end_precision, edge.contested, until)


def evidence(memory: Memory) -> dict[tuple[object, ...], set[str]]:
    return {_said(e, e.recorded.end): memory.links[e.id] for e in memory.believed()}


def at_once(told: Iterable[Assertion], rulings: Iterable[Ruling] = (), *, now: datetime) -> Memory:
    memory = Memory(rulings=list(rulings))
    memory.tell(*told, at=now)
    return memory


@given(worlds(), st.data())
@settings(max_examples=150, deadline=None)
def test_the_best_known_edges_depend_on_what_was_told_not_on_order_or_batches(
    told: list[Assertion], data: st.DataObject
) -> None:
    left = data.draw(st.permutations(told))
    memory = Memory()
    while left:
        size = data.draw(st.integers(1, len(left)))
        memory.tell(*left[:size])
        left = left[size:]

    whole = at_once(sorted(told, key=lambda a: a.id), now=memory.now)
    assert believed(memory) == believed(whole)
    later = memory.now + timedelta(days=9)
    assert believed(memory, later) == believed(whole, later)
    for said, ids in evidence(whole).items():
        assert ids <= evidence(memory)[said]


@given(worlds(), st.data())
@settings(max_examples=75, deadline=None)
def test_no_slot_is_left_behind_by_a_write(told: list[Assertion], data: st.DataObject) -> None:
    memory = Memory()
    for statement in data.draw(st.permutations(told)):
        memory.tell(statement)
    anything = [
        say(1, object, subject=subject, relation=relation)
        for relation in RELATIONS
        for subject, object in permutations(PEOPLE, 2)
    ]

    assert memory.settle(anything, at=memory.now + timedelta(microseconds=1)) == []


@given(worlds(), st.data())
@settings(max_examples=75, deadline=None)
def test_the_order_of_the_rows_given_says_nothing(
    told: list[Assertion], data: st.DataObject
) -> None:
    memory = at_once(told, now=EPOCH)
    touched = [slot for a in told for slot in slots(a, CATALOG)]
    rulings = [ruling(a.id, a.id, kind=RulingKind.PIN) for a in told[:2]]
    for one in gather(touched, memory.stated, memory.concluded, CATALOG):
        rows = data.draw(st.permutations(one.assertions))
        in_order = conclude(one.assertions, rulings, CATALOG, one.slot, at=EPOCH)
        assert conclude(rows, rulings[::-1], CATALOG, one.slot, at=EPOCH) == in_order


@given(worlds(), st.data())
@settings(max_examples=75, deadline=None)
def test_what_is_forgotten_or_retracted_is_as_if_never_told(
    told: list[Assertion], data: st.DataObject
) -> None:
    gone = data.draw(st.lists(st.sampled_from(told), unique_by=lambda a: a.id))
    forgetful, ruled = Memory(), Memory()
    forgetful.tell(*told)
    forgetful.forget(*gone)
    ruled.tell(*told)
    ruled.rule(ruling("r", *(a.id for a in gone)))

    left = [a for a in told if a not in gone]
    never = at_once(left, now=forgetful.now)
    assert believed(forgetful) == believed(ruled) == believed(never)
    for edge in (*forgetful.believed(), *ruled.believed()):
        plain = f"{edge.subject_id} {edge.relation} {edge.object_id}"
        assert edge.fact in {plain, *(a.fact for a in left)}


@given(worlds())
@settings(max_examples=50, deadline=None)
def test_the_same_told_twice_changes_nothing(told: list[Assertion]) -> None:
    memory = Memory()
    memory.tell(*told)

    assert memory.settle(told, at=memory.now + timedelta(hours=1)) == []


@given(worlds(), st.lists(st.sampled_from(list(RulingKind)), max_size=3), st.data())
@settings(max_examples=200, deadline=None)
def test_no_two_rivals_hold_at_once(
    told: list[Assertion], kinds: list[RulingKind], data: st.DataObject
) -> None:
    rulings = [
        ruling(f"r{n}", data.draw(st.sampled_from(told)).id, kind=kind, authority=Authority.EDIT)
        for n, kind in enumerate(kinds)
    ]
    memory = at_once(told, rulings, now=EPOCH)

    held = [edge for edge in memory.believed() if not edge.contested]
    clashes = [(a, b) for a, b in combinations(held, 2) if rivals(a, b) and meet(a, b)]
    assert clashes == []


def rivals(a: Edge, b: Edge) -> bool:
    relation = CATALOG.relations[a.relation]
    if a.relation != b.relation:
        same = (a.subject_id, a.object_id) == (b.subject_id, b.object_id)
        return same and b.relation in CATALOG.excluding(a.relation)
    if relation.temporal is TemporalKind.EVENT:
        return False
    match relation.cardinality:
        case Cardinality.MANY_TO_MANY:
            return False
        case Cardinality.MANY_TO_ONE:
            return a.subject_id == b.subject_id
        case Cardinality.ONE_TO_MANY:
            return a.object_id == b.object_id
        case _ if relation.symmetric:
            return bool({a.subject_id, a.object_id} & {b.subject_id, b.object_id})
        case _:
            return a.subject_id == b.subject_id or a.object_id == b.object_id


def meet(a: Edge, b: Edge) -> bool:
    return a.valid.overlaps(b.valid)


@given(worlds())
@settings(max_examples=50, deadline=None)
def test_a_slot_gathers_the_same_rows_alone_or_among_others(told: list[Assertion]) -> None:
    memory = Memory(assertions=told)
    touched = [slot for a in told for slot in slots(a, CATALOG)]

    together = gather(touched, memory.stated, memory.concluded, CATALOG)
    assert len({one.slot for one in together}) == len(together)
    for one in together:
        assert gather([one.slot], memory.stated, memory.concluded, CATALOG) == [one]


@given(worlds())
@settings(max_examples=50, deadline=None)
def test_conclusions_of_one_value_never_touch(told: list[Assertion]) -> None:
    held: dict[tuple[str, ...], list[Interval]] = {}
    for edge in at_once(told, now=EPOCH).believed():
        if CATALOG.relations[edge.relation].temporal is not TemporalKind.EVENT:
            value = (edge.subject_id, edge.relation, edge.object_id)
            held.setdefault(value, []).append(edge.valid)
    for spans in held.values():
        for one, next in combinations(sorted(spans), 2):
            assert one.end <= next.start


def test_ticks_are_microseconds() -> None:
    assert tick(MINUTE) == EPOCH + timedelta(minutes=1)
