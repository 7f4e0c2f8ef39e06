"""The triples around a question's topics, scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.retrieve.topics import find_topics

if TYPE_CHECKING:
    from isomatch.resources import Resources
    from isomatch.triples.ranking import ScoredTriple, TripleRanker

TRIPLES = 100  # as published (SubgraphRAG, section 4.2); the token budget may cut more


@dataclass(frozen=True, slots=True)
class ScoredTriples:
    """The best triples around a question's topics.

    Attributes:
        triples: best first.
        topics: ids of the nodes that they were looked for around.
        notes: in words: what was taken for a topic, and which part of its
            neighbourhood was left out.
    """

    triples: tuple[ScoredTriple, ...]
    topics: tuple[str, ...]
    notes: tuple[str, ...]


def score_triples(
    resources: Resources,
    ranker: TripleRanker,
    question: str,
    topics: Sequence[str] | None,
    k: int,
) -> ScoredTriples:
    """The best ``k`` triples around the topics of a question.

    Args:
        ranker: scores them.
        topics: names of the entities that the question is about; None to find them.

    Raises:
        InterpretationError: nothing in the graph has the name of a topic.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    found = find_topics(resources, question, topics)
    ids = found.ids
    hood = ranker.neighbourhood(ids)
    best = ranker.best(hood, ranker.scores(question, hood), k)
    return ScoredTriples(tuple(best), ids, (*found.notes, *hood.notes))
