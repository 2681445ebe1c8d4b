"""Names to relations: aliases, inverses, and what is not declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from graphmem.catalog.relation import Relation


class Catalog:
    """The relations of a group. Immutable; ``extended`` returns a larger one."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._relations = {relation.name: relation for relation in relations}

    @property
    def relations(self) -> Mapping[str, Relation]:
        """Relations by canonical name."""
        return MappingProxyType(self._relations)
