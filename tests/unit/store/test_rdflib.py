"""rdflib graphs as a store: what the shared contract does not say."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import rdflib
from rdflib.plugins.stores.memory import Memory

from isomatch.errors import QueryTimeout, StoreError
from isomatch.schema.introspect import introspect
from isomatch.store.base import Fact, Query
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore
from isomatch.store.terms import XSD

R, S = "urn:x:r", "urn:x:s"
ALL = Query("SELECT ?s ?p ?o WHERE { ?s ?p ?o }", ("s", "p", "o"), name="all")


def graph_of(data: str) -> rdflib.Graph:
    return rdflib.Graph().parse(data=data, format="turtle")


def chain(length: int, branches: int = 1) -> rdflib.Graph:
    """A path of nodes, with dead ends beside each."""
    graph = rdflib.Graph()
    for i in range(length):
        for j in range(branches):
            graph.add((_n(i), rdflib.URIRef(R), _n(i + 1) if j == 0 else _n(f"{i}-{j}")))
    return graph


def _n(name: object) -> rdflib.URIRef:
    return rdflib.URIRef(f"urn:n:{name}")


@pytest.mark.parametrize(
    "term",
    [
        "urn:x:a%20b",
        '"1995"^^<http://www.w3.org/2001/XMLSchema#gYear>',
        '"Paris"@fr',
        '"a \\"quoted\\" \\\\ line\\nand tab\\t"',
        '"1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>',
        '"no number"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '""',
    ],
)
def test_terms_come_back_as_they_are_in_the_graph(term: str) -> None:
    written = term if term.startswith('"') else f"<{term}>"
    store = RdflibStore(graph_of(f"<urn:x:a> <{R}> {written} ."))
    assert list(store.run(ALL)) == [("urn:x:a", R, term)]
    # And go in as parameters, as the same term.
    assert list(store.run(Query(ALL.text, ("s",), {"o": term}))) == [("urn:x:a",)]
    assert store.facts([("urn:x:a", R, term)]) == [(Fact(True),)]
    assert store.incidence([term], [R]) == {(term, f"-{R}")}


def test_ids_are_those_of_oxigraph() -> None:
    data = (
        f'<urn:a> <{R}> "x" . <urn:a> <{R}> "x"@en . <urn:a> <{S}> "1995"^^<{XSD}gYear> .'
        f'<urn:a> <{S}> "true"^^<{XSD}boolean> . <urn:b> <{S}> "{XSD}" . <urn:b> <{R}> <urn:c> .'
    )
    ours = RdflibStore(graph_of(data))
    assert sorted(ours.run(ALL)) == sorted(ours.bulk().run(ALL))


def test_a_plain_literal_and_an_xsd_string_are_one_term() -> None:
    graph = graph_of(f'<urn:a> <{R}> "Heat"^^<{XSD}string> . <urn:b> <{R}> "Heat" .')
    assert len(set(graph.objects())) == 2  # to rdflib
    store = RdflibStore(graph)
    assert {row[2] for row in store.run(ALL)} == {'"Heat"'}
    joined = Query("SELECT ?a ?b WHERE { ?a ?r ?x . ?b ?r ?x FILTER(?a != ?b) }", ("a", "b"))
    assert set(store.run(joined)) == {("urn:a", "urn:b"), ("urn:b", "urn:a")}
    assert store.facts([("urn:a", R, '"Heat"')]) == [(Fact(True),)]


def test_blank_nodes_are_parameters_and_answers() -> None:
    graph = rdflib.Graph()
    node = rdflib.BNode()
    graph.add((_n("a"), rdflib.URIRef(R), node))
    store = RdflibStore(graph)
    ((_, _, id),) = store.run(ALL)
    assert id == f"_:{node}"
    assert list(store.run(Query(ALL.text, ("s",), {"o": id}))) == [("urn:n:a",)]
    assert store.facts([(id, R, "urn:n:a")]) == [(Fact(False),)]


@pytest.mark.filterwarnings("ignore:.*does not look like a valid URI")
def test_facts_with_terms_that_have_no_id_are_passed_over() -> None:
    graph = graph_of(f"<urn:a> <{R}> <urn:b> .")
    graph.add((rdflib.URIRef("relative"), rdflib.URIRef(R), _n("b")))
    graph.add((rdflib.URIRef("urn:a b"), rdflib.URIRef(R), _n("b")))
    formula = rdflib.graph.QuotedGraph(Memory(), rdflib.BNode())
    graph.add((formula, rdflib.URIRef(R), _n("b")))
    store = RdflibStore(graph)
    assert list(store.run(ALL)) == [("urn:a", R, "urn:b")]
    assert list(store.bulk().run(ALL)) == [("urn:a", R, "urn:b")]
    assert introspect(store).triples == 1


def test_a_dataset_is_the_union_of_its_graphs_each_triple_once() -> None:
    dataset = rdflib.Dataset()
    for name in ("urn:g:1", "urn:g:2"):
        dataset.graph(rdflib.URIRef(name)).add((_n("a"), rdflib.URIRef(R), _n("b")))
    dataset.add((_n("b"), rdflib.URIRef(R), _n("c")))
    store = RdflibStore(dataset)
    assert sorted(store.run(ALL)) == [
        ("urn:n:a", R, "urn:n:b"),
        ("urn:n:b", R, "urn:n:c"),
    ]
    assert store.facts([("urn:n:a", R, "urn:n:b")]) == [(Fact(True),)]
    one = RdflibStore(dataset.graph(rdflib.URIRef("urn:g:1")))  # a graph of it alone
    assert list(one.run(ALL)) == [("urn:n:a", R, "urn:n:b")]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x ?y WHERE { VALUES ?x { 1 2 } VALUES ?y { 3 } }",
        "SELECT ?x WHERE { { SELECT ?x WHERE { ?x ?p ?y } LIMIT 2 } ?x ?q ?z }",
        "SELECT ?x ?n WHERE { { SELECT ?x (COUNT(?y) AS ?n) WHERE { ?x ?p ?y } GROUP BY ?x } "
        "VALUES ?x { <urn:n:1> <urn:n:2> } }",
        "SELECT ?x WHERE { ?x ?p ?y OPTIONAL { ?y ?q ?z } FILTER(!BOUND(?z)) }",
        "SELECT ?x WHERE { { ?x ?p ?y } UNION { ?y ?p ?x } FILTER EXISTS { ?x ?p ?z } }",
        "SELECT ?x ?b WHERE { ?x ?p ?y BIND(STR(?y) AS ?b) { ?y ?p ?z } "
        "MINUS { ?y ?p <urn:n:2> } }",
        "ASK { ?x ?p ?y . ?y ?p ?x }",
    ],
)
def test_rows_are_those_of_rdflibs_own_engine(text: str) -> None:
    graph = chain(4, branches=2)
    expected = graph.query(text)
    columns = tuple(map(str, expected.vars or ()))
    rows = list(RdflibStore(graph).run(Query(text, columns)))
    if expected.type == "ASK":
        assert rows == [("true" if expected.askAnswer else "false",)]
    else:
        assert len(rows) == len(expected)
        if "LIMIT" not in text:
            found = {tuple(_text(id) for id in row) for row in rows}
            assert found == {tuple(map(_text, row)) for row in expected}


def _text(term: Any) -> str | None:
    return None if term is None else str(term).split("^^")[0].strip('"')


def test_a_query_that_takes_too_long_ends_in_time() -> None:
    store = RdflibStore(chain(200))
    cross = Query("SELECT ?a WHERE { ?a ?p ?b . ?c ?p ?d . ?e ?p ?f FILTER(?b = ?f) }", ("a",))
    with pytest.raises(QueryTimeout):
        list(store.run(cross, timeout=0.05))
    counting = Query(
        "SELECT (COUNT(*) AS ?n) WHERE { ?a ?p ?b . ?c ?p ?d . ?e ?p ?f }", ("n",), heavy=True
    )
    with pytest.raises(QueryTimeout):
        list(store.run(counting, timeout=0.05))
    assert len(list(store.run(ALL, timeout=60.0))) == 200  # nothing is left behind


@pytest.mark.parametrize("text", ["SELEKT ?s", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"])
def test_what_the_engine_refuses_is_our_error(text: str) -> None:
    store = RdflibStore(chain(2))
    with pytest.raises(StoreError):
        list(store.run(Query(text, ("s",), name="bad")))
    with pytest.raises(StoreError, match=r"\?missing"):
        list(store.run(Query(ALL.text, ("missing",))))


def test_the_fingerprint_follows_the_content() -> None:
    graph = chain(5)
    store, other = RdflibStore(graph), RdflibStore(chain(5))
    before = store.fingerprint()
    assert before == other.fingerprint() == store.fingerprint()
    graph.remove((_n(0), None, None))
    graph.add((_n(0), rdflib.URIRef(R), rdflib.Literal("1")))
    assert store.fingerprint() not in (before, RdflibStore(chain(4)).fingerprint())
    assert other.fingerprint() == before
    graph.set((_n(0), rdflib.URIRef(R), _n(1)))
    assert store.fingerprint() == before


def test_the_copy_is_made_once_and_again_after_each_change() -> None:
    graph = chain(5)
    store = RdflibStore(graph)
    copy = store.bulk()
    assert isinstance(copy, OxigraphStore)
    assert len(list(store.run(ALL))) == 5
    assert store.bulk() is copy
    graph.add((_n("new"), rdflib.URIRef(R), _n(1)))
    assert len(list(store.run(ALL))) == len(list(store.bulk().run(ALL))) == 6
    graph.remove((_n("new"), None, None))
    graph.add((_n("other"), rdflib.URIRef(R), _n(1)))  # of the same size
    assert ("urn:n:other", R, "urn:n:1") in set(store.run(ALL))
    assert ("urn:n:new", R, "urn:n:1") not in set(store.run(ALL))


@pytest.mark.parametrize("engine", ["Memory", "SimpleMemory"])
def test_a_change_is_seen_whether_the_store_reports_it_or_not(engine: str) -> None:
    graph = rdflib.Graph(store=engine)
    graph.add((_n("old"), rdflib.URIRef(R), _n(1)))
    store = RdflibStore(graph)
    before = store.fingerprint()
    assert set(store.run(ALL)) == {("urn:n:old", R, "urn:n:1")}
    graph.remove((_n("old"), None, None))
    graph.add((_n("new"), rdflib.URIRef(R), _n(1)))
    assert set(store.run(ALL)) == {("urn:n:new", R, "urn:n:1")}
    assert store.facts([("urn:n:old", R, "urn:n:1")]) == [()]
    assert store.fingerprint() != before


def test_two_forms_of_one_value_are_one_node() -> None:
    number = f"^^<{XSD}decimal>"
    store = RdflibStore(graph_of(f'<urn:a> <{R}> "1.50"{number} . <urn:b> <{R}> "1.5"{number} .'))
    assert {row[2] for row in store.run(ALL)} == {f'"1.5"{number}'}
    assert store.facts([("urn:a", R, f'"1.5"{number}')]) == [(Fact(True),)]


def test_closing_leaves_the_graph_and_its_store_as_they_were() -> None:
    graph = chain(2)
    with RdflibStore(graph) as store:
        store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        list(store.run(ALL))
    assert not any((graph.store.dispatcher.get_map() or {}).values())
    graph.add((_n("x"), rdflib.URIRef(R), _n("y")))
    assert len(graph) == 3


def test_threads_take_turns() -> None:
    store = RdflibStore(chain(600))
    one = Query(f"SELECT ?a ?b WHERE {{ ?a <{R}> ?b }}", ("b",), {"a": "urn:n:5"})

    def work(number: int) -> int:
        return len(list(store.run(ALL if number % 2 else one)))

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(work, range(12))) == [1, 600] * 6


class OwnEngine(Memory):
    """A store that answers SPARQL itself, as oxrdflib does: here by Oxigraph."""

    asked: list[str]

    def query(  # type: ignore[override]
        self, query: str, initNs: Any, initBindings: Mapping[str, Any], queryGraph: str, **_: Any
    ) -> Any:
        self.__dict__.setdefault("asked", []).append(query)
        plain = rdflib.Graph()
        plain += rdflib.Graph(store=self, identifier=queryGraph)
        return plain.query(query, initBindings=initBindings)


def test_a_store_with_an_engine_of_its_own_is_asked_by_text() -> None:
    graph = rdflib.Graph(store=OwnEngine())
    graph.add((_n("a"), rdflib.URIRef(R), _n("b")))
    store = RdflibStore(graph)
    assert store.bulk() is store
    for timeout in (None, 60.0):
        assert list(store.run(ALL, timeout=timeout)) == [("urn:n:a", R, "urn:n:b")]
    assert store.facts([("urn:n:b", R, "urn:n:a")]) == [(Fact(False),)]
    assert store.incidence(["urn:n:a"], [R]) == {("urn:n:a", f"+{R}")}
    assert introspect(store).triples == 1
    assert ALL.text in graph.store.asked  # type: ignore[attr-defined]
    with pytest.raises(StoreError):
        list(store.run(Query("SELEKT", ("s",))))
