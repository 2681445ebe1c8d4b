"""What a slot's statements will be once this unit of work is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from graphmem.model import Assertion
from graphmem.ports import SlotQuery, View


class Overlay:
    """The view's statements without those that close, with those that are new.

    Answers as ``View.stated`` does. Cost: the view's, plus the new rows that share an end.
    """

    def __init__(self, view: View, new: Iterable[Assertion], closing: Iterable[str]) -> None:
        self._view = view
        self._closing = frozenset(closing)
        self._by_subject: defaultdict[str, list[Assertion]] = defaultdict(list)
        self._by_object: defaultdict[str | None, list[Assertion]] = defaultdict(list)
        for assertion in new:
            self._by_subject[assertion.subject_id].append(assertion)
            self._by_object[assertion.object_id].append(assertion)

    def stated(self, queries: Sequence[SlotQuery]) -> list[Assertion]:
        """Return current assertions that match any query, once each, by id."""
        found = {a.id: a for a in self._view.stated(queries) if a.id not in self._closing}
        for query in queries:
            found |= {a.id: a for a in self._near(query) if _matches(a, query)}
        return [found[id] for id in sorted(found)]

    def _near(self, query: SlotQuery) -> list[Assertion]:
        if query.subject_id is not None:
            return self._by_subject.get(query.subject_id, [])
        if query.object_id is not None:
            return [*self._by_object.get(query.object_id, []), *self._by_object.get(None, [])]
        return [a for some in self._by_subject.values() for a in some]


def _matches(assertion: Assertion, query: SlotQuery) -> bool:
    return (
        assertion.relation in query.relations
        and query.subject_id in (None, assertion.subject_id)
        and (assertion.object_id is None or query.object_id in (None, assertion.object_id))
    )
