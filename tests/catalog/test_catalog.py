"""Names to relations, and the rules that a declared relation must keep."""

from pathlib import Path

import pytest

from graphmem.catalog import (
    Cardinality,
    Catalog,
    Relation,
    TemporalKind,
    relation_key,
    to_json,
)
from graphmem.errors import InvalidInput

BUILTIN = Catalog.builtin()
PLAIN = BUILTIN.resolve("never declared")[0]


def names(relation: Relation) -> list[tuple[str, bool]]:
    backward = (relation.inverse, *relation.inverse_aliases)
    forward = [(name, False) for name in (relation.name, *relation.aliases)]
    return forward + [(name, True) for name in backward if name is not None]


@pytest.mark.parametrize("name", BUILTIN.relations)
def test_every_packaged_relation_is_found_by_each_of_its_names(name: str) -> None:
    relation = BUILTIN.relations[name]
    for word, inverse in names(relation):
        for written in (word, word.upper(), f"  {word.replace(' ', '_')} "):
            assert BUILTIN.resolve(written) == (relation, inverse)


def test_the_packaged_relations_are_many_and_speak_chinese_too() -> None:
    assert len(BUILTIN.relations) >= 60
    without = [
        relation.name
        for relation in BUILTIN.relations.values()
        if not any(ord(letter) > 0x2E80 for name, _ in names(relation) for letter in name)
    ]
    assert without == []


@pytest.mark.parametrize(
    ("name", "cardinality", "temporal"),
    [
        ("lives in", "many-to-one", "state"),
        ("works at", "many-to-one", "state"),
        ("leads", "one-to-many", "state"),
        ("manages", "one-to-many", "state"),
        ("married to", "one-to-one", "state"),
        ("tested with", "many-to-many", "state"),
        ("born in", "many-to-one", "permanent"),
        ("approved", "many-to-many", "event"),
    ],
)
def test_packaged_relations_mean_what_their_words_say(
    name: str, cardinality: str, temporal: str
) -> None:
    relation = BUILTIN.relations[name]
    assert (relation.cardinality, relation.temporal) == (cardinality, temporal)


def test_one_relation_serves_both_directions() -> None:
    assert BUILTIN.resolve("reports to") == (BUILTIN.relations["manages"], True)
    assert BUILTIN.resolve("就职于") == (BUILTIN.relations["works at"], False)


def test_names_are_compared_by_their_letters_alone() -> None:
    for written in ("WORKS_AT", "works-at", " Works \t at ", "ｗｏｒｋｓ　ａｔ", "works--_at"):
        assert BUILTIN.resolve(written)[0].name == "works at"


def test_a_name_that_is_not_declared_is_a_many_to_many_state() -> None:
    relation, inverse = BUILTIN.resolve("Benchmarked_Against")

    assert (relation.name, inverse) == ("benchmarked against", False)
    assert relation.cardinality is Cardinality.MANY_TO_MANY
    assert relation.temporal is TemporalKind.STATE
    assert BUILTIN.excluded(relation.name) == ("benchmarked against",)
    assert BUILTIN.feeding(relation.name) == ()


@pytest.mark.parametrize("name", ["", "  ", "_-_"])
def test_an_empty_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="empty relation name"):
        BUILTIN.resolve(name)


def test_a_later_declaration_matches_what_was_stored_before_it() -> None:
    stored = BUILTIN.resolve("DRIVES_CAR")[0].name
    declared = Catalog.from_toml('[[relation]]\nname = "Drives-Car"\naliases = ["drives"]')

    assert declared.resolve("drives")[0].name == stored
    assert relation_key("Drives-Car") == stored


def test_feeding_links_events_and_states_both_ways() -> None:
    events = {event.name for event in BUILTIN.feeding("works at")}

    assert events == {"joined", "left"}
    assert {state.name for state in BUILTIN.feeding("left")} == {"works at", "member of"}


def test_exclusion_is_mutual_and_closed() -> None:
    assert BUILTIN.excluding("hates") == ("likes", "loves")
    assert BUILTIN.excluded("hates") == ("dislikes", "hates", "likes", "loves")
    assert BUILTIN.excluded("lives in") == ("lives in",)


def test_an_extension_adds_and_replaces_by_name() -> None:
    declared = Catalog.from_toml(
        """
        [[relation]]
        name = "tested with"
        cardinality = "many-to-one"

        [[relation]]
        name = "rides"
        aliases = ["骑"]
        """
    )
    larger = BUILTIN.extended(declared.relations.values())

    assert larger.resolve("tested with")[0].cardinality is Cardinality.MANY_TO_ONE
    assert larger.resolve("骑")[0].name == "rides"
    assert BUILTIN.resolve("骑")[0].name == "骑"
    assert len(larger.relations) == len(BUILTIN.relations) + 1


def test_a_groups_rows_extend_the_packaged_relations() -> None:
    relation = BUILTIN.relations["married to"]
    rows = [("rides", '{"name": "rides"}'), (relation.name, to_json(relation))]

    assert Catalog.of_rows(rows).resolve("rides")[0].name == "rides"
    assert Catalog.of_rows(rows).relations["married to"] == relation
    assert Catalog.of_rows([]) is BUILTIN
    with pytest.raises(InvalidInput, match=r"catalog row 'x': no valid JSON"):
        Catalog.of_rows([("x", "{")])


def test_a_file_is_read_and_named_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('[[relation]]\nname = "骑"\ncardinality = "many"', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"own\.toml: relation '骑': cardinality 'many'"):
        Catalog.from_path(path)
    with pytest.raises(InvalidInput, match="cannot read the catalog"):
        Catalog.from_path(tmp_path / "absent.toml")


HEAD = '[[relation]]\nname = "a"\n'
OTHER = '\n[[relation]]\nname = "b"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[relation", "no valid TOML"),
        ("relation = 1", r"write \[\[relation\]\]"),
        ("relation = [1]", "1 is no table"),
        ('title = "x"', "unknown key 'title'"),
        ("[[relation]]\naliases = []", "relation None: name None is no text"),
        (HEAD + "plural = true", "relation 'a': unknown key 'plural'"),
        (HEAD + 'cardinality = "many"', "cardinality 'many' is unknown; use one of many-to-one"),
        (HEAD + 'temporal = "always"', "temporal 'always' is unknown; use one of state"),
        (HEAD + "aliases = [1]", r"aliases \[1\] is no list of texts"),
        (HEAD + 'symmetric = "yes"', "symmetric 'yes' is neither true nor false"),
        (HEAD + 'aliases = ["A B", " "]', "empty relation name ' '"),
        (HEAD + HEAD, "relation 'a' is declared twice"),
        (HEAD + OTHER + 'aliases = ["A"]', "relation 'b': the name 'A' already means 'a'"),
        (HEAD + 'inverse = "A"', "'A' already means 'a'"),
        (HEAD + 'inverse = "c"' + OTHER + 'aliases = ["c"]', "already means the inverse of 'a'"),
        (HEAD + 'symmetric = true\ninverse = "c"', "inverse 'c': a symmetric relation is its own"),
        (HEAD + 'symmetric = true\ninverse_aliases = ["c"]', "inverse_aliases 'c'"),
        (HEAD + 'symmetric = true\ncardinality = "many-to-one"', "one-to-one or many-to-many"),
        (HEAD + 'excludes = ["b"]', "excludes 'b': is not declared"),
        (HEAD + 'excludes = ["a"]', "cannot exclude itself"),
        (
            HEAD + 'excludes = ["b"]' + OTHER + 'cardinality = "many-to-one"',
            "only many-to-many states may exclude one another, and 'b' is a many-to-one state",
        ),
        (HEAD + 'excludes = ["b"]' + OTHER + 'temporal = "event"', "'b' is a many-to-many event"),
        (HEAD + 'excludes = ["b"]' + OTHER + "symmetric = true", "both must be symmetric"),
        (HEAD + 'begins = ["b"]' + OTHER, "begins 'b': only an event begins or ends a state"),
        (HEAD + 'temporal = "event"\nends = ["b"]', "ends 'b': is not declared"),
        (
            HEAD + 'temporal = "event"\nends = ["b"]' + OTHER + 'temporal = "permanent"',
            "ends 'b': an event begins or ends only states, and that is permanent",
        ),
    ],
)
def test_a_broken_declaration_names_relation_field_and_value(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Catalog.from_toml(text)
