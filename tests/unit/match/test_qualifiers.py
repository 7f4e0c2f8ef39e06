"""Values on edges of a Wikibase belong to a fact in its direction."""

from __future__ import annotations

from tests.oracle.definition import DIRECT_CLAIM, WIKIDATA, Graph
from tests.oracle.farm import opened
from tests.oracle.worlds import World

FILM, MANN, ROLE, STATEMENT = "urn:film", "urn:mann", "urn:role", "urn:statement"
CLAIM = WIKIDATA + "direct/P50"


def test_two_edges_with_values_are_not_opposite_facts_of_which_one_has_the_value() -> None:
    graph = Graph(
        (
            (FILM, CLAIM, MANN),
            (MANN, CLAIM, FILM),
            ("http://www.wikidata.org/entity/P50", DIRECT_CLAIM, CLAIM),
            (FILM, WIKIDATA + "P50", STATEMENT),
            (STATEMENT, WIKIDATA + "statement/P50", MANN),
            (STATEMENT, WIKIDATA + "qualifier/P51", ROLE),
        )
    )
    with opened(World("wikibase", graph)) as session:
        # Known relations and an unknown one, lines and arrows.
        for edge in ("-[p50: ?x]-", "-[: ?x]-", "-[p50: ?x]->"):
            first = f'(a "film"){edge}(?b)'
            with_one = session.match(f"{first}, (?c)-[p50]-(?b)", nodes="repeat")
            with_both = session.match(f"{first}, (?c)-[p50: ?y]-(?b)", nodes="repeat")
            assert with_one.interpretations
            assert not with_both.interpretations
