"""Chinese words for times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from graphmem.temporal.unit import (
    NOWHEN,
    Fixed,
    Meaning,
    Named,
    Relative,
    Unit,
    around,
    day,
    days,
    months,
    shifted,
    week,
    weekly,
    yearly,
    years,
)

_DAYS: Final = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "後": 2, "大后": 3}
_YEARS: Final = {"前": -2, "去": -1, "今": 0, "明": 1, "后": 2, "後": 2}
_WHICH: Final = {"上上": -2, "上": -1, "下": 1, "下下": 2}
_SCALES: Final = {
    "分钟": "minute", "小时": "hour", "天": "day", "日": "day", "周": "week", "星期": "week",
    "月": "month", "年": "year",
}  # fmt: skip
_DIGITS: Final = {
    "〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4,
    "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "日": 7, "天": 7,
}  # fmt: skip
_NUMBER: Final = r"\d{1,2}|[二三]?十[一二三四五六七八九]?|[一二两兩三四五六七八九]"
_YEAR: Final = (
    r"(?:(?P<year>[12]\d{3}|[一二][〇零一二三四五六七八九]{3})\s*年|(?P<that>[前去今明后後])年)"
)
_MONTH: Final = rf"(?P<month>{_NUMBER})\s*月(?:份)?"
_DATE: Final = rf"(?P<date>{_NUMBER})\s*[日号號]"
_WHICH_ONE: Final = r"(?P<which>上上|下下|上|下|这|這|本)(?:一)?个?"


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    if "十" in text:
        tens, ones = text.split("十")
        return 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)
    return int("".join(str(_DIGITS[digit]) for digit in text))


def _within(year: int, month: str | None, date: str | None) -> Unit:
    if month is None:
        return years(year)
    return day(year, _number(month), _number(date)) if date else months(year, _number(month))


def _year_first(match: re.Match[str]) -> Meaning:
    month, date = match["month"], match["date"]
    if match["year"]:
        return Fixed(_within(_number(match["year"]), month, date))
    offset = _YEARS[match["that"]]
    return Relative(lambda anchor: _within(anchor.year + offset, month, date))


def _month_first(match: re.Match[str]) -> Meaning:
    return yearly(lambda year: _within(year, match["month"], match["date"]))


def _day_word(match: re.Match[str]) -> Meaning:
    offset = _DAYS[match["word"] or match["near"]]
    return Relative(lambda anchor: days(anchor, offset))


def _which_week(match: re.Match[str]) -> Meaning:
    which, weekday = _WHICH.get(match["which"], 0), match["weekday"]
    if weekday == "末":
        return Relative(lambda anchor: around(anchor, which, "weekend"))
    if weekday:
        offset = _DIGITS[weekday] - 1
        return Relative(lambda anchor: days(week(anchor, which).start, offset))
    return Relative(lambda anchor: week(anchor, which))


def _which_month(match: re.Match[str]) -> Meaning:
    which, date = _WHICH.get(match["which"], 0), match["date"]

    def make(anchor: datetime) -> Unit:
        unit = around(anchor, which, "month")
        return day(unit.start.year, unit.start.month, _number(date)) if date else unit

    return Relative(make)


def _which_quarter(match: re.Match[str]) -> Meaning:
    which = _WHICH.get(match["which"], 0)
    return Relative(lambda anchor: around(anchor, which, "quarter"))


def _quarter(match: re.Match[str]) -> Meaning:
    first = 3 * _number(match["quarter"]) - 2
    if match["year"]:
        return Fixed(months(int(match["year"]), first, 3))
    return yearly(lambda year: months(year, first, 3))


def _distance(match: re.Match[str]) -> Meaning:
    back = match["way"].endswith("前")
    half = match["count"] == "半"  # a year
    scale = "month" if half else _SCALES[match["scale"]]
    steps = (6 if half else _number(match["count"])) * (-1 if back else 1)
    return Relative(lambda anchor: shifted(anchor, steps, scale), ahead=not back)


def _weekday(match: re.Match[str]) -> Meaning:
    return weekly(_DIGITS[match["weekday"]] - 1)


_RULES: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Meaning]], ...]] = (
    (re.compile(rf"(?<!\d){_YEAR}\s*(?:的?\s*{_MONTH}(?:\s*{_DATE})?)?"), _year_first),
    (re.compile(r"(?P<year>[12]\d{3})?(?:年)?第?(?P<quarter>[一二三四1-4])季度"), _quarter),
    (
        re.compile(
            rf"(?<!\d)(?P<count>半(?=年)|\d{{1,3}}|{_NUMBER})\s*个?"
            r"(?P<scale>分钟|小时|天|日|周|星期|(?<=个)月|年)(?P<way>之?[前后後]|以[前后後])"
        ),
        _distance,
    ),
    (re.compile(r"(?P<word>大前|大后|[前昨今明后後])[天日]|(?P<near>[昨今明])[晚早]"), _day_word),
    (
        re.compile(rf"{_WHICH_ONE}(?:周|週|星期|礼拜)(?P<weekday>[一二三四五六日天末])?"),
        _which_week,
    ),
    (re.compile(rf"{_WHICH_ONE}月(?:{_DATE})?"), _which_month),
    (re.compile(rf"{_WHICH_ONE}季度"), _which_quarter),
    (re.compile(rf"(?<![第\d]){_MONTH}(?:\s*{_DATE})?"), _month_first),
    (re.compile(r"(?<!每)(?:周|週|星期|礼拜)(?P<weekday>[一二三四五六日天])"), _weekday),
)

_TRIGGER: Final = re.compile(r"[年月日号號天周週拜期季晚早]|分钟|小时")


def chinese(text: str) -> Iterator[Named]:
    """Yield what names a time in ``text``; earlier ones win where two overlap."""
    if not _TRIGGER.search(text):
        return
    for pattern, build in _RULES:
        for match in pattern.finditer(text):
            try:
                meaning = build(match)
            except ValueError:  # 2月30日
                meaning = NOWHEN
            yield Named(match.start(), match.end(), meaning)
