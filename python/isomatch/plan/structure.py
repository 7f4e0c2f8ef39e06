"""The shape of a pattern without its words: what a query text depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from isomatch.options import Nodes, Options
from isomatch.pattern.types import Pattern


def directions(pattern: Pattern, options: Options) -> list[bool]:
    """For each edge of a pattern, whether it is matched from source to target only."""
    if options.direction == "as drawn":
        return [edge.directed for edge in pattern.edges]
    return [options.direction == "as written"] * len(pattern.edges)


@dataclass(frozen=True)
class Structure:
    """Nodes and edges by number, and the rules of matching.

    Two patterns with the same structure share their query texts; only relations,
    types and bound nodes differ. Not slotted: derived rules are cached on it.

    Attributes:
        known: for each node, whether it has candidates.
        edges: (source, target) node numbers.
        values: for each edge, the number of the node that is a value on it, or None.
        order: edge numbers in the order in which a query should visit them; a
            subset of all edges stands for a part of the pattern.
        nodes: see `Options.nodes`.
        directed: for each edge, whether it is matched from source to target only.
        same_as: see `Options.same_as`.
        keys: for each edge, the property that the value on it is of; None for any, and
            empty where no edge has one.
        alike: pairs of nodes that a condition compares so that they may be equal, and so one
            value of the graph.
    """

    known: tuple[bool, ...]
    edges: tuple[tuple[int, int], ...]
    values: tuple[int | None, ...]
    order: tuple[int, ...]
    nodes: Nodes
    directed: tuple[bool, ...]
    same_as: bool = False
    keys: tuple[str | None, ...] = ()
    alike: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, pattern: Pattern, options: Options) -> Structure:
        """The structure of a pattern, edges in the pattern's order."""
        number = {node.id: i for i, node in enumerate(pattern.nodes)}
        keys = tuple(edge.key for edge in pattern.edges)
        return cls(
            known=tuple(n.known for n in pattern.nodes),
            edges=tuple((number[e.source], number[e.target]) for e in pattern.edges),
            values=tuple(None if e.value is None else number[e.value] for e in pattern.edges),
            order=tuple(range(len(pattern.edges))),
            nodes=options.nodes,
            directed=tuple(directions(pattern, options)),
            same_as=options.same_as,
            keys=keys if any(keys) else (),
            alike=tuple((number[a], number[b]) for a, b in pattern.alike),
        )

    def part(self, edges: tuple[int, ...]) -> Structure:
        """The same structure, restricted to some edges, in that order."""
        return replace(self, order=edges)

    @cached_property
    def used(self) -> tuple[int, ...]:
        """Node numbers that the edges touch: by edge its ends, then its value.

        A pattern without edges is a node alone.
        """
        if not self.edges:
            return (0,)
        return tuple(dict.fromkeys(n for e in self.order for n in self.touched(e)))

    def key(self, edge: int) -> str | None:
        """The property that the value on an edge is of; None for any."""
        return self.keys[edge] if self.keys else None

    def touched(self, edge: int) -> tuple[int, ...]:
        """Node numbers of an edge: its ends, then its value."""
        value = self.values[edge]
        return self.edges[edge] if value is None else (*self.edges[edge], value)

    def may_coincide(self, a: int, b: int) -> bool:
        """Whether two pattern nodes may be the same graph node.

        A value on an edge may be equal to anything, since it is no node of the graph, and
        a node to what a condition compares it with.
        """
        if a == b or self.nodes in ("repeat", "walk") or a in self.values or b in self.values:
            return True
        if (a, b) in self.alike or (b, a) in self.alike:
            return True
        return self.nodes == "anchored" and not self.known[a] and not self.known[b]

    @cached_property
    def apart(self) -> tuple[tuple[int, int], ...]:
        """Pairs of nodes that must be different graph nodes."""
        used = sorted(self.used)
        return tuple(
            (a, b) for i, a in enumerate(used) for b in used[i + 1 :] if not self.may_coincide(a, b)
        )

    @cached_property
    def conflicts(self) -> tuple[tuple[int, int], ...]:
        """Pairs of edges that might fall on one stored triple.

        Edges are matched to distinct triples, but in a ``walk``. Under ``distinct``
        only parallel edges can meet; where nodes may coincide, others can too.
        """
        if self.nodes == "walk":
            return ()
        order = sorted(self.order)
        return tuple((e, f) for i, e in enumerate(order) for f in order[i + 1 :] if self.ways(e, f))

    def ways(self, e: int, f: int) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
        """The ways in which two edges can have the same ends.

        Each way is two pairs of nodes that would have to coincide.
        """
        (a, b), (c, d) = self.edges[e], self.edges[f]
        ways = [((a, c), (b, d))]
        if not (self.directed[e] and self.directed[f]) and a != b and c != d:
            ways.append(((a, d), (b, c)))
        return tuple(
            way for way in ways if all(self.may_coincide(left, right) for left, right in way)
        )
