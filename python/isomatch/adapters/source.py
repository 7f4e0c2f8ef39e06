"""A retriever by prizes and costs, and one over what an adapter was given."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from isomatch import cancel
from isomatch.adapters.retrievers import (
    Items,
    PatternRetriever,
    RetrieverResult,
    RetrieverResultItem,
    check_top_k,
    fact_line,
)
from isomatch.errors import ConfigurationError
from isomatch.options import OPEN_FORMS, OpenForm, PrizeOptions
from isomatch.output.json import selection_form, triple_form

if TYPE_CHECKING:
    import neo4j

    from isomatch.match.types import Triple
    from isomatch.session import Session
    from isomatch.settings import Settings

    Source: TypeAlias = Session | neo4j.Driver


class EvidenceRetriever:
    """Finds facts around a question's topics by prizes and costs; no model is needed.

    An item is a fact (``triplets``), a path (``paths``), or a tree (``steiner``, one for each
    part of the graph that has a topic): ``content`` has its facts, a line each, ``metadata``
    its ``rank`` and ``triples``. The metadata of the result has ``topics``, ``notes`` and
    ``selection``: score, bound and sizes, as in ``isomatch ask --json``.

    Args:
        session: an `isomatch` session.
        form: ``triplets``, ``paths`` or ``steiner``.
        options: fields of `isomatch.options.PrizeOptions`, for every search.

    Raises:
        ConfigurationError: an unknown form, option or value.
    """

    def __init__(self, session: Session, form: OpenForm = "steiner", **options: Any):
        if form not in OPEN_FORMS:
            listed = ", ".join(map(repr, OPEN_FORMS))
            raise ConfigurationError(f"form must be one of {listed}, not {form!r}")
        PrizeOptions().with_(**options)
        self.session = session
        self.form = form
        self.options = options

    def search(
        self,
        query_text: str,
        top_k: int = 10,
        *,
        topics: Sequence[str] | None = None,
        **options: Any,
    ) -> RetrieverResult:
        """The evidence for a question, best first.

        Args:
            query_text: the question.
            top_k: most items.
            topics: names of the entities that it is about; None to find them.
            options: fields of `PrizeOptions`; they override the retriever's.

        Raises:
            InterpretationError: nothing in the graph has the name of a topic.
            ConfigurationError: an unknown option or value, or ``top_k`` is less than 1.
            MissingExtraError: the extra ``open`` is not installed.
        """
        check_top_k(top_k)
        found = self.session.pipeline.retriever.retrieve(
            self.form, query_text, (), topics, {**self.options, **options}
        )
        assert found.selection is not None
        items = [_item(rank, group) for rank, group in enumerate(found.selection.groups, 1)]
        metadata = {
            "query_text": query_text,
            "topics": list(found.selection.topics),
            "notes": list(found.notes),
            "selection": selection_form(found.selection),
        }
        return RetrieverResult(items[:top_k], metadata)

    async def asearch(self, query_text: str, top_k: int = 10, **options: Any) -> RetrieverResult:
        """`search`, in a thread; cancelling its task ends it."""
        return await cancel.in_thread(partial(self.search, query_text, top_k, **options))


def _item(rank: int, triples: Sequence[Triple]) -> RetrieverResultItem:
    content = "\n".join(map(fact_line, triples))
    return RetrieverResultItem(content, {"rank": rank, "triples": [*map(triple_form, triples)]})


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
