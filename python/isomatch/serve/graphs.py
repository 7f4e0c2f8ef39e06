"""The graphs that a service answers from."""

from __future__ import annotations

import ctypes
import difflib
import gc
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Literal

from isomatch.errors import IsomatchError
from isomatch.serve.errors import RequestError
from isomatch.session import Session
from isomatch.settings import DEFAULT_GRAPH, Settings

_LOG = logging.getLogger("isomatch.serve")
LOOK_AGAIN = 1.0  # seconds between two looks whether an index was replaced

Database = Literal["embedded", "neo4j", "sparql"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks.

    Attributes:
        name: for logs and rate limits.
        graphs: names of the graphs that may be asked; None for all.
    """

    name: str
    graphs: frozenset[str] | None = None

    def may_ask(self, graph: str) -> bool:
        """Whether a graph may be asked."""
        return self.graphs is None or graph in self.graphs


ANYBODY = Caller("anybody")


class Graph:
    """A graph that is served: a session over it, opened when it is first asked.

    When its index is replaced (``isomatch index``), a new session takes the place of the
    old one, which is closed once the last request that uses it is answered.

    Args:
        name: what requests call it.
        settings: of the graph.
        open_session: makes a session of the settings; None where there is only ever one.
    """

    def __init__(
        self,
        name: str,
        settings: Settings,
        open_session: Callable[[Settings], Session] | None = Session.open,
    ):
        self.name = name
        self.settings = settings
        self.look_again = LOOK_AGAIN
        self._open = open_session
        self._opening = Lock()
        self._lock = Lock()
        self._shared: _Shared | None = None
        self._looked = 0.0

    @classmethod
    def over(cls, session: Session, name: str = DEFAULT_GRAPH) -> Graph:
        """The graph of a session that is open, and stays so."""
        graph = cls(name, session.settings, None)
        graph._shared = _Shared(session, None, users=2)  # never the last one
        return graph

    @property
    def database(self) -> Database:
        """What kind of database it is in."""
        if self.settings.neo4j_uri is not None:
            return "neo4j"
        return "embedded" if self.settings.endpoint is None else "sparql"

    @property
    def at_hand(self) -> bool:
        """Whether `session` opens nothing, and so takes no time."""
        if self._shared is None:
            return False
        return self._open is None or monotonic() - self._looked < self.look_again

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session that stays open for as long as it is used.

        Raises:
            IsomatchError: the graph cannot be opened.
        """
        shared = self._lease()
        try:
            yield shared.session
        finally:
            self._release(shared)

    def close(self) -> None:
        """Close the session once nobody uses it."""
        with self._lock:
            shared, self._shared = self._shared, None
        if shared is not None:
            self._release(shared)

    def _lease(self) -> _Shared:
        # One thread opens. Until there is a session the others wait for it; later they use
        # the one in force, and so does the event loop, which must not wait.
        if not self.at_hand and self._opening.acquire(blocking=self._shared is None):
            try:
                self._renew()
            finally:
                self._opening.release()
        with self._lock:
            assert self._shared is not None
            self._shared.users += 1
            return self._shared

    def _renew(self) -> None:
        """Open the session, or one over a newer index."""
        if self._open is None or self.at_hand:
            return
        self._looked = monotonic()
        state = self._index_state()
        if self._shared is not None and self._shared.state == state:
            return
        try:
            shared = _Shared(self._open(self.settings), state)
        except IsomatchError as error:
            if self._shared is None:
                raise
            # An index that is being written: the one in force answers until it can be opened.
            _LOG.warning("the new index of %s cannot be opened yet: %s", self.name, error)
            return
        with self._lock:
            old, self._shared = self._shared, shared
        if old is not None:
            self._release(old)

    def _index_state(self) -> tuple[int, int] | None:
        """Changes when the index is replaced."""
        try:
            found = (self.settings.index_path / "manifest.json").stat()
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_ino

    def _release(self, shared: _Shared) -> None:
        with self._lock:
            shared.users -= 1
            last = shared.users == 0
        if last:
            shared.session.close()
            _give_memory_back()


def _give_memory_back() -> None:
    """Free what a closed session held, and give it back to the system.

    Its parts refer to each other, and hold the vectors. glibc keeps what many threads
    freed in arenas of their own, which was half the memory of a service.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:  # musl has none
        trim(0)


@dataclass(slots=True)
class _Shared:
    """A session, and how many use it; the graph itself is one of them."""

    session: Session
    state: tuple[int, int] | None
    users: int = 1


class Graphs:
    """The graphs of a service, by name. The one place where a request's graph is found.

    Args:
        graphs: in the order in which they are listed.
        default: of requests that name none; None where there are several: they must.
    """

    def __init__(self, graphs: Mapping[str, Graph], default: str | None = None):
        self._graphs = dict(graphs)
        if default is None and len(self._graphs) == 1:
            default = next(iter(self._graphs))
        self.default = default

    @classmethod
    def over(cls, session: Session) -> Graphs:
        """The one graph of a session that is open, and stays so."""
        return cls({DEFAULT_GRAPH: Graph.over(session)})

    @classmethod
    def of(cls, settings: Settings) -> Graphs:
        """The graphs that the settings name.

        Raises:
            ConfigurationError: the settings of a graph are wrong.
            RequestError: the default graph is none of them.
        """
        graphs = cls(
            {name: Graph(name, own) for name, own in settings.graph_settings().items()},
            settings.serve.default_graph,
        )
        if graphs.default is not None:
            graphs.get(graphs.default, ANYBODY)
        return graphs

    def get(self, name: str | None, caller: Caller) -> Graph:
        """The graph that a request is about.

        Raises:
            RequestError: there is none of that name for this caller (404), or no name was
                given where there are several (400).
        """
        allowed = [known for known in self._graphs if caller.may_ask(known)]
        if name is None and self.default in allowed:  # else a key would learn its name
            name = self.default
        if name is None and len(allowed) == 1:
            name = allowed[0]
        if not allowed:
            raise RequestError(404, "there is no graph that this key may ask", key="graph")
        if name is None:
            raise RequestError(
                400, f"there are several graphs: say which: {', '.join(allowed)}", key="graph"
            )
        if name not in allowed:
            near = difflib.get_close_matches(name, allowed, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(allowed)}"
            raise RequestError(404, f"there is no graph {name!r}; {hint}", key="graph")
        return self._graphs[name]

    def check(self) -> None:
        """Open all graphs, so that one that cannot be opened is told at once.

        Raises:
            IsomatchError: a graph cannot be opened.
        """
        for graph in self._graphs.values():
            with graph.session():
                pass

    def every(self) -> list[Graph]:
        """All graphs."""
        return list(self._graphs.values())

    def all(self, caller: Caller) -> list[Graph]:
        """The graphs that a caller may ask."""
        return [graph for graph in self._graphs.values() if caller.may_ask(graph.name)]

    def close(self) -> None:
        """Close all sessions; those in use when their last user has finished."""
        for graph in self._graphs.values():
            graph.close()
