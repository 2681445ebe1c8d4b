"""Vectors: of one dimension and model, comparable, known by hash within a group."""

import pytest

from graphmem.errors import InvalidInput
from graphmem.model import TextVector, Vector
from graphmem.ports import Store
from graphmem.testing.records import entity, put, vector


def test_known_hashes_are_those_with_a_vector_in_this_group(store: Store) -> None:
    put(store, TextVector("a", vector(1, 0)), TextVector("b", vector(0, 1)))
    put(store, TextVector("c", vector(1, 0)), group_id="h")

    assert store.view("g").known_vectors({"a", "b", "c", "d"}) == {"a", "b"}
    assert store.view("h").known_vectors(["a", "c"]) == {"c"}
    assert store.view("g").known_vectors([]) == set()


def test_a_vector_may_be_written_again(store: Store) -> None:
    put(store, TextVector("a", vector(1, 0)), TextVector("a", vector(1, 0)))
    put(store, TextVector("a", vector(1, 0)))

    assert store.view("g").known_vectors(["a"]) == {"a"}


@pytest.mark.parametrize(
    "bad",
    [
        vector(1, 2, 3),
        vector(0, 0),
        vector(float("nan"), 1),
        vector(float("inf"), 1),
        vector(),
        vector(1, 0).reshape(1, 2),
    ],
    ids=["dimension", "zero", "nan", "infinite", "empty", "shape"],
)
def test_an_unusable_vector_is_refused_and_nothing_is_written(store: Store, bad: Vector) -> None:
    store.use_model("m", 2)

    with pytest.raises(InvalidInput):
        put(store, entity("new"), TextVector("a", vector(1, 0)), TextVector("b", bad))
    assert store.groups() == []
    assert store.view("g").known_vectors(["a", "b"]) == set()


def test_the_first_vectors_bind_the_dimension_of_the_store(store: Store) -> None:
    put(store, TextVector("a", vector(1, 0)))

    with pytest.raises(InvalidInput):
        put(store, TextVector("b", vector(1, 0, 0)), group_id="h")
    with pytest.raises(InvalidInput):
        store.use_model("m", 3)
    store.use_model("m", 2)


def test_vectors_that_were_refused_bind_nothing(store: Store) -> None:
    with pytest.raises(InvalidInput):
        put(store, TextVector("a", vector(1, 0)), TextVector("b", vector(1, 0, 0)))
    with pytest.raises(InvalidInput):
        put(store, TextVector("a", vector(0, 0)))

    put(store, TextVector("a", vector(1, 0, 0)))


def test_a_model_binds_the_store_and_another_one_is_refused(store: Store) -> None:
    store.use_model("m", 2)
    store.use_model("m", 2)

    with pytest.raises(InvalidInput, match="other"):
        store.use_model("other", 2)
    with pytest.raises(InvalidInput):
        store.use_model("m", 3)
    assert store.status(None)["model"] == "m"
