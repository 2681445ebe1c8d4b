import unicodedata
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ingest.identity import content_hash, content_key, episode_id, episode_ids
from graphmem.ingest.readers import RawTurn
from graphmem.model import Episode, EpisodeKind, Source
from graphmem.temporal import FOREVER, Interval, Precision

NOON = datetime(2025, 1, 1, 12, tzinfo=UTC)
TURN = RawTurn(
    record="chat.jsonl:1",
    source=Source("jsonl", "chat.jsonl", None),
    thread_id="t",
    speaker="Zoë",
    role="user",
    kind=EpisodeKind.MESSAGE,
    text="Café?",
    occurred_at=NOON,
    occurred_precision=Precision.INSTANT,
)
EPISODE = Episode(
    id="e",
    group_id="g",
    thread_id="t",
    sequence=1024,
    speaker=TURN.speaker,
    role=TURN.role,
    kind=TURN.kind,
    text=TURN.text,
    occurred_at=TURN.occurred_at,
    occurred_precision=TURN.occurred_precision,
    reply_to=None,
    mentions=(),
    source=TURN.source,
    version=1,
    edited_at=None,
    content_hash="",
    expires_at=None,
    recorded=Interval(NOON, FOREVER),
)
names = st.text(min_size=1, max_size=3)


def ids(*texts: str, taken: frozenset[str] = frozenset()) -> list[str]:
    keys = [content_key(replace(TURN, text=text)) for text in texts]
    return episode_ids("g", "jsonl", "t", keys, taken=taken)


@given(st.tuples(names, names, names, names), st.tuples(names, names, names, names))
def test_ids_differ_unless_all_parts_are_the_same(
    one: tuple[str, str, str, str], other: tuple[str, str, str, str]
) -> None:
    normal = [[unicodedata.normalize("NFC", part) for part in parts] for parts in (one, other)]

    assert (episode_id(*one) == episode_id(*other)) == (normal[0] == normal[1])


def test_the_same_id_in_another_normal_form_is_the_same_turn() -> None:
    composed, apart = (unicodedata.normalize(form, "Café") for form in ("NFC", "NFD"))

    assert episode_id("g", "f", composed, "1") == episode_id("g", "f", apart, "1")
    assert ids(composed) == ids(apart)


def test_ids_are_the_same_forever() -> None:
    assert episode_id("g", "chatgpt", "c-aaaa", "u1") == "ep_981488610295d40e4e3baead4a95b98c"
    assert ids("Hi") == ["ep_ff817a8221f0bb4c085577565a75606b"]


def test_equal_turns_without_ids_get_ids_of_their_own() -> None:
    found = ids("ok", "yes", "ok", "ok")

    assert len(set(found)) == 4
    assert found[:2] == ids("ok", "yes")


def test_an_id_that_an_edited_turn_still_has_is_not_given_again() -> None:
    (first,) = ids("ok")

    assert ids("ok", taken=frozenset([first])) == [ids("ok", "ok")[1]]


def test_many_equal_turns_are_named_in_linear_time() -> None:
    taken = frozenset(ids(*["ok"] * 5000))

    assert not taken & set(ids(*["ok"] * 5000, taken=taken))


def test_a_record_and_its_episode_have_the_same_content() -> None:
    assert content_hash(TURN) == content_hash(EPISODE)
    assert content_key(TURN) == content_key(EPISODE)


@pytest.mark.parametrize(
    "changed",
    [
        replace(TURN, text="Café!"),
        replace(TURN, text="café?"),
        replace(TURN, speaker=None),
        replace(TURN, role="assistant"),
        replace(TURN, kind=EpisodeKind.OFF_BRANCH),
        replace(TURN, occurred_at=None),
        replace(TURN, occurred_precision=Precision.MINUTE),
        replace(TURN, reply_to="e0"),
        replace(TURN, mentions=("Ann",)),
        replace(TURN, expires_at=NOON),
    ],
)
def test_what_matters_changes_the_hash(changed: RawTurn) -> None:
    assert content_hash(changed) != content_hash(TURN)


@pytest.mark.parametrize(
    "same",
    [
        replace(TURN, text=unicodedata.normalize("NFD", "Café?")),
        replace(TURN, speaker=unicodedata.normalize("NFD", "Zoë")),
        replace(TURN, record="other.jsonl:7", source=Source("jsonl", "other.jsonl", None)),
        replace(TURN, edited_at=NOON),
    ],
)
def test_where_it_stood_and_how_it_was_typed_do_not(same: RawTurn) -> None:
    assert content_hash(same) == content_hash(TURN)
