"""Migrations of a Neo4j database: the one place where isomatch opens write sessions there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from isomatch.errors import StoreError
from isomatch.migrate.model import Record

if TYPE_CHECKING:
    from neo4j import Driver, Session

    from isomatch.compile.base import Dialect


class Neo4jTarget:
    """A Neo4j database; a `isomatch.migrate.model.Target`.

    Every statement runs in a transaction of its own, because Neo4j refuses changes
    of the schema and of data in one. They are tagged like the queries of isomatch.

    Args:
        driver: connected with a user who may write; not closed here.
        dialect: renders the queries about records.
        location: what and where it is, for people.
        database: None for the user's home database.
        impersonate: the user to act as; None for the driver's own.
    """

    folder = "neo4j"

    def __init__(
        self,
        driver: Driver,
        dialect: Dialect,
        *,
        location: str,
        database: str | None = None,
        impersonate: str | None = None,
    ):
        self.location = location
        self._driver = driver
        self._dialect = dialect
        self._database = database
        self._impersonate = impersonate

    def records(self) -> list[Record]:
        """See `Target.records`."""
        return self._records(self._run(self._dialect.render("migrate/records.cypher.j2")))

    def run(self, statement: str) -> None:
        """See `Target.run`."""
        self._run(statement, write=True)

    def record(self, record: Record) -> Record:
        """See `Target.record`."""
        text = self._dialect.render("migrate/record.cypher.j2")
        given = {
            "version": record.version,
            "name": record.name,
            "checksum": record.checksum,
            "by": record.by,
        }
        return self._records(self._run(text, given, write=True))[0]

    def forget(self, version: int) -> None:
        """See `Target.forget`."""
        text = self._dialect.render("migrate/forget.cypher.j2")
        self._run(text, {"version": version}, write=True)

    def _records(self, rows: list[dict[str, Any]]) -> list[Record]:
        try:
            return [Record(**row) for row in rows]
        except TypeError as error:
            raise StoreError(f"a record of {self.location} cannot be read: {error}") from error

    def _run(
        self, text: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> list[dict[str, Any]]:
        import neo4j

        @neo4j.unit_of_work(metadata={"app": "isomatch", "query": "migrate"})
        def work(transaction: neo4j.ManagedTransaction) -> list[dict[str, Any]]:
            return transaction.run(text, dict(parameters or {})).data()

        try:
            with self._session(write) as session:
                return session.execute_write(work) if write else session.execute_read(work)
        except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError) as error:
            raise StoreError(f"{self.location}: {error}") from error

    def _session(self, write: bool) -> Session:
        import neo4j

        return self._driver.session(
            database=self._database,
            impersonated_user=self._impersonate,
            default_access_mode=neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS,
            # A database without records yet would warn that it lacks their label.
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
        )
