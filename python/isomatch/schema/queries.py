"""How introspection asks: an embedded graph for all, an endpoint within bounds.

An endpoint is used by others too, and ends queries that take long. So each query has
a time-out there, its answer is kept in a journal, and what reads the whole graph may
fail: the caller then asks for a sample instead, and the schema says so.

Reading the schema of a public endpoint takes hundreds of small queries, and may be
stopped in between. Each answer is one line of the journal, by a hash of the query's
text, so that the next run asks only what is missing, until the schema is written. What
the endpoint refused, or took too long for, is recorded too: it would take as long again.

    {"format": 1, "graph": "…", "began": 1700000000}
    ["<hash of a query>", [["http://…/director", "12"], …]]
    ["<hash of a query>", null]
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import StoreError
from isomatch.store.base import Query, Row, Store

if TYPE_CHECKING:
    from isomatch.schema.counts import Counts

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
        unanswered: how many samples an endpoint did not answer.
        partial: ``relations`` and ``types``, where some may not have been found.
    """

    def __init__(self, store: Store, kept: Journal | Counts | None = None):
        """``kept`` is a journal for an endpoint, counts for an embedded graph.

        Without it each run asks everything.
        """
        profile = store.profile
        self.store = store
        self.endpoint = profile is not None
        self.counts = profile is None or profile.cheap_counts
        self.sampled: list[str] = []
        self.unanswered = 0
        self.partial: set[str] = set()
        self._journal = kept if self.endpoint and isinstance(kept, Journal) else None
        self._counts = None if self.endpoint or isinstance(kept, Journal) else kept
        self._refusals = self._failures = 0
        self._refused: list[str] = []  # not in the journal yet

    def ask(self, template: str, columns: tuple[str, ...], **values: Any) -> Iterable[Row]:
        """Rows of a query that must be answered; lazily from an embedded graph.

        Raises:
            QueryTimeout, StoreError: it was not.
        """
        text = self.store.render(f"schema/{template}.rq.j2", **values, counted=False)
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
            if self._counts is not None:
                rows = self._counts.answer(template, columns, values)
                if rows is not None:
                    return rows
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
        """Rows of a query that reads little; none where an endpoint fails even so, and is told.

        Raises:
            StoreError: several in a row have failed: the endpoint does not answer.
        """
        try:
            return list(self.ask(template, columns, **values))
        except StoreError:
            self._failures += 1
            if self._failures >= MOST_FAILURES:
                raise
            self.unanswered += 1
            self.note(_failure(template))
            return []

    def failed(self, template: str) -> bool:
        """Whether `sample` got no answer to a query of the template."""
        return _failure(template) in self.sampled

    def note(self, what: str) -> None:
        """Say that something was sampled, once."""
        if what not in self.sampled:
            self.sampled.append(what)


def _failure(template: str) -> str:
    return f"{template.replace('_', ' ')} (in part: the endpoint did not answer)"


def journal_of(store: Store, path: Path) -> Journal | None:
    """The journal at a path, for an endpoint; what is in the process needs none."""
    if store.profile is None:
        return None
    state = store.state()  # answers of another state do not belong together
    return Journal(path, store.identity() if state is None else f"{store.identity()} {state.text}")


JOURNAL_FORMAT = 1
JOURNAL_SECONDS = 7 * 24 * 3600  # seconds; an endpoint in use has changed by then


class Journal:
    """The answers so far, of one graph.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "schema.journal"
        >>> Journal(path, "graph").add("SELECT …", [("a", None)])
        >>> Journal(path, "graph").find("SELECT …")
        [('a', None)]
    """

    def __init__(self, path: Path, graph: str):
        """Read what is there; a journal of another graph, or an old one, is begun anew.

        Args:
            path: the file; its folder is made when the first answer comes.
            graph: says which graph it is (`isomatch.store.base.Store.identity`).
        """
        self.path = path
        self._graph = graph
        self._answers: dict[str, list[Row] | None] = {}
        self._begun = False
        self._read()

    def _read(self) -> None:
        try:
            with self.path.open("rb") as file:
                head = json.loads(file.readline())
                if head["format"] != JOURNAL_FORMAT or head["graph"] != self._graph:
                    return
                if not 0 <= time.time() - head["began"] <= JOURNAL_SECONDS:
                    return
                whole = file.tell()
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # the run was killed while it wrote this
                    digest, rows = json.loads(line)
                    self._answers[digest] = None if rows is None else [tuple(r) for r in rows]
                    whole += len(line)
            with self.path.open("r+b") as file:
                file.truncate(whole)
            self._begun = True
        except (OSError, ValueError, KeyError, TypeError):
            self._answers = {}  # none, or damaged: all is asked again

    def __contains__(self, text: str) -> bool:
        return _digest(text) in self._answers

    def find(self, text: str) -> list[Row] | None:
        """The rows of a query that is in the journal; None where it was refused."""
        return self._answers[_digest(text)]

    def add(self, text: str, rows: Sequence[Row] | None) -> None:
        """Keep an answer, or that there was none.

        Raises:
            StoreError: the file cannot be written.
        """
        digest = _digest(text)
        self._answers[digest] = None if rows is None else list(rows)
        lines = "" if self._begun else json.dumps(self._head()) + "\n"
        lines += json.dumps([digest, rows], ensure_ascii=False) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab" if self._begun else "wb") as file:
                file.write(lines.encode("utf-8", "surrogatepass"))
        except OSError as error:
            raise StoreError(
                f"the answers of the endpoint cannot be kept in {self.path}: {error}"
            ) from error
        self._begun = True

    def _head(self) -> dict[str, object]:
        return {"format": JOURNAL_FORMAT, "graph": self._graph, "began": int(time.time())}

    def remove(self) -> None:
        """Delete the file, if it is there."""
        self._answers, self._begun = {}, False
        self.path.unlink(missing_ok=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
