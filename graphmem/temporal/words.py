"""Time words in running text, resolved against the time they were said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain
from typing import Final, Literal

from graphmem.temporal.chinese import chinese
from graphmem.temporal.english import english
from graphmem.temporal.point import Moment, utc
from graphmem.temporal.precision import Precision
from graphmem.temporal.unit import Floating, Lean, Meaning, Named, Unit, whole


class TimeRole(StrEnum):
    """What the words around a time make of it.

    SINCE: something holds from then on. UNTIL: it holds up to then. DURING: a stretch given with
    "in", or from one end to another. DUE: what something is meant for ("by Friday"). AT: the rest.
    """

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    DURING = "during"
    DUE = "due"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time that a text names.

    Attributes:
        start: Offset of its first character in the text, its preposition included.
        end: Offset after its last character.
        role: What the text makes of it.
        at: The first instant of what is named, and how exactly. UNTIL: the first instant at which
            it no longer holds (so "through 1929" is 1930-01-01, year; "until June" is 1 June).
        to: Where the named stretch ends, exclusive, and how exactly that is known.
    """

    start: int
    end: int
    role: TimeRole
    at: Moment
    to: Moment


_ROLES: Final = {
    "since": TimeRole.SINCE, "ever": TimeRole.SINCE, "from": TimeRole.SINCE,
    "starting": TimeRole.SINCE, "beginning": TimeRole.SINCE, "effective": TimeRole.SINCE,
    "as": TimeRole.SINCE, "until": TimeRole.UNTIL, "till": TimeRole.UNTIL, "up": TimeRole.UNTIL,
    "through": TimeRole.UNTIL, "thru": TimeRole.UNTIL, "in": TimeRole.DURING,
    "during": TimeRole.DURING, "within": TimeRole.DURING, "throughout": TimeRole.DURING,
    "between": TimeRole.DURING, "by": TimeRole.DUE, "due": TimeRole.DUE, "to": TimeRole.DUE,
    "for": TimeRole.DUE, "no": TimeRole.DUE, "before": TimeRole.BEFORE, "prior": TimeRole.BEFORE,
    "after": TimeRole.AFTER, "自": TimeRole.SINCE, "从": TimeRole.SINCE, "從": TimeRole.SINCE,
    "直": TimeRole.UNTIL, "截": TimeRole.UNTIL, "到": TimeRole.DUE, "至": TimeRole.DUE,
}  # fmt: skip
_RANGE: Final = ("from", "between", "自", "从", "從")
_AHEAD: Final = ("starting", "beginning", "effective", "by", "due", "to", "for", "no")
_WEAK: Final = ("on", "at", "to", "for", "due", "")
"""First words that do not make a time of a bare month, quarter or year."""

_BEFORE: Final = re.compile(
    r"(?:(?<![A-Za-z])(?:(?P<english>(?:ever\s+)?since|starting(?:\s+(?:from|on|in|with))?"
    r"|beginning(?:\s+(?:from|on|in|with))?|effective(?:\s+(?:from|as\s+of|on))?|as\s+(?:of|from)"
    r"|from|up\s+(?:until|till|to|through)|until|till|through|thru|in|during|within|throughout"
    r"|between|no\s+later\s+than|due(?:\s+(?:on|by))?|by|to|for|before|prior\s+to|after|on|at)\s+)?"
    r"(?:about\s+|around\s+|roughly\s+)?"
    r"(?P<edge>(?:the\s+)?(?:end|start|beginning|middle)\s+of\s+|(?:early|late|mid)[\s-]+)?"
    r"(?:the\s+)?|(?P<chinese>自从|自|从|從|直到|直至|截至|截止到?|到|至)\s*在?\s*)?$",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"(?:(?P<since>\s*(?:and\s+)?onwards?\b|起(?![草飞床诉来])|开始|開始|以来|以來|至今)"
    r"|(?P<until>为止|為止)|(?P<before>[之以]前|前(?![天年端台面任往后]))"
    r"|(?P<after>[之以][后後]|[后後](?![端台面续來来])))",
    re.IGNORECASE,
)
_SPOILT: Final = re.compile(
    r"\b(?:every|each|black|good|casual|(?:days?|weeks?|months?|years?)\s+(?:from|after|before))\s+$",
    re.IGNORECASE,
)
_CAUSE: Final = re.compile(r"\s+(?:is|was|are|were|has|had|will|did)\b", re.IGNORECASE)
_BETWEEN: Final = re.compile(
    r"\s*(?:(?P<through>to|through|thru|and|[–—-]|到|至)|until|till|up\s+to|直到)\s*(?:the\s+)?",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(
    r"(?:T|,?\s*(?:at\s+|@\s*)?)(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::\d{2}(?:\.\d+)?)?)?"
    r"(?:\s*(?P<half>[apAP])\.?[mM]\b\.?)?(?:\s*(?P<zone>Z|[+-]\d{2}:?\d{2}|[A-Z]{2,4})\b)?"
)
_DAY: Final = timedelta(days=1)
_HALF_A_YEAR: Final = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class _Cue:
    """What stands around a name of a time; ``word`` is its preposition's first, or ""."""

    start: int
    end: int
    word: str
    edge: str
    role: TimeRole
    inclusive: bool


def find_times(
    text: str, anchor: datetime | None, *, lean: Literal["past", "future"] | None = None
) -> list[TimeSpan]:
    """Return the times that ``text`` names in English or Chinese, in order, never overlapping.

    Weeks begin on Monday. "Last Friday" is the most recent Friday before the anchor's day, "this"
    and "next Friday" are those of the anchor's week and of the week after it. "Last March" is the
    most recent one that is over or was last year. Numbers such as 5/3/2024, which are read
    differently in different countries, name nothing; neither does a time of day alone.

    Args:
        text: A sentence, or a longer text.
        anchor: When it was said. None: only absolute dates are found, never "now".
        lean: Which "Friday", "June" or "5 March" is meant where the words leave it open, from the
            tense of the verb. None: the nearest; after "since" the last; after "by" the next.

    Raises:
        InvalidInput: The anchor has no time zone.
    """
    said = None if anchor is None else utc(anchor, what="anchor")
    found = _chosen(text)
    spans: list[TimeSpan] = []
    while found:
        span, used = _read(text, found, said, lean)
        found = found[used:]
        if span is not None:
            spans.append(span)
    return spans


def _chosen(text: str) -> list[Named]:
    """Of names that overlap, keep the longest, then the one of the earlier rule."""
    kept: list[Named] = []
    for named in sorted(chain(english(text), chinese(text)), key=lambda n: n.start - n.end):
        if all(named.end <= other.start or other.end <= named.start for other in kept):
            kept.append(named)
    return sorted(kept, key=lambda named: named.start)


def _read(
    text: str, found: list[Named], said: datetime | None, lean: Lean | None
) -> tuple[TimeSpan | None, int]:
    """Read the first name, or the first two as one stretch; tell how many were used."""
    cue = _around(text, found[0])
    if len(found) > 1 and (joint := _joint(text, found[0], found[1], cue)):
        units = _ends(found[0].meaning, found[1].meaning, said, lean)
        if units and (span := _stretch(cue.start, found[1].end, units, joint["through"])):
            return span, 2
    return _single(text, found[0], cue, said, lean), 1


def _around(text: str, named: Named) -> _Cue:
    lead = max(0, named.start - 40)
    before = _BEFORE.search(text[lead : named.start])
    assert before is not None  # the empty string matches at the end
    word = (before["english"] or (before["chinese"] or "")[:1]).lower()
    word = word.split()[0] if word else ""
    after = _AFTER.match(text, named.end)
    role = TimeRole(after.lastgroup) if after and after.lastgroup else _ROLES.get(word)
    if role is TimeRole.AFTER and word in _RANGE:
        role = TimeRole.SINCE  # 从六月以后
    edge = (before["edge"] or "").lower()
    inclusive = "end of" in edge or "thr" in (before["english"] or "").lower()
    return _Cue(
        lead + before.start() if word or edge else named.start,
        after.end() if after else named.end,
        word,
        edge,
        role or TimeRole.AT,
        inclusive,
    )


def _joint(text: str, first: Named, second: Named, cue: _Cue) -> re.Match[str] | None:
    """Return what joins two names into one stretch ("from March to May"), or None."""
    joint = _BETWEEN.fullmatch(text[first.end : second.start])
    if joint is None:
        return None
    if joint[0].strip().lower() == "and":
        return joint if cue.word == "between" else None
    bracketed = text[: first.start].endswith("(")
    stands_alone = bracketed or not (first.cued or second.cued)
    return joint if cue.word in _RANGE or stands_alone else None


def _ends(
    first: Meaning, second: Meaning, said: datetime | None, lean: Lean | None
) -> tuple[Unit, Unit] | None:
    """Resolve both ends; a bare month takes its year from the other end."""
    if isinstance(first, Floating) and not isinstance(second, Floating):
        last = _unit(second, said, lean)
        begin = _unit(first, last.start, "past") if last else None
    else:
        begin = _unit(first, said, lean)
        if begin and isinstance(second, Floating):
            said, lean = begin.start, "future"
        last = _unit(second, said, lean)
    return (begin, last) if begin and last else None


def _unit(meaning: Meaning, anchor: datetime | None, lean: Lean | None) -> Unit | None:
    try:
        return meaning.at(anchor, lean)
    except (ValueError, OverflowError):  # 31 June of a relative year; outside years 1 to 9999
        return None


def _stretch(
    start: int, end: int, units: tuple[Unit, Unit], through: str | None
) -> TimeSpan | None:
    first, last = units
    after = last.after if through else last.start
    if after <= first.start:
        return None
    at, to = Moment(first.start, first.precision), Moment(after, last.precision)
    return TimeSpan(start, end, TimeRole.DURING, at, to)


def _single(
    text: str, named: Named, cue: _Cue, said: datetime | None, lean: Lean | None
) -> TimeSpan | None:
    if named.cued and cue.word in _WEAK and not cue.edge:
        return None
    because = cue.word == "since" and _CAUSE.match(text, named.end)
    if because or _SPOILT.search(text[max(0, named.start - 20) : named.start]):
        return None
    unit = _unit(named.meaning, said, _lean(cue, lean))
    if unit and said and cue.role is TimeRole.SINCE and unit.start - said > _HALF_A_YEAR:
        unit = _unit(named.meaning, said, None)  # "as of May 1", said on 15 May
    if unit is None:
        return None
    unit, end = _with_clock(text, unit, cue.end)
    at, to = Moment(unit.start, unit.precision), Moment(unit.after, unit.precision)
    if cue.role is TimeRole.UNTIL:
        at = to = to if cue.inclusive else at
    return TimeSpan(cue.start, end, cue.role, at, to)


def _lean(cue: _Cue, lean: Lean | None) -> Lean | None:
    if cue.role is TimeRole.UNTIL:
        return "past" if lean == "past" else "after"
    if cue.word in ("since", "ever"):
        return "past"
    return "future" if lean is None and cue.word in _AHEAD else lean


def _with_clock(text: str, unit: Unit, end: int) -> tuple[Unit, int]:
    """Add a time of day that follows a day; without a known zone it is left out."""
    match = _CLOCK.match(text, end)
    if match is None or not (match["minute"] or match["half"]) or unit.after - unit.start != _DAY:
        return unit, end
    zone = match["zone"] or "Z"
    if zone not in ("Z", "UTC", "GMT") and zone[0] not in "+-":
        return unit, end
    hour = int(match["hour"]) + (12 if (match["half"] or "").lower() == "p" else 0)
    hour -= 12 if match["half"] and match["hour"] == "12" else 0
    clock = timedelta(hours=hour, minutes=int(match["minute"] or 0))
    if clock >= _DAY:
        return unit, end
    return whole(Precision.MINUTE, unit.start + clock - _offset(zone)), match.end()


def _offset(zone: str) -> timedelta:
    if zone[0] not in "+-":
        return timedelta(0)
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return -offset if zone[0] == "-" else offset
