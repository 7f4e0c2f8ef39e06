"""Prizes of the nodes and facts around some topics, by their likeness to a question.

OKGQA, section 4.1: the k nodes most like the question have prizes k, k-1, … 1, and so have
the k facts. A fact is as like the question as its relation; of equal ones, which are many,
the one whose ends are more like it comes first. A node whose name has no words comes after
all others. Instead, the k facts that a trained scorer of triples ranks first may have the
prizes, and no node has one: a fact's score is about its ends already.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.prizes.graph import PrizeGraph
from isomatch.store.terms import is_literal
from isomatch.triples.ranking import order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.triples.features import Elements
    from isomatch.triples.neighbourhood import Neighbourhood
    from isomatch.triples.ranking import TripleRanker

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

_DIGITS = 5  # of a cosine; what is beyond is the noise of 32-bit arithmetic


@dataclass(frozen=True, slots=True)
class Assigned:
    """A neighbourhood with prizes.

    Fact ``i`` of the neighbourhood is edge ``i`` of the graph, and its nodes are the graph's
    first. A value joins nothing: two films of one year are not near each other. So each fact
    of a value that is no topic has the value for itself, as a node without a prize.

    Attributes:
        likeness: cosines of nodes and facts with the question, shapes (nodes,) and (facts,).
    """

    hood: Neighbourhood
    graph: PrizeGraph
    likeness: tuple[Floats, Floats]


def assign(
    question: str,
    hood: Neighbourhood,
    elements: Elements,
    k: int,
    cost: float,
    ranker: TripleRanker | None = None,
) -> Assigned:
    """The prizes of a neighbourhood.

    Args:
        ranker: ranks the facts; None for the likeness of facts and nodes.

    Raises:
        EmbeddingError, VectorIndexError: a vector could not be made or read.
    """
    vector = elements.question(question)
    vectors, named = elements.nodes(hood)
    value = np.array([is_literal(id) for id in hood.nodes], np.bool_)
    value &= np.arange(len(hood.nodes)) >= hood.topics
    nodes = _rounded(np.where(named, vectors @ vector, -1.0))
    relations = _rounded(elements.relations(hood) @ vector)
    ends = nodes[hood.heads] + nodes[hood.tails]
    facts = relations[hood.links] if len(hood) else np.zeros(0)
    tails, size = _apart(hood, value)
    prizes = np.zeros(size)
    if ranker is not None:
        best = order(ranker.scores(question, hood)) if len(hood) else np.zeros(0, np.intp)
    else:
        best = np.lexsort((-ends, -facts))
        own = ~value
        node_order = np.flatnonzero(own)[np.argsort(-nodes[own], kind="stable")]
        prizes[: len(nodes)] = ranked(node_order, len(nodes), k)
    graph = PrizeGraph.of((hood.heads, tails), prizes, ranked(best, len(hood), k), cost)
    return Assigned(hood, graph, (nodes, facts))


def ranked(places: NDArray[np.intp], size: int, k: int) -> Floats:
    """Prizes k, k-1, … 1 for the first of some places, and 0 for the rest.

    Example:
        >>> ranked(np.array([2, 0, 1]), 4, 2)
        array([1., 0., 2., 0.])
    """
    prizes = np.zeros(size)
    best = places[:k]
    prizes[best] = k - np.arange(len(best))
    return prizes


def _apart(hood: Neighbourhood, value: NDArray[np.bool_]) -> tuple[Places, int]:
    """The tails, with a place of its own for the value of each fact; and how many places."""
    tails = hood.tails.copy()
    of_values = np.flatnonzero(value[hood.tails]) if len(hood) else np.zeros(0, np.int64)
    tails[of_values] = len(hood.nodes) + np.arange(len(of_values))
    return tails, len(hood.nodes) + len(of_values)


def _rounded(cosines: NDArray[Any]) -> Floats:
    rounded: Floats = np.asarray(np.round(cosines.astype(np.float64), _DIGITS), np.float64)
    return rounded
