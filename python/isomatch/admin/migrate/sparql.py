"""Migrations of an RDF store, through SPARQL Update."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from isomatch.admin.migrate.runner import GRAPH, Record
from isomatch.errors import ConfigurationError
from isomatch.store.base import Query, Store
from isomatch.store.terms import XSD, is_literal, literal, split_literal

if TYPE_CHECKING:
    from isomatch.store.sparql import SparqlStore

PREFIX = "urn:isomatch:kept:"
"""Prefix of the predicates in isomatch's own named graphs."""


class SparqlTarget:
    """An RDF store; a `isomatch.admin.migrate.runner.Target`.

    Args:
        store: reads it.
        update: sends one SPARQL Update request; raises StoreError.

    Example:
        >>> import pyoxigraph
        >>> from isomatch.store.oxigraph import OxigraphStore
        >>> graph = pyoxigraph.Store()
        >>> SparqlTarget(OxigraphStore.memory(graph), graph.update).records()
        []
    """

    folder = "sparql"

    def __init__(self, store: Store, update: Callable[[str], None]):
        about = store.describe()
        self.location = str(about)
        self._store = store
        self._update = update

    @classmethod
    def of(cls, store: SparqlStore) -> SparqlTarget:
        """The store behind an endpoint; close the endpoint later.

        Raises:
            ConfigurationError: it has no address for updates.
            StoreError: it does not answer.
        """
        if store.endpoint.update_url is None:
            raise ConfigurationError(
                f"the endpoint {store.endpoint.url} is only read: to migrate a store of your own, "
                "set `update_url` of its table [endpoints.NAME] in isomatch.toml"
            )
        return cls(store, store.update)

    def records(self) -> list[Record]:
        found = [
            Record(int(k["version"]), k["name"], k["checksum"], k["by"], k["appliedAt"])
            for k in read_graph(self._store, GRAPH)
            if "version" in k
        ]
        return sorted(found, key=lambda record: record.version)

    def run(self, statement: str) -> None:
        self._update(statement)

    def record(self, record: Record) -> Record:
        text = self._store.render(
            "migrate/record.ru.j2",
            record=_iri(record.version),
            version=literal(str(record.version), datatype=XSD + "integer"),
            name=literal(record.name),
            checksum=literal(record.checksum),
            by=literal(record.by),
        )
        self._update(text)
        return next(r for r in self.records() if r.version == record.version)

    def forget(self, version: int) -> None:
        self._update(self._store.render("migrate/forget.ru.j2", record=_iri(version)))


def read_graph(store: Store, graph: str) -> list[dict[str, str]]:
    """The values in one of isomatch's named graphs, by predicate for each subject.

    Raises:
        StoreError: the store failed.
    """
    text = store.render("saved/kept.rq.j2", graph=graph)
    found: dict[str, dict[str, str]] = {}
    for s, p, o in store.run(Query(text, ("s", "p", "o"), name="kept", names_graphs=True)):
        if s and p and o and is_literal(o):
            found.setdefault(s, {})[p.removeprefix(PREFIX)] = split_literal(o)[0]
    return list(found.values())


def _iri(version: int) -> str:
    return f"{GRAPH}:{version}"
