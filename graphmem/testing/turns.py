"""Episodes as search reads them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set

from graphmem.index import STOP_WORDS, features, terms, turn_text, words
from graphmem.index.search import LONGEST, REACH
from graphmem.model import Episode, EpisodeKind
from graphmem.ports import SearchRequest
from graphmem.temporal import FOREVER
from graphmem.testing.channels import cosine
from graphmem.testing.scored import Document, Scored
from graphmem.testing.tables import Tables

_QUESTION_MARKS = ("?", "？", "؟", "՞", "፧")


class Turns:
    """The episodes believed at ``request.recorded``, and what each channel makes of them.

    Args:
        tables: All rows of the group.
        request: What is asked for.
        lifted: Graph score by episode id.
    """

    def __init__(self, tables: Tables, request: SearchRequest, lifted: Mapping[str, float]) -> None:
        self._tables, self._request = tables, request
        # The vectors of an episode stand for its latest version.
        self._latest = {e.id: e for e in sorted(tables.episodes, key=lambda e: e.version)}
        believed = [e for e in tables.episodes if _is_believed(e, request)]
        self.seen = {e.id: e for e in believed if _is_seen(e, request)}
        self._subjects = _subjects({e.speaker for e in self.seen.values()}, request.names)
        self.scored = Scored([self._document(e) for e in believed], request)
        if "graph" in request.channels:
            shown = lifted.keys() & self.seen.keys()
            self.scored.scores["graph"] = {id: lifted[id] for id in shown}

    def _document(self, episode: Episode) -> Document:
        hashes = self._tables.episode_vectors.get(episode.id)
        vector = None
        if hashes is not None and episode is self._latest[episode.id]:
            vector = self._tables.vectors.get(hashes.turn_hash)
        return Document(episode.id, terms(turn_text(episode)), vector, episode.id in self.seen)

    def features(self, id: str) -> dict[str, float]:
        """Return the features of episodes alone."""
        episode, scored = self.seen[id], self.scored
        near = _around(episode, self.seen.values(), REACH)
        values = {
            features.SUBJECT: float(episode.speaker in self._subjects),
            features.ASKS: float(episode.text.rstrip().endswith(_QUESTION_MARKS)),
            features.LENGTH: math.log1p(min(len(scored.documents[id].terms), LONGEST)),
        }
        if "lexical" in scored.scores:
            window = _around(episode, self.seen.values(), 1)
            values[features.WINDOW_BM25] = self._bm25(window, 3)
            values[features.NEAR_BM25] = self._bm25(near, 2 * REACH + 1)
        if "vector" in scored.scores:
            cosines = scored.scores["vector"]
            known = [cosines[turn.id] for turn in near if turn.id in cosines]
            values[features.NEAR_COSINE] = max(known, default=0.0)
            values[features.WINDOW_COSINE] = self._window_cosine(episode)
        return values

    def _bm25(self, turns: Iterable[Episode], size: int) -> float:
        documents = (self.scored.documents[turn.id].terms for turn in turns)
        return self.scored.bm25.score(self._request.terms, documents, size)

    def _window_cosine(self, episode: Episode) -> float:
        alone = self.scored.scores["vector"].get(episode.id, 0.0)
        question, hashes = self._request.vector, self._tables.episode_vectors.get(episode.id)
        if question is None or hashes is None or episode is not self._latest[episode.id]:
            return alone
        vector = self._tables.vectors.get(hashes.window_hash)
        return alone if vector is None or self._shows_hidden(episode) else cosine(question, vector)

    def _shows_hidden(self, episode: Episode) -> bool:
        """Tell whether the window's text is of another time, or holds a turn that is not seen."""
        current = [e for e in self._tables.episodes if e.recorded.end == FOREVER]
        window = _around(episode, current, 1)
        hidden = (e for e in window if _is_searchable(e) and self.seen.get(e.id) is not e)
        return episode not in window or any(hidden)


def _is_searchable(episode: Episode) -> bool:
    return episode.kind is not EpisodeKind.DELETED and bool(words(episode.text))


def _is_believed(episode: Episode, request: SearchRequest) -> bool:
    kept = episode.expires_at is None or episode.expires_at > request.recorded
    return _is_searchable(episode) and kept and episode.recorded.contains(request.recorded)


def _is_seen(episode: Episode, request: SearchRequest) -> bool:
    at = episode.occurred_at
    return (
        (at is None or at <= request.occurred_by)
        and (request.during is None or (at is not None and request.during.contains(at)))
        and (request.threads is None or episode.thread_id in request.threads)
        and (request.speakers is None or episode.speaker in request.speakers)
    )


def _around(episode: Episode, turns: Iterable[Episode], reach: int) -> list[Episode]:
    """Return a turn among ``turns`` and up to ``reach`` of its thread on either side, in order."""
    thread = sorted(
        (turn for turn in turns if turn.thread_id == episode.thread_id),
        key=lambda turn: (turn.sequence, turn.id),
    )
    at = next((place for place, turn in enumerate(thread) if turn is episode), None)
    return [] if at is None else thread[max(0, at - reach) : at + reach + 1]


def _subjects(speakers: Set[str | None], question: Iterable[str]) -> set[str]:
    """Return the speakers whom a question is about: its first word that is in any one's name."""
    named = {speaker: words(speaker) for speaker in speakers if speaker is not None}
    for word in question:
        meant = {speaker for speaker, own in named.items() if word in own}
        if meant and len(word) > 1 and word not in STOP_WORDS:
            return meant
    return set()
