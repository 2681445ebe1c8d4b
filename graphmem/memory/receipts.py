"""What a verb answers."""

from __future__ import annotations

from graphmem.ingest.record import Recorded
from graphmem.model import Extraction, Outcome, Receipt


def receipt(record: str, episode_id: str | None, recorded: Recorded) -> Receipt:
    """Return the receipt of one verb; without changes it says unchanged."""
    changed = bool(recorded.changes)
    return Receipt(
        record=record,
        episode_id=episode_id,
        outcome=Outcome.NEW if changed else Outcome.UNCHANGED,
        reason=None,
        extraction=Extraction.NONE,
        assertion_ids=tuple(a.id for a in recorded.assertions),
        recorded_edges=len(recorded.changes.edges),
        closed_edges=len(recorded.changes.close_edges),
    )
