"""The searchable image of one group: rows in memory, every filter a mask over row numbers."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.index.columns import Numbers
from graphmem.index.facts import Facts
from graphmem.index.rows import Rows
from graphmem.index.search import Search
from graphmem.index.texts import text_hash
from graphmem.index.turns import Turns
from graphmem.index.vectors import Vectors
from graphmem.model import EpisodeVectors, Vector
from graphmem.ports import Candidate, SearchRequest


class Image:
    """What searches of one group read; always rebuildable from the group's rows.

    Not safe for threads: its store lets one thread at a time put or search. New rows are found at
    once. Vectors that nothing refers to any more stay until the image is dropped: build a new one
    after an erasure.
    """

    def __init__(self) -> None:
        threads, speakers = Numbers(), Numbers()
        self._turns = Turns(threads, speakers)
        self._facts = Facts(threads, speakers, self._turns.numbers)
        self._turn_vectors, self._fact_vectors = Vectors(scanned=True), Vectors(scanned=True)
        self._other_vectors = Vectors(scanned=False)  # of windows, and what nothing refers to yet
        # Links whose vector or row is yet to come.
        self._turn_links: dict[str, EpisodeVectors] = {}
        self._fact_links: dict[str, str] = {}

    def put(self, rows: Rows) -> None:
        """Add rows; a known episode (id, version) or edge (id) takes the new row's times.

        Raises:
            InvalidInput: A vector of another dimension than those before.
        """
        self._turns.changed()
        self._facts.changed()
        for entity in rows.entities:
            self._facts.name(entity)
        for episode in rows.episodes:
            self._turns.put(episode)
        for edge in rows.edges:
            self._facts.put(edge)
        self._facts.link(rows.sources)
        self._stand(rows)
        for id in rows.removed:
            self._turns.remove(id)
            self._facts.remove(id)
            self._turn_links.pop(id, None)
            self._fact_links.pop(id, None)

    def _stand(self, rows: Rows) -> None:
        new = {known.text_hash: known.vector for known in rows.vectors}
        self._turn_links |= {link.episode_id: link for link in rows.episode_vectors}
        self._fact_links |= dict(rows.edge_vectors)
        used: set[str] = set()
        for id, link in list(self._turn_links.items()):
            turn = self._slot(self._turn_vectors, link.turn_hash, new)
            window = self._slot(self._other_vectors, link.window_hash, new)
            if self._turns.stand(id, turn, window) and min(turn, window) >= 0:
                del self._turn_links[id]
            used |= {link.turn_hash, link.window_hash}
        for id, fact_hash in list(self._fact_links.items()):
            fact = self._slot(self._fact_vectors, fact_hash, new)
            if self._facts.stand(id, fact) and fact >= 0:
                del self._fact_links[id]
            used.add(fact_hash)
        for unused in new.keys() - used:
            self._other_vectors.add(unused, new[unused])

    def _slot(self, place: Vectors, hash: str, new: dict[str, Vector]) -> int:
        vector = new.get(hash)
        for known in (place, self._turn_vectors, self._fact_vectors, self._other_vectors):
            vector = known.get(hash) if vector is None else vector
        return -1 if vector is None else place.add(hash, vector)

    def search(self, request: SearchRequest) -> Sequence[Candidate]:
        """Return the union of what the channels found, with all features, by (id, kind).

        Raises:
            InvalidInput: The question's vector has another dimension than those here.
        """
        vectors = (self._turn_vectors, self._fact_vectors, self._other_vectors)
        return Search(self._turns, self._facts, *vectors, request).candidates()

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory it holds."""
        vectors = (self._turn_vectors, self._fact_vectors, self._other_vectors)
        return sum(part.nbytes for part in (self._turns, self._facts, *vectors))

    def fingerprint(self) -> str:
        """Return a hash of what can be found: equal for images of the same rows, however fed."""
        lines = [*self._turns.lines(self._turn_vectors, self._other_vectors)]
        lines.extend(self._facts.lines(self._fact_vectors))
        return text_hash("\n".join(sorted(lines)))
