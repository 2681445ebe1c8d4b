"""Relations that a group adds to its catalog or redefines."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.catalog import Catalog, Relation
from graphmem.catalog.definition import to_json
from graphmem.ingest.meaning import meant_anew, reassigned
from graphmem.ingest.rulings import Decision
from graphmem.model import Assertion, RelationRow
from graphmem.ports import SlotQuery, StatementFilter, View


def declared(view: View, new: Iterable[Relation]) -> Decision:
    """Decide that the group's catalog holds ``new``: a known name is redefined from now on.

    What was concluded before stays in history. Cost: the statements of every relation whose slots
    or names change.

    Raises:
        InvalidInput: The catalog would break a rule, or a statement without an object would be
            told from the other end.
    """
    old = view.catalog()
    catalog = old.extended(new)
    rows = [r for name, r in catalog.relations.items() if old.relations.get(name) != r]
    if not rows:
        return Decision()
    told = view.told_relations()
    renamed = {r for r in told if old.resolve(r)[0].name == r != catalog.resolve(r)[0].name}
    meant = {r for r in told if _meaning(old, r) != _meaning(catalog, r)}
    shaped = {name for name in (*old.relations, *catalog.relations) if _moves(name, old, catalog)}
    about = {a.id: a for a in view.statements(StatementFilter(told_relations=meant))}
    queries = [SlotQuery(tuple(sorted(shaped)), None, None)]
    about |= {a.id: a for a in view.stated(queries)}
    before, after = _anew(view, list(about.values()), catalog)
    return Decision(
        about=tuple(about.values()),
        before=before,
        after=after,
        catalog=catalog,
        relations=tuple(RelationRow(r.name, to_json(r)) for r in rows),
        renamed=tuple(sorted(renamed)),
    )


def _meaning(catalog: Catalog, relation: str) -> tuple[str, bool]:
    found, inverted = catalog.resolve(relation)
    return found.name, inverted


def _moves(name: str, old: Catalog, new: Catalog) -> bool:
    """Tell whether slots of this relation may come to be others, or to conclude otherwise."""

    def shape(catalog: Catalog) -> object:
        relation = catalog.resolve(name)[0]
        feeds = [r.name for r in catalog.feeding(name)]
        links = (catalog.excluded(name), relation.begins, relation.ends, feeds)
        return relation.cardinality, relation.temporal, relation.symmetric, links

    return shape(old) != shape(new)


def _anew(
    view: View, told: list[Assertion], catalog: Catalog
) -> tuple[tuple[Assertion, ...], tuple[Assertion, ...]]:
    moves = reassigned(view.rulings([a.id for a in told])) if told else {}
    ends = {end for a in told for end in (a.told.subject_id, a.told.object_id) if end is not None}
    ends |= {to for moved in moves.values() for to in moved.values()}
    after = meant_anew(view, told, catalog, view.merged(ends), moves)
    ids = {a.id for a in after}
    return tuple(a for a in told if a.id in ids), tuple(after)
