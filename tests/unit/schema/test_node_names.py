"""Names of nodes: by page, in the languages asked for, resumable, and looked up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import examples

from isomatch.schema.introspect import introspect
from isomatch.schema.names import (
    PART_NODES,
    Label,
    Name,
    labels,
    names,
    node_names,
    preferred,
)
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Row
from isomatch.store.load import load
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import RDFS_LABEL, XSD

N = ox.NamedNode
E = "http://e/"
PREFIXES = (
    f"@prefix : <{E}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
    "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . "
)


def of_turtle(turtle: str) -> OxigraphStore:
    graph = ox.Store()
    graph.load((PREFIXES + turtle).encode(), ox.RdfFormat.TURTLE)
    return OxigraphStore.memory(graph)


def all_names(store: OxigraphStore, **options: object) -> set[tuple[str, str, str]]:
    pages = names(store, introspect(store), **options)  # type: ignore[arg-type]
    found = [(n.id, n.text, n.kind) for page in pages for n in page]
    assert len(found) == len(set(found))
    return set(found)


@pytest.mark.parametrize("begin", ["", "GRAPH :g "])
def test_names_that_are_looked_up_are_those_of_a_query(begin: str) -> None:
    graph = ox.Store()
    facts = (
        ':a rdfs:label "A", "Ah"@EN-gb, 5, :b, "  " . '
        ':b skos:altLabel "Bé"@fr ; rdfs:label "B\\n" . _:x rdfs:label "nobody" . :c :p "C" .'
    )
    graph.load((PREFIXES + begin + "{" + facts + "}").encode(), ox.RdfFormat.TRIG)
    store = OxigraphStore.memory(graph)
    ids = [f"{E}{n}" for n in "abcd"] + [f"_:{next(iter(_blank(graph))).value}"]
    relations = [RDFS_LABEL, "http://www.w3.org/2004/02/skos/core#altLabel"]
    found = labels(store, relations, ids)
    asked = labels(store, relations, ids, run=store.run)
    assert {i: sorted(map(repr, x)) for i, x in found.items()} == {
        i: sorted(map(repr, x)) for i, x in asked.items()
    }
    assert len(found) == 3
    assert labels(store, relations, ['"a text"']) == {}


def _blank(graph: ox.Store) -> Iterator[ox.BlankNode]:
    return (q.subject for q in graph if isinstance(q.subject, ox.BlankNode))


def test_every_node_of_a_fact_has_its_names_and_every_literal_its_value() -> None:
    store = of_turtle(
        ':a :p :New_York, "x", 5, "1999"^^xsd:gYear, true, "P1D"^^xsd:duration . '
        ':a a :Film; rdfs:label "A", "The A" . :only_a_class rdfs:label "no fact" . '
        ':p rdfs:label "not a node" .'
    )
    assert all_names(store) == {
        (E + "a", "A", "node"),
        (E + "a", "The A", "node"),
        (E + "New_York", "New York", "node"),
        ('"x"', "x", "text"),
        (f'"5"^^<{XSD}integer>', "5", "number"),
        (f'"1999"^^<{XSD}gYear>', "1999", "date"),
        (f'"true"^^<{XSD}boolean>', "true", "boolean"),
        (f'"P1D"^^<{XSD}duration>', "P1D", "text"),
    }


def test_blank_nodes_have_names_only_if_the_graph_gives_them() -> None:
    store = of_turtle(':a :p [ rdfs:label "named" ], [ :q :b ] .')
    assert {text for _, text, _ in all_names(store)} == {"a", "b", "named"}


def test_languages_are_preferred_in_order_and_any_is_better_than_none() -> None:
    store = of_turtle(
        ':a :p :b; rdfs:label "Rome"@en, "Rom"@de, "Roma" . :b rdfs:label "Mailand"@de .'
    )
    assert {text for _, text, _ in all_names(store)} == {"Rome", "Roma", "Mailand"}
    assert {t for _, t, _ in all_names(store, languages=("de",))} == {"Rom", "Roma", "Mailand"}
    schema = introspect(store)
    assert node_names(store, schema, [E + "a"], ("de", "en")) == {E + "a": "Rom"}
    assert node_names(store, schema, [E + "a"], ("fr",)) == {E + "a": "Roma"}


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        (("en",), ["colour", "couleur ou"]),
        (("de", "en"), ["Farbe", "colour", "couleur ou"]),
        (("fr",), ["couleur ou"]),
        ((), ["couleur ou"]),
    ],
)
def test_preferred_orders_by_language_then_predicate(
    languages: tuple[str, ...], expected: list[str]
) -> None:
    labels = [Label("couleur ou", "", 1), Label("Farbe", "de", 0), Label("colour", "en-gb", 0)]
    assert list(preferred(labels, languages)) == expected
    assert not preferred([], languages)
    assert list(preferred([Label("b", "xx", 1), Label("a", "yy", 0)], languages)) == ["a", "b"]


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        (("de", "en"), ["Latein", "Latin", "la"]),
        (("en",), ["Latin", "la"]),
        (("de",), ["Latein", "la"]),
        (("el",), ["Latein", "la"]),
    ],
)
def test_a_node_is_called_by_a_label_and_not_by_an_alias(
    languages: tuple[str, ...], expected: list[str]
) -> None:
    """An alias without a language is no better than a label in one that was not asked for."""
    labels = [Label("la", "", 1, True), Label("Latin", "en", 0), Label("Latein", "de", 0)]
    found = preferred(labels, languages)
    assert list(found) == expected
    assert [text for text, alias in found.items() if alias] == ["la"]


def test_empty_names_do_not_count() -> None:
    store = of_turtle(':a :p :b; rdfs:label " " . :b rdfs:label :c .')
    assert {(id, text) for id, text, _ in all_names(store)} == {(E + "a", "a"), (E + "b", "b")}


ids = st.integers(0, 60)
graphs = st.lists(st.tuples(ids, ids, st.booleans()), min_size=1, max_size=60)


@given(graphs, st.integers(1, 30), st.booleans())
@settings(max_examples=examples(40), deadline=None)
def test_pages_have_every_node_once_with_all_of_its_names(
    edges: list[tuple[int, int, bool]], page: int, large: bool
) -> None:
    """``large`` pretends so many nodes that they are read in parts by hash."""
    graph = ox.Store()
    for a, b, value in edges:
        target = (
            ox.Literal(str(b)) if value else ox.BlankNode(f"b{b}") if b % 7 == 3 else N(f"{E}{b}")
        )
        graph.add(ox.Quad(N(f"{E}{a}"), N(E + "p"), target))
        if not value:
            graph.add(ox.Quad(target, N(RDFS_LABEL), ox.Literal(f"name {b}")))
    store = OxigraphStore.memory(graph)
    schema = introspect(store)
    whole = {n for some in names(store, schema) for n in some}
    if large:
        schema = replace(schema, nodes=PART_NODES + 1)
    pages = [some for some in names(store, schema, page=page) if some]
    assert {n for some in pages for n in some} == whole
    assert sum(map(len, pages)) == len(whole)
    assert max(len({n.id for n in some}) for some in pages) <= page
    assert len({n.id for n in whole}) == sum(len({n.id for n in some}) for some in pages)


def test_the_order_is_the_same_for_every_opening(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "x.csv"
    file.write_text("".join(f"n{i},r{i % 3},n{i * 7 % 100}\n" for i in range(500)))
    load([file], tmp_path / "graph")
    orders: list[list[Name]] = []
    for _ in range(2):
        with OxigraphStore.open(tmp_path / "graph") as store:
            orders.append([n for page in names(store, introspect(store)) for n in page])
    assert orders[0] == orders[1]
    assert len(orders[0]) == 500


def test_names_of_some_nodes_with_a_fallback_for_each() -> None:
    store = of_turtle(
        ':a :p "x\\"y"@en, _:b; rdfs:label "Good"; skos:altLabel "A" . _:b rdfs:label "Blank" .'
    )
    schema = introspect(store)
    pages = [n for page in names(store, schema) for n in page]
    (blank,) = {n.id for n in pages if n.id.startswith("_:")}
    asked = [E + "a", blank, '"x\\"y"@en', E + "Some_One", E + "a"]
    assert node_names(store, schema, asked) == {
        E + "a": "Good",
        blank: "Blank",
        '"x\\"y"@en': 'x"y',
        E + "Some_One": "Some One",
    }
    assert node_names(store, replace(schema, name_relations=()), [E + "a"]) == {E + "a": "a"}
    assert node_names(store, schema, []) == {}


def test_tags_of_languages_are_the_same_in_any_case() -> None:
    node, label = ox.NamedNode("http://e.test/lift"), ox.NamedNode(RDFS_LABEL)

    class Kept(OxigraphStore):
        """Keeps the case of tags, as Fuseki does."""

        def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
            for row in super().run(query, timeout=timeout):
                yield tuple(c and c.replace("@en-gb", "@en-GB").replace("@de", "@DE") for c in row)

    store = Kept.memory()
    for text, tag in (("Elevator", "en-us"), ("Lift", "en-gb"), ("Aufzug", "de")):
        store.extend([ox.Quad(node, label, ox.Literal(text, language=tag))])
    schema = Schema("", 1, 1, (), (), name_relations=(RDFS_LABEL,))
    for asked, name in (("en-GB", "Lift"), ("EN-us", "Elevator"), ("de", "Aufzug")):
        assert node_names(store, schema, [node.value], (asked,)) == {node.value: name}
