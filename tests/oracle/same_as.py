"""Graphs with owl:sameAs, and what they are when the nodes that it joins are one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hypothesis import strategies as st
from tests.oracle.brute import Distances, Graph, Lists
from tests.oracle.graphs import ABOVE, NODES, TYPES, Case, cases

from isomatch.store.terms import SAME_AS, is_literal


@dataclass(frozen=True)
class SameCase:
    """A case over the graph as stored, and the same with the nodes of a class merged.

    Attributes:
        stored: what the store holds, ``owl:sameAs`` among its triples.
        merged: what brute force is asked.
        first: the node that stands for a node's class, by node.
    """

    stored: Case
    merged: Case
    first: Mapping[str, str]


def merged(case: Case, pairs: tuple[tuple[str, str], ...]) -> SameCase:
    """A case whose graph says that some pairs of nodes are the same."""
    first = classes(pairs)

    def of(id: str) -> str:
        return first.get(id, id)

    graph = case.graph
    triples = tuple(dict.fromkeys((of(s), r, of(o)) for s, r, o in graph.triples))
    types: dict[str, frozenset[str]] = {}
    for node, some in graph.types.items():
        types[of(node)] = types.get(of(node), frozenset()) | some

    def nearest(entries: Distances) -> dict[str, float]:
        found: dict[str, float] = {}
        for id, distance in entries.items():
            found[of(id)] = min(distance, found.get(of(id), distance))
        return found

    lists = case.lists
    return SameCase(
        replace(
            case,
            graph=Graph(
                (*graph.triples, *((a, SAME_AS, b) for a, b in pairs)),
                graph.types,
            ),
        ),
        replace(
            case,
            graph=Graph(triples, types),
            lists=Lists(
                {part: nearest(entries) for part, entries in lists.nodes.items()},
                lists.relations,
                lists.types,
            ),
        ),
        first,
    )


def classes(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The least node of each class, by node: the closure of the pairs, both ways round."""
    found = {node: {node} for pair in pairs for node in pair}
    for a, b in pairs:
        union = found[a] | found[b]
        for node in union:
            found[node] = union
    return {node: min(some) for node, some in found.items()}


@st.composite
def same_cases(draw: st.DrawFn, most: int = 4) -> SameCase:
    """Random cases with some statements of sameness, loops and both ways too."""
    case = draw(cases())
    ends = {end for s, _, o in case.graph.triples for end in (s, o) if not is_literal(end)}
    ends -= {*TYPES, ABOVE}  # a type is not joined with others
    # Mostly between nodes of the graph; sometimes to one that has nothing else.
    nodes = st.sampled_from([*sorted(ends), *NODES])
    pairs = draw(st.lists(st.tuples(nodes, nodes), min_size=1, max_size=most, unique=True))
    return merged(case, tuple(pairs))
