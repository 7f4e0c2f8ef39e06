"""Oxigraph's server, from the package `oxigraph` of the development environment."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.servers import ServerUnavailable
from tests.servers.ports import LOOPBACK
from tests.servers.sparql_server import LONGEST_QUERY_SECONDS, GraphStoreServer


class OxigraphServer(GraphStoreServer):
    """``oxigraph serve``, with its data in memory. See `SparqlServer`."""

    engine = "oxigraph"

    @property
    def url(self) -> str:
        """See `SparqlServer.url`."""
        return f"{self._base}/query"

    @property
    def update_url(self) -> str:
        """See `SparqlServer.update_url`."""
        return f"{self._base}/update"

    @property
    def graphs_url(self) -> str:
        """See `GraphStoreServer.graphs_url`."""
        return f"{self._base}/store"

    def _command(self) -> list[str]:
        # A query that nobody waits for any more would take a core for ever.
        limit = ["--timeout-s", str(LONGEST_QUERY_SECONDS)] if self.brief else []
        return [str(executable()), *self._mark.split(" "), *limit]

    @property
    def _mark(self) -> str:
        return f"serve --bind {LOOPBACK}:{self.port}"


def executable() -> Path:
    """The program beside this Python, or on PATH; ServerUnavailable where there is none."""
    beside = Path(sys.executable).parent / "oxigraph"
    found = beside if beside.is_file() else shutil.which("oxigraph")
    if found is None:
        raise ServerUnavailable(
            "the program oxigraph is missing: it comes with `make setup` (pip install oxigraph)"
        )
    return Path(found)
