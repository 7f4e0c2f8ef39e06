"""What an adapter retrieves from: a session of the caller's, or one over their driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.adapters.retrievers import Items, Matcher, PatternRetriever, RetrieverResult

if TYPE_CHECKING:
    import neo4j

    from isomatch.settings import Settings

    Source = Matcher | neo4j.Driver


class Searcher:
    """A `PatternRetriever` over either.

    Args:
        source: a session, or a driver, over which one is opened.
        database: for a driver; None takes that of the settings.
        settings: for a driver; None reads them from environment and ``isomatch.toml``.
        items: see `PatternRetriever`.
        options: search options for every search.

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
    ):
        self._opened = None
        session: Any = source
        if not hasattr(source, "match"):
            from isomatch.session import Session

            session = self._opened = Session.open(settings, driver=source, database=database)
        try:
            self.retriever = PatternRetriever(session, items=items, **options)
        except BaseException:
            self.close()
            raise

    def search(self, query_text: str, top_k: int, **options: Any) -> RetrieverResult:
        """See `PatternRetriever.search`."""
        return self.retriever.search(query_text, top_k, **options)

    def close(self) -> None:
        """End the session that was opened here; the caller's session and driver stay open."""
        if self._opened is not None:
            self._opened.close()
