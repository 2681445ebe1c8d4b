"""What the statements of a slot say, with rulings applied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from graphmem.catalog import Relation
from graphmem.model import Assertion, AssertionKind, Authority, Ruling, RulingKind
from graphmem.temporal import ALWAYS, FOREVER, Precision

MICROSECOND = timedelta(microseconds=1)
"""The unit of an instant."""

_RANKS = {authority: -place for place, authority in enumerate(Authority)}
_VERDICTS = {RulingKind.RETRACT, RulingKind.QUARANTINE, RulingKind.ADMIT, RulingKind.PIN}


class Value(NamedTuple):
    """What holds or not: two ends in the direction of the relation, by id if it is symmetric."""

    subject_id: str
    relation: str
    object_id: str | None


@dataclass(frozen=True, slots=True)
class Statement:
    """One assertion as it counts in one slot.

    Attributes:
        value: ``object_id`` None: any value of that subject and relation.
        tier: Of its authority, rulings applied; 0 is the highest.
        order: The greater, the later the word: said (undated first), then authority, place, id.
        start: Stated start, or None.
        end: Stated end; of ``ends`` when it ended, None only if undated.
    """

    assertion: Assertion
    value: Value
    kind: AssertionKind
    tier: int
    order: tuple[datetime, int, str, int, str, int, str]
    said: datetime | None
    start: datetime | None
    start_precision: Precision
    end: datetime | None
    end_precision: Precision

    @property
    def until(self) -> bool:
        """Tell whether only an end is stated, and it had passed when this was said."""
        if self.start is not None or self.end is None:
            return False
        return self.said is None or self.end <= self.said

    def told_after(self, other: Statement) -> bool:
        """Tell whether this was said later, or at the same instant further on in one thread.

        Other ties decide who wins a span, but neither was told after the other. Undated ones stand
        before all others; among them an end or a denial comes last unless the thread says else.
        """
        if self.said != other.said:
            return other.said is None or (self.said is not None and self.said > other.said)
        if self.order[:3] == other.order[:3] and self.order[2]:
            return self.order[:-1] > other.order[:-1]
        if self.said is not None:
            return False
        return self.kind is not AssertionKind.AFFIRMS or self.order > other.order


def just_after(instant: datetime) -> datetime:
    """Return the end of an instant; never later than FOREVER."""
    return instant + MICROSECOND if instant < FOREVER else FOREVER


def stated(
    assertions: Iterable[Assertion], verdicts: Mapping[str, Ruling], relation: Relation
) -> list[Statement]:
    """Return what takes part: neither retracted nor quarantined, admitted and pinned as ruled.

    Args:
        assertions: All of ``relation``.
        verdicts: As ``latest`` returns them.
        relation: The relation of them all.
    """
    statements: list[Statement] = []
    for assertion in assertions:
        ruling = _about(assertion, verdicts) if verdicts else None
        if ruling is None or ruling.kind not in (RulingKind.RETRACT, RulingKind.QUARANTINE):
            statements.append(_statement(assertion, ruling, relation))
    return statements


def latest(rulings: Iterable[Ruling]) -> dict[str, Ruling]:
    """Return the last ruling by target that retracts, quarantines, admits or pins.

    Order: recorded, then id.
    """
    verdicts: dict[str, Ruling] = {}
    for ruling in sorted(rulings, key=_recorded):
        if ruling.kind in _VERDICTS:
            verdicts.update(dict.fromkeys(ruling.target_ids, ruling))
    return verdicts


def _recorded(ruling: Ruling) -> tuple[datetime, str]:
    return ruling.recorded_from, ruling.id


def _about(a: Assertion, verdicts: Mapping[str, Ruling]) -> Ruling | None:
    found = [verdicts[id] for id in (a.id, a.episode_id) if id is not None and id in verdicts]
    return max(found, key=_recorded, default=None)


def _statement(a: Assertion, ruling: Ruling | None, relation: Relation) -> Statement:
    authority = a.authority
    if ruling is not None and ruling.kind is RulingKind.ADMIT:
        authority = ruling.authority or authority
    pinned = ruling is not None and ruling.kind is RulingKind.PIN
    end, end_precision = a.end, a.end_precision
    if a.kind is AssertionKind.ENDS and end is None:
        end, end_precision = a.said, _of_said(end_precision)
    return Statement(
        assertion=a,
        value=value_of(relation, a.subject_id, a.object_id),
        kind=a.kind,
        tier=Authority.PINNED.tier if pinned else authority.tier,
        order=_order(a, authority),
        said=a.said,
        start=a.start,
        start_precision=_of_said(a.start_precision) if a.start is None else a.start_precision,
        end=end,
        end_precision=end_precision,
    )


def _of_said(precision: Precision) -> Precision:
    """Return the precision of a bound at ``said``: an instant unless told otherwise."""
    return Precision.INSTANT if precision is Precision.UNKNOWN else precision


def value_of(relation: Relation, subject_id: str, object_id: str | None) -> Value:
    """Return the value between two ends; of a symmetric relation the lesser id comes first."""
    if relation.symmetric and object_id is not None and object_id < subject_id:
        return Value(object_id, relation.name, subject_id)
    return Value(subject_id, relation.name, object_id)


def _order(a: Assertion, authority: Authority) -> tuple[datetime, int, str, int, str, int, str]:
    # The place in a thread is compared within one thread only: across threads it depends on how
    # the turns arrived.
    quoted = -1 if a.quote is None else a.quote.start
    said = ALWAYS if a.said is None else a.said
    return said, _RANKS[authority], a.thread_id, a.sequence, a.episode_id or "", quoted, a.id
