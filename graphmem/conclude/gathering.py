"""All rows of many slots in few reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphmem.catalog import Cardinality, Catalog
from graphmem.conclude.slot import Slot, edge_slot, form, slots
from graphmem.model import Assertion, Edge
from graphmem.ports import SlotQuery


@dataclass(frozen=True, slots=True)
class Gathered:
    """One slot with all of its rows, each by id."""

    slot: Slot
    assertions: tuple[Assertion, ...]
    edges: tuple[Edge, ...]


def gather(
    touched: Iterable[Slot],
    stated: Callable[[Sequence[SlotQuery]], list[Assertion]],
    concluded: Callable[[Sequence[SlotQuery]], list[Edge]],
    catalog: Catalog,
) -> list[Gathered]:
    """Read the statements and edges of all touched slots, whatever their number, in few calls.

    One read of statements does, and one of edges; slots of a subject alone take one more, and
    one-to-one components as many as they are wide. One-to-one slots that share an end come back
    as one.

    Args:
        touched: As ``slots`` returns them; repeats are fine.
        stated: ``View.stated``, perhaps with the statements of this write added.
        concluded: ``View.concluded``.
        catalog: The group's relations.

    Returns:
        Slots in order of first touch, none twice, none of a subject alone.
    """
    search = _Search(catalog)
    search.widen(dict.fromkeys(touched), stated)
    found = search.filed()
    queries = dict.fromkeys(q for slot in found for q in slot.edge_queries(catalog))
    edges: dict[Slot, list[Edge]] = {slot: [] for slot in found}
    for edge in concluded(tuple(queries)) if queries else ():
        if (slot := search.home(edge_slot(edge, catalog))) is not None:
            edges[slot].append(edge)
    return [Gathered(slot, tuple(found[slot]), tuple(edges[slot])) for slot in found]


class _End(NamedTuple):
    """An end of a one-to-one relation: ``subject``, ``object``, or ``either`` if symmetric."""

    relation: str
    side: str
    id: str


class _Search:
    """What has been read so far, and which slots it belongs to."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._rows: dict[str, tuple[Assertion, list[Slot]]] = {}
        self._closed: dict[Slot, None] = {}
        self._open: set[Slot] = set()
        self._components = _Components()
        self._homes: dict[_End, Slot] = {}

    def widen(
        self, touched: Iterable[Slot], stated: Callable[[Sequence[SlotQuery]], list[Assertion]]
    ) -> None:
        asked: set[SlotQuery] = set()
        frontier = list(touched)
        while frontier:
            for slot in frontier:
                self._admit(slot)
            queries = dict.fromkeys(q for slot in frontier for q in slot.queries(self._catalog))
            new = tuple(query for query in queries if query not in asked)
            asked.update(new)
            frontier = [slot for row in (stated(new) if new else ()) for slot in self._keep(row)]

    def filed(self) -> dict[Slot, list[Assertion]]:
        """Return each slot's statements by id, slots in order of first touch."""
        self._homes = self._components.slots()
        filed = {slot: list[Assertion]() for slot in (*self._closed, *self._homes.values())}
        homes_of: dict[tuple[tuple[str, ...], str], dict[Slot, None]] = {}
        pairs = [(row, slot) for row, touched in self._rows.values() for slot in touched]
        for row, slot in pairs:
            if not self._is_open(slot) and (home := self.home(slot)) is not None:
                filed[home].append(row)
                for subject in self._subjects(row, slot):
                    homes_of.setdefault((slot.relations, subject), {})[home] = None
        for row, slot in (pair for pair in pairs if self._is_open(pair[1])):
            for home in homes_of.get((slot.relations, row.subject_id), ()):
                filed[home].append(row)
        for rows in filed.values():
            rows.sort(key=lambda row: row.id)
        return filed

    def home(self, slot: Slot) -> Slot | None:
        """Return the slot as it will be returned, or None if it was not asked for."""
        if self._is_component(slot):
            ends = self._ends(slot)
            return next((self._homes[end] for end in ends if end in self._homes), None)
        return slot if slot in self._closed else None

    def _admit(self, slot: Slot) -> None:
        if self._is_component(slot):
            self._components.join(self._ends(slot))
        elif self._is_open(slot):
            self._open.add(slot)
        else:
            self._closed[slot] = None

    def _keep(self, row: Assertion) -> list[Slot]:
        """Note a row; return the slots that it leads on to."""
        touched = list(dict.fromkeys(slots(row, self._catalog)))
        self._rows[row.id] = (row, touched)
        return [slot for slot in touched if self._leads_to(row, slot)]

    def _leads_to(self, row: Assertion, slot: Slot) -> bool:
        if self._is_component(slot):
            return self._components.knows(self._ends(slot))
        if slot in self._closed or self._is_open(slot):
            return False
        subjects = self._subjects(row, slot)
        return any(Slot(slot.relations, (subject,), ()) in self._open for subject in subjects)

    def _subjects(self, row: Assertion, slot: Slot) -> tuple[str, ...]:
        """Return the ends that a statement without object may name to reach this row's slot."""
        symmetric = self._catalog.resolve(slot.relations[0])[0].symmetric
        return slot.subject_ids + slot.object_ids if symmetric else (row.subject_id,)

    def _ends(self, slot: Slot) -> list[_End]:
        (name,) = slot.relations
        if self._catalog.resolve(name)[0].symmetric:
            return [_End(name, "either", end) for end in slot.subject_ids]
        subjects = [_End(name, "subject", end) for end in slot.subject_ids]
        return subjects + [_End(name, "object", end) for end in slot.object_ids]

    def _is_component(self, slot: Slot) -> bool:
        relation = self._catalog.resolve(slot.relations[0])[0]
        return form(relation) is Cardinality.ONE_TO_ONE

    def _is_open(self, slot: Slot) -> bool:
        match form(self._catalog.resolve(slot.relations[0])[0]):
            case Cardinality.MANY_TO_MANY | Cardinality.ONE_TO_MANY:
                return not slot.object_ids
            case Cardinality.MANY_TO_ONE | Cardinality.ONE_TO_ONE:
                return False


class _Components:
    """One-to-one slots that grow together where they share an end."""

    def __init__(self) -> None:
        self._of: dict[_End, set[_End]] = {}

    def join(self, ends: Sequence[_End]) -> None:
        parts = [self._of.get(end, {end}) for end in ends]
        joined = max(parts, key=len)
        for part in parts:
            if part is not joined:
                joined |= part
        for part in parts:
            for end in part:
                self._of[end] = joined

    def knows(self, ends: Sequence[_End]) -> bool:
        return any(end in self._of for end in ends)

    def slots(self) -> dict[_End, Slot]:
        """Return each end's component."""
        of: dict[int, Slot] = {}
        for ends in self._of.values():
            if id(ends) not in of:
                of[id(ends)] = _component(ends)
        return {end: of[id(ends)] for end, ends in self._of.items()}


def _component(ends: Collection[_End]) -> Slot:
    subjects = tuple(sorted(end.id for end in ends if end.side != "object"))
    objects = tuple(sorted(end.id for end in ends if end.side != "subject"))
    return Slot((next(iter(ends)).relation,), subjects, objects)
