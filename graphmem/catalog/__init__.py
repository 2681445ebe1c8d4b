"""The relations that the engine knows, and what each one means."""

from graphmem.catalog.catalog import Catalog
from graphmem.catalog.relation import Cardinality, Relation, TemporalKind

__all__ = ["Cardinality", "Catalog", "Relation", "TemporalKind"]
