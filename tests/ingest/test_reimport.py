"""What the same source, a longer one or an edited one means: readers, alignment and ids at work."""

from collections import Counter
from dataclasses import dataclass, field

import pytest

from graphmem.ingest.align import align
from graphmem.ingest.identity import content_hash, content_key, episode_id, episode_ids
from graphmem.ingest.readers import RawTurn, read_source
from graphmem.model import Outcome


@dataclass
class Thread:
    """The least that can stand for a stored thread: ids in order, and the turns they hold."""

    turns: dict[str, RawTurn] = field(default_factory=dict[str, RawTurn])

    def take(self, *lines: dict[str, object]) -> Counter[Outcome]:
        incoming = [turn for turn in read_source(lines) if isinstance(turn, RawTurn)]
        named = self.named(incoming)
        outcomes = Counter(self.outcome(id, turn) for id, turn in named)
        self.turns = dict(named)
        return outcomes

    def named(self, incoming: list[RawTurn]) -> list[tuple[str, RawTurn]]:
        messages = [turn.source.message_id for turn in incoming]
        if all(messages):
            ids = [episode_id("g", "jsonl", "t", id) for id in messages if id]
        else:
            keys = [content_key(turn) for turn in incoming]
            known = align([(id, content_key(turn)) for id, turn in self.turns.items()], keys).ids
            new = [key for key, id in zip(keys, known, strict=True) if id is None]
            fresh = iter(episode_ids("g", "jsonl", "t", new, taken=self.turns))
            ids = [id or next(fresh) for id in known]
        return list(zip(ids, incoming, strict=True))

    def outcome(self, id: str, turn: RawTurn) -> Outcome:
        if id not in self.turns:
            return Outcome.NEW
        same = content_hash(self.turns[id]) == content_hash(turn)
        return Outcome.UNCHANGED if same else Outcome.CHANGED


def lines(*texts: str, ids: bool = False) -> list[dict[str, object]]:
    return [{"text": text, "id": f"m{text[0]}" if ids else None} for text in texts]


with_and_without_ids = pytest.mark.parametrize("ids", [False, True])


@with_and_without_ids
def test_the_same_source_twice_changes_nothing(ids: bool) -> None:
    thread = Thread()

    assert thread.take(*lines("a", "b", "c", ids=ids)) == {Outcome.NEW: 3}
    assert thread.take(*lines("a", "b", "c", ids=ids)) == {Outcome.UNCHANGED: 3}


@with_and_without_ids
def test_three_appended_turns_are_three_new(ids: bool) -> None:
    thread = Thread()
    thread.take(*lines("a", "b", "c", ids=ids))

    found = thread.take(*lines("a", "b", "c", "d", "e", "f", ids=ids))

    assert found == {Outcome.UNCHANGED: 3, Outcome.NEW: 3}


@with_and_without_ids
@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_edited_turn_is_one_new_version(ids: bool, place: int) -> None:
    thread = Thread()
    texts = ["a", "b", "c"]
    thread.take(*lines(*texts, ids=ids))
    before = list(thread.turns)
    texts[place] += " (edited)"

    assert thread.take(*lines(*texts, ids=ids)) == {Outcome.UNCHANGED: 2, Outcome.CHANGED: 1}
    assert list(thread.turns) == before


@with_and_without_ids
def test_an_inserted_turn_is_one_new(ids: bool) -> None:
    thread = Thread()
    thread.take(*lines("a", "b", ids=ids))

    found = thread.take(*lines("a", "x", "b", ids=ids))

    assert found == {Outcome.UNCHANGED: 2, Outcome.NEW: 1}


def test_words_that_an_edit_left_behind_come_back_as_another_turn() -> None:
    thread = Thread()
    thread.take(*lines("yes"))
    thread.take(*lines("no"))

    assert thread.take(*lines("yes", "no")) == {Outcome.NEW: 1, Outcome.UNCHANGED: 1}
    assert len(thread.turns) == 2
