"""Import a small team's archive and ask it questions; the answers are compared with the right ones.

    python examples/demo.py [--store PATH]

Exits with 1 if an answer is wrong. Without --store the memory goes into a temporary folder.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from graphmem import Answer, Citation, HistoryRow, Hit, Memory

HERE = Path(__file__).parent
ARCHIVE = HERE / "archive" / "team.jsonl"
QUESTIONS = HERE / "questions.json"
HEADINGS = {
    "ask": "Who approved, who leads, where does he work: answers with path, time and quote",
    "change": "What changed, and why",
    "search": "Search, by words, meaning and graph",
}


def main() -> int:
    """Run the demo; return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--store", help="where to keep the memory (default: nowhere)")
    chosen = parser.parse_args().store
    with tempfile.TemporaryDirectory() as folder:
        path = chosen or Path(folder, "memory.db")
        with Memory.open(f"sqlite:{path}", group_id="team") as memory:
            imported(memory)
            right = [
                answered(memory, question, heading)
                for kind, heading in HEADINGS.items()
                for question, heading in headed(kind, heading)
            ]
    print(f"\ndemo: {sum(right)} of {len(right)} answers are right")
    return 0 if all(right) else 1


def imported(memory: Memory) -> None:
    """Import the archive and say what came of it."""
    title(f"Importing {ARCHIVE.name}")
    started = time.perf_counter()
    outcomes = Counter(str(receipt.outcome) for receipt in memory.ingest(ARCHIVE))
    seconds = time.perf_counter() - started
    status = memory.status()
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
    print(f"turns: {told}; facts concluded: {status['edges']}; {seconds:.1f} s")


def headed(kind: str, heading: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the questions of a kind, the first with the heading."""
    questions = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    for question in questions:
        if question["kind"] == kind:
            yield question, heading
            heading = ""


def answered(memory: Memory, question: dict[str, Any], heading: str) -> bool:
    """Ask one question, print the answer, and tell whether it is right."""
    if heading:
        title(heading)
    as_of = question.get("as_of")
    print(f"\n{question['question']}{f'  (as of {as_of})' if as_of else ''}")
    kinds = {"ask": asked, "change": changed, "search": searched}
    right = kinds[question["kind"]](memory, question)
    if not right:
        print(f"  WRONG, expected: {json.dumps(question, ensure_ascii=False)}")
    return right


def asked(memory: Memory, question: dict[str, Any]) -> bool:
    """Answer a question about relations; right are the values, the date, the quote, its turn."""
    answers = memory.ask(question["question"], as_of=question["as_of"])
    for answer in answers:
        print(f"  {answer.value}")
        for step in answer.path:
            print(f"    {step.subject} -{step.relation}-> {step.object}, {when(step)}")
            quoted(step.citations)
    if not answers:
        print("  no answer")
    values = list(dict.fromkeys(named(answer.value) for answer in answers))
    cited = [one for answer in answers for step in answer.path for one in step.citations]
    return values == [named(value) for value in question["answer"]] and (
        not answers
        or (
            is_cited(question, cited)
            and question["date"] in (None, str(answers[0].edge.valid.start.date()))
        )
    )


def changed(memory: Memory, question: dict[str, Any]) -> bool:
    """Tell what was so before and is after, with the words that changed it."""
    subjects = {answer.edge.subject for answer in memory.ask(question["question"])}
    rows = [
        row
        for subject in sorted(subjects)
        for row in memory.history(subject)
        if question["topic"] in row.object
    ]
    for row in sorted(rows, key=lambda row: row.valid.start):
        end = f", {row.ending} {row.valid.end.date()}" if row.ending else ""
        print(f"  {row.subject} -{row.relation}-> {row.object}, {row.valid.start.date()}{end}")
        quoted(row.citations)
    reasons = [one.quote for row in rows for one in row.citations]
    return (
        any(is_row(question["before"], row) for row in rows)
        and any(is_row(question["after"], row) for row in rows)
        and any(question["because"] in reason for reason in reasons)
    )


def searched(memory: Memory, question: dict[str, Any]) -> bool:
    """Search; right is that the turn that says it is among the first hits, or behind one."""
    hits = memory.search(question["question"], limit=question["limit"])
    for hit in hits:
        print(f"  {hit.rank}. {hit.text}  [{', '.join(sorted(hit.channels))}]")
        quoted(hit.citations)
    return any(question["episode_id"] in turns(hit) for hit in hits)


def is_row(expected: dict[str, Any], row: HistoryRow) -> bool:
    """Tell whether a row of history is the expected one."""
    said = f"{row.relation} {row.object}"
    is_then = str(row.valid.start.date()) == expected["date"]
    return expected["value"] in said and is_then and is_cited(expected, row.citations)


def is_cited(expected: dict[str, Any], citations: Iterable[Citation]) -> bool:
    """Tell whether the expected words of the expected turn are among the sources."""
    return any(
        expected["quote"].rstrip(".") in one.quote and expected["episode_id"] == one.episode_id
        for one in citations
    )


def turns(hit: Hit) -> set[str | None]:
    """Return the ids of the turns that a hit is, or rests on."""
    return {hit.id, *(one.episode_id for one in hit.citations)}


def named(value: str) -> str:
    """Return a name without its article: "the board" is "board"."""
    return value.casefold().removeprefix("the ")


def when(answer: Answer) -> str:
    """Return since when, and until when, a fact holds."""
    edge = answer.edge
    since = edge.start_precision.text(edge.valid.start)
    is_open = edge.valid.end.year == 9999
    if is_open or edge.valid.end == edge.start_precision.end(edge.valid.start):
        return since
    return f"{since} to {edge.end_precision.text(edge.valid.end)}"


def quoted(citations: Iterable[Citation]) -> None:
    """Print who said so, and when."""
    for one in citations:
        day = f", {one.occurred_at.date()}" if one.occurred_at else ""
        print(f'      "{one.quote}" ({one.speaker}{day}, turn {one.episode_id})')


def title(text: str) -> None:
    """Print a heading."""
    print(f"\n{text}\n{'=' * len(text)}")


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    raise SystemExit(main())
