"""Who and what is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphmem.testing.records import episode

Read = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ann leads the Atlas project.", "Ann | leads | Atlas"),
        ("Ann leads the Platform team.", "Ann | leads | Platform"),
        ("Ann leads the platform team.", "Ann | leads | platform team"),
        ("Ann leads our billing service.", "Ann | leads | billing service"),
        ("Rev A was replaced by Rev B.", "Rev B | replaced | Rev A"),
        ("SR-2023-052 blocks SR-2023-053.", "SR-2023-052 | blocks | SR-2023-053"),
        ("Tom approved the rollout of Atlas v2.", "Tom | approved | rollout of Atlas v2"),
        ("O'Brien lives in Oslo.", "O'Brien | lives in | Oslo"),
        ("Zoë's manager is Björn.", "Björn | manages | Zoë"),
        ("I use C++.", "Kai | uses | C++"),
        ("I use node.js.", "Kai | uses | node.js"),
        ("The project is led by `Mina`.", ""),
    ],
)
def test_names_stay_as_written_without_article_and_generic_noun(
    read: Read, sentence: str, expected: str
) -> None:
    assert read(sentence) == ([expected] if expected else [])


def test_he_is_the_one_person_just_named(read: Read) -> None:
    assert read("Ben lives in Oslo. He works at Acme.") == [
        "Ben | lives in | Oslo",
        "Ben | works at | Acme",
    ]


def test_he_may_be_named_in_the_turn_before(read: Read) -> None:
    before = episode("b", text="Ben lives in Oslo.", speaker="Ann")

    assert read("He works at Acme.", before=before) == ["Ben | works at | Acme"]


def test_she_may_be_who_spoke_of_herself_before(read: Read) -> None:
    before = episode("b", text="I live in Oslo.", speaker="Ann")

    assert read("She works at Acme.", before=before) == ["Ann | works at | Acme"]


def test_between_two_persons_a_pronoun_names_nobody(read: Read) -> None:
    assert read("Ben met Carla. She leads Atlas.") == ["Ben | met | Carla"]


def test_a_project_is_no_person_for_a_pronoun(read: Read) -> None:
    assert read("Ann leads Atlas. She works at Acme.") == [
        "Ann | leads | Atlas",
        "Ann | works at | Acme",
    ]


def test_the_speaker_is_never_she(read: Read) -> None:
    assert read("I met Ann in Oslo. She works at Acme.") == [
        "Kai | met | Ann",
        "Ann | works at | Acme",
    ]


def test_what_the_turn_before_may_not_assert_names_nobody(read: Read) -> None:
    before = episode("b", text="Ben lives in Oslo.", role="tool")

    assert read("He works at Acme.", before=before) == []
