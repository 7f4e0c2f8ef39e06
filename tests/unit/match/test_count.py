"""Patterns that count: how many different nodes an interpretation has, and when that is sure."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.oracle import counts
from tests.turtle import opened

import isomatch
from isomatch.errors import ConfigurationError
from isomatch.match.types import Count
from isomatch.options import Format
from isomatch.output.json import result_form
from isomatch.output.rows import result_rows, written
from isomatch.output.tree import interpretation_tree
from isomatch.pattern import format_text, parse

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:texas a :State ; rdfs:label "Texas" ; :borders :oklahoma, :louisiana .
:oklahoma a :State ; rdfs:label "Oklahoma" ; :borders :texas .
:louisiana a :State ; rdfs:label "Louisiana" .
:red a :River ; rdfs:label "Red River" ; :traverses :texas, :oklahoma, :louisiana ; :length 2190 .
:sabine a :River ; rdfs:label "Sabine" ; :traverses :texas, :louisiana ; :length 890 .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def test_different_nodes_are_counted_and_not_matches(session: isomatch.Session) -> None:
    result = session.match(
        '(?r:river)-[traverses]->(?s:state), (?r)-[traverses]->("Texas") return count(?r)'
    )

    assert len(result.interpretations[0].matches) == 3
    assert result.count() == Count(1, 2, at_least=False)
    assert result.count(rank=99) is None


def test_a_fact_that_is_stored_both_ways_counts_its_node_once(session: isomatch.Session) -> None:
    assert session.match('(?s:state)-[borders]-("Texas") return count(?s)').count() == Count(
        1, 2, at_least=False
    )


def test_a_count_is_of_all_matches_however_many_are_listed(session: isomatch.Session) -> None:
    result = session.match('(?r:river)-[traverses]->("Texas") return count(?r)', limit=1)

    assert str(result.count()) == "2"
    assert len(result.interpretations[0].matches) == 1
    assert result.interpretations[0].cut


def test_the_database_counts_what_is_not_read() -> None:
    with opened(counts.TURTLE) as many:
        counts.check_many(many)
        counts.check_lists(many)


def test_a_list_of_answers_that_come_again_is_whole(session: isomatch.Session) -> None:
    text = "(?r:river)-[traverses]->(?s:state) return ?r"

    whole = session.ask(text, interpreter="given", limit=3)
    assert set(whole.text.removesuffix(".").split(" and ")) == {"Red River", "Sabine"}
    assert whole.notes == ()
    cut = session.ask(text, interpreter="given", limit=3, budget_rows=8)
    assert "at least" in cut.text
    some = session.ask(text, interpreter="given", limit=1)
    assert some.text.endswith("perhaps more (at least 1 in all).")


def test_a_list_of_a_condition_names_how_many_there_are(session: isomatch.Session) -> None:
    text = "(?s:state)<-[traverses]-(?r), (?r)-[length]->(?l) where ?l > 500 return ?s"

    asked = session.ask(text, interpreter="given", limit=2)
    assert "and 1 more (3 in all)" in asked.text


def test_a_budget_that_cuts_makes_it_at_least(session: isomatch.Session) -> None:
    text = '(?r:river)-[traverses]->("Texas") return count(?r)'

    assert str(session.match(text, limit=1, budget_rows=8).count()) == "at least 1"


def test_matches_that_are_ranked_one_by_one_are_not_counted(session: isomatch.Session) -> None:
    with pytest.raises(ConfigurationError, match="leave out results"):
        session.match('(?r)-[traverses]->("Texas") return count(?r)', results="matches")


def test_every_output_has_the_count(session: isomatch.Session) -> None:
    result = session.match('(?r:river)-[traverses]->("Texas") return count(?r)')

    form = result_form(result)
    assert form["interpretations"][0]["counted"] == {"node": "r", "value": 2, "at_least": False}
    assert form["pattern"]["count"] == "r"
    lines = written(result_rows(result), Format.csv).splitlines()
    assert lines == ["count,atLeast,rank,gsd", "2,false,1,0.0"]
    bindings = json.loads(written(result_rows(result), Format.sparql_json))["results"]["bindings"]
    assert bindings[0]["count"]["value"] == "2"
    tree = interpretation_tree(result.pattern, result.interpretations[0])
    assert "count(?r) = 2" in str(tree.label)


def test_a_pattern_that_counts_nothing_has_no_count(session: isomatch.Session) -> None:
    result = session.match('(?r:river)-[traverses]->("Texas")')

    assert result.count() is None
    assert "counted" not in result_form(result)["interpretations"][0]


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        (
            "How many rivers traverse Texas?",
            '(?x1:river)-[traverses]->(x2 "Texas") return count(?x1)',
        ),
        (
            "What is the number of rivers that traverse Texas?",
            '(?x1:river)-[traverses]->(x2 "Texas") return count(?x1)',
        ),
    ],
)
def test_a_question_how_many_is_read_as_a_count(
    session: isomatch.Session, question: str, pattern: str
) -> None:
    answer = session.ask(question, interpreter="schema")

    assert answer.text == "2."
    assert [a.id for a in answer.answers] == ['"2"^^<http://www.w3.org/2001/XMLSchema#integer>']
    assert answer.pattern is not None
    assert format_text(answer.pattern) == pattern


def test_a_retriever_gives_the_matches_of_what_a_question_counts(
    session: isomatch.Session,
) -> None:
    retriever = isomatch.PatternRetriever(session, interpreter="schema")

    found = retriever.search(query_text="How many rivers traverse Texas?")

    assert len(found.items) == 2
    assert {"Red River", "Sabine"} == {
        name for item in found.items for name in ("Red River", "Sabine") if name in item.content
    }


def test_a_number_that_the_graph_has_is_not_counted(session: isomatch.Session) -> None:
    answer = session.ask("How many kilometres is the length of the Sabine?", interpreter="schema")

    assert answer.text == "If “kilometres” means “the unit of length”: 890."


def test_every_written_form_has_counts() -> None:
    text = '(?film:film)-[directed by]->("Mann") return count(?film)'
    triples = '("UNKNOWN film", [directed by]->, "Mann") return count(UNKNOWN film)'
    form = {
        "nodes": [{"id": "film", "type": "film"}, {"id": "mann", "text": "Mann"}],
        "edges": [
            {"source": "film", "relation": "directed by", "target": "mann", "directed": True}
        ],
        "count": "film",
    }
    assert parse(text) == parse(triples) == parse(form)
    assert format_text(parse(form)) == text
