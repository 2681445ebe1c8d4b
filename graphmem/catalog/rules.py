"""What a declared relation must not do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from graphmem.catalog.relation import Cardinality, Relation, TemporalKind
from graphmem.errors import InvalidInput


class _Breach(NamedTuple):
    field: str
    value: str
    rule: str


def check(relations: Mapping[str, Relation], *, source: str) -> None:
    """Hold every relation against the rules; ``source`` names the file in the message.

    Raises:
        InvalidInput: The first breach, with relation, field and value.
    """
    for relation in relations.values():
        for field, value, rule in _breaches(relation, relations):
            raise InvalidInput(f"{source}: relation {relation.name!r}: {field} {value!r}: {rule}")


def _breaches(relation: Relation, relations: Mapping[str, Relation]) -> Iterator[_Breach]:
    yield from _symmetry(relation)
    for name in relation.excludes:
        if rule := _exclusion(relation, relations.get(name)):
            yield _Breach("excludes", name, rule)
    for field, names in (("begins", relation.begins), ("ends", relation.ends)):
        for name in names:
            if rule := _feeding(relation, relations.get(name)):
                yield _Breach(field, name, rule)


def _symmetry(relation: Relation) -> Iterator[_Breach]:
    if not relation.symmetric:
        return
    for field, names in (
        ("inverse", (relation.inverse,) if relation.inverse else ()),
        ("inverse_aliases", relation.inverse_aliases),
    ):
        for name in names:
            yield _Breach(field, name, "a symmetric relation is its own inverse; use aliases")
    if relation.cardinality not in (Cardinality.ONE_TO_ONE, Cardinality.MANY_TO_MANY):
        yield _Breach(
            "cardinality",
            relation.cardinality,
            "a symmetric relation is one-to-one or many-to-many",
        )


def _exclusion(relation: Relation, other: Relation | None) -> str | None:
    if other is None:
        return "is not declared; declare it, or leave it out"
    if other.name == relation.name:
        return "a relation cannot exclude itself"
    for one in (relation, other):
        if (one.cardinality, one.temporal) != (Cardinality.MANY_TO_MANY, TemporalKind.STATE):
            return (
                "only many-to-many states may exclude one another, "
                f"and {one.name!r} is a {one.cardinality} {one.temporal}"
            )
    if other.symmetric != relation.symmetric:
        return "both must be symmetric, or neither"
    return None


def _feeding(relation: Relation, other: Relation | None) -> str | None:
    if other is None:
        return "is not declared; declare it, or leave it out"
    if relation.temporal is not TemporalKind.EVENT:
        return f"only an event begins or ends a state, and this is a {relation.temporal}"
    if other.temporal is not TemporalKind.STATE:
        return f"an event begins or ends only states, and that is {other.temporal}"
    return None
