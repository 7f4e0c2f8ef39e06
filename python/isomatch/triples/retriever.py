"""Triples as evidence: the retriever of SubgraphRAG, in the shape of all retrievers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.phrasing import bound_words, relation_words
from isomatch.render.jsonform import triple_form
from isomatch.retrievers import RetrieverResult, RetrieverResultItem
from isomatch.triples.ranking import ScoredTriple, TripleRanker, open_ranker

if TYPE_CHECKING:
    from isomatch.session import Session

TOP_K = 100  # as published
TOKENS_A_TRIPLE = 20  # measured: with MiniLM's tokenizer 12 to 25 over the question sets
_MOST_NODES = 16  # of one name


class TripleRetriever:
    """Finds the triples that suit a question, around the nodes that it names.

    Args:
        session: an `isomatch` session.
        model: the folder of a trained scorer, or a `TripleRanker` of any kind.

    Example:
        >>> retriever = TripleRetriever(session, "models/triples")  # doctest: +SKIP
        >>> retriever.search("who directed Heat?", top_k=3).items[0].content
        'Heat | directed by | Michael Mann'
    """

    def __init__(self, session: Session, model: Path | str | TripleRanker):
        self.session = session
        self.ranker = (
            model
            if isinstance(model, TripleRanker)
            else open_ranker("triples", session, model=model)
        )

    def search(
        self, query_text: str, top_k: int = TOP_K, topics: Sequence[str] | None = None
    ) -> RetrieverResult:
        """The best triples for a question, as items in the order that a reader needs.

        Args:
            query_text: the question.
            top_k: most triples.
            topics: names of the nodes that it is about; None finds them in the text.

        Raises:
            InterpretationError: it names nothing that the graph has.
            ConfigurationError: ``top_k`` is wrong.
            StoreError, VectorIndexError, EmbeddingError: a part failed.
        """
        if top_k < 1:
            raise ConfigurationError(f"top_k must be from 1 on, not {top_k!r}")
        nodes = self.topics(query_text, topics)
        hood = self.ranker.neighbourhood(nodes)
        best = self.ranker.best(hood, self.ranker.scores(query_text, hood), top_k)
        items = [
            RetrieverResultItem(
                _line(scored), {"score": scored.score, "triple": triple_form(scored.triple)}
            )
            for scored in topics_first(best, nodes)
        ]
        metadata: dict[str, Any] = {
            "query_text": query_text,
            "topics": [{"id": id, "name": hood.names[hood.nodes.index(id)]} for id in nodes],
            "ranking": self.ranker.name,
            "triples": len(hood),
            "notes": list(hood.notes),
        }
        return RetrieverResult(items, metadata)

    async def asearch(
        self, query_text: str, top_k: int = TOP_K, topics: Sequence[str] | None = None
    ) -> RetrieverResult:
        """`search` in a thread of its own."""
        return await asyncio.to_thread(self.search, query_text, top_k, topics)

    def score(
        self, question: str, topics: Sequence[str] | None = None, k: int = TOP_K
    ) -> list[ScoredTriple]:
        """The best ``k`` triples for a question, best first; see `search`."""
        return self.ranker.rank(question, self.topics(question, topics), k)

    def topics(self, question: str, names: Sequence[str] | None = None) -> list[str]:
        """Ids of the nodes that a question is about: of the names, or found in its text.

        Raises:
            InterpretationError: there are none.
        """
        finder = self.session.schema_reader.mentions
        texts = [question] if names is None else [f"[{name}]" for name in names]
        found = [mention for text in texts for mention in finder.find(text) if mention.ids]
        ids = [id for mention in found for id in mention.ids[:_MOST_NODES]]
        if not ids:
            told = "the question names" if names is None else f"the topics {list(names)!r} name"
            raise InterpretationError(
                f"{told} nothing that the graph has: put the name in brackets, as the graph "
                "writes it, or give topics"
            )
        return list(dict.fromkeys(ids))


def for_tokens(budget: int) -> int:
    """How many triples a budget of tokens has room for, at some 20 each; at least one."""
    return max(1, budget // TOKENS_A_TRIPLE)


def topics_first(triples: Iterable[ScoredTriple], topics: Iterable[str]) -> list[ScoredTriple]:
    """The triples of the topics before the others, each part best first.

    A reader finds the way from a topic to an answer more easily in this order.
    """
    near = set(topics)

    def apart(scored: ScoredTriple) -> bool:
        return not near & {scored.triple.source.id, scored.triple.target.id}

    return sorted(triples, key=apart)


def _line(scored: ScoredTriple) -> str:
    triple = scored.triple
    source, target = bound_words(triple.source, None), bound_words(triple.target, None)
    return f"{source} | {relation_words(triple, None)} | {target}"
