"""Relations that a group adds to its catalog."""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.catalog import Relation
from graphmem.catalog.definition import to_json
from graphmem.errors import InvalidInput
from graphmem.model import RelationRow
from graphmem.ports import SlotQuery, View


def declared(view: View, new: Mapping[str, Relation]) -> tuple[RelationRow, ...]:
    """Return the rows to write so that the group's catalog holds ``new``; known ones give none.

    Raises:
        InvalidInput: The catalog would break a rule, or a relation in use would change its
            meaning: what was concluded with the old one would stand beside the new.
    """
    known = view.catalog()
    whole = known.extended(new.values())
    changed = [r for name, r in whole.relations.items() if known.relations.get(name) != r]
    used = {a.relation for a in view.stated([SlotQuery((r.name,), None, None) for r in changed])}
    if used:
        raise InvalidInput(
            f"{sorted(used)} already have statements in this group; declare relations before "
            "the first statement that uses them, or in a new group"
        )
    return tuple(RelationRow(r.name, to_json(r)) for r in changed)
