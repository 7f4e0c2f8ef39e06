"""The model as interpreter: what it says becomes a pattern, or is refused."""

from __future__ import annotations

import asyncio
import json

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.endpoint import Endpoint, problem

from isomatch.errors import InterpretationError, ModelError, PatternError
from isomatch.interpret.given import GivenInterpreter
from isomatch.interpret.llm.frames import Example
from isomatch.interpret.llm.interpreter import EDGE_VALUE, EXAMPLES, LLMInterpreter
from isomatch.interpret.llm.reply import pattern_of
from isomatch.interpret.types import FlowInterpreter, Interpreter
from isomatch.pattern import parse
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.schema.types import Relation, Schema
from isomatch.store.oxigraph import OxigraphStore

QUESTION = "which films did Micheal Man direct?"
GOOD = {
    "segments": ["films directed by Micheal Man"],
    "triples": [["UNKNOWN film 1", "directed by", "Micheal Man"]],
    "asks": ["UNKNOWN film 1"],
}
SPARQL = 'x> } INSERT DATA { <e:a> <e:b> "c" } #'


def reply(triples, asks=()):
    return json.dumps({"segments": [], "triples": triples, "asks": list(asks)})


def interpreted(endpoint: Endpoint, way: str = "interpret", question: str = QUESTION):
    interpreter = LLMInterpreter(endpoint.model())
    if way == "interpret":
        return interpreter.interpret(question)
    return asyncio.run(interpreter.ainterpret(question))


@pytest.mark.parametrize("way", ["interpret", "ainterpret"])
def test_a_good_reply_becomes_a_pattern(way):
    endpoint = Endpoint(json.dumps(GOOD))
    (hypothesis,) = interpreted(endpoint, way)
    assert hypothesis.pattern == Pattern(
        (Node("film_1", type="film"), Node("micheal_man", "Micheal Man")),
        (Edge("film_1", "directed by", "micheal_man"),),
        ("film_1",),
    )
    assert (hypothesis.source, hypothesis.score, hypothesis.notes) == ("llm", 1.0, ())
    assert endpoint.said[0][-1] == f"Question: {QUESTION}"
    assert endpoint.bodies[0]["response_format"]["json_schema"]["strict"] is True


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        "Here is the pattern: {} I hope it helps {{really}}",
        '<think>{{"triples": "no"}}</think> {}',
        'A {{bracket}}, {{"other": 1}} and {}',
    ],
)
def test_what_stands_around_the_object_does_not_matter(around):
    (hypothesis,) = interpreted(Endpoint(around.format(json.dumps(GOOD))))
    assert hypothesis.pattern.answers == ("film_1",)


@pytest.mark.parametrize("way", ["interpret", "ainterpret"])
@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("Heat, of course.", "no JSON object"),
        (reply([]), "the pattern is empty"),
        (reply([["a", "b"]]), "triples.0"),
        (reply([["UNKNOWN 1", "UNKNOWN relation 1", "UNKNOWN 2"]]), "no known"),
        (reply([["UNKNOWN film 1", "by", "Mann"]], ["UNKNOWN song 1"]), "UNKNOWN song 1"),
        (reply([["UNKNOWN film 1", "by", "Mann"]], ["Mann"]), "'Mann'"),
        (reply([["UNKNOWN film 1", "", ""]]), "empty"),
        (reply([[f"n{i}", "is", f"n{i + 1}"] for i in range(33)]), "at most 32"),
        ('{"triples": ' + "[" * 5000, "no JSON object"),
        (reply([["UNKNOWN film 1", "by", "\ud800"]]), "surrogate"),
    ],
    ids=range(10),
)
def test_an_invalid_reply_is_sent_back_once_with_the_error(way, first, words):
    endpoint = Endpoint(first, json.dumps(GOOD))
    (hypothesis,) = interpreted(endpoint, way)
    assert hypothesis.pattern.answers == ("film_1",)
    assert "sent back" in hypothesis.notes[0]
    again = endpoint.said[1]
    assert again[:2] == endpoint.said[0]
    assert again[2] == first[:4000] or again[2].startswith(first[:4000])
    assert words in again[3]


@pytest.mark.parametrize("way", ["interpret", "ainterpret"])
def test_a_second_invalid_reply_is_refused_with_what_the_model_said(way):
    endpoint = Endpoint("I like trains.", "I like trains. " * 100)
    with pytest.raises(InterpretationError) as caught:
        interpreted(endpoint, way)
    message = str(caught.value)
    assert "'test-model'" in message
    assert QUESTION in message
    assert "It said: 'I like trains. I like" in message
    assert "write the pattern yourself" in message
    assert len(message) < 1000
    assert len(endpoint.bodies) == 2
    assert isinstance(caught.value.__cause__, PatternError)


@pytest.mark.parametrize(
    "said", ["SELECT ?x WHERE { ?x ?y ?z }", "```sparql\nDELETE WHERE { ?s ?p ?o }\n```", SPARQL]
)
def test_a_query_instead_of_a_pattern_is_refused(said):
    with pytest.raises(InterpretationError, match="no JSON object"):
        interpreted(Endpoint(said))


def test_a_query_inside_a_pattern_is_a_name_like_any_other():
    (hypothesis,) = interpreted(Endpoint(reply([["UNKNOWN film 1", SPARQL, SPARQL]])))
    (edge,) = hypothesis.pattern.edges
    assert edge.relation == SPARQL
    assert hypothesis.pattern.node(edge.target).text == SPARQL
    assert all(node.id.replace("_", "a").isalnum() for node in hypothesis.pattern.nodes)


@given(st.text(), st.text(), st.text(), st.text())
def test_whatever_a_reply_holds_it_is_a_pattern_of_these_texts_or_refused(a, r, b, asked):
    try:
        pattern = pattern_of(reply([[a, r, b]], [asked]))
    except PatternError:
        return
    assert {n.text for n in pattern.nodes} <= {a, b, None}
    assert {e.relation for e in pattern.edges} <= {r, None}
    assert all(node.id.replace("_", "a").isalnum() for node in pattern.nodes)


@given(st.text())
def test_any_text_is_a_pattern_or_refused(text):
    with pytest.raises(PatternError):
        pattern_of(text)


def test_a_question_of_yes_or_no_asks_for_nothing():
    (hypothesis,) = interpreted(Endpoint(reply([["Heat", "directed by", "Mann"]])))
    assert hypothesis.pattern.answers == ()


def test_the_endpoint_failing_is_a_model_error():
    with pytest.raises(ModelError, match="503"):
        interpreted(Endpoint(problem(503, "loading")))


def test_an_empty_question_asks_nobody():
    endpoint = Endpoint("x")
    with pytest.raises(InterpretationError, match="empty"):
        interpreted(endpoint, question=" \n")
    assert endpoint.bodies == []


def test_the_prompt_holds_examples_and_words_on_lines_of_their_own():
    example = Example('What is "Heat"\n?', ("a",), (("Heat", "is", "UNKNOWN 1"),), ("UNKNOWN 1",))
    relations = ["directed by", "a\nbad one", "x" * 100, *(f"r{i}" for i in range(100))]
    endpoint = Endpoint(json.dumps(GOOD))
    interpreter = LLMInterpreter(
        endpoint.model(), [example], relations=relations, types=["film", "film"]
    )
    interpreter.interpret("who\ndirected Heat?")
    system, user = endpoint.said[0]
    assert "directed by; r0; r1;" in system
    assert "r38" in system
    assert "r39" not in system
    assert "bad one" not in system
    assert "Kinds of things in it, among others: film." in system
    assert '"triples": [["Heat", "is", "UNKNOWN 1"]]' in system
    assert user == "Question: who directed Heat?"


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_for_any_graph_are_good_replies(example):
    pattern = pattern_of(reply(example.triples, example.asks))
    assert len(pattern.returns) == len(example.asks)


def test_a_pattern_by_hand_is_read_as_given():
    interpreter = GivenInterpreter()
    text = '(?f:film)-[directed by]-("Michael Mann")'
    (hypothesis,) = interpreter.interpret(text)
    assert hypothesis.pattern == parse(text)
    assert hypothesis.source == "given"
    with pytest.raises(PatternError):
        interpreter.interpret("(?f)-[]-(?g)")


def test_both_are_interpreters():
    model = LLMInterpreter(Endpoint("x").model())
    assert isinstance(model, FlowInterpreter)
    assert isinstance(GivenInterpreter(), Interpreter)
    assert not isinstance(GivenInterpreter(), FlowInterpreter)


AS_WHOM = [["Tom Hanks", "acted in", "UNKNOWN film 1", "Forrest Gump"]]


def test_a_fourth_text_is_a_value_where_edges_carry_values():
    endpoint = Endpoint(reply(AS_WHOM, ["UNKNOWN film 1"]))
    interpreter = LLMInterpreter(endpoint.model(), edge_values=["acted in (roles)"])
    (hypothesis,) = interpreter.interpret("in what did Tom Hanks play Forrest Gump?")
    assert hypothesis.pattern.edges == (Edge("tom_hanks", "acted in", "film_1", "forrest_gump"),)
    assert "These relations have values: acted in (roles)." in endpoint.said[0][0]
    triples = endpoint.bodies[0]["response_format"]["json_schema"]["schema"]["properties"][
        "triples"
    ]
    assert triples["items"]["maxItems"] == 4


def test_elsewhere_a_fourth_text_is_sent_back():
    endpoint = Endpoint(reply(AS_WHOM), json.dumps(GOOD))
    (hypothesis,) = interpreted(endpoint)
    assert hypothesis.pattern.answers == ("film_1",)
    assert "values" not in endpoint.said[0][0]
    assert "triples.0" in endpoint.said[1][3]


def test_an_unknown_value_can_be_asked_for_and_an_empty_one_is_none():
    unknown = ["Tom Hanks", "acted in", "Cast Away", "UNKNOWN 1"]
    pattern = pattern_of(reply([unknown], ["UNKNOWN 1"]), edge_values=True)
    assert (pattern.edges[0].value, pattern.answers) == ("unknown_1", ("unknown_1",))
    assert pattern_of(reply([[*unknown[:3], " "]]), edge_values=True).edges[0].value is None


def test_the_prompt_tells_which_relations_of_a_graph_carry_what():
    schema = Schema(
        "f",
        9,
        9,
        (Relation("e:ACTED_IN", "acted in", 9), Relation("e:DIRECTED", "directed", 9)),
        (),
        edge_properties={"e:ACTED_IN": {".roles": 7, ".billed_as": 2}},
    )
    endpoint = Endpoint(json.dumps(GOOD))
    store = OxigraphStore.memory(ox.Store())
    interpreter = LLMInterpreter.for_graph(endpoint.model(), store, schema)
    assert interpreter.edge_values == ("acted in (roles, billed as)",)
    assert EDGE_VALUE in interpreter.examples
    pattern_of(reply(EDGE_VALUE.triples, EDGE_VALUE.asks), edge_values=True)
