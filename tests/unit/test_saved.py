"""Patterns saved in an RDF store: read, and the update that its owner runs."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from isomatch.admin.migrate import apply, examine, read_migrations, undo
from isomatch.admin.migrate.sparql import SparqlTarget
from isomatch.admin.saved import GRAPH, SavedPattern, saved_patterns, update_to_save
from isomatch.errors import ConfigurationError, PatternError
from isomatch.schema.introspect import introspect
from isomatch.store.oxigraph import OxigraphStore

TEXT = '(?film:film)-[directed by]-("Michael \\"M\\" Mann")'
NAME = 'films of "Mann" } GRAPH <x>'


def test_what_is_saved_is_read_again_and_replaced() -> None:
    graph = ox.Store()
    store = OxigraphStore.memory(graph)
    for by, note in (("ann", ""), ("bob", "for the\nweekly list")):
        graph.update(update_to_save(store, NAME, TEXT, note=note, by=by))
    graph.update(update_to_save(store, "a", "(?a)-[b]-(?c)"))
    first, second = saved_patterns(store).values()
    assert (first.name, second.name) == ("a", NAME)
    assert second == SavedPattern(NAME, TEXT, "for the\nweekly list", "bob", second.saved_at)
    assert second.saved_at[:2] == "20"
    assert {quad.graph_name.value for quad in graph} == {GRAPH}


def test_only_patterns_and_names_are_saved() -> None:
    store = OxigraphStore.memory()
    with pytest.raises(PatternError):
        update_to_save(store, "a", "(?a)-[")
    with pytest.raises(ConfigurationError, match="needs a name"):
        update_to_save(store, "  ", TEXT)


def test_the_graph_comes_and_goes_with_its_migration() -> None:
    graph = ox.Store()
    target = SparqlTarget(OxigraphStore.memory(graph), graph.update)
    migrations = read_migrations("sparql")
    for migration in migrations:
        apply(target, migration, "a test")
    assert ox.NamedNode(GRAPH) in set(graph.named_graphs())
    for migration in reversed(migrations):
        undo(target, migration)
    assert examine(target, migrations).pending == migrations
    assert list(graph.named_graphs()) == []


def test_saved_patterns_are_no_part_of_the_graph() -> None:
    graph = ox.Store()
    store = OxigraphStore.memory(graph)
    graph.update(update_to_save(store, "a", TEXT))
    graph.add(ox.Quad(*(ox.NamedNode(f"http://e.test/{x}") for x in "abc")))
    for quad in list(graph):  # as in a store that shows all graphs as one
        graph.add(ox.Quad(*quad.triple))
    schema = introspect(store)
    assert [relation.id for relation in schema.relations] == ["http://e.test/b"]
    assert "urn:isomatch:kept:pattern" in schema.excluded
