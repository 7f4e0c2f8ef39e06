"""A smaller graph with the same best score: what certainly belongs together is one node.

The best connected part of a graph takes every edge between its nodes that adds to the score,
and every neighbour across an edge that costs nothing in all. So such edges are contracted,
and what is left is a tree with prizes on nodes and costs on edges alone. The tests on nodes
of one and two edges are the usual ones for such trees (Ljubić et al. 2006).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from isomatch.prizes.graph import Part, PrizeGraph, root


@dataclass(slots=True)
class _Piece:
    """What a node or edge of the reduced graph stands for."""

    nodes: list[int] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)

    def add(self, *others: _Piece) -> None:
        for other in others:
            self.nodes += other.nodes
            self.edges += other.edges


class Reduced:
    """A simple graph with prizes on nodes and costs on edges.

    Attributes:
        prizes: by node; those left are the keys.
        costs: by node and neighbour, both ways.
        alone: nodes that are no longer in the graph, with their prizes: each by itself is a
            part, and the best part of all is in the graph or one of these.
    """

    def __init__(self, graph: PrizeGraph, nodes: Iterable[int]):
        self.graph = graph
        self.prizes: dict[int, float] = {}
        self.costs: dict[int, dict[int, float]] = {}
        self.alone: dict[int, float] = {}
        self._pieces: dict[int, _Piece] = {}
        self._links: dict[tuple[int, int], _Piece] = {}
        self._lone: dict[int, _Piece] = {}
        self._contract(set(nodes))
        self._remove()

    def _contract(self, nodes: set[int]) -> None:
        graph = self.graph
        nets = graph.nets
        inside = [
            e
            for e in range(len(nets))
            if int(graph.heads[e]) in nodes  # components are whole
        ]
        group = {node: node for node in nodes}
        free: list[int] = []
        for edge in sorted(inside, key=lambda e: (-nets[e], e)):
            if nets[edge] < 0:
                break
            ends = (root(group, int(graph.heads[edge])), root(group, int(graph.tails[edge])))
            if nets[edge] > 0 or ends[0] != ends[1]:
                free.append(edge)
            group[max(ends)] = min(ends)
        for node in sorted(nodes):
            at = root(group, node)
            self._pieces.setdefault(at, _Piece()).nodes.append(node)
            self.prizes[at] = self.prizes.get(at, 0.0) + float(graph.nodes[node])
            self.costs.setdefault(at, {})
        for edge in free:
            at = root(group, int(graph.heads[edge]))
            self._pieces[at].edges.append(edge)
            self.prizes[at] += float(nets[edge])
        for edge in inside:
            if nets[edge] < 0:
                ends = (root(group, int(graph.heads[edge])), root(group, int(graph.tails[edge])))
                self._join(*ends, -float(nets[edge]), _Piece([], [edge]))

    def _join(self, first: int, second: int, cost: float, piece: _Piece) -> None:
        """An edge, unless there is one that costs no more."""
        if first == second or self.costs[first].get(second, np.inf) <= cost:
            return
        self.costs[first][second] = self.costs[second][first] = cost
        self._links[_pair(first, second)] = piece

    def _remove(self) -> None:
        """Take out nodes of one edge, and pass over nodes of two that are no aim."""
        waiting = [(len(self.costs[node]), node) for node in sorted(self.costs)]
        while waiting:
            _, node = heappop(waiting)
            if node not in self.costs or len(self.costs[node]) > 2 or len(self.costs) == 1:
                continue
            near = dict(self.costs[node])
            prize = self.prizes[node]
            if len(near) == 1:
                ((other, cost),) = near.items()
                if prize > cost:
                    self.prizes[other] += prize - cost
                    link = self._links[_pair(node, other)]
                    self._set_alone(node)
                    self._pieces[other].add(self._pieces[node], link)
                else:
                    self._set_alone(node)
            elif len(near) == 2 and prize <= min(near.values()):
                (first, one), (second, two) = near.items()
                piece = _Piece()
                links = (self._links[_pair(node, end)] for end in near)
                piece.add(self._pieces[node], *links)
                self._join(first, second, one + two - prize, piece)
                self._set_alone(node)
            else:
                continue
            self._drop(node)
            for end in near:
                heappush(waiting, (len(self.costs[end]), end))

    def _set_alone(self, node: int) -> None:
        self.alone[node] = self.prizes[node]
        piece = _Piece()
        piece.add(self._pieces[node])
        self._lone[node] = piece

    def _drop(self, node: int) -> None:
        for other in self.costs.pop(node):
            del self.costs[other][node]
            del self._links[_pair(node, other)]
        del self.prizes[node], self._pieces[node]

    def part(self, nodes: Iterable[int], edges: Iterable[tuple[int, int]]) -> Part:
        """What a tree of this graph is in the one that it was made of."""
        piece = _Piece()
        piece.add(*(self._pieces[node] for node in nodes))
        piece.add(*(self._links[_pair(*edge)] for edge in edges))
        return Part.of(piece.nodes, piece.edges)

    def single(self, node: int) -> Part:
        """What one node stands for, or stood for when it was taken out."""
        piece = self._pieces[node] if node in self._pieces else self._lone[node]
        return Part.of(piece.nodes, piece.edges)

    def tree_of(self, part: Part) -> set[int]:
        """The nodes of this graph that a part of the other one touches."""
        inside = set(part.nodes)
        return {node for node, piece in self._pieces.items() if inside & set(piece.nodes)}


def _pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def trimmed(graph: PrizeGraph, part: Part) -> Part:
    """A part without the ends that add nothing, and not less than it was worth."""
    nets = graph.nets
    edges = set(part.edges)
    near: dict[int, set[int]] = {node: set() for node in part.nodes}
    for edge in edges:
        near[int(graph.heads[edge])].add(edge)
        near[int(graph.tails[edge])].add(edge)
    waiting = sorted(near)
    while waiting:
        node = waiting.pop()
        if len(near) == 1 or node not in near or len(near[node]) != 1:
            continue
        (edge,) = near[node]
        other = int(graph.heads[edge] + graph.tails[edge] - node)
        if other == node or graph.nodes[node] + nets[edge] > 0:
            continue
        del near[node]
        near[other].discard(edge)
        edges.discard(edge)
        waiting.append(other)
    return Part.of(near, edges)
