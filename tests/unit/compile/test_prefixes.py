"""Prefixed names in place of IRIs change nothing but the look."""

from __future__ import annotations

from dataclasses import replace

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.compile.test_golden_sparql import DIALECT, MATCHES

from isomatch.compile.base import Part
from isomatch.compile.readable import PREFIXES, shortened
from isomatch.pattern import parse
from isomatch.pattern.columns import column_names
from isomatch.schema.types import Schema
from isomatch.store.terms import RDFS_LABEL, literal, to_sparql

SKOS = "http://www.w3.org/2004/02/skos/core#"

# Characters that IRIs may have, those that prefixed names have trouble with among them.
CHARACTERS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters='<>"{}|^`\\ ')
locals_ = st.text(st.one_of(st.sampled_from("aZ09_-.:%~'()*+,;=?@!$&/#ééß·你"), CHARACTERS))
namespaces = st.one_of(
    st.sampled_from(sorted(PREFIXES.values())),
    st.sampled_from(
        ["http://example.org/", "http://example.org/films/", "urn:x:", "http://a.b/films#"]
    ),
)


def is_iri(text: str) -> bool:
    try:
        ox.Store().query(f"ASK {{ <{text}> ?p ?o }}")
    except SyntaxError:
        return False
    return True


iris = st.tuples(namespaces, locals_).map("".join).filter(is_iri)
texts = st.one_of(st.text(), st.sampled_from(["<http://schema.org/name>", "# <urn:a:b>", '"']))


@given(st.lists(st.tuples(iris, iris, st.one_of(iris, texts.map(literal))), min_size=1, max_size=4))
def test_the_shortened_query_has_the_same_rows(triples: list[tuple[str, str, str]]):
    store = ox.Store()
    lines = [" ".join(map(to_sparql, triple)) + " .\n" for triple in triples]
    store.update("INSERT DATA {\n" + "".join(lines) + "}")
    values = "".join(f"({' '.join(map(to_sparql, triple))})\n" for triple in triples)
    query = f"SELECT * WHERE {{\nVALUES (?s ?p ?o) {{\n{values}}}\n?s ?p ?o . # <urn:a:b>\n}}"
    assert rows(store, shortened(query)) == rows(store, query)
    assert len(rows(store, query)) == len(set(triples))


def rows(store: ox.Store, query: str) -> set[str]:
    return {str(solution) for solution in store.query(query)}


NAMES = column_names(parse('(?film:film)-[directed by]-("Michael Mann")'))
NAMED = Schema(
    "f", 1, 2, (), (), name_relations=(RDFS_LABEL, SKOS + "prefLabel", SKOS + "altLabel")
)


def named(part: Part) -> Part:
    """A part over a graph whose nodes have labels."""
    return replace(part, terms=replace(part.terms, schema=NAMED))


def test_a_query_for_people_has_the_names_of_the_pattern():
    build, nodes = MATCHES["typed_unknown"]
    assert DIALECT.pasteable(build(), nodes, 1000, NAMES) == (
        "PREFIX example: <http://example.org/>\n"
        "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n"
        "\n"
        "SELECT ?film ?michael_mann WHERE {\n"
        "  VALUES ?michael_mann { <http://example.org/node/mann> }\n"
        "  ?film (example:directed_by|^example:directed_by) ?michael_mann .\n"
        "  ?film rdf:type example:Film .\n"
        "  FILTER(!sameTerm(?film, ?michael_mann))\n"
        "} LIMIT 1000"
    )


def test_a_query_for_people_has_the_labels_of_unknown_nodes():
    build, nodes = MATCHES["typed_unknown"]
    text = DIALECT.pasteable(named(build()), nodes, 1000, NAMES, ["en", "de"])
    assert "SELECT ?film ?michael_mann (SAMPLE(?filmName) AS ?filmLabel) WHERE {" in text
    assert (
        '  OPTIONAL { ?film rdfs:label|skos:prefLabel ?filmName . FILTER(LANG(?filmName) = ""'
        ' || LANGMATCHES(LANG(?filmName), "en") || LANGMATCHES(LANG(?filmName), "de")) }'
    ) in text
    assert text.endswith("} GROUP BY ?film ?michael_mann LIMIT 1000")


def test_a_name_that_the_query_has_for_something_else_is_changed():
    build, nodes = MATCHES["typed_unknown"]
    names = column_names(parse('(?n1:film)-[directed by]-(filmName "Michael Mann")'))
    text = DIALECT.pasteable(named(build()), nodes, 10, {**names, "n0": "film"})
    assert "VALUES ?filmName {" in text
    assert "(SAMPLE(?filmName_) AS ?n1Label)" in text
    swapped = DIALECT.pasteable(build(), nodes, 10, {"n0": "n1", "n1": "n0"})
    assert "VALUES ?n0 {" in swapped
    assert swapped.count("?n1 rdf:type") == 1


def test_a_blank_node_stays_a_variable():
    build, _ = MATCHES["one_hop"]
    first, *rest = DIALECT.pasteable(build(), {1: "_:b0"}, 10, NAMES).splitlines()
    assert rest[1] == "# ?michael_mann stands for _:b0, which a query cannot name"
    assert first == "PREFIX example: <http://example.org/>"
    assert "VALUES" not in "".join(rest)


def test_two_namespaces_of_one_word_get_two_prefixes():
    query = "ASK { <http://a.b/films#x> <http://a.b/films#y> ?o . ?o <urn:films:x> <urn:films:y> }"
    assert shortened(query).splitlines()[:2] == [
        "PREFIX films2: <urn:films:>",
        "PREFIX films: <http://a.b/films#>",
    ]


@pytest.mark.parametrize(
    "iri",
    [
        "http://dbpedia.org/resource/Tron:_Legacy",
        "http://dbpedia.org/resource/%22Weird_Al%22_Yankovic",
        "http://dbpedia.org/resource/Heat_(1995_film)",
        "http://dbpedia.org/resource/Food,_Inc.",
        "http://dbpedia.org/resource/",
        "http://dbpedia.org/resource/-x",
        "http://dbpedia.org/resource/0.0.0",
    ],
)
def test_what_engines_read_differently_stays_an_iri(iri: str):
    assert shortened(f"ASK {{ <{iri}> ?p ?o }}") == f"ASK {{ <{iri}> ?p ?o }}"
