"""Values on edges of a Wikibase belong to a fact in its direction."""

from __future__ import annotations

from pathlib import Path

from tests.oracle.letters import Letters
from tests.oracle.wikibase import OPPOSITE, check_opposite
from tests.servers.sessions import session_over
from tests.unit.schema.limited_store import graph_of

from isomatch.store.oxigraph import OxigraphStore


def test_two_edges_with_values_are_not_opposite_facts_of_which_one_has_the_value(
    tmp_path: Path,
) -> None:
    with session_over(OxigraphStore(graph_of(OPPOSITE)), tmp_path, Letters()) as session:
        check_opposite(session)
