"""Apache Jena Fuseki, from its one jar on Maven Central (`db/fuseki/server/pom.xml`)."""

from __future__ import annotations

import re
from pathlib import Path

from tests.servers import CACHE, ROOT, ServerUnavailable
from tests.servers.jdk import BRIEF, Java, find_java
from tests.servers.maven import resolve
from tests.servers.sparql_server import LONGEST_QUERY_SECONDS, GraphStoreServer

POM = ROOT / "db" / "fuseki" / "server" / "pom.xml"
HEAP = "1g"


class FusekiServer(GraphStoreServer):
    """Fuseki with one data set in memory, ``/ds``. See `SparqlServer`."""

    engine = "fuseki"

    @property
    def url(self) -> str:
        """See `SparqlServer.url`."""
        return f"{self._base}/ds/sparql"

    @property
    def update_url(self) -> str:
        """See `SparqlServer.update_url`."""
        return f"{self._base}/ds/update"

    @property
    def graphs_url(self) -> str:
        """See `GraphStoreServer.graphs_url`."""
        return f"{self._base}/ds/data"

    def _command(self) -> list[str]:
        options = [f"-Xmx{HEAP}", *(BRIEF if self.brief else ())]
        command = [str(java().executable), *options, "-jar", str(jar())]
        # A query that nobody waits for any more would take a core for ever.
        limit = [f"--timeout={LONGEST_QUERY_SECONDS * 1000}"] if self.brief else []
        return [*command, "--mem", "--update", "--localhost", *limit, *self._mark.split(" ")]

    @property
    def _mark(self) -> str:
        return f"--port {self.port} /ds"


def version() -> str:
    """The exact version that the pom names."""
    found = re.search(r"<jena\.version>(.+?)<", POM.read_text(encoding="utf-8"))
    assert found, f"{POM} has no property jena.version"
    return found.group(1)


def java() -> Java:
    """The Java to run it on. Raises ServerUnavailable where there is none."""
    try:
        return find_java(17)
    except ServerUnavailable as error:
        raise ServerUnavailable(f"Fuseki {version()}: {error}") from None


def jar() -> Path:
    """The jar, from the registry the first time; ServerUnavailable where it cannot be had."""
    return resolve(POM, CACHE / "fuseki") / f"jena-fuseki-server-{version()}.jar"
