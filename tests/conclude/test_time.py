"""Precision, coarse bounds, unknown times, and what is so for good."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from graphmem.model import Assertion, Authority, Edge
from graphmem.temporal import ALWAYS, FOREVER, Interval, Precision
from tests.conclude.ticks import PINNED, denies, ends, say, spans, told

DAY, MONTH, YEAR = Precision.DAY, Precision.MONTH, Precision.YEAR
MICROSECOND = timedelta(microseconds=1)


def on(month: int, day: int = 1, hour: int = 0) -> datetime:
    return datetime(2020, month, day, hour, tzinfo=UTC)


def at(said: datetime, value: str = "acme") -> Assertion:
    return replace(say(0, value), id=f"{value} {said}", said=said)


def since(said: datetime, start: datetime, precision: Precision, value: str = "acme") -> Assertion:
    return replace(at(said, value), start=start, start_precision=precision)


def until(said: datetime, end: datetime, precision: Precision, value: str = "acme") -> Assertion:
    return replace(at(said, value), end=end, end_precision=precision)


def gone(
    said: datetime, end: datetime, precision: Precision, value: str | None = "acme"
) -> Assertion:
    return replace(ends(0, value), id=f"end {said}", said=said, end=end, end_precision=precision)


def one(edges: list[Edge], value: str) -> Edge:
    (edge,) = (edge for edge in edges if edge.object_id == value)
    return edge


def test_bounds_keep_the_precision_they_were_told_with() -> None:
    edges = told(at(on(3, 5, 12), "beta"), since(on(9), on(6), MONTH))

    beta, acme = one(edges, "beta"), one(edges, "acme")
    assert beta.valid == Interval(on(3, 5, 12), on(6))
    assert (beta.start_precision, beta.end_precision) == (Precision.INSTANT, MONTH)
    assert acme.valid == Interval(on(6), FOREVER)
    assert (acme.start_precision, acme.end_precision) == (MONTH, Precision.UNKNOWN)


def test_a_denial_cuts_with_its_own_precision() -> None:
    denial = replace(
        denies(0, "acme"),
        said=on(9),
        start=on(4),
        start_precision=MONTH,
        end=on(5),
        end_precision=MONTH,
    )
    edges = told(since(on(8), on(1), YEAR), denial)
    early, late = sorted(edges, key=lambda edge: edge.valid)

    assert (early.valid.end, early.end_precision) == (on(4), MONTH)
    assert (late.valid.start, late.start_precision) == (on(5), MONTH)


def test_the_finest_of_two_words_for_one_bound_is_kept() -> None:
    (edge,) = told(since(on(8), on(1), YEAR), since(on(9), on(1), DAY))

    assert edge.start_precision is DAY


def test_a_bound_that_was_not_told_is_as_exact_as_the_time_of_the_words() -> None:
    coarse = replace(at(on(3, 5)), start_precision=DAY)
    (edge,) = told(coarse)

    assert (edge.valid.start, edge.start_precision) == (on(3, 5), DAY)


def test_until_holds_for_the_last_unit_and_reaches_back_to_what_was_taken() -> None:
    edges = told(at(on(2), "beta"), until(on(9), on(6), MONTH))

    assert one(edges, "beta").valid == Interval(on(2), on(5))
    assert one(edges, "acme").valid == Interval(on(5), on(6))
    alone = one(told(until(on(9), on(6), MONTH)), "acme")
    assert alone.valid == Interval(ALWAYS, on(6))
    assert (alone.start_precision, alone.end_precision) == (Precision.UNKNOWN, MONTH)


def test_until_reaches_back_to_what_was_denied() -> None:
    denial = replace(denies(0, "acme"), said=on(10), end=on(2), end_precision=MONTH)

    assert one(told(until(on(9), on(6), MONTH), denial), "acme").valid == Interval(on(2), on(6))


def test_an_end_told_later_shortens_until_to_a_unit_of_its_own() -> None:
    edges = told(at(on(2), "beta"), until(on(9), on(6), MONTH), gone(on(10), on(5, 3), DAY))

    assert one(edges, "acme").valid == Interval(on(5, 2), on(5, 3))
    assert one(edges, "beta").valid == Interval(on(2), on(5, 2))


def test_a_coarse_start_moves_to_just_after_the_last_rival_said_inside_it() -> None:
    edges = told(at(on(6, 10), "beta"), at(on(3), "beta"), since(on(12), on(1), YEAR))

    after = on(6, 10) + MICROSECOND
    assert one(edges, "beta").valid == Interval(on(3), after)
    assert one(edges, "acme").valid == Interval(after, FOREVER)
    assert one(edges, "acme").start_precision is YEAR


def test_a_coarse_start_stays_when_the_rival_spoke_later_or_lower() -> None:
    later = told(since(on(5), on(1), YEAR), at(on(8), "beta"))
    assert one(later, "acme").valid == Interval(on(1), on(8))

    guess = replace(at(on(3), "beta"), authority=Authority.ASSISTANT)
    assert one(told(guess, since(on(5), on(1), YEAR)), "acme").valid == Interval(on(1), FOREVER)


def test_a_coarse_start_moves_to_where_an_until_inside_it_ended() -> None:
    edges = told(until(on(7), on(6), MONTH, "beta"), since(on(12), on(1), YEAR))

    assert one(edges, "beta").valid == Interval(ALWAYS, on(6))
    assert one(edges, "acme").valid == Interval(on(6), FOREVER)


def test_a_coarse_end_stands_at_its_earliest_instant() -> None:
    edge = one(told(at(on(3)), gone(on(9), on(6), MONTH)), "acme")

    assert (edge.valid, edge.end_precision) == (Interval(on(3), on(6)), MONTH)


def test_a_coarse_end_lies_after_the_last_mention_inside_it() -> None:
    morning, evening = on(6, 10, 9), on(6, 10, 18)
    for value in ("acme", None):
        edges = told(at(morning), gone(evening, on(6, 10), DAY, value))
        assert one(edges, "acme").valid == Interval(morning, morning + MICROSECOND)
        assert one(edges, "acme").end_precision is DAY


def test_a_coarse_end_of_any_value_spares_the_value_that_began_inside_it() -> None:
    edges = told(at(on(3)), at(on(6, 20), "beta"), gone(on(7), on(6), MONTH, None))

    assert one(edges, "acme").valid == Interval(on(3), on(6))
    assert one(edges, "beta").valid == Interval(on(6, 20), FOREVER)


def test_a_coarse_end_of_any_value_ends_the_one_that_began_first_inside_it() -> None:
    edges = told(at(on(6, 10)), at(on(6, 20), "beta"), gone(on(7), on(6), MONTH, None))

    assert one(edges, "acme").valid == Interval(on(6, 10), on(6, 10) + MICROSECOND)
    assert one(edges, "beta").valid == Interval(on(6, 20), FOREVER)


def test_an_undated_word_never_becomes_now() -> None:
    assert spans(told(say(None, "paris"), say(24, "rome"), ends(30, "rome"))) == {
        "paris": [(None, 24)],
        "rome": [(24, 30)],
    }


def test_of_undated_rivals_the_last_in_order_is_presumed() -> None:
    edges = told(say(None, "paris", id="1"), say(None, "rome", id="2"))

    assert spans(edges) == {"rome": [(None, None)]}


def test_an_undated_end_acts_on_undated_statements_only() -> None:
    undated = ends(None, "paris")

    assert told(say(None, "paris"), undated) == []
    assert spans(told(say(10, "paris"), undated)) == {"paris": [(10, None)]}
    assert told(say(None, "paris"), denies(None, "paris")) == []
    assert spans(told(say(10, "paris"), denies(None, "paris", by=PINNED))) == {
        "paris": [(10, None)]
    }


def test_an_end_at_an_unknown_time_leaves_what_was_stated() -> None:
    edges = told(say(None, "paris", since=5), ends(None, "paris"))

    assert spans(edges) == {"paris": [(5, 6)]}


def test_an_undated_until_reaches_back_from_its_end() -> None:
    edges = told(say(None, "paris", until=12), say(4, "rome", since=2, until=8))

    assert spans(edges) == {"rome": [(2, 8)], "paris": [(8, 12)]}


def test_words_of_one_instant_follow_their_place_in_the_thread() -> None:
    first = replace(say(10, "tea", relation="drinks"), thread_id="t", sequence=1)
    stopped = replace(ends(10, "tea", relation="drinks"), thread_id="t", sequence=2)

    assert told(first, stopped) == []
    again = replace(stopped, sequence=0)
    assert spans(told(first, again)) == {"tea": [(10, None)]}
    elsewhere = replace(stopped, thread_id="u")
    assert spans(told(first, elsewhere)) == {"tea": [(10, None)]}


def test_of_what_is_so_for_good_the_last_word_wins_for_all_time() -> None:
    edges = told(
        say(10, "rome", relation="born in"),
        say(12, "oslo", relation="born in"),
        say(13, "bonn", relation="born in", by=Authority.ASSISTANT),
    )

    assert spans(edges) == {"oslo": [(None, None)]}
    assert spans(edges, contested=True) == {"bonn": [(None, None)]}


def test_what_is_so_for_good_keeps_its_stated_start_and_never_ends() -> None:
    parent = say(10, "ben", relation="parent of", since=4)
    mention = say(12, "ben", relation="parent of")

    assert spans(told(parent, mention, ends(20, "ben", relation="parent of"))) == {
        "ben": [(4, None)]
    }
    assert told(parent, denies(20, "ben", relation="parent of")) == []


def test_one_to_one_for_good_gives_each_end_to_the_last_word() -> None:
    edges = told(
        *(
            say(said, team, subject=animal, relation="mascot of")
            for said, animal, team in (
                (10, "owl", "reds"),
                (11, "fox", "blues"),
                (12, "owl", "blues"),
            )
        )
    )

    assert {(e.subject_id, e.object_id) for e in edges} == {("owl", "blues")}


def test_times_at_the_ends_of_the_calendar_are_survived() -> None:
    last = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)

    assert told(replace(say(10, "a"), start=last, start_precision=DAY)) == []
    assert told(replace(say(10, "a"), end=ALWAYS, end_precision=DAY)) == []
    assert told(replace(say(10, "rome", relation="visited"), start=last)) == []
    (edge,) = told(replace(say(10, "a"), start=ALWAYS, start_precision=YEAR))
    assert edge.valid == Interval(ALWAYS, FOREVER)
