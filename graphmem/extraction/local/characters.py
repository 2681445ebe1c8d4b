"""What a catalog's names mean as Chinese words: some with a gap for the object ("在…工作")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from graphmem.catalog import Catalog, Relation
from graphmem.extraction.local.lexicon import Sense

IDEOGRAPH: Final = re.compile("[\u3400-\u9fff]")
_GAP: Final = re.compile(r"…+|\.\.\.")


class Pattern(NamedTuple):
    """Words that stand between subject and object, or around the object if ``closing`` is set."""

    opening: str
    closing: str
    sense: Sense


class Match(NamedTuple):
    """A pattern in a clause: what stands before it is the subject."""

    pattern: Pattern
    start: int
    object_start: int
    object_end: int


class Characters:
    """Finds a catalog's Chinese names in a clause, the longest first.

    Whoever can say "N是" of a property ("经理是") can also say "是…的N".
    """

    def __init__(self, catalog: Catalog) -> None:
        found = {
            (pattern.opening, pattern.closing): pattern
            for relation in reversed(list(catalog.relations.values()))
            for pattern in _patterns(relation)
        }
        order = sorted(found.values(), key=lambda p: -len(p.opening + p.closing))
        self._patterns = tuple(order)

    def sense(self, opening: str) -> Sense | None:
        """Return what a name without a gap means, if the catalog has it."""
        found = (p.sense for p in self._patterns if p.opening == opening and not p.closing)
        return next(found, None)

    def find(self, clause: str) -> Match | None:
        """Return the match of the longest pattern; of equal ones, the leftmost."""
        for pattern in self._patterns:
            start = clause.find(pattern.opening)
            if start < 0:
                continue
            after = start + len(pattern.opening)
            end = clause.rfind(pattern.closing, after) if pattern.closing else len(clause)
            if end > after or (end == after and not pattern.closing):
                return Match(pattern, start, after, end)
        return None


def _patterns(relation: Relation) -> Iterator[Pattern]:
    forward = (relation.name, *relation.aliases)
    backward = (relation.inverse or "", *relation.inverse_aliases)
    for names, inverted in ((forward, False), (backward, True)):
        for name in names:
            if IDEOGRAPH.search(name):
                yield from _forms(name, Sense(relation, inverted))


def _forms(name: str, sense: Sense) -> Iterator[Pattern]:
    opening, *rest = _GAP.split(name)
    yield Pattern(opening, rest[0] if rest else "", sense)
    if not rest and len(name) > 2 and name.endswith(("是", "为")):
        yield Pattern("是", f"的{name[:-1]}", Sense(sense.relation, not sense.inverted))
