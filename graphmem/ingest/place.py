"""Where new turns stand among the stored ones of their thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from graphmem.model import Episode
from graphmem.ports import EpisodeFilter, Page, View

GAP = 1 << 20
"""Distance of two turns in a row: a million fit between them."""


def placed(
    view: View,
    thread: Sequence[Episode],
    stored: Mapping[str, Episode],
    previous: Episode | None,
) -> list[Episode]:
    """Return the turns of one thread, in the order told, with their sequence numbers.

    Stored turns keep theirs, so an insertion shifts nothing. A new turn stands right after the
    one told before it; with none before it, right before the first that is stored; with none of
    those either, at the end, or before all of the thread if it occurred earlier.

    Args:
        view: The store as it is.
        thread: Turns as their source orders them; their sequence does not count yet.
        stored: What the store holds of their ids.
        previous: The turn told just before these, if an earlier batch held it.
    """
    done: list[Episode] = []
    for known, run in groupby(thread, key=lambda turn: turn.id in stored):
        turns = list(run)
        if known:
            done += [stored[turn.id] for turn in turns]
            continue
        last = done[-1] if done else previous
        following = thread[len(done) + len(turns) :][:1]
        upcoming = stored[following[0].id] if following else None
        low, high = _bounds(view, turns[0], last, upcoming)
        numbers = _between(low, high, len(turns))
        done += [replace(t, sequence=n) for t, n in zip(turns, numbers, strict=True)]
    return done


def _bounds(
    view: View, first: Episode, last: Episode | None, upcoming: Episode | None
) -> tuple[int | None, int | None]:
    """Return the sequence numbers that a run of new turns lies between, None at an open side."""
    if last is not None:
        return last.sequence, _sequence(view.after([last], 1)[last.id])
    if upcoming is not None:
        return _sequence(view.before([upcoming], 1)[upcoming.id]), upcoming.sequence
    thread = {first.thread_id}
    if by_then := view.latest(EpisodeFilter(view.stamp, first.occurred_at, threads=thread), 1):
        return by_then[0].sequence, _sequence(view.after(by_then, 1)[by_then[0].id])
    return None, _sequence(view.find_episodes(EpisodeFilter(view.stamp, threads=thread), Page(1)))


def _sequence(turns: Sequence[Episode]) -> int | None:
    return turns[0].sequence if turns else None


def _between(low: int | None, high: int | None, count: int) -> list[int]:
    """Return ``count`` numbers in order; in a used-up gap some are equal (ids order them)."""
    if low is None and high is not None:
        return [high - GAP * (count - i) for i in range(count)]
    if high is None:
        return [(low or 0) + GAP * (i + 1) for i in range(count)]
    room = high - (low or 0)
    return [(low or 0) + room * (i + 1) // (count + 1) for i in range(count)]
