"""The relations that the engine knows, and what each one means."""

from graphmem.catalog.catalog import Catalog, relation_key
from graphmem.catalog.definition import to_json
from graphmem.catalog.relation import Cardinality, Relation, TemporalKind

__all__ = ["Cardinality", "Catalog", "Relation", "TemporalKind", "relation_key", "to_json"]
