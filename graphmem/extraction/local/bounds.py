"""When what a clause says begins and ends, from its tense and its time words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphmem.catalog import Cardinality, Relation, TemporalKind
from graphmem.extraction.local.stance import Stance
from graphmem.model import AssertionKind
from graphmem.temporal import Moment
from graphmem.temporal.words import TimeRole, TimeSpan

_POINTS = (TimeRole.AT, TimeRole.DURING)
_STARTS = (TimeRole.SINCE, *_POINTS)


class Bounds(NamedTuple):
    """Stated start and end; None where nothing is stated."""

    start: Moment | None = None
    end: Moment | None = None


def bounds(
    stance: Stance,
    relation: Relation | None,
    times: Sequence[TimeSpan],
    said: Moment | None,
    *,
    definite: bool,
) -> Bounds | None:
    """Return what a clause states of its time, or None if it must not become a statement.

    What lies ahead needs a stated time: without one, "I'll join Beta" says nothing that holds.
    A bare past tense of a state ("I worked at Acme") is over by the time it is said, so it ends
    there; it never affirms something open-ended. Where many values hold at once ("I liked it",
    "we used Kafka") it says nothing, unless with "used to" or "formerly".

    Args:
        stance: How the clause is put.
        relation: None: an undeclared one, a state.
        times: The time words of the clause.
        said: When it was said.
        definite: The speaker's own doing, or something with a name: "I approve the release",
            "Ann joins Acme", but "Ben approves releases" is a habit.
    """
    if stance.kind is AssertionKind.DENIES:
        return _stretch(times)
    if stance.kind is AssertionKind.ENDS:
        return _ending(stance, relation, times)
    kind = TemporalKind.STATE if relation is None else relation.temporal
    if kind is TemporalKind.PERMANENT:
        return Bounds()
    if stance.tense == "future" or (stance.progressive and kind is TemporalKind.EVENT):
        return _plan(times, said)
    if kind is TemporalKind.EVENT:
        return _event(stance, times, said, definite=definite)
    return _state(stance, relation, times, said)


def _state(
    stance: Stance, relation: Relation | None, times: Sequence[TimeSpan], said: Moment | None
) -> Bounds | None:
    if stance.begins:
        return Bounds(_first(times, _STARTS), _first(times, (TimeRole.UNTIL,)))
    if stance.tense == "past":
        return _past(stance, relation, times, said)
    held = _present(times, said)
    # "Ann has led Atlas" alone leaves open whether she still does
    return None if stance.perfect and held == Bounds() else held


def _first(times: Sequence[TimeSpan], roles: Sequence[TimeRole]) -> Moment | None:
    return next((span.at for span in times if span.role in roles), None)


def _is_ahead(moment: Moment, said: Moment | None) -> bool:
    return said is not None and moment.instant > said.instant


def _stretch(times: Sequence[TimeSpan]) -> Bounds:
    for span in times:
        if span.role in _POINTS:
            return Bounds(span.at, span.to)
    return Bounds(_first(times, (TimeRole.SINCE,)), _first(times, (TimeRole.UNTIL,)))


def _ending(stance: Stance, relation: Relation | None, times: Sequence[TimeSpan]) -> Bounds | None:
    if relation is not None and relation.temporal is not TemporalKind.STATE:
        return None  # what has happened does not stop having happened
    end = _first(times, (*_STARTS, TimeRole.UNTIL))
    if end is None:
        return None if stance.tense == "future" or stance.progressive else Bounds()
    return Bounds(None, end)


def _plan(times: Sequence[TimeSpan], said: Moment | None) -> Bounds | None:
    start = _first(times, _STARTS)
    if start is None or not _is_ahead(start, said):
        return None
    return Bounds(start, _first(times, (TimeRole.UNTIL,)) or _range_end(times))


def _range_end(times: Sequence[TimeSpan]) -> Moment | None:
    """Return the end of "from March to May", but not that of "in March"."""
    for span in times:
        if span.role is TimeRole.DURING and span.to.instant > span.at.precision.end(
            span.at.instant
        ):
            return span.to
    return None


def _event(
    stance: Stance, times: Sequence[TimeSpan], said: Moment | None, *, definite: bool
) -> Bounds | None:
    start = _first(times, _STARTS)
    if stance.tense == "present" and not stance.perfect:
        return Bounds(start) if start or definite else None
    return Bounds() if start and _is_ahead(start, said) else Bounds(start)


def _past(
    stance: Stance, relation: Relation | None, times: Sequence[TimeSpan], said: Moment | None
) -> Bounds | None:
    stated = _stretch(times)
    if stated.start and stated.end and said and stated.end.instant > said.instant:
        return Bounds(stated.start, said if said.instant > stated.start.instant else None)
    if stated != Bounds():
        return stated
    if relation is None and not stance.over:
        return Bounds()  # its words are in the past tense and stay true
    if said is None or not (stance.over or _is_exclusive(relation)):
        return None
    return Bounds(None, said)


def _is_exclusive(relation: Relation | None) -> bool:
    """Tell whether one value at a time holds: a past tense then means that it is over."""
    return relation is not None and relation.cardinality is not Cardinality.MANY_TO_MANY


def _present(times: Sequence[TimeSpan], said: Moment | None) -> Bounds:
    end = _first(times, (TimeRole.UNTIL,))
    for span in times:
        if span.role is TimeRole.SINCE:
            return Bounds(span.at, end)
        if span.role in _POINTS and said is not None:
            if _is_ahead(span.at, said):
                return Bounds(span.at, end or _range_end(times))
            if span.to.instant <= said.instant:
                return Bounds(span.at, span.to)
    return Bounds(None, end)
