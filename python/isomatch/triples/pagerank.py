"""Triples by personalised PageRank: a baseline that looks at the graph alone.

PageRank (Page et al. 1999) with restarts at the topics only (Haveliwala 2002), over the
neighbourhood's triples without their directions; parallel triples count one by one. Of
what is at a node a share of `DAMPING` moves on, the same to each triple of it, and the
rest begins again at the topics. A triple's score is the sum of those of its ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from isomatch.triples.ranking import TripleRanker

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.triples.neighbourhood import Neighbourhood
    from isomatch.triples.ranking import Scores

DAMPING = 0.85  # as published, and as in networkx
TOLERANCE = 1e-9  # summed difference between two rounds
ROUNDS = 200


class PageRankRanker(TripleRanker):
    """Ranks triples by the personalised PageRank of their ends."""

    name = "pagerank"

    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        """See `TripleRanker.scores`."""
        ranks = pagerank(hood.heads, hood.tails, hood.topics, len(hood.nodes))
        return ranks[hood.heads] + ranks[hood.tails]


def pagerank(
    heads: NDArray[np.int64], tails: NDArray[np.int64], topics: int, nodes: int
) -> NDArray[np.float64]:
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
    for _ in range(ROUNDS):
        share = ranks / np.maximum(degrees, 1)
        moved = np.bincount(target, share[source], minlength=nodes)
        # What is at a node without triples begins again.
        lost = ranks[degrees == 0].sum()
        after = DAMPING * (moved + lost * restart) + (1.0 - DAMPING) * restart
        done = np.abs(after - ranks).sum() < TOLERANCE
        ranks = after
        if done:
            break
    return ranks
