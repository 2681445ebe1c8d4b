"""Kill -9 a writing process at random points, again and again, and look at what is left.

``python -m benchmarks.faults --trials 100``. A trial is a program of some sixty verbs drawn from
its seed. A process runs it and notes each verb in a side file, fsynced, after the verb returned;
it is killed up to three times, each time started again from the top. After each kill the store is
opened: what was noted must be there, once, and ``check`` must be clean. Then the program is run to
its end, and the store must not differ from one whose writer was never killed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from graphmem import AssertionKind, Episode, Memory, Outcome, Precision, Receipt
from graphmem.catalog import Catalog
from graphmem.model import Quote
from graphmem.ports import Claim
from graphmem.testing import HashEmbedder

GROUPS = ("north", "south")
STEPS = 60
ROUNDS = 3
_START = datetime(2024, 1, 1, tzinfo=UTC)
_PEOPLE = tuple(f"Person{letter}" for letter in "ABCDEF")
_PLACES = {
    "works at": ("Acme", "Beta", "Gamma"),
    "leads": ("Atlas", "Borealis", "Castor"),
    "knows": _PEOPLE,
    "visited": ("Oslo", "Lima"),
}
_ROOT = Path(__file__).parents[1]


class PlainExtractor:
    """Reads "SUBJECT | RELATION | OBJECT" turns, so that turns state facts without a model."""

    run_id = "plain"

    def extract(
        self, turns: Sequence[Episode], context: Mapping[str, Sequence[Episode]], catalog: Catalog
    ) -> Iterator[Claim]:
        """Yield one claim a turn; of other texts none."""
        del context, catalog
        for turn in turns:
            parts = turn.text.split(" | ")
            if len(parts) == 3:
                yield _claim(turn, *parts)


def _claim(turn: Episode, subject: str, relation: str, object: str) -> Claim:
    return Claim(
        episode_id=turn.id,
        subject=subject,
        relation=relation,
        object=object,
        object_value=None,
        kind=AssertionKind.AFFIRMS,
        fact=turn.text,
        quote=Quote(turn.text, 0, len(turn.text)),
        start=None,
        start_precision=Precision.UNKNOWN,
        end=None,
        end_precision=Precision.UNKNOWN,
        confidence=1.0,
    )


def opened(path: Path | None) -> Memory:
    """Open a store as writers and the inspection do; None: one in memory."""
    return Memory.open(
        "memory:" if path is None else f"sqlite:{path}",
        extractor=PlainExtractor(),
        embedder=HashEmbedder(dimension=16),
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a verb."""

    verb: str
    group_id: str
    given: Any

    def run(self, memory: Memory) -> list[Receipt]:
        """Call it; what it wrote is durable when this returns."""
        call = getattr(memory, self.verb)
        if self.verb == "ingest":
            done = call(self.given, group_id=self.group_id, extractor=PlainExtractor())
        elif self.verb in {"add_many", "assert_many"}:
            done = call(self.given, group_id=self.group_id)
        else:
            done = call(**self.given, group_id=self.group_id)
        return [done] if isinstance(done, Receipt) else list(done)


def program(seed: int, steps: int = STEPS) -> list[Step]:
    """Draw a program; every turn has an id and every statement a time, so it can be run again."""
    random = Random(seed)
    drawn = _Drawn(random)
    verbs = {
        drawn.add: 5,
        drawn.add_many: 2,
        drawn.ingest: 2,
        drawn.assert_fact: 5,
        drawn.assert_many: 2,
        drawn.end_fact: 2,
        drawn.deny_fact: 1,
        drawn.retract: 1,
    }
    return [
        random.choices(list(verbs), list(verbs.values()))[0](random.choice(GROUPS))
        for _ in range(steps)
    ]


@dataclass(slots=True)
class _Drawn:
    """Draws steps; remembers which turns there are, so that some can be retracted."""

    random: Random
    turns: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in GROUPS})

    def _time(self) -> datetime:
        return _START + timedelta(minutes=self.random.randrange(50_000))

    def _triple(self) -> tuple[str, str, str]:
        relation = self.random.choice(list(_PLACES))
        subject = self.random.choice(_PEOPLE)
        others = [name for name in _PLACES[relation] if name != subject]
        return subject, relation, self.random.choice(others)

    def _fact(self) -> dict[str, Any]:
        subject, relation, object = self._triple()
        told = {"subject": subject, "relation": relation, "object": object}
        return {**told, "occurred_at": self._time()}

    def _turn(self, group: str) -> dict[str, Any]:
        id = f"{group}-{sum(map(len, self.turns.values()))}"
        self.turns[group].append(id)
        words = " | ".join(self._triple()) if self.random.random() < 0.7 else f"word{id} " * 9
        thread = self.random.choice(("tea", "work"))
        return {"text": words, "episode_id": id, "thread_id": thread, "occurred_at": self._time()}

    def add(self, group: str) -> Step:
        return Step("add", group, self._turn(group))

    def add_many(self, group: str) -> Step:
        return Step("add_many", group, [self._turn(group) for _ in range(4)])

    def ingest(self, group: str) -> Step:
        turns = [self._turn(group) for _ in range(4)]
        rows = [{**turn, "id": turn["episode_id"]} for turn in turns]
        for row in rows:
            del row["episode_id"]
        return Step("ingest", group, rows)

    def assert_fact(self, group: str) -> Step:
        return Step("assert_fact", group, self._fact())

    def assert_many(self, group: str) -> Step:
        return Step("assert_many", group, [self._fact() for _ in range(3)])

    def end_fact(self, group: str) -> Step:
        return Step("end_fact", group, self._fact())

    def deny_fact(self, group: str) -> Step:
        return Step("deny_fact", group, self._fact())

    def retract(self, group: str) -> Step:
        turns = self.turns[group]
        if not turns:
            return self.add(group)
        return Step("retract", group, {"target_id": self.random.choice(turns)})


def write(path: str, seed: int, steps: int, notes: str) -> None:
    """Run a program, noting each step once its verb returned. What the killed process does."""
    descriptor = os.open(notes, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    with opened(Path(path)) as memory:
        for number, step in enumerate(program(seed, steps)):
            receipts = step.run(memory)
            turns = [r.episode_id for r in receipts if r.episode_id]
            stated = [id for r in receipts for id in r.assertion_ids]
            note = {"step": number, "episodes": turns, "assertions": stated}
            os.write(descriptor, f"{json.dumps(note)}\n".encode())
            os.fsync(descriptor)
    os.close(descriptor)


def serve() -> None:
    """Fork a writer for every line of stdin (a JSON list of ``write``'s arguments); print its id.

    Importing once and forking often is what makes a hundred trials cheap: this process itself
    never opens a store.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            write(*json.loads(line))
            os._exit(0)
        print(child, flush=True)


@dataclass(slots=True)
class Nursery:
    """Starts writers, each a process of its own."""

    server: subprocess.Popen[str]

    def start(self, *arguments: Any) -> int:
        """Start ``write(*arguments)`` and return the id of its process."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        self.server.stdin.write(f"{json.dumps(arguments)}\n")
        self.server.stdin.flush()
        return int(self.server.stdout.readline())


@contextmanager
def nursery() -> Generator[Nursery]:
    """Keep a process that forks writers."""
    command = [sys.executable, "-c", "from benchmarks.faults import serve; serve()"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=_ROOT, env=environment, stdin=pipe, stdout=pipe, text=True
    ) as server:
        try:
            yield Nursery(server)
        finally:
            assert server.stdin is not None
            server.stdin.close()


def alive(process: int) -> bool:
    """Tell whether a process is still there."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _gone(process: int) -> None:
    while alive(process):
        time.sleep(0.0005)


@dataclass(slots=True)
class Outcomes:
    """What trials came to. All but ``kills``, ``finished`` and ``noted`` must stay empty."""

    kills: int = 0
    finished: int = 0
    noted: int = 0
    lost: list[str] = field(default_factory=list[str])
    doubled: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])

    @property
    def clean(self) -> bool:
        """Nothing was lost, doubled or otherwise wrong."""
        return not (self.lost or self.doubled or self.wrong)


def trial(
    folder: Path, seed: int, writers: Nursery, outcomes: Outcomes, *, steps: int = STEPS
) -> None:
    """Kill the writer of one program up to three times, look, complete it, and compare."""
    random = Random(seed)
    path = folder / f"{seed}.db"
    noted: dict[int, dict[str, Any]] = {}
    for turn in range(random.randint(1, ROUNDS)):
        notes = folder / f"{seed}-{turn}.notes"
        process = writers.start(str(path), seed, steps, str(notes))
        _kill(process, notes, random.randrange(steps), random.uniform(0, 0.02), outcomes)
        noted |= {note["step"]: note for note in _notes(notes)}
        _inspect(path, list(noted.values()), f"seed {seed}, kill {turn}", outcomes)
    outcomes.noted += len(noted)
    _complete(path, program(seed, steps), noted, f"seed {seed}", outcomes)


def _kill(process: int, notes: Path, wanted: int, delay: float, outcomes: Outcomes) -> None:
    """Kill a writer some milliseconds after some step; sometimes it was faster."""
    while alive(process) and len(_notes(notes)) < wanted:
        time.sleep(0.0005)
    time.sleep(delay)
    outcomes.kills += 1
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        outcomes.kills -= 1
        outcomes.finished += 1
    _gone(process)


def _notes(notes: Path) -> list[dict[str, Any]]:
    if not notes.exists():
        return []
    lines = notes.read_bytes().split(b"\n")[:-1]
    return [json.loads(line) for line in lines]


def _inspect(path: Path, noted: Iterable[dict[str, Any]], where: str, outcomes: Outcomes) -> None:
    """Open what a killed writer left: it is sound, and holds each noted row once."""
    with opened(path) as memory:
        outcomes.wrong += [f"{where}: {line}" for line in memory.check()]
    for table in ("episodes", "assertions"):
        rows = _open_rows(path, table)
        wanted = {id for note in noted for id in note[table]}
        outcomes.lost += [f"{where}: {table} {id}" for id in sorted(wanted - rows.keys())]
        twice = sorted(id for id, count in rows.items() if count > 1)
        outcomes.doubled += [f"{where}: {table} {id}" for id in twice]


def _open_rows(path: Path, table: str) -> Counter[str]:
    """Count current rows by id, read past the engine."""
    sql = f"SELECT id, count(*) FROM {table} WHERE recorded_to > ? GROUP BY g, id"
    with closing(sqlite3.connect(path)) as connection:
        (now,) = connection.execute("SELECT max(recorded_from) FROM episodes").fetchone()
        return Counter(dict(connection.execute(sql, (now or 0,)).fetchall()))


def _complete(
    path: Path,
    steps: Sequence[Step],
    noted: Mapping[int, dict[str, Any]],
    where: str,
    outcomes: Outcomes,
) -> None:
    """Run the program again: what was noted is unchanged, and the end is as if none had died."""
    with opened(path) as memory, opened(None) as undisturbed:
        for number, step in enumerate(steps):
            found = {receipt.outcome for receipt in step.run(memory)}
            if number in noted and found != {Outcome.UNCHANGED}:
                outcomes.doubled.append(f"{where}, step {number} {step.verb}: {sorted(found)}")
            step.run(undisturbed)
        ours, theirs = state(memory), state(undisturbed)
        differing = [part for part in ours if ours[part] != theirs[part]]
        outcomes.wrong += [f"{where}: {part} differ" for part in differing]
        outcomes.wrong += [f"{where}, at the end: {line}" for line in memory.check()]


def state(memory: Memory) -> dict[str, list[Any]]:
    """Return everything that can be read of a store but when it was recorded, by part."""
    found: dict[str, list[Any]] = {}
    for group in GROUPS:
        turns = memory.episodes(group_id=group, limit=10_000)
        found[f"{group} episodes"] = [(e.id, e.text, e.thread_id, e.sequence) for e in turns]
        found[f"{group} edges"] = edges(memory, group)
        found[f"{group} entities"] = [e.id for e in memory.entities(group_id=group, limit=10_000)]
        counts = memory.status(group_id=group)
        found[f"{group} counts"] = [(n, v) for n, v in counts.items() if n not in {"path"}]
    return found


def edges(memory: Memory, group: str) -> list[tuple[Any, ...]]:
    """Return every value ever held, with its times and whether it is contested; sorted."""
    names = [entity.id for entity in memory.entities(group_id=group, limit=10_000)]
    return sorted(
        (
            *(row.subject, row.relation, row.object, row.fact, row.contested),
            *(row.valid.start, row.valid.end, row.start_precision, row.end_precision),
        )
        for name in names
        for row in memory.history(name, group_id=group)
    )


def main() -> None:
    """Run trials; the last line printed is one JSON object, the exit code 1 if any went wrong."""
    parser = argparse.ArgumentParser(description="Kill -9 writers and look at what is left.")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the first trial")
    arguments = parser.parse_args()
    outcomes = Outcomes()
    with TemporaryDirectory() as folder, nursery() as writers:
        for seed in range(arguments.seed, arguments.seed + arguments.trials):
            trial(Path(folder), seed, writers, outcomes)
    for line in (*outcomes.lost, *outcomes.doubled, *outcomes.wrong):
        print(line)
    print(
        json.dumps(
            {
                "trials": arguments.trials,
                "kills": outcomes.kills,
                "finished_first": outcomes.finished,
                "steps_noted": outcomes.noted,
                "lost": len(outcomes.lost),
                "doubled": len(outcomes.doubled),
                "wrong": len(outcomes.wrong),
            }
        )
    )
    sys.exit(not outcomes.clean)


if __name__ == "__main__":
    main()
