"""A retriever over whatever an adapter was given: a session, or a Neo4j driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from isomatch.adapters.evidence import EvidenceRetriever
from isomatch.adapters.retrievers import Items, PatternRetriever, RetrieverResult
from isomatch.errors import ConfigurationError
from isomatch.options import OPEN_FORMS, OpenForm

if TYPE_CHECKING:
    import neo4j

    from isomatch.session import Session
    from isomatch.settings import Settings

    Source: TypeAlias = Session | neo4j.Driver

Retrieves = Literal["pattern"] | OpenForm


class SourceRetriever:
    """A `PatternRetriever` or `EvidenceRetriever` over a session, or over a Neo4j driver.

    Args:
        source: a session over any store; or a driver, for which a session is opened.
        database: for a driver; None takes that of the settings.
        settings: for a driver; None reads them from environment and ``isomatch.toml``.
        items: see `PatternRetriever`.
        options: for every search.
        retriever: ``pattern``, or the form of an `EvidenceRetriever`.

    Raises:
        ConfigurationError, StoreError, VectorIndexError: no session could be
            opened over the driver.
    """

    def __init__(
        self,
        source: Source,
        database: str | None,
        settings: Settings | None,
        items: Items,
        options: dict[str, Any],
        retriever: Retrieves = "pattern",
    ):
        if retriever not in ("pattern", *OPEN_FORMS):
            listed = ", ".join(map(repr, ("pattern", *OPEN_FORMS)))
            raise ConfigurationError(f"retriever must be one of {listed}, not {retriever!r}")
        self._opened = None
        session: Any = source
        if not hasattr(source, "match"):
            from isomatch.session import Session

            session = self._opened = Session.open(settings, driver=source, database=database)
        self._retriever: PatternRetriever | EvidenceRetriever
        try:
            if retriever in OPEN_FORMS:
                self._retriever = EvidenceRetriever(session, retriever, **options)
            else:
                self._retriever = PatternRetriever(session, items=items, **options)
        except BaseException:
            self.close()
            raise

    def search(self, query_text: str, top_k: int, **options: Any) -> RetrieverResult:
        """The best ``top_k`` items for a text."""
        return self._retriever.search(query_text, top_k, **options)

    def close(self) -> None:
        """Close the session that was opened here; the caller's session and driver stay open."""
        if self._opened is not None:
            self._opened.close()
