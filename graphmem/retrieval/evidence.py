"""Which statements stand behind edges at a point of transaction time."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from graphmem.model import Assertion, Citation, RulingKind
from graphmem.ports import View
from graphmem.retrieval.hits import citation

_SILENCED = frozenset({RulingKind.RETRACT, RulingKind.QUARANTINE})


def supporting(
    view: View, edge_ids: Collection[str], recorded: datetime
) -> dict[str, list[Assertion]]:
    """Return, by edge, the statements that supported it at ``recorded``, oldest first.

    An edge keeps its links when one of several statements is retracted or replaced; that one is
    left out here. Cost: two batched reads.
    """
    told = view.evidence(edge_ids) if edge_ids else {}
    about = {a.id for some in told.values() for a in some}
    about |= {a.episode_id for some in told.values() for a in some if a.episode_id is not None}
    silenced: dict[str, bool] = {}
    for ruling in view.rulings(about) if about else ():
        if ruling.recorded_from <= recorded and ruling.kind in _DECIDING:
            silenced |= dict.fromkeys(ruling.target_ids, ruling.kind in _SILENCED)
    return {
        id: [a for a in some if a.recorded.contains(recorded) and not _is_out(a, silenced)]
        for id, some in told.items()
    }


_DECIDING = _SILENCED | {RulingKind.ADMIT}


def _is_out(assertion: Assertion, silenced: dict[str, bool]) -> bool:
    return silenced.get(assertion.id, silenced.get(assertion.episode_id or "", False))


def citations(
    view: View, edge_ids: Collection[str], recorded: datetime
) -> dict[str, tuple[Citation, ...]]:
    """Return, by edge, the words of the statements that supported it at ``recorded``."""
    found = supporting(view, edge_ids, recorded)
    return {id: tuple(map(citation, some)) for id, some in found.items()}
