"""Turns in, claims out as short lines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from graphmem.catalog import Catalog
from graphmem.extraction import LocalExtractor
from graphmem.model import AssertionKind, Episode, EpisodeKind
from graphmem.ports import Claim
from graphmem.temporal import Precision
from graphmem.testing.records import episode

Tell = Callable[..., list[Claim]]
Read = Callable[..., list[str]]

SAID = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)  # a Wednesday
_SIGNS = {AssertionKind.AFFIRMS: "", AssertionKind.ENDS: "ends: ", AssertionKind.DENIES: "not: "}
_WIDTHS = {Precision.YEAR: 4, Precision.MONTH: 7, Precision.DAY: 10}


def _written(instant: datetime | None, precision: Precision) -> str:
    if instant is None:
        return ""
    return instant.strftime("%Y-%m-%dT%H:%M")[: _WIDTHS.get(precision, 16)]


def shown(claim: Claim) -> str:
    """Return ``subject | relation | object``, with its kind and stated bounds if there are any."""
    value = claim.object_value
    object = value.strftime("%Y-%m-%d") if isinstance(value, datetime) else value
    triple = f"{claim.subject} | {claim.relation} | {claim.object or object}"
    start = _written(claim.start, claim.start_precision)
    end = _written(claim.end, claim.end_precision)
    return _SIGNS[claim.kind] + triple + (f" [{start}..{end}]" if start or end else "")


@pytest.fixture(scope="session")
def extractor() -> LocalExtractor:
    return LocalExtractor()


@pytest.fixture(scope="session")
def tell(extractor: LocalExtractor) -> Tell:
    """Return a function from one turn to its claims."""

    def told(
        text: str,
        *,
        speaker: str | None = "Kai",
        at: datetime | None = SAID,
        role: str = "user",
        kind: EpisodeKind = EpisodeKind.MESSAGE,
        before: Episode | None = None,
        catalog: Catalog | None = None,
    ) -> list[Claim]:
        turn = episode("e", text=text, speaker=speaker, occurred_at=at, role=role, kind=kind)
        context = {"e": [before]} if before else {}
        read = extractor.extract([turn], context, catalog or Catalog.builtin())
        return [claim for claim in read if isinstance(claim, Claim)]

    return told


@pytest.fixture(scope="session")
def read(tell: Tell) -> Read:
    """Return a function from one turn to its claims as short lines."""

    def lines(text: str, **turn: object) -> list[str]:
        return [shown(claim) for claim in tell(text, **turn)]

    return lines
