"""Introspection against plain counting in Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import examples

from isomatch.schema.introspect import introspect
from isomatch.schema.queries import SchemaQueries
from isomatch.schema.relations import end_types
from isomatch.schema.types import Relation, Schema
from isomatch.store.load import load
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, XSD

N = ox.NamedNode
E = "http://e/"
DATA = Path(__file__).resolve().parents[3] / "../shared/data"

nodes = st.sampled_from([N(E + n) for n in "abcdef"])
relations = st.sampled_from([N(E + n) for n in ("p", "q", "actedIn")])
literals = st.sampled_from(
    [
        ox.Literal("x"),
        ox.Literal("x", language="en"),
        ox.Literal(5),
        ox.Literal("1999", datatype=N(XSD + "gYear")),
        ox.Literal("true", datatype=N(XSD + "boolean")),
        ox.Literal("P1D", datatype=N(XSD + "duration")),
    ]
)
facts = st.builds(ox.Quad, nodes, relations, st.one_of(nodes, literals))
types = st.builds(
    ox.Quad, nodes, st.just(N(RDF_TYPE)), st.sampled_from([N(E + "Film"), N(E + "Person")])
)
labels = st.builds(
    ox.Quad,
    nodes,
    st.just(N(RDFS_LABEL)),
    st.builds(
        ox.Literal, st.sampled_from(["One", "Two"]), language=st.sampled_from(["en", "de", None])
    ),
)
graphs = st.lists(st.one_of(facts, types, labels), max_size=40)

KINDS = {"string": "text", "langString": "text", "integer": "number", "gYear": "date"}
KINDS |= {"boolean": "boolean", "duration": "other"}


def store_of(quads: list[ox.Quad]) -> OxigraphStore:
    graph = ox.Store()
    graph.extend(quads)
    return OxigraphStore.memory(graph)


def of_turtle(turtle: str) -> OxigraphStore:
    graph = ox.Store()
    prefixes = (
        f"@prefix : <{E}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . "
        "@prefix foaf: <http://xmlns.com/foaf/0.1/> . "
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . "
        "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . "
    )
    graph.load((prefixes + turtle).encode(), ox.RdfFormat.TURTLE)
    return OxigraphStore.memory(graph)


def kind(term: ox.Literal) -> str:
    return KINDS[term.datatype.value.rpartition("#")[2]]


def counted(quads: list[ox.Quad]) -> dict[str, Relation]:
    """What the relations should be, counted one by one."""
    of_node: dict[str, set[str]] = defaultdict(set)
    by_relation: dict[str, list[ox.Quad]] = defaultdict(list)
    for quad in set(quads):
        if quad.predicate.value == RDF_TYPE:
            of_node[quad.subject.value].add(quad.object.value)
        elif quad.predicate.value != RDFS_LABEL:
            by_relation[quad.predicate.value].append(quad)
    found = {}
    for id, some in by_relation.items():
        out = Counter(q.subject for q in some)
        into = Counter(q.object for q in some)
        texts = sum(isinstance(q.object, ox.Literal) and kind(q.object) == "text" for q in some)
        numbers = any(isinstance(q.object, ox.Literal) and q.object.value.isdigit() for q in some)
        found[id] = Relation(
            id=id,
            texts="text" if 2 * texts > len(some) and not numbers else "",
            text={E + "actedIn": "acted in"}.get(id, id[-1]),
            triples=len(some),
            subjects=len(out),
            objects=len(into),
            mean_out=len(some) / len(out),
            max_out=max(out.values()),
            mean_in=len(some) / len(into),
            max_in=max(into.values()),
            source_types=Counter(t for q in some for t in of_node[q.subject.value]),
            target_types=Counter(
                t for q in some if isinstance(q.object, N) for t in of_node[q.object.value]
            ),
            literal_kinds=Counter(kind(q.object) for q in some if isinstance(q.object, ox.Literal)),
        )
    return found


@given(graphs)
@settings(max_examples=examples(150), deadline=None)
def test_counts_are_those_of_plain_counting(quads: list[ox.Quad]) -> None:
    schema = introspect(store_of(quads))
    assert {r.id: r for r in schema.relations} == counted(quads)
    ordered = [(-r.triples, r.id) for r in schema.relations]
    assert ordered == sorted(ordered)
    in_facts = [q for q in set(quads) if q.predicate.value not in (RDF_TYPE, RDFS_LABEL)]
    ends = {q.subject for q in in_facts} | {q.object for q in in_facts}
    assert (schema.triples, schema.nodes) == (len(in_facts), len(ends))
    expected = Counter(q.object.value for q in set(quads) if q.predicate.value == RDF_TYPE)
    values = Counter(f"literal:{kind(n)}" for n in ends if isinstance(n, ox.Literal))
    del values["literal:other"]
    assert {t.id: t.nodes for t in schema.types} == expected + values
    assert schema.languages == Counter(
        q.object.language or "" for q in set(quads) if q.predicate.value == RDFS_LABEL
    )


@given(graphs)
@settings(max_examples=examples(50), deadline=None)
def test_a_sample_as_large_as_the_relation_counts_the_same(quads: list[ox.Quad]) -> None:
    store = store_of(quads)
    schema = introspect(store)
    sizes = [(r.id, r.triples) for r in schema.relations]
    for end in ("source", "target"):
        found = end_types(SchemaQueries(store), sizes, schema.type_relation, end, 1000)
        assert found is not None
        for relation in schema.relations:
            assert found.get(relation.id, {}) == getattr(relation, f"{end}_types")


def test_a_sample_is_scaled_to_the_relation() -> None:
    store = of_turtle(":a a :Film . :a :p 1, 2, 3, 4 .")
    found = end_types(SchemaQueries(store), [(E + "p", 4)], RDF_TYPE, "source", 2)
    assert found == {E + "p": {E + "Film": 4}}


def test_an_empty_graph_has_an_empty_schema() -> None:
    schema = introspect(OxigraphStore.memory())
    assert (schema.triples, schema.nodes, schema.relations, schema.types) == (0, 0, (), ())
    assert not schema.typed


def names_of(turtle: str) -> tuple[str, ...]:
    return introspect(of_turtle(turtle)).name_relations


def test_name_relations_go_by_coverage_and_aliases_come_last() -> None:
    assert names_of(':a foaf:name "A" . :b foaf:name "B" . :a rdfs:label "A" .') == (
        "http://xmlns.com/foaf/0.1/name",
        RDFS_LABEL,
    )
    assert names_of(':a rdfs:label "A"; skos:altLabel "x", "y" . :b skos:altLabel "z" .') == (
        RDFS_LABEL,
        "http://www.w3.org/2004/02/skos/core#altLabel",
    )


def test_a_well_known_name_relation_whose_values_are_no_texts_is_a_relation() -> None:
    schema = introspect(of_turtle(":a foaf:name :b . :b foaf:name :c ."))
    assert schema.name_relations == ()
    assert [r.id for r in schema.relations] == ["http://xmlns.com/foaf/0.1/name"]


def test_names_and_types_can_be_told() -> None:
    store = of_turtle(':a :called "A"; :kind :Film; a :Thing; :p :b .')
    schema = introspect(store, label_relations=[E + "called", E + "none"], type_relation=E + "kind")
    assert schema.name_relations == (E + "called",)
    assert schema.type_relation == E + "kind"
    assert {r.id for r in schema.relations} == {E + "p", RDF_TYPE}
    assert [t.id for t in schema.types] == [E + "Film"]


def test_statements_about_the_vocabulary_are_neither_relations_nor_types() -> None:
    schema = introspect(
        of_turtle(
            ":Film a owl:Class; owl:disjointWith :Work; rdfs:label 'film' . "
            ":directedBy a rdf:Property; rdfs:domain :Film; rdfs:label 'directed by' . "
            ":a a :Film, owl:NamedIndividual; :directedBy :b . "
            ":Film rdfs:subClassOf [ a owl:Restriction ] ."
        )
    )
    assert [(r.id, r.text) for r in schema.relations] == [(E + "directedBy", "directed by")]
    assert [(t.id, t.text, t.nodes) for t in schema.types] == [(E + "Film", "film", 1)]
    assert schema.relations[0].source_types == {E + "Film": 1}
    assert schema.vocabulary == (
        "http://www.w3.org/2000/01/rdf-schema#domain",
        "http://www.w3.org/2000/01/rdf-schema#subClassOf",
        "http://www.w3.org/2002/07/owl#disjointWith",
    )
    assert set(schema.excluded) == {RDF_TYPE, RDFS_LABEL, *schema.vocabulary}
    assert (schema.triples, schema.nodes) == (1, 2)


@pytest.mark.parametrize(
    ("label", "words"),
    [("directed_by", "directed by"), ("ACTED_IN", "acted in"), ("Directed by", "Directed by")],
)
def test_a_label_that_is_an_identifier_is_split_into_words(label: str, words: str) -> None:
    schema = introspect(of_turtle(f":a :r17 :b . :r17 rdfs:label '{label}' ."))
    assert schema.relations[0].text == words


def test_the_words_of_a_relation_are_in_the_language_asked_for() -> None:
    store = of_turtle(":a :r17 :b . :r17 rdfs:label 'Regie von'@de, 'directed by'@en .")
    assert introspect(store).relations[0].text == "directed by"
    assert introspect(store, languages=("de",)).relations[0].text == "Regie von"


def test_many_predicates_are_asked_about_in_few_queries() -> None:
    quads = [ox.Quad(N(E + "a"), N(f"{E}p{i}"), N(f"{E}n{i % 7}")) for i in range(5_000)]
    quads += [ox.Quad(N(f"{E}n{i}"), N(RDF_TYPE), N(E + "T")) for i in range(7)]

    class Counting(OxigraphStore):
        asked = 0

        def run(self, query, *, timeout=None):  # type: ignore[no-untyped-def]
            Counting.asked += 1
            return super().run(query, timeout=timeout)

    graph = ox.Store()
    graph.extend(quads)
    seen: list[tuple[int, int]] = []
    schema = introspect(Counting(graph), progress=lambda *p: seen.append(p))
    assert len(schema.relations) == 5_000
    assert all(r.target_types == {E + "T": 1} for r in schema.relations)
    assert Counting.asked < 40
    assert seen[-1] == (5_000, 5_000)


def test_the_long_tail_is_noted() -> None:
    quads = [ox.Quad(N(E + "a"), N(f"{E}p{i}"), N(f"{E}n")) for i in range(5_010)]
    quads.append(ox.Quad(N(E + "a"), N(RDF_TYPE), N(E + "T")))
    schema: Schema = introspect(store_of(quads))
    assert "5000 most frequent of 5010" in schema.notes[0]
    assert sum(bool(r.source_types) for r in schema.relations) == 5_000


@pytest.mark.slow
def test_the_films_of_dbpedia_are_introspected() -> None:
    file = DATA / "dbpedia-movies/triples.nt.gz"
    if not file.exists():
        pytest.skip("the shared benchmark data is not here")
    store = load([file], None).store
    assert store is not None
    schema = introspect(store)
    assert schema.triples == 81_321
    assert not schema.typed
    first = schema.relations[0]
    assert (first.id, first.text, first.triples) == (
        "http://dbpedia.org/ontology/starring",
        "starring",
        29_685,
    )
    assert "production company" in {r.text for r in schema.relations}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["38", "7", "-1", "2.5"], "number"),
        (["29/08/2017", "1/09/2017"], "date"),
        (["2/08/2017", "1/09/2017"], ""),  # the day or the month may come first
        (["29/08/2017", "8/29/2017"], ""),
        (["99/99/2017"], ""),
        (["2017-08-29", "2017-08-30 12:00"], "date"),
        (["0151", "38"], ""),  # a code
        (["38", "many"], ""),
        (["38", "29/08/2017"], ""),
        (["M9 8DA", "x"], "text"),
    ],
)
def test_what_texts_are(values: list[str], kind: str) -> None:
    quads = [ox.Quad(N(E + v.replace(" ", "")), N(E + "p"), ox.Literal(v)) for v in values]
    (relation,) = introspect(store_of(quads)).relations
    assert relation.texts == kind
    assert relation.is_ordered == (kind in ("number", "date"))


def test_a_number_that_is_called_a_code_is_none() -> None:
    quads = [ox.Quad(N(E + v), N(E + "accountNumber"), ox.Literal(v)) for v in ("1001", "12")]
    (relation,) = introspect(store_of(quads)).relations
    assert not relation.is_ordered


def test_numbers_are_no_texts() -> None:
    quads = [ox.Quad(N(E + str(n)), N(E + "p"), ox.Literal(n)) for n in range(3)]
    (relation,) = introspect(store_of(quads)).relations
    assert relation.texts == ""
    assert relation.is_ordered


@pytest.mark.parametrize(
    ("pairs", "one_way"),
    [
        ([(n, n + 1) for n in range(60)], True),
        ([*((n, n + 1) for n in range(60)), (1, 0)], False),
        ([(n, n + 1) for n in range(20)], False),  # too few to tell
    ],
)
def test_a_relation_of_which_no_fact_is_there_both_ways(
    pairs: list[tuple[int, int]], one_way: bool
) -> None:
    def node(number: int) -> ox.NamedNode:
        return N(f"{E}n{number}")

    quads = [ox.Quad(node(a), N(E + "knows"), node(b)) for a, b in pairs]
    quads += [ox.Quad(node(n), N(RDF_TYPE), N(E + "Person")) for pair in pairs for n in pair]
    (relation,) = introspect(store_of(quads)).relations
    assert relation.one_way == one_way
