"""A retriever for the pipelines of ``neo4j-graphrag``.

from isomatch.adapters.graphrag import IsomatchRetriever

retriever = IsomatchRetriever(driver)
GraphRAG(retriever, llm).search("Who directed Heat?", retriever_config={"top_k": 3})
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.adapters.retrievers import Items
from isomatch.adapters.source import Retrieves, SourceRetriever
from isomatch.errors import MissingExtraError

try:
    import neo4j
    from neo4j_graphrag.retrievers.base import Retriever
    from neo4j_graphrag.types import RawSearchResult, RetrieverResultItem
except ImportError as error:
    raise MissingExtraError(
        "the retriever for GraphRAG pipelines needs neo4j-graphrag: "
        "pip install 'isomatch[graphrag]'"
    ) from error

if TYPE_CHECKING:
    from isomatch.adapters.source import Source
    from isomatch.settings import Settings


class IsomatchRetriever(Retriever):
    """Finds the best matching subgraphs of a question or a pattern.

    Args:
        driver: a Neo4j driver, which is never closed here, or an `isomatch` session
            over any store.
        neo4j_database: for a driver; None takes that of the settings.
        settings: for a driver; None reads them from environment and ``isomatch.toml``.
        items: whether an item is one match, or one interpretation with all of them.
        retriever: ``pattern``, or ``triplets``, ``paths`` or ``steiner`` for open questions, see
            `isomatch.EvidenceRetriever`.
        options: search options for every search; see `isomatch.options`.

    Raises:
        ConfigurationError, StoreError, VectorIndexError: no session could be
            opened over the driver.
    """

    def __init__(
        self,
        driver: Source,
        neo4j_database: str | None = None,
        *,
        settings: Settings | None = None,
        items: Items = "matches",
        retriever: Retrieves = "pattern",
        **options: Any,
    ):
        # The base class is not initialised: it asks the server about vector indexes and changes
        # the driver's user agent, and a session has checks of its own.
        self._retriever = SourceRetriever(
            driver, neo4j_database, settings, items, options, retriever
        )

    def get_search_results(
        self, query_text: str, top_k: int = 5, **options: Any
    ) -> RawSearchResult:
        """The best ``top_k`` subgraphs that match a question, or a pattern as text.

        Args:
            query_text (str): a question, or a pattern in any written form.
            top_k (int): most items. Defaults to 5.
            options: search options; they override the retriever's.

        Returns:
            RawSearchResult: records of ``content`` (the facts, a line each) and
            ``metadata``, as `isomatch.adapters.retrievers.RetrieverResultItem` has them.
        """
        found = self._retriever.search(query_text, top_k, **options)
        records = [
            neo4j.Record(  # type: ignore[no-untyped-call]
                {"content": item.content, "metadata": item.metadata}
            )
            for item in found.items
        ]
        return RawSearchResult(records=records, metadata=found.metadata)

    def default_record_formatter(self, record: neo4j.Record) -> RetrieverResultItem:
        """The item of a record."""
        return RetrieverResultItem(content=record["content"], metadata=record["metadata"])

    def close(self) -> None:
        """Close the session that was opened over a driver; the driver stays open."""
        self._retriever.close()
