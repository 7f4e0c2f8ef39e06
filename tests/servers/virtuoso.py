"""Virtuoso 7, as public endpoints run it: at most 10,000 rows an answer, and reading only."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any

from tests.servers import ServerFailed
from tests.servers.ports import LOOPBACK, free_port
from tests.servers.sparql_server import LONGEST_QUERY_SECONDS, SparqlServer
from tests.servers.virtuoso_program import programs

USER, FIRST_PASSWORD = "dba", "dba"
# Virtuoso has no default graph: a query without FROM sees all graphs, its own too.
GRAPH = "urn:isomatch:data"
ROWS = 10_000

CONFIGURATION = """\
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
ErrorLogLevel = 7
FileExtend = 200
TempStorage = TempDatabase

[TempDatabase]
DatabaseFile = virtuoso-temp.db
TransactionFile = virtuoso-temp.trx

[Parameters]
ServerPort = {loopback}:{sql_port}
MaxClientConnections = 20
CheckpointInterval = 60
CaseMode = 2
DirsAllowed = .
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
MaxQueryMem = 512M
ThreadsPerQuery = 2

[HTTPServer]
ServerPort = {loopback}:{port}
ServerRoot = .
MaxClientConnections = 20
ServerThreads = 20
EnabledDavVSP = 0
HTTPProxyEnabled = 0

[SPARQL]
ResultSetMaxRows = {rows}
MaxQueryExecutionTime = {seconds}
"""


class VirtuosoServer(SparqlServer):
    """Virtuoso with a database in its home. See `SparqlServer`.

    Everybody may query ``/sparql``; updates are for the user dba, whose password is
    made at the first start, by digest authentication.

    Args:
        rows: the most that one answer has (``ResultSetMaxRows``).
    """

    engine = "virtuoso"

    def __init__(
        self, home: Path, *, port: int | None = None, brief: bool = False, rows: int = ROWS
    ) -> None:
        super().__init__(home, port=port, brief=brief)
        self.rows = rows

    @property
    def url(self) -> str:
        """See `SparqlServer.url`."""
        return f"{self._base}/sparql"

    @property
    def update_url(self) -> str:
        """See `SparqlServer.update_url`."""
        return f"{self._base}/sparql-auth"

    @property
    def settings(self) -> dict[str, Any]:
        """See `SparqlServer.settings`."""
        return {
            "graphs": (GRAPH,),
            "update_url": self.update_url,
            "auth": "digest",
            "username": USER,
            "password": self.password,
        }

    @property
    def password(self) -> str:
        """The user dba's; there is none before the first start."""
        return self._password_file.read_text(encoding="ascii").strip()

    def load(self, data: str | Path, graph: str | None = None) -> None:
        """See `SparqlServer.load`; blank nodes get new names."""
        file = self.home / "load.ttl"  # the server reads files of its own folder only
        if isinstance(data, Path):
            shutil.copyfile(data, file)
        else:
            file.write_text(data, encoding="utf-8")
        self.sql(
            "log_enable(2, 1)",  # no transaction log: ten times as fast
            f"DB.DBA.TTLP(file_to_string_output('load.ttl'), '', '{graph or GRAPH}', 0)",
        )
        file.unlink()
        if not self.brief:
            self.sql("CHECKPOINT")

    def clear(self) -> None:
        """See `SparqlServer.clear`; graphs of its own stay."""
        self.sql(
            "log_enable(2, 1)",
            "DELETE FROM DB.DBA.RDF_QUAD WHERE "
            "id_to_iri(G) NOT LIKE 'http://www.openlinksw.com/%' "
            "AND id_to_iri(G) NOT LIKE 'http://www.w3.org/%' "
            "AND id_to_iri(G) NOT LIKE 'http://localuriqaserver/%'",
        )

    def sql(self, *statements: str) -> str:
        """Run SQL statements as dba, and return what the client printed.

        Raises:
            ServerFailed: the server refused one, or cannot be reached.
        """
        return self._sql(*statements, password=self.password)

    def _sql(self, *statements: str, password: str) -> str:
        found = programs()
        command = [str(found.client), f"{LOOPBACK}:{self._sql_port}", USER, password]
        command += ["ERRORS=STDOUT", *(f"exec={statement};" for statement in statements)]
        done = subprocess.run(command, env=found.environment, capture_output=True, text=True)
        if done.returncode or "*** Error" in done.stdout:
            raise ServerFailed(f"Virtuoso refused {statements}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def _command(self) -> list[str]:
        server = programs().server
        configuration = CONFIGURATION.format(
            loopback=LOOPBACK,
            port=self.port,
            sql_port=free_port(),
            rows=self.rows,
            seconds=LONGEST_QUERY_SECONDS,
        )
        self._configuration.write_text(configuration, encoding="ascii")
        return [str(server), *self._mark.split(" ")]

    @property
    def _environment(self) -> dict[str, str]:
        return programs().environment

    @property
    def _mark(self) -> str:
        return f"-f -c {self._configuration}"

    @property
    def _configuration(self) -> Path:
        return self.home / "virtuoso.ini"

    @property
    def _password_file(self) -> Path:
        return self.home / "password"

    @property
    def _sql_port(self) -> int:
        configuration = ConfigParser()
        configuration.read(self._configuration, encoding="ascii")
        return int(configuration["Parameters"]["ServerPort"].rpartition(":")[2])

    def _answers(self) -> bool:
        """By SQL first: a query over HTTP that comes too early waits for ten seconds."""
        try:
            if not self._password_file.exists():
                self._set_password(secrets.token_hex(16))
            self.sql("SELECT 1")
        except ServerFailed:
            return False
        return super()._answers()

    def _set_password(self, password: str) -> None:
        """Set the password of a new database; the file appears after it worked."""
        change = f'SET PASSWORD "{FIRST_PASSWORD}" "{password}"'
        # Ended by a signal it keeps what was there at its last checkpoint, and no more.
        self._sql(change, "CHECKPOINT", password=FIRST_PASSWORD)
        descriptor = os.open(self._password_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(password + "\n")
