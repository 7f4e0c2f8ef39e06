"""Graphs with prizes on nodes and edges, and costs on edges; what a part of one is worth.

The score of a part is OKGQA's (Sui and Hooi 2025, section 4.1): the prizes of its nodes and
edges, less the costs of its edges. Directions do not matter here.

Surroundings without what is far from the topics, by personalised PageRank (OKGQA, A.5).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from isomatch.errors import ConfigurationError
from isomatch.triples.pagerank import pagerank

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from isomatch.triples.neighbourhood import Neighbourhood

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Size:
    """Numbers of nodes and of facts."""

    nodes: int
    facts: int

    @classmethod
    def of(cls, hood: Neighbourhood) -> Size:
        return cls(len(hood.nodes), len(hood))


def prune(hood: Neighbourhood, least: float, most: int | None = None) -> Neighbourhood:
    """The part of a neighbourhood whose nodes have at least some rank.

    Topics are always kept, and with them only what still hangs together with one.

    Args:
        least: smallest personalised PageRank; all ranks sum to 1.
        most: number of nodes that are kept at most, those with the highest ranks (of equal
            ones the first by name); None for all.
    """
    topic = np.arange(len(hood.nodes)) < hood.topics
    ranks = pagerank(hood.heads, hood.tails, hood.topics, len(hood.nodes))
    keep = (ranks >= least) | topic
    if most is not None and keep.sum() > most:
        best = np.argsort(-np.where(topic, 2.0, np.round(ranks, 12)), kind="stable")
        keep[best[max(most, hood.topics) :]] = False
    inside = keep[hood.heads] & keep[hood.tails]
    number = components(hood.heads[inside], hood.tails[inside], len(hood.nodes))
    keep &= np.isin(number, number[topic])
    return _restricted(hood, keep)


def _restricted(hood: Neighbourhood, keep: NDArray[np.bool_]) -> Neighbourhood:
    if keep.all():
        return hood
    inside = keep[hood.heads] & keep[hood.tails]
    place = np.cumsum(keep) - 1
    used = np.unique(hood.links[inside])
    kept = np.flatnonzero(keep).tolist()
    return replace(
        hood,
        nodes=tuple(hood.nodes[i] for i in kept),
        names=tuple(hood.names[i] for i in kept),
        relations=tuple(hood.relations[i] for i in used.tolist()),
        heads=place[hood.heads[inside]],
        links=np.searchsorted(used, hood.links[inside]),
        tails=place[hood.tails[inside]],
    )


@dataclass(frozen=True, slots=True)
class PrizeGraph:
    """Nodes 0 … n-1, and edges as arrays; edge ``i`` joins ``heads[i]`` and ``tails[i]``.

    Parallel edges and loops may be there. Make one with `of`, which checks the numbers.

    Attributes:
        heads, tails: places of nodes, shape (edges,).
        nodes: prizes, shape (nodes,), from 0 on.
        edges, costs: prizes and costs, shape (edges,), from 0 on.
    """

    heads: Places
    tails: Places
    nodes: Floats
    edges: Floats
    costs: Floats

    @classmethod
    def of(
        cls,
        ends: tuple[ArrayLike, ArrayLike],
        nodes: ArrayLike,
        edges: ArrayLike,
        cost: ArrayLike = 1.0,
    ) -> PrizeGraph:
        """A graph of these numbers; ``cost`` is that of every edge, or one for each.

        Raises:
            ConfigurationError: a prize or cost is negative, infinite or no number, or the
                shapes do not fit.

        Example:
            >>> graph = PrizeGraph.of(([0, 1], [1, 2]), nodes=[3, 0, 2], edges=[0, 0])
            >>> graph.score([0, 1, 2], [0, 1])
            3.0
        """
        heads, tails = (np.asarray(end, np.int64).reshape(-1) for end in ends)
        node_prizes, edge_prizes = (_amounts(x, "prize") for x in (nodes, edges))
        costs = np.broadcast_to(_amounts(cost, "cost"), heads.shape).astype(np.float64)
        if not heads.shape == tails.shape == edge_prizes.shape:
            raise ConfigurationError("heads, tails and prizes of edges must be equally many")
        if len(heads) and not 0 <= min(heads.min(), tails.min()) <= max(
            heads.max(), tails.max()
        ) < len(node_prizes):
            raise ConfigurationError("an edge has an end that is no node")
        return cls(heads, tails, node_prizes, edge_prizes, costs)

    @property
    def nets(self) -> Floats:
        """What each edge adds to a score: its prize less its cost."""
        nets: Floats = self.edges - self.costs
        return nets

    def score(self, nodes: Collection[int], edges: Collection[int]) -> float:
        """What a part is worth."""
        some, others = np.array([*nodes], np.int64), np.array([*edges], np.int64)
        return float(self.nodes[some].sum() + self.nets[others].sum())

    def components(self) -> Places:
        """The number of each node's component, shape (nodes,)."""
        return components(self.heads, self.tails, len(self.nodes))


def components(heads: Places, tails: Places, nodes: int) -> Places:
    """The number of each node's component, shape (nodes,)."""
    joined = coo_array((np.ones(len(heads)), (heads, tails)), (nodes, nodes))
    return np.asarray(connected_components(joined, directed=False)[1], np.int64)


@dataclass(frozen=True, slots=True)
class Part:
    """A connected part of a graph: places of its nodes and edges, ascending."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]

    @classmethod
    def of(cls, nodes: Collection[int], edges: Collection[int]) -> Part:
        return cls(tuple(sorted(set(nodes))), tuple(sorted(set(edges))))


def is_connected(graph: PrizeGraph, part: Part) -> bool:
    """Whether a part has a node, the ends of its edges, and hangs together."""
    if not part.nodes:
        return False
    group = {node: node for node in part.nodes}
    left = len(group)
    for edge in part.edges:
        ends = int(graph.heads[edge]), int(graph.tails[edge])
        if not group.keys() >= set(ends):
            return False
        first, second = (root(group, end) for end in ends)
        if first != second:
            group[first] = second
            left -= 1
    return left == 1


def root(group: dict[int, int] | list[int], node: int) -> int:
    """The node that stands for the group of a node (union-find with path halving)."""
    while group[node] != node:
        group[node] = group[group[node]]
        node = group[node]
    return node


def grain(amounts: Sequence[float]) -> float:
    """A number of which every amount is a whole multiple; 0 where none is found.

    All scores are then multiples of it, so that a bound may be rounded.

    Example:
        >>> grain([10, 3, 0.5]), grain([1, 0.1, 2]), grain([1.0, 0.123456789])
        (0.5, 0.1, 0.0)
    """
    found = {x for x in amounts if x}
    for parts in (1, 2, 4, 5, 10, 20, 100, 1000):
        scaled = [x * parts for x in found]
        if all(x < 2**40 and abs(x - round(x)) < 1e-9 for x in scaled):
            whole = np.gcd.reduce([round(x) for x in scaled]) if scaled else 1
            return float(whole) / parts
    return 0.0


def _amounts(given: ArrayLike, what: str) -> NDArray[Any]:
    amounts = np.asarray(given, np.float64)
    if not np.isfinite(amounts).all() or (amounts < 0).any():
        wrong = amounts[~np.isfinite(amounts) | (amounts < 0)].flat[0]
        raise ConfigurationError(f"a {what} must be a number from 0 on, not {wrong:g}")
    return amounts
