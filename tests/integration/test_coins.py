"""Years before Christ, aliases and languages: the same on every server as in the process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.integration.conftest import StartSparql
from tests.oracle.coins import coins, name, year
from tests.servers.sparql_server import SparqlServer
from tests.turtle import graph_of, opened

import isomatch
from isomatch.match.types import MatchResult
from isomatch.session import Session
from isomatch.store.base import Query
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow

LANGUAGES = ("de", "en")
MINT, RULER, TYPE = name(3), name(104), name(210)
PATTERNS = (
    '(?t)-[has start date]-("-0050")',
    '(?t)-[has start date]-("-0002"), (?t)-[has mint]-(?m)',
    '(?t)-[has end date]-("0010")',
    '(?t)-[has start date]-("-0040"), (?t)-[has end date]-("-0038")',
    f'("{RULER} am Meer")-[reigned from]-(?y)',
    f'("{RULER} am Meer")-[reigned until]-(?y)',
    f'("{RULER} of the sea")-[has authority]-(?t)',
    f'("Old {RULER}")-[has authority]-(?t)',
    '(?r)-[reigned from]-("-0330")',
    '(?r)-[reigned until]-("-0317"), (?t)-[has authority]-(?r)',
    f'(?t:type series item)-[has mint]-("{MINT} am Meer")',
    f'(?c:coin)-[has type series item]-(?t), (?t)-[has mint]-("Old {MINT}")',
    f'(?c)-[has type series item]-("{TYPE} am Meer"), (?c)-[has weight]-(?w)',
    f'(?c)-[has collection]-("Collection 3"), (?c)-[has type series item]-("{TYPE} sur mer")',
    f'("{TYPE} am Meer")-[has start date]-(?y:date)',
    f'("{TYPE} am Meer")-[]-(?x)',
    f'(?a)-[has authority]-("{RULER} am Meer"), (?a)-[has start date]-("-0052")',
    f'("{MINT} am Meer")-[has mint]-(?t), (?t)-[has authority]-(?r), (?r)-[reigned from]-(?y)',
    '("Collection 1")-[has collection]-(?c), (?c)-[has weight]-(?w:number)',
    f'(?t)-[has mint]-("{MINT} am Meer"), (?t)-[has authority]-("{RULER} am Meer")',
)
ODD = """
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix : <http://odd.test/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a rdfs:label "Alpha" ; :opens "12:00:00"^^xsd:time ; :born "-0050-03-15"^^xsd:date ;
    :size "x"^^xsd:integer, "wide"^^xsd:decimal, "tall"^^xsd:float ; :open "yes"^^xsd:boolean ;
    :lasts "P1Y"^^xsd:duration ; :built "0000"^^xsd:gYear ; :near :b .
:b rdfs:label "Beta" ; :opens "13:00:00"^^xsd:time ; :size 5 .
:c rdfs:label "Gamma" ; :opens "12:00:00"^^xsd:time .
"""


def session_over(source: Any, home: Any, **given: Any) -> Session:
    return isomatch.open(source, home=home, languages=LANGUAGES, **given)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with opened(coins(), languages=LANGUAGES) as session:
        yield session


@pytest.fixture(scope="module")
def served(
    sparql_server: SparqlServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    sparql_server.clear()
    sparql_server.load(coins())
    endpoint = {"url": sparql_server.url, **sparql_server.settings}
    home = tmp_path_factory.mktemp("coins")
    with session_over("coins", home, endpoints={"coins": endpoint}) as session:
        yield session
    sparql_server.clear()


def form(result: MatchResult) -> list[Any]:
    return [
        (
            round(i.gsd, 4),
            sorted((c.part, c.name) for c in i.choices),
            sorted(
                sorted((t.source.id, t.relation.id, t.target.id) for t in m.triples)
                for m in i.matches
            ),
        )
        for i in result.interpretations
    ]


def names_of(result: MatchResult) -> set[str]:
    return {b.name for _, m in result.matches for b in m.bindings.values()}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_coins_are_matched_on_every_server_as_in_the_process(
    served: Session, expected: Session, pattern: str
) -> None:
    found, right = (session.match(pattern, k=2) for session in (served, expected))
    assert form(found) == form(right)
    assert names_of(found) == names_of(right)
    assert found.interpretations[0].gsd < 1


def test_every_year_before_christ_keeps_its_four_digits(served: Session) -> None:
    query = Query(
        "SELECT DISTINCT ?y WHERE { ?r <http://nomisma.org/ontology#reignedFrom> ?y }", ("y",)
    )
    rows = {str(row[0]).partition("^")[0] for row in served.store.run(query)}
    assert rows == {year(-330 + 17 * i).partition("^")[0] for i in range(24)}


@pytest.mark.parametrize("rows", [60])
def test_terms_that_are_written_alike_do_not_end_paging(own_sparql: StartSparql, rows: int) -> None:
    """Virtuoso keeps -0001 and 0000 apart, and writes both as 0000."""
    server = own_sparql("virtuoso", rows=rows)
    server.load(coins())
    query = Query("SELECT DISTINCT ?s ?y WHERE { ?s ?p ?y FILTER(isLiteral(?y)) }", ("s", "y"))
    right: Any = graph_of(coins()).query(query.text)
    with SparqlStore.connect(server.url, **server.settings) as store:
        found = list(store.run(query))
    assert len(found) == len(set(found)) == len(list(right)) - 1


def test_values_that_virtuoso_cannot_read_fail_no_query_and_are_found(
    sparql_server: SparqlServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sparql_server.clear()
    sparql_server.load(ODD)
    endpoint = {"url": sparql_server.url, **sparql_server.settings}
    home = tmp_path_factory.mktemp("odd")
    with session_over("odd", home, endpoints={"odd": endpoint}) as session:
        for text, relation in (("12:00:00", "opens"), ("-0050-03-15", "born"), ("0000", "built")):
            pattern = f'(?x)-[{relation}]-("{text}"), (?x)-[near]-("Beta")'
            best = session.match(pattern, k=1).interpretations[0]
            assert (best.gsd, {m.bindings["x"].name for m in best.matches}) == (0, {"Alpha"}), text
        # Facts are asked for once more, with the values as they came.
        everything = session.match('("Alpha")-[]-(?x)', k=1)
        assert len(next(iter(everything.interpretations)).matches) == 9
    sparql_server.clear()
