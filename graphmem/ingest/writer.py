"""The one way into a store: turns first, then what they state; each batch one atomic write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.catalog import Relation
from graphmem.errors import GraphMemError
from graphmem.ingest.changes import merged
from graphmem.ingest.declare import declared
from graphmem.ingest.place import placed
from graphmem.ingest.record import Recorded, record
from graphmem.ingest.rulings import Decision
from graphmem.ingest.statement import Statement, of_claim
from graphmem.ingest.turns import Decided, decide, turn_changes
from graphmem.ingest.vectors import Vectors
from graphmem.model import (
    Changes,
    Episode,
    Extraction,
    ExtractionState,
    Outcome,
)
from graphmem.ports import Claim, Embedder, Extractor, Failure, Store, View

CONTEXT_TURNS = 4
"""How many turns before one the extractor is shown."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A turn on its way in: where its record stood, and the episode it would be."""

    record: str
    episode: Episode


class Writer:
    """Writes into one group of a store.

    Every write is planned once on a read view, so that all embedding happens before the write
    lock is taken, and again under it, where nothing can change any more.
    """

    def __init__(
        self, store: Store, group_id: str, embedder: Embedder | None, *, dry_run: bool = False
    ) -> None:
        """With ``dry_run`` everything is decided as ever, and nothing is embedded or written."""
        self._store = store
        self._group_id = group_id
        self._embedder = None if dry_run else embedder
        self._dry_run = dry_run

    def view(self) -> View:
        """Return the group as it is now."""
        return self._store.view(self._group_id)

    def _write(self, plan: Callable[[View, Vectors], Changes]) -> None:
        vectors = Vectors(self._embedder)
        if vectors.wanted or self._dry_run:
            plan(self.view(), vectors)
        if not self._dry_run:
            self._store.write(self._group_id, lambda view: plan(view, vectors))

    def add(
        self,
        incoming: Sequence[Incoming],
        *,
        cursors: Mapping[str, Episode],
        run: str | None,
    ) -> list[Decided]:
        """Store turns; they can be searched when it returns. Reading their facts is left pending.

        Args:
            incoming: In the order of their source, no id twice.
            cursors: For a thread, the turn that an earlier batch of the same source ended with.
            run: The extractor's run that will read them; None: nobody will.
        """
        decided: list[Decided] = []

        def plan(view: View, vectors: Vectors) -> Changes:
            decided[:] = _decided(view, incoming, cursors)
            changed = [d.episode.id for d in decided if d.outcome is Outcome.CHANGED]
            closing = view.stated_by(changed)
            left = record(view, self._group_id, (), closing, vectors)
            return merged(turn_changes(view, decided, run=run, vectors=vectors), left.changes)

        self._write(plan)
        return decided

    def state(self, make: Callable[[View], Sequence[Statement]]) -> Recorded:
        """Record the statements that ``make`` returns and what they conclude; all or nothing.

        Raises:
            InvalidInput: A statement that cannot be used; nothing was written.
        """
        recorded: list[Recorded] = []

        def plan(view: View, vectors: Vectors) -> Changes:
            recorded[:] = [record(view, self._group_id, make(view), (), vectors, strict=True)]
            return recorded[0].changes

        self._write(plan)
        return recorded[0]

    def declare(self, relations: Iterable[Relation]) -> Recorded:
        """Add relations to the group's catalog or redefine them; what they mean is concluded anew.

        Raises:
            InvalidInput: A relation that cannot be.
        """
        new = tuple(relations)
        return self.rule(lambda view: declared(view, new))

    def rule(self, decide: Callable[[View], Decision]) -> Recorded:
        """Record a decision and what the slots that it touches conclude now; all or nothing."""
        recorded: list[Recorded] = []

        def plan(view: View, vectors: Vectors) -> Changes:
            decision = decide(view)
            recorded[:] = [record(view, self._group_id, (), (), vectors, decision=decision)]
            return recorded[0].changes

        self._write(plan)
        return recorded[0]

    def extract(self, episodes: Sequence[Episode], extractor: Extractor) -> Extracted:
        """Read the facts of stored turns and record them in one write.

        A turn that cannot be read, or whose statement cannot be used, is marked failed with the
        reason and stays searchable; the others go on. A turn that was replaced by a newer version
        meanwhile is left to that version. What another run read before is replaced.
        """
        view = self.view()
        context = view.before(episodes, CONTEXT_TURNS)
        claims, failures = _read(episodes, context, extractor, view)
        recorded: list[Recorded] = []
        states: list[ExtractionState] = []

        def plan(view: View, vectors: Vectors) -> Changes:
            current = view.episodes([e.id for e in episodes])
            read = [e for e in episodes if e.id in current and current[e.id].version == e.version]
            statements = [
                of_claim(claim, current[e.id], extractor.run_id)
                for e in read
                for claim in claims[e.id]
            ]
            closing = view.stated_by([e.id for e in read])
            recorded[:] = [record(view, self._group_id, statements, closing, vectors)]
            problems = {**failures, **recorded[0].rejected}
            states[:] = [_state(e.id, extractor.run_id, problems.get(e.id)) for e in read]
            return replace(recorded[0].changes, extractions=tuple(states))

        self._write(plan)
        return Extracted(recorded[0], {state.episode_id: state for state in states})


@dataclass(frozen=True, slots=True)
class Extracted:
    """What reading a batch of turns brought, and how far each has come."""

    recorded: Recorded
    states: Mapping[str, ExtractionState]


def _state(episode_id: str, run: str, problem: str | None) -> ExtractionState:
    state = Extraction.DONE if problem is None else Extraction.FAILED
    return ExtractionState(episode_id, state, run, problem)


def _read(
    episodes: Sequence[Episode],
    context: Mapping[str, Sequence[Episode]],
    extractor: Extractor,
    view: View,
) -> tuple[dict[str, list[Claim]], dict[str, str]]:
    """Return claims and failures by episode; a batch that fails is read again turn by turn."""
    claims: defaultdict[str, list[Claim]] = defaultdict(list)
    failures: dict[str, str] = {}
    try:
        for found in extractor.extract(episodes, context, view.catalog()):
            if isinstance(found, Failure):
                failures[found.episode_id] = found.reason
            else:
                claims[found.episode_id].append(found)
    except (GraphMemError, ValueError, LookupError, RecursionError) as error:
        if len(episodes) == 1:
            return defaultdict(list), {episodes[0].id: f"{type(error).__name__}: {error}"}
        return _read_apart(episodes, context, extractor, view)
    return claims, failures


def _read_apart(
    episodes: Sequence[Episode],
    context: Mapping[str, Sequence[Episode]],
    extractor: Extractor,
    view: View,
) -> tuple[dict[str, list[Claim]], dict[str, str]]:
    claims: defaultdict[str, list[Claim]] = defaultdict(list)
    failures: dict[str, str] = {}
    for episode in episodes:
        some, failed = _read([episode], context, extractor, view)
        claims.update(some)
        failures.update(failed)
    return claims, failures


def _decided(
    view: View, incoming: Sequence[Incoming], cursors: Mapping[str, Episode]
) -> list[Decided]:
    stored = view.episodes([turn.episode.id for turn in incoming])
    threads: defaultdict[str, list[Episode]] = defaultdict(list)
    for turn in incoming:
        threads[turn.episode.thread_id].append(turn.episode)
    at_place = {
        episode.id: episode
        for thread_id, turns in threads.items()
        for episode in placed(view, turns, stored, cursors.get(thread_id))
    }
    decided: list[Decided] = []
    for turn in incoming:
        known = stored.get(turn.episode.id)
        new = turn.episode if known else at_place[turn.episode.id]
        decided.append(decide(turn.record, new, known, view.stamp))
    return decided
