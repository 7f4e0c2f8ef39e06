"""The relation chains of a pattern that was chosen, as the graph matches it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from isomatch.chains.graph import Chain, Step
from isomatch.match.types import Match, MatchResult
from isomatch.pattern.types import Pattern

MOST_STEPS = 3  # of a chain that models learn
Paths = Mapping[str, tuple[tuple[int, bool], ...]]
"""For each known node the edges to the answer, and whether each is walked against its arrow."""


def paths_of(pattern: Pattern) -> Paths:
    """The paths from the known nodes of a pattern to its answer; empty if it is not made of them.

    Types of nodes are passed over: a question says its types itself.

    Example:
        >>> from isomatch.pattern import parse
        >>> dict(paths_of(parse('(?f)-[directed by]->("Michael Mann")')))
        {'michael mann': ((0, True),)}
    """
    clauses = (pattern.where, pattern.parts, pattern.order, pattern.functions, pattern.optional)
    if any(edge.value is not None for edge in pattern.edges) or any(clauses):
        return {}
    if len(pattern.answers) != 1 or pattern.node(pattern.answers[0]).known:
        return {}
    (goal,) = pattern.answers
    paths: dict[str, tuple[tuple[int, bool], ...]] = {}
    used: list[int] = []
    for node in pattern.nodes:
        if node.known:
            path = _path(pattern, node.id, goal)
            if not path or len(path) > MOST_STEPS:
                return {}
            paths[node.id] = path
            used += (place for place, _ in path)
    return paths if sorted(used) == list(range(len(pattern.edges))) else {}


def walks_of(pattern: Pattern) -> list[tuple[str, ...]]:
    """The chains of a pattern in its own words, ``^`` before a relation walked against its arrow.

    Example:
        >>> from isomatch.pattern import parse
        >>> walks_of(parse('(?f)-[directed by]->("Michael Mann")'))
        [('^directed by',)]
    """
    return sorted(
        tuple(f"{'^' * back}{pattern.edges[place].relation}" for place, back in path)
        for path in paths_of(pattern).values()
    )


def chains_of(result: MatchResult) -> Mapping[str, Chain]:
    """The chains of a result's best interpretation, by the id of the known node they start from.

    Relations and directions are those that most of its matches have. Empty where the pattern is
    not made of chains, or has no match.
    """
    paths = paths_of(result.pattern)
    matches = result.interpretations[0].matches if result else ()
    counts = Counter(
        tuple(_chain(result.pattern, m, path) for path in paths.values()) for m in matches
    )
    if not counts:
        return {}
    ((best, _),) = counts.most_common(1)
    return dict(zip(paths, best, strict=True))


def _chain(pattern: Pattern, match: Match, path: tuple[tuple[int, bool], ...]) -> Chain:
    steps = []
    for place, back in path:
        triple, edge = match.triples[place], pattern.edges[place]
        forward = match.bindings[edge.source].id == triple.source.id
        steps.append(Step(triple.relation.id, back == forward))
    return tuple(steps)


def _path(pattern: Pattern, start: str, goal: str) -> tuple[tuple[int, bool], ...]:
    """The only way from a node to the goal, through unknown nodes of two edges; else empty."""
    path: list[tuple[int, bool]] = []
    here, before = start, -1
    while here != goal:
        edges = [
            (place, edge.target == here, edge.source if edge.target == here else edge.target)
            for place, edge in enumerate(pattern.edges)
            if here in (edge.source, edge.target) and place != before
        ]
        if len(edges) != 1 or len(path) == len(pattern.edges):
            return ()
        before, back, here = edges[0]
        path.append((before, back))
    return tuple(path)
