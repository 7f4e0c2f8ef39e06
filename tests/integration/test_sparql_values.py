"""Values of every kind are found by every engine, whatever form it keeps them in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.servers.sparql_server import SparqlServer

import isomatch
from isomatch.session import Session

DATA = """
@prefix : <http://e.test/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:heat rdfs:label "Heat" ; :made :mann ;
    :year "1995"^^xsd:gYear ; :price "1.50"^^xsd:decimal ; :score 1.0E1 ;
    :weight "2.5000"^^xsd:float ; :shown "2001-01-01T00:00:00+00:00"^^xsd:dateTime ;
    :day "2002-03-04"^^xsd:date ; :count "0170"^^xsd:integer ; :restored "1"^^xsd:boolean ;
    :motto "typed"^^xsd:string ; :slogan "plain" ; :note "hallo"@de-AT ;
    :quote "there \\\\ \\"q\\" \\u00e9" .
:mann rdfs:label "Michael Mann" .
"""
VALUES = {
    "year": "1995",
    "price": "1.5",
    "score": "10",
    "weight": "2.5",
    "shown": "2001-01-01",
    "day": "2002-03-04",
    "count": "170",
    "restored": "true",
    "motto": "typed",
    "slogan": "plain",
    "note": "hallo",
    "quote": 'there \\ "q" é',
}


@pytest.fixture(scope="module")
def session(
    sparql_server: SparqlServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    sparql_server.clear()
    sparql_server.load(DATA)
    endpoint = {"url": sparql_server.url, **sparql_server.settings}
    home = tmp_path_factory.mktemp("values")
    with isomatch.open("values", home=home, endpoints={"values": endpoint}) as opened:
        yield opened
    sparql_server.clear()


def films(session: Session, pattern: str) -> list[str]:
    result = session.match(pattern, k=1)
    return [
        match.bindings["f"].name
        for reading in result.interpretations
        if reading.gsd == 0
        for match in reading.matches
    ]


@pytest.mark.parametrize("relation", VALUES)
def test_a_value_leads_to_what_has_it(session: Session, relation: str) -> None:
    text = VALUES[relation].replace("\\", "\\\\").replace('"', '\\"')
    assert films(session, f'(?f)-[{relation}]-("{text}")') == ["Heat"]
    joined = f'(?f)-[{relation}]-("{text}"), (?f)-[made]-("Michael Mann")'
    assert films(session, joined) == ["Heat"]


@pytest.mark.parametrize("relation", VALUES)
def test_a_value_is_found_from_what_has_it(session: Session, relation: str) -> None:
    result = session.match(f'("Heat")-[{relation}]-(?v), ("Heat")-[made]-(?who)', k=1)
    [reading] = result.interpretations
    [match] = reading.matches
    assert (reading.gsd, match.bindings["who"].name) == (0, "Michael Mann")
    assert match.triples[0].source.name == "Heat"  # as stored
