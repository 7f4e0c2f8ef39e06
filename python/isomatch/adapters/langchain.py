"""A retriever for LangChain.

from isomatch.adapters.langchain import IsomatchRetriever

retriever = IsomatchRetriever(session, top_k=3)
documents = retriever.invoke("Who directed Heat?")
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from isomatch import cancel
from isomatch.adapters.retrievers import Items
from isomatch.adapters.source import Retrieves, SourceRetriever
from isomatch.errors import MissingExtraError

try:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import PrivateAttr
except ImportError as error:
    raise MissingExtraError(
        "the retriever for LangChain needs langchain-core: pip install 'isomatch[langchain]'"
    ) from error

if TYPE_CHECKING:
    from langchain_core.callbacks import (
        AsyncCallbackManagerForRetrieverRun,
        CallbackManagerForRetrieverRun,
    )

    from isomatch.adapters.source import Source
    from isomatch.settings import Settings


class IsomatchRetriever(BaseRetriever):
    """Finds the best matching subgraphs of a question or a pattern, as documents.

    A document's text is the facts of a match, a line each; its metadata is that of
    `isomatch.adapters.retrievers.RetrieverResultItem`. ``invoke`` takes ``top_k`` and search
    options too.

    Args:
        source: an `isomatch` session over any store, or a Neo4j driver, which is
            never closed here.
        top_k: most documents.
        database: for a driver; None takes that of the settings.
        settings: for a driver; None reads them from environment and ``isomatch.toml``.
        items: whether a document is one match, or one interpretation with all of them.
        retriever: ``pattern``, or ``triplets``, ``paths`` or ``steiner`` for open questions, see
            `isomatch.EvidenceRetriever`.
        options: search options for every search; see `isomatch.options`.
        fields: of LangChain's base class, as ``tags``.

    Raises:
        ConfigurationError, StoreError, VectorIndexError: no session could be
            opened over the driver.
    """

    top_k: int = 3
    _retriever: SourceRetriever = PrivateAttr()

    def __init__(
        self,
        source: Source,
        *,
        top_k: int = 3,
        database: str | None = None,
        settings: Settings | None = None,
        items: Items = "matches",
        retriever: Retrieves = "pattern",
        options: dict[str, Any] | None = None,
        **fields: Any,
    ):
        super().__init__(**{**fields, "top_k": top_k})
        self._retriever = SourceRetriever(
            source, database, settings, items, options or {}, retriever
        )

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        found = self._retriever.search(query, **{"top_k": self.top_k, **options})
        return [Document(item.content, metadata=item.metadata) for item in found.items]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        manager = run_manager.get_sync()
        return await cancel.in_thread(
            partial(self._get_relevant_documents, query, run_manager=manager, **options)
        )

    def close(self) -> None:
        """Close the session that was opened over a driver; the driver stays open."""
        self._retriever.close()
