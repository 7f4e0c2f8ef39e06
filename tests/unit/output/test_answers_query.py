"""The best interpretation as a query for programs: its rows are the answers and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox
import pytest
import rdflib
from tests.turtle import graph_of

import isomatch
from isomatch import ConfigurationError
from isomatch.output.queries import answers_query

FILMS = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix : <urn:films:> .
:heat a :Film ; rdfs:label "Heat"@en, "Hitze"@de ; :directedBy :mann ; :year 1995 .
:ali a :Film ; rdfs:label "Ali" ; :directedBy :mann ; :year 2001 .
:serpico a :Film ; rdfs:label "Serpico" ; :directedBy :lumet ; :year 1973 .
:mann rdfs:label "Michael Mann" ; owl:sameAs <urn:other:mann> .
:lumet rdfs:label "Sidney Lumet" .
<urn:other:thief> rdfs:label "Thief" ; :directedBy <urn:other:mann> .
:Film rdfs:label "film" . :directedBy rdfs:label "directed by" . :year rdfs:label "year" .
"""
BY_MANN = '(?film:film)-[directed by]->("Michael Mann")'


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    graph = rdflib.Graph().parse(data=FILMS, format="turtle")
    with isomatch.open(graph, languages=("en",)) as opened:
        yield opened


def asked(session: isomatch.Session, pattern: str, **options: object) -> str:
    text = answers_query(session.match(pattern, **options), session, **options)
    assert text is not None
    return text


def rows(query: str) -> set[tuple[str, ...]]:
    """All values of all columns, as the scorers of text-to-SPARQL compare them."""
    found = graph_of(FILMS).query(query)
    assert isinstance(found, ox.QuerySolutions)
    return {tuple(value.value for value in row) for row in found}


def test_the_rows_are_the_answers_without_labels_or_other_nodes(session: isomatch.Session) -> None:
    query = asked(session, f"{BY_MANN} return ?film")
    assert rows(query) == {("urn:films:heat",), ("urn:films:ali",)}
    assert "SELECT DISTINCT ?film WHERE {" in query
    assert "LIMIT" not in query


def test_a_query_finds_more_answers_than_the_limit_of_the_search(session: isomatch.Session) -> None:
    assert len(rows(asked(session, f"{BY_MANN} return ?film", limit=1))) == 2


def test_a_count_is_counted(session: isomatch.Session) -> None:
    query = asked(session, f"{BY_MANN} return count(?film)")
    assert rows(query) == {("2",)}
    assert "?count" in query


def test_a_question_of_yes_or_no_is_an_ask(session: isomatch.Session) -> None:
    answer = graph_of(FILMS).query(
        asked(session, '("Heat")-[directed by]->("Michael Mann") return ask')
    )
    assert isinstance(answer, ox.QueryBoolean)
    assert bool(answer)


def test_it_follows_the_options_of_the_search(session: isomatch.Session) -> None:
    pattern = '(?film)-[directed by]->("Michael Mann") return ?film'
    answers = session.match(pattern, k=1, same_as=True).answers()
    query = asked(session, pattern, k=1, same_as=True)
    assert {id for (id,) in rows(query)} == {bound.id for bound in answers}
    assert len(answers) == 3


@pytest.mark.parametrize(
    ("clause", "lacking"),
    [
        ("where ?y > 1980 return ?film", "where ?y > 1980"),
        ("return ?film order by ?y desc limit 1", "order by ?y desc limit 1"),
        ("return max(?y)", "return max(?y)"),
        ("return ?film, count(?y)", "return count(?y)"),
        ("optional { (?film)-[directed by]->(?who) } return ?film, ?who", "optional { "),
    ],
)
def test_what_no_query_would_say_whole_is_refused_and_named(
    session: isomatch.Session, clause: str, lacking: str
) -> None:
    result = session.match(f"(?film:film)-[year]->(?y) {clause}")
    with pytest.raises(ConfigurationError) as refused:
        answers_query(result, session)
    assert f"it would be without: {lacking}" in str(refused.value)


def test_there_is_no_query_where_nothing_matches(session: isomatch.Session) -> None:
    result = session.match('(?film)-[year]->("Michael Mann")', k_nodes=1, k_relations=1)
    assert answers_query(result, session) is None
    no = session.match('("Heat")-[directed by]->("Sidney Lumet") return ask')
    assert (bool(no.holds), answers_query(no, session)) == (False, None)
