"""Decisions about records afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.catalog import Catalog
from graphmem.errors import NotFound
from graphmem.ingest.digest import digest
from graphmem.model import (
    RULING_PREFIX,
    Assertion,
    Authority,
    Entity,
    RelationRow,
    Ruling,
    RulingKind,
)
from graphmem.ports import View
from graphmem.temporal import to_micros

VERDICTS = (RulingKind.RETRACT, RulingKind.QUARANTINE, RulingKind.ADMIT, RulingKind.PIN)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a verb decided about records that are there.

    Attributes:
        rulings: To be recorded.
        about: Assertions whose part in what is concluded changes.
        before: Current rows of assertions whose meaning changes; they close.
        after: Their new rows, in the same order.
        entities: New rows of entities.
        catalog: The relations from now on; None: as they are.
        relations: Rows that make it so.
        renamed: Relations that are another one's name now: no edge is theirs any more.
    """

    rulings: tuple[Ruling, ...] = ()
    about: tuple[Assertion, ...] = ()
    before: tuple[Assertion, ...] = ()
    after: tuple[Assertion, ...] = ()
    entities: tuple[Entity, ...] = ()
    catalog: Catalog | None = None
    relations: tuple[RelationRow, ...] = ()
    renamed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was decided, and by whom."""

    text: str
    by: str


def ruling(
    view: View,
    group_id: str,
    kind: RulingKind,
    target_ids: tuple[str, ...],
    why: Reason,
    authority: Authority | None = None,
) -> Ruling:
    """Return a ruling of now; its id follows from what it decides and when."""
    id = RULING_PREFIX + digest(group_id, kind, *target_ids, to_micros(view.stamp))
    return Ruling(id, group_id, kind, target_ids, why.text, why.by, authority, view.stamp)


def verdict(
    view: View,
    group_id: str,
    kind: RulingKind,
    target_id: str,
    why: Reason,
    authority: Authority | None = None,
) -> Decision:
    """Decide that an episode or assertion is retracted, quarantined, admitted or pinned.

    The same verdict as the one that stands changes nothing.

    Raises:
        NotFound: There is no such record in the group.
    """
    named = view.assertions([target_id])
    if not named and not view.episodes([target_id]):
        raise NotFound(f"no episode or assertion {target_id!r} in this group to {kind}")
    stands = [r for r in view.rulings([target_id]) if r.kind in VERDICTS]
    if stands and (stands[-1].kind, stands[-1].authority) == (kind, authority):
        return Decision()
    about = (*named.values(), *view.stated_by([target_id]))
    return Decision((ruling(view, group_id, kind, (target_id,), why, authority),), about)
