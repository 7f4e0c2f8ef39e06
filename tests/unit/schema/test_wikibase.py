"""Wikidata's shape: direct claims, types by P31, names of properties, qualifiers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.schema.limited_store import LimitedStore, graph_of, with_many_more
from tests.unit.schema.test_many_predicates import found

from isomatch.errors import QueryTimeout
from isomatch.schema.introspect import introspect
from isomatch.schema.names import names
from isomatch.schema.vocabulary import INSTANCE_OF, Wikibase, entity_of
from isomatch.store.base import Query, Row
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.profile import Profile

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
FILMS = """
wd:P31 rdfs:label "instance of"@en ; wikibase:directClaim wdt:P31 .
wd:P57 rdfs:label "director"@en, "Regie"@de ; wikibase:directClaim wdt:P57 ; wikibase:claim p:P57 .
wd:P161 rdfs:label "cast member"@en ; wikibase:directClaim wdt:P161 .
wd:P577 rdfs:label "publication date"@en ; wikibase:directClaim wdt:P577 .
wd:P9 rdfs:label "never used"@en ; wikibase:directClaim wdt:P9 .
wd:Q11424 rdfs:label "film"@en .
wd:Q1 rdfs:label "The Long Walk"@en ; schema:description "a film made for this test"@en ;
  wdt:P31 wd:Q11424 ; wdt:P57 wd:Q10 ; wdt:P161 wd:Q11, wd:Q12 ;
  wdt:P577 "1999-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:sitelinks 3 ;
  p:P161 :s1, :s2 .
:s1 ps:P161 wd:Q11 ; pq:P453 wd:Q21 ; wikibase:rank wikibase:NormalRank .
:s2 ps:P161 wd:Q12 ; pq:P453 wd:Q22 .
wd:Q2 rdfs:label "The Short Walk"@en ; wdt:P31 wd:Q11424 ; wdt:P57 wd:Q10 ; wdt:P161 wd:Q11 ;
  p:P161 :s3 .
:s3 ps:P161 wd:Q11 ; pq:P453 wd:Q22 .
wd:Q10 rdfs:label "Ann Maker"@en . wd:Q11 rdfs:label "Bo Player"@en .
wd:Q12 rdfs:label "Cy Actor"@en .
wd:Q21 rdfs:label "Captain"@en . wd:Q22 rdfs:label "Cook"@en .
:page schema:about wd:Q1 .
"""


@pytest.mark.parametrize("endpoint", [False, True])
def test_direct_claims_are_the_relations_and_are_called_by_their_properties(endpoint: bool) -> None:
    graph = graph_of(FILMS)
    schema = introspect(LimitedStore(graph) if endpoint else OxigraphStore(graph))
    assert {r.id: (r.text, r.triples) for r in schema.relations} == {
        WDT + "P57": ("director", 2),
        WDT + "P161": ("cast member", 3),
        WDT + "P577": ("publication date", 1),
    }
    assert schema.type_relation == INSTANCE_OF
    types = {t.id: (t.text, t.nodes) for t in schema.types if not t.id.startswith("literal:")}
    assert types == {WD + "Q11424": ("film", 2)}
    assert schema.by_id[WDT + "P57"].source_types == {WD + "Q11424": 2}
    assert schema.relations_begin == "http://www.wikidata.org/prop/direct/P"
    assert "Wikibase" in schema.notes[0]
    german = introspect(OxigraphStore(graph), languages=("de",))
    assert german.by_id[WDT + "P57"].text == "regie"


def test_its_own_list_of_claims_is_read_where_the_endpoint_does_not_count() -> None:
    schema = introspect(LimitedStore(with_many_more(graph_of(FILMS))))
    assert {r.id for r in schema.relations} == {WDT + "P57", WDT + "P161", WDT + "P577"}


def test_nodes_are_items_and_values_not_statements_and_pages() -> None:
    store = OxigraphStore(graph_of(FILMS))
    found = {n.text for page in names(store, introspect(store)) for n in page}
    people = {"Ann Maker", "Bo Player", "Cy Actor", "Captain", "Cook"}
    assert found == {"The Long Walk", "The Short Walk", "1999-01-01T00:00:00Z", *people}


class ByRelation(OxigraphStore):
    """An endpoint that is too slow to give all nodes at once."""

    profile = Profile()

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        if query.name == "nodes":
            raise QueryTimeout("it took too long")
        return super().run(query, timeout=timeout)


def test_an_endpoint_that_is_asked_by_relation_gives_qualifiers_too() -> None:
    graph = graph_of(FILMS)
    whole, slow = OxigraphStore(graph), ByRelation(graph)
    found, wanted = (
        {n.text for page in names(store, introspect(whole)) for n in page}
        for store in (slow, whole)
    )
    assert found == wanted
    assert {"Captain", "Cook"} <= found


@pytest.mark.parametrize("direction", ["any", "as written"])
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ('(?f:film)-[director]-("Ann Maker")', {("Q1", "Q10"), ("Q2", "Q10")}),
        (
            '(?f)-[cast member: "Captain"]-("Bo Player")',
            {("Q1", "Q11", "Q21")},
        ),
        (
            '("The Long Walk")-[cast member: ?role]-(?who)',
            {("Q1", "Q11", "Q21"), ("Q1", "Q12", "Q22")},
        ),
        ('("The Short Walk")-[: ?role]-("Bo Player")', {("Q2", "Q11", "Q22", "P161")}),
        ('("The Short Walk")-[]-("Bo Player")', {("Q2", "Q11", "P161")}),
    ],
)
def test_patterns_over_claims_and_qualifiers(
    tmp_path: Path, pattern: str, expected: set[tuple[str, ...]], direction: str
) -> None:
    store = OxigraphStore(graph_of(FILMS))
    rows = found(store, introspect(store), tmp_path, pattern, direction=direction)
    ids = [tuple(id.rpartition("/")[2] for id in row) for row in rows]
    assert {frozenset(row) for row in ids} == {frozenset(row) for row in expected}
    assert len(ids) == len(expected)


def test_the_shape_is_told_or_found_and_of_any_wikibase() -> None:
    of = Wikibase.of
    assert of([WDT + "P57"], WDT + "P31") == Wikibase("http://www.wikidata.org")
    assert of([WDT + "P57", "http://e/p"], "http://e/type") is None  # some borrowed predicates
    ours = ["https://w.example/prop/direct/P5", "http://wikiba.se/ontology#directClaim"]
    assert of(ours, "http://e/type") == Wikibase("https://w.example")
    assert entity_of(WDT + "P57") == WD + "P57"
    assert entity_of("http://www.wikidata.org/prop/P57") is None
    assert entity_of(WDT + "P57x") is None
