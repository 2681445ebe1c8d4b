"""Groups never see each other; any id and name works."""

from itertools import pairwise

import pytest

from graphmem.errors import NotFound
from graphmem.index import name_key, terms, words
from graphmem.model import Evidence, Extraction, ExtractionState, TextVector
from graphmem.ports import EdgeFilter, EpisodeFilter, Page, SlotQuery, Store
from graphmem.temporal import FOREVER
from graphmem.testing.records import (
    Record,
    assertion,
    edge,
    entity,
    episode,
    put,
    request,
    ruling,
    vector,
)

ODD = [
    "my-team",
    "a b",
    "组",
    "x' OR 1=1",
    '"; DROP TABLE episodes; --',
    r"back\slash\\",
    "pipe|pipe",
    "100%_?*[a-z]",
    "{$id: `MATCH (n)`}",
    'AND +term:("a"~2) /re/',
    "Åsa é é",
    "مرحبا",
    "Привет",
    "👩‍👩‍👧 🇩🇪",
    "line\nbreak\ttab",
    "L" * 300,
]

IDS = ("1", "2", "own")


def said(word: str, id: str) -> list[Record]:
    """A little of everything about ``word``, under ids that other groups use too."""
    return [
        episode("1", text=f"{word} first"),
        episode(id, text=f"{word} second", sequence=1, thread_id=f"thread {id}"),
        entity("ann", word),
        entity("rome", aliases=[word]),
        assertion("1", episode_id="1"),
        assertion(id, object_id=None, episode_id=id),
        edge("1", fact=f"{word} lives in rome"),
        edge(id, "rome", "lies in", "ann"),
        Evidence("1", "1"),
        Evidence(id, id),
        ruling("1", id, "2"),
        ruling(id, "1"),
        TextVector(word, vector(1, 0)),
        (id, word),
        ExtractionState("1", Extraction.PENDING, word, None),
        ExtractionState(id, Extraction.PENDING, word, None),
    ]


def everything(store: Store, group_id: str) -> dict[str, object]:
    view = store.view(group_id)
    relations = ("lives in", "lies in")
    slots = [SlotQuery(relations, "ann", None), SlotQuery(relations, None, "ann")]
    turns = view.find_episodes(EpisodeFilter(FOREVER), Page(99))
    asked = request(terms=terms("quokka wombat second"), names=words("quokka wombat rome"))
    return {
        "catalog": view.catalog().relations,
        "episodes": view.episodes(IDS),
        "find_episodes": turns,
        "latest": view.latest(EpisodeFilter(FOREVER), 99),
        "before": view.before(turns, 9),
        "after": view.after(turns, 9),
        "thread": view.thread("t"),
        "threads": view.threads(Page(99)),
        "pending": view.pending(99),
        "extractions": view.extractions(IDS),
        "entities": view.entities(["ann", "rome"]),
        "named": view.named([name_key(word) for word in ("quokka", "wombat", "rome")]),
        "find_entities": view.find_entities(Page(99)),
        "assertions": view.assertions(IDS),
        "stated": view.stated(slots),
        "stated_by": view.stated_by(IDS),
        "rulings": view.rulings(IDS),
        "concluded": view.concluded(slots),
        "edges": view.edges(EdgeFilter(FOREVER, contested=True)),
        "edge_history": view.edge_history(EdgeFilter(FOREVER, contested=True)),
        "evidence": view.evidence(IDS),
        "known_vectors": view.known_vectors(["quokka", "wombat"]),
        "status": store.status(group_id),
        "search": store.search(group_id, asked),
    }


def test_no_read_sees_what_another_group_wrote(store: Store) -> None:
    put(store, *said("quokka", "own"), group_id="g")
    before = everything(store, "g")
    put(store, *said("wombat", "2"), group_id="h")
    put(store, episode("1", version=2), group_id="h", close_episodes=("1",), close_edges=("1",))
    after = everything(store, "g")

    assert {name for name in before if before[name] != after[name]} == set()
    assert "wombat" not in repr(after)
    assert "quokka" not in repr(everything(store, "h"))
    assert not any(v for k, v in everything(store, "new").items() if k not in KEPT)
    assert store.groups() == ["g", "h"]


KEPT = {"catalog", "evidence", "status"}
"""What even a group that holds nothing answers."""


def test_status_of_all_groups_adds_up(store: Store) -> None:
    put(store, *said("quokka", "own"), group_id="g")
    put(store, *said("wombat", "2"), group_id="h")

    def counts(group_id: str | None) -> dict[str, int]:
        return {k: v for k, v in store.status(group_id).items() if isinstance(v, int)}

    assert counts("g")["episodes"] == 2
    assert counts(None) == {name: 2 * count for name, count in counts("g").items()}
    assert set(counts("new").values()) == {0}


def test_ids_of_another_group_cannot_be_closed_and_errors_do_not_name_it(store: Store) -> None:
    put(store, *said("secret", "2"), group_id="secret")
    put(store, *said("quokka", "own"), group_id="g")

    for closing in ("close_episodes", "close_assertions", "close_edges"):
        with pytest.raises(NotFound) as raised:
            put_closing(store, closing, "2")
        assert "secret" not in str(raised.value)
    with pytest.raises(NotFound) as raised:
        store.view("g").find_episodes(EpisodeFilter(FOREVER), Page(5, "2"))
    assert "secret" not in str(raised.value)


def put_closing(store: Store, closing: str, id: str) -> None:
    if closing == "close_episodes":
        put(store, close_episodes=(id,))
    elif closing == "close_assertions":
        put(store, close_assertions=(id,))
    else:
        put(store, close_edges=(id,))


@pytest.mark.parametrize("name", ODD)
def test_any_group_id_works(store: Store, name: str) -> None:
    put(store, *said("quokka", "own"), group_id=name)
    put(store, *said("wombat", "2"), group_id=name + "x")

    assert "wombat" not in repr(everything(store, name))
    assert len(store.view(name).find_episodes(EpisodeFilter(FOREVER), Page(9))) == 2
    assert store.groups() == sorted([name, name + "x"])


def test_groups_that_look_alike_are_different(store: Store) -> None:
    names = ["a", "A", "a ", "\u00e9", "e\u0301", "L" * 300, "L" * 299 + "M"]
    for name in names:
        put(store, entity("e", name), group_id=name)

    assert store.groups() == sorted(names)
    assert [store.view(name).entities(["e"])["e"].name for name in names] == names


@pytest.mark.parametrize("name", ODD)
def test_any_id_name_and_text_comes_back_as_written(store: Store, name: str) -> None:
    put(
        store,
        episode(name, thread_id=name, speaker=name, text=name),
        entity(name, name, aliases=[name], attributes={name: [name, {name: 1.5}], "n": None}),
        entity("rome"),
        assertion(name, name, name, name, episode_id=name),
        edge(name, name, name, name, fact=name),
        Evidence(name, name),
        ruling(name, name),
        ExtractionState(name, Extraction.PENDING, name, name),
        TextVector(name, vector(1, 0)),
    )
    view = store.view("g")
    narrowed = EpisodeFilter(FOREVER, threads=[name], speakers={name})
    slots = [SlotQuery((name,), name, name), SlotQuery((name,), None, name)]

    (turn,) = view.find_episodes(narrowed, Page(9))
    assert (turn.id, turn.thread_id, turn.speaker, turn.text) == (name, name, name, name)
    assert view.episodes([name]) == {name: turn}
    assert view.thread(name) == view.latest(narrowed, 9) == view.pending(9) == [turn]
    assert [t.id for t in view.threads(Page(9))] == [name]
    assert view.extractions([name])[name].reason == name
    entities = view.entities([name])
    assert entities[name].attributes == {name: [name, {name: 1.5}], "n": None}
    assert view.named([name_key(name)]) == {name_key(name): [name]}
    assert entities[name] in view.find_entities(Page(9))
    assert view.stated(slots) == view.stated_by([name]) == [view.assertions([name])[name]]
    assert [r.target_ids for r in view.rulings([name])] == [(name,)]
    (row,) = view.concluded(slots)
    assert (row.subject, row.relation, row.object, row.fact) == (name, name, name, name)
    assert view.edges(EdgeFilter(FOREVER, subject_ids=[name], relations={name})) == [row]
    assert view.evidence([name]) == {name: view.stated(slots)}
    assert view.known_vectors([name]) == {name}
    assert store.check() == []


def test_pages_of_odd_ids_go_in_the_order_of_code_points(store: Store) -> None:
    put(store, *(entity(id) for id in ODD), *(episode(id) for id in ODD))
    view = store.view("g")
    assert [e.id for e in view.find_entities(Page(99))] == sorted(ODD)
    assert [e.id for e in view.thread("t")] == sorted(ODD)
    for one, following in pairwise(sorted(ODD)):
        assert [e.id for e in view.find_entities(Page(1, one))] == [following]
        page = view.find_episodes(EpisodeFilter(FOREVER), Page(1, one))
        assert [e.id for e in page] == [following]
