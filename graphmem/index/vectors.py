"""Embeddings by text hash, scanned exactly."""

from __future__ import annotations

import hashlib
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import InvalidInput
from graphmem.index.columns import Numbers
from graphmem.model import Vector

_FIRST = 64


class Vectors:
    """Unit vectors by text hash, each in a slot of its own; capacity doubles.

    Args:
        scanned: They are scanned rather than looked up. They then lie dimension by dimension,
            which a product with all of them reads a third faster, and one of them slower.
    """

    def __init__(self, *, scanned: bool) -> None:
        self._slots = Numbers()
        self._order: Literal["C", "F"] = "F" if scanned else "C"
        self._matrix = np.zeros((0, 0), np.float32)

    def add(self, text_hash: str, vector: Vector) -> int:
        """Keep a vector, if its text has none yet, and return its slot.

        Raises:
            InvalidInput: It has another dimension than those before.
        """
        if text_hash in self._slots:
            return self._slots[text_hash]
        if not len(self._matrix):
            self._matrix = np.zeros((_FIRST, len(vector)), np.float32, self._order)
        self._check(vector)
        slot = self._slots[text_hash]
        if slot == len(self._matrix):
            grown = np.zeros((2 * slot, len(vector)), np.float32, self._order)
            grown[:slot] = self._matrix
            self._matrix = grown
        self._matrix[slot] = vector
        return slot

    def get(self, text_hash: str) -> Vector | None:
        """Return the vector of a text, None if it has none here."""
        slot = self._slots.get(text_hash)
        return None if slot is None else self._matrix[slot]

    def digest(self, slot: int) -> str:
        """Return a short hash of the vector in a slot, "" for slot -1."""
        return "" if slot < 0 else hashlib.sha256(self._matrix[slot].tobytes()).hexdigest()[:16]

    def cosines(self, query: Vector, slots: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cosine of a unit vector with the vector in each slot; 0 for slot -1.

        Rounded to six decimals, so that equal texts tie wherever they stand.

        Raises:
            InvalidInput: The query has another dimension.
        """
        if not self._slots:
            return np.zeros(len(slots))
        self._check(query)
        known = np.where(slots < 0, 0, self._matrix[slots] @ query)
        return known.astype(np.float64).round(6)

    def scan(self, query: Vector) -> NDArray[np.float32]:
        """Return the cosine of a unit vector with the vector in every slot, and minus infinity.

        The last, for slot -1, is of no vector. Not rounded.

        Raises:
            InvalidInput: The query has another dimension.
        """
        found = np.full(len(self._slots) + 1, -np.inf, np.float32)
        if self._slots:
            self._check(query)
            np.matmul(self._matrix[: len(self._slots)], query, out=found[:-1])
        return found

    def _check(self, vector: Vector) -> None:
        if vector.shape != self._matrix.shape[1:]:
            raise InvalidInput(
                f"a vector of shape {vector.shape} among vectors of shape "
                f"{self._matrix.shape[1:]}: another model wrote them; open the memory with "
                "that model, or embed again"
            )

    @property
    def nbytes(self) -> int:
        """Bytes of the matrix, spare capacity included, and of the hashes."""
        return self._matrix.nbytes + 200 * len(self._slots)
