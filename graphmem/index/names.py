"""Entities by number, and which of them a question names."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.index.columns import Numbers
from graphmem.index.words import STOP_WORDS, words
from graphmem.model import Entity
from graphmem.temporal import to_micros

_LONGEST_NAME = 6


class Names:
    """The names of a group's entities, each entity with a number of its own."""

    def __init__(self) -> None:
        self.numbers = Numbers()
        self._names: dict[int, tuple[str, ...]] = {}
        self._since: dict[int, int] = {}
        self._named: dict[tuple[str, ...], set[int]] = {}

    def put(self, entity: Entity) -> int | None:
        """Take an entity's name and aliases; return its number if they changed."""
        number, since = self.numbers[entity.id], to_micros(entity.recorded.start)
        names = tuple(dict.fromkeys((entity.name, *sorted(a.name for a in entity.aliases))))
        if since < self._since.get(number, since) or names == self._names.get(number):
            return None
        for name in self._names.get(number, ()):
            self._named[words(name)].discard(number)
        for name in names:
            self._named.setdefault(words(name), set()).add(number)
        self._names[number], self._since[number] = names, since
        return number

    def of(self, number: int) -> tuple[str, ...]:
        """Return the name and aliases of an entity, () as long as it is unknown."""
        return self._names.get(number, ())

    def named(self, question: Sequence[str]) -> list[int]:
        """Return the entities that the words of a question name, in order of mention.

        The longest name wins: up to six words, each word used once. A single stop word names
        nothing.
        """
        found: dict[int, None] = {}
        at = 0
        while at < len(question):
            size = self._longest(question, at)
            if size:
                found |= dict.fromkeys(sorted(self._named[tuple(question[at : at + size])]))
            at += size or 1
        return list(found)

    def _longest(self, question: Sequence[str], at: int) -> int:
        for size in range(min(_LONGEST_NAME, len(question) - at), 0, -1):
            run = tuple(question[at : at + size])
            if self._named.get(run) and not (size == 1 and run[0] in STOP_WORDS):
                return size
        return 0

    def all(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return (entity id, names) of every known entity, by id."""
        return sorted((id, self.of(n)) for id, n in self.numbers.items() if n in self._names)
