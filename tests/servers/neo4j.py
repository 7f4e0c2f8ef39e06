"""Neo4j Community, for real: tests start it, and `make neo4j` does for newcomers.

The jars come from Maven Central (`db/neo4j/server/<line>/pom.xml` has the exact
versions) and the server runs straight from them, on loopback and with auth on.
`python -m tests.servers.neo4j start|stop|status|resolve` is the command line.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.servers import ServerFailed, ServerUnavailable
from tests.servers.jdk import BRIEF
from tests.servers.neo4j_lines import LINES
from tests.servers.ports import LOOPBACK, free_port
from tests.servers.server import Server, last_lines

if TYPE_CHECKING:
    from neo4j import Driver

    from isomatch.settings import Settings

USER = "neo4j"
DEFAULT_PORT = 7687
# `neo4j-admin` itself. Neo4jAdminCommand would start this in a second Java, without `OPENED`,
# and there the bulk import of 2025 fails.
ADMIN = "org.neo4j.cli.AdminTool"
# What Neo4j's own start script opens to it.
OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
# Tests write another small graph every second, for which the server would plan again every query
# that it has known for 10 s; to plan one takes it longer than to run hundreds.
BRIEF_SETTINGS = {"dbms.cypher.min_replan_interval": "1h"}


class Neo4jServer(Server):
    """One server in a home folder of its own; a context manager that starts and stops it.

    The home keeps data, password, port and plugins, so another object over the same
    home continues what the last one left. One server a home at a time.

    Args:
        line: "5.26" or "2025".
        home: folder for data, logs, configuration and plugins; made if missing.
        port: of Bolt; None takes the one this home had last, else a free one.
        http_port: of the HTTP API; None leaves HTTP off.
        heap: initial and greatest size of the Java heap.
        pagecache: size of the page cache.
        plugins: jars copied into the home's plugins, and so on the class path.
        settings: further lines of `neo4j.conf`.
        brief: made for minutes, as in tests: starts sooner, is slower in the long run, and
            ends with this process, even when that is killed (on Linux).
    """

    longest_start = 180.0

    def __init__(
        self,
        line: str,
        home: Path,
        *,
        port: int | None = None,
        http_port: int | None = None,
        heap: tuple[str, str] = ("256m", "1g"),
        pagecache: str = "256m",
        plugins: Sequence[Path] = (),
        settings: Mapping[str, str] | None = None,
        brief: bool = False,
    ) -> None:
        super().__init__(home, brief=brief)
        self.line = LINES[line]
        self.port = port or _last_port(self.home) or free_port()
        self.http_port = http_port
        self.heap = heap
        self.pagecache = pagecache
        self.plugins = tuple(plugins)
        self.settings = dict(settings or {})

    @property
    def uri(self) -> str:
        return f"bolt://{LOOPBACK}:{self.port}"

    @property
    def password_file(self) -> Path:
        return self.home / "password"

    @property
    def password(self) -> str:
        """The generated one; there is none before the first start."""
        return self.password_file.read_text(encoding="utf-8").strip()

    @property
    def auth(self) -> tuple[str, str]:
        return (USER, self.password)

    def session_settings(self, home: Path, **more: Any) -> Settings:
        """Settings for this server, with ``home`` as isomatch's folder; after the first start."""
        from isomatch.settings import Settings

        return Settings(
            home=home,
            neo4j_uri=self.uri,
            neo4j_username=USER,
            neo4j_password=self.password,
            **more,
        )

    @property
    def pid_file(self) -> Path:
        return self.home / "run" / "neo4j.pid"

    def driver(self) -> Driver:
        """The official driver with this server's address and password; close it."""
        from neo4j import GraphDatabase

        return GraphDatabase.driver(self.uri, auth=self.auth)

    def restart(self) -> Neo4jServer:
        """Stop and start on the same home and port."""
        self.stop()
        return self.start()

    def admin(self, *arguments: str) -> str:
        """Run `neo4j-admin`, as in ``admin("database", "import", "full", …)``.

        Returns:
            What it printed.

        Raises:
            ServerUnavailable: Java, Maven or the registry is missing.
            ServerFailed: it failed; has its output.
        """
        java, lib = self.line.java(), self.line.resolve()
        self._write_home()
        done = subprocess.run(
            [str(java.executable), *self._java_options(), "-cp", f"{lib}/*", ADMIN, *arguments],
            env={**os.environ, "NEO4J_HOME": str(self.home), "NEO4J_CONF": str(self.home / "conf")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.home,
            text=True,
        )
        if done.returncode:
            raise ServerFailed(f"neo4j-admin {' '.join(arguments[:2])} failed:\n{done.stdout}")
        return done.stdout

    def log(self, lines: int = 30) -> str:
        """The last lines of the console and of `neo4j.log`."""
        paths = (self._console, self.home / "logs" / "neo4j.log")
        return "\n".join(filter(None, (last_lines(path, lines) for path in paths)))

    @property
    def _mark(self) -> str:
        """The end of the server's command line, by which its process is known."""
        return f"--home-dir={self.home} --config-dir={self.home}/conf"

    @property
    def _console(self) -> Path:
        return self.home / "logs" / "console.log"

    @property
    def _ports(self) -> tuple[int, ...]:
        return tuple(filter(None, (self.port, self.http_port)))

    def _command(self) -> list[str]:
        java, lib = self.line.java(), self.line.resolve()
        self._write_home()
        if not self.password_file.exists():
            self._set_password(secrets.token_hex(16))
        classes = f"{lib}/*{os.pathsep}{self.home}/plugins/*"
        command = [str(java.executable), *self._java_options()]
        command += [f"-Xms{self.heap[0]}", f"-Xmx{self.heap[1]}"]
        return [*command, "-cp", classes, self.line.main, *self._mark.split(" ")]

    def _java_options(self) -> list[str]:
        opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
        return [*opened, *self.line.java_options, *(BRIEF if self.brief else ())]

    def _write_home(self) -> None:
        """Make the home's folders, write `neo4j.conf`, bring the plugins."""
        for name in ("conf", "logs", "plugins", "run"):
            (self.home / name).mkdir(parents=True, exist_ok=True)
        settings = {
            "server.default_listen_address": LOOPBACK,
            "server.default_advertised_address": LOOPBACK,
            "server.bolt.listen_address": f"{LOOPBACK}:{self.port}",
            "server.bolt.advertised_address": f"{LOOPBACK}:{self.port}",
            "server.http.enabled": str(self.http_port is not None).lower(),
            "server.http.listen_address": f"{LOOPBACK}:{self.http_port or 0}",
            "server.https.enabled": "false",
            "server.memory.pagecache.size": self.pagecache,
            "dbms.usage_report.enabled": "false",
            # LOAD CSV reads, so a read-only session does not stop it.
            "dbms.security.allow_csv_import_from_file_urls": "false",
            # Else each of the two databases takes 256 MiB of disk before it has a node.
            "db.tx_log.preallocate": "false",
            # Else it waits 10 s for new connections before it stops.
            "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
            **(BRIEF_SETTINGS if self.brief else {}),
            **self.settings,
        }
        conf = "".join(f"{key}={value}\n" for key, value in settings.items())
        (self.home / "conf" / "neo4j.conf").write_text(conf, encoding="utf-8")
        for jar in self.plugins:
            shutil.copy(jar, self.home / "plugins")

    def _set_password(self, password: str) -> None:
        """Set the password of a home that never started; the file appears after it worked."""
        self.admin("dbms", "set-initial-password", password)
        descriptor = os.open(self.password_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(password + "\n")

    def _wait(self, timeout: float) -> None:
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        assert self._process is not None
        until = time.monotonic() + timeout
        last: Exception | None = None
        with self.driver() as driver:
            while time.monotonic() < until:
                if (status := self._process.poll()) is not None:
                    raise ServerFailed(
                        f"Neo4j {self.line.version} ended with status {status} while it "
                        f"started.\n{self.log()}"
                    )
                try:
                    driver.verify_connectivity()
                    with driver.session() as session:
                        session.run("RETURN 1").consume()
                    return
                except AuthError as error:
                    raise ServerFailed(
                        f"Neo4j refuses the password of {self.password_file}: {error}. If it was "
                        f"changed, write it there; else remove {self.home} with its data"
                    ) from error
                except (DriverError, Neo4jError) as error:
                    last = error  # it does not listen yet, or the database is not online yet
                    time.sleep(0.2)
        raise ServerFailed(
            f"Neo4j {self.line.version} did not answer on {self.uri} in {timeout:.0f} s "
            f"({last}).\n{self.log()}"
        )


def empty(driver: Driver) -> None:
    """Take all nodes, constraints and indexes out of a database.

    Names of labels, relationship types and properties stay known to the server
    (``db.propertyKeys()`` lists those of earlier tests too): Neo4j never forgets one.
    The two token lookup indexes that every database has stay as well.
    """
    run = driver.execute_query
    for record in run("SHOW CONSTRAINTS YIELD name").records:
        run(f"DROP CONSTRAINT {_quoted(record['name'])}")
    for record in run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'").records:
        run(f"DROP INDEX {_quoted(record['name'])}")
    with driver.session() as session:  # batches need a transaction that is not managed
        session.run(
            "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"
        ).consume()


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _last_port(home: Path) -> int | None:
    """The Bolt port that this home's server had last."""
    try:
        conf = (home / "conf" / "neo4j.conf").read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    found = re.search(r"^server\.bolt\.listen_address=.*:(\d+)$", conf, re.MULTILINE)
    return int(found.group(1)) if found else None


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.neo4j", description=__doc__)
    parser.add_argument("action", choices=("start", "stop", "status", "resolve"))
    parser.add_argument("--line", choices=list(LINES), help="default: 5.26; resolve: all")
    parser.add_argument("--port", type=int, help="of Bolt, on loopback; default: 7687")
    parser.add_argument("--http-port", type=int, help="of the HTTP API; default: off")
    options = parser.parse_args(arguments)
    try:
        if options.action == "resolve":
            for line in [LINES[options.line]] if options.line else LINES.values():
                java = line.java()
                print(f"Neo4j {line.version}: {line.resolve()}, to run on {java.executable}")
            return 0
        line = LINES[options.line or "5.26"]
        home = line.folder / "home"
        if options.action == "start":
            port = options.port or _last_port(home) or DEFAULT_PORT
            server = Neo4jServer(line.name, home, port=port, http_port=options.http_port)
            server.start()
        else:
            server = Neo4jServer(line.name, home)
        if options.action == "stop":
            print("stopped" if server.pid else "was not running")
            server.stop()
            return 0
    except (ServerUnavailable, ServerFailed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if server.pid is None:
        print(f"Neo4j {line.version} is not running; start it with: make neo4j LINE={line.name}")
        return 1
    print(
        f"Neo4j {line.version} runs (process {server.pid}, data in {home})\n"
        f"  NEO4J_URI={server.uri}\n"
        f"  NEO4J_USERNAME={USER}\n"
        f"  NEO4J_PASSWORD={server.password}   # from {server.password_file}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
