"""Surroundings without what is far from the topics, by personalised PageRank (OKGQA, A.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from isomatch.prizes.graph import components
from isomatch.triples.pagerank import pagerank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.triples.neighbourhood import Neighbourhood


@dataclass(frozen=True, slots=True)
class Size:
    """Numbers of nodes and of facts."""

    nodes: int
    facts: int

    @classmethod
    def of(cls, hood: Neighbourhood) -> Size:
        return cls(len(hood.nodes), len(hood))


def prune(hood: Neighbourhood, least: float, most: int | None = None) -> Neighbourhood:
    """The part of a neighbourhood whose nodes have at least some rank.

    Topics are always kept, and with them only what still hangs together with one.

    Args:
        least: smallest personalised PageRank; all ranks sum to 1.
        most: number of nodes that are kept at most, those with the highest ranks (of equal
            ones the first by name); None for all.
    """
    topic = np.arange(len(hood.nodes)) < hood.topics
    ranks = pagerank(hood.heads, hood.tails, hood.topics, len(hood.nodes))
    keep = (ranks >= least) | topic
    if most is not None and keep.sum() > most:
        best = np.argsort(-np.where(topic, 2.0, np.round(ranks, 12)), kind="stable")
        keep[best[max(most, hood.topics) :]] = False
    inside = keep[hood.heads] & keep[hood.tails]
    number = components(hood.heads[inside], hood.tails[inside], len(hood.nodes))
    keep &= np.isin(number, number[topic])
    return _restricted(hood, keep)


def _restricted(hood: Neighbourhood, keep: NDArray[np.bool_]) -> Neighbourhood:
    if keep.all():
        return hood
    inside = keep[hood.heads] & keep[hood.tails]
    place = np.cumsum(keep) - 1
    used = np.unique(hood.links[inside])
    kept = np.flatnonzero(keep).tolist()
    return replace(
        hood,
        nodes=tuple(hood.nodes[i] for i in kept),
        names=tuple(hood.names[i] for i in kept),
        relations=tuple(hood.relations[i] for i in used.tolist()),
        heads=place[hood.heads[inside]],
        links=np.searchsorted(used, hood.links[inside]),
        tails=place[hood.tails[inside]],
    )
