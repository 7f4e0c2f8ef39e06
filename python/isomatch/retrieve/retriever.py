"""The retrievers by name: from a question's hypotheses to what an answer is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isomatch.options import OPEN_FORMS, PrizeOptions, retriever_name
from isomatch.retrieve.hypotheses import match_hypotheses
from isomatch.retrieve.topics import find_topics
from isomatch.retrieve.types import Acceptance, Retrieved

if TYPE_CHECKING:
    from isomatch.interpret.types import Hypothesis
    from isomatch.match.types import MatchResult
    from isomatch.options import OpenForm
    from isomatch.resources import Resources
    from isomatch.store.base import Store
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


CHAINS = 3  # kept of those that have a match, as published (GSR, section 4.3)


class Retriever:
    """Retrieves from one graph.

    Args:
        resources: the graph.
        ranker: gives the ranker of triples, when one is needed.
        acceptance: which hypotheses may answer.
    """

    def __init__(
        self, resources: Resources, ranker: Callable[[], TripleRanker], acceptance: Acceptance
    ):
        self._resources = resources
        self._ranker = ranker
        self._acceptance = acceptance

    def retrieve(
        self,
        name: str,
        question: str,
        hypotheses: Sequence[Hypothesis],
        topics: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
        store: Store | None = None,
    ) -> Retrieved:
        """What a retriever finds for a question.

        Args:
            name: ``pattern``: the first hypothesis that can answer, with its matches;
                ``chain``: the first three that have near matches; ``triples``: facts
                around the topics, scored by a trained model; ``fused``: the last two;
                ``triplets``, ``paths``, ``steiner``: facts around the topics, chosen by
                prizes and costs, with no model.
            hypotheses: best first; used for ``pattern``, ``chain`` and ``fused``.
            topics: names of the entities that the question is about; None to find them.
            options: of the search; ``budget_seconds`` is for all hypotheses together. For
                evidence by prizes and costs those of `isomatch.options.PrizeOptions`.
            store: the state of the graph to match in; None for that of now.

        Raises:
            ArtifactError: there is no trained model to score triples, or it does not fit.
            InterpretationError: no topic was found to look for triples around.
            ConfigurationError: an unknown name, option or value.
        """
        kind = retriever_name(name)
        if kind in OPEN_FORMS:
            return self._by_prizes(kind, question, topics, options or {})
        matched: tuple[tuple[Hypothesis, MatchResult], ...] = ()
        if kind != "triples":
            most = 1 if kind == "pattern" else CHAINS
            matched = match_hypotheses(
                self._resources, hypotheses, options or {}, self._acceptance, most, store
            )
        if kind in ("pattern", "chain"):
            return Retrieved(kind, matched)
        scored = self.score_triples(question, topics)
        return Retrieved(kind, matched, scored.triples, frozenset(scored.topics), scored.notes)

    def _by_prizes(
        self,
        form: OpenForm,
        question: str,
        topics: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> Retrieved:
        from isomatch.prizes.selection import select
        from isomatch.triples.features import Elements

        chosen = PrizeOptions().with_(**options)
        found = find_topics(self._resources, question, topics)
        elements = self._resources.derived("elements", lambda: Elements(self._resources))
        ranker = self._ranker() if chosen.prizes == "scorer" else None
        selection = select(self._resources, form, question, found.ids, chosen, elements, ranker)
        notes = (*found.notes, *selection.notes)
        return Retrieved(
            form, (), selection.triples, frozenset(found.ids), notes, selection=selection
        )

    def score_triples(
        self,
        question: str,
        topics: Sequence[str] | None = None,
        k: int = TRIPLES,
        ranker: TripleRanker | None = None,
    ) -> ScoredTriples:
        """The best ``k`` triples around the topics of a question.

        Args:
            topics: names of the entities that it is about; None to find them.
            ranker: None for the trained scorer.

        Raises:
            ArtifactError: there is no trained model to score triples, or it does not fit.
            InterpretationError: nothing in the graph has the name of a topic.
        """
        return score_triples(self._resources, ranker or self._ranker(), question, topics, k)
