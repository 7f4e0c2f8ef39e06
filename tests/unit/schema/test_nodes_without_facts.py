"""What has a type and is in no fact has its names too, and classes and predicates have none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
import rdflib
from tests.unit.link.tiny_index import DigestEmbedder
from tests.unit.schema.limited_store import PREFIXES, E, graph_of
from tests.unit.schema.test_wikibase import FILMS as CLAIMS
from tests.unit.schema.test_wikibase import ByRelation

from isomatch.link.text_search import TextSearch
from isomatch.schema.introspect import introspect
from isomatch.schema.names import PART_NODES, Name, names, names_of_some
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore

BOOKS = """
:ann a :Person ; rdfs:label "Ann" ; :wrote :alder .
:alder a :Book ; rdfs:label "Alder" .
:elder a :Book ; rdfs:label "Elder"@en, "Holunder"@de ; skos:altLabel "Old Elder"@en .
:Big_Fir a :Book .
:ivy a owl:NamedIndividual, :Book ; rdfs:label "Ivy" .
:oak a rdfs:Resource, owl:Thing ; rdfs:label "Oak" .
:loop a :loop ; rdfs:label "Loop" .
[] a :Book ; rdfs:label "Blank" .
[] a :Book .
:untyped rdfs:label "Untyped" .
:wrote a owl:ObjectProperty ; rdfs:label "wrote" . :old a rdf:Property, :Verb ; rdfs:label "old" .
:Book a owl:Class, :Kind ; rdfs:label "Book" . :Kind rdfs:label "Kind" .
:Person a :Kind ; rdfs:label "Person" . :Empty a rdfs:Class, :Kind ; rdfs:label "Empty" .
: a owl:Ontology ; rdfs:label "Ontology" .
"""
NAMED = {"Ann", "Alder", "Elder", "Old Elder", "Big Fir", "Ivy"}


def whole(store: Store, schema: Schema) -> Iterable[list[Name]]:
    return names(store, schema)


def by_hash(store: Store, schema: Schema) -> Iterable[list[Name]]:
    return names(store, replace(schema, nodes=PART_NODES + 1))


def of_some(store: Store, schema: Schema) -> Iterable[list[Name]]:
    """Of all ids that there are, as a sync would ask that all of them concerns."""
    graph = graph_of(BOOKS) if not isinstance(store, OxigraphStore) else store.graph
    ends = {str(end) for quad in graph for end in (quad.subject, quad.predicate, quad.object)}
    return names_of_some(store, schema, [end.strip("<>") for end in ends if end[0] in "<_"])


def texts(pages: Iterable[list[Name]]) -> set[str]:
    found = [(name.id, name.text) for page in pages for name in page]
    assert len(found) == len(set(found))
    return {text for _, text in found}


@pytest.mark.parametrize("read", [whole, by_hash, of_some])
def test_what_has_a_type_has_its_names(read: Callable[[Store, Schema], list[list[Name]]]) -> None:
    store = OxigraphStore(graph_of(BOOKS))
    assert texts(read(store, introspect(store))) == NAMED


def test_rdflib_and_an_endpoint_asked_by_relation_give_the_same_names() -> None:
    graph = rdflib.Graph().parse(data=PREFIXES + BOOKS, format="turtle")
    store = RdflibStore(graph)
    assert texts(names(store, introspect(store))) == NAMED
    slow = ByRelation(graph_of(BOOKS))
    assert texts(names(slow, introspect(slow))) == NAMED


def test_the_schema_counts_nodes_in_facts_alone() -> None:
    schema = introspect(OxigraphStore(graph_of(BOOKS)))
    assert (schema.triples, schema.nodes) == (1, 2)
    assert schema.sizes[E + "Book"] == 6


def test_without_types_only_what_is_in_a_fact_has_a_name() -> None:
    store = OxigraphStore(graph_of(':a :p :b . :c rdfs:label "C" .'))
    assert texts(names(store, introspect(store))) == {"a", "b"}


CLASS = "wdt:P31 wd:Q11424 ; "


@pytest.mark.parametrize(
    ("claims", "more", "named"),
    [
        (CLAIMS, 'wd:Q3 rdfs:label "The Lost Walk"@en ; wdt:P31 wd:Q11424 .', {"The Lost Walk"}),
        (CLAIMS, "wd:P57 a wikibase:Property . :s1 a wikibase:Statement .", set()),
        # One whose types are those of the format itself.
        (
            CLAIMS.replace(CLASS, ""),
            "wd:P57 a wikibase:Property . :s1 a wikibase:Statement, wikibase:BestRank .",
            set(),
        ),
    ],
)
def test_of_a_wikibase_items_are_named_and_not_what_its_format_has(
    claims: str, more: str, named: set[str]
) -> None:
    before, after = (OxigraphStore(graph_of(text)) for text in (claims, claims + more))
    found = texts(names(after, introspect(after)))
    assert found == texts(names(before, introspect(before))) | named


def test_an_index_without_such_a_name_is_told_to_lack_it() -> None:
    store = OxigraphStore(graph_of(BOOKS))
    search = TextSearch(store, introspect(store), DigestEmbedder(), "labels")

    def found(text: str) -> set[str | None]:
        query = search.equal([text])
        assert query is not None
        return {id for (id,) in store.run(query)}

    assert found("Elder") == {E + "elder"}
    assert found("Alder") == {E + "alder"}
    assert [found(text) for text in ("Book", "wrote", "Person", "Empty", "Untyped")] == [set()] * 5
