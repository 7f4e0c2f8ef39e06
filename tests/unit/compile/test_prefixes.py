"""Prefixed names in place of IRIs change nothing but the look."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.compile.test_golden_sparql import DIALECT, MATCHES

from isomatch.compile.prefixes import PREFIXES, shortened
from isomatch.store.terms import literal, to_sparql

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


def test_a_query_for_people():
    build, nodes = MATCHES["typed_unknown"]
    assert DIALECT.pasteable(build(), nodes, 1000) == (
        "PREFIX example: <http://example.org/>\n"
        "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n"
        "\n"
        "SELECT ?n0 ?n1 WHERE {\n"
        "  VALUES ?n1 { <http://example.org/node/mann> }\n"
        "  ?n0 (example:directed_by|^example:directed_by) ?n1 .\n"
        "  ?n0 rdf:type example:Film .\n"
        "  FILTER(!sameTerm(?n0, ?n1))\n"
        "} LIMIT 1000"
    )


def test_a_blank_node_stays_a_variable():
    build, _ = MATCHES["one_hop"]
    first, *rest = DIALECT.pasteable(build(), {1: "_:b0"}, 10).splitlines()
    assert rest[1] == "# ?n1 stands for _:b0, which a query cannot name"
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
