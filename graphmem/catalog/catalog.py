"""Names to relations: aliases, inverses, and what is not declared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from graphmem.catalog.definition import parse_json, parse_toml
from graphmem.catalog.relation import Cardinality, Relation, TemporalKind
from graphmem.catalog.rules import check
from graphmem.errors import InvalidInput

_GAPS = re.compile(r"[\s_\-]+")


def relation_key(name: str) -> str:
    """Return the form under which names are compared: ``WORKS_AT`` and ``works at`` are one.

    NFKC, casefolded; runs of white space, ``_`` and ``-`` become one space.

    Raises:
        InvalidInput: Nothing is left of ``name``.
    """
    key = _GAPS.sub(" ", unicodedata.normalize("NFKC", name).casefold()).strip()
    if not key:
        raise InvalidInput(f"empty relation name {name!r}; write a verb phrase like 'works at'")
    return key


class Catalog:
    """The relations of a group. Immutable; ``extended`` returns a larger one.

    Canonical names are kept in the form of ``relation_key``, so that a relation declared later
    matches what was stored under the same words before.

    Raises:
        InvalidInput: Two relations share a name, or a rule of ``Relation`` is broken.
    """

    def __init__(self, relations: Iterable[Relation], *, source: str = "catalog") -> None:
        declared = [_keyed(relation) for relation in relations]
        self._relations = {relation.name: relation for relation in declared}
        if len(self._relations) < len(declared):
            names = [relation.name for relation in declared]
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidInput(f"{source}: relation {twice!r} is declared twice")
        check(self._relations, source=source)
        self._names = _names(self._relations, source)
        self._excluding = _links(self._relations, "excludes")
        self._feeding = {
            name: tuple(self._relations[other] for other in others)
            for name, others in _links(self._relations, "begins", "ends").items()
        }
        self._excluded = {name: _reach(name, self._excluding) for name in self._excluding}

    @classmethod
    def builtin(cls) -> Catalog:
        """Return the packaged relations of people, work, places and projects."""
        return _builtin()

    @classmethod
    def from_toml(cls, text: str, *, source: str = "catalog") -> Catalog:
        """Read a list of ``[[relation]]`` tables whose keys are the fields of ``Relation``.

        All but ``name`` may be left out: many-to-many state without aliases.

        Raises:
            InvalidInput: No such TOML, or a broken rule; ``source`` names the file in the message.
        """
        return cls(parse_toml(text, source=source), source=source)

    @classmethod
    def from_path(cls, path: Path) -> Catalog:
        """Read a UTF-8 file in the form of ``from_toml``."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"cannot read the catalog {str(path)!r}: {error}") from error
        return cls.from_toml(text, source=str(path))

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[str, str]]) -> Catalog:
        """Return the packaged relations extended by (name, definition) rows of a group.

        A definition is JSON text as ``definition.to_json`` writes it.
        """
        return _extended(tuple(rows))

    @property
    def relations(self) -> Mapping[str, Relation]:
        """Relations by canonical name."""
        return MappingProxyType(self._relations)

    def extended(self, relations: Iterable[Relation]) -> Catalog:
        """Return a catalog with ``relations`` added; the same name replaces."""
        added = [_keyed(relation) for relation in relations]
        names = {relation.name for relation in added}
        kept = [relation for relation in self._relations.values() if relation.name not in names]
        return Catalog([*kept, *added])

    def resolve(self, name: str) -> tuple[Relation, bool]:
        """Return the relation that ``name`` means, and whether it names the inverse.

        With True, subject and object are to be exchanged. A name that is not declared is a
        many-to-many state of that name.

        Raises:
            InvalidInput: ``name`` is empty.
        """
        if (declared := self._relations.get(name)) is not None:
            return declared, False
        key = relation_key(name)
        return self._names.get(key) or (_undeclared(key), False)

    def feeding(self, name: str) -> tuple[Relation, ...]:
        """Return, for a state, the events that begin or end it; for an event, those states."""
        return self._feeding.get(name, ())

    def excluding(self, name: str) -> tuple[str, ...]:
        """Return the relations that cannot hold beside this one, whichever of them says so."""
        return self._excluding.get(name, ())

    def excluded(self, name: str) -> tuple[str, ...]:
        """Return the relations that share a slot with this one, itself included, by name."""
        return self._excluded.get(name) or (name,)


@cache
def _builtin() -> Catalog:
    text = files("graphmem.catalog").joinpath("relations.toml").read_text(encoding="utf-8")
    return Catalog.from_toml(text, source="relations.toml")


@lru_cache(maxsize=64)
def _extended(rows: tuple[tuple[str, str], ...]) -> Catalog:
    added = [parse_json(text, source=f"catalog row {name!r}") for name, text in rows]
    return _builtin().extended(added) if added else _builtin()


def _keyed(relation: Relation) -> Relation:
    return replace(
        relation,
        name=relation_key(relation.name),
        excludes=tuple(map(relation_key, relation.excludes)),
        begins=tuple(map(relation_key, relation.begins)),
        ends=tuple(map(relation_key, relation.ends)),
    )


def _undeclared(name: str) -> Relation:
    return Relation(
        name=name,
        aliases=(),
        inverse=None,
        inverse_aliases=(),
        cardinality=Cardinality.MANY_TO_MANY,
        temporal=TemporalKind.STATE,
        symmetric=False,
        excludes=(),
        begins=(),
        ends=(),
        subject_kind="",
        object_kind="",
    )


def _names(relations: Mapping[str, Relation], source: str) -> dict[str, tuple[Relation, bool]]:
    names: dict[str, tuple[Relation, bool]] = {}
    for relation in relations.values():
        forward = (relation.name, *relation.aliases)
        backward = (*([relation.inverse] if relation.inverse else ()), *relation.inverse_aliases)
        meanings = [(name, False) for name in forward] + [(name, True) for name in backward]
        for name, inverse in meanings:
            known = names.setdefault(relation_key(name), (relation, inverse))
            if known != (relation, inverse):
                raise InvalidInput(
                    f"{source}: relation {relation.name!r}: the name {name!r} already means "
                    f"{'the inverse of ' if known[1] else ''}{known[0].name!r}; "
                    "leave it out of one of them"
                )
    return names


def _links(relations: Mapping[str, Relation], *fields: str) -> dict[str, tuple[str, ...]]:
    links: dict[str, set[str]] = {}
    for relation in relations.values():
        for other in (other for field in fields for other in getattr(relation, field)):
            links.setdefault(relation.name, set()).add(other)
            links.setdefault(other, set()).add(relation.name)
    return {name: tuple(sorted(others)) for name, others in links.items()}


def _reach(name: str, links: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    reached, frontier = {name}, [name]
    while frontier:
        fresh = set(links[frontier.pop()]) - reached
        reached |= fresh
        frontier.extend(fresh)
    return tuple(sorted(reached))
