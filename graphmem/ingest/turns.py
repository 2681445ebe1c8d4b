"""Turns on their way into threads: placed, compared with what is stored, given their windows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.index import text_hash, turn_text, window_text
from graphmem.ingest.statement import may_state
from graphmem.ingest.vectors import Vectors
from graphmem.model import (
    Changes,
    Episode,
    EpisodeVectors,
    Extraction,
    ExtractionState,
    Outcome,
)
from graphmem.ports import View
from graphmem.temporal import FOREVER, Interval

_WRITTEN = (Outcome.NEW, Outcome.CHANGED)


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of one incoming turn; ``episode`` is what the store holds of it now."""

    record: str
    episode: Episode
    outcome: Outcome
    reason: str | None


def decide(record: str, new: Episode, known: Episode | None, stamp: datetime) -> Decided:
    """Compare a turn with the stored version of its id.

    A newer version keeps its place and the time it was first said.
    """
    now = Interval(stamp, FOREVER)
    if known is None:
        return Decided(record, replace(new, version=1, recorded=now), Outcome.NEW, None)
    if known.content_hash == new.content_hash:
        return Decided(record, known, Outcome.UNCHANGED, None)
    if known.edited_at and (new.edited_at is None or new.edited_at < known.edited_at):
        reason = f"older than the stored version of {known.edited_at.isoformat()}"
        return Decided(record, known, Outcome.UNCHANGED, reason)
    said = known if known.occurred_at else new
    version = replace(
        new,
        version=known.version + 1,
        thread_id=known.thread_id,
        sequence=known.sequence,
        occurred_at=said.occurred_at,
        occurred_precision=said.occurred_precision,
        recorded=now,
    )
    return Decided(record, version, Outcome.CHANGED, None)


def turn_changes(
    view: View, decided: Iterable[Decided], *, run: str | None, vectors: Vectors
) -> Changes:
    """Return the rows that store what is new or changed: episodes, vectors, pending extraction.

    ``run`` is the extractor's run that will read their facts later; None: nobody will.
    """
    written = [d for d in decided if d.outcome in _WRITTEN]
    episodes = [d.episode for d in written]
    windows = windows_of(view, episodes) if vectors.wanted else {}
    turns = [turn_text(turn) for turn, _ in windows.values()]
    return Changes(
        close_episodes=tuple(d.episode.id for d in written if d.outcome is Outcome.CHANGED),
        episodes=tuple(episodes),
        vectors=vectors.rows(view, [*turns, *(window for _, window in windows.values())]),
        episode_vectors=tuple(
            EpisodeVectors(id, text_hash(turn_text(turn)), text_hash(window))
            for id, (turn, window) in windows.items()
        ),
        extractions=tuple(_pending(e, run) for e in episodes),
    )


def _pending(episode: Episode, run: str | None) -> ExtractionState:
    waits = run is not None and may_state(episode)
    state = Extraction.PENDING if waits else Extraction.NONE
    return ExtractionState(episode.id, state, run or "none", None)


def windows_of(view: View, written: Sequence[Episode]) -> dict[str, tuple[Episode, str]]:
    """Return, by id, the turns whose window of three these writes change, and the window's text.

    ``written`` need not be stored yet. Those are the written turns and the neighbours on both
    sides; two stored turns on each side are read to make their windows.
    """
    before, after = view.before(written, 2), view.after(written, 2)
    threads: defaultdict[str, dict[str, Episode]] = defaultdict(dict)
    for turn in written:
        near = threads[turn.thread_id]
        for stored in (*before[turn.id], *after[turn.id]):
            near.setdefault(stored.id, stored)
    for turn in written:
        threads[turn.thread_id][turn.id] = turn
    ids = {turn.id for turn in written}
    return {
        id: found for near in threads.values() for id, found in _changed_windows(near, ids).items()
    }


def _changed_windows(
    near: Mapping[str, Episode], written: set[str]
) -> dict[str, tuple[Episode, str]]:
    turns = sorted(near.values(), key=lambda turn: (turn.sequence, turn.id))
    beside: list[Episode | None] = [None, *turns, None]
    found: dict[str, tuple[Episode, str]] = {}
    for i, turn in enumerate(turns, start=1):
        trio = beside[i - 1], beside[i + 1]
        if turn.id in written or any(t is not None and t.id in written for t in trio):
            found[turn.id] = (turn, window_text(trio[0], turn, trio[1]))
    return found
