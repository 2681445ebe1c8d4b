"""The table of the rules, row by row, in every order of arrival."""

from itertools import islice, permutations

import pytest

from graphmem.model import Assertion
from tests.conclude.ticks import (
    ASSISTANT,
    PINNED,
    RECORD,
    Memory,
    Spans,
    denies,
    ends,
    say,
    spans,
    told,
)

OPEN = None

ROWS: dict[str, tuple[list[Assertion], dict[str, Spans]]] = {
    "a later value cuts": (
        [say(10, "Paris"), say(12, "Rome")],
        {"Paris": [(10, 12)], "Rome": [(12, OPEN)]},
    ),
    "a value returns": (
        [say(10, "Ann"), say(12, "Ben"), say(14, "Ann")],
        {"Ann": [(10, 12), (14, OPEN)], "Ben": [(12, 14)]},
    ),
    "an ended value does not bring back the one before": (
        [say(10, "X"), say(12, "Y"), ends(14, "Y")],
        {"X": [(10, 12)], "Y": [(12, 14)]},
    ),
    "the same told at once": (
        [say(10, "X"), say(14, "Y", since=12, until=14)],
        {"X": [(10, 12)], "Y": [(12, 14)]},
    ),
    "a stated start takes what a mention had": (
        [say(13, "Paris"), say(14, "Rome", since=12)],
        {"Rome": [(12, OPEN)]},
    ),
    "an interlude inside what was said explicitly": (
        [say(20, "Rome", since=10), say(21, "Lyon", since=11, until=12)],
        {"Rome": [(10, 11), (12, OPEN)], "Lyon": [(11, 12)]},
    ),
    "a plan": (
        [say(4, "Oslo", since=30), say(6, "Rome")],
        {"Rome": [(6, 30)], "Oslo": [(30, OPEN)]},
    ),
    "a moved plan": (
        [say(2, "Rome"), say(4, "Oslo", since=30), say(9, "Oslo", since=40)],
        {"Rome": [(2, 40)], "Oslo": [(40, OPEN)]},
    ),
    "a moved plan, then a mention": (
        [say(4, "Oslo", since=30), say(9, "Oslo", since=40), say(12, "Rome")],
        {"Rome": [(12, 40)], "Oslo": [(40, OPEN)]},
    ),
    "a later value against a stated end": (
        [say(5, "A", since=0, until=20), say(12, "B")],
        {"A": [(0, 12)], "B": [(12, OPEN)]},
    ),
    "history over a mention ends it for good": (
        [say(12, "B"), say(16, "A", since=10, until=15)],
        {"A": [(10, 15)]},
    ),
    "history up to a mention": (
        [say(12, "B"), say(16, "A", since=8, until=12)],
        {"A": [(8, 12)], "B": [(12, OPEN)]},
    ),
    "said again after its end": (
        [say(12, "Y"), ends(14, "Y"), say(20, "Y", since=12)],
        {"Y": [(12, OPEN)]},
    ),
    "a stated end ends a mention inside it": (
        [say(10, "Acme"), say(20, "Acme", since=8, until=12)],
        {"Acme": [(8, 12)]},
    ),
    "an end told late drops a mention after it": (
        [say(10, "Acme"), say(15, "Acme"), ends(20, "Acme", at=12)],
        {"Acme": [(10, 12)]},
    ),
    "an end told late leaves a stated return": (
        [say(10, "Acme"), say(21, "Acme", since=21), ends(24, "Acme", at=19)],
        {"Acme": [(10, 19), (21, OPEN)]},
    ),
    "an end ahead outlives a mention": (
        [say(2, "Acme"), ends(4, "Acme", at=30), say(6, "Acme")],
        {"Acme": [(2, 30)]},
    ),
    "an end of any value": (
        [say(10, "Acme"), say(18, "Beta"), ends(20, None, at=15)],
        {"Acme": [(10, 15)], "Beta": [(18, OPEN)]},
    ),
    "an end is final over an interlude": (
        [say(10, "A", since=0, until=40), say(12, "Y", since=17, until=18), ends(20, "A", at=15)],
        {"A": [(0, 15)], "Y": [(17, 18)]},
    ),
    "an assistant after an end": (
        [say(10, "A"), ends(12, "A"), say(20, "A", by=ASSISTANT)],
        {"A": [(10, 12), (20, OPEN)]},
    ),
    "until": (
        [say(5, "Beta"), say(20, "Acme", until=12)],
        {"Beta": [(5, 11)], "Acme": [(11, 12)]},
    ),
    "never": (
        [say(8, "Paris"), say(10, "Rome"), denies(12, "Rome")],
        {"Paris": [(8, OPEN)]},
    ),
    "not during": (
        [say(10, "Z", since=0), denies(12, "Z", since=3, until=5)],
        {"Z": [(0, 3), (5, OPEN)]},
    ),
    "not during, ahead": (
        [say(1, "Z"), denies(12, "Z", since=3, until=5)],
        {"Z": [(1, 3), (5, OPEN)]},
    ),
    "an assistant never cuts a person": (
        [say(10, "Paris"), say(15, "Rome", by=ASSISTANT)],
        {"Paris": [(10, OPEN)]},
    ),
    "an assistant fills what is free": (
        [say(10, "Paris"), ends(12, "Paris"), say(15, "Rome", by=ASSISTANT)],
        {"Paris": [(10, 12)], "Rome": [(15, OPEN)]},
    ),
    "pinned": (
        [say(3, "CTO", by=PINNED), say(4, "VP", by=RECORD)],
        {"CTO": [(3, OPEN)]},
    ),
    "undated": (
        [say(None, "Paris"), say(24, "Rome")],
        {"Paris": [(None, 24)], "Rome": [(24, OPEN)]},
    ),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_table_holds_in_every_order_of_arrival(row: str) -> None:
    statements, expected = ROWS[row]

    assert spans(told(*statements)) == expected
    for order in islice(permutations(statements), 24):
        memory = Memory()
        for statement in order:
            memory.tell(statement)
        assert spans(memory.believed()) == expected


@pytest.mark.parametrize(
    ("statements", "loser"),
    [
        ([say(10, "Paris"), say(15, "Rome", by=ASSISTANT)], {"Rome": [(15, OPEN)]}),
        ([say(3, "CTO", by=PINNED), say(4, "VP", by=RECORD)], {"VP": [(4, OPEN)]}),
        ([say(10, "A", by=RECORD), say(10, "B")], {"A": [(10, OPEN)]}),
        ([say(10, "A"), say(12, "B")], {}),
    ],
)
def test_only_a_higher_tier_or_the_same_instant_leaves_the_loser_contested(
    statements: list[Assertion], loser: dict[str, Spans]
) -> None:
    assert spans(told(*statements), contested=True) == loser
