"""The contract that every database meets.

A store runs queries, declares what it can do (`StoreCapabilities`) and describes
itself. Queries for a plan come from the dialect that `isomatch.compile.dialects` has for
its capabilities; those that need no plan are rendered from the store's templates. So a
new database is one folder here, one dialect in `isomatch.compile` and one folder of
templates (``docs/add-a-store.md``).

Ids are strings. In RDF stores an IRI stands for itself, a blank node is
``_:label``, and a literal is its N-Triples form (``"1995"^^<…#gYear>``); no IRI
starts with a quote or an underscore, so the three never mix.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Self

    from isomatch.store.capabilities import StoreCapabilities
    from isomatch.store.profile import Profile
    from isomatch.store.templates import Templates

Item = TypeVar("Item")
Row = tuple["str | None", ...]
Triple = tuple[str, str, str]
"""(source, relation, target), by id."""
MatchedTriple = Triple | tuple[str, str, str, str] | tuple[str, str, str, str, str]
"""(a, relation, b) as matched; where the pattern has them, the value on it by id, and its key."""
ChangedTriple = tuple["str | None", "str | None", "str | None"]
"""A triple by id; None for a term that is a triple itself."""
PARALLEL = 1000
"""Most facts of one triple that a store returns, and one more where there are more."""


@dataclass(frozen=True, slots=True)
class Query:
    """A compiled query: text from a template of ours, values apart from it.

    Attributes:
        text: query text in the store's language.
        columns: names of the result's columns, in order.
        parameters: variable or parameter name to what the store binds to it; never
            part of the text. In SPARQL ids, in Cypher the driver's values.
        name: the template's name, for logs and the database's own query log.
        names_graphs: it says which named graphs it reads (SPARQL's ``GRAPH``); those that
            an endpoint is set to read do not count.
        heavy: it may take long: a store that cannot interrupt its engine waits
            for it elsewhere, so that the time-out holds.
        ways: its parameters say hop by hop what to follow (`isomatch.compile.follow`), so that
            a copy of the graph can do it too; it returns ``i`` and a list of matches.
        listed: it returns these, and no copy can do it.
    """

    text: str
    columns: tuple[str, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    names_graphs: bool = False
    heavy: bool = False
    ways: bool = False
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """One way in which the database stores a fact that was matched.

    Attributes:
        forward: whether it goes from the first node to the second.
        id: the relationship's own id, where the database has one.
        properties: of the relationship, as plain values.
        ends: source and target as stored, where they are others than asked for (nodes
            that are the same by ``owl:sameAs``).
    """

    forward: bool
    id: str | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)
    ends: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """What a store says of itself, for `doctor` and error messages."""

    kind: str
    location: str
    version: str
    triples: int | None = None
    read_only: bool = True

    def __str__(self) -> str:
        """Kind, version where it is known, and place."""
        return f"{' '.join(filter(None, (self.kind, self.version)))} at {self.location}"


@dataclass(frozen=True, slots=True)
class GraphState:
    """A graph at a moment, see `Store.state`.

    Attributes:
        text: short; another one after a change that is seen.
        whole: whether every change is seen.
    """

    text: str
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Changes:
    """What was added to a graph and taken out of it; a triple may be in both, and repeated."""

    new: tuple[ChangedTriple, ...] = ()
    gone: tuple[ChangedTriple, ...] = ()

    def __len__(self) -> int:
        return len(self.new) + len(self.gone)

    @property
    def nodes(self) -> set[str]:
        """The ids at both ends of all these triples."""
        ends = (end for s, _, o in (*self.new, *self.gone) for end in (s, o))
        return {end for end in ends if end is not None}


@dataclass(frozen=True, slots=True)
class Ranked:
    """An interpretation with its matches, from a search inside the database.

    Attributes:
        rank: from 1; of the match where single ones are ranked.
        gsd: graph semantic distance.
        rows: for each match ids by node of the pattern, then by unknown relation.
        relations: ids by edge of the pattern; unknown ones as in the first match.
        types: ids by node of the pattern; None where its type does not count.
        cut: whether there are more matches than the limit.
    """

    rank: int
    gsd: float
    rows: tuple[Row, ...]
    relations: Row
    types: Row
    cut: bool = False


class Store(ABC):
    """A database that holds the graph. A context manager; closing ends it."""

    @property
    @abstractmethod
    def capabilities(self) -> StoreCapabilities:
        """What the database can do.

        Raises:
            StoreError: it has to be asked, and does not answer.
        """

    @property
    @abstractmethod
    def templates(self) -> Templates:
        """The query templates of its language."""

    @property
    def profile(self) -> Profile | None:
        """The limits of a SPARQL endpoint; None for a database that has none.

        Raises:
            StoreError: the endpoint does not answer.
        """
        return None

    def render(self, template: str, **values: Any) -> str:
        """The text of a template; see `Templates.render`."""
        return self.templates.render(template, **values)

    @abstractmethod
    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """Rows of ids, lazily, in the order of `Query.columns`.

        An unbound column is None, and so is a term without an id (a triple). Numbers and
        booleans that the query computes come back as their lexical form ("12", "true").

        Args:
            query: in the store's language.
            timeout: seconds until `QueryTimeout`; None for no limit.

        Raises:
            QueryTimeout: the time ran out.
            StoreError: the database refused or failed, with its own words.
        """

    @contextmanager
    def along(self, query: Query) -> Iterator[Callable[[], list[Row]]]:
        """Let a query go along with the next one that this thread asks inside the block.

        Gives what has its rows after the block: of the shared answer, or asked then. Only
        saves a request, and only where `StoreCapabilities.along` says so.

        Raises:
            QueryTimeout, StoreError: as `run`, when the rows are taken.
        """
        yield lambda: list(self.run(query))

    @abstractmethod
    def describe(self) -> StoreInfo:
        """Kind, place, version and size."""

    @abstractmethod
    def fingerprint(self) -> str:
        """A short text that changes when the graph's content does; cheap."""

    def identity(self) -> str:
        """A short text that changes when an index of the graph is of no use any more.

        The fingerprint, except in a database that is written to all the time.
        """
        return self.fingerprint()

    def state(self) -> GraphState | None:
        """What tells the graph of now from the one that was indexed.

        Asked with every search (see `isomatch.match.types.Certificate`), so it is cheap,
        and may miss changes: each store says which. None where the database cannot tell.

        Raises:
            StoreError: the database does not answer.
        """
        return GraphState(self.fingerprint())

    def changes_since(self, since: str) -> Changes | None:
        """What has changed since an earlier state.

        Args:
            since: the text of that state; nothing has changed since the one now.

        Returns:
            None where the database cannot tell.
        """
        return None

    def bulk(self) -> Store:
        """The graph for queries that read all of it: the store itself, or a faster copy.

        A copy has the same ids.
        """
        return self

    def snapshot(self) -> Store:
        """The graph as it is now, for one question: the store itself, or a copy in memory.

        Raises:
            StoreError: the database does not answer.
        """
        return self

    def look_again(self) -> None:  # noqa: B027 - of endpoints alone
        """Before much is read: ask anew what an endpoint was too slow for the last time.

        Raises:
            StoreError: it does not answer.
        """

    @property
    def plugin(self) -> str | None:
        """Version of the plugin that searches inside the database; None for none.

        Asked of the database once.

        Raises:
            PluginVersionError: it does not fit this isomatch.
        """
        return None

    def ranked(
        self, query: Query, *, timeout: float | None = None
    ) -> tuple[list[Ranked], Mapping[str, Any]]:
        """What a search by the plugin finds, best first, and its certificate.

        Args:
            query: of `Dialect.procedure`.
            timeout: see `run`.

        Raises:
            QueryTimeout, StoreError: see `run`.
        """
        raise NotImplementedError

    @abstractmethod
    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        """For each triple: what the database stores of it, from a to b before b to a.

        A property graph may hold several relationships of one type between two
        nodes; see `PARALLEL`. A triple with a value has those that carry it.
        """

    def gone(self, ids: Collection[str]) -> set[str]:
        """Those of some nodes that are not in the graph any more."""
        return set()

    @abstractmethod
    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        """(node, side) for each of these relations that a node has.

        The side is ``+r`` where the node is a source of ``r``, ``-r`` where it is
        a target.

        Raises:
            QueryTimeout: it took more than ``timeout`` seconds.
        """

    def statement_type(self, text: str, *, timeout: float | None = None) -> str:
        """What the server's planner says that a statement does; it is not run.

        Args:
            timeout: seconds; None for no limit.

        Returns:
            ``r`` for one that only reads, else ``w``, ``rw`` or ``s``; ``unknown`` where
            the database does not say.

        Raises:
            StoreError: the server refuses the statement, or failed.
        """
        return "unknown"

    def missing_rights(self) -> list[str]:
        """What the user may not do, of what isomatch needs beside reading nodes.

        Raises:
            StoreError: the database failed in another way.
        """
        return []

    def native_graph(self, nodes: Sequence[str], relationships: Sequence[str]) -> Any:
        """Nodes and relationships by id, as the graph type of the database's driver.

        Those that are not in the database any more are left out.

        Raises:
            NotImplementedError: the driver has no such type.
            StoreError: the database failed.
        """
        raise NotImplementedError

    @abstractmethod
    def close(self) -> None:
        """Release the database; safe to call twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def chunked(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Lists of at most ``size`` items, in order."""
    chunk: list[Item] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
