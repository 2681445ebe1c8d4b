"""Reads that rank or join: search by meaning, words and graph, and patterns over edges."""

from graphmem.retrieval.asking import request
from graphmem.retrieval.budget import within_budget
from graphmem.retrieval.hits import citation, hits
from graphmem.retrieval.pattern import Pattern, match
from graphmem.retrieval.ranking import Scored, rank
from graphmem.retrieval.search import search

__all__ = [
    "Pattern",
    "Scored",
    "citation",
    "hits",
    "match",
    "rank",
    "request",
    "search",
    "within_budget",
]
