"""When a small graph is copied into memory, and which copy may still be used."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import chain
from threading import Lock, Thread
from time import perf_counter
from typing import Any

from isomatch import cancel
from isomatch.errors import SearchCancelled, StoreError
from isomatch.store.base import GraphState
from isomatch.store.neo4j.copy import MEMBERS, GraphCopy
from isomatch.store.neo4j.copy_values import LONG
from isomatch.store.neo4j.errors import may_pass
from isomatch.store.neo4j.reading import Table

logger = logging.getLogger(__name__)

# Nodes and relationships of a graph that is copied while a question waits for it; of a larger
# one, up to a limit, while the server answers, once it was asked about for some seconds.
AT_ONCE = 20_000
MOST_COPIED = 200_000
SETTLED = 3.0
# Characters for each node and relationship that may be copied; a value counts 50 more.
ROOM = 200
SECONDS = 30.0  # for reading all nodes, or all relationships
SELDOM = 20.0  # how many times as long as a copy took the next one has to wait
OLDEST = 300.0  # seconds: what a user may read can change without a transaction in the graph
GIVEN = {"long": LONG, "members": MEMBERS}
NOT_READ = "the graph is not read into memory, but asked query by query: %s"

Read = Callable[[str, Mapping[str, Any]], Table]


class Copies:
    """The copy of a graph's last state that was read. Thread-safe.

    Args:
        limit: nodes and relationships of the largest graph that is copied.

    Attributes:
        possible: whether the graph is small enough, its state tells every change, and reading it
            has not failed for good.
    """

    def __init__(self, limit: int = MOST_COPIED) -> None:
        self.possible = limit > 0
        self._limit = limit
        self._last: tuple[GraphState, GraphCopy] | None = None
        self._read_at = 0.0
        self._again = 0.0  # when to read another one
        self._since: float | None = None  # when a large graph was first asked about
        self._lock = Lock()
        self._reading = cancel.Cancellation()

    def of(self, state: GraphState, size: int, read: Read) -> GraphCopy | None:
        """The copy of a state; None where there is none for now.

        Args:
            size: nodes and relationships of the graph.
            read: runs one of a copy's templates with its parameters.
        """
        if not self._lock.acquire(blocking=False):
            return None  # another thread reads it, and the server answers meanwhile
        try:
            started = perf_counter()
            young = started - self._read_at < OLDEST
            if self._last is not None and self._last[0] == state and young:
                return self._last[1]
            self.possible = state.whole and size <= self._limit
            if not self.possible or started < self._again:
                return None
            if size <= AT_ONCE:
                return self._renewed(state, read)
            self._since = self._since or started
            if started - self._since >= SETTLED:
                self._again = float("inf")  # nor does another thread begin
                work = (state, read)
                Thread(target=self._beside, args=work, name="isomatch copy", daemon=True).start()
            return None
        finally:
            self._lock.release()

    def close(self) -> None:
        """Stop reading, and forget the copy."""
        self.possible, self._limit, self._last = False, 0, None
        self._reading.cancel("the store was closed")

    def _beside(self, state: GraphState, read: Read) -> None:
        with self._lock, cancel.scope(self._reading), suppress(SearchCancelled):
            started = perf_counter()
            try:
                self._renewed(state, read, ROOM * self._limit)
            except Exception as error:  # there is nobody to raise it to
                logger.warning(NOT_READ, error, exc_info=True)
                self._wait(started)

    def _renewed(self, state: GraphState, read: Read, room: int | None = None) -> GraphCopy | None:
        started = perf_counter()
        self._last = None  # so that there are not two of them
        graph = self._read_all(state, read, room)
        self._wait(started)
        if graph is not None and self.possible:
            self._last, self._read_at = (state, graph), started
        return graph

    def _wait(self, started: float) -> None:
        """Read no other one for some time, by how long reading took since it was started."""
        self._again = perf_counter() + SELDOM * (perf_counter() - started)

    def _read_all(self, state: GraphState, read: Read, room: int | None) -> GraphCopy | None:
        try:
            if room is not None and sum(row[0] for row in read("copy_size", GIVEN).rows) > room:
                self.possible = False
                return None
            nodes, relationships = read("copy_nodes", GIVEN), read("copy_relationships", GIVEN)
        except StoreError as error:  # such as a value that the driver cannot read
            logger.warning(NOT_READ, error)
            cause = error.__cause__
            self.possible = isinstance(cause, Exception) and may_pass(cause) and self._limit > 0
            return None
        if not state.text == nodes.bookmark == relationships.bookmark:
            return None  # it was written to meanwhile
        pages = (chain.from_iterable(row[1] for row in t.rows) for t in (nodes, relationships))
        return GraphCopy(*pages)
