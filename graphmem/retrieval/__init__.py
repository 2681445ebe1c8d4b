"""Reads that rank or join: search by meaning, words and graph, and patterns over edges."""

from graphmem.retrieval.answers import Found, answers
from graphmem.retrieval.ask import Hop, Plan, plan
from graphmem.retrieval.asking import request
from graphmem.retrieval.budget import within_budget
from graphmem.retrieval.clause import Wanted
from graphmem.retrieval.evidence import citations, supporting
from graphmem.retrieval.hits import citation, hits
from graphmem.retrieval.pattern import Pattern, followed, match
from graphmem.retrieval.ranking import Scored, rank
from graphmem.retrieval.search import search

__all__ = [
    "Found",
    "Hop",
    "Pattern",
    "Plan",
    "Scored",
    "Wanted",
    "answers",
    "citation",
    "citations",
    "followed",
    "hits",
    "match",
    "plan",
    "rank",
    "request",
    "search",
    "supporting",
    "within_budget",
]
