"""`isomatch migrate` on real SPARQL stores, and the patterns that are saved there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.servers.sparql_server import SparqlServer

from isomatch.admin.migrate import apply, examine, read_migrations, undo
from isomatch.admin.migrate.sparql import SparqlTarget
from isomatch.admin.saved import saved_patterns, update_to_save
from isomatch.errors import ConfigurationError, StoreError
from isomatch.schema.introspect import introspect
from isomatch.store.base import Query
from isomatch.store.sparql import SparqlStore

MIGRATIONS = read_migrations("sparql")
DATA = "<http://e.test/heat> <http://e.test/directed_by> <http://e.test/mann> ."
OURS = Query(
    "SELECT ?s ?p ?o WHERE { GRAPH ?g { ?s ?p ?o } FILTER(STRSTARTS(STR(?g), 'urn:isomatch:m') "
    "|| STRSTARTS(STR(?g), 'urn:isomatch:p')) }",
    ("s", "p", "o"),
    names_graphs=True,
)


@pytest.fixture
def store(empty_sparql: SparqlServer) -> Iterator[SparqlStore]:
    """The server's endpoint, as its owner sees it; without the graphs of a test before."""
    settings = {"update_url": empty_sparql.update_url, **empty_sparql.settings}
    empty_sparql.load(DATA)
    with SparqlStore.connect(empty_sparql.url, **settings) as opened:
        yield opened


def test_migrations_of_a_sparql_server_go_up_and_down_again(store: SparqlStore) -> None:
    target = SparqlTarget.of(store)
    assert examine(target, MIGRATIONS).pending == MIGRATIONS
    for migration in (*MIGRATIONS, *MIGRATIONS):  # a killed run is repeated
        record = apply(target, migration, 'a "quoted" user')
        assert (record.version, record.by) == (migration.version, 'a "quoted" user')
        assert record.applied_at[:2] == "20"
    state = examine(target, MIGRATIONS)
    assert [str(r) for r in state.applied] == ["0001 records", "0002 patterns"]
    assert list(store.run(OURS))
    for migration in reversed(MIGRATIONS):
        undo(target, migration)
    assert examine(target, MIGRATIONS).pending == MIGRATIONS
    assert list(store.run(OURS)) == []


def test_migrations_and_patterns_are_no_part_of_a_servers_graph(store: SparqlStore) -> None:
    target = SparqlTarget.of(store)
    for migration in MIGRATIONS:
        apply(target, migration, "a test")
    store.update(update_to_save(store, "mann's", '(?f)-[directed by]-("Mann")', note="a\nb"))
    [saved] = saved_patterns(store).values()
    assert (saved.name, saved.note) == ("mann's", "a\nb")
    schema = introspect(store)
    assert [r.id for r in schema.relations] == ["http://e.test/directed_by"]


def test_an_endpoint_without_an_address_for_updates_is_only_read(
    empty_sparql: SparqlServer,
) -> None:
    settings = {key: v for key, v in empty_sparql.settings.items() if key == "graphs"}
    with SparqlStore.connect(empty_sparql.url, **settings) as reader:
        with pytest.raises(ConfigurationError, match="update_url"):
            SparqlTarget.of(reader)
        with pytest.raises(StoreError):
            list(reader.run(Query("DROP ALL", ())))
