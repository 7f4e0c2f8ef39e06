"""Values on edges of a Wikibase belong to a fact in its direction, and to claims alone."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.oracle.letters import Letters
from tests.oracle.wikibase import (
    BESIDE,
    OPPOSITE,
    PREFIXES,
    VALUED,
    check_beside,
    check_opposite,
    check_valued,
)
from tests.servers.sessions import session_over

from isomatch.errors import PatternError
from isomatch.store.oxigraph import OxigraphStore


def _store(*graphs: str) -> OxigraphStore:
    """Each text as a named graph of one store."""
    dataset = ox.Store()
    for number, turtle in enumerate(graphs):
        graph = ox.NamedNode(f"urn:graph:{number}")
        dataset.load(turtle.encode(), ox.RdfFormat.TURTLE, to_graph=graph)
    return OxigraphStore(dataset)


def test_two_edges_with_values_are_not_opposite_facts_of_which_one_has_the_value(
    tmp_path: Path,
) -> None:
    with session_over(_store(OPPOSITE), tmp_path, Letters()) as session:
        check_opposite(session)


def test_facts_of_another_graph_beside_a_wikibase_are_found_with_its_claims(
    tmp_path: Path,
) -> None:
    with session_over(_store(OPPOSITE, BESIDE), tmp_path, Letters(12)) as session:
        check_beside(session)


def test_the_qualifier_of_a_value_on_an_edge_can_be_named(tmp_path: Path) -> None:
    graph = f"""{PREFIXES}
        wd:P50 wikibase:directClaim wdt:P50 ; rdfs:label "knows" .
        wd:Q1 rdfs:label "Ann" ; wdt:P50 wd:Q2 ; p:P50 wd:s1 .
        wd:s1 ps:P50 wd:Q2 ; pq:P51 wd:Q3 ; pq:P50 wd:Q2 .
        wd:Q2 rdfs:label "Bo" . wd:Q3 rdfs:label "Club" .
    """
    with session_over(_store(graph), tmp_path, Letters()) as session:
        for key, found in (("P51", "Club"), ("knows", "Bo")):  # by id, by the words of a relation
            [reading] = session.match(f'("Ann")-[knows {{{key}: ?x}}]-("Bo")', k=1).interpretations
            assert [match.bindings["x"].name for match in reading.matches] == [found]
        with pytest.raises(PatternError, match="no relationship of the schema has the property"):
            session.match('("Ann")-[knows {role: ?x}]-("Bo")')


def test_brute_force_finds_all_values_on_edges(tmp_path: Path) -> None:
    with session_over(_store(VALUED), tmp_path, Letters(12)) as session:
        check_valued(session)
