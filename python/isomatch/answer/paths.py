"""Matches as paths, the way a chain was walked: a line each, direction shown.

After GSR (Huang et al. 2024), section 4.4: "topic → relation → node …", the arrows
turned where the graph stores a relation the other way.
"""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.match.types import Bound, Match, Triple
from isomatch.pattern.types import Pattern
from isomatch.phrasing import bound_words, relation_words

NAME = 200  # characters of a name that a prompt shows


def walk(pattern: Pattern) -> tuple[tuple[str, ...], tuple[int, ...]] | None:
    """A pattern as a walk over all of its edges: node ids, and the edges between them.

    It starts from an end that is known, if one is. None where the pattern branches,
    is a circle, or has several parts.

    Example:
        >>> from isomatch.pattern import parse
        >>> walk(parse('(?x)-[starring]-(?f), (?f)-[directed by]-("Mann")'))
        (('mann', 'f', 'x'), (1, 0))
    """
    around: dict[str, list[tuple[int, str]]] = {node.id: [] for node in pattern.nodes}
    for number, edge in enumerate(pattern.edges):
        around[edge.source].append((number, edge.target))
        around[edge.target].append((number, edge.source))
    ends = [node for node in pattern.nodes if len(around[node.id]) == 1]
    if len(ends) != 2:
        return None
    here = next((node.id for node in ends if node.known), ends[0].id)
    nodes, edges = [here], list[int]()
    while onward := [(number, node) for number, node in around[here] if number not in edges]:
        if len(onward) > 1:
            return None
        number, here = onward[0]
        nodes.append(here)
        edges.append(number)
    return (tuple(nodes), tuple(edges)) if len(edges) == len(pattern.edges) else None


def path_words(pattern: Pattern, match: Match) -> str:
    """A match on one line: ``Heat -directed by-> Michael Mann <-directed by- Ali``.

    The facts one by one, with semicolons between them, where the pattern is no walk.
    """
    walked = walk(pattern)
    if walked is None:
        return "; ".join(map(_fact, match.triples))
    nodes, edges = walked
    words = bound_words(match.bindings[nodes[0]], NAME)
    for here, there, edge in zip(nodes, nodes[1:], edges, strict=False):
        triple = match.triples[edge]
        relation = relation_words(triple, NAME)
        forward = triple.source.id == match.bindings[here].id
        words += f" -{relation}-> " if forward else f" <-{relation}- "
        words += bound_words(match.bindings[there], NAME)
    return words


def way_words(triples: Sequence[Triple]) -> str:
    """Facts on one line, each of which shares an end with the next, as `path_words` has them."""
    if len(triples) == 1:
        return _fact(triples[0])
    here, _ = ends_of(triples)
    words = bound_words(here, NAME)
    for triple in triples:
        forward = triple.source.id == here.id
        here = triple.target if forward else triple.source
        relation = relation_words(triple, NAME)
        words += f" -{relation}-> " if forward else f" <-{relation}- "
        words += bound_words(here, NAME)
    return words


def ends_of(triples: Sequence[Triple]) -> tuple[Bound, Bound]:
    """The first and the last node of facts, each of which shares an end with the next."""
    first, second = triples[0], triples[min(1, len(triples) - 1)]
    turned = len(triples) > 1 and first.source.id in (second.source.id, second.target.id)
    start = here = first.target if turned else first.source
    for triple in triples:
        here = triple.target if triple.source.id == here.id else triple.source
    return start, here


def _fact(triple: Triple) -> str:
    source, target = bound_words(triple.source, NAME), bound_words(triple.target, NAME)
    return f"{source} -{relation_words(triple, NAME)}-> {target}"
