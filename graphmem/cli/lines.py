"""Records as lines for people: safe on a terminal, times no more exact than they are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphmem.cli.output import plain
from graphmem.memory import Answer, Ending, HistoryRow
from graphmem.model import Citation, Edge, Hit
from graphmem.temporal import ALWAYS, FOREVER, Interval, Precision


def edge(edge: Edge) -> str:
    """Return an edge: subject, relation, object, and when it holds."""
    return _fact(
        (edge.subject, edge.relation, edge.object),
        interval(edge.valid, edge.start_precision, edge.end_precision),
        contested=edge.contested,
    )


def answer(answer: Answer) -> Iterator[str]:
    """Yield what was asked for, then the facts that lead to it, each with its sources."""
    yield plain(answer.value)
    for step in answer.path:
        when = interval(step.edge.valid, step.edge.start_precision, step.edge.end_precision)
        yield f"  {_fact((step.subject, step.relation, step.object), when)}"
        yield from _sources(step.citations)


def hit(hit: Hit) -> Iterator[str]:
    """Yield a search result: its rank, what it says, and where from."""
    found = hit.edge
    if found is not None:
        when = interval(found.valid, found.start_precision, found.end_precision)
        yield f"{hit.rank}. {plain(hit.text)}  {when}"
        yield from _sources(hit.citations)
    elif hit.episode is not None:
        turn = hit.episode
        yield f"{hit.rank}. {_said(turn.text, turn.speaker)}"
        at = turn.occurred_at
        when = "" if at is None else turn.occurred_precision.text(at)
        yield f"    {_place(when, turn.thread_id, turn.id)}"


def history_row(row: HistoryRow) -> Iterator[str]:
    """Yield one value that a relation had, why it ended, and who said so."""
    when = interval(row.valid, row.start_precision, row.end_precision)
    said = _fact((row.subject, row.relation, row.object), when, contested=row.contested)
    why = {
        None: "",
        Ending.SUPERSEDED: _superseded(row),
        Ending.ENDED: "  ended",
        Ending.STATED: "  to its stated end",
    }[row.ending]
    yield f"{said}{why}"
    yield from _sources(row.citations)
    if row.ended_by is not None:
        yield from _sources([row.ended_by], lead="because: ")


def _superseded(row: HistoryRow) -> str:
    """Return by what; a relation that excludes this one has the same value."""
    if row.successor in (None, row.object, row.subject):
        return "  superseded"
    return f"  superseded by {plain(row.successor)}"


def interval(valid: Interval, start: Precision, end: Precision) -> str:
    """Return a half-open interval; what lies within one unit of its start is that unit alone."""
    if valid.end == start.end(valid.start):
        return start.text(valid.start)
    first = "..." if valid.start == ALWAYS else start.text(valid.start)
    last = "..." if valid.end == FOREVER else end.text(valid.end)
    return f"[{first}, {last})"


def _fact(ends: tuple[str, str, str], when: str, *, contested: bool = False) -> str:
    subject, relation, object = map(plain, ends)
    return f"{subject} -{relation}-> {object}  {when}{'  contested' if contested else ''}"


def _sources(citations: Sequence[Citation], lead: str = "") -> Iterator[str]:
    for one in citations:
        at = one.occurred_at
        when = "" if at is None else Precision.INSTANT.text(at)
        place = _place(when, one.thread_id, one.episode_id or "")
        yield f"    {lead}{_said(one.quote, one.speaker)}{f'  ({place})' if place else ''}"


def _said(words: str, speaker: str | None) -> str:
    return f"{plain(speaker or 'somebody')}: {plain(words)}"


def _place(*parts: str) -> str:
    return ", ".join(plain(part) for part in parts if part)
