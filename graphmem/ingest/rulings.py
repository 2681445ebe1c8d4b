"""Decisions about records afterwards."""

from __future__ import annotations

from graphmem.errors import NotFound
from graphmem.ingest.digest import digest
from graphmem.model import Assertion, Ruling, RulingKind
from graphmem.ports import View
from graphmem.temporal import to_micros


def retraction(view: View, group_id: str, target_id: str, *, reason: str, by: str) -> Ruling:
    """Return the ruling that takes an episode or an assertion out of what is concluded.

    Raises:
        NotFound: There is no such record in the group.
    """
    if not view.episodes([target_id]) and not view.assertions([target_id]):
        raise NotFound(f"no episode or assertion {target_id!r} in this group to retract")
    kind = RulingKind.RETRACT
    id = f"ru_{digest(group_id, kind, target_id, to_micros(view.stamp))}"
    return Ruling(id, group_id, kind, (target_id,), reason, by, None, view.stamp)


def ruled(view: View, ruling: Ruling) -> list[Assertion]:
    """Return the current assertions that a ruling is about."""
    named = view.assertions(ruling.target_ids).values()
    return [*named, *view.stated_by(ruling.target_ids)]
