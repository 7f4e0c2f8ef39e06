"""Nodes that a pattern or a topic gives by their identity."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rdflib

import isomatch
from isomatch.output.json import result_form
from isomatch.output.tree import result_trees
from isomatch.pattern import format_text, parse
from isomatch.pattern.triples import format_triples

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
