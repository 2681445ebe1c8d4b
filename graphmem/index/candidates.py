"""Candidates side by side in columns: one array a feature instead of one object a candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from graphmem.model import HitKind
from graphmem.ports import Candidate


class Candidates(Sequence[Candidate]):
    """Candidates by (id, kind), each made only when it is asked for; the columns are in any order.

    Attributes:
        ids: One id a candidate.
        edges: Which of them are edges.
        ranks: By channel, rank from 1; 0: the channel did not find it.
        features: By name, raw value; NaN: does not apply.
    """

    def __init__(
        self,
        ids: Sequence[str],
        edges: NDArray[np.bool_],
        ranks: Mapping[str, NDArray[np.int64]],
        features: Mapping[str, NDArray[np.float64]],
    ) -> None:
        self.ids, self.edges, self.ranks, self.features = ids, edges, ranks, features

    @classmethod
    def of(cls, found: Sequence[Candidate]) -> Candidates:
        """Return ``found`` in columns; what is in columns already as it is."""
        if isinstance(found, Candidates):
            return found
        channels = sorted({name for one in found for name in one.ranks})
        names = sorted({name for one in found for name in one.features})
        return cls(
            [one.id for one in found],
            np.array([one.kind is HitKind.EDGE for one in found], np.bool_),
            {c: np.array([one.ranks.get(c, 0) for one in found], np.int64) for c in channels},
            {n: np.array([one.features.get(n, np.nan) for one in found]) for n in names},
        )

    @classmethod
    def together(cls, parts: Sequence[Candidates]) -> Candidates:
        """Return all parts as one."""
        sizes = [len(part) for part in parts]
        return cls(
            [id for part in parts for id in part.ids],
            np.concatenate([np.zeros(0, np.bool_), *(part.edges for part in parts)]),
            _joined([part.ranks for part in parts], sizes, 0),
            _joined([part.features for part in parts], sizes, np.nan),
        )

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(cast(Sequence[object], other))

    @cached_property
    def _order(self) -> list[int]:
        return sorted(range(len(self)), key=lambda at: (self.ids[at], not self.edges[at]))

    @overload
    def __getitem__(self, at: int) -> Candidate: ...
    @overload
    def __getitem__(self, at: slice) -> list[Candidate]: ...
    def __getitem__(self, at: int | slice) -> Candidate | list[Candidate]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        return self.made(self._order[at])

    def made(self, at: int) -> Candidate:
        """Return the candidate at a place of the columns."""
        ranks = {name: int(values[at]) for name, values in self.ranks.items() if values[at]}
        raw = {name: float(values[at]) for name, values in self.features.items()}
        known = {name: value for name, value in raw.items() if value == value}  # NaN is not itself
        kind = HitKind.EDGE if self.edges[at] else HitKind.EPISODE
        return Candidate(self.ids[at], kind, ranks, known)


def _joined(
    parts: Sequence[Mapping[str, NDArray[Any]]], sizes: Sequence[int], absent: float
) -> dict[str, NDArray[Any]]:
    """Return the columns of all parts end to end; ``absent`` where a part lacks one."""
    names = sorted({name for part in parts for name in part})
    table = np.full((len(names), sum(sizes)), absent)
    start = 0
    for part, size in zip(parts, sizes, strict=True):
        for line, name in zip(table, names, strict=True):
            if name in part:
                line[start : start + size] = part[name]
        start += size
    return dict(zip(names, table, strict=True))
