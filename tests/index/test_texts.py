import hashlib

from graphmem.index import edge_terms, text_hash, turn_text, window_text
from graphmem.testing.records import episode


def test_a_turn_is_indexed_with_its_speaker() -> None:
    assert turn_text(episode("a", text="hello", speaker="Ann")) == "Ann: hello"
    assert turn_text(episode("a", text="hello", speaker=None)) == "hello"


def test_a_window_is_three_turns_one_a_line() -> None:
    one, two, three = (episode(id, text=id) for id in ("one", "two", "three"))

    assert window_text(one, two, three) == "Ann: one\nAnn: two\nAnn: three"
    assert window_text(None, two, None) == "Ann: two"


def test_hashes_are_of_utf8_and_take_half_pairs() -> None:
    assert text_hash("é") == hashlib.sha256("é".encode()).hexdigest()
    assert text_hash("\ud83d") != text_hash("\ud83e")


def test_an_edge_is_found_by_its_fact_and_then_by_names_it_lacks() -> None:
    found = edge_terms("She likes running", ["Ann Lee", "Annie", "running club"])

    assert found == ("she", "like", "run", "ann", "lee", "anni", "club")[1:]
