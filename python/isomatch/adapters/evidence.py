"""Evidence for open questions, in the shape that users of ``neo4j-graphrag`` know.

retriever.search(query_text="How are Heat and Ali connected?").items[0].content
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from isomatch import cancel
from isomatch.adapters.retrievers import (
    RetrieverResult,
    RetrieverResultItem,
    check_top_k,
    fact_line,
)
from isomatch.errors import ConfigurationError
from isomatch.options import OPEN_FORMS, PrizeOptions
from isomatch.output.json import selection_form, triple_form

if TYPE_CHECKING:
    from isomatch.match.types import Triple
    from isomatch.options import OpenForm
    from isomatch.session import Session


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
