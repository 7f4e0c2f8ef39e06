"""What a judge asks of a graph in Neo4j: facts of known truth, references and searches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from isomatch.judge.references import descriptions, graph_facts
from isomatch.judge.search import GraphSearch
from isomatch.judge.self_test import TRUTHS, make_facts
from isomatch.session import Session
from isomatch.settings import Settings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def session(films: Settings) -> Iterator[Session]:
    with Session.open(films) as opened:
        yield opened


def test_facts_of_known_truth_are_made_from_neo4j(session: Session) -> None:
    facts = make_facts(session, 9)
    assert sorted(fact.truth for fact in facts) == sorted(3 * TRUTHS)
    lines = {line for fact in facts for line in fact.reference}
    assert all(len(line.split(" | ")) == 3 for line in lines)
    known = {fact.text for fact in facts if fact.truth == "true"}
    assert known.isdisjoint(fact.text for fact in facts if fact.truth != "true")


def test_a_graph_in_neo4j_is_searched_and_referred_to(session: Session) -> None:
    found = GraphSearch(session)("Robert De Niro acted in Ronin")
    assert found[0] == "Robert De Niro | acted in | Ronin"
    facts = graph_facts(session, ["Who acted in Ronin?"])
    assert "Robert De Niro | acted in | Ronin" in facts
    assert descriptions(session, ["Who acted in Ronin?"]) == ()
