"""Search over the reference store's tables."""

from __future__ import annotations

from graphmem.errors import InvalidInput
from graphmem.model import HitKind
from graphmem.ports import Candidate, SearchRequest
from graphmem.testing.facts import Facts
from graphmem.testing.tables import Tables
from graphmem.testing.turns import Turns


def search(tables: Tables, request: SearchRequest) -> list[Candidate]:
    """Return the union of what the channels found, with all features, by (id, kind).

    Raises:
        InvalidInput: The question's vector has another dimension than those here.
    """
    asked = request.vector
    if asked is not None and any(v.shape != asked.shape for v in tables.vectors.values()):
        raise InvalidInput(
            f"a question's vector of shape {asked.shape} fits none of this group's; "
            "embed it with the model that the store was made with"
        )
    facts = Facts(tables, request)
    found: list[Candidate] = []
    if HitKind.EDGE in request.kinds:
        found += facts.scored.candidates(HitKind.EDGE, facts.features)
    if HitKind.EPISODE in request.kinds:
        turns = Turns(tables, request, facts.lifted())
        found += turns.scored.candidates(HitKind.EPISODE, turns.features)
    return sorted(found, key=lambda one: (one.id, one.kind))
