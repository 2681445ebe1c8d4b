import time
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.ingest.align import Alignment, align
from graphmem.ingest.identity import ContentKey

NOON = datetime(2025, 1, 1, 12, tzinfo=UTC)


def key(text: str, speaker: str = "Ann", at: datetime | None = None) -> ContentKey:
    return ContentKey(speaker, "user", text, at)


def stored(*keys: ContentKey) -> list[tuple[str, ContentKey]]:
    return [(f"e{n}", found) for n, found in enumerate(keys)]


def words(text: str) -> list[ContentKey]:
    """Return one turn a letter."""
    return [key(letter) for letter in text]


def aligned(old: str, new: str) -> Alignment:
    return align(stored(*words(old)), words(new))


few = st.text(alphabet="abc", max_size=12)
threads = st.lists(st.builds(key, st.sampled_from("abcde"), st.sampled_from(["Ann", "Ben"])))


@given(threads)
def test_a_thread_is_itself(keys: list[ContentKey]) -> None:
    assert align(stored(*keys), keys) == Alignment(tuple(f"e{n}" for n in range(len(keys))), ())


@given(threads, threads, st.integers(0, 12))
def test_an_insertion_is_new_and_shifts_nothing(
    keys: list[ContentKey], more: list[ContentKey], place: int
) -> None:
    found = align(stored(*keys), [*keys[:place], *more, *keys[place:]])

    assert not found.missing
    assert [id for id in found.ids if id] == [f"e{n}" for n in range(len(keys))]


@given(threads, st.integers(0, 12), st.integers(1, 4))
def test_a_removal_is_missing_and_shifts_nothing(
    keys: list[ContentKey], place: int, count: int
) -> None:
    found = align(stored(*keys), [*keys[:place], *keys[place + count :]])

    assert None not in found.ids
    assert len(found.missing) == len(keys[place : place + count])


@given(threads.filter(bool), st.data())
def test_one_edit_is_a_version_of_the_turn_in_its_place(
    keys: list[ContentKey], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(keys) - 1))
    edited = [*keys[:place], keys[place]._replace(text="edited"), *keys[place + 1 :]]

    assert align(stored(*keys), edited) == align(stored(*keys), keys)


@given(threads, threads)
def test_matches_are_of_one_speaker_each_once_and_never_cross(
    old: list[ContentKey], new: list[ContentKey]
) -> None:
    found = align(stored(*old), new)

    places = [int(id[1:]) for id in found.ids if id]
    assert places == sorted(set(places))
    assert sorted([*places, *(int(id[1:]) for id in found.missing)]) == list(range(len(old)))
    matched = [(id, incoming) for id, incoming in zip(found.ids, new, strict=True) if id]
    assert all(old[int(id[1:])].place == incoming.place for id, incoming in matched)


@given(few, few)
def test_what_both_sides_have_around_a_change_is_matched(old: str, new: str) -> None:
    found = aligned(f"x{old}y", f"x{new}y")

    assert (found.ids[0], found.ids[-1]) == ("e0", f"e{len(old) + 1}")


def test_equal_turns_are_matched_in_order() -> None:
    assert aligned("aab", "aaab").ids == ("e0", "e1", None, "e2")
    assert aligned("xaxbx", "xaxxbx").ids == ("e0", "e1", "e2", None, "e3", "e4")


def test_appended_and_edited_at_once() -> None:
    assert aligned("abcd", "abXdefg") == Alignment(("e0", "e1", "e2", "e3", None, None, None), ())


def test_the_last_turn_edited_and_more_appended() -> None:
    assert aligned("abc", "abXde") == Alignment(("e0", "e1", "e2", None, None), ())


def test_another_speaker_is_another_turn() -> None:
    found = align(stored(key("a"), key("b"), key("c")), [key("a"), key("B", "Ben"), key("c")])

    assert found == Alignment(("e0", None, "e2"), ("e1",))


def test_an_edit_is_found_by_its_time_beside_a_new_turn() -> None:
    old = [key("a", at=NOON), key("c", at=NOON + timedelta(hours=2))]
    new = [key("b", at=NOON + timedelta(hours=1)), key("C", at=NOON + timedelta(hours=2))]

    assert align(stored(*old), new) == Alignment((None, "e1"), ("e0",))


def test_the_same_words_in_another_zone_are_the_same_turn() -> None:
    later = [key("a", at=NOON + timedelta(hours=8))]

    assert align(stored(key("a", at=NOON)), later) == Alignment(("e0",), ())


def test_a_long_thread_with_many_equal_lines_is_aligned_fast() -> None:
    old = [key("ok" if n % 3 else f"line {n}") for n in range(30_000)]
    new = [key("first"), *old[:10], key("edited"), *old[11:], key("last")]

    started = time.process_time()
    found = align(stored(*old), new)

    assert time.process_time() - started < 5
    assert [n for n, id in enumerate(found.ids) if id is None] == [0, 30_001]
    assert found.missing == ()


def test_a_thread_of_equal_lines_is_aligned_fast() -> None:
    old = words("a") * 4000 + words("b") + words("a") * 4000
    new = words("b") + words("a") * 7000 + words("b")

    started = time.process_time()
    align(stored(*old), new)

    assert time.process_time() - started < 5
