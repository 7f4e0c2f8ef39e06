"""Worked examples from a graph: true in the graph, and good replies."""

from __future__ import annotations

import json

import pyoxigraph as ox
import pytest
from tests.unit.endpoint import Endpoint

from isomatch.interpret.llm.examples import examples_from_graph
from isomatch.interpret.llm.interpreter import LLMInterpreter
from isomatch.interpret.llm.reply import pattern_of
from isomatch.schema.introspect import introspect
from isomatch.schema.types import Schema
from isomatch.store.oxigraph import OxigraphStore

PREFIXES = """
@prefix : <http://e.test/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
WORLD = """
:fr a :Country ; rdfs:label "France"@en, "Frankreich"@de ; :capital :paris ; :currency :eur .
:de a :Country ; rdfs:label "Germany"@en ; :capital :berlin ; :currency :eur .
:paris a :City ; rdfs:label "Paris" ; :population 2100000 .
:berlin a :City ; rdfs:label "Berlin" ; :population 3600000 .
:eur a :Currency ; rdfs:label "Euro" .
:heat a :Film ; rdfs:label "Heat" ; :directedBy :mann ; :hasGenre :crime .
:mann a :Person ; rdfs:label "Michael Mann" .
:crime a :Genre ; rdfs:label "Crime" .
"""


class Counting(OxigraphStore):
    """Notes every query that is run."""

    asked = 0

    def run(self, query, *, timeout=None):
        self.asked += 1
        return super().run(query, timeout=timeout)


def opened(turtle: str) -> tuple[Counting, Schema]:
    graph = ox.Store()
    graph.load((PREFIXES + turtle).encode(), format=ox.RdfFormat.TURTLE)
    store = Counting.memory(graph)
    return store, introspect(store)


def test_the_nine_shapes_are_sampled_and_phrased():
    examples = examples_from_graph(*opened(WORLD))
    asked = [e.question for e in examples]
    assert len(asked) == 9
    assert asked[0].startswith("Which ")
    assert asked[1].startswith("What is the ")
    assert " that " in asked[2]
    assert " and " in asked[3]
    assert asked[4] in ("What is the population of Paris?", "What is the population of Berlin?")
    assert examples[4].asks == ("UNKNOWN number 1",)
    assert asked[5] == "Which city has a population of more than 2100000?"
    assert examples[5].where == (("UNKNOWN number 1", ">", "2100000"),)
    assert asked[6] == "Which city has the greatest population?"
    assert examples[6].order == {"by": "UNKNOWN number 1", "descending": True, "limit": 1}
    assert ", but " in asked[7]
    assert " not " in asked[7]
    assert examples[7].parts[0]["operator"] == "not in"
    assert " or " in asked[8]
    assert [part.get("alternative", False) for part in examples[8].parts] == [False, True]
    assert not any("Frankreich" in question for question in asked)


def test_every_example_is_a_good_reply_and_true():
    store, schema = opened(WORLD)
    names = {q[0].value: q[2].value for q in store.graph if "label" in q[1].value}
    words = {r.text: r.id for r in schema.relations}
    facts = {
        (names.get(q[0].value), q[1].value, names.get(getattr(q[2], "value", ""), q[2].value))
        for q in store.graph
    }
    for example in examples_from_graph(store, schema):
        pattern = pattern_of(json.dumps(example.reply))
        assert len(pattern.returns) == 1
        assert [part.alternative for part in pattern.parts][1:] == [True] * (len(pattern.parts) - 1)
        triples = [*example.triples, *(t for part in example.parts for t in part["triples"])]
        assert len(example.segments) == len(triples)
        for head, relation, tail in triples:
            assert any(
                r == words[relation]
                and (h == head or head.startswith("UNKNOWN"))
                and (t == tail or tail.startswith("UNKNOWN"))
                for h, r, t in facts
            )


def test_dates_are_after_and_latest():
    films = "".join(
        f':f{i} a :Film ; rdfs:label "Film" ; :released "199{i}-05-01T00:00:00Z"^^xsd:dateTime .'
        for i in range(3)
    )
    prefix = "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> ."
    asked = [e.question for e in examples_from_graph(*opened(prefix + films))]
    assert "Which film has a released after 1991-05-01?" in asked
    assert "Which film has the latest released?" in asked


def test_values_that_are_all_equal_are_not_compared():
    films = "".join(f':f{i} a :Film ; rdfs:label "Film {i}" ; :length 90 .' for i in range(3))
    assert not any(e.where for e in examples_from_graph(*opened(films)))


def test_they_are_kept_by_fingerprint():
    store, schema = opened(WORLD)
    first = examples_from_graph(store, schema)
    asked = store.asked
    assert examples_from_graph(store, schema) is first
    assert store.asked == asked


@pytest.mark.parametrize(
    "turtle",
    [
        ":a :r :b .",
        ':a rdfs:label "x" .',
        ':a :r "text" .',
        "_:a :r _:b .",
        ":a :r :a .",
        ':a :r :b . :b rdfs:label "line\\nbreak" .',
    ],
)
def test_graphs_without_the_shapes_give_fewer(turtle):
    assert len(examples_from_graph(*opened(turtle))) <= 1


def test_an_untyped_graph_asks_for_things():
    examples = examples_from_graph(*opened(":Heat :directed_by :Michael_Mann ."))
    assert examples[0].question == "Which thing is directed by Michael Mann?"
    assert examples[0].triples == (("UNKNOWN 1", "directed by", "Michael Mann"),)
    assert examples[1].question == "What is Heat directed by?"


def test_a_wide_schema_is_not_walked_through():
    facts = "".join(f':a{i} :r{i} "v{i}" . :b{i} :s{i} :c{i} .\n' for i in range(300))
    store, schema = opened(facts)
    store.asked = 0
    examples_from_graph(store, schema)
    assert store.asked <= 60


def test_the_interpreter_for_a_graph_speaks_its_words():
    store, schema = opened(WORLD)
    endpoint = Endpoint(json.dumps({"triples": [["a", "b", "c"]], "asks": []}))
    LLMInterpreter.for_graph(endpoint.model(), store, schema).interpret("Who?")
    system = endpoint.said[0][0]
    assert "directed by" in system
    assert "Question: What is the population of" in system
    LLMInterpreter.for_graph(endpoint.model(), store, schema, examples=[]).interpret("Who?")
    assert "Question:" not in endpoint.said[1][0]
