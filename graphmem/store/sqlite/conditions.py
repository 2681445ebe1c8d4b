"""Filters as conditions of SQL."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from graphmem.ports import EdgeFilter, EpisodeFilter, SlotQuery, StatementFilter
from graphmem.store.sqlite import rows
from graphmem.temporal import to_micros

# Static statements, chosen by which ends are given, so that each walks an index.
_RELATION = "relation IN (SELECT value FROM json_each(:relations))"
_ENDS: dict[tuple[bool, bool], tuple[str, ...]] = {
    (True, True): (
        f"subject_id = :subject AND {_RELATION} AND object_id = :object",
        f"subject_id = :subject AND {_RELATION} AND object_id IS NULL",
    ),
    (True, False): (f"subject_id = :subject AND {_RELATION}",),
    (False, True): (
        f"object_id = :object AND {_RELATION}",
        f"object_id IS NULL AND {_RELATION}",
    ),
    (False, False): (_RELATION,),
}


def slot_conditions(query: SlotQuery) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return which rows a slot query means, one condition an index, and their values."""
    ends = _ENDS[query.subject_id is not None, query.object_id is not None]
    values = {"subject": query.subject_id, "object": query.object_id}
    return ends, {**values, "relations": json.dumps(query.relations)}


def statement_conditions(filter: StatementFilter) -> tuple[str, dict[str, Any]]:
    """Return the condition of a filter of assertions, and its values."""
    where, values = _narrow(
        {
            "id": filter.ids,
            "episode_id": filter.episode_ids,
            "told_relation": filter.told_relations,
            "speaker": filter.speakers,
        }
    )
    if filter.entity_ids is not None:
        ends = ("subject_id", "object_id", "told_subject", "told_object")
        among = "(SELECT value FROM json_each(:entities))"
        where += f" AND ({' OR '.join(f'{end} IN {among}' for end in ends)})"
        values["entities"] = rows.dump_ids(filter.entity_ids)
    if filter.expired_by is not None:
        where += " AND expires_at <= :expired_by"
        values["expired_by"] = to_micros(filter.expired_by)
    return where, values


def _narrow(conditions: Mapping[str, Collection[str] | None]) -> tuple[str, dict[str, Any]]:
    given = {column: ids for column, ids in conditions.items() if ids is not None}
    where = "".join(
        f" AND {column} IN (SELECT value FROM json_each(:{column}))" for column in given
    )
    return where, {column: rows.dump_ids(ids) for column, ids in given.items()}


def edge_conditions(filter: EdgeFilter) -> tuple[str, dict[str, Any]]:
    """Return the condition of a filter of edges, and its values."""
    where, values = _narrow(
        {
            "id": filter.ids,
            "subject_id": filter.subject_ids,
            "relation": filter.relations,
            "object_id": filter.object_ids,
        }
    )
    if filter.during is not None:
        where += (
            " AND e.valid_from < :until AND (e.valid_to > :since"
            " OR e.relation IN (SELECT value FROM json_each(:events)))"
        )
        values["since"], values["until"] = rows.bounds(filter.during)
        values["events"] = rows.dump_ids(filter.events)
    return where + ("" if filter.contested else " AND NOT e.contested"), values


def episode_conditions(filter: EpisodeFilter, stamp: datetime) -> tuple[str, dict[str, Any]]:
    """Return the condition of a filter of episodes, and its values."""
    where, values = _narrow(
        {"id": filter.ids, "thread_id": filter.threads, "speaker": filter.speakers}
    )
    where += (
        " AND recorded_from <= :r AND recorded_to > :r AND (expires_at IS NULL OR expires_at > :r)"
    )
    values["r"] = to_micros(min(filter.recorded, stamp))
    if filter.occurred_by is not None:
        where += " AND (occurred_at IS NULL OR occurred_at <= :by)"
        values["by"] = to_micros(filter.occurred_by)
    if filter.during is not None:
        where += " AND occurred_at >= :since AND occurred_at < :until"
        values["since"], values["until"] = rows.bounds(filter.during)
    return where, values
