"""SimGRAG's retrieval: Algorithm 1 with the pruning and the greedy order of 5.2.

Cai et al., arXiv 2412.15272, section 5, over adjacency dictionaries in memory.
The baseline of the benchmark, and a second check on the engine's plain top-k.
Written to be fast where the paper leaves it open: neighbours are found by
relation in both directions, relations are tried in ascending distance so that
one that is too far ends the loop, and a known target is looked up rather than
scanned for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappush, heappushpop
from itertools import count
from math import inf
from operator import itemgetter

from isomatch.pattern.types import Pattern

Triple = tuple[str, str, str]
Distances = Mapping[str, float]


@dataclass(frozen=True)
class Found:
    """One subgraph: its distance, its nodes by pattern id, its relation of every edge."""

    gsd: float
    nodes: Mapping[str, str]
    relations: tuple[str, ...]


@dataclass(frozen=True)
class _Step:
    """One edge in traversal order, or (``edge`` is None) the start of a component.

    Attributes:
        source: pattern node that is mapped already; "" for a start.
        target: pattern node that the step reaches, mapped before when ``closes``.
        relations: (distance, relation) ascending; None for an unknown relation.
        ends: candidates of a known target that the step maps; None for any node.
        rest: least that the steps after this one can add (X + Y of equation 11).
    """

    edge: int | None
    source: str
    target: str
    closes: bool
    relations: list[tuple[float, str]] | None
    ends: Distances | None
    rest: float


class SimGrag:
    """The graph in adjacency dictionaries, and the search over them.

    Nodes are distinct and direction is ignored, as published.
    """

    def __init__(self, triples: Iterable[Triple], *, as_written: bool = False):
        """``as_written`` gathers and sorts all neighbours of a node before any is tried.

        So the paper has it. The results are the same; hubs cost more.
        """
        self._as_written = as_written
        self._stored = set(triples)
        self._neighbours: dict[str, dict[str, dict[str, None]]] = {}
        for source, relation, target in self._stored:
            for a, b in ((source, target), (target, source)):
                self._neighbours.setdefault(a, {}).setdefault(relation, {})[b] = None

    def search(
        self,
        pattern: Pattern,
        node_candidates: Mapping[str, Distances],
        relation_candidates: Mapping[int, Distances],
        k: int,
    ) -> list[Found]:
        """The k subgraphs of the least graph semantic distance, ascending.

        Args:
            pattern: types of its nodes are ignored.
            node_candidates: distances by graph node, by id of known pattern node.
            relation_candidates: distances by relation, by index of edge with a
                known relation.
            k: how many; of those with equal distance any may be returned.
        """
        steps = self._steps(pattern, node_candidates, relation_candidates)
        parallel = _parallel_edges(pattern)
        best: list[tuple[float, int, Found]] = []
        order = count()
        mapped: dict[str, str] = {}
        taken: set[str] = set()
        relations = [""] * len(pattern.edges)
        worst = inf  # the k-th distance so far

        def expand(index: int, cost: float) -> None:
            nonlocal worst
            if index == len(steps):
                if cost >= worst or not self._enough_triples(pattern, parallel, mapped, relations):
                    return
                item = (-cost, next(order), Found(cost, dict(mapped), tuple(relations)))
                if len(best) < k:
                    heappush(best, item)
                else:
                    heappushpop(best, item)
                if len(best) == k:
                    worst = -best[0][0]
                return
            step = steps[index]
            for distance, relation, ends in self._ways(step, mapped):
                reached = cost + distance
                if reached + step.rest > worst:  # "exceeds", as published: ties are followed
                    break
                if step.edge is not None:
                    relations[step.edge] = relation
                if step.closes:
                    expand(index + 1, reached)
                    continue
                for node in ends:
                    if node in taken:
                        continue
                    if reached + step.rest > worst:
                        break
                    mapped[step.target] = node
                    taken.add(node)
                    expand(index + 1, reached)
                    taken.discard(node)

        expand(0, 0.0)
        return [found for _, _, found in sorted(best, key=lambda item: (-item[0], item[1]))]

    def _ways(
        self, step: _Step, mapped: Mapping[str, str]
    ) -> Iterator[tuple[float, str, Iterable[str]]]:
        """(distance, relation, end nodes) of a step, ascending by distance."""
        if step.edge is None:
            if step.ends is None:
                yield 0.0, "", self._neighbours
            else:
                for node, distance in sorted(step.ends.items(), key=itemgetter(1)):
                    if node in self._neighbours:
                        yield distance, "", (node,)
            return
        around = self._neighbours[mapped[step.source]]
        relations = step.relations
        if relations is None:
            relations = [(0.0, relation) for relation in around]
        if step.closes:
            end = mapped[step.target]
            for distance, relation in relations:
                if end in around.get(relation, ()):
                    yield distance, relation, ()
        elif step.ends is None and not self._as_written:
            for distance, relation in relations:
                if ends := around.get(relation):
                    yield distance, relation, ends
        else:
            pairs: list[tuple[float, str, tuple[str]]] = []
            for distance, relation in relations:
                near = around.get(relation, {})
                if step.ends is None:
                    pairs += [(distance, relation, (end,)) for end in near]
                elif len(near) < len(step.ends):
                    pairs += [
                        (distance + step.ends[end], relation, (end,))
                        for end in near
                        if end in step.ends
                    ]
                else:
                    pairs += [
                        (distance + extra, relation, (end,))
                        for end, extra in step.ends.items()
                        if end in near
                    ]
            yield from sorted(pairs, key=itemgetter(0))

    def _steps(
        self,
        pattern: Pattern,
        nodes: Mapping[str, Distances],
        relations: Mapping[int, Distances],
    ) -> list[_Step]:
        """All edges depth first, each component from its node with the fewest candidates."""
        order: list[tuple[int | None, str, str, bool]] = []
        seen: set[str] = set()
        done: set[int] = set()

        def walk(node: str) -> None:
            for index, edge in enumerate(pattern.edges):
                if index in done or node not in (edge.source, edge.target):
                    continue
                done.add(index)
                other = edge.target if node == edge.source else edge.source
                order.append((index, node, other, other in seen))
                if other not in seen:
                    seen.add(other)
                    walk(other)

        def candidates(id: str) -> int:
            return len(nodes[id]) if id in nodes else len(self._neighbours)

        for start in sorted((n.id for n in pattern.nodes), key=candidates):
            if start not in seen:
                seen.add(start)
                order.append((None, "", start, False))
                walk(start)

        steps: list[_Step] = []
        rest = 0.0
        for edge, source, target, closes in reversed(order):
            near = None
            if edge is not None and edge in relations:
                near = sorted((distance, id) for id, distance in relations[edge].items())
            ends = None if closes else nodes.get(target)
            steps.append(_Step(edge, source, target, closes, near, ends, rest))
            rest += near[0][0] if near else 0.0
            rest += min(ends.values()) if ends else 0.0
        return steps[::-1]

    def _enough_triples(
        self,
        pattern: Pattern,
        parallel: Sequence[int],
        mapped: Mapping[str, str],
        relations: Sequence[str],
    ) -> bool:
        """Whether parallel edges find distinct triples; others do, as nodes are distinct."""
        used: Counter[Triple] = Counter()
        for index in parallel:
            edge = pattern.edges[index]
            low, high = sorted((mapped[edge.source], mapped[edge.target]))
            used[low, relations[index], high] += 1
        return all(
            times <= len({triple, triple[::-1]} & self._stored) for triple, times in used.items()
        )


def _parallel_edges(pattern: Pattern) -> list[int]:
    """Indices of edges that share both ends with another edge."""
    pairs = [frozenset((e.source, e.target)) for e in pattern.edges]
    return [i for i, pair in enumerate(pairs) if pairs.count(pair) > 1]
