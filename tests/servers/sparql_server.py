"""What the SPARQL servers of the tests have in common: one process, one home folder."""

from __future__ import annotations

import os
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

import httpx
from tests.servers import ServerFailed
from tests.servers.ports import LOOPBACK, free_port, refuse_taken
from tests.servers.process import end, end_with_parent, is_running

# Of a brief server, which ends a query that takes longer.
LONGEST_QUERY_SECONDS = 60


class SparqlServer(ABC):
    """One server on loopback; a context manager that starts and stops it.

    Data is Turtle or N-Triples. It goes into the graph that queries see by
    default, or into a named one.

    Args:
        home: folder for its files; made if missing. Another object over the same
            home and port finds the process that the last one started.
        port: of HTTP; None takes a free one.
        brief: made for minutes, as in tests: ends with this process, even when that
            is killed (on Linux), and ends queries after `LONGEST_QUERY_SECONDS`.
    """

    engine: ClassVar[str]

    def __init__(self, home: Path, *, port: int | None = None, brief: bool = False) -> None:
        self.home = home.resolve()
        self.port = port or free_port()
        self.brief = brief
        self._process: subprocess.Popen[bytes] | None = None

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

    @abstractmethod
    def _command(self) -> list[str]:
        """What starts the server.

        Raises:
            ServerUnavailable: this machine lacks what it needs.
        """

    @property
    @abstractmethod
    def _mark(self) -> str:
        """A part of its command line that no other process has."""

    @property
    def _environment(self) -> dict[str, str]:
        """The environment that it runs in."""
        return dict(os.environ)

    @property
    def pid(self) -> int | None:
        """Process id while the server runs, whoever started it; else None."""
        if self._process is not None:
            self._process.poll()  # an ended child is not left over as a zombie
        try:
            pid = int(self._pid_file.read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return None
        return pid if is_running(pid, self._mark) else None

    def start(self, timeout: float = 120.0) -> SparqlServer:
        """Start and wait until queries are answered; nothing where it runs already.

        Raises:
            ServerUnavailable: this machine lacks what it needs.
            ServerFailed: it ended, or did not answer within ``timeout`` seconds.
        """
        if self.pid is not None:
            return self
        refuse_taken(self.port)
        self.home.mkdir(parents=True, exist_ok=True)
        command = self._command()
        with open(self._console, "wb") as console:
            # In a session of its own, so that Ctrl-C in a terminal does not reach it.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=self.home,
                start_new_session=True,
                env=self._environment,
                preexec_fn=end_with_parent if self.brief else None,
            )
        self._pid_file.write_text(f"{self._process.pid}\n", encoding="ascii")
        try:
            self._wait(timeout)
        except BaseException:
            self.stop(grace=5.0)
            raise
        return self

    def stop(self, grace: float = 30.0) -> None:
        """End the process by its id, and wait until it has ended."""
        pid = self.pid
        if pid is not None:
            end(pid, self._mark, grace)
        if self._process is not None:
            self._process.wait()
            self._process = None
        self._pid_file.unlink(missing_ok=True)

    def log(self, lines: int = 30) -> str:
        """The last lines of what it printed."""
        if not self._console.exists():
            return ""
        text = self._console.read_text(encoding="utf-8", errors="replace")
        return "\n".join([f"{self._console}:", *text.splitlines()[-lines:]])

    def __enter__(self) -> SparqlServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def _base(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def _pid_file(self) -> Path:
        return self.home / "pid"

    @property
    def _console(self) -> Path:
        return self.home / "console.log"

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
