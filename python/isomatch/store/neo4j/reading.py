"""Reading through the official driver: plainly, or through the loop of an async one.

A query is a read transaction of its own. It is tried as an auto-commit transaction,
which takes one round trip where a managed one takes two (its COMMIT is apart; on
loopback 1.3 ms became 1.9 ms); what fails in a way that another attempt may mend is
handed to the driver's managed transactions, with their waiting and routing. Rows are
read to the end inside, so an attempt gives all or nothing.

Transactions that end in the server when their search is cancelled.

A session of the driver must not be touched by two threads, and one that waits for rows
cannot be woken. So the transaction gets a name of its own, by which another session ends
it: every user may end what is theirs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from secrets import token_hex
from threading import Event, Thread
from typing import Any, NamedTuple, Protocol

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from isomatch import cancel
from isomatch.errors import QueryTimeout, StoreError
from isomatch.store.base import Row
from isomatch.store.neo4j.errors import may_pass
from isomatch.store.values import to_id

_LOG = logging.getLogger(__name__)
_PAUSES = (0.02, 0.05, 0.1, 0.2, *(0.5,) * 40)  # seconds between attempts, some 20 in all


@contextmanager
def ended_with_search(
    metadata: Mapping[str, Any], end: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Metadata of a transaction that runs inside, and ends when its search is cancelled.

    Args:
        metadata: that it has anyway.
        end: ends transactions whose metadata have this text as ``search``; called in a
            thread of its own.

    Raises:
        SearchCancelled: it was cancelled.
    """
    if cancel.current() is None:
        yield dict(metadata)
        return
    name, done = token_hex(16), Event()
    ending = Thread(target=_end, args=(name, end, done), name="isomatch cancel", daemon=True)
    try:
        with cancel.stopping(ending.start):
            yield {**metadata, "search": name}
    finally:
        done.set()


def _end(name: str, end: Callable[[str], None], done: Event) -> None:
    """End a transaction, which the server may not have begun yet, until it has ended."""
    problem: Exception | None = None
    for pause in _PAUSES:
        if done.is_set():
            return
        try:
            end(name)
        except (DriverError, Neo4jError) as error:
            problem = error
        if done.wait(pause):
            return
    _LOG.warning(
        "a query of a cancelled search goes on in Neo4j until its time-out: %s",
        problem or "the server does not list its transaction",
    )


class Table(NamedTuple):
    """What a query gave.

    Attributes:
        columns: their names.
        rows: values as the driver has them.
        bookmark: of the read: another one after every transaction that wrote.
    """

    columns: list[str]
    rows: list[list[Any]]
    bookmark: str


def cell(value: Any) -> str | None:
    """A value of a query as a row's cell: see `Neo4jStore.run`.

    Raises:
        StoreError: it has no id: a map, a list of several, a relationship.
    """
    if value is None or type(value) is str:
        return value
    if type(value) is list and len(value) == 1:
        return to_id(value[0])
    if type(value) in (bool, int, float):
        return str(value).lower()
    # What only queries have that are not ours: those of a model, and gold ones.
    if isinstance(value, neo4j.graph.Node):
        return value.element_id
    if (id := to_id(value)) is not None:
        return id
    raise StoreError(f"a query returned {type(value).__name__}, and not a text or a number")


def cells(found: str | Sequence[Any]) -> Row:
    """A match: the ids of its nodes as one text, empty where one is left out, or a list."""
    if isinstance(found, str):
        return tuple(id or None for id in found.split(" ")[1:])
    return tuple(map(cell, found))


_Rows = tuple[list[str], list[list[Any]]]  # names of columns, rows
SYSTEM = "system"  # the database that knows of the others
GRACE = 5.0  # seconds beyond a time-out in which the server should have ended the query


class Reader(Protocol):
    """Runs one query in a read transaction."""

    def read(
        self,
        query: neo4j.Query,
        parameters: Mapping[str, Any],
        database: str | None,
        *,
        retry: bool,
    ) -> Table:
        """All rows.

        Args:
            query: text, metadata and time-out.
            database: None for the user's home database.
            retry: whether to hand what may pass to the driver's retries.

        Raises:
            neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError: it failed.
        """


def joined(bookmarks: neo4j.Bookmarks) -> str:
    """Bookmarks as one text."""
    return " ".join(sorted(bookmarks.raw_values))


def session_settings(fetch_size: int, impersonate: str | None) -> dict[str, Any]:
    """What every session of ours is opened with."""
    return {
        "default_access_mode": neo4j.READ_ACCESS,
        "fetch_size": fetch_size,
        "impersonated_user": impersonate,
        # Advice about queries is for who writes them; it would fill the logs of others.
        "notifications_min_severity": neo4j.NotificationMinimumSeverity.OFF,
    }


class SyncReader:
    """Through a `neo4j.Driver`; sessions are opened for each query, which costs nothing.

    Args:
        settings: of every session.
        terminate: a query that ends the transaction of one search, by ``$search``.
    """

    def __init__(self, driver: neo4j.Driver, settings: Mapping[str, Any], terminate: str):
        self._driver = driver
        self._settings = settings
        self._terminate = terminate

    def read(
        self,
        query: neo4j.Query,
        parameters: Mapping[str, Any],
        database: str | None,
        *,
        retry: bool,
    ) -> Table:
        """See `Reader.read`."""

        def end(search: str) -> None:
            with self._driver.session(database=database, **self._settings) as session:
                session.run(neo4j.Query(self._terminate), search=search).consume()

        with ended_with_search(query.metadata or {}, end) as metadata:
            named = neo4j.Query(query.text, metadata, query.timeout)
            return self._read(named, parameters, database, retry)

    def _read(
        self, query: neo4j.Query, parameters: Mapping[str, Any], database: str | None, retry: bool
    ) -> Table:
        @neo4j.unit_of_work(query.metadata, query.timeout)
        def work(transaction: neo4j.ManagedTransaction) -> _Rows:
            result = transaction.run(query.text, dict(parameters))
            return list(result.keys()), result.values()

        with self._driver.session(database=database, **self._settings) as session:
            try:
                result = session.run(query, dict(parameters))
                table = list(result.keys()), result.values()
            except (DriverError, Neo4jError) as error:
                if not (retry and may_pass(error)):
                    raise
                cancel.check()
                table = session.execute_read(work)
            return Table(*table, joined(session.last_bookmarks()))

    def statement_type(self, text: str, database: str | None, timeout: float | None) -> str:
        """What the server's planner says that a statement does (``r`` for reading)."""
        with self._driver.session(database=database, **self._settings) as session:
            planned = session.run(neo4j.Query(f"EXPLAIN {text}", timeout=timeout))
            return str(planned.consume().query_type)


class AsyncReader:
    """Through a `neo4j.AsyncDriver`, from threads other than its loop's.

    A search is synchronous code. It runs in a thread, and each of its queries is
    handed to the loop that the driver belongs to.
    """

    def __init__(
        self,
        driver: neo4j.AsyncDriver,
        settings: Mapping[str, Any],
        loop: asyncio.AbstractEventLoop,
    ):
        self._driver = driver
        self._settings = settings
        self._loop = loop

    def read(
        self,
        query: neo4j.Query,
        parameters: Mapping[str, Any],
        database: str | None,
        *,
        retry: bool,
    ) -> Table:
        """See `Reader.read`."""
        try:
            here = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            here = False
        if here:
            raise StoreError(
                "an AsyncDriver cannot be waited for on the thread of its own loop: use "
                "`await Session.aopen(driver=…)`, `await session.amatch(…)` and the other "
                "methods that start with an a, or give isomatch a neo4j.Driver"
            )
        if not self._loop.is_running():
            raise StoreError(
                "the event loop that the AsyncDriver belongs to has ended: open the session "
                "inside the loop that uses it"
            )
        future = asyncio.run_coroutine_threadsafe(
            self._read(query, parameters, database, retry), self._loop
        )
        # The driver ends the connection of a task that is cancelled, and the server its query.
        try:
            with cancel.stopping(future.cancel):
                return future.result(None if query.timeout is None else query.timeout + GRACE)
        except FutureTimeout as error:
            if future.done():  # it is the driver's own
                raise
            future.cancel()
            raise QueryTimeout(f"Neo4j did not answer within {query.timeout:.3g} s") from error
        except CancelledError as error:
            raise StoreError("the event loop ended before Neo4j answered") from error

    async def _read(
        self, query: neo4j.Query, parameters: Mapping[str, Any], database: str | None, retry: bool
    ) -> Table:
        @neo4j.unit_of_work(query.metadata, query.timeout)
        async def work(transaction: neo4j.AsyncManagedTransaction) -> _Rows:
            result = await transaction.run(query.text, dict(parameters))
            return list(result.keys()), await result.values()

        async with self._driver.session(database=database, **self._settings) as session:
            try:
                result = await session.run(query, dict(parameters))
                table = list(result.keys()), await result.values()
            except (DriverError, Neo4jError) as error:
                if not (retry and may_pass(error)):
                    raise
                table = await session.execute_read(work)
            return Table(*table, joined(await session.last_bookmarks()))
