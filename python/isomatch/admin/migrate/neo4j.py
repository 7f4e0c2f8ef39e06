"""Migrations of a Neo4j database; the only place that opens write sessions there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from isomatch._version import __version__
from isomatch.admin.migrate.runner import Record
from isomatch.errors import StoreError
from isomatch.store.cypher import CYPHER

if TYPE_CHECKING:
    from neo4j import Driver, Session

    from isomatch.store.neo4j import Neo4jStore
    from isomatch.store.neo4j.place import Place

# Metadata of every transaction, which `SHOW TRANSACTIONS` and the query log show.
TAG = {"app": "isomatch", "version": __version__, "query": "migrate"}


class Neo4jTarget:
    """A Neo4j database; a `isomatch.admin.migrate.runner.Target`.

    Every statement runs in its own transaction: Neo4j refuses to change schema and data in
    the same one.

    Args:
        driver: of a user who may write; it stays open.
        place: server, database and user, for the sessions and for messages.
    """

    folder = "neo4j"

    def __init__(self, driver: Driver, place: Place):
        self.location = f"Neo4j at {place}"
        self._driver = driver
        self._place = place

    @classmethod
    def of(cls, store: Neo4jStore) -> Neo4jTarget:
        """The database of a store, through the store's driver; close the store later.

        Raises:
            StoreError: the server does not answer, or the store's driver is asynchronous.
        """
        import neo4j

        if not isinstance(driver := store._driver, neo4j.Driver):
            raise StoreError("migrations need a neo4j.Driver, not an AsyncDriver")
        _ = store.server  # from then on the store's place names the database
        return cls(driver, store.place)

    def records(self) -> list[Record]:
        return [Record(**row) for row in self._run(CYPHER.render("migrate/records.cypher.j2"))]

    def run(self, statement: str) -> None:
        self._run(statement, write=True)

    def record(self, record: Record) -> Record:
        parameters = asdict(record)
        del parameters["applied_at"]  # set by the database
        [row] = self._run(CYPHER.render("migrate/record.cypher.j2"), parameters, write=True)
        return Record(**row)

    def forget(self, version: int) -> None:
        self._run(CYPHER.render("migrate/forget.cypher.j2"), {"version": version}, write=True)

    def _run(
        self, text: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> list[dict[str, Any]]:
        import neo4j

        from isomatch.store.neo4j.errors import translate

        @neo4j.unit_of_work(metadata=TAG)
        def work(transaction: neo4j.ManagedTransaction) -> list[dict[str, Any]]:
            return transaction.run(text, dict(parameters or {})).data()

        try:
            with self._session(write) as session:
                return session.execute_write(work) if write else session.execute_read(work)
        except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError) as error:
            raise translate(error, self._place, TAG["query"]) from error

    def _session(self, write: bool) -> Session:
        import neo4j

        return self._driver.session(
            database=self._place.database,
            impersonated_user=self._place.impersonate,
            default_access_mode=neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS,
            # Without records the database would warn that their label does not exist.
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
        )
