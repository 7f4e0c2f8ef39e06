"""Features of nodes from the graph alone: where they lie relative to the topics.

Directional distance encoding: SubgraphRAG (Li et al., ICLR 2025), section 3.1. ``s(0)`` is
one-hot (topic or not); in each round ``s(l+1)`` of a node is the mean of ``s(l)`` over its
incoming triples, and separately over its outgoing ones. The rounds of both directions are
concatenated.

Personalised PageRank (Page et al. 1999) with restarts at the topics only (Haveliwala 2002),
over the triples without their directions; parallel triples count one by one. A share of
`DAMPING` moves on from a node, split evenly among its triples; the rest restarts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.int64]
    Floats = NDArray[np.float32]

ROUNDS = 2
DAMPING = 0.85  # as published, and as in networkx
TOLERANCE = 1e-9  # summed difference between two rounds
PAGERANK_ROUNDS = 200


def node_encodings(
    heads: Places, tails: Places, topics: Places, nodes: int, rounds: int = ROUNDS
) -> Floats:
    """The encodings of all nodes, shape (nodes, 2 + 4 * rounds).

    A node without incoming triples gets zeros. Parallel triples count one by one.

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


def pagerank(heads: Places, tails: Places, topics: int, nodes: int) -> NDArray[np.float64]:
    """The personalised PageRank of all nodes; they sum to 1.

    Args:
        heads, tails: places of each triple's ends, shape (triples,).
        topics: how many of the nodes, from the first on, are topics.
        nodes: how many there are.

    Example:
        >>> pagerank(np.array([0]), np.array([1]), 1, 2).round(3)
        array([0.541, 0.459])
    """
    source, target = np.concatenate([heads, tails]), np.concatenate([tails, heads])
    degrees = np.bincount(source, minlength=nodes)
    restart = np.zeros(nodes)
    restart[:topics] = 1.0 / max(1, topics)
    ranks = restart
    for _ in range(PAGERANK_ROUNDS):
        share = ranks / np.maximum(degrees, 1)
        moved = np.bincount(target, share[source], minlength=nodes)
        # The share of nodes without triples restarts.
        lost = ranks[degrees == 0].sum()
        after = DAMPING * (moved + lost * restart) + (1.0 - DAMPING) * restart
        done = np.abs(after - ranks).sum() < TOLERANCE
        ranks = after
        if done:
            break
    return ranks
