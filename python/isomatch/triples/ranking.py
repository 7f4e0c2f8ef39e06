"""The interface of rankers: they score the triples around a question's topics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.match.types import Bound, Triple
from isomatch.triples.features import Elements
from isomatch.triples.neighbourhood import BUDGET, CAP, HOPS, Neighbourhood, neighbourhood

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.resources import Resources

    Scores = NDArray[np.floating[Any]]

SECONDS = 10.0
_DIGITS = 5  # significant ones; beyond them a score is the noise of 32-bit arithmetic


@dataclass(frozen=True, slots=True)
class ScoredTriple:
    """A fact as the database stores it, with its relevance to a question."""

    triple: Triple
    score: float


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the triples come from.

    Attributes:
        hops, budget, cap: see `isomatch.triples.neighbourhood.neighbourhood`.
        seconds: for one neighbourhood; None for no limit.
    """

    hops: int = HOPS
    budget: int = BUDGET
    cap: int = CAP
    seconds: float | None = SECONDS

    def neighbourhood(
        self, resources: Resources, topics: Sequence[str], elements: Elements
    ) -> Neighbourhood:
        return neighbourhood(
            resources.store,
            resources.schema,
            topics,
            elements.names,
            hops=self.hops,
            budget=self.budget,
            cap=self.cap,
            seconds=self.seconds,
        )


class TripleRanker(ABC):
    """Ranks the triples around the topics of a question.

    Args:
        resources: the graph, its index and embedder.
        around: which triples are ranked.
        elements: names and vectors, to share among rankers; None makes its own.
    """

    name: str

    def __init__(
        self,
        resources: Resources,
        around: Surroundings | None = None,
        elements: Elements | None = None,
    ):
        self.resources = resources
        self.around = around or Surroundings()
        self.elements = elements or Elements(resources)

    @abstractmethod
    def scores(self, question: str, hood: Neighbourhood) -> Scores:
        """A score for each triple, shape (triples,); higher is better."""

    def neighbourhood(self, topics: Sequence[str]) -> Neighbourhood:
        return self.around.neighbourhood(self.resources, topics, self.elements)

    def rank(self, question: str, topics: Sequence[str], k: int) -> list[ScoredTriple]:
        """The best ``k`` triples around some nodes, best first.

        Args:
            topics: ids of the nodes that the question is about.

        Raises:
            StoreError, VectorIndexError, EmbeddingError: a part failed.
        """
        hood = self.neighbourhood(topics)
        return self.best(hood, self.scores(question, hood), k)

    def best(self, hood: Neighbourhood, scores: Scores, k: int) -> list[ScoredTriple]:
        """The ``k`` triples with the best scores."""
        found = []
        texts = self.resources.schema.by_id
        for place in order(scores)[:k].tolist():
            head, link, tail = hood.heads[place], hood.links[place], hood.tails[place]
            relation = hood.relations[link]
            triple = Triple(
                Bound(hood.nodes[head], hood.names[head]),
                Bound(relation, texts[relation].text),
                Bound(hood.nodes[tail], hood.names[tail]),
            )
            found.append(ScoredTriple(triple, float(scores[place])))
        return found


def order(scores: Scores) -> NDArray[np.intp]:
    """Places of the triples, best first; equal scores keep their order, which is by name."""
    size = np.abs(scores, dtype=np.float64)
    digits = np.floor(np.log10(size, where=size > 0, out=np.zeros(size.shape)))
    unit = 10.0 ** (digits - _DIGITS + 1)
    return np.argsort(-np.round(scores / unit) * unit, kind="stable")
