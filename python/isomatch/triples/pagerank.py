"""Personalised PageRank: how near nodes are to the topics, over all ways.

A walk restarts at the topics only (Page et al. 1999, Haveliwala 2002); directions do not
matter, and parallel triples count one by one. A share of `DAMPING` moves on from a node,
split evenly among its triples; the rest restarts. Rounds go on until the changes of all
nodes together are at most `TOLERANCE`. networkx and rustworkx stop at a change of that much
for each node, so at once where there are many.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.int64]
    Ranks = NDArray[np.float64]

DAMPING = 0.85  # as published, and as in networkx
TOLERANCE = 1e-9  # summed difference between two rounds
ROUNDS = 200
_LARGE = 200_000  # triples, from which on scipy's product is worth its import


def pagerank(heads: Places, tails: Places, topics: int, nodes: int) -> Ranks:
    """The personalised PageRank of all nodes; they sum to 1.

    Args:
        heads, tails: places of each triple's ends, shape (triples,).
        topics: how many of the nodes, from the first on, are topics.

    Example:
        >>> pagerank(np.array([0]), np.array([1]), 1, 2).round(3)
        array([0.541, 0.459])
    """
    degrees = np.bincount(heads, minlength=nodes) + np.bincount(tails, minlength=nodes)
    alone = np.flatnonzero(degrees == 0)
    inverse = 1.0 / np.maximum(degrees, 1)
    move = _mover(heads, tails, nodes)
    restart = np.zeros(nodes)
    restart[:topics] = 1.0 / max(1, topics)
    ranks = restart
    for _ in range(ROUNDS):
        moved = move(ranks * inverse)
        # The share of nodes without triples restarts.
        back = DAMPING * ranks[alone].sum() + (1.0 - DAMPING)
        after = DAMPING * moved
        after[:topics] += back * restart[:topics]
        change = np.abs(after - ranks).sum()
        ranks = after
        if change < TOLERANCE:
            break
    return ranks


def _mover(heads: Places, tails: Places, nodes: int) -> Callable[[Ranks], Ranks]:
    """What adds up each node's shares; scipy's sparse product is three times as fast."""
    if len(heads) >= _LARGE and find_spec("scipy"):
        from scipy.sparse import csr_array

        matrix = csr_array((np.ones(len(heads)), (heads, tails)), (nodes, nodes))
        turned = matrix.T
        return lambda shares: np.asarray(matrix @ shares + turned @ shares, np.float64)
    source, target = np.concatenate([heads, tails]), np.concatenate([tails, heads])
    return lambda shares: np.bincount(target, shares[source], minlength=nodes).astype(np.float64)
