"""Neo4j over its official driver: the database of the user, only ever read."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

from isomatch.errors import ConfigurationError, MissingExtraError, NotAllowed, StoreError

try:
    import neo4j
    from neo4j.exceptions import DriverError, Neo4jError
except ModuleNotFoundError as error:
    raise MissingExtraError('Neo4j needs its driver: pip install "isomatch[neo4j]"') from error

from isomatch._version import __version__
from isomatch.store.base import (
    Fact,
    GraphState,
    MatchedTriple,
    Query,
    Ranked,
    Row,
    Store,
    StoreInfo,
)
from isomatch.store.cypher import (
    CYPHER,
    NEO4J,
    existing_query,
    incidence_query,
    orientation_query,
)
from isomatch.store.neo4j.copies import MOST_COPIED, SECONDS, Copies
from isomatch.store.neo4j.copy import GraphCopy
from isomatch.store.neo4j.copy_values import LongText
from isomatch.store.neo4j.errors import OLDEST, DatabaseMissing, translate
from isomatch.store.neo4j.place import Place, Server, check_compatible, check_uri
from isomatch.store.neo4j.reading import (
    SYSTEM,
    AsyncReader,
    Reader,
    SyncReader,
    Table,
    cell,
    cells,
    session_settings,
)
from isomatch.store.terms import is_literal
from isomatch.store.values import from_id, plain

FETCH_SIZE = 1000
# Of drivers that we make: people do not wait for their own 30 s to know that a server is down.
CONNECT_SECONDS = 10.0
HUB = 1000  # relationships of a node that are read to know its relations
QUERY_SECONDS = 300.0  # of a query that has no time-out of its own
RETRY_SECONDS = 10.0
_SILENT = logging.NullHandler()


class Neo4jStore(Store):
    """A database of a Neo4j server, 5.26 or newer.

    Every query is a read transaction with ``isomatch`` and its own name in its
    metadata, which ``SHOW TRANSACTIONS`` and the query log show. Thread-safe.

    Args:
        driver: made by the caller, who closes it. A `neo4j.AsyncDriver` must be
            given on the thread of the running loop that uses it, and is then read
            from other threads (`isomatch.Session.aopen` does both).
        database: None for the user's home database.
        impersonate: user as whom to read (Enterprise edition).
        fetch_size: rows that the server sends at a time.
        own: whether `close` closes the driver too.
        plugin: whether to search by isomatch's plugin where the database has it.
        copy_limit: nodes and relationships of the largest graph that is read into memory.

    Raises:
        StoreError: an `AsyncDriver` was given where no loop runs.

    Example:
        >>> with Neo4jStore.connect("bolt://localhost", "neo4j", "…") as store:  # doctest: +SKIP
        ...     print(store.describe())
    """

    capabilities = NEO4J
    templates = CYPHER

    def __init__(
        self,
        driver: neo4j.Driver | neo4j.AsyncDriver,
        database: str | None = None,
        impersonate: str | None = None,
        *,
        fetch_size: int = FETCH_SIZE,
        own: bool = False,
        plugin: bool = True,
        copy_limit: int = MOST_COPIED,
    ):
        self.place = Place("the address of the driver", None, impersonate, database)
        self._driver = driver
        self._own = own
        self._with_plugin = plugin
        self._answered = False
        self._copy: GraphCopy | None = None
        self._state: GraphState | None = None  # of the copy
        self._copies = Copies(copy_limit)
        self._reader: Reader
        settings = session_settings(fetch_size, impersonate)
        if isinstance(driver, neo4j.Driver):
            terminate = self.render("store/terminate.cypher.j2")
            self._reader = SyncReader(driver, settings, terminate)
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError as error:
            raise StoreError(
                "an AsyncDriver must be given inside the loop that uses it: "
                "`await Session.aopen(driver=…)`"
            ) from error
        self._reader = AsyncReader(driver, settings, loop)

    @classmethod
    def connect(
        cls,
        uri: str,
        username: str = "neo4j",
        password: str | None = None,
        database: str | None = None,
        impersonate: str | None = None,
        **options: Any,
    ) -> Neo4jStore:
        """Connect, and see that the server answers and is new enough.

        Args:
            uri: with one of `SCHEMES`; a port if it is not 7687.
            password: None for a server without authentication.
            database, impersonate, options: see the class.

        Raises:
            ConfigurationError: the URI is of the wrong form.
            StoreError: the server is down, too old, or refuses the user.
        """
        check_uri(uri)
        # Else the router's complaints go to standard error; they are raised in words.
        logging.getLogger("neo4j").addHandler(_SILENT)
        try:
            driver = neo4j.GraphDatabase.driver(
                uri,
                auth=None if password is None else (username, password),
                user_agent=f"isomatch/{__version__}",
                connection_timeout=CONNECT_SECONDS,
                max_transaction_retry_time=RETRY_SECONDS,
            )
        except (DriverError, ValueError) as error:
            raise ConfigurationError(f"{uri!r} is no address of a Neo4j server: {error}") from error
        store = cls(driver, database, impersonate, own=True, **options)
        store.place = replace(store.place, uri=uri, username=username)
        try:
            _ = store.version
        except BaseException:
            store.close()
            raise
        return store

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """See `Store.run`.

        All rows are there before the first is given. Text is an id as it is, a list of
        one is a value (see `isomatch.store.values`). The server looks at its clock
        every two seconds where its administrator did not say otherwise, so a query
        may last that much longer.
        """
        if not query.text:  # the dialect knows that nothing can match
            return iter(())
        seconds = QUERY_SECONDS if timeout is None else timeout
        if self._copy is not None and (known := self._copy.answer(query, seconds)) is not None:
            return self._with_texts(known, seconds)
        keys, rows, _ = self._read(query, seconds)
        if query.ways or query.listed:  # of each interpretation many matches in one row
            width = len(query.columns) - 1
            return (
                (str(i), *(cells(match) + (None,) * width)[:width])
                for i, matches in rows
                for match in matches
            )
        if keys != list(query.columns):
            if missing := set(query.columns).difference(keys):
                raise StoreError(f"query {query.name!r} does not return {missing.pop()!r}")
            places = [keys.index(column) for column in query.columns]
            rows = [[row[place] for place in places] for row in rows]
        return (tuple(map(cell, row)) for row in rows)

    def _with_texts(self, rows: Sequence[Row], timeout: float) -> Iterator[Row]:
        """Rows of a copy with the texts that were too long for it."""
        if not (left_out := {id for row in rows for id in row if isinstance(id, LongText)}):
            return iter(rows)
        asked = [dict(zip(("id", "key"), text.split(" ", 1), strict=True)) for text in left_out]
        query = replace(self._query("copy_texts", ()), parameters={"asked": asked})
        found = {f"{id} {key}": cell(text) for id, key, text in self._read(query, timeout).rows}
        return (tuple(found.get(id, id) if id in left_out else id for id in row) for row in rows)

    @property
    def plugin(self) -> str | None:
        """See `Store.plugin`; one that the user may not call counts as not there."""
        found = self._plugin if self._with_plugin else None
        if found is not None:
            check_compatible(found, __version__, str(self.place))
        return found

    @cached_property
    def _plugin(self) -> str | None:
        with suppress(NotAllowed):
            asked = ("plugin", "plugin_function")
            if all(self._read(self._query(name, ())).rows for name in asked):
                return str(self._read(self._query("plugin_version", ())).rows[0][0])
        return None

    def ranked(
        self, query: Query, *, timeout: float | None = None
    ) -> tuple[list[Ranked], Mapping[str, Any]]:
        rows = self._read(query, QUERY_SECONDS if timeout is None else timeout).rows
        found, proof = [], None
        for rank, gsd, matches, relations, types, certificate, cut in rows:
            if rank is None:
                proof = certificate
                continue
            cells = tuple(tuple(map(cell, match)) for match in matches)
            found.append(Ranked(rank, gsd, cells, tuple(relations), tuple(types), cut))
        if proof is None:
            raise StoreError(f"Neo4j at {self.place}: the plugin's search ended without a summary")
        return sorted(found, key=lambda ranked: ranked.rank), proof

    @cached_property
    def server(self) -> Server:
        """What the server says of itself; asked once.

        Raises:
            StoreError: it does not answer, or is too old.
        """
        columns = ("version", "edition", "database", "id")
        [row] = self.run(self._query("about", columns))
        found = Server(*(str(cell) for cell in row))
        if _numbers(found.version) < _numbers(OLDEST):
            raise StoreError(
                f"Neo4j at {self.place.uri} is {found.version}: isomatch needs {OLDEST} or newer"
            )
        if self.place.database is None:
            # Named from here on, so that the driver need not ask which one is home.
            self.place = replace(self.place, database=found.database)
        return found

    @property
    def version(self) -> tuple[int, ...]:
        """The server's version, as (5, 26, 30) or (2025, 12, 1)."""
        return _numbers(self.server.version)

    def describe(self) -> StoreInfo:
        """See `Store.describe`; the relationships are counted as triples."""
        server = self.server
        [(count,)] = self.run(self._query("size", ("relationships",)))
        return StoreInfo(
            kind="Neo4j",
            location=str(self.place),
            version=f"{server.version} {server.edition}",
            triples=int(count or 0),
        )

    def native_graph(self, nodes: Sequence[str], relationships: Sequence[str]) -> neo4j.graph.Graph:
        """See `Store.native_graph`; with labels and properties."""
        query = self._query("elements", ("element",))
        asked = {"nodes": list(nodes), "relationships": list(relationships)}
        rows = self._read(replace(query, parameters=asked)).rows
        # Everything that one query returns hangs in one graph.
        return rows[0][0].graph if rows else neo4j.graph.Graph()

    def fingerprint(self) -> str:
        """See `Store.fingerprint`.

        Of the database's id, its labels, relationship types, property keys and
        indexes. Nodes and relationships do not count: those of a database in use
        change all the time.
        """
        seen: list[Any] = [self.server.database_id]
        seen += self.run(self._query("tokens", ("kind", "name")))
        with suppress(NotAllowed):  # for which a user needs a right of its own
            seen += self.run(self._query("indexes", ("type", "types", "properties")))
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:32]

    def identity(self) -> str:
        """See `Store.identity`: the database's own id, whatever is written to it."""
        return self.server.database_id

    def state(self) -> GraphState:
        """See `Store.state`: the bookmark of a read, which names the last transaction that wrote.

        Without bookmarks, the numbers of nodes and relationships: a property that gets
        another value is not seen then. Of a copy, that which it is of.
        """
        return self._state or self._sizes()[0]

    def _sizes(self) -> tuple[GraphState, int]:
        """The state, and how many nodes and relationships there are."""
        _, [row], bookmark = self._read(self._query("sizes", ()), QUERY_SECONDS)
        sizes = "{} nodes, {} relationships".format(*row)
        return GraphState(bookmark or sizes, whole=bool(bookmark)), sum(row)

    def snapshot(self) -> Store:
        """See `Store.snapshot`: a copy of the graph, where there is one of its state."""
        if self._copy is not None or not self._copies.possible:
            return self
        state, size = self._sizes()
        if (graph := self._copies.of(state, size, self._all)) is None:
            return self
        _ = self._with_plugin and self._plugin  # else each copy would ask for it
        found = copy(self)
        found._copy, found._state = graph, state
        found.capabilities = replace(self.capabilities, in_memory=True, dynamic_types=size)
        return found

    def _all(self, name: str, given: Mapping[str, Any]) -> Table:
        return self._read(replace(self._query(name, ()), parameters=given), SECONDS)

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        """See `Store.facts`; a property is a fact of its node, and has no id."""
        if self._copy is not None and (known := self._copy.facts(triples)) is not None:
            return known
        # (number of the triple, relationship) to (start node, properties)
        found: dict[tuple[int, str], tuple[str, dict[str, list[Any]]]] = {}
        if any(triple[1].startswith(":") for triple in triples):
            for number, edge, start, key, value in self.run(orientation_query(triples)):
                if number is not None and edge is not None and start is not None:
                    _, properties = found.setdefault((int(number), edge), (start, {}))
                    if key is not None and value is not None:
                        properties.setdefault(key, []).append(plain(from_id(value)))
        stored: list[list[Fact]] = [
            [] if t[1].startswith(":") else [Fact(not is_literal(t[0]))] for t in triples
        ]
        for (i, id), (source, properties) in found.items():
            values = {key: v[0] if len(v) == 1 else v for key, v in properties.items()}
            stored[i].append(Fact(source == triples[i][0], id, values))
        return [tuple(sorted(facts, key=lambda fact: not fact.forward)) for facts in stored]

    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        """See `Store.incidence`; a value counts as the target of every property."""
        keys = [r for r in relations if r.startswith(".")]
        of_values = {(value, f"-{key}") for value in filter(is_literal, nodes) for key in keys}
        if self._copy is not None:
            return of_values | self._copy.incidence(nodes, relations)
        asked = [*{*relations, *self._types}]
        most = 0 if self._types else HUB
        rows = list(self.run(incidence_query(nodes, asked, most), timeout=timeout))
        if hubs := [str(node) for node, relation, *_ in rows if relation is None]:
            rows += self.run(incidence_query(hubs, asked), timeout=timeout)
        return of_values | {
            (node, side + relation)
            for node, relation, out, into in rows
            for side, has in (("+", out), ("-", into))
            if node and relation and relation in relations and "true" in (has or "")
        }

    @cached_property
    def _types(self) -> list[str]:
        """The relationship types, as first asked; none where they are too many for one text."""
        tokens = self.run(self._query("tokens", ("kind", "name")))
        types = [f":{name}" for kind, name in tokens if kind == "type"]
        return types if len(types) <= self.capabilities.dynamic_types else []

    def gone(self, ids: Collection[str]) -> set[str]:
        asked = {id for id in ids if not is_literal(id)}
        if not asked:
            return asked
        return asked - {str(id) for (id,) in self.run(existing_query(sorted(asked)))}

    def statement_type(self, text: str, *, timeout: float | None = None) -> str:
        if not isinstance(self._reader, SyncReader):
            raise StoreError("statements are only judged over a neo4j.Driver, not an async one")
        try:
            return self._reader.statement_type(text, self.place.database, timeout)
        except (DriverError, Neo4jError) as error:
            raise translate(error, self.place, "statement_type", timeout) from error

    def missing_rights(self) -> list[str]:
        missing = []
        procedures = "EXECUTE PROCEDURE db.labels, db.propertyKeys, db.relationshipTypes"
        for name, right in (("tokens", procedures), ("indexes", "SHOW INDEX")):
            try:
                self._read(self._query(name, ()))
            except NotAllowed:
                missing.append(right)
        return missing

    def close(self) -> None:
        """See `Store.close`; a driver that the caller made stays open."""
        self._copies.close()
        if self._own and isinstance(self._driver, neo4j.Driver):
            self._driver.close()

    def _query(self, name: str, columns: tuple[str, ...]) -> Query:
        text = self.render(f"store/{name}.cypher.j2")
        return Query(text, columns, name=name)

    def _read(
        self, query: Query, timeout: float | None = None, database: str | None = None
    ) -> Table:
        asked = neo4j.Query(
            query.text,
            {"app": "isomatch", "version": __version__, "query": query.name},
            timeout,
        )
        try:
            table = self._reader.read(
                asked,
                query.parameters,
                database or self.place.database,
                # Before the first answer a server that is not there is the likelier case.
                retry=self._answered,
            )
        except (DriverError, Neo4jError) as error:
            failed = translate(error, self.place, query.name, timeout)
            if isinstance(failed, DatabaseMissing) and database is None:
                failed = DatabaseMissing(f"{failed}. {self._databases()}")
            raise failed from error
        self._answered = True
        return table

    def _databases(self) -> str:
        """Which databases there are, as far as the user may know."""
        names = []
        with suppress(StoreError):
            table = self._read(self._query("databases", ("name",)), database=SYSTEM)
            names = [str(row[0]) for row in table.rows]
        return f"It has {', '.join(names)} (NEO4J_DATABASE)" if names else "Set NEO4J_DATABASE"


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers at the start of a version; Aura's has words behind ("5.27-aura")."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()
