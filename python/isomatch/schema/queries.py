"""How introspection asks: an embedded graph for all, an endpoint within bounds.

An endpoint is used by others too, and ends queries that take long. So each query has
a time-out there, its answer is kept in a journal, and what reads the whole graph may
fail: the caller then asks for a sample instead, and the schema says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from isomatch.errors import StoreError
from isomatch.schema.journal import Journal
from isomatch.store.base import Query, Row, Store

PATIENCE = 30.0  # seconds for one query to an endpoint
MOST_REFUSALS = 3  # of queries over the whole graph, until no more of them are asked
MOST_FAILURES = 4  # samples in a row that fail: then the endpoint is at fault, not the query


class SchemaQueries:
    """Asks a store the templates of ``queries/sparql/schema``.

    Attributes:
        store: the database.
        endpoint: whether it is one that answers within bounds only.
        counts: whether it is still asked to count the whole graph.
        sampled: what was read from samples, in words.
    """

    def __init__(self, store: Store, journal: Journal | None = None):
        """``journal`` is for endpoints; without one each run asks everything."""
        profile = store.profile
        self.store = store
        self.endpoint = profile is not None
        self.counts = profile is None or profile.cheap_counts
        self.sampled: list[str] = []
        self._journal = journal if self.endpoint else None
        self._refusals = self._failures = 0
        self._refused: list[str] = []  # not in the journal yet

    def ask(self, template: str, columns: tuple[str, ...], **values: Any) -> Iterable[Row]:
        """Rows of a query that must be answered; lazily from an embedded graph.

        Raises:
            QueryTimeout, StoreError: it was not.
        """
        text = self.store.render(f"schema/{template}.rq.j2", **values)
        return self.run(Query(text, columns, name=f"schema {template}"))

    def run(self, query: Query) -> Iterable[Row]:
        """`ask`, with a query that is compiled."""
        if not self.endpoint:
            return self.store.run(query)
        if self._journal is not None and query.text in self._journal:
            if (kept := self._journal.find(query.text)) is None:
                raise StoreError(f"the endpoint refused the query {query.name!r} before")
            self._failures = 0
            return kept
        try:
            rows = list(self.store.run(query, timeout=PATIENCE))
        except StoreError:
            self._refused.append(query.text)
            raise
        if self._journal is not None:
            # Only now: where the endpoint was away, it has refused nothing.
            for text in self._refused:
                self._journal.add(text, None)
            self._journal.add(query.text, rows)
        self._refused = []
        self._failures = 0
        return rows

    def whole(
        self, what: str, template: str, columns: tuple[str, ...], **values: Any
    ) -> Iterable[Row] | None:
        """Rows of a query that reads a whole graph, or much of it.

        None where an endpoint cannot answer it: a sample has to do. ``what`` then
        says in words what is sampled.
        """
        if not self.endpoint:
            return self.ask(template, columns, **values)
        if self.counts:
            try:
                return self.ask(template, columns, **values)
            except StoreError:
                self._refusals += 1
                self.counts = self._refusals < MOST_REFUSALS
        self.note(what)
        return None

    def sample(self, template: str, columns: tuple[str, ...], **values: Any) -> Sequence[Row]:
        """Rows of a query that reads little; none where an endpoint fails even so.

        Raises:
            StoreError: several in a row have failed: the endpoint does not answer.
        """
        try:
            return list(self.ask(template, columns, **values))
        except StoreError:
            self._failures += 1
            if self._failures >= MOST_FAILURES:
                raise
            return []

    def note(self, what: str) -> None:
        """Say that something was sampled, once."""
        if what not in self.sampled:
            self.sampled.append(what)


def journal_of(store: Store, path: Path) -> Journal | None:
    """The journal at a path, for an endpoint; what is in the process needs none."""
    return Journal(path, store.identity()) if store.profile is not None else None
