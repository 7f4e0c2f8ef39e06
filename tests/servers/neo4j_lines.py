"""The release lines of Neo4j that we test against, and what each takes to run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.servers import CACHE, ROOT, ServerUnavailable
from tests.servers.jdk import Java, find_java
from tests.servers.maven import resolve


@dataclass(frozen=True)
class Line:
    """A release line of Neo4j and what it takes to run it.

    Attributes:
        name: as people say it, and the folder of its pom.
        main: the class that starts the server.
        least_java: the oldest Java major version that it runs on.
        most_java: the newest, or None where newer ones are expected to work.
        java_options: what its start script gives to Java beside `OPENED`.
    """

    name: str
    main: str
    least_java: int
    most_java: int | None = None
    java_options: tuple[str, ...] = ()

    @property
    def pom(self) -> Path:
        return ROOT / "db" / "neo4j" / "server" / self.name / "pom.xml"

    @property
    def folder(self) -> Path:
        """Where its jars are kept, and a newcomer's database."""
        return CACHE / f"neo4j-{self.name}"

    @property
    def version(self) -> str:
        """The exact version that the pom names."""
        found = re.search(r"<neo4j\.version>(.+?)<", self.pom.read_text(encoding="utf-8"))
        assert found, f"{self.pom} has no property neo4j.version"
        return found.group(1)

    def java(self) -> Java:
        """The Java to run it on. Raises ServerUnavailable where there is none."""
        try:
            return find_java(self.least_java, self.most_java)
        except ServerUnavailable as error:
            raise ServerUnavailable(f"Neo4j {self.version}: {error}") from None

    def resolve(self) -> Path:
        """The folder of its jars, from the registry the first time."""
        return resolve(self.pom, self.folder)


LINES = {
    line.name: line
    for line in (
        Line("5.26", "org.neo4j.server.CommunityEntryPoint", 17, 21),
        Line(
            "2025",
            "org.neo4j.server.Neo4jCommunity",
            21,
            java_options=("--add-modules=jdk.incubator.vector",),
        ),
    )
}
