"""The vectors say what brute force finds, and the plugin's client makes that of its rows."""

from __future__ import annotations

import pytest
from tests.oracle.brute import interpretations
from tests.oracle.checks import Trial, assert_interpretations, assert_matches, searched
from tests.oracle.plugin import BrutePlugin
from tests.oracle.property_graph import schema_of
from tests.oracle.searches import Vector, vectors

VECTORS = vectors()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name[:3])
def test_the_vectors_are_what_brute_force_finds(vector: Vector) -> None:
    case, chosen = vector.case, vector.chosen
    found = interpretations(
        case.graph,
        case.pattern,
        case.lists,
        nodes=chosen.nodes,
        direction=chosen.direction,
        type_weight=chosen.type_weight,
    )
    assert tuple(found) == vector.interpretations
    result = searched(case, BrutePlugin(case.graph), schema_of(case.graph), chosen, None)
    assert tuple(i.gsd for i in result.interpretations) == pytest.approx(vector.gsds)
    check = assert_matches if chosen.results == "matches" else assert_interpretations
    check(Trial(case, chosen, None, result))
