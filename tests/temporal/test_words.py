from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.temporal import Precision
from graphmem.temporal.words import TimeRole, TimeSpan, find_times

SAID = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)  # a Wednesday


Lean = Literal["past", "future"]


def only(text: str, *, lean: Lean | None = None) -> TimeSpan:
    spans = find_times(text, SAID, lean=lean)
    assert len(spans) == 1, (text, spans)
    return spans[0]


def written(instant: datetime, precision: Precision) -> str:
    width = {Precision.YEAR: 4, Precision.MONTH: 7, Precision.DAY: 10}.get(precision, 16)
    return instant.strftime("%Y-%m-%dT%H:%M")[:width]


def shown(span: TimeSpan) -> str:
    return f"{span.role} {written(*span.at)}"


# from acceptance A12: an old log, resolved against the turn's own time
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We shipped it yesterday", "at 2024-05-14"),
        ("We shipped it last Friday", "at 2024-05-10"),
        ("We shipped it two weeks ago", "at 2024-05-01"),
        ("She has led Atlas since April", "since 2024-04"),
        ("He leads Atlas until June 2024", "until 2024-06"),
    ],
)
def test_relative_words_resolve_against_the_time_they_were_said(text: str, expected: str) -> None:
    assert shown(only(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", "at 2024-05-15"),
        ("tomorrow morning", "at 2024-05-16"),
        ("the day before yesterday", "at 2024-05-13"),
        ("the day after tomorrow", "at 2024-05-17"),
        ("last night", "at 2024-05-14"),
        ("this morning", "at 2024-05-15"),
        ("tonight", "at 2024-05-15"),
        ("this Friday", "at 2024-05-17"),
        ("next Friday", "at 2024-05-24"),
        ("last Wednesday", "at 2024-05-08"),
        ("next Wednesday", "at 2024-05-22"),
        ("Friday last week", "at 2024-05-10"),
        ("next week on Tuesday", "at 2024-05-21"),
        ("in three days", "at 2024-05-18"),
        ("in 2 weeks", "at 2024-05-29"),
        ("in a month", "at 2024-06"),
        ("in two years' time", "at 2026"),
        ("ten minutes ago", "at 2024-05-15T14:20"),
        ("an hour ago", "at 2024-05-15T13:30"),
        ("3 months ago", "at 2024-02"),
        ("six years ago", "at 2018"),
        ("a couple of days ago", "at 2024-05-13"),
        ("last week", "at 2024-05-06"),
        ("this week", "at 2024-05-13"),
        ("next weekend", "at 2024-05-25"),
        ("last month", "at 2024-04"),
        ("next month", "at 2024-06"),
        ("this year", "at 2024"),
        ("last year", "at 2023"),
        ("last quarter", "at 2024-01"),
        ("by the end of the month", "due 2024-05"),
        ("last March", "at 2024-03"),
        ("last June", "at 2023-06"),
        ("last May", "at 2023-05"),
        ("next March", "at 2025-03"),
        ("in March", "during 2024-03"),
        ("in December", "during 2023-12"),
        ("on 3 June", "at 2024-06-03"),
        ("on June 3rd", "at 2024-06-03"),
        ("on the 20th", "at 2024-05-20"),
        ("on Monday", "at 2024-05-13"),
        ("on Fri", "at 2024-05-17"),
        ("starting Monday", "since 2024-05-20"),
        ("as of May 1", "since 2024-05-01"),
        ("effective 1 June", "since 2024-06-01"),
        ("since Monday", "since 2024-05-13"),
        ("ever since last year", "since 2023"),
        ("since the end of March", "since 2024-03"),
        ("until June", "until 2024-06"),
        ("until March", "until 2025-03"),
        ("through June", "until 2024-07"),
        ("until the end of June", "until 2024-07"),
        ("before June", "before 2024-06"),
        ("after 5 May", "after 2024-05-05"),
        ("due by Friday", "due 2024-05-17"),
    ],
)
def test_words_that_need_the_time_of_the_turn(text: str, expected: str) -> None:
    assert shown(only(f"It is so {text}.")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in March 2023", "during 2023-03"),
        ("on 3 January 2025", "at 2025-01-03"),
        ("on the 3rd of January, 2025", "at 2025-01-03"),
        ("on January 3, 2025", "at 2025-01-03"),
        ("on 2024-03-05", "at 2024-03-05"),
        ("on 2024/3/5", "at 2024-03-05"),
        ("on 2024-03-05 at 10:30", "at 2024-03-05T10:30"),
        ("at 2024-03-05T10:30:00Z", "at 2024-03-05T10:30"),
        ("at 2024-03-05T10:30+02:00", "at 2024-03-05T08:30"),
        ("on 5 May 2024 at 5:15 pm", "at 2024-05-05T17:15"),
        ("in 2022", "during 2022"),
        ("in 2024-03", "during 2024-03"),
        ("in Q3 2024", "during 2024-07"),
        ("Q3 2024", "at 2024-07"),
        ("in the 1990s", "during 1990"),
        ("since mid-2023", "since 2023"),
        ("through 1929", "until 1930"),
        ("until June 2024", "until 2024-06"),
        ("from 2019", "since 2019"),
        ("5 May 2024 onwards", "since 2024-05-05"),
    ],
)
def test_absolute_times_need_no_anchor(text: str, expected: str) -> None:
    sentence = f"It is so {text}."

    assert [shown(span) for span in find_times(sentence, None)] == [expected]
    assert [shown(span) for span in find_times(sentence, SAID)] == [expected]


@pytest.mark.parametrize(
    ("text", "start", "to"),
    [
        ("from March to May 2024", "2024-03", "2024-06"),
        ("from March until May 2024", "2024-03", "2024-05"),
        ("from November to February 2024", "2023-11", "2024-03"),
        ("from March 2024 to May", "2024-03", "2024-06"),
        ("from 2019 to 2021", "2019", "2022"),
        ("from 1920 through 1929", "1920", "1930"),
        ("(2019–2021)", "2019", "2022"),
        ("between March and May 2023", "2023-03", "2023-06"),
        ("5 May 2024 - 7 May 2024", "2024-05-05", "2024-05-08"),
        ("从2024年3月到5月", "2024-03", "2024-06"),
        ("2023年3月至2024年5月", "2023-03", "2024-06"),
    ],
)
def test_two_ends_make_one_stretch(text: str, start: str, to: str) -> None:
    (span,) = find_times(f"She led it {text}.", None)

    assert span.role is TimeRole.DURING
    assert (written(*span.at), written(*span.to)) == (start, to)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天开会", "at 2024-05-15"),
        ("昨天开会", "at 2024-05-14"),
        ("明天开会", "at 2024-05-16"),
        ("前天开会", "at 2024-05-13"),
        ("大后天开会", "at 2024-05-18"),
        ("昨晚开会", "at 2024-05-14"),
        ("上周发布", "at 2024-05-06"),
        ("下周发布", "at 2024-05-20"),
        ("上周五发布", "at 2024-05-10"),
        ("下星期三发布", "at 2024-05-22"),
        ("上个月发布", "at 2024-04"),
        ("下个月5号发布", "at 2024-06-05"),
        ("去年发布", "at 2023"),
        ("今年发布", "at 2024"),
        ("去年三月发布", "at 2023-03"),
        ("三天前发布", "at 2024-05-12"),
        ("两周前发布", "at 2024-05-01"),
        ("三个月后发布", "at 2024-08"),
        ("半年前发布", "at 2023-11"),
        ("2024年3月5日发布", "at 2024-03-05"),
        ("2024年3月发布", "at 2024-03"),
        ("二〇二四年五月发布", "at 2024-05"),
        ("3月5日发布", "at 2024-03-05"),
        ("十二月二十五日发布", "at 2023-12-25"),
        ("2024年第一季度发布", "at 2024-01"),
        ("从三月起负责", "since 2024-03"),
        ("自2024年3月以来负责", "since 2024-03"),
        ("从2024-03-05开始负责", "since 2024-03-05"),
        ("直到2024年6月负责", "until 2024-06"),
        ("到2024年6月为止负责", "until 2024-06"),
        ("2024年6月之前负责", "before 2024-06"),
        ("推迟到6月", "due 2024-06"),
        ("3月后端重构", "at 2024-03"),
    ],
)
def test_chinese_words(text: str, expected: str) -> None:
    assert shown(only(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "May I ask?",
        "It may march on",
        "This may fail and this march is long",
        "Wait a second",
        "She sat down in the sun",
        "Jan leads Atlas with April and June",
        "On 5/3/2024 or 05.03.2024",
        "The call is at 5pm",
        "We keep 2000 files in 2000 folders",
        "Room 2024, SR-2023-052, v2024.3 and 2024-13",
        "every Friday, and on Black Friday",
        "two days after 5 May",
        "since Friday is a holiday",
        "31 June 2024",
        "recently, a few days ago, now, currently",
        "",
        "每周五开会",
    ],
)
def test_other_senses_name_no_time(text: str) -> None:
    assert find_times(text, SAID) == []


@pytest.mark.parametrize(
    "text", ["yesterday", "last Friday", "in June", "on Monday", "上周五", "3月"]
)
def test_without_an_anchor_relative_words_give_nothing(text: str) -> None:
    assert find_times(f"It was {text}", None) == []


def test_a_lean_says_which_of_several_days_is_meant() -> None:
    assert shown(only("on Friday", lean="past")) == "at 2024-05-10"
    assert shown(only("on Friday", lean="future")) == "at 2024-05-17"
    assert shown(only("in June", lean="past")) == "during 2023-06"
    assert shown(only("until March", lean="past")) == "until 2024-03"


def test_after_a_past_verb_in_three_days_is_how_long_it_took() -> None:
    assert find_times("we built it in three days", SAID, lean="past") == []


def test_a_week_has_day_precision_and_ends_after_seven_days() -> None:
    span = only("last week")

    assert span.at == (datetime(2024, 5, 6, tzinfo=UTC), Precision.DAY)
    assert span.to == (datetime(2024, 5, 13, tzinfo=UTC), Precision.DAY)


def test_offsets_hold_the_words_with_their_preposition() -> None:
    text = "Ann has led Atlas since April, and Ben left on 2024-05-01 at 10:00."

    words = [text[span.start : span.end] for span in find_times(text, SAID)]
    assert words == ["since April", "on 2024-05-01 at 10:00"]


def test_an_anchor_in_another_zone_counts_in_utc() -> None:
    late = datetime(2024, 5, 15, 23, 30, tzinfo=timezone(timedelta(hours=-5)))

    (span,) = find_times("yesterday", late)
    assert span.at.instant == datetime(2024, 5, 15, tzinfo=UTC)


def test_a_naive_anchor_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no time zone"):
        find_times("yesterday", datetime(2024, 5, 15))


@pytest.mark.parametrize("text", ["10 years ago", "last year", "in 9000 years", "in 9999", "昨天"])
def test_the_edges_of_the_calendar_raise_nothing(text: str) -> None:
    for anchor in (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC)):
        assert len(find_times(text, anchor)) <= 1


@given(st.text(max_size=60), st.datetimes(timezones=st.just(UTC)))
def test_any_text_gives_ordered_spans_inside_it(text: str, anchor: datetime) -> None:
    spans = find_times(text, anchor)

    bounds = [bound for span in spans for bound in (span.start, span.end)]
    assert bounds == sorted(bounds)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(span.at.instant <= span.to.instant for span in spans)
