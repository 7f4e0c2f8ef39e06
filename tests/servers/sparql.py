"""The SPARQL servers of the tests, by name, and a command line for people who want one.

`python -m tests.servers.sparql resolve` gets them all; `start`, `load FILE`, `status` and
`stop` (with `--engine`, default virtuoso) are for one with its data in `.servers`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.servers import CACHE, ServerFailed, ServerUnavailable, fuseki, oxigraph
from tests.servers import virtuoso_program as virtuoso
from tests.servers.fuseki import FusekiServer
from tests.servers.oxigraph import OxigraphServer
from tests.servers.sparql_server import SparqlServer
from tests.servers.virtuoso import VirtuosoServer

ENGINES: dict[str, type[SparqlServer]] = {
    server.engine: server for server in (OxigraphServer, FusekiServer, VirtuosoServer)
}
PORTS = {"oxigraph": 7878, "fuseki": 3030, "virtuoso": 8890}  # as people know them


def resolve() -> None:
    """Get what every server needs, and say where it is. Raises ServerUnavailable."""
    print(f"oxigraph: {oxigraph.executable()}")
    print(f"fuseki {fuseki.version()}: {fuseki.jar()}, to run on {fuseki.java().executable}")
    print(f"virtuoso: {virtuoso.programs().server}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.sparql", description=__doc__)
    parser.add_argument("action", choices=("resolve", "start", "load", "status", "stop"))
    parser.add_argument("files", nargs="*", type=Path, help="load: Turtle or N-Triples")
    parser.add_argument("--engine", choices=list(ENGINES), default="virtuoso")
    options = parser.parse_args(arguments)
    engine = options.engine
    server = ENGINES[engine](CACHE / f"{engine}-home", port=PORTS[engine])
    try:
        if options.action == "resolve":
            resolve()
            return 0
        if options.action == "stop":
            print("stopped" if server.pid else "was not running")
            server.stop()
            return 0
        if options.action == "start":
            server.start()
        if server.pid is not None:
            for file in options.files:
                server.load(file)
    except (ServerUnavailable, ServerFailed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if server.pid is None:
        print(f"{engine} is not running; start it with: make {engine}")
        return 1
    print(f"{engine} runs (process {server.pid}, folder {server.home})")
    for key, value in {"url": server.url, **server.settings}.items():
        print(f"  {key} = {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
