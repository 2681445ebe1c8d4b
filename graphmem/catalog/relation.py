"""What one relation means: how many, for how long, and what it does to others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cardinality(StrEnum):
    """How many values hold at once, subject first: many-to-one = many subjects, one object each."""

    MANY_TO_ONE = "many-to-one"
    ONE_TO_MANY = "one-to-many"
    ONE_TO_ONE = "one-to-one"
    MANY_TO_MANY = "many-to-many"

    @property
    def transposed(self) -> Cardinality:
        """The cardinality read from object to subject."""
        return _TRANSPOSED.get(self, self)


_TRANSPOSED = {
    Cardinality.MANY_TO_ONE: Cardinality.ONE_TO_MANY,
    Cardinality.ONE_TO_MANY: Cardinality.MANY_TO_ONE,
}


class TemporalKind(StrEnum):
    """How a relation lies in time: it holds, it happens, or it is so for good."""

    STATE = "state"
    EVENT = "event"
    PERMANENT = "permanent"


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation of the catalog, in its canonical direction.

    Attributes:
        name: Canonical name, for example ``"works at"``.
        aliases: Other names in the same direction, any language.
        inverse: The name read from object to subject, or None (``"employs"``).
        inverse_aliases: Other names of the inverse.
        cardinality: How many values hold at once.
        temporal: State, event or permanent.
        symmetric: Subject and object may be exchanged.
        excludes: Relations that cannot hold for the same pair at the same time.
        begins: States that an occurrence of this event begins, for the same pair.
        ends: States that an occurrence of this event ends, for the same pair.
        subject_kind: Kind of entity that the subject usually is, or "" (a hint, never a filter).
        object_kind: Likewise of the object; ``"value"`` for typed literals.
    """

    name: str
    aliases: tuple[str, ...]
    inverse: str | None
    inverse_aliases: tuple[str, ...]
    cardinality: Cardinality
    temporal: TemporalKind
    symmetric: bool
    excludes: tuple[str, ...]
    begins: tuple[str, ...]
    ends: tuple[str, ...]
    subject_kind: str
    object_kind: str
