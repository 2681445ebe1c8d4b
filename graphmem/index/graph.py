"""Personalised PageRank over the edges that a request may see."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

HOPS = 3
DAMPING = 0.5
STEPS = 20
NEWEST = 64
ARCS = 2048


class Arcs:
    """Every edge as two arcs, by the node they leave, newest edge first.

    Newest: the latest start of valid time, then the least ``tie`` (a hash of the edge's id).
    """

    def __init__(self) -> None:
        self._order = np.zeros(0, np.intp)  # twice an edge's number, plus 1 for its way back
        self._edge: NDArray[np.intp] = np.zeros(0, np.intp)
        self._to: NDArray[np.int64] = np.zeros(0, np.int64)
        # Where each node's arcs begin, and an end.
        self._starts: NDArray[np.intp] = np.zeros(1, np.intp)

    def sort(
        self,
        tails: NDArray[np.int64],
        heads: NDArray[np.int64],
        starts: NDArray[np.int64],
        ties: NDArray[np.int64],
    ) -> None:
        """Take in edges added since the last call; arrays hold one value an edge.

        Args:
            tails: Number of the subject.
            heads: Number of the object.
            starts: Start of valid time in microseconds.
            ties: What decides between equal starts.
        """
        known = len(self._order) // 2
        if known == len(tails):
            return
        # Old arcs in their order, then the new ones: almost sorted, which the sort is fast at.
        new = np.arange(2 * known, 2 * len(tails))
        order = np.concatenate([self._order, new])
        edge, side = order >> 1, order & 1
        node = np.where(side == 0, tails[edge], heads[edge])
        order = order[np.lexsort((ties[edge], -starts[edge], node))]
        self._order = order
        self._edge, side = order >> 1, order & 1
        node = np.where(side == 0, tails[self._edge], heads[self._edge])
        self._to = np.where(side == 0, heads[self._edge], tails[self._edge])
        self._starts = np.searchsorted(node, np.arange(int(node[-1]) + 2)).astype(np.intp)

    def walk(
        self, seen: NDArray[np.bool_], seeds: Mapping[int, float], nodes: int
    ) -> NDArray[np.float64]:
        """Return where a walk that keeps returning to its seeds is found, by node; sums to 1.

        Edges count in both directions. A node's arcs are those of its newest 64 seen edges.
        Arcs of nodes up to two hops from a seed are walked; no hop is taken that would make them
        more than 2,048. At each of 20 steps it goes on with chance 0.5, else (and from a node
        without arcs always) back to the seeds by their weights.

        Args:
            seen: One flag an edge.
            seeds: Weights by node, more than 0; empty: nothing is reached.
            nodes: How many nodes there are.

        Source:
            Haveliwala, "Topic-Sensitive PageRank", WWW 2002.
        """
        reached = np.zeros(nodes)
        if not seeds or not len(self._order):
            return reached
        numbers = np.fromiter(seeds, np.intp)
        tails, heads, near = self._near(seen, numbers, nodes)
        places = np.cumsum(near) - 1
        start = np.zeros(int(near.sum()))
        start[places[numbers]] = np.fromiter(seeds.values(), np.float64)
        reached[near] = _rank(places[tails], places[heads], start / start.sum())
        return reached

    def _near(
        self, seen: NDArray[np.bool_], seeds: NDArray[np.intp], nodes: int
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
        near = np.zeros(nodes, np.bool_)
        near[seeds] = True
        tails = heads = np.zeros(0, np.intp)
        new = np.sort(seeds)
        for _ in range(HOPS):
            more_tails, more_heads = self._newest(seen, new)
            if len(tails) + len(more_tails) > ARCS:
                break
            tails, heads = np.append(tails, more_tails), np.append(heads, more_heads)
            reached = near.copy()
            reached[more_heads] = True
            new = np.flatnonzero(reached & ~near)
            near = reached
        return tails, heads, near

    def edges(self, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the edges that begin or end at some nodes, each once, in order."""
        flags = np.zeros(len(self._order) // 2, np.bool_)
        flags[self._edge[self._arcs(nodes)[1]]] = True
        return flags.nonzero()[0]

    def _arcs(self, nodes: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the nodes, each as often as it has arcs, and these arcs."""
        nodes = nodes[nodes < len(self._starts) - 1]  # later ones have no edge yet
        starts = self._starts[nodes]
        sizes = self._starts[nodes + 1] - starts
        skipped = (starts - sizes.cumsum() + sizes).repeat(sizes)
        return nodes.repeat(sizes), skipped + np.arange(len(skipped))

    def _newest(
        self, seen: NDArray[np.bool_], nodes: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        tails, arcs = self._arcs(nodes)
        kept = seen[self._edge[arcs]].nonzero()[0]
        tails, arcs = tails[kept], arcs[kept]
        if len(tails) > NEWEST:  # then the arc so many places before is not one of the same node
            newest = np.ones(len(tails), np.bool_)
            np.not_equal(tails[NEWEST:], tails[:-NEWEST], out=newest[NEWEST:])
            tails, arcs = tails[newest], arcs[newest]
        return tails, self._to[arcs]


def _rank(
    tails: NDArray[np.intp], heads: NDArray[np.intp], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    size = len(start)
    leaving = np.bincount(tails, minlength=size)
    weights = (DAMPING / np.maximum(leaving, 1))[tails]
    lost = np.where(leaving == 0, DAMPING, 0.0)
    found = start
    for _ in range(STEPS):
        moved = np.bincount(heads, found[tails] * weights, size)
        found = moved + (1 - DAMPING + found.dot(lost)) * start
    return found
