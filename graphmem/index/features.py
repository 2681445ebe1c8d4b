"""The raw features of candidates: what each name means. Retrieval scales and weighs them.

"Believed" rows are those whose transaction time holds ``SearchRequest.recorded`` and that have not
expired by then; "seen" rows pass every other filter of the request as well. Nothing of a row that
is not seen enters a feature (only the statistics N, df and average length are of all believed
rows). Cosines are rounded to six decimals. A vector feature is absent without the channel
``vector`` or the question's vector, ``bm25`` and its kin without the channel ``lexical``, ``graph``
without the channel ``graph``.
"""

from __future__ import annotations

from typing import Final

COSINE: Final = "cosine"
"""Cosine of the question with the turn ("Speaker: text") or the fact; 0 without a vector."""
BM25: Final = "bm25"
"""BM25 of the turn's terms, or of the edge's (``edge_terms``), as in ``Bm25``."""
GRAPH: Final = "graph"
"""Of an edge: the sum of its ends' chances in the walk (``Arcs.walk``), rounded to nine decimals.
Of an episode: the greatest of the seen edges that it supports."""
SHARE: Final = "share"
"""Which part of the idf of the question's distinct terms stands in the row, 0 to 1."""
ONLY: Final = "only"
"""The same, counting only terms that a single believed row of this kind holds."""
WINDOW_COSINE: Final = "window_cosine"
"""Episodes: cosine with the window of three turns. Equal to ``cosine`` if the window has no vector,
the turn is not the open version, or a searchable open neighbour of it in the window is not seen."""
WINDOW_BM25: Final = "window_bm25"
"""Episodes: BM25 of the turn and its seen neighbours taken as one row: counts and lengths summed,
the average three times that of a turn, idf that of turns."""
NEAR_BM25: Final = "near_bm25"
"""Episodes: the same of up to ten seen turns of the thread on either side, the average 21 times."""
NEAR_COSINE: Final = "near_cosine"
"""Episodes: the greatest cosine of a turn among those, itself included."""
SUBJECT: Final = "subject"
"""Episodes: 1 if the speaker is whom the question is about: its first word that stands in the name
of a speaker of any seen turn stands in this one's (stop words and single letters never do)."""
ASKS: Final = "asks"
"""Episodes: 1 if the text ends with a question mark."""
LENGTH: Final = "length"
"""Episodes: ln(1 + terms of the turn), at most ln 31."""
NAMED: Final = "named"
"""Edges: how many of its two ends the question names, halved: 0, 0.5 or 1."""
