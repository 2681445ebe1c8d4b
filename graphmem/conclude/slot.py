"""Which statements are concluded together."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.catalog import Cardinality, Catalog, Relation, TemporalKind
from graphmem.model import Assertion, Edge
from graphmem.ports import SlotQuery


@dataclass(frozen=True, slots=True)
class Slot:
    """What is concluded together; its form follows from the relation's cardinality.

    Many-to-one: (relation, subject). One-to-many: (relation, object). Many-to-many and events: the
    pair, for all relations that exclude one another. One-to-one: any of its ends, a seed of the
    component that ``gather`` finds. With a subject alone where the form asks for an object, it
    stands for every slot that this subject has a stated value in.

    Attributes:
        relations: Canonical names, sorted; more than one only if they exclude one another.
        subject_ids: Sorted; empty: any. A symmetric pair stands in order of id.
        object_ids: Likewise; of a symmetric one-to-one relation the same as ``subject_ids``.
    """

    relations: tuple[str, ...]
    subject_ids: tuple[str, ...]
    object_ids: tuple[str, ...]

    def queries(self, catalog: Catalog) -> tuple[SlotQuery, ...]:
        """Return what to ask a store for the statements: also of events that begin or end it."""
        events = {event.name for name in self.relations for event in catalog.feeding(name)}
        relation = catalog.resolve(self.relations[0])[0]
        if relation.temporal is TemporalKind.EVENT:
            events = set[str]()
        return self._queries(relation, (*self.relations, *sorted(events)))

    def edge_queries(self, catalog: Catalog) -> tuple[SlotQuery, ...]:
        """Return what to ask a store for the edges."""
        return self._queries(catalog.resolve(self.relations[0])[0], self.relations)

    def _queries(self, relation: Relation, names: tuple[str, ...]) -> tuple[SlotQuery, ...]:
        if form(relation) is Cardinality.ONE_TO_ONE:
            return (
                *(SlotQuery(names, end, None) for end in self.subject_ids),
                *(SlotQuery(names, None, end) for end in self.object_ids),
            )
        subject = self.subject_ids[0] if self.subject_ids else None
        object = self.object_ids[0] if self.object_ids else None
        queries = (SlotQuery(names, subject, object),)
        return (*queries, SlotQuery(names, object, subject)) if relation.symmetric else queries


def form(relation: Relation) -> Cardinality:
    """Return the cardinality that shapes the relation's slots: an event's is the pair."""
    if relation.temporal is TemporalKind.EVENT:
        return Cardinality.MANY_TO_MANY
    return relation.cardinality


def slots(assertion: Assertion, catalog: Catalog) -> list[Slot]:
    """Return the slots that an assertion touches: its own, and of states its event feeds."""
    relation = catalog.resolve(assertion.relation)[0]
    subject, object = assertion.subject_id, assertion.object_id
    own = slot_of(relation, subject, object, catalog)
    if relation.temporal is not TemporalKind.EVENT:
        return [own]
    fed = catalog.feeding(relation.name)
    return [own, *(slot_of(state, subject, object, catalog) for state in fed)]


def edge_slot(edge: Edge, catalog: Catalog) -> Slot:
    """Return the slot that an edge belongs to."""
    relation = catalog.resolve(edge.relation)[0]
    return slot_of(relation, edge.subject_id, edge.object_id, catalog)


def slot_of(relation: Relation, subject: str, object: str | None, catalog: Catalog) -> Slot:
    """Return the slot of a relation between two ends; ``object`` None: any."""
    ends = (subject,) if object is None else (subject, object)
    match form(relation):
        case Cardinality.MANY_TO_ONE:
            return Slot((relation.name,), (subject,), ())
        case Cardinality.ONE_TO_MANY if object is None:
            return Slot((relation.name,), ends, ())
        case Cardinality.ONE_TO_MANY:
            return Slot((relation.name,), (), ends[1:])
        case Cardinality.ONE_TO_ONE if relation.symmetric:
            both = tuple(sorted(set(ends)))
            return Slot((relation.name,), both, both)
        case Cardinality.ONE_TO_ONE:
            return Slot((relation.name,), ends[:1], ends[1:])
        case Cardinality.MANY_TO_MANY:
            first, *others = sorted(ends) if relation.symmetric else ends
            return Slot(catalog.excluded(relation.name), (first,), tuple(others))
