"""What a judge asks of a graph in Neo4j: facts of known truth, references and searches."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest
from tests.integration.films import load_films
from tests.servers.neo4j import Neo4jServer

from isomatch.judge.references import descriptions, graph_facts
from isomatch.judge.search import GraphSearch
from isomatch.judge.self_test import TRUTHS, make_facts
from isomatch.session import Session

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def session(
    neo4j_server: Neo4jServer,
    neo4j_driver: neo4j.Driver,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Session]:
    settings = load_films(neo4j_server, neo4j_driver, tmp_path_factory.mktemp("judge-films"))
    with Session.open(settings) as opened:
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
