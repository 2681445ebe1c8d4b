"""Whom statements are about: entities that are one, and statements that name another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from graphmem.errors import InvalidInput, NotFound
from graphmem.index import name_key
from graphmem.ingest.meaning import meant_anew, reassigned
from graphmem.ingest.resolve import Resolver
from graphmem.ingest.rulings import Decision, Reason, ruling
from graphmem.model import Alias, Assertion, Entity, Ruling, RulingKind
from graphmem.ports import StatementFilter, View
from graphmem.temporal import FOREVER, Interval


def merge(view: View, group_id: str, given: str, into: str, why: Reason) -> Decision:
    """Decide that the entity ``given`` is ``into``; statements about either are about that one.

    Cost: the statements about the first, and their slots.

    Raises:
        NotFound: A name that nobody bears.
        InvalidInput: They are one already (so no circle can come to be), a literal value, or
            things of different kinds.
    """
    moving, target = _standing(view, given), _standing(view, into)
    if moving.id == target.id:
        raise InvalidInput(f"{given!r} and {into!r} are one entity already")
    if "value" in (moving.kind, target.kind):
        raise InvalidInput(f"{given!r} and {into!r}: a literal value cannot be merged")
    if moving.kind and target.kind and moving.kind != target.kind:
        raise InvalidInput(
            f"{given!r} is a {moving.kind}, {into!r} a {target.kind}: they cannot be one"
        )
    ruled = ruling(view, group_id, RulingKind.MERGE, (moving.id, target.id), why)
    since = Interval(view.stamp, FOREVER)
    entities = (
        replace(moving, merged_into=target.id, recorded=since),
        replace(target, aliases=_joined(target, [moving], ruled.id), recorded=since),
    )
    told = view.statements(StatementFilter(entity_ids=(moving.id,)))
    merged = view.merged(_told_ends(told))
    anew = {id: target.id if to == moving.id else to for id, to in merged.items()}
    return _decision(view, (ruled,), entities, told, {**anew, moving.id: target.id})


def unmerge(view: View, group_id: str, given: str, why: Reason) -> Decision:
    """Decide that a merged entity is one of its own again, with all that was told of it.

    Raises:
        NotFound: A name that nobody bears.
        InvalidInput: It is not merged into another.
    """
    entity = _entity(view, given)
    if entity.merged_into is None:
        raise InvalidInput(f"{given!r} is not merged into another entity; nothing to split")
    root = view.entities([view.merged([entity.id])[entity.id]]).popitem()[1]
    ruled = ruling(view, group_id, RulingKind.SPLIT, (entity.id, root.id), why)
    leaving = _members(view, [entity])
    staying = _members(view, [root], without=entity.id)
    bare = replace(root, aliases=tuple(a for a in root.aliases if not a.by_merge))
    others = [member for id, member in staying.items() if id != root.id]
    since = Interval(view.stamp, FOREVER)
    entities = (
        replace(entity, merged_into=None, recorded=since),
        replace(bare, aliases=_joined(bare, others, ruled.id), recorded=since),
    )
    told = view.statements(StatementFilter(entity_ids={root.id, *leaving}))
    anew = {**view.merged(_told_ends(told)), **dict.fromkeys(leaving, entity.id)}
    return _decision(view, (ruled,), entities, told, anew)


def reassign(
    view: View, group_id: str, assertion_ids: Collection[str], given: str, to: str, why: Reason
) -> Decision:
    """Decide that statements that name ``given`` are about ``to``, which is made if unknown.

    Raises:
        NotFound: A current assertion or an entity that is not there, or one that is not about
            ``given``.
        InvalidInput: ``to`` is no name.
    """
    told = view.statements(StatementFilter(ids=assertion_ids))
    if unknown := set(assertion_ids) - {a.id for a in told}:
        raise NotFound(f"no current assertions {sorted(unknown)} in this group")
    left = _standing(view, given)
    resolver = Resolver(view, group_id, [to])
    target = resolver.resolve(to)
    moved = reassigned(view.rulings(assertion_ids))
    merged = view.merged({*_told_ends(told), *(x for m in moved.values() for x in m.values())})
    merged = {**merged, **resolver.merged}
    rulings: list[Ruling] = []
    for a in told:
        ends = _ends_about(a, left.id, merged, moved.get(a.id, {}))
        if not ends:
            raise NotFound(f"assertion {a.id!r} is not about {given!r}")
        kind = RulingKind.REASSIGN
        rulings += [ruling(view, group_id, kind, (a.id, end, target), why) for end in ends]
    return _decision(view, tuple(rulings), resolver.new, told, merged)


def _ends_about(
    a: Assertion, id: str, merged: Mapping[str, str], moved: Mapping[str, str]
) -> list[str]:
    ends = [end for end in (a.told.subject_id, a.told.object_id) if end is not None]
    about = {end: moved.get(end, end) for end in ends}
    return [end for end, now in about.items() if merged.get(now, now) == id]


def _decision(
    view: View,
    rulings: tuple[Ruling, ...],
    entities: tuple[Entity, ...],
    told: Collection[Assertion],
    merged: Mapping[str, str],
) -> Decision:
    stored = view.rulings([a.id for a in told]) if told else []
    moves = reassigned([*stored, *rulings])
    further = {to for moved in moves.values() for to in moved.values()} - merged.keys()
    own = {entity.id for entity in entities}
    known = view.merged(further - own)
    merged = {**{id: merged.get(to, to) for id, to in known.items()}, **merged}
    after = meant_anew(view, told, view.catalog(), merged, moves)
    ids = {a.id for a in after}
    before = tuple(a for a in told if a.id in ids)
    return Decision(rulings, before=before, after=tuple(after), entities=entities)


def _told_ends(told: Iterable[Assertion]) -> set[str]:
    ends = {end for a in told for end in (a.told.subject_id, a.told.object_id)}
    return {end for end in ends if end is not None}


def _joined(entity: Entity, others: Iterable[Entity], source: str) -> tuple[Alias, ...]:
    """Return an entity's aliases with the names of others that stand for it."""
    aliases = {name_key(entity.name): None, **{name_key(a.name): a for a in entity.aliases}}
    for other in others:
        for name in (other.name, *(a.name for a in other.aliases)):
            aliases.setdefault(name_key(name), Alias(name, source))
    return tuple(alias for alias in aliases.values() if alias is not None)


def _members(
    view: View, entities: Iterable[Entity], without: str | None = None
) -> dict[str, Entity]:
    """Return entities and all that is merged into them, one read a step of the chain."""
    found: dict[str, Entity] = {}
    frontier = {entity.id: entity for entity in entities}
    while frontier:
        found |= frontier
        ruled = [r for r in view.rulings(list(frontier)) if r.kind is RulingKind.MERGE]
        moved = {r.target_ids[0] for r in ruled} - found.keys() - {without}
        known = view.entities(moved) if moved else {}
        frontier = {id: e for id, e in known.items() if e.merged_into in found}
    return found


def _entity(view: View, given: str) -> Entity:
    """Return the entity of an id or a name, as it was told of: merges are not followed."""
    resolver = Resolver(view, "", [given])
    found = resolver.find(given)
    if found is None:
        raise NotFound(f"nothing in this group is called {given!r}, and it is no entity id")
    return found


def _standing(view: View, given: str) -> Entity:
    entity = _entity(view, given)
    if entity.merged_into is None:
        return entity
    root = view.merged([entity.id])[entity.id]
    return view.entities([root])[root]
