"""Records as JSON documents: stable keys, times in UTC, null for an open end; no vectors."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.memory import Answer, HistoryRow
from graphmem.model import Citation, Edge, Episode, Hit, Json, Receipt
from graphmem.temporal import ALWAYS, FOREVER, Interval, Precision

Document = dict[str, Json]


def edge(edge: Edge) -> Document:
    """Return an edge."""
    return {
        "id": edge.id,
        "subject": edge.subject,
        "relation": edge.relation,
        "object": edge.object,
        "fact": edge.fact,
        **_times(edge.valid, edge.start_precision, edge.end_precision, edge.recorded),
        "contested": edge.contested,
    }


def answer(answer: Answer) -> Document:
    """Return an answer: what was asked for, and the path of facts that leads to it."""
    path: list[Json] = [
        {
            "subject": step.subject,
            "relation": step.relation,
            "object": step.object,
            "edge": edge(step.edge),
            "citations": _citations(step.citations),
        }
        for step in answer.path
    ]
    return {"value": answer.value, "path": path}


def hit(hit: Hit) -> Document:
    """Return a search result."""
    return {
        "rank": hit.rank,
        "kind": str(hit.kind),
        "id": hit.id,
        "text": hit.text,
        "score": hit.score,
        "channels": dict(hit.channels),
        "parts": dict(hit.parts),
        "edge": None if hit.edge is None else edge(hit.edge),
        "episode": None if hit.episode is None else episode(hit.episode),
        "citations": _citations(hit.citations),
    }


def episode(episode: Episode) -> Document:
    """Return a turn."""
    source = episode.source
    return {
        "id": episode.id,
        "thread_id": episode.thread_id,
        "sequence": episode.sequence,
        "speaker": episode.speaker,
        "role": episode.role,
        "kind": str(episode.kind),
        "text": episode.text,
        "occurred_at": _instant(episode.occurred_at),
        "occurred_precision": str(episode.occurred_precision),
        "version": episode.version,
        "source": {
            "format": source.format,
            "file": source.file,
            "message_id": source.message_id,
        },
    }


def history_row(row: HistoryRow) -> Document:
    """Return one value that a relation had."""
    return {
        "edge_id": row.edge_id,
        "subject": row.subject,
        "relation": row.relation,
        "object": row.object,
        "fact": row.fact,
        **_times(row.valid, row.start_precision, row.end_precision, row.recorded),
        "contested": row.contested,
        "citations": _citations(row.citations),
        "ending": None if row.ending is None else str(row.ending),
        "ended_by": None if row.ended_by is None else _citation(row.ended_by),
        "successor": row.successor,
    }


def receipt(receipt: Receipt) -> Document:
    """Return what became of one record."""
    return {
        "record": receipt.record,
        "episode_id": receipt.episode_id,
        "outcome": str(receipt.outcome),
        "reason": receipt.reason,
        "extraction": str(receipt.extraction),
        "assertion_ids": list(receipt.assertion_ids),
        "recorded_edges": receipt.recorded_edges,
        "closed_edges": receipt.closed_edges,
    }


def _times(valid: Interval, start: Precision, end: Precision, recorded: Interval) -> Document:
    return {
        "valid_from": _instant(valid.start),
        "valid_from_precision": str(start),
        "valid_to": _instant(valid.end),
        "valid_to_precision": str(end),
        "recorded_from": _instant(recorded.start),
        "recorded_to": _instant(recorded.end),
    }


def _citations(citations: Sequence[Citation]) -> list[Json]:
    return [_citation(one) for one in citations]


def _citation(citation: Citation) -> Document:
    return {
        "quote": citation.quote,
        "speaker": citation.speaker,
        "said": _instant(citation.occurred_at),
        "thread_id": citation.thread_id,
        "episode_id": citation.episode_id,
    }


def _instant(instant: datetime | None) -> str | None:
    if instant is None or instant in (ALWAYS, FOREVER):
        return None
    return Precision.INSTANT.text(instant)
