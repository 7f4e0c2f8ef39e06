"""Values on edges of a Wikibase belong to a fact in its direction, and to claims alone."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
from tests.oracle.letters import Letters
from tests.oracle.wikibase import BESIDE, OPPOSITE, check_beside, check_opposite
from tests.servers.sessions import session_over

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
