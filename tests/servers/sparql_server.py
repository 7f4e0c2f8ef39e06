"""What the SPARQL servers of the tests have in common: one process, one home folder."""

from __future__ import annotations

import time
from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar

import httpx
from tests.servers import ServerFailed
from tests.servers.ports import LOOPBACK, free_port
from tests.servers.server import Server

# Of a brief server, which ends a query that takes longer.
LONGEST_QUERY_SECONDS = 60


class SparqlServer(Server):
    """A server of RDF. Data is Turtle or N-Triples. It goes into the graph that queries see by
    default, or into a named one.

    Args:
        home: see `Server`.
        port: of HTTP; None takes a free one.
        brief: see `Server`; it also ends queries after `LONGEST_QUERY_SECONDS`.
    """

    engine: ClassVar[str]

    def __init__(self, home: Path, *, port: int | None = None, brief: bool = False) -> None:
        super().__init__(home, brief=brief)
        self.port = port or free_port()

    @property
    @abstractmethod
    def url(self) -> str:
        """The address that takes queries."""

    @property
    @abstractmethod
    def update_url(self) -> str:
        """The address that takes updates."""

    @property
    def settings(self) -> dict[str, Any]:
        """What `isomatch.settings.endpoint.Endpoint` needs to know beside the address."""
        return {}

    @abstractmethod
    def load(self, data: str | Path, graph: str | None = None) -> None:
        """Add triples: a text or a file, to the default graph or to a named one."""

    @abstractmethod
    def clear(self) -> None:
        """Take all triples out."""

    @property
    def _base(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def pid_file(self) -> Path:
        """See `Server.pid_file`."""
        return self.home / "pid"

    @property
    def _console(self) -> Path:
        return self.home / "console.log"

    @property
    def _ports(self) -> tuple[int, ...]:
        return (self.port,)

    def _answers(self) -> bool:
        """Whether it answers a query."""
        try:
            query = {"query": "ASK {}"}
            return httpx.get(self.url, params=query, timeout=2.0).status_code == 200
        except httpx.TransportError:
            return False

    def _wait(self, timeout: float) -> None:
        assert self._process is not None
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            if (status := self._process.poll()) is not None:
                raise ServerFailed(
                    f"{self.engine} ended with status {status} while it started.\n{self.log()}"
                )
            if self._answers():
                return
            time.sleep(0.1)
        raise ServerFailed(
            f"{self.engine} did not answer at {self.url} in {timeout:.0f} s.\n{self.log()}"
        )

    def _post(self, url: str, content: bytes, kind: str, **parameters: str) -> None:
        """POST to the server; ServerFailed where it refuses."""
        answer = httpx.post(
            url, content=content, params=parameters, headers={"content-type": kind}, timeout=600.0
        )
        if answer.is_error:
            raise ServerFailed(f"{self.engine} refused {url}: {answer.text[:2000]}")


class GraphStoreServer(SparqlServer):
    """A server with SPARQL's Graph Store Protocol, and updates for everybody."""

    @property
    @abstractmethod
    def graphs_url(self) -> str:
        """The address of the graph store."""

    @property
    def settings(self) -> dict[str, Any]:
        """See `SparqlServer.settings`."""
        return {"update_url": self.update_url}

    def load(self, data: str | Path, graph: str | None = None) -> None:
        """See `SparqlServer.load`."""
        content = data.read_bytes() if isinstance(data, Path) else data.encode()
        where = {"default": ""} if graph is None else {"graph": graph}
        self._post(self.graphs_url, content, "text/turtle", **where)

    def clear(self) -> None:
        """See `SparqlServer.clear`."""
        self._post(self.update_url, b"CLEAR ALL", "application/sparql-update")
