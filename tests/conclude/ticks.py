"""Statements in ticks (microseconds after 2020), and a memory of them without a store."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from graphmem.catalog import Cardinality, Catalog, Relation, TemporalKind
from graphmem.conclude import Conclusion, gather, reconcile, slots, timeline
from graphmem.model import Assertion, AssertionKind, Authority, Edge, Ruling
from graphmem.ports import SlotQuery
from graphmem.temporal import ALWAYS, FOREVER, Interval, Precision
from graphmem.testing.records import assertion

EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
EDIT, RECORD, ASSISTANT = Authority.EDIT, Authority.RECORD, Authority.ASSISTANT
PINNED = Authority.PINNED

Spans = list[tuple[int | None, int | None]]
"""Half-open, in ticks; None for an open end."""


def relation(
    name: str,
    cardinality: Cardinality = Cardinality.MANY_TO_MANY,
    temporal: TemporalKind = TemporalKind.STATE,
    *,
    symmetric: bool = False,
    excludes: tuple[str, ...] = (),
    begins: tuple[str, ...] = (),
    ends: tuple[str, ...] = (),
    inverse: str | None = None,
) -> Relation:
    return Relation(
        name=name,
        aliases=(),
        inverse=inverse,
        inverse_aliases=(),
        cardinality=cardinality,
        temporal=temporal,
        symmetric=symmetric,
        excludes=excludes,
        begins=begins,
        ends=ends,
        subject_kind="",
        object_kind="",
    )


CATALOG = Catalog.builtin().extended(
    [
        relation("holds seat", Cardinality.ONE_TO_ONE),
        relation("admires", excludes=("despises", "envies")),
        relation("despises"),
        relation("envies"),
        relation("adopted", temporal=TemporalKind.EVENT, begins=("holds seat",)),
        relation("seated", temporal=TemporalKind.EVENT, begins=("holds seat",)),
        relation("unseated", temporal=TemporalKind.EVENT, ends=("holds seat",)),
        relation("mascot of", Cardinality.ONE_TO_ONE, TemporalKind.PERMANENT),
    ]
)


def tick(number: int | None) -> datetime | None:
    return None if number is None else EPOCH + timedelta(microseconds=number)


def number(instant: datetime) -> int | None:
    if instant in (ALWAYS, FOREVER):
        return None
    return (instant - EPOCH) // timedelta(microseconds=1)


def say(
    said: int | None,
    value: str | None,
    *,
    since: int | None = None,
    until: int | None = None,
    by: Authority = Authority.PERSON,
    kind: AssertionKind = AssertionKind.AFFIRMS,
    subject: str = "ann",
    relation: str = "lives in",
    id: str = "",
) -> Assertion:
    """Return a statement that is told apart by its content, unless ``id`` is given."""
    content = f"{kind} {subject} {relation} {value} {said} {since} {until} {by}"
    return replace(
        assertion(id or content, subject, relation, value, kind=kind, said=tick(said)),
        start=tick(since),
        start_precision=Precision.UNKNOWN if since is None else Precision.INSTANT,
        end=tick(until),
        end_precision=Precision.UNKNOWN if until is None else Precision.INSTANT,
        authority=by,
        fact=id or content,
    )


def ends(
    said: int | None,
    value: str | None,
    *,
    at: int | None = None,
    by: Authority = Authority.PERSON,
    subject: str = "ann",
    relation: str = "lives in",
    id: str = "",
) -> Assertion:
    kind = AssertionKind.ENDS
    return say(said, value, until=at, by=by, kind=kind, subject=subject, relation=relation, id=id)


def denies(
    said: int | None,
    value: str | None,
    *,
    since: int | None = None,
    until: int | None = None,
    by: Authority = Authority.PERSON,
    subject: str = "ann",
    relation: str = "lives in",
    id: str = "",
) -> Assertion:
    return say(
        said,
        value,
        since=since,
        until=until,
        by=by,
        kind=AssertionKind.DENIES,
        subject=subject,
        relation=relation,
        id=id,
    )


def _matches(row: Assertion | Edge, query: SlotQuery) -> bool:
    return (
        row.relation in query.relations
        and query.subject_id in (None, row.subject_id)
        and (row.object_id is None or query.object_id in (None, row.object_id))
    )


@dataclass
class Memory:
    """What one group holds: enough of a store for ``gather`` and ``reconcile``."""

    catalog: Catalog = CATALOG
    assertions: list[Assertion] = field(default_factory=list[Assertion])
    rulings: list[Ruling] = field(default_factory=list[Ruling])
    edges: dict[str, Edge] = field(default_factory=dict[str, Edge])
    links: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    reads: int = 0
    now: datetime = EPOCH

    def stated(self, queries: Sequence[SlotQuery]) -> list[Assertion]:
        self.reads += 1
        return [a for a in self.assertions if any(_matches(a, query) for query in queries)]

    def concluded(self, queries: Sequence[SlotQuery]) -> list[Edge]:
        self.reads += 1
        ahead = [edge for edge in self.edges.values() if edge.recorded.end > self.now]
        return [edge for edge in ahead if any(_matches(edge, query) for query in queries)]

    def tell(self, *new: Assertion, at: datetime | None = None) -> list[str]:
        """Add statements, conclude the touched slots; return what changed."""
        self.assertions += new
        return self.settle(new, at=at)

    def forget(self, *gone: Assertion) -> list[str]:
        self.assertions = [a for a in self.assertions if a not in gone]
        return self.settle(gone)

    def rule(self, ruling: Ruling) -> list[str]:
        self.rulings.append(ruling)
        ruled = [a for a in self.assertions if {a.id, a.episode_id} & {*ruling.target_ids}]
        return self.settle(ruled)

    def settle(self, moved: Iterable[Assertion], at: datetime | None = None) -> list[str]:
        self.now = at or self.now + timedelta(days=1)
        touched = [slot for a in moved for slot in slots(a, self.catalog)]
        changed: list[str] = []
        for one in gather(touched, self.stated, self.concluded, self.catalog):
            wanted = timeline(one.assertions, self.rulings, self.catalog, one.slot, now=self.now)
            changed += self._apply(wanted, one.edges)
        return changed

    def _apply(
        self, wanted: Sequence[tuple[Interval, Conclusion]], edges: Sequence[Edge]
    ) -> list[str]:
        names = {id: id for _, c in wanted for id in (c.subject_id, c.object_id)}
        part = reconcile(wanted, edges, self.links, group_id="g", names=names, now=self.now)
        for id in part.close_edges:
            edge = self.edges.pop(id)
            if edge.recorded.start < self.now:
                closed = Interval(edge.recorded.start, self.now)
                self.edges[id] = replace(edge, recorded=closed)
        for edge in part.edges:
            assert edge.id not in self.edges
            self.edges[edge.id] = edge
        for link in part.evidence:
            self.links.setdefault(link.edge_id, set()).add(link.assertion_id)
        return [*part.close_edges, *(e.id for e in part.edges), *(e.edge_id for e in part.evidence)]

    def believed(self, at: datetime | None = None) -> list[Edge]:
        """Return the edges of one instant of transaction time, now if None."""
        known = at or self.now
        return [edge for edge in self.edges.values() if edge.recorded.contains(known)]


def spans(edges: Iterable[Edge | Conclusion], *, contested: bool = False) -> dict[str, Spans]:
    """Return the spans of every value of a slot with one subject, in ticks."""
    found: dict[str, Spans] = {}
    for edge in sorted(edges, key=lambda edge: edge.valid):
        if edge.contested is contested:
            span = (number(edge.valid.start), number(edge.valid.end))
            found.setdefault(edge.object_id, []).append(span)
    return found


def told(*assertions: Assertion, catalog: Catalog = CATALOG) -> list[Edge]:
    """Return what is believed once all of these were told at once."""
    memory = Memory(catalog)
    memory.tell(*assertions)
    return memory.believed()
