"""Growing numpy storage: numbers for names, and columns of equal length."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_FIRST = 64


class Numbers(dict[str, int]):
    """Gives each name the next number, from 0, when it is first asked for with ``[]``."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number

    def flags(self, names: Collection[str]) -> NDArray[np.bool_]:
        """Return a flag for each number, up for these names; the last flag stays down, for -1."""
        flags = np.zeros(len(self) + 1, np.bool_)
        flags[[self[name] for name in names if name in self]] = True
        return flags


class Columns:
    """Named columns of equal length; capacity doubles, so that adding a row is cheap."""

    def __init__(self, **types: DTypeLike) -> None:
        self._arrays: dict[str, NDArray[Any]] = {
            name: np.zeros(_FIRST, dtype) for name, dtype in types.items()
        }
        self._rows = 0

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return the column's rows so far, as a view that the next added row may outdate."""
        return self._arrays[name][: self._rows]

    def add(self, **values: int) -> int:
        """Add a row and return its number; a column left out is 0."""
        row = self._rows
        if row == len(next(iter(self._arrays.values()))):
            for name, array in self._arrays.items():
                self._arrays[name] = np.concatenate([array, np.zeros_like(array)])
        self._rows += 1
        self.set(row, **values)
        return row

    def set(self, row: int, **values: int) -> None:
        """Overwrite these columns of a row."""
        for name, value in values.items():
            self._arrays[name][row] = value

    @property
    def nbytes(self) -> int:
        """Bytes of all columns, spare capacity included."""
        return sum(array.nbytes for array in self._arrays.values())
