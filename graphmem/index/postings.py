"""Inverted lists of one kind of rows, and what a query's terms find in them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from graphmem.index.bm25 import Bm25
from graphmem.index.columns import Columns, Numbers

_NONE = array("I")


class Believed:
    """What the words of a search are weighed by: some rows and their lengths.

    Attributes:
        flags: Which rows.
        lengths: Terms of every row.
        count: How many rows are flagged.
        average: Their mean length, 1 if there are none.
    """

    def __init__(self, flags: NDArray[np.bool_], lengths: NDArray[np.float64]) -> None:
        self.flags, self.lengths = flags, lengths
        self.count = int(flags.sum())
        self.average = (float(lengths[flags].sum()) / self.count if self.count else 1.0) or 1.0
        self.norms = Bm25.norm(lengths, self.average)

    def __len__(self) -> int:
        return len(self.flags)


@dataclass(frozen=True, slots=True)
class Matches:
    """Where a query's terms occur: three arrays side by side, by term, then row.

    Attributes:
        rows: Row numbers.
        counts: How often the row holds the term.
        terms: Which of the query's terms, from 0.
        idf: Weight of each of the query's terms.
        holding: How many believed rows hold each term.
        believed: The rows that count.
    """

    rows: NDArray[np.intp]
    counts: NDArray[np.float64]
    terms: NDArray[np.intp]
    idf: NDArray[np.float64]
    holding: NDArray[np.float64]
    believed: Believed

    def scores(self) -> NDArray[np.float64]:
        """Return the BM25 score of every row."""
        parts = self.counts / (self.counts + self.believed.norms[self.rows])
        return self._sum(self.idf[self.terms] * parts)

    def share(self) -> NDArray[np.float64]:
        """Return which part of the query's weight the terms of each row make up, 0 to 1."""
        return self._sum((self.idf / (self.idf.sum() or 1.0))[self.terms])

    def only(self) -> NDArray[np.float64]:
        """Return the same, of terms that a single row holds."""
        rare = self.holding == 1
        shares = np.zeros(len(self.believed))
        if rare.any():
            at = rare[self.terms].nonzero()[0]
            np.add.at(shares, self.rows[at], (self.idf / self.idf.sum())[self.terms[at]])
        return shares

    def _sum(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.bincount(self.rows, weights, len(self.believed))
        return found.astype(np.float64, copy=False)


class Postings:
    """For each term, the rows that hold it and how often."""

    def __init__(self) -> None:
        self._numbers = Numbers()
        self._rows: list[array[int]] = []
        self._counts: list[array[int]] = []
        self._held: list[array[int]] = []
        self._lengths = Columns(terms=np.float64)

    def put(self, row: int, terms: Sequence[str]) -> None:
        """Index a row under these terms, in place of what it held before.

        Rows are numbered from 0 without gaps.
        """
        if row == len(self._held):
            self._held.append(array("I"))
            self._lengths.add()
        for number in self._held[row]:
            at = bisect_left(self._rows[number], row)
            del self._rows[number][at], self._counts[number][at]
        counts = Counter(terms)
        self._held[row] = array("I", [self._add(row, *item) for item in counts.items()])
        self._lengths.set(row, terms=len(terms))

    def _add(self, row: int, term: str, count: int) -> int:
        number = self._numbers[term]
        if number == len(self._rows):
            self._rows.append(array("I"))
            self._counts.append(array("I"))
        rows = self._rows[number]
        at = len(rows) if not rows or rows[-1] < row else bisect_left(rows, row)
        rows.insert(at, row)
        self._counts[number].insert(at, count)
        return number

    def documents(self) -> Iterator[list[tuple[str, int]]]:
        """Yield, row by row, the terms it holds and how often, sorted."""
        names = list(self._numbers)
        for row, held in enumerate(self._held):
            at = [bisect_left(self._rows[number], row) for number in held]
            yield sorted((names[n], self._counts[n][i]) for n, i in zip(held, at, strict=True))

    def believed(self, flags: NDArray[np.bool_]) -> Believed:
        """Return what the words of a search are weighed by if these rows are believed."""
        return Believed(flags, self.lengths)

    def find(self, terms: Iterable[str], believed: Believed) -> Matches:
        """Return where these terms occur among believed rows; a repeated term counts once."""
        numbers = [self._numbers.get(term, -1) for term in dict.fromkeys(terms)]
        rows = [self._rows[number] if number >= 0 else _NONE for number in numbers]
        counts = [self._counts[number] if number >= 0 else _NONE for number in numbers]
        row, count = _joined(rows, np.intp), _joined(counts, np.float64)
        sizes = np.array([len(one) for one in rows], np.intp)
        term = np.arange(len(numbers)).repeat(sizes)
        if believed.count < len(believed):
            kept = believed.flags[row].nonzero()[0]
            row, count, term = row[kept], count[kept], term[kept]
            sizes = np.bincount(term, minlength=len(numbers))
        holding = sizes.astype(np.float64)
        idf = Bm25.idf(believed.count, holding)
        return Matches(row, count, term, idf, holding, believed)

    @property
    def lengths(self) -> NDArray[np.float64]:
        """How many terms each row holds, repeated ones counted."""
        return self._lengths["terms"]

    @property
    def nbytes(self) -> int:
        """About how many bytes it holds; a term with its two lists costs about 300."""
        sizes = (len(held) for held in self._held)
        return 12 * sum(sizes) + 80 * len(self._held) + 300 * len(self._numbers)


_Number = TypeVar("_Number", np.intp, np.float64)


def _joined(parts: Sequence[array[int]], kind: type[_Number]) -> NDArray[_Number]:
    return np.frombuffer(b"".join(parts), _NONE.typecode).astype(kind)
