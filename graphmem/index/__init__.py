"""What every store and retrieval share: words, BM25, and the searchable image of a group."""

from graphmem.index.bm25 import Bm25
from graphmem.index.candidates import Candidates
from graphmem.index.image import Image
from graphmem.index.rows import EdgeSource, Rows
from graphmem.index.texts import edge_terms, text_hash, turn_text, window_text
from graphmem.index.words import STOP_WORDS, name_key, terms, words

__all__ = [
    "STOP_WORDS",
    "Bm25",
    "Candidates",
    "EdgeSource",
    "Image",
    "Rows",
    "edge_terms",
    "name_key",
    "terms",
    "text_hash",
    "turn_text",
    "window_text",
    "words",
]
