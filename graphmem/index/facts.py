"""Edges as rows: columns, words, sources, and the masks that requests put over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from graphmem.index.columns import Columns, Numbers
from graphmem.index.graph import Arcs
from graphmem.index.names import Names
from graphmem.index.postings import Postings
from graphmem.index.rows import EdgeSource
from graphmem.index.seen import Kept, Seen
from graphmem.index.texts import edge_terms, text_hash
from graphmem.index.vectors import Vectors
from graphmem.model import Edge, Entity
from graphmem.ports import SearchRequest
from graphmem.temporal import to_micros


class Facts:
    """The edges of a group, the names of their ends, and what supports them."""

    def __init__(self, threads: Numbers, speakers: Numbers, episodes: Numbers) -> None:
        self.ids: list[str] = []
        self.names = Names()
        self.postings = Postings()
        self.columns = Columns(
            tail=np.int64,  # number of the subject
            relation=np.int64,
            head=np.int64,  # number of the object
            valid_from=np.int64,
            valid_to=np.int64,
            recorded_from=np.int64,
            recorded_to=np.int64,
            tie=np.int64,
            contested=np.bool_,
            known=np.bool_,
            fact=np.int64,  # slot of its vector, -1 without
        )
        self.sources = Columns(edge=np.int64, episode=np.int64, thread=np.int64, speaker=np.int64)
        self._threads, self._speakers, self._episodes = threads, speakers, episodes
        self._relations = Numbers()
        self._rows: dict[str, int] = {}
        self._facts: list[str] = []
        self._edges_of: dict[int, set[int]] = {}
        self._links: dict[EdgeSource, int] = {}
        self._arcs = Arcs()
        self._kept = Kept()
        self._supporting: NDArray[np.intp] | None = None  # links to episodes

    def __len__(self) -> int:
        return len(self.ids)

    def name(self, entity: Entity) -> None:
        """Take an entity's names; its edges are found by them."""
        number = self.names.put(entity)
        if number is not None:
            for row in sorted(self._edges_of.get(number, ())):
                self._index(row)

    def put(self, edge: Edge) -> None:
        """Add an edge, or give a known one the times and fact of this row."""
        row = self._rows.get(edge.id)
        fresh = row is None or self._facts[row] != edge.fact
        row = self._add(edge) if row is None else row
        self.columns.set(
            row,
            valid_from=to_micros(edge.valid.start),
            valid_to=to_micros(edge.valid.end),
            recorded_from=to_micros(edge.recorded.start),
            recorded_to=to_micros(edge.recorded.end),
            contested=edge.contested,
        )
        if fresh:
            self._facts[row] = edge.fact
            self._index(row)

    def _add(self, edge: Edge) -> int:
        tail, head = self.names.numbers[edge.subject_id], self.names.numbers[edge.object_id]
        tie = int(text_hash(edge.id)[:15], 16)
        relation = self._relations[edge.relation]
        row = self.columns.add(
            tail=tail, head=head, relation=relation, tie=tie, known=True, fact=-1
        )
        self.ids.append(edge.id)
        self._facts.append("")
        self._rows[edge.id] = row
        for number in (tail, head):
            self._edges_of.setdefault(number, set()).add(row)
        return row

    def _index(self, row: int) -> None:
        ends = (int(self.columns[end][row]) for end in ("tail", "head"))
        names = (name for end in ends for name in self.names.of(end))
        self.postings.put(row, edge_terms(self._facts[row], names))

    def link(self, sources: Iterable[EdgeSource]) -> None:
        """Add links to what supports known edges; a known link is ignored."""
        for source in sources:
            row = self._rows.get(source.edge_id)
            if row is None or source in self._links:
                continue
            speaker, episode = source.speaker, source.episode_id
            self._links[source] = self.sources.add(
                edge=row,
                episode=-1 if episode is None else self._episodes[episode],
                thread=self._threads[source.thread_id],
                speaker=-1 if speaker is None else self._speakers[speaker],
            )

    def stand(self, id: str, fact: int) -> bool:
        """Let this slot stand for an edge's fact; tell whether the edge is known."""
        if id in self._rows:
            self.columns.set(self._rows[id], fact=fact)
        return id in self._rows

    def remove(self, id: str) -> None:
        """Forget an edge, or the links to an episode; an unknown id is no error."""
        for source in [s for s in self._links if id in (s.edge_id, s.episode_id)]:
            self.sources.set(self._links.pop(source), episode=-1, thread=-1, speaker=-1)
        row = self._rows.pop(id, None)
        if row is None:
            return
        self.postings.put(row, ())
        self.columns.set(row, known=False, fact=-1)
        self._facts[row] = ""
        for end in ("tail", "head"):
            self._edges_of[int(self.columns[end][row])].discard(row)

    def changed(self) -> None:
        """Drop what was kept for later requests; to be called before any change."""
        self._kept.drop()
        self._supporting = None

    def look(self, request: SearchRequest) -> Seen:
        """Return the rows that a request believes, contested ones too, and sees.

        Seen are those whose valid time overlaps ``request.valid`` (an event's may lie before it),
        not contested; one source alone must match both ``threads`` and ``speakers``.
        """
        filters = (request.threads, request.speakers, request.events)
        at, valid = to_micros(request.recorded), request.valid
        since, until = to_micros(valid.start), to_micros(valid.end)
        kept = self._kept.get(filters, at, since, until - 1)
        if kept is not None:
            return kept
        believed = self._believed(at)
        columns = self.columns
        seen = believed & self._seen(request, since, until)
        found = Seen(self.postings.believed(believed), seen, columns["fact"])
        self._kept.put(
            found,
            filters,
            (at, (columns["recorded_from"], columns["recorded_to"])),
            (since, (columns["valid_to"],)),
            (until - 1, (columns["valid_from"],)),
        )
        return found

    def _believed(self, at: int) -> NDArray[np.bool_]:
        columns = self.columns
        current = (columns["recorded_from"] <= at) & (columns["recorded_to"] > at)
        return current & columns["known"]

    def _seen(self, request: SearchRequest, since: int, until: int) -> NDArray[np.bool_]:
        columns = self.columns
        happened = self._relations.flags(request.events)[columns["relation"]]
        seen = (columns["valid_from"] < until) & ~columns["contested"]
        seen &= happened | (columns["valid_to"] > since)
        if request.threads is None and request.speakers is None:
            return seen
        matching = np.ones(len(self.sources), np.bool_)
        if request.threads is not None:
            matching &= self._threads.flags(request.threads)[self.sources["thread"]]
        if request.speakers is not None:
            matching &= self._speakers.flags(request.speakers)[self.sources["speaker"]]
        return seen & (np.bincount(self.sources["edge"][matching], minlength=len(self)) > 0)

    def walk(
        self, seen: NDArray[np.bool_], seeds: dict[int, float]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the seen edges that are reached, and the sum of the chances of their ends."""
        tails, heads = self.columns["tail"], self.columns["head"]
        self._arcs.sort(tails, heads, self.columns["valid_from"], self.columns["tie"])
        chances = self._arcs.walk(seen, seeds, len(self.names.numbers))
        rows = self._arcs.edges(chances.nonzero()[0])
        rows = rows[seen[rows]]
        scores = (chances[tails[rows]] + chances[heads[rows]]).round(9)
        reached = scores > 0.0
        return rows[reached], scores[reached]

    def lift(
        self, rows: NDArray[np.intp], scores: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the episodes that these edges support, and for each the greatest score of one.

        Args:
            rows: Edges, each once.
            scores: More than 0.
        """
        if self._supporting is None:
            self._supporting = (self.sources["episode"] >= 0).nonzero()[0]
        links = self._supporting
        by_row = np.zeros(len(self))
        by_row[rows] = scores
        found = by_row[self.sources["edge"][links]]
        reached = found.nonzero()[0]
        best = np.zeros(len(self._episodes))
        episodes = self.sources["episode"][links[reached]]
        np.maximum.at(best, episodes, found[reached])
        numbers = best.nonzero()[0]
        return numbers, best[numbers]

    def lines(self, vectors: Vectors) -> Iterator[str]:
        """Yield a line for each edge, link and entity, the same in every image of the same rows."""
        entities, relations = list(self.names.numbers), list(self._relations)
        for row, terms_held in enumerate(self.postings.documents()):
            if self._rows.get(self.ids[row]) == row:
                value = {name: int(self.columns[name][row]) for name in self.columns}
                ends = (entities[value.pop("tail")], entities[value.pop("head")])
                relation = relations[value.pop("relation")]
                fact = vectors.digest(value.pop("fact"))
                yield repr((self.ids[row], ends, relation, value, fact, terms_held))
        yield from map(repr, self._links)
        yield from map(repr, self.names.all())

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds; a row's fact, ids and numbers cost about 800."""
        columns = self.columns.nbytes + self.sources.nbytes
        return columns + self.postings.nbytes + 800 * len(self) + 400 * len(self.names.numbers)
