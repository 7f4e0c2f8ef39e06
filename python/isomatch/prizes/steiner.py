"""The connected part of a graph that is worth most, with a proof of how far from it we are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from isomatch.prizes.graph import Part, PrizeGraph, grain, is_connected
from isomatch.prizes.growth import best_subtree, grown
from isomatch.prizes.proof import EQUAL, Best, prove
from isomatch.prizes.reduction import Reduced, trimmed


@dataclass(frozen=True, slots=True)
class Tree:
    """A connected part, its score, and a bound that no connected part of the graph exceeds."""

    part: Part
    score: float
    bound: float

    @property
    def gap(self) -> float:
        """How much better the best may be; 0 where this is proven to be the best."""
        return max(0.0, self.bound - self.score)


def best_part(
    graph: PrizeGraph, nodes: Sequence[int], pruning: str = "strong", seconds: float = 2.0
) -> Tree:
    """The part of one component that is worth most, as far as the time allows to prove it.

    Args:
        nodes: all of a component's nodes.
        pruning: of the tree to start from, as ``pcst_fast`` has it: ``strong`` or ``gw``.
        seconds: for the proof, in which a better one may be found; 0 for neither: the tree is
            that of the published method.

    Raises:
        MissingExtraError: the library of the first tree is missing, or gives wrong ones.
    """
    deadline = monotonic() + seconds
    start = grown(graph, np.array(sorted(nodes), np.int64), pruning)
    best = start if seconds == 0 else trimmed(graph, start)
    score = graph.score(best.nodes, best.edges)
    if seconds == 0:
        return Tree(best, score, max(score, _most(graph, nodes)))
    reduced = Reduced(graph, nodes)
    for node in [*reduced.alone, *reduced.prizes]:
        single = trimmed(graph, reduced.single(node))
        if (worth := graph.score(single.nodes, single.edges)) > score + EQUAL:
            best, score = single, worth
    unit = grain([*graph.nodes[list(nodes)].tolist(), *graph.edges.tolist(), *graph.costs.tolist()])
    tree = Best(*best_subtree(reduced.prizes, reduced.costs, _largest(reduced)))
    if touched := reduced.tree_of(best):
        tree.better(*best_subtree(reduced.prizes, reduced.costs, touched))
    tree.score, known = max(tree.score, score), tree.score
    tree.nodes = tree.nodes if known >= score - EQUAL else set()
    prove(reduced, tree, unit, deadline)
    if tree.nodes:
        found = trimmed(graph, reduced.part(tree.nodes, tree.edges))
        if (worth := graph.score(found.nodes, found.edges)) > score + EQUAL:
            best, score = found, worth
    if not is_connected(graph, best):
        raise AssertionError("a part that is not connected was taken for a tree")
    bound = max(tree.bound, *reduced.alone.values()) if reduced.alone else tree.bound
    return Tree(best, score, score if bound <= score + EQUAL else bound)


def _largest(reduced: Reduced) -> set[int]:
    return {max(reduced.prizes, key=lambda node: (reduced.prizes[node], -node))}


def _most(graph: PrizeGraph, nodes: Sequence[int]) -> float:
    """What all prizes of a component come to, less the costs that prizes of edges need."""
    inside = np.zeros(len(graph.nodes), bool)
    inside[list(nodes)] = True
    gains = np.maximum(graph.nets[inside[graph.heads]], 0.0)
    return float(graph.nodes[inside].sum() + gains.sum())
