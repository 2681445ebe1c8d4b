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
from graphmem.conclude.slot import Slot, form
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
) -> list[Derived]:
    """Apply rulings, events, corrections and placement; one result for each component."""
    relation = catalog.resolve(slot.relations[0])[0]
    statements = _bearing(assertions, latest(rulings), catalog, slot)
    lanes = _lanes(relation, catalog)
    return [_derived(part, relation, lanes) for part in _apart(statements, relation, lanes)]


def _derived(statements: Sequence[Statement], relation: Relation, lanes: Lanes) -> Derived:
    standings = standing(statements, relation)
    match relation.temporal:
        case TemporalKind.EVENT:
            return Derived(happened(standings), {}, joined=False)
        case TemporalKind.PERMANENT:
            pieces = lasting(standings, lanes)
        case TemporalKind.STATE:
            told = [s for s in statements if s.kind is AssertionKind.ENDS]
            told = postponed(told, standings, symmetric=relation.symmetric)
            told += (each.statement for each in standings if each.statement.end is not None)
            ends = Naming(told, symmetric=relation.symmetric)
            standings = settled(ended(standings, ends, lanes), lanes)
            pieces = place(standings, ends, lanes)
    return Derived(pieces, finest(bounds(statements, standings)), joined=True)


def _apart(
    statements: Sequence[Statement], relation: Relation, lanes: Lanes
) -> list[Sequence[Statement]]:
    """Part the statements of a one-to-one relation into components.

    A slot may have been gathered from ends that nothing links any more; what is concluded must not
    depend on that.
    """
    if form(relation) is not Cardinality.ONE_TO_ONE:
        return [statements]
    linked: dict[Hashable, set[Hashable]] = {}
    for s in statements:
        if s.kind is AssertionKind.AFFIRMS:
            ends = lanes(s.value)
            joined = set[Hashable]().union(*(linked.get(end, {end}) for end in ends))
            linked.update(dict.fromkeys(joined, joined))
    parts: dict[int, list[Statement]] = {}
    for s in statements:
        part = next((id(linked[end]) for end in lanes(s.value) if end in linked), 0)
        parts.setdefault(part, []).append(s)
    return list(parts.values())


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
