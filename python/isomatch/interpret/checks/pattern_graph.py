"""What checks ask of a pattern as a graph: its ends, types and names, and what its edges join."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from isomatch.interpret.words.agents import End
from isomatch.pattern.types import Edge, Pattern

OTHER: Mapping[End, End] = {"source": "target", "target": "source"}
Types = Mapping[str, str | None]
"""Of nodes, by their ids."""


def nodes_named(pattern: Pattern, text: str) -> set[str]:
    """The nodes of a name, or of a value."""
    return {node.id for node in pattern.nodes if node.text == text}


def typed_edges(pattern: Pattern, outer: Types) -> Iterator[tuple[Sequence[Edge], Types]]:
    """The edges of a pattern, and of those in its braces, with the types of their nodes.

    Args:
        outer: the types of what the pattern's answers are compared with.
    """
    types = {node.id: node.type or outer.get(node.id) for node in pattern.nodes}
    yield pattern.edges, types
    for part in pattern.parts:
        pairs = zip(part.pattern.answers, part.nodes, strict=False)
        yield from typed_edges(part.pattern, {inner: types.get(id) for inner, id in pairs})


def neighbours(edges: Iterable[Edge], ids: Set[str]) -> Iterator[str]:
    """Nodes, where they have edges, and those at the other ends."""
    for edge in edges:
        if not ids.isdisjoint(edge.nodes):
            yield from edge.nodes


def joined(nodes: Iterable[str], edges: Sequence[Edge]) -> set[str]:
    """Nodes, and those that edges join them to."""
    found, level = set(nodes), set(nodes)
    while level:
        level = set(neighbours(edges, level)) - found
        found |= level
    return found


def distances(pattern: Pattern, name: str) -> dict[str, int]:
    """How many edges every node is from one with a name, counted from 1 for that."""
    level = nodes_named(pattern, name)
    far = dict.fromkeys(level, 1)
    while level:
        level = {id for id in neighbours(pattern.edges, level) if id not in far}
        far |= dict.fromkeys(level, max(far.values()) + 1)
    return far
