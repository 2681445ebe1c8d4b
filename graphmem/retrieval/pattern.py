"""One typed pattern over edges: subject, relation, object, each given or open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.catalog import Relation
from graphmem.index import name_key
from graphmem.model import Edge
from graphmem.ports import EdgeFilter, View


@dataclass(frozen=True, slots=True)
class Pattern:
    """What an edge must be; None fits anything. Names and entity ids, relations by any name."""

    subject: str | None
    relation: str | None
    object: str | None


def match(view: View, pattern: Pattern, base: EdgeFilter) -> list[tuple[Edge, bool]]:
    """Return the edges that fit, and whether each is to be read from its other end.

    Asked by an inverse, the ends change places; a symmetric relation is read both ways. A name
    that nobody bears fits nothing. Cost: two batched look-ups and one or two indexed reads.

    Returns:
        In the order of ``View.edges``.
    """
    subjects, objects = _ids(view, pattern, base.recorded)
    if pattern.relation is None:
        return [(e, False) for e in view.edges(_narrowed(base, None, subjects, objects))]
    relation, inverted = view.catalog().resolve(pattern.relation)
    return related(view, relation, inverted, subjects, objects, base)


def related(
    view: View,
    relation: Relation,
    inverted: bool,
    subjects: Collection[str] | None,
    objects: Collection[str] | None,
    base: EdgeFilter,
) -> list[tuple[Edge, bool]]:
    """Return the edges of a relation between entities, as ``match`` does.

    Args:
        view: What to read.
        relation: A relation of the catalog, or one that is not declared.
        inverted: ``subjects`` are to be found at its other end.
        subjects: Ids of entities; None: any.
        objects: Likewise.
        base: At which time.
    """
    if inverted:
        subjects, objects = objects, subjects
    found = view.edges(_narrowed(base, relation.name, subjects, objects))
    straight = [(edge, inverted) for edge in found]
    if not relation.symmetric:
        return straight
    seen = {edge.id for edge in found}
    turned = view.edges(_narrowed(base, relation.name, objects, subjects))
    return straight + [(edge, True) for edge in turned if edge.id not in seen]


def _narrowed(
    base: EdgeFilter,
    relation: str | None,
    subjects: Collection[str] | None,
    objects: Collection[str] | None,
) -> EdgeFilter:
    relations = None if relation is None else (relation,)
    return replace(base, subject_ids=subjects, relations=relations, object_ids=objects)


def _ids(
    view: View, pattern: Pattern, recorded: datetime
) -> tuple[frozenset[str] | None, frozenset[str] | None]:
    names = [name for name in (pattern.subject, pattern.object) if name is not None]
    by_key = view.named({name_key(name) for name in names})
    known = view.entities(names)
    ends = _one(pattern.subject, by_key, known), _one(pattern.object, by_key, known)
    merged = view.merged({id for ids in ends for id in ids or ()}, recorded)
    subjects, objects = (
        None if ids is None else frozenset(merged.get(id, id) for id in ids) for ids in ends
    )
    return subjects, objects


def followed(view: View, recorded: datetime) -> Callable[[Collection[str]], dict[str, list[str]]]:
    """Return ``View.named`` with merges followed as of ``recorded``: two reads a call."""

    def named(keys: Collection[str]) -> dict[str, list[str]]:
        found = view.named(keys)
        merged = view.merged({id for ids in found.values() for id in ids}, recorded)
        return {key: sorted({merged.get(id, id) for id in ids}) for key, ids in found.items()}

    return named


def _one(
    name: str | None, by_key: dict[str, list[str]], known: Iterable[str]
) -> frozenset[str] | None:
    if name is None:
        return None
    return frozenset({name} if name in known else by_key.get(name_key(name), ()))
