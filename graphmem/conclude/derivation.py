"""Which statements bear on a slot, and what each of them gets."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.catalog import Cardinality, Catalog, Relation, TemporalKind
from graphmem.conclude.correction import Lanes, Naming, ended, standing
from graphmem.conclude.occurrence import fed, happened, lasting
from graphmem.conclude.placement import Piece, place
from graphmem.conclude.precisions import bounds, finest
from graphmem.conclude.settling import postponed, settled
from graphmem.conclude.slot import Slot
from graphmem.conclude.statement import Statement, Value, latest, stated
from graphmem.model import Assertion, AssertionKind, Ruling
from graphmem.temporal import Precision


@dataclass(frozen=True, slots=True)
class Derived:
    """What every statement of a slot got, expired ones included.

    Attributes:
        pieces: In no particular order.
        precisions: Of the bounds that were told; others are exact.
        joined: Pieces of a value that touch or overlap are one; else only equal ones are.
    """

    pieces: Sequence[Piece]
    precisions: Mapping[datetime, Precision]
    joined: bool


def derive(
    assertions: Iterable[Assertion], rulings: Iterable[Ruling], catalog: Catalog, slot: Slot
) -> Derived:
    """Apply rulings, events, corrections and placement to the statements of a slot."""
    relation = catalog.resolve(slot.relations[0])[0]
    statements = _bearing(assertions, latest(rulings), catalog, slot)
    standings = standing(statements, relation)
    lanes = _lanes(relation, catalog)
    match relation.temporal:
        case TemporalKind.EVENT:
            return Derived(happened(standings), {}, joined=False)
        case TemporalKind.PERMANENT:
            return Derived(
                lasting(standings, lanes), finest(bounds(statements, standings)), joined=True
            )
        case TemporalKind.STATE:
            told = [s for s in statements if s.kind is AssertionKind.ENDS]
            told = postponed(told, standings, symmetric=relation.symmetric)
            told += (each.statement for each in standings if each.statement.end is not None)
            ends = Naming(told, symmetric=relation.symmetric)
            standings = settled(ended(standings, ends, lanes), lanes)
            pieces = place(standings, ends, lanes)
            return Derived(pieces, finest(bounds(statements, standings)), joined=True)


def _bearing(
    assertions: Iterable[Assertion], verdicts: Mapping[str, Ruling], catalog: Catalog, slot: Slot
) -> list[Statement]:
    rows: dict[str, list[Assertion]] = {}
    for assertion in assertions:
        rows.setdefault(assertion.relation, []).append(assertion)
    bearing: list[Statement] = []
    for name in slot.relations:
        relation = catalog.resolve(name)[0]
        bearing += stated(rows.get(name, ()), verdicts, relation)
        if relation.temporal is TemporalKind.STATE and len(rows) > (name in rows):
            for event in catalog.feeding(name):
                told = stated(rows.get(event.name, ()), verdicts, event)
                bearing += fed(standing(told, event), event, relation)
    return bearing


def _lanes(relation: Relation, catalog: Catalog) -> Lanes:
    match relation.cardinality:
        case Cardinality.MANY_TO_ONE:
            return lambda value: (value.subject_id,)
        case Cardinality.ONE_TO_MANY:
            return lambda value: (value.object_id,)
        case Cardinality.ONE_TO_ONE if relation.symmetric:
            return lambda value: (value.subject_id, value.object_id)
        case Cardinality.ONE_TO_ONE:
            return lambda value: (("subject", value.subject_id), ("object", value.object_id))
        case Cardinality.MANY_TO_MANY:
            return lambda value: _exclusive(value, catalog)


def _exclusive(value: Value, catalog: Catalog) -> tuple[Hashable, ...]:
    excluding = catalog.excluding(value.relation)
    if not excluding:
        return (value,)
    pair = (value.subject_id, value.object_id)
    return tuple((pair, *sorted((value.relation, other))) for other in excluding)
