"""Episodes as rows: columns, words, and the masks that requests put over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from graphmem.index.around import Places
from graphmem.index.columns import Columns, Numbers
from graphmem.index.order import ThreadOrder
from graphmem.index.postings import Postings
from graphmem.index.seen import Kept, Seen
from graphmem.index.texts import turn_text
from graphmem.index.vectors import Vectors
from graphmem.index.words import STOP_WORDS, terms, words
from graphmem.model import Episode, EpisodeKind
from graphmem.ports import SearchRequest
from graphmem.temporal import FOREVER, to_micros

UNDATED = np.iinfo(np.int64).min
_OPEN = to_micros(FOREVER)
_SLOTS = ("turn", "window")
_QUESTION_MARKS = ("?", "？", "؟", "՞", "፧")


class SeenTurns(Seen):
    """The turns that a request sees, and what stands around them."""

    def __init__(self, turns: Turns, believed: NDArray[np.bool_], seen: NDArray[np.bool_]) -> None:
        super().__init__(turns.postings.believed(believed), seen, turns.columns["turn"])
        self._turns = turns

    @cached_property
    def places(self) -> Places:
        """The seen rows in thread order."""
        return self._turns.places(self.seen)

    @cached_property
    def windows(self) -> NDArray[np.int64]:
        """The slot of each row's window; -1 if it shows a turn that is not seen."""
        columns = self._turns.columns
        latest = self._turns.places(columns["recorded_to"] == _OPEN)
        whole = latest.rows[latest.whole(self.seen | ~columns["searchable"])]
        slots = np.full(len(self.seen), -1)
        slots[whole] = columns["window"][whole]
        return slots

    @cached_property
    def speaking(self) -> NDArray[np.bool_]:
        """Flags of the numbers of seen turns' speakers; the last flag, for -1, is down."""
        flags = np.zeros(len(self._turns.speakers) + 1, np.bool_)
        flags[self._turns.columns["speaker"][self.seen]] = True
        flags[-1] = False
        return flags


class Turns:
    """The episodes of a group, every version a row.

    A row whose text has no words, or that stands for a deleted message, is never found.
    """

    def __init__(self, threads: Numbers, speakers: Numbers) -> None:
        self.ids: list[str] = []
        self.versions: list[int] = []
        self.postings = Postings()
        self.columns = Columns(
            number=np.int64,  # of the episode, shared by its versions
            thread=np.int64,
            sequence=np.int64,
            speaker=np.int64,
            occurred=np.int64,
            recorded_from=np.int64,
            recorded_to=np.int64,
            expires=np.int64,
            searchable=np.bool_,
            asks=np.bool_,
            turn=np.int64,  # slots of vectors, -1 without
            window=np.int64,
        )
        self.numbers = Numbers()
        self._threads, self.speakers = threads, speakers
        self._kept = Kept()
        self._rows: dict[str, dict[int, int]] = {}
        self._text: list[int | None] = []  # hashes of what is indexed
        self._order = ThreadOrder()
        self._speakers_by_word: dict[str, list[int]] = {}
        self._worded = 0

    def __len__(self) -> int:
        return len(self.ids)

    def put(self, episode: Episode) -> None:
        """Add a version, or give a known one the times and text of this row."""
        row = self._rows.get(episode.id, {}).get(episode.version)
        row = self._add(episode) if row is None else row
        text = turn_text(episode)
        self.columns.set(row, **self._values(episode))
        if self._text[row] != hash(text):
            self._text[row] = hash(text)
            self.postings.put(row, terms(text))

    def _add(self, episode: Episode) -> int:
        row = self.columns.add(
            number=self.numbers[episode.id],
            thread=self._threads[episode.thread_id],
            sequence=episode.sequence,
            turn=-1,
            window=-1,
        )
        self.ids.append(episode.id)
        self.versions.append(episode.version)
        self._text.append(None)
        self.postings.put(row, ())
        before = self._latest(episode.id)
        self._rows.setdefault(episode.id, {})[episode.version] = row
        if before is not None:
            self.stand(episode.id, *(int(self.columns[name][before]) for name in _SLOTS))
        return row

    def _values(self, episode: Episode) -> dict[str, int]:
        occurred, expires = episode.occurred_at, episode.expires_at
        text = episode.text.rstrip()
        return {
            "speaker": -1 if episode.speaker is None else self.speakers[episode.speaker],
            "occurred": UNDATED if occurred is None else to_micros(occurred),
            "recorded_from": to_micros(episode.recorded.start),
            "recorded_to": to_micros(episode.recorded.end),
            "expires": _OPEN if expires is None else to_micros(expires),
            "searchable": episode.kind is not EpisodeKind.DELETED and bool(words(text)),
            "asks": text.endswith(_QUESTION_MARKS),
        }

    def _latest(self, id: str) -> int | None:
        versions = self._rows.get(id)
        return versions[max(versions)] if versions else None

    def stand(self, id: str, turn: int, window: int) -> bool:
        """Let these slots of vectors stand for an episode's latest version, and no other.

        Tell whether the episode is known.
        """
        for row in self._rows.get(id, {}).values():
            latest = row == self._latest(id)
            self.columns.set(row, turn=turn if latest else -1, window=window if latest else -1)
        return id in self._rows

    def remove(self, id: str) -> None:
        """Forget all versions of an episode; an unknown id is no error."""
        for row in self._rows.pop(id, {}).values():
            self.postings.put(row, ())
            self.columns.set(row, searchable=False, speaker=-1, turn=-1, window=-1)
            self._text[row] = None

    def changed(self) -> None:
        """Drop what was kept for later requests; to be called before any change."""
        self._kept.drop()

    def look(self, request: SearchRequest) -> SeenTurns:
        """Return the rows that a request believes and sees."""
        filters = (request.threads, request.speakers, request.during)
        at, by = to_micros(request.recorded), to_micros(request.occurred_by)
        kept = self._kept.get(filters, at, by)
        if isinstance(kept, SeenTurns):
            return kept
        believed = self._believed(at)
        found = SeenTurns(self, believed, self._seen(request, believed))
        columns = self.columns
        times = (columns["recorded_from"], columns["recorded_to"], columns["expires"])
        self._kept.put(found, filters, (at, times), (by, (columns["occurred"],)))
        return found

    def _believed(self, at: int) -> NDArray[np.bool_]:
        columns = self.columns
        current = (columns["recorded_from"] <= at) & (columns["recorded_to"] > at)
        return current & (columns["expires"] > at) & columns["searchable"]

    def _seen(self, request: SearchRequest, believed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        occurred = self.columns["occurred"]
        seen = believed & (occurred <= to_micros(request.occurred_by))
        if request.during is not None:
            since, until = to_micros(request.during.start), to_micros(request.during.end)
            seen &= (occurred >= since) & (occurred < until)
        if request.threads is not None:
            seen &= self._threads.flags(request.threads)[self.columns["thread"]]
        if request.speakers is not None:
            seen &= self.speakers.flags(request.speakers)[self.columns["speaker"]]
        return seen

    def places(self, among: NDArray[np.bool_]) -> Places:
        """Return the places of these rows by (thread, sequence, id, version)."""
        threads, sequences = self.columns["thread"], self.columns["sequence"]
        order = self._order.rows(threads, sequences, self.ids, self.versions)
        return Places(order, threads, self.postings.lengths, among)

    def versions_of(
        self, numbers: NDArray[np.int64], scores: NDArray[np.float64], seen: NDArray[np.bool_]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the seen rows of episodes, and the score of each row's episode."""
        if not len(numbers):
            return np.zeros(0, np.intp), scores
        by_number = np.zeros(len(self.numbers))
        by_number[numbers] = scores
        found = by_number[self.columns["number"]]
        rows = (seen & (found > 0)).nonzero()[0]
        return rows, found[rows]

    def subject(self, question: Sequence[str], seen: SeenTurns) -> NDArray[np.bool_]:
        """Flag, by number, the speakers whom a question is about; the last flag is for -1.

        They are those of seen turns whose name holds the first word of the question that any such
        name holds; stop words and single letters do not count.
        """
        if self._worded < len(self.speakers):
            for number, name in enumerate(list(self.speakers)[self._worded :], self._worded):
                for word in words(name):
                    self._speakers_by_word.setdefault(word, []).append(number)
            self._worded = len(self.speakers)
        flags = np.zeros_like(seen.speaking)
        for word in question:
            named = self._speakers_by_word.get(word)
            if named and len(word) > 1 and word not in STOP_WORDS:
                flags[named] = seen.speaking[named]
                if flags.any():
                    break
        return flags

    def lines(self, turns: Vectors, windows: Vectors) -> Iterator[str]:
        """Yield a line for each row, the same in every image of the same rows."""
        threads, speakers = list(self._threads), [*self.speakers, None]
        for row, terms_held in enumerate(self.postings.documents()):
            if self._rows.get(self.ids[row], {}).get(self.versions[row]) != row:
                continue
            value = {name: int(self.columns[name][row]) for name in self.columns}
            del value["number"]
            who = (threads[value.pop("thread")], speakers[value.pop("speaker")])
            hashes = (turns.digest(value.pop("turn")), windows.digest(value.pop("window")))
            yield repr((self.ids[row], self.versions[row], who, value, hashes, terms_held))

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds; a row's ids and numbers in Python cost about 400."""
        return self.columns.nbytes + self.postings.nbytes + 400 * len(self)
