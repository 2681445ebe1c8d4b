"""English words for times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from graphmem.temporal.unit import (
    NOWHEN,
    Fixed,
    Floating,
    Meaning,
    Named,
    Relative,
    Unit,
    around,
    day,
    days,
    monthly,
    months,
    pick,
    shifted,
    week,
    weekly,
    yearly,
    years,
)

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERS: Final = (
    "one", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_DOUBTFUL: Final = ("may", "mar", "march")  # as written: words of other senses

_MONTH: Final = (
    r"(?P<month>(?:january|february|march|april|may|june?|july?|august|september|october|november"
    r"|december)\b|(?:jan|feb|mar|apr|aug|sept?|oct|nov|dec)\b\.?)"
)
_WEEKDAY: Final = r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
_SHORT_WEEKDAY: Final = r"(?P<weekday>(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun))\b\.?"
_COUNT: Final = rf"(?P<count>\d{{1,4}}|(?:a\s+)?couple(?:\s+of)?|an?|{'|'.join(_NUMBERS)})"
_LENGTHS: Final = r"(?P<scale>minute|hour|day|week|month|year)s?"
_THIS: Final = r"\b(?P<which>last|previous|this|current|next|coming|upcoming)\s+"
_PART_OF_DAY: Final = r"(?:\s+(?:morning|afternoon|evening|night))?"
_YEAR: Final = r"(?P<year>[12]\d{3})(?!\w|[.,:]\d|\s*%|\s+(?:people|percent)\b)"
# a plural or a measure after four bare digits makes them a count: "in 2000 files"
_BARE_YEAR: Final = (
    _YEAR + r"(?!\s*(?:[kmg]b|ms|km|px|usd|eur|gbp|rpm)\b|\s+(?!(?:as|was|is|has|this|his|its|thus"
    r"|plus|versus|always|perhaps|onwards|besides)\b)[a-z]+s\b)"
)


def _month(match: re.Match[str]) -> int:
    return _MONTHS.index(match["month"][:3].lower()) + 1


def _weekday(match: re.Match[str]) -> int:
    return _WEEKDAYS.index(match["weekday"][:3].lower())


def _which(match: re.Match[str]) -> int:
    word = match["which"].lower()
    return {"last": -1, "previous": -1, "next": 1, "coming": 1, "upcoming": 1}.get(word, 0)


def _count(match: re.Match[str]) -> int:
    word = match["count"].lower()
    if word.isdecimal():
        return int(word)
    return _NUMBERS.index(word) + 1 if word in _NUMBERS else 1 + ("couple" in word)


def _iso_day(match: re.Match[str]) -> Meaning:
    return Fixed(day(int(match["year"]), int(match["number"]), int(match["date"])))


def _iso_month(match: re.Match[str]) -> Meaning | None:
    number = int(match["number"])
    return Fixed(months(int(match["year"]), number)) if 1 <= number <= 12 else None


def _month_day(match: re.Match[str]) -> Meaning | None:
    month, date = _month(match), int(match["date"])
    if match["year"]:
        return Fixed(day(int(match["year"]), month, date))
    if match["month"] in _DOUBTFUL and match.start("month") < match.start("date"):
        return None  # "we may 5 times"
    return yearly(lambda year: day(year, month, date))


def _month_year(match: re.Match[str]) -> Meaning:
    return Fixed(months(int(match["year"]), _month(match)))


def _month_alone(match: re.Match[str]) -> Meaning:
    month = _month(match)
    return yearly(lambda year: months(year, month))


def _day_word(match: re.Match[str]) -> Meaning:
    word = " ".join(match[0].lower().split())
    if "before yesterday" in word or "after tomorrow" in word:
        offset = -2 if "before" in word else 2
    else:
        offset = ("tomorrow" in word) - ("yesterday" in word or word == "last night")
    return Relative(lambda anchor: days(anchor, offset))


def _which_weekday(match: re.Match[str]) -> Meaning:
    weekday, which = _weekday(match), _which(match)
    if which < 0 and "week" not in match.groupdict():
        return Relative(lambda anchor: days(anchor, (weekday - anchor.weekday()) % -7 or -7))
    return Relative(lambda anchor: days(week(anchor, which).start, weekday))


def _which_month(match: re.Match[str]) -> Meaning | None:
    if match["month"] in _DOUBTFUL:  # "this may fail"
        return None
    month, which = _month(match), _which(match)

    def make(anchor: datetime) -> Unit | None:
        found = [months(anchor.year + offset, month) for offset in (-1, 0, 1)]
        if which == 0:
            return found[1]
        others = [unit for unit in found if not unit.start <= anchor < unit.after]
        return pick(others, anchor, "past" if which < 0 else "after")

    return Relative(make)


def _which_unit(match: re.Match[str]) -> Meaning:
    scale, which = match["scale"].lower(), _which(match)
    return Relative(lambda anchor: around(anchor, which, scale))


def _ago(match: re.Match[str]) -> Meaning:
    count, scale = _count(match), match["scale"].lower()
    return Relative(lambda anchor: shifted(anchor, -count, scale))


def _ahead(match: re.Match[str]) -> Meaning:
    # with a past verb it is a duration: "we built it in three days"
    count, scale = _count(match), match["scale"].lower()
    return Relative(lambda anchor: shifted(anchor, count, scale), ahead=True)


def _part_of_year(match: re.Match[str]) -> Meaning:
    size = 3 if match["part"][0] in "qQ" else 6
    first = 1 + size * (int(match["part"][1]) - 1)
    if year := match["before"] or match["after"]:
        return Fixed(months(int(year), first, size))
    return yearly(lambda year: months(year, first, size))


class _Rule(NamedTuple):
    """``needs``: words (see ``_SIGNS``) without all of which the pattern cannot match."""

    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    build: Callable[[re.Match[str]], Meaning | None]
    cued: bool


def _rule(
    needs: str,
    pattern: str,
    build: Callable[[re.Match[str]], Meaning | None],
    *,
    cued: bool = False,
) -> _Rule:
    compiled = re.compile(pattern, re.IGNORECASE | re.ASCII)
    return _Rule(tuple(needs.split()), compiled, build, cued)


_SIGNS: Final = {
    "digit": tuple("0123456789"),
    "month": _MONTHS,
    "weekday": _WEEKDAYS,
    "which": ("last", "previous", "this", "current", "next", "coming"),
    "scale": ("minute", "hour", "day", "week", "month", "quarter", "year"),
    "day": ("yesterday", "today", "tomorrow", "night", "morning", "noon", "evening"),
    "ago": (" ago", " back"),
    "from": ("from now", "from today"),
    "of": ("of the",),
    "in": ("in ",),
    "s": ("0s",),
    "part": ("q", "h1", "h2"),
    "week": ("week",),
}
"""Parts of lower-case words; looking for them costs far less than a search by pattern."""

# Earlier rules win where two match the same words.
_RULES: Final = (
    _rule(
        "digit",
        r"(?<![\w./-])(?P<year>[12]\d{3})([-/])(?P<number>\d{1,2})\2(?P<date>\d{1,2})"
        r"(?!\d|-|[./]\d)",
        _iso_day,
    ),
    _rule(
        "digit", r"(?<![\w./-])(?P<year>[12]\d{3})-(?P<number>\d{2})(?![\w-]|[./]\d)", _iso_month
    ),
    _rule(
        "digit month",
        r"(?<![\w.,/–-])(?:the\s+)?(?P<date>\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+"
        rf"{_MONTH}(?:[,\s-]+{_YEAR})?",
        _month_day,
    ),
    _rule(
        "digit month",
        rf"\b{_MONTH}\s+(?:the\s+)?(?P<date>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:%]|[.,]\d)"
        rf"(?:,?\s+{_YEAR})?",
        _month_day,
    ),
    _rule("digit month", rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}", _month_year),
    _rule(
        "day",
        r"\bthe\s+day\s+(?:before\s+yesterday|after\s+tomorrow)\b|\blast\s+night\b|\btonight\b"
        r"|\bthis\s+(?:morning|afternoon|evening)\b"
        rf"|\b(?:(?:earlier|later)\s+)?(?:today|yesterday|tomorrow)\b{_PART_OF_DAY}",
        _day_word,
    ),
    _rule(
        "weekday which week", rf"\b{_WEEKDAY}\s+(?:of\s+)?{_THIS}(?P<week>week)\b", _which_weekday
    ),
    _rule(
        "weekday which week",
        rf"{_THIS}(?P<week>week)(?:['’]s)?\s+(?:on\s+)?{_WEEKDAY}",
        _which_weekday,
    ),
    _rule("weekday which", _THIS + _WEEKDAY + _PART_OF_DAY, _which_weekday),
    _rule("weekday which", _THIS + _SHORT_WEEKDAY, _which_weekday),
    _rule("month which", rf"{_THIS}{_MONTH}", _which_month),
    _rule(
        "which scale",
        _THIS + r"(?P<scale>weekend|week|month|quarter|year)\b(?!\s+of\b)",
        _which_unit,
    ),
    _rule(
        "of scale",
        r"(?<=\bof )(?P<which>the) (?P<scale>week|month|quarter|year)\b(?! of\b)",
        _which_unit,
    ),
    _rule("ago scale", rf"\b{_COUNT}\s+{_LENGTHS}\s+(?:ago|back)\b", _ago),
    _rule(
        "in scale",
        rf"\bin\s+{_COUNT}\s+{_LENGTHS}\b(?:['’]s?)?(?:\s+time\b)?(?!\s+(?:of|from)\b)",
        _ahead,
    ),
    _rule("from scale", rf"\b{_COUNT}\s+{_LENGTHS}\s+from\s+(?:now|today)\b", _ahead),
    _rule("weekday", rf"\b{_WEEKDAY}{_PART_OF_DAY}", lambda match: weekly(_weekday(match))),
    _rule(
        "part",
        r"(?<![\w-])(?:(?P<before>[12]\d{3})[\s-]?)?(?P<part>q[1-4]|h[12])"
        r"(?:[\s-]*(?:of\s+)?(?P<after>[12]\d{3}))?(?![\w-])",
        _part_of_year,
        cued=True,
    ),
    _rule(
        "digit s",
        r"(?<![\w-])(?:the\s+)?(?P<year>[12]\d{2}0)s\b",
        lambda match: Fixed(years(int(match["year"]), 10)),
        cued=True,
    ),
    _rule(
        "digit",
        r"(?:(?<=\bon )|(?<=\bby )|(?<=\buntil )|(?<=\bsince )|(?<=\bfrom )|(?<=\bdue ))"
        r"the\s+(?P<date>\d{1,2})(?:st|nd|rd|th)\b"
        r"(?!\s+(?!at\b|and\b|for\b|to\b|with\b|by\b|because\b|as\b|in\b|so\b|but\b)\w)",
        lambda match: monthly(int(match["date"])),
    ),
    _rule(
        "weekday",
        r"(?:(?<=\bon )|(?<=\bby )|(?<=\buntil )|(?<=\bsince )|(?<=\bfrom )|(?<=\bdue ))"
        + _SHORT_WEEKDAY,
        lambda match: weekly(_weekday(match)),
    ),
    _rule("month", rf"\b{_MONTH}(?![\w'’-])", _month_alone, cued=True),
    _rule(
        "digit",
        rf"(?:(?<=\d{{4}}[–—-])|(?<=mid-)|(?<![\w.,:/$€£-])){_BARE_YEAR}",
        lambda match: Fixed(years(int(match["year"]))),
        cued=True,
    ),
)


def english(text: str) -> Iterator[Named]:
    """Yield what names a time in ``text``; earlier ones win where two overlap."""
    lower = text.lower()
    signs = {sign for sign, words in _SIGNS.items() if any(word in lower for word in words)}
    for needs, pattern, build, cued in _RULES:
        if not signs.issuperset(needs):
            continue
        for match in pattern.finditer(text):
            try:
                meaning = build(match)
            except ValueError:  # 31 June
                meaning = NOWHEN
            if meaning is not None:
                explicit = build is _part_of_year and not isinstance(meaning, Floating)
                yield Named(match.start(), match.end(), meaning, cued and not explicit)
