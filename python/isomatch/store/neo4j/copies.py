"""When a small graph is copied into memory, and which copy may still be used."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock
from time import perf_counter

from isomatch.errors import StoreError
from isomatch.store.base import GraphState
from isomatch.store.neo4j.copy import GraphCopy
from isomatch.store.neo4j.reading import Table

logger = logging.getLogger(__name__)

# Nodes and relationships of a graph that is copied; and how many times as long as that took
# the next copy has to wait, where the graph changes all the time.
MOST_COPIED = 20_000
SECONDS = 30.0  # for reading all nodes, or all relationships
SELDOM = 20.0
OLDEST = 300.0  # seconds: what a user may read can change without a transaction in the graph


class Copies:
    """The copy of a graph's last state that was read. Thread-safe.

    Attributes:
        possible: whether the graph is small enough, and its state tells every change.
    """

    def __init__(self) -> None:
        self.possible = True
        self._last: tuple[GraphState, GraphCopy] | None = None
        self._read_at = 0.0
        self._again = 0.0  # when to read another one
        self._lock = Lock()

    def of(self, state: GraphState, size: int, read: Callable[[str], Table]) -> GraphCopy | None:
        """The copy of a state; None where there is none for now.

        Args:
            size: nodes and relationships of the graph.
            read: runs one of a copy's templates.
        """
        if not self._lock.acquire(blocking=False):
            return None  # another thread reads it, and the server answers meanwhile
        try:
            started = perf_counter()
            young = started - self._read_at < OLDEST
            if self._last is not None and self._last[0] == state and young:
                return self._last[1]
            self.possible = state.whole and size <= MOST_COPIED
            if not self.possible or started < self._again:
                return None
            self._last, graph = None, self._read_all(state, read)
            self._again = perf_counter() + SELDOM * (perf_counter() - started)
            if graph is not None:
                self._last, self._read_at = (state, graph), started
            return graph
        finally:
            self._lock.release()

    def _read_all(self, state: GraphState, read: Callable[[str], Table]) -> GraphCopy | None:
        try:
            nodes, relationships = read("copy_nodes"), read("copy_relationships")
        except StoreError as error:  # such as a value that the driver cannot read
            logger.warning("the graph is not read into memory, but asked query by query: %s", error)
            self.possible = False
            return None
        if not state.text == nodes.bookmark == relationships.bookmark:
            return None  # it was written to meanwhile
        return GraphCopy(nodes.rows, relationships.rows)
