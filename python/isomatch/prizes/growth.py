"""The tree to begin with: Goemans and Williamson's, by the library ``pcst_fast``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.errors import MissingExtraError
from isomatch.prizes.graph import Part, PrizeGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

INSTALL = "pip install 'isomatch[open]'"


@cache
def grower() -> Callable[..., Any]:
    """The library's function, once it has given a known answer.

    ``pcst_fast`` 1.0.10 returns garbage with NumPy 2 and says nothing; ``pcst-fast2`` has the
    same name for Python and does not.

    Raises:
        MissingExtraError: it is not installed, or its answer is wrong.
    """
    try:
        from pcst_fast import pcst_fast
    except ImportError as error:
        raise MissingExtraError(f"Steiner trees need the package pcst-fast2: {INSTALL}") from error
    check(pcst_fast)
    return pcst_fast  # type: ignore[no-any-return]


def check(grow: Callable[..., Any]) -> None:
    """Refuse a function that gets a path of four nodes wrong.

    Raises:
        MissingExtraError: it does.
    """
    ends = np.array([[0, 1], [1, 2], [2, 3]], np.int64)
    try:
        nodes, edges = grow(ends, np.array([3, 0, 2, 0.1]), np.ones(3), -1, 1, "strong", 0)
        right = sorted(nodes) == [0, 1, 2] and sorted(edges) == [0, 1]
    except (TypeError, ValueError, RuntimeError):
        right = False
    if not right:
        raise MissingExtraError(
            "the installed pcst_fast gives wrong trees with this NumPy: "
            f"pip uninstall pcst_fast, then {INSTALL}"
        )


def grown(graph: PrizeGraph, nodes: NDArray[np.int64], pruning: str) -> Part:
    """The tree that the published method finds among some nodes, a component of the graph.

    An edge whose prize is more than its cost stands as a node with the difference as its
    prize, between two edges that cost nothing, as He et al. 2024 (G-Retriever) have it.

    Args:
        pruning: ``strong`` or ``gw``.
    """
    place = {int(node): i for i, node in enumerate(nodes)}
    inside = [e for e in range(len(graph.heads)) if int(graph.heads[e]) in place]
    nets, size = graph.nets, len(place)
    prizes = [float(graph.nodes[node]) for node in place]
    ends: list[tuple[int, int]] = []
    costs: list[float] = []
    meant: list[int] = []
    for edge in inside:
        first, second = place[int(graph.heads[edge])], place[int(graph.tails[edge])]
        if nets[edge] > 0:
            prizes.append(float(nets[edge]))
            ends += [(first, len(prizes) - 1), (len(prizes) - 1, second)]
            costs += [0.0, 0.0]
            meant += [edge, edge]
        elif first != second:
            ends.append((first, second))
            costs.append(-float(nets[edge]))
            meant.append(edge)
    pairs = np.array(ends, np.int64).reshape(-1, 2)
    found, links = grower()(pairs, np.array(prizes), np.array(costs), -1, 1, pruning, 0)
    kept = {int(nodes[i]) for i in found.tolist() if i < size}
    edges = {meant[i] for i in links.tolist()}
    for edge in edges:
        kept |= {int(graph.heads[edge]), int(graph.tails[edge])}
    if not kept:
        kept = {int(max(nodes, key=lambda node: graph.nodes[node]))}
    return Part.of(kept, edges)


Costs = Mapping[int, Mapping[int, float]]


def grown_tree(
    prizes: Mapping[int, float], costs: Costs, used: Mapping[tuple[int, int], float]
) -> set[int]:
    """Nodes of a tree, where edges that are used elsewhere are cheaper by that share."""
    order = sorted(prizes)
    place = {node: i for i, node in enumerate(order)}
    pairs = [(u, v) for u in order for v in costs[u] if u < v]
    cheap = [costs[u][v] * (1.001 - used.get((u, v), 0.0)) for u, v in pairs]
    ends = np.array([(place[u], place[v]) for u, v in pairs], np.int64).reshape(-1, 2)
    gains = np.array([prizes[node] for node in order])
    found, _ = grower()(ends, gains, np.array(cheap), -1, 1, "strong", 0)
    return {order[i] for i in found.tolist()}


def best_subtree(
    prizes: Mapping[int, float], costs: Costs, nodes: set[int]
) -> tuple[float, set[int], list[tuple[int, int]]]:
    """The best part of the cheapest tree that spans some connected nodes, with its score."""
    links = _spanning(costs, nodes)
    near: dict[int, list[int]] = {node: [] for node in nodes}
    for u, v in links:
        near[u].append(v)
        near[v].append(u)
    start = min(nodes)
    order, above = [start], {start: start}
    for node in order:
        for other in near[node]:
            if other not in above:
                above[other] = node
                order.append(other)
    worth = {node: prizes[node] for node in order}
    gained: dict[int, float] = {}
    for node in reversed(order):
        if node != start:
            gained[node] = worth[node] - costs[node][above[node]]
            worth[above[node]] += max(0.0, gained[node])
    top = max(order, key=lambda node: (worth[node], -node))
    kept, edges = {top}, []
    for node in order:  # below the top, what gains
        if node != start and above[node] in kept and node not in kept and gained[node] > 0:
            kept.add(node)
            edges.append((above[node], node))
    return worth[top], kept, edges


def _spanning(costs: Costs, nodes: set[int]) -> list[tuple[int, int]]:
    """The edges of a cheapest spanning tree (Prim)."""
    from heapq import heappop, heappush

    start = min(nodes)
    seen, links = {start}, []
    waiting = [(cost, start, other) for other, cost in costs[start].items() if other in nodes]
    waiting.sort()
    while waiting:
        _, node, other = heappop(waiting)
        if other in seen:
            continue
        seen.add(other)
        links.append((node, other))
        for next_one, cost in costs[other].items():
            if next_one in nodes and next_one not in seen:
                heappush(waiting, (cost, other, next_one))
    nodes &= seen
    return links
