"""A row: one case, one system, its figures with their units in their names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

CUTS = (5, 10, 25)


@dataclass(frozen=True, slots=True)
class Row:
    """Figures of one case under one system. ``group`` is the case's category."""

    suite: str
    system: str
    case_id: str
    group: str
    figures: Mapping[str, float]


def recall(found: Sequence[str], relevant: Collection[str]) -> Iterator[tuple[str, float]]:
    """Yield ``fraction@k`` (share of the relevant found) and ``any@k`` (1 if any is) for a case.

    Args:
        found: Ids, best first, no repeats.
        relevant: At least one id.
    """
    wanted = set(relevant)
    for cut in CUTS:
        yield f"fraction@{cut}", len(wanted & set(found[:cut])) / len(wanted)
    for cut in (1, 10):
        yield f"any@{cut}", float(not wanted.isdisjoint(found[:cut]))


def wrongs(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with a figure ``right`` or ``same`` below 1."""
    return [r for r in rows if min(r.figures.get(f, 1.0) for f in ("right", "same")) < 1]
