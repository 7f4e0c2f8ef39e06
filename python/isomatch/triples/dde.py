"""Directional distance encoding: where a triple lies as seen from the topics.

SubgraphRAG (Li et al., ICLR 2025), section 3.1: ``s(0)`` is one-hot (is a topic, is
none); each round ``s(l+1)`` of a node is the mean of ``s(l)`` over the triples that lead
to it, and apart from that over the triples that lead away from it. The rounds of both
directions are put side by side, and a triple has those of its head and of its tail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.int64]
    Floats = NDArray[np.float32]

ROUNDS = 2


def width(rounds: int = ROUNDS) -> int:
    """Numbers that a triple's encoding has.

    Example:
        >>> width(2)
        20
    """
    return 2 * (2 + 2 * 2 * rounds)


def node_encodings(
    heads: Places, tails: Places, topics: Places, nodes: int, rounds: int = ROUNDS
) -> Floats:
    """The encodings of all nodes, shape (nodes, 2 + 4 * rounds).

    A node that no triple leads to gets zeros. Parallel triples count one by one.

    Args:
        heads, tails: places of the nodes of each triple, shape (triples,).
        topics: places of the topics.
        nodes: how many there are.

    Example:
        A topic 0 with one triple to node 1:

        >>> node_encodings(np.array([0]), np.array([1]), np.array([0]), 2, rounds=1)
        array([[1., 0., 0., 0., 0., 1.],
               [0., 1., 1., 0., 0., 0.]], dtype=float32)
    """
    start = np.zeros((2, nodes))
    start[1] = 1.0
    start[:, topics] = [[1.0], [0.0]]
    found = [start]
    for source, target in ((heads, tails), (tails, heads)):
        counts = np.maximum(np.bincount(target, minlength=nodes), 1)
        level = start
        for _ in range(rounds):
            level = np.stack(
                [np.bincount(target, row[source], minlength=nodes) / counts for row in level]
            )
            found.append(level)
    encodings: Floats = np.concatenate(found).T.astype(np.float32)
    return encodings


def triple_encodings(
    heads: Places, tails: Places, topics: Places, nodes: int, rounds: int = ROUNDS
) -> Floats:
    """The encodings of all triples, shape (triples, `width`): the head's, then the tail's."""
    of_nodes = node_encodings(heads, tails, topics, nodes, rounds)
    return np.concatenate([of_nodes[heads], of_nodes[tails]], axis=1)
