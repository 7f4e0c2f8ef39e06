"""Relevant triples of a neighbourhood: those on paths from topics to answers.

The paths are those of the chains that explain the answers, or the shortest ones, as
published (SubgraphRAG, section 4.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.chains.graph import Chain, Nodes
    from isomatch.triples.neighbourhood import Neighbourhood

    Mask = NDArray[np.bool_]


def on_chains(
    hood: Neighbourhood,
    chains: Iterable[tuple[Sequence[str], Chain]],
    answers: Iterable[str],
    nodes: Nodes = "anchored",
) -> Mask:
    """The triples on the paths of chains to an answer.

    Args:
        chains: where each starts, ids of nodes, and its steps.
        answers: ids of nodes; those outside the neighbourhood do not count.
        nodes: ``anchored`` chains do not return to their start. A path may take one fact
            twice in either case.

    Returns:
        For each triple whether it is on such a path, shape (triples,).
    """
    place = {id: i for i, id in enumerate(hood.nodes)}
    link = {id: i for i, id in enumerate(hood.relations)}
    wanted = _marked(hood, (place[id] for id in answers if id in place))
    found = np.zeros(len(hood), np.bool_)
    for starts, chain in chains:
        start = _marked(hood, (place[id] for id in starts if id in place))
        reached, steps = [start], []
        for step in chain:
            here, there = (hood.tails, hood.heads) if step.back else (hood.heads, hood.tails)
            walked = (hood.links == link.get(step.relation, -1)) & reached[-1][here]
            ends = _marked(hood, there[walked])
            if nodes == "anchored":
                ends &= ~start
            reached.append(ends)
            steps.append((walked, here, there))
        needed = reached[-1] & wanted
        for walked, here, there in reversed(steps):
            used = walked & needed[there]
            found |= used
            needed = _marked(hood, here[used])
    return found


def on_shortest_paths(hood: Neighbourhood, answers: Iterable[str]) -> Mask:
    """The triples on a shortest path from a topic to an answer, directions ignored.

    All shortest paths between each topic and each answer count. An answer that is the
    topic itself has none.

    Returns:
        For each triple whether it is on such a path, shape (triples,).
    """
    place = {id: i for i, id in enumerate(hood.nodes)}
    wanted = _marked(hood, (place[id] for id in answers if id in place))
    found = np.zeros(len(hood), np.bool_)
    for topic in range(hood.topics):
        distances = _distances(hood, topic)
        ends = distances[hood.heads], distances[hood.tails]
        needed = np.zeros(len(hood.nodes), np.bool_)
        for level in range(int(distances.max()), 0, -1):
            needed |= wanted & (distances == level)
            for near, far, node in ((0, 1, hood.tails), (1, 0, hood.heads)):
                used = (ends[far] == level) & (ends[near] == level - 1) & needed[node]
                found |= used
                needed[(hood.heads if near == 0 else hood.tails)[used]] = True
    return found


def _distances(hood: Neighbourhood, topic: int) -> NDArray[np.int64]:
    """Steps from a topic to each node, directions ignored; -1 for no way."""
    distances = np.full(len(hood.nodes), -1)
    distances[topic] = 0
    level = 0
    while True:
        near = distances == level
        level += 1
        for here, there in ((hood.heads, hood.tails), (hood.tails, hood.heads)):
            ends = there[near[here]]
            distances[ends[distances[ends] < 0]] = level
        if not (distances == level).any():
            return distances


def _marked(hood: Neighbourhood, places: Iterable[int]) -> Mask:
    marked = np.zeros(len(hood.nodes), np.bool_)
    marked[np.fromiter(places, np.int64)] = True
    return marked
