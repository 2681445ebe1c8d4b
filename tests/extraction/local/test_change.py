"""How change is told: again, ended, begun, planned, corrected, undated."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from graphmem.model import AssertionKind
from graphmem.ports import Claim
from graphmem.temporal import Precision

Tell = Callable[..., list[Claim]]
Read = Callable[..., list[str]]


def test_the_same_words_at_three_times_are_three_mentions(read: Read) -> None:  # A1
    for name, month in (("Ann", 3), ("Ben", 4), ("Ann", 5)):
        at = datetime(2024, month, 1, tzinfo=UTC)

        assert read(f"{name} leads Atlas", at=at) == [f"{name} | leads | Atlas"]


def test_two_values_of_many_do_not_end_each_other(read: Read) -> None:  # A3
    assert read("The benchmark was tested with model A.") == ["benchmark | tested with | model A"]
    assert read("The benchmark was tested with model B.") == ["benchmark | tested with | model B"]


def test_a_turn_of_unknown_time_states_no_time(tell: Tell) -> None:  # A6
    (claim,) = tell("Ann joined Acme yesterday", at=None)

    assert (claim.start, claim.start_precision) == (None, Precision.UNKNOWN)
    assert tell("I worked at Acme", at=None) == []


def test_stopping_ends_the_fact_itself(read: Read) -> None:  # A7
    assert read("Nick drinks tea") == ["Nick | drinks | tea"]
    assert read("Nick stopped drinking tea") == ["ends: Nick | drinks | tea"]
    assert read("Nick stopped drinking tea last week") == [
        "ends: Nick | drinks | tea [..2024-05-06]"
    ]


def test_a_new_name_is_a_new_value(read: Read) -> None:  # A10
    assert read("My name is Ada", speaker="user") == ["user | named | Ada"]
    assert read("My name is Bea", speaker="user") == ["user | named | Bea"]


def test_love_and_hate_are_two_relations_of_one_pair(read: Read) -> None:  # A11
    assert read("I love Chinese food") == ["Kai | loves | Chinese food"]
    assert read("I hate Chinese food") == ["Kai | hates | Chinese food"]
    assert read("I don't like Chinese food") == ["Kai | dislikes | Chinese food"]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ann joined Acme yesterday.", "Ann | joined | Acme [2024-05-14..]"),
        ("Ann joined Acme last Friday.", "Ann | joined | Acme [2024-05-10..]"),
        ("Ann joined Acme two weeks ago.", "Ann | joined | Acme [2024-05-01..]"),
        ("Ann has led Atlas since April.", "Ann | leads | Atlas [2024-04..]"),
        ("Ann led Atlas until June 2023.", "Ann | leads | Atlas [..2023-06]"),
        ("Ann led Atlas through 2022.", "Ann | leads | Atlas [..2023]"),
        ("I worked at Acme from 2019 to 2021.", "Kai | works at | Acme [2019..2022]"),
        ("I worked at Acme in 2022.", "Kai | works at | Acme [2022..2023]"),
        ("Ann led Atlas from January to March.", "Ann | leads | Atlas [2024-01..2024-04]"),
        ("As of 1 May Ann leads Atlas.", "Ann | leads | Atlas [2024-05-01..]"),
        ("Ann became the lead of Atlas on 3 May.", "Ann | leads | Atlas [2024-05-03..]"),
        ("Rosa started working at Beta in March.", "Rosa | works at | Beta [2024-03..]"),
    ],
)
def test_time_words_become_stated_bounds(read: Read, sentence: str, expected: str) -> None:  # A12
    assert read(sentence) == [expected]


def test_moving_from_one_to_another_tells_both_ends(read: Read) -> None:  # A13
    assert read("We migrated from Jenkins to GitHub Actions last week.") == [
        "Kai | migrated from | Jenkins [2024-05-06..]",
        "Kai | migrated to | GitHub Actions [2024-05-06..]",
    ]
    assert read("I moved from Oslo to Berlin in March.") == [
        "Kai | moved out of | Oslo [2024-03..]",
        "Kai | moved to | Berlin [2024-03..]",
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Kai will lead Atlas from June.", "Kai | leads | Atlas [2024-06..]"),
        ("Mina is going to lead Atlas starting June 1.", "Mina | leads | Atlas [2024-06-01..]"),
        ("I'm moving to Berlin next month.", "Kai | moved to | Berlin [2024-06..]"),
        ("Starting Monday, Priya leads Orion.", "Priya | leads | Orion [2024-05-20..]"),
        ("Ann leads Atlas until the end of June.", "Ann | leads | Atlas [..2024-07]"),
        ("Ann joins Acme in three weeks.", "Ann | joined | Acme [2024-06-05..]"),
    ],
)
def test_a_plan_has_its_start_ahead(read: Read, sentence: str, expected: str) -> None:  # A14
    assert read(sentence) == [expected]


@pytest.mark.parametrize(
    "sentence", ["I'll join Acme.", "Ann is joining Acme.", "Ann is going to lead Atlas."]
)
def test_a_plan_without_a_time_states_nothing(read: Read, sentence: str) -> None:
    assert read(sentence) == []


def test_a_late_story_carries_its_own_bounds(read: Read) -> None:  # A16
    assert read("Ben led Atlas from 5 April to 9 April.") == [
        "Ben | leads | Atlas [2024-04-05..2024-04-10]"
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I no longer work at Acme.", "ends: Kai | works at | Acme"),
        ("I don't work at Acme anymore.", "ends: Kai | works at | Acme"),
        ("Ann no longer leads Atlas as of 1 May.", "ends: Ann | leads | Atlas [..2024-05-01]"),
        ("Ann does not lead Atlas.", "not: Ann | leads | Atlas"),
        ("Ann isn't the lead of Atlas.", "not: Ann | leads | Atlas"),
        ("Ann has never lived in Oslo.", "not: Ann | lives in | Oslo"),
        ("Nina didn't approve the budget.", "not: Nina | approved | budget"),
    ],
)
def test_ends_and_denials_are_told_apart(read: Read, sentence: str, expected: str) -> None:
    assert read(sentence) == [expected]


def test_a_bare_past_tense_of_a_state_is_over_by_the_time_it_is_told(tell: Tell) -> None:
    for sentence in ("I worked at Acme.", "I used to work at Acme."):
        (claim,) = tell(sentence)

        assert claim.kind is AssertionKind.AFFIRMS
        assert (claim.start, claim.end) == (None, datetime(2024, 5, 15, 14, 30, tzinfo=UTC))


def test_a_bare_past_tense_says_nothing_where_many_values_hold_at_once(read: Read) -> None:
    assert read("We used Kafka.") == []
    assert read("I liked the talk.") == []


def test_a_former_role_is_over(read: Read) -> None:
    assert read("The former lead of Atlas is Ben.") == ["Ben | leads | Atlas [..2024-05-15T14:30]"]


def test_today_beside_a_present_tense_states_no_bound(read: Read) -> None:
    assert read("Ann leads Atlas today.") == ["Ann | leads | Atlas"]


def test_time_words_belong_to_their_own_clause(read: Read) -> None:
    assert read("Ben, who reports to Ann, moved to Berlin in March.") == [
        "Ann | manages | Ben",
        "Ben | moved to | Berlin [2024-03..]",
    ]


def test_a_fact_is_one_plain_sentence_with_names_resolved(tell: Tell) -> None:
    facts = {
        "I work at Acme.": "Kai works at Acme",
        "My manager is Lena.": "Lena manages Kai",
        "The migration was approved by Lena.": "Lena approved the migration",
        "I no longer work at Acme.": "Kai no longer works at Acme",
        "Tom is no longer responsible for the tests.": "Tom is no longer responsible for the tests",
        "Ann does not lead Atlas.": "It is not so that Ann leads Atlas",
        "I was born in Oslo.": "Kai was born in Oslo",
        "I'm moving to Berlin next month.": "Kai moves to Berlin",
        "We decided to use Postgres.": "Kai decided to use Postgres",
        "Orion is due on 5 May 2025.": "Orion has deadline 5 May 2025",
    }

    assert {text: tell(text)[0].fact for text in facts} == facts


def test_a_literal_keeps_its_type(tell: Tell) -> None:
    values = {
        "Orion is due on 5 May 2025.": datetime(2025, 5, 5, tzinfo=UTC),
        "The budget of Orion is 50000.": 50000,
        "The version of Orion is 2.5.": 2.5,
        "The budget of Orion is 50000 EUR.": "50000 EUR",
        "My email is kai@example.com.": "kai@example.com",
        "My birthday is 3 March 1990.": datetime(1990, 3, 3, tzinfo=UTC),
    }

    assert {text: tell(text)[0].object_value for text in values} == values
    assert all(tell(text)[0].object is None for text in values)


def test_what_is_reported_or_implied_is_trusted_less(tell: Tell) -> None:
    plain, reported, implied, undeclared = (
        tell(text)[0].confidence
        for text in (
            "Ben leads Atlas.",
            "Ann said that Ben leads Atlas.",
            "Ben was the lead of Atlas.",
            "Ben sponsors Atlas.",
        )
    )

    assert plain > reported >= implied > undeclared
