"""Nodes that a pattern or a topic gives by their identity."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import rdflib

import isomatch
from isomatch.errors import ConfigurationError, PatternError
from isomatch.output.json import result_form
from isomatch.output.tree import result_trees
from isomatch.pattern import format_text, parse
from isomatch.pattern.triples import format_triples
from isomatch.settings import Settings

HEAT, OTHER = "http://www.wikidata.org/entity/Q44578", "http://www.wikidata.org/entity/Q99"
FILMS = f"""
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <urn:films:> .
<{HEAT}> rdfs:label "Heat" ; :directedBy :mann .
<{OTHER}> rdfs:label "Heat" ; :directedBy :other .
:mann rdfs:label "Michael Mann" . :other rdfs:label "Dick Richards" .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with isomatch.open(rdflib.Graph().parse(data=FILMS, format="turtle")) as opened:
        yield opened


@pytest.mark.parametrize(
    "node",
    [f"<{HEAT}>", "wd:Q44578", "<" + HEAT + ">:film", f'"<{HEAT}>"', '"Q44578"', "wd:Q44578:film"],
)
def test_a_node_by_its_identity_is_that_node_at_distance_0(session: isomatch.Session, node: str):
    result = session.match(f"({node})-[directed by]-(?who)", k=5)
    assert [b.name for b in result.answers()] == ["Michael Mann"]
    assert len(result.interpretations) == 1
    (first, *_) = result.interpretations[0].choices
    assert (first.id, first.distance, first.name) == (HEAT, 0.0, "Heat")
    assert result.certificate.complete


def test_the_json_form_and_triples_name_a_node_by_its_identity(session: isomatch.Session):
    pattern = parse(f"(<{HEAT}>)-[directed by]-(?who) return ?who")
    assert pattern.nodes[0].text == f"<{HEAT}>"
    assert parse(format_text(pattern)) == parse(format_triples(pattern)) == pattern
    assert f"(<{HEAT}>)" in format_text(pattern)


def test_an_identity_that_the_graph_lacks_is_said(session: isomatch.Session):
    result = session.match("(<urn:films:none>)-[directed by]-(?who)")
    assert not result
    assert "the index has no node <urn:films:none>" in result.certificate.notes


def test_a_word_that_is_read_as_an_id_is_said_and_a_name_is_none(session: isomatch.Session):
    result = session.match('("Q44578")-[]-(?who)')
    assert f"“Q44578” read as the id of <{HEAT}>" in result.certificate.notes
    assert session.match('("Heat")-[directed by]-(?who)', k=1).interpretations[0].matches


@pytest.mark.parametrize("topic", [f"<{HEAT}>", "wd:Q44578"])
def test_a_topic_may_be_an_identity(session: isomatch.Session, topic: str):
    answer = session.ask("who directed Heat", topics=[topic], interpreter="schema")
    assert [b.name for b in answer.answers] == ["Michael Mann"]


def test_ids_are_shown_on_request_and_always_in_json(session: isomatch.Session):
    result = session.match(f"(<{HEAT}>)-[directed by]-(?who)")
    trees = result_trees(result, ids=True)
    assert f"Heat <{HEAT}> ─directed by→ Michael Mann <urn:films:mann>" in str(
        [child.label for child in trees[0].children]
    )
    assert HEAT not in str([child.label for child in result_trees(result)[0].children])
    assert result_form(result)["matches"][0]["bindings"]["who"]["id"] == "urn:films:mann"


OWN = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix f: <http://films.test/film/> . @prefix p: <http://films.test/person/> .
f:F12 rdfs:label "Heat" ; <urn:directedBy> p:P7 . f:F13 rdfs:label "Ali" ; <urn:directedBy> p:P7 .
f:44 rdfs:label "Thief" ; <urn:directedBy> p:P7 .
p:P7 rdfs:label "Michael Mann" . p:F13 rdfs:label "Someone" ; <urn:directedBy> p:P7 .
"""
PREFIXES = {"films": "http://films.test/film/", "p": "http://films.test/person/"}


@pytest.fixture(scope="module")
def own() -> Iterator[isomatch.Session]:
    graph = rdflib.Graph().parse(data=OWN, format="turtle")
    with isomatch.open(graph, prefixes=PREFIXES) as opened:
        yield opened


def test_a_node_by_a_prefix_of_ones_own(own: isomatch.Session):
    pattern = "(films:F12)-[directed by]->(p:P7), (?other)-[directed by]->(p:P7)"
    assert {b.name for b in own.match(pattern, k=1).answers()} >= {"Ali", "Thief"}
    assert own.explain(pattern).lists[0].nearest == ("Heat", 0.0)
    answer = own.ask("(films:F12)-[directed by]->(?who)", interpreter="given")
    assert [b.name for b in answer.answers] == ["Michael Mann"]


def test_a_prefix_that_nobody_declared_is_refused():
    with pytest.raises(PatternError, match="a name needs quotes"):
        parse("(films:F12)-[directed by]->(?x)")
    assert parse("(wd:Q1)-[r]-(films:F12)", PREFIXES).nodes[1].text == (
        "<http://films.test/film/F12>"
    )
    assert parse('("a")-[r]-(p:P7)', PREFIXES).nodes[1].text == "<http://films.test/person/P7>"


def test_the_last_part_of_a_nodes_iri_is_its_id(own: isomatch.Session):
    result = own.match('("F12")-[directed by]->(?who)')
    assert [b.name for b in result.answers()] == ["Michael Mann"]
    assert "“F12” read as the id of <http://films.test/film/F12>" in result.certificate.notes
    both = own.match('("F13")-[directed by]->(?who)')
    assert {c.id for i in both.interpretations for c in i.choices if c.part == "node"} == {
        "http://films.test/film/F13",
        "http://films.test/person/F13",
    }
    assert not any("44" in n for n in own.match('("44")-[]-(?x)').certificate.notes)


@pytest.mark.parametrize("topic", ["F12", "films:F12"])
def test_a_topic_may_be_an_id_or_have_a_prefix_of_ones_own(own: isomatch.Session, topic: str):
    answer = own.ask("who directed Heat", topics=[topic], interpreter="schema")
    assert [b.name for b in answer.answers] == ["Michael Mann"]


def test_a_topic_without_prefix_is_a_well_known_id(session: isomatch.Session):
    answer = session.ask("who directed Heat", topics=["Q44578"], interpreter="schema")
    assert [b.name for b in answer.answers] == ["Michael Mann"]
    assert answer.pattern is not None
    assert f"<{HEAT}>" in format_text(answer.pattern)


@pytest.mark.parametrize("prefixes", [{"f:": "urn:x:"}, {"f": "no namespace"}, {"1": "urn:x:"}])
def test_a_prefix_that_can_be_none_is_refused(prefixes: dict[str, str]):
    with pytest.raises(ConfigurationError, match="'prefixes'"):
        Settings(prefixes=prefixes)


def test_prefixes_are_a_table_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("isomatch.toml").write_text('[prefixes]\nfilms = "http://films.test/film/"\n')
    assert Settings().prefixes == {"films": "http://films.test/film/"}
