"""Which words a catalog makes readable."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphmem.catalog import Catalog

Read = Callable[..., list[str]]

OWN = """
[[relation]]
name = "sponsors"
aliases = ["pays the bills of", "sponsor of", "赞助"]
inverse = "sponsored by"
cardinality = "one-to-many"
subject_kind = "person"

[[relation]]
name = "on-call engineer"
cardinality = "many-to-one"

[[relation]]
name = "vetted"
aliases = ["vets", "signed a waiver for"]
temporal = "event"
"""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.from_toml(OWN)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ann sponsors Atlas.", "Ann | sponsors | Atlas"),
        ("Ann pays the bills of Atlas.", "Ann | sponsors | Atlas"),
        ("Atlas is sponsored by Ann.", "Ann | sponsors | Atlas"),
        ("Ann is the sponsor of Atlas.", "Ann | sponsors | Atlas"),
        ("Ann is Atlas's sponsor.", "Ann | sponsors | Atlas"),
        ("Ann no longer sponsors Atlas.", "ends: Ann | sponsors | Atlas"),
        ("Ann stopped sponsoring Atlas.", "ends: Ann | sponsors | Atlas"),
        ("The on-call engineer for Atlas is Ben.", "Atlas | on call engineer | Ben"),
        ("Atlas's on-call engineer is Ben.", "Atlas | on call engineer | Ben"),
        ("Ben vetted the vendor yesterday.", "Ben | vetted | vendor [2024-05-14..]"),
        ("The vendor was vetted by Ben.", "Ben | vetted | vendor"),
        ("Ben signed a waiver for Atlas.", "Ben | vetted | Atlas"),
        ("Ann赞助Atlas。", "Ann | sponsors | Atlas"),
    ],
)
def test_relations_of_users_are_read_in_all_their_forms(
    read: Read, catalog: Catalog, sentence: str, expected: str
) -> None:
    assert read(sentence, catalog=catalog) == [expected]


def test_an_undeclared_verb_between_two_names_is_its_own_relation(read: Read) -> None:
    assert read("Ben audits Orion.") == ["Ben | audits | Orion"]
    assert read("Ben audited Orion.") == ["Ben | audited | Orion"]
    assert read("Orion was audited by Ben.") == ["Ben | audited | Orion"]


@pytest.mark.parametrize(
    "sentence", ["Ben pinged Ann.", "Ben said hi.", "I cleaned the kitchen.", "Ann knows a lot."]
)
def test_an_undeclared_verb_needs_two_names_and_a_meaning(read: Read, sentence: str) -> None:
    assert read(sentence) == []


def test_two_catalogs_take_turns(read: Read, catalog: Catalog) -> None:
    assert read("Ann sponsors Atlas.", catalog=catalog) == ["Ann | sponsors | Atlas"]
    assert read("Ann leads Atlas.") == ["Ann | leads | Atlas"]
    assert read("Ann sponsors Atlas.", catalog=catalog) == ["Ann | sponsors | Atlas"]
