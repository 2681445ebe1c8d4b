"""Relations as a TOML file or a row of a store writes them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import TypeVar, cast

from graphmem.catalog.relation import Cardinality, Relation, TemporalKind
from graphmem.errors import InvalidInput

_TEXTS = ("name", "inverse", "subject_kind", "object_kind")
_LISTS = ("aliases", "inverse_aliases", "excludes", "begins", "ends")
_KNOWN = (*_TEXTS, *_LISTS, "cardinality", "temporal", "symmetric")

_Choice = TypeVar("_Choice", bound=StrEnum)


def parse_toml(text: str, *, source: str) -> list[Relation]:
    """Read ``[[relation]]`` tables, in order.

    Raises:
        InvalidInput: No TOML, an unknown key, or a value of the wrong type; the message names
            ``source``, relation, field and value.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{source}: no valid TOML: {error}") from error
    _refuse_unknown(document, ("relation",), source)
    tables: object = document.get("relation", [])
    if not isinstance(tables, list):
        raise InvalidInput(f"{source}: write [[relation]], one table for each")
    return [_relation(table, source) for table in cast("list[object]", tables)]


def parse_json(text: str, *, source: str) -> Relation:
    """Read what ``to_json`` wrote.

    Raises:
        InvalidInput: No JSON object, an unknown key, or a value of the wrong type.
    """
    try:
        table: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{source}: no valid JSON: {error}") from error
    return _relation(table, source)


def to_json(relation: Relation) -> str:
    """Return ``relation`` as a JSON object; what says nothing is left out."""
    fields = {name: value for name, value in asdict(relation).items() if value}
    return json.dumps(fields, ensure_ascii=False, sort_keys=True)


def _relation(table: object, source: str) -> Relation:
    if not isinstance(table, dict):
        raise InvalidInput(f"{source}: {table!r} is no table; write [[relation]] and its fields")
    fields = cast("dict[str, object]", table)
    where = f"{source}: relation {fields.get('name')!r}"
    _refuse_unknown(fields, _KNOWN, where)
    return Relation(
        name=_text(fields, "name", where),
        aliases=_texts(fields, "aliases", where),
        inverse=_text(fields, "inverse", where) if "inverse" in fields else None,
        inverse_aliases=_texts(fields, "inverse_aliases", where),
        cardinality=_choice(fields, "cardinality", Cardinality.MANY_TO_MANY, where),
        temporal=_choice(fields, "temporal", TemporalKind.STATE, where),
        symmetric=_flag(fields, "symmetric", where),
        excludes=_texts(fields, "excludes", where),
        begins=_texts(fields, "begins", where),
        ends=_texts(fields, "ends", where),
        subject_kind=_text(fields, "subject_kind", where, default=""),
        object_kind=_text(fields, "object_kind", where, default=""),
    )


def _refuse_unknown(fields: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    for name in fields:
        if name not in known:
            raise InvalidInput(f"{where}: unknown key {name!r}; known are {', '.join(known)}")


def _text(
    fields: Mapping[str, object], field: str, where: str, *, default: str | None = None
) -> str:
    value = fields.get(field, default)
    if not isinstance(value, str):
        raise InvalidInput(f"{where}: {field} {value!r} is no text")
    return value


def _texts(fields: Mapping[str, object], field: str, where: str) -> tuple[str, ...]:
    value = fields.get(field, [])
    if isinstance(value, list):
        items = cast("list[object]", value)
        texts = tuple(item for item in items if isinstance(item, str))
        if len(texts) == len(items):
            return texts
    raise InvalidInput(f"{where}: {field} {value!r} is no list of texts")


def _flag(fields: Mapping[str, object], field: str, where: str) -> bool:
    value = fields.get(field, False)
    if not isinstance(value, bool):
        raise InvalidInput(f"{where}: {field} {value!r} is neither true nor false")
    return value


def _choice(fields: Mapping[str, object], field: str, default: _Choice, where: str) -> _Choice:
    value = fields.get(field, default)
    kinds = {str(kind): kind for kind in type(default)}
    if not isinstance(value, str) or value not in kinds:
        raise InvalidInput(f"{where}: {field} {value!r} is unknown; use one of {', '.join(kinds)}")
    return kinds[value]
