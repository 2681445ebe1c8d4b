"""What a statement's triple means under the merges, reassignments and relations of now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from graphmem.catalog import Catalog
from graphmem.errors import InvalidInput
from graphmem.model import Assertion, Ruling, RulingKind, Told
from graphmem.ports import View
from graphmem.temporal import FOREVER, Interval

Moves = Mapping[str, Mapping[str, str]]
"""By assertion: the entity that an end was told as, and the one that it is about instead."""


def meaning(
    told: Told, catalog: Catalog, merged: Mapping[str, str], moved: Mapping[str, str]
) -> tuple[str, str, str | None]:
    """Return subject, canonical relation and object, in the relation's direction.

    Args:
        told: As it was told.
        catalog: The group's relations.
        merged: What entities stand for; others stand for themselves.
        moved: Reassignments of this statement's ends; they come before merges.

    Raises:
        InvalidInput: An open object where the relation is told from its other end.
    """
    relation, inverted = catalog.resolve(told.relation)
    subject = _entity(told.subject_id, merged, moved)
    if told.object_id is None:
        if inverted:
            raise InvalidInput(
                f"{told.relation!r} without an object: it is the inverse of {relation.name!r}; "
                "name the other end"
            )
        return subject, relation.name, None
    object = _entity(told.object_id, merged, moved)
    return (object, relation.name, subject) if inverted else (subject, relation.name, object)


def _entity(id: str, merged: Mapping[str, str], moved: Mapping[str, str]) -> str:
    id = moved.get(id, id)
    return merged.get(id, id)


def reassigned(rulings: Iterable[Ruling]) -> dict[str, dict[str, str]]:
    """Return the reassignments among ``rulings``; of one end the latest stands."""
    moves: dict[str, dict[str, str]] = {}
    for ruling in sorted(rulings, key=lambda r: (r.recorded_from, r.id)):
        if ruling.kind is RulingKind.REASSIGN:
            assertion, told, now = ruling.target_ids
            moves.setdefault(assertion, {})[told] = now
    return moves


def meant_anew(
    view: View,
    assertions: Collection[Assertion],
    catalog: Catalog,
    merged: Mapping[str, str],
    moves: Moves,
) -> list[Assertion]:
    """Return a new row for each assertion whose meaning is another one now.

    Args:
        view: For the stamp.
        assertions: Current ones.
        catalog: The group's relations from now on.
        merged: What every entity concerned stands for from now on.
        moves: Every reassignment of these assertions.
    """
    changed: list[Assertion] = []
    for a in assertions:
        subject, relation, object = meaning(a.told, catalog, merged, moves.get(a.id, {}))
        if (subject, relation, object) != (a.subject_id, a.relation, a.object_id):
            since = Interval(view.stamp, FOREVER)
            changed.append(
                replace(a, subject_id=subject, relation=relation, object_id=object, recorded=since)
            )
    return changed
