"""Evidence for open questions from Neo4j (with the plugin, without, by its driver) and SPARQL."""

from __future__ import annotations

from collections.abc import Callable

import neo4j
import pytest

from isomatch.adapters import graphrag
from isomatch.session import Session
from isomatch.settings import Settings

pytestmark = pytest.mark.slow
QUESTION = "How are Ronin and Heat connected?"
TURTLE = """
@prefix e: <urn:e:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:heat rdfs:label "Heat" ; e:directedBy e:mann ; e:year 1995 .
e:ronin rdfs:label "Ronin" ; e:year 1998 .
e:niro rdfs:label "Robert De Niro" ; e:actedIn e:heat, e:ronin .
e:mann rdfs:label "Michael Mann" .
e:ali rdfs:label "Ali" ; e:directedBy e:mann .
"""


def check_evidence(session: Session) -> None:
    answer = session.ask(QUESTION, retriever="steiner")
    assert answer.supported
    assert answer.text.startswith("Ronin and Heat are connected through Robert De Niro [")
    assert answer.selection is not None
    assert answer.selection.optimal
    names = {(e.triple.source.name, e.triple.target.name) for e in answer.evidence}
    assert {("Robert De Niro", "Heat"), ("Robert De Niro", "Ronin")} <= names
    for form in ("triplets", "paths"):
        assert session.ask(QUESTION, retriever=form).supported


@pytest.mark.parametrize("plugin", [True, False])
def test_neo4j_joins_what_is_asked_about(films: Settings, plugin: bool) -> None:
    with Session.open(films.model_copy(update={"plugin": None if plugin else False})) as session:
        check_evidence(session)


def test_the_driver_is_enough_for_evidence(films: Settings, neo4j_driver: neo4j.Driver) -> None:
    retriever = graphrag.IsomatchRetriever(
        neo4j_driver, settings=films, retriever="steiner", cost=0.5
    )
    try:
        found = retriever.search(query_text=QUESTION, top_k=1)
        assert "Robert De Niro | acted in" in found.items[0].content
        assert found.metadata is not None
        assert found.metadata["selection"]["optimal"] is True
    finally:
        retriever.close()


def test_sparql_servers_give_the_same_evidence(open_sparql: Callable[[str], Session]) -> None:
    check_evidence(open_sparql(TURTLE))
