"""What the reference store holds of one group, as a value: a write makes a new one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from graphmem.errors import InvalidInput, NotFound
from graphmem.model import (
    Assertion,
    Changes,
    Edge,
    Entity,
    Episode,
    EpisodeVectors,
    Evidence,
    ExtractionState,
    RelationRow,
    Ruling,
    Vector,
)
from graphmem.temporal import ALWAYS, Interval

_Row = TypeVar("_Row", Episode, Entity, Assertion, Edge)
_Once = TypeVar("_Once", Edge, Ruling)


@dataclass(frozen=True, slots=True)
class Tables:
    """All rows of a group, in order of recording. Never changed in place.

    ``last`` is the stamp of the last write.
    """

    last: datetime = ALWAYS
    episodes: tuple[Episode, ...] = ()
    entities: tuple[Entity, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    edges: tuple[Edge, ...] = ()
    evidence: frozenset[Evidence] = frozenset()
    vectors: dict[str, Vector] = field(default_factory=dict[str, Vector])
    episode_vectors: dict[str, EpisodeVectors] = field(default_factory=dict[str, EpisodeVectors])
    edge_vectors: dict[str, str] = field(default_factory=dict[str, str])
    extractions: dict[str, ExtractionState] = field(default_factory=dict[str, ExtractionState])
    relations: tuple[tuple[datetime, RelationRow], ...] = ()

    def after(self, changes: Changes, group_id: str, stamp: datetime) -> Tables:
        """Return the rows after ``changes``, recorded at ``stamp``.

        Raises:
            NotFound: A row to close is absent or closed already.
            InvalidInput: A row of another group, of a known id, or recorded behind ``stamp``.
        """
        _check(changes, group_id, stamp)
        known = {e.id for e in self.entities if e.recorded.end > stamp}
        replaced = [e.id for e in changes.entities if e.id in known]
        episodes = _close("episode", self.episodes, changes.close_episodes, stamp)
        entities = _close("entity", self.entities, replaced, stamp)
        assertions = _close("assertion", self.assertions, changes.close_assertions, stamp)
        edges = _close("edge", self.edges, changes.close_edges, stamp)
        removed = {e.id for e in self.edges} - {e.id for e in edges}
        return Tables(
            last=stamp,
            episodes=_open("episode", episodes, changes.episodes, stamp),
            entities=_open("entity", entities, changes.entities, stamp),
            assertions=_open("assertion", assertions, changes.assertions, stamp),
            rulings=_add("ruling", self.rulings, changes.rulings),
            edges=_add("edge", edges, changes.edges),
            evidence=frozenset(e for e in self.evidence if e.edge_id not in removed)
            | frozenset(changes.evidence),
            vectors=self.vectors | {v.text_hash: v.vector for v in changes.vectors},
            episode_vectors=self.episode_vectors
            | {v.episode_id: v for v in changes.episode_vectors},
            edge_vectors={k: v for k, v in self.edge_vectors.items() if k not in removed}
            | dict(changes.edge_vectors),
            extractions=self.extractions | {e.episode_id: e for e in changes.extractions},
            relations=(*self.relations, *((stamp, r) for r in changes.relations)),
        )


def _check(changes: Changes, group_id: str, stamp: datetime) -> None:
    records = (
        *(*changes.episodes, *changes.entities, *changes.assertions),
        *(*changes.rulings, *changes.edges),
    )
    for record in records:
        if record.group_id != group_id:
            raise InvalidInput(
                f"{record.id!r} belongs to group {record.group_id!r}, the write to {group_id!r}; "
                "nothing was written"
            )
    for edge in changes.edges:
        if edge.recorded.start < stamp:
            raise InvalidInput(
                f"edge {edge.id!r} is recorded at {edge.recorded.start.isoformat()}, behind this "
                f"write's stamp {stamp.isoformat()}; nothing was written"
            )


def _close(
    what: str, rows: Iterable[_Row], ids: Iterable[str], stamp: datetime
) -> tuple[_Row, ...]:
    """Return rows after the open ones of ``ids`` ended at ``stamp``; those not begun are gone."""
    rows, closing = tuple(rows), set(ids)
    for id in closing - {row.id for row in rows if row.recorded.end > stamp}:
        raise NotFound(f"there is no open {what} {id!r} in this group; nothing was written")
    return tuple(kept for row in rows if (kept := _ended(row, stamp) if row.id in closing else row))


def _ended(row: _Row, stamp: datetime) -> _Row | None:
    if row.recorded.start >= stamp:
        return None
    return replace(row, recorded=Interval(row.recorded.start, min(row.recorded.end, stamp)))


def _open(
    what: str, rows: tuple[_Row, ...], new: Iterable[_Row], stamp: datetime
) -> tuple[_Row, ...]:
    """Return rows and ``new`` ones, of each id at most one open."""
    _refuse_known(what, (row.id for row in rows if row.recorded.end > stamp), new)
    return (*rows, *new)


def _add(what: str, rows: tuple[_Once, ...], new: Iterable[_Once]) -> tuple[_Once, ...]:
    """Return rows and ``new`` ones, each id ever used once."""
    _refuse_known(what, (row.id for row in rows), new)
    return (*rows, *new)


def _refuse_known(
    what: str, ids: Iterable[str], new: Iterable[Episode | Entity | Assertion | Edge | Ruling]
) -> None:
    known = set(ids)
    for row in new:
        if row.id in known:
            raise InvalidInput(f"{what} {row.id!r} is recorded already; nothing was written")
        known.add(row.id)
