"""The best paths from the best nodes, by prizes and costs (OKGQA, A.6).

A path has no node twice. What may still be gained from a node in so many steps is worked out
first, so that paths can be taken up in the order of the most that they may come to: the ones
that are given are then proven to be the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.prizes.graph import PrizeGraph

    Floats = NDArray[np.float64]

LOOKED_AT = 50_000  # paths; a graph where many score the same has no end of them


@dataclass(frozen=True, slots=True)
class Path:
    """Nodes and the edges between them, by place, and the score."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Paths:
    """The best paths, best first, and the most that one which is not given may score.

    Attributes:
        rest: minus infinity where there is no other path.
        ended: whether the search ended before the paths were proven to be the best.
    """

    paths: tuple[Path, ...]
    rest: float
    ended: bool = False


def best_paths(
    graph: PrizeGraph, starts: Sequence[int], count: int, length: int, most: int = LOOKED_AT
) -> Paths:
    """The paths with the best scores, of all that begin at some nodes.

    Of two paths of which one is the start of the other only the better one is given (of equal
    ones the shorter), and none twice, as itself and backwards.

    Args:
        starts: places of nodes.
        count: how many paths, at most.
        length: most edges of a path; one has at least one.
        most: paths that are looked at.

    Example:
        >>> from isomatch.prizes.graph import PrizeGraph
        >>> graph = PrizeGraph.of(([0, 1], [1, 2]), nodes=[3, 0, 2], edges=[0, 0])
        >>> best_paths(graph, [0], count=1, length=2).paths
        (Path(nodes=(0, 1, 2), edges=(0, 1), score=3.0),)
    """
    near = _neighbours(graph)
    ahead = _ahead(graph, length)
    waiting: list[tuple[float, int, tuple[int, ...], tuple[int, ...], float]] = []

    def wait(nodes: tuple[int, ...], edges: tuple[int, ...], score: float) -> None:
        left = length - len(edges)
        if left:
            most_of_all = score + ahead[left][nodes[-1]]
            heappush(waiting, (-most_of_all, 1, nodes, edges, score))
        if edges:
            heappush(waiting, (-score, 0, nodes, edges, score))

    for start in dict.fromkeys(starts):
        wait((start,), (), float(graph.nodes[start]))
    found: list[Path] = []
    looked_at = 0
    nets = graph.nets
    while waiting and len(found) < count:
        bound, onward, nodes, edges, score = heappop(waiting)
        if looked_at >= most:
            return Paths(tuple(found), -bound, ended=True)
        looked_at += 1
        if not onward:
            if not any(_one_of_the_other(edges, other.edges) for other in found):
                found.append(Path(nodes, edges, score))
            continue
        for edge, other in near.get(nodes[-1], ()):
            if other not in nodes:
                gained = float(graph.nodes[other] + nets[edge])
                wait((*nodes, other), (*edges, edge), score + gained)
    return Paths(tuple(found), -waiting[0][0] if waiting else -inf)


def _neighbours(graph: PrizeGraph) -> dict[int, list[tuple[int, int]]]:
    near: dict[int, list[tuple[int, int]]] = {}
    rows = zip(graph.heads.tolist(), graph.tails.tolist(), strict=True)
    for edge, (head, tail) in enumerate(rows):
        if head != tail:
            near.setdefault(head, []).append((edge, tail))
            near.setdefault(tail, []).append((edge, head))
    return near


def _ahead(graph: PrizeGraph, length: int) -> list[Floats]:
    """The most that a walk of one edge up to so many gains from each node."""
    source = np.concatenate([graph.heads, graph.tails])
    target = np.concatenate([graph.tails, graph.heads])
    gains = np.tile(graph.nets, 2) + graph.nodes[target]
    levels = [np.zeros(len(graph.nodes))]
    for _ in range(length):
        level = np.full(len(graph.nodes), -inf)
        np.maximum.at(level, source, gains + np.maximum(levels[-1], 0.0)[target])
        levels.append(level)
    return levels


def _one_of_the_other(edges: tuple[int, ...], others: tuple[int, ...]) -> bool:
    """Whether one path is the start of the other, or the other backwards."""
    short = min(len(edges), len(others))
    return edges[:short] == others[:short] or edges == others[::-1]
