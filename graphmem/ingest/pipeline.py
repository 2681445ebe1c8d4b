"""From a source's records to receipts: batches of turns, then what they state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from graphmem.ingest.align import align
from graphmem.ingest.identity import content_hash, content_key, episode_id, episode_ids
from graphmem.ingest.readers.record import RawTurn, Read, Skipped
from graphmem.ingest.statement import may_state
from graphmem.ingest.turns import Decided
from graphmem.ingest.writer import Extracted, Incoming, Writer
from graphmem.model import Episode, Extraction, ExtractionState, Outcome, Receipt
from graphmem.ports import Extractor
from graphmem.temporal import ALWAYS, Interval

BATCH = 256
"""Turns of one write: one fsync and one pass of the extractor for so many."""


def whole(text: str) -> str:
    """Join halves of surrogate pairs; replace lone ones and NUL, which no store can hold."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def cleaned(raw: RawTurn) -> RawTurn:
    """Return the turn with whole characters only."""
    return replace(
        raw,
        text=whole(raw.text),
        thread_id=whole(raw.thread_id),
        speaker=None if raw.speaker is None else whole(raw.speaker),
        episode_id=None if raw.episode_id is None else whole(raw.episode_id),
    )


def incoming(raw: RawTurn, group_id: str, id: str) -> Incoming:
    """Return the episode that a raw turn would be; its place and version come with the write."""
    reply = raw.reply_to
    named = raw.episode_id is None and raw.source.message_id is not None
    if reply is not None and named:
        reply = episode_id(group_id, raw.source.format, raw.thread_id, reply)
    episode = Episode(
        id=id,
        group_id=group_id,
        thread_id=raw.thread_id,
        sequence=0,
        speaker=raw.speaker,
        role=raw.role,
        kind=raw.kind,
        text=raw.text,
        occurred_at=raw.occurred_at,
        occurred_precision=raw.occurred_precision,
        reply_to=reply,
        mentions=raw.mentions,
        source=raw.source,
        version=0,
        edited_at=raw.edited_at,
        content_hash=content_hash(raw),
        expires_at=raw.expires_at,
        recorded=Interval(ALWAYS),
    )
    return Incoming(raw.record, episode)


class Pipeline:
    """One ingest of one source into one group.

    Args:
        writer: Of that group.
        group_id: The group.
        extractor: Reads facts after each batch; None: nobody does now.
        run: Who is to read what nobody read now; None: nobody ever.
    """

    def __init__(
        self, writer: Writer, group_id: str, *, extractor: Extractor | None, run: str | None
    ) -> None:
        self._writer = writer
        self._group_id = group_id
        self._extractor = extractor
        self._run = run
        self._cursors: dict[str, Episode] = {}

    def run_all(self, reads: Iterable[Read]) -> Iterator[Receipt]:
        """Read what an earlier, broken run left pending, then do as ``run``."""
        self.catch_up()
        yield from self.run(reads)

    def run(self, reads: Iterable[Read]) -> Iterator[Receipt]:
        """Yield a receipt for every record once it is stored, in order of writing.

        Turns that their source names go in batches as they come. Those without an id wait for
        the end, since they are told apart by aligning whole threads with what is stored.
        """
        unnamed: defaultdict[str, list[RawTurn]] = defaultdict(list)
        batch: dict[str, Incoming] = {}
        for read in reads:
            if (left_out := _left_out(read)) is not None:
                yield left_out
                continue
            assert isinstance(read, RawTurn)
            raw = cleaned(read)
            if (id := self._named(raw)) is None:
                unnamed[raw.thread_id].append(raw)
                continue
            if id in batch or len(batch) >= BATCH:
                yield from self._flush(batch)
            batch[id] = incoming(raw, self._group_id, id)
        yield from self._flush(batch)
        for thread in unnamed.values():
            yield from self._unnamed(thread)

    def _named(self, raw: RawTurn) -> str | None:
        if raw.episode_id is not None:
            return raw.episode_id
        message = raw.source.message_id
        if message is None:
            return None
        return episode_id(self._group_id, raw.source.format, raw.thread_id, message)

    def _unnamed(self, thread: Sequence[RawTurn]) -> Iterator[Receipt]:
        """Store the turns of one thread under the ids that alignment gives them."""
        thread_id, format = thread[0].thread_id, thread[0].source.format
        turns = self._writer.view().thread(thread_id)
        stored = [(e.id, content_key(e)) for e in turns if e.source.format == format]
        keys = [content_key(raw) for raw in thread]
        known = align(stored, keys).ids
        new = [key for key, id in zip(keys, known, strict=True) if id is None]
        taken = {id for id, _ in stored}
        fresh = iter(episode_ids(self._group_id, format, thread_id, new, taken=taken))
        batch: dict[str, Incoming] = {}
        for raw, id in zip(thread, known, strict=True):
            chosen = id or next(fresh)
            if len(batch) >= BATCH:
                yield from self._flush(batch)
            batch[chosen] = incoming(raw, self._group_id, chosen)
        yield from self._flush(batch)

    def _flush(self, batch: dict[str, Incoming]) -> Iterator[Receipt]:
        """Store a batch, read its facts, and empty it."""
        if not batch:
            return
        turns = list(batch.values())
        batch.clear()
        decided = self._writer.add(turns, cursors=self._cursors, run=self._run)
        for one in decided:
            self._cursors[one.episode.thread_id] = one.episode
        extracted = self._extract(decided)
        for one in decided:
            yield receipt(one, extracted)

    def _extract(self, decided: Sequence[Decided]) -> Extracted | None:
        if self._extractor is None:
            return None
        turns = {d.episode.id: d.episode for d in decided if may_state(d.episode)}
        states = self._writer.view().extractions(turns.keys())
        run = self._extractor.run_id
        unread = [e for id, e in turns.items() if id not in states or not _read(states[id], run)]
        return self._writer.extract(unread, self._extractor) if unread else None

    def catch_up(self) -> int:
        """Read the facts of all turns that wait; return how many were tried, each once."""
        tried: set[str] = set()
        while self._extractor is not None:
            waiting = [e for e in self._writer.view().pending(BATCH) if e.id not in tried]
            if not waiting:
                break
            tried |= {e.id for e in waiting}
            self._writer.extract(waiting, self._extractor)
        return len(tried)


def _read(state: ExtractionState, run: str) -> bool:
    return state.state is Extraction.DONE and state.extractor == run


def _left_out(read: Read) -> Receipt | None:
    """Return the receipt of a record that gives no turn, None for one that does."""
    if isinstance(read, Skipped):
        outcome = Outcome.FAILED if read.failed else Outcome.SKIPPED
        return _no_turn(read.record, outcome, read.reason)
    if not read.text.strip():
        return _no_turn(read.record, Outcome.SKIPPED, "no words")
    return None


def _no_turn(record: str, outcome: Outcome, reason: str) -> Receipt:
    return Receipt(record, None, outcome, reason, Extraction.NONE, (), 0, 0)


def receipt(decided: Decided, extracted: Extracted | None) -> Receipt:
    """Return what became of one turn and of what it states."""
    id = decided.episode.id
    state = None if extracted is None else extracted.states.get(id)
    recorded = None if extracted is None else extracted.recorded
    return Receipt(
        record=decided.record,
        episode_id=id,
        outcome=decided.outcome,
        reason=decided.reason or (state.reason if state else None),
        extraction=state.state if state else Extraction.NONE,
        assertion_ids=recorded.by_episode.get(id, ()) if recorded else (),
        recorded_edges=recorded.opened.get(id, 0) if recorded else 0,
        closed_edges=recorded.closed.get(id, 0) if recorded else 0,
    )
