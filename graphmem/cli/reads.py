"""The commands that read; none of them changes the store or creates one."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import typer

from graphmem.cli import documents, lines
from graphmem.cli.options import (
    GROUP,
    STORE,
    AsJson,
    Group,
    Limit,
    RecordedAt,
    Store,
    ValidAt,
    instants,
    reading,
)
from graphmem.cli.output import say, show, show_json
from graphmem.memory import Memory
from graphmem.model import HitKind
from graphmem.temporal import AsOf

NO_ANSWER = 4
"""Exit code of ``ask`` when it finds none."""


class Channel(StrEnum):
    """A way of finding."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    GRAPH = "graph"


def search(
    query: Annotated[str, typer.Argument(help="Words or a question, in any language.")],
    limit: Limit = 10,
    kind: Annotated[
        list[HitKind] | None, typer.Option("--kind", help="Only facts (edge) or turns (episode).")
    ] = None,
    channel: Annotated[
        list[Channel] | None,
        typer.Option("--channel", help="Only by words, vectors or graph; may be given twice."),
    ] = None,
    thread: Annotated[
        list[str] | None, typer.Option("--thread", help="Only what was said in this thread.")
    ] = None,
    speaker: Annotated[
        list[str] | None, typer.Option("--speaker", help="Only what this person said.")
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", min=1, help="Stop before the texts pass about so many."),
    ] = None,
    as_of: ValidAt = None,
    recorded_as_of: RecordedAt = None,
    group: Group = GROUP,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Find facts and turns, best first.

    Finding nothing is no error.
    """
    channels = list(channel or Channel)
    at = instants(as_of, recorded_as_of)
    with reading(store, group, vectors=Channel.VECTOR in channels) as memory:
        hits = memory.search(
            query,
            as_of=at,
            limit=limit,
            kinds=list(kind or HitKind),
            channels=channels,
            threads=thread or None,
            speakers=speaker or None,
            max_tokens=max_tokens,
        )
    for hit in hits:
        if as_json:
            show_json(documents.hit(hit))
        else:
            _show_all(lines.hit(hit))
    if not hits:
        say("nothing found")


def ask(
    question: Annotated[str, typer.Argument(help="A question about relations between things.")],
    limit: Limit = 10,
    as_of: ValidAt = None,
    recorded_as_of: RecordedAt = None,
    group: Group = GROUP,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Answer a question by following facts.

    In English or Chinese: "Who approved the rollout, and who is that person's manager?", "Where
    does Priya live?". No model is asked. An answer comes with the facts that lead to it, their
    times and quotes; without one it exits with 4 and shows what comes nearest on stderr.
    """
    at = instants(as_of, recorded_as_of)
    with reading(store, group) as memory:
        answers = memory.ask(question, as_of=at, limit=limit)
        if not answers:
            _no_answer(memory, question, at)
    for answer in answers:
        if as_json:
            show_json(documents.answer(answer))
        else:
            _show_all(lines.answer(answer))


def _no_answer(memory: Memory, question: str, at: AsOf | None) -> None:
    say("no answer")
    near = memory.search(question, as_of=at, limit=3, channels=(Channel.LEXICAL, Channel.GRAPH))
    for hit in near:
        for line in lines.hit(hit):
            say(f"  {line}")
    raise typer.Exit(NO_ANSWER)


def history(
    subject: Annotated[str, typer.Argument(help="A name, or the id of an entity.")],
    relation: Annotated[
        str | None,
        typer.Argument(help="A relation, by any of its names, or an inverse: 'led by'."),
    ] = None,
    recorded_as_of: RecordedAt = None,
    group: Group = GROUP,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """Show every value that a relation had.

    Past, present and planned ones, who said so, and why each ended.
    """
    with reading(store, group) as memory:
        rows = memory.history(subject, relation, as_of=instants(None, recorded_as_of))
    for row in rows:
        if as_json:
            show_json(documents.history_row(row))
        else:
            _show_all(lines.history_row(row))
    if not rows:
        say("nothing is known of that")


def edges(
    contested: Annotated[
        bool, typer.Option("--contested", help="Also what is contested, marked as such.")
    ] = False,
    as_of: ValidAt = None,
    recorded_as_of: RecordedAt = None,
    group: Group = GROUP,
    store: Store = STORE,
    as_json: AsJson = False,
) -> None:
    """List the facts that hold."""
    at = instants(as_of, recorded_as_of)
    with reading(store, group) as memory:
        found = memory.edges(as_of=at, include_contested=contested)
    for edge in found:
        if as_json:
            show_json(documents.edge(edge))
        else:
            show(lines.edge(edge))


def status(group: Group = GROUP, store: Store = STORE, as_json: AsJson = False) -> None:
    """Show how much a group holds."""
    with reading(store, group) as memory:
        found = memory.status()
    document: documents.Document = {"group": group, **found}
    if as_json:
        show_json(document)
        return
    for key, value in document.items():
        show(f"{key.replace('_', ' ')}: {lines.plain(str(value))}")


def check(store: Store = STORE, as_json: AsJson = False) -> None:
    """Tell what is wrong with the store.

    Reads all of it; exits with 1 if anything is wrong.
    """
    with reading(store, GROUP) as memory:
        wrong = memory.check()
    if as_json:
        show_json({"ok": not wrong, "problems": list(wrong)})
    else:
        _show_all(map(lines.plain, wrong or ["ok"]))
    if wrong:
        raise typer.Exit(1)


def _show_all(found: Iterable[str]) -> None:
    for line in found:
        show(line)
