"""Names to entities within one unit of work."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import ChainMap
from collections.abc import Iterable, Mapping
from datetime import date
from typing import TypeAlias

from graphmem.errors import InvalidInput
from graphmem.index import name_key
from graphmem.ingest.statement import Object, Value, literal
from graphmem.model import Entity, Json
from graphmem.ports import View
from graphmem.temporal import FOREVER, Interval

ENTITY_PREFIX = "en_"
NAME_LENGTH = 1000
"""Longest name in characters: longer ones are text, not names."""

_Literal: TypeAlias = Value | bool | int | float | date


def _digest(*parts: str) -> str:
    return ENTITY_PREFIX + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def entity_id(group_id: str, name: str) -> str:
    """Return the id of a name: equal for equal keys, different in every group."""
    return _digest(group_id, "name", name_key(name))


def literal_id(group_id: str, value: _Literal) -> str:
    """Return the id of a typed literal: 5, 5.0, True and "5" are four values."""
    content = json.dumps(literal(value), sort_keys=True, ensure_ascii=False)
    return _digest(group_id, "value", content)


class Resolver:
    """Finds or makes entities, in two batched reads whatever the number of names.

    Ids are derived from names, so who is told of first does not matter.
    """

    def __init__(self, view: View, group_id: str, wanted: Iterable[Object | None]) -> None:
        self._view = view
        self._group_id = group_id
        self._new: dict[str, Entity] = {}
        given = [w for w in wanted if w is not None]
        names = {_clean(w) for w in given if isinstance(w, str)}
        by_key = view.named({name_key(name) for name in names})
        ids = {id for found in by_key.values() for id in found}
        ids |= {name for name in names if name.startswith(ENTITY_PREFIX)}
        for w in given:
            if isinstance(w, Entity):
                ids.add(w.id)
            else:
                ids.add(literal_id(group_id, Value(w) if isinstance(w, str) else w))
        self._known = view.entities(ids)
        self._by_key = {key: self._best(key, found) for key, found in by_key.items()}
        gone = [id for id, known in self._known.items() if known.merged_into is not None]
        self.merged: Mapping[str, str] = view.merged(gone) if gone else {}
        """What entities that were merged stand for; others stand for themselves."""

    def _best(self, key: str, ids: list[str]) -> str | None:
        """Choose among homonyms: an entity's own name before an alias, then the lesser id.

        Who was merged is chosen too: a statement keeps whom it was told of, so that a merge can
        be undone.
        """
        named = [id for id in ids if id in self._known and self._known[id].kind != "value"]
        own = [id for id in named if name_key(self._known[id].name) == key]
        return min(own or named, default=None)

    def find(self, given: str) -> Entity | None:
        """Return the entity that an id or a name means, None if there is none."""
        name = _clean(given)
        return self._known.get(self._by_key.get(name_key(name)) or name)

    def learn(self, entities: Iterable[Entity]) -> None:
        """Take entities that this unit of work writes beside those that it resolves."""
        self._known = {**self._known, **{entity.id: entity for entity in entities}}

    @property
    def new(self) -> tuple[Entity, ...]:
        """The entities that this unit of work makes, in order of first use."""
        return tuple(self._new.values())

    def names(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the names of these entities, read in one go where not met yet."""
        wanted = set(ids)
        missing = wanted - self._known.keys() - self._new.keys()
        if missing:
            self._known |= self._view.entities(missing)
        known = ChainMap(self._new, self._known)
        return {id: known[id].name for id in wanted if id in known}

    def resolve(self, given: Object, *, value: bool = False) -> str:
        """Return the id of ``given``, making its entity if there is none.

        Args:
            given: A name, an entity id of this group, a typed literal, or an entity: with an id
                of its own it is how two things of one name are told apart.
            value: A plain text is a literal, not a name (the catalog says so of the relation).

        Raises:
            InvalidInput: An empty or very long name, or an entity of another group.
        """
        if isinstance(given, Entity):
            if given.group_id != self._group_id:
                raise InvalidInput(f"{given.id!r} is an entity of another group")
            return self._add(given.id, given.name, given.kind, given.attributes)
        if isinstance(given, str) and not value:
            return self._name(given)
        return self._value(Value(given) if isinstance(given, str) else given)

    def _name(self, given: str) -> str:
        name = _clean(given)
        if not name or len(name) > NAME_LENGTH or not _storable(name):
            raise InvalidInput(
                f"{given[:80]!r} is no name: give 1 to {NAME_LENGTH} whole characters"
            )
        if name in self._known:
            return name
        known = self._by_key.get(name_key(name))
        return known or self._add(entity_id(self._group_id, name), name, "", {})

    def _value(self, value: _Literal) -> str:
        content = literal(value)
        return self._add(literal_id(self._group_id, value), str(content["value"]), "value", content)

    def _add(self, id: str, name: str, kind: str, attributes: Mapping[str, Json]) -> str:
        if id not in self._known and id not in self._new:
            since = Interval(self._view.stamp, FOREVER)
            self._new[id] = Entity(id, self._group_id, name, kind, (), dict(attributes), since)
        return id


def _clean(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _storable(name: str) -> bool:
    return not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in name)
