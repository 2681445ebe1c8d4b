"""The named and random cases of one many-to-one slot, from an independent oracle."""

import json
import random
from pathlib import Path
from typing import Any

from graphmem.conclude import Slot, conclude
from graphmem.model import Assertion, AssertionKind, Authority
from tests.conclude.ticks import CATALOG, EPOCH, Spans, say, spans

SLOT = Slot(("lives in",), ("ann",), ())


def read(statement: dict[str, Any]) -> Assertion:
    return say(
        statement["said"],
        statement["value"],
        since=statement["start"],
        until=statement["end"],
        by=Authority(statement["authority"]),
        kind=AssertionKind(statement["kind"]),
        id=statement["id"],
    )


def concluded(statements: list[Assertion]) -> dict[str, Spans]:
    return spans(conclude(statements, (), CATALOG, SLOT, at=EPOCH))


def test_every_case_concludes_what_the_oracle_says_in_any_order(data_dir: Path) -> None:
    wrong: list[str] = []
    shuffle = random.Random(1).shuffle
    lines = (data_dir / "conclude" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        case = json.loads(line)
        statements = [read(statement) for statement in case["statements"]]
        expected = {v: [(a, b) for a, b in found] for v, found in case["expected"].items()}
        for _ in range(2):
            if (found := concluded(statements)) != expected:
                wrong.append(f"{case['case']}: {found}, not {expected}")
            shuffle(statements)

    assert len(lines) == 640
    assert wrong == []
