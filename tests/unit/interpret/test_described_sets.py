"""What is computed over sets that clauses describe: counts, orders, what is left out of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Captain ; rdfs:label "Ann Reed" ; :bornIn :oban ; :owns :auk, :gull, :tern ;
    :trained :bea, :cy .
:bea a :Captain ; rdfs:label "Bea Holt" ; :bornIn :ryde ; :owns :kite ; :trained :cy .
:cy a :Captain ; rdfs:label "Cy Marsh" ; :bornIn :ryde ; :owns :wren, :swan ; :trained :dot .
:dot a :Captain ; rdfs:label "Dot Finch" ; :bornIn :oban .
:eli a :Captain ; rdfs:label "Eli Grove" ; :trained :cy .
:auk a :Ship ; rdfs:label "Auk" ; :liesIn :oban ; :builtBy :clyde ;
    :homePort :oban ; :consort :gull ;
    :launched "1961-05-04"^^xsd:date .
:gull a :Ship ; rdfs:label "Gull" ; :liesIn :ryde ; :builtBy :clyde ;
    :homePort :ryde ; :consort :kite ;
    :launched "1950-02-11"^^xsd:date .
:kite a :Ship ; rdfs:label "Kite" ; :liesIn :oban ; :builtBy :clyde ; :homePort :ryde ;
    :launched "1944-12-01"^^xsd:date .
:swan a :Ship ; rdfs:label "Swan" ; :liesIn :oban ; :builtBy :forth ;
    :homePort :oban ; :consort :tern ;
    :launched "1940-01-30"^^xsd:date .
:tern a :Ship ; rdfs:label "Tern" ; :builtBy :forth ; :homePort :ryde ;
    :launched "1975-08-09"^^xsd:date .
:wren a :Ship ; rdfs:label "Wren" ; :builtBy :forth ; :launched "1980-03-03"^^xsd:date .
:clyde a :Shipyard ; rdfs:label "Clyde Works" ; :locatedIn :oban .
:forth a :Shipyard ; rdfs:label "Forth Docks" ; :locatedIn :ryde .
:mole a :Mill ; rdfs:label "Mole" ; :founded 1980 ; :area 10 .
:vole a :Mill ; rdfs:label "Vole" ; :founded 1990 ; :area 30 .
:hare a :Mill ; rdfs:label "Hare" ; :founded 1960 ; :area 20 .
:oban a :Port ; rdfs:label "Oban" .
:ryde a :Port ; rdfs:label "Ryde" .
"""


@pytest.fixture(scope="module")
def ships() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def answer(session: isomatch.Session, question: str) -> set[str]:
    found = session.ask(question, interpreter="schema")
    assert found.supported, found.text
    return {str(node.name).split()[0] for node in found.answers}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which captains were not born in Oban and own a ship?", "Bea Cy"),
        ("Which captains do not own a ship and were trained by Cy Marsh?", "Dot"),
        ("Which ships were not built by Clyde Works and were launched before 1970?", "Swan"),
        ("Which captains do not own Auk and own a ship?", "Bea Cy"),
        ("List the captains who were not born in Oban and who own a ship", "Bea Cy"),
        ("captains not born in Oban and trained by Ann Reed", "Bea Cy"),
        ("Which captains were not born in Oban and were not trained by Ann Reed?", "Eli"),
        ("Which captains own a ship and were not born in Oban?", "Bea Cy"),
    ],
)
def test_not_denies_no_verb_after_and(ships: isomatch.Session, question: str, names: str) -> None:
    assert answer(ships, question) - {"Ann"} == {*names.split()}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which captains trained fewer than two captains?", "Bea Cy Dot Eli"),
        ("Which captains trained more than one captain?", "Ann"),
        ("Which captain trained by Bea Holt trained the most captains?", "Cy"),
        ("Which captain trained by Bea Holt trained Dot Finch?", "Cy"),
        ("Which captain who was trained by Ann Reed trained Dot Finch?", "Cy"),
        ("By whom was Dot Finch trained?", "Cy"),
        ("Which captain trained the most captains who were not trained by Eli Grove?", "Ann Cy"),
        ("Which captain owns the most ships that were not built by Clyde Works?", "Cy"),
        ("Which shipyard built the most ships without a home port?", "Forth"),
    ],
)
def test_who_does_it_is_told_from_whom_it_is_done_to(
    ships: isomatch.Session, question: str, names: str
) -> None:
    assert answer(ships, question) == {*names.split()}


@pytest.mark.parametrize(
    "question",
    ["the number of captains that each captain trained", "number of captains each captain trained"],
)
def test_a_number_for_each_is_of_what_each_does(ships: isomatch.Session, question: str) -> None:
    text = ships.ask(question, interpreter="schema").text

    assert "Ann Reed: 2" in text
    assert "Eli Grove: 1" in text


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which captains were trained by the same captain as Cy Marsh?", "Bea"),
        ("Which captains trained the same captain as Bea Holt?", "Ann Eli"),
        ("Which ships were built by the same shipyard as Auk?", "Gull Kite"),
        ("Who was born in the same port as Ann Reed?", "Dot"),
    ],
)
def test_the_same_thing_is_what_a_verb_is_done_to(
    ships: isomatch.Session, question: str, names: str
) -> None:
    assert answer(ships, question) == {*names.split()}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which ships with a consort did Clyde Works build?", "Auk Gull"),
        ("Which ships with a consort were built by Clyde Works?", "Auk Gull"),
        ("Which ships with a consort lie in Oban?", "Auk Swan"),
        ("Which ships with a consort built by Clyde Works are there?", "Auk Gull"),
        ("Which ships were not built by Clyde Works and lie in Oban?", "Swan"),
    ],
)
def test_a_verb_is_said_of_those_asked_for_and_not_of_what_they_have(
    ships: isomatch.Session, question: str, names: str
) -> None:
    assert answer(ships, question) == {*names.split()}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which mills founded after 1970 are smaller than Hare?", "Mole"),
        ("Which mills founded before 1985 are larger than Mole?", "Hare"),
        ("Which mills were founded after 1970 and before 1985?", "Mole"),
        ("Which mills are larger than Mole?", "Hare Vole"),
    ],
)
def test_an_adjective_compares_no_date_that_a_clause_has(
    ships: isomatch.Session, question: str, names: str
) -> None:
    assert answer(ships, question) == {*names.split()}
