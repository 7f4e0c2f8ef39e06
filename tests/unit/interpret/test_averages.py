"""The average of each, more than the average, and more than one's own manager."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

OFFICES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:acme a :Company ; rdfs:label "Acme" . :bolt a :Company ; rdfs:label "Bolt" .
:cora a :Company ; rdfs:label "Cora" .
:ann a :Employee ; rdfs:label "Ann Lee" ; :worksFor :acme ; :salary 5000 ; :speaks :french ;
  :manager :bea ; :birthDate "1980-05-02"^^xsd:date .
:bea a :Employee ; rdfs:label "Bea Holm" ; :worksFor :acme ; :salary 7000 ;
  :birthDate "1985-01-12"^^xsd:date .
:cal a :Employee ; rdfs:label "Cal Roe" ; :worksFor :bolt ; :salary 6600 ; :speaks :french ;
  :manager :dan ; :birthDate "1992-11-30"^^xsd:date .
:dan a :Employee ; rdfs:label "Dan Fox" ; :worksFor :bolt ; :salary 6500 ;
  :birthDate "1988-07-07"^^xsd:date .
:french a :Language ; rdfs:label "French" .
:lamp a :Product ; rdfs:label "Lamp" ; :madeBy :acme ; :price 35.0 ; :weight 1.2 ; :critical true .
:drill a :Product ; rdfs:label "Drill" ; :madeBy :bolt ; :price 120.0 ; :weight 3.4 ;
  :critical true .
:chair a :Product ; rdfs:label "Chair" ; :madeBy :acme ; :price 80.0 ; :weight 6.0 ;
  :critical false .
:one a :Review ; rdfs:label "Review 1" ; :about :lamp ; :rating 4 .
:two a :Review ; rdfs:label "Review 2" ; :about :drill ; :rating 1 .
:three a :Review ; rdfs:label "Review 3" ; :about :drill ; :rating 5 .
"""


@pytest.fixture(scope="module")
def offices() -> Iterator[isomatch.Session]:
    with opened(OFFICES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which company has the highest average salary?", {"Bolt"}),
        ("Which company has the lowest average salary?", {"Acme"}),
        ("Which company has the highest total salary?", {"Bolt"}),
        ("Which companies have an average salary over 6100?", {"Bolt"}),
        ("Companies whose average salary is below 6100", {"Acme"}),
        ("Which product has the highest average rating?", {"Lamp"}),
        ("Which products are cheaper than the average?", {"Lamp"}),
        ("Which products are heavier than the average product?", {"Chair"}),
        ("Which products cost more than the average price?", {"Drill", "Chair"}),
        ("Which employees earn more than the average salary?", {"Bea Holm", "Cal Roe", "Dan Fox"}),
        ("Which employees earn more than their manager?", {"Cal Roe"}),
        ("Who earns less than their manager?", {"Ann Lee"}),
        ("Which employees are older than their manager?", {"Ann Lee"}),
        ("Which critical product weighs the most?", {"Drill"}),
        ("What is cheaper than the Drill?", {"Lamp", "Chair"}),
        ("Who earns the most at Acme?", {"Bea Holm"}),
        ("What is the lowest salary at Bolt?", {"6500"}),
        ("What is the average salary of those who speak French?", {"5800"}),
    ],
)
def test_values_compare_with_averages_and_those_of_others(
    offices: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = offices.ask(question, interpreter="schema")
    assert answer.supported, answer.text
    assert {node.name for node in answer.answers} == names


@pytest.mark.parametrize(
    "question",
    [
        "Which company has the lowest total salary?",  # Cora has none
        "Which of the products of Acme are cheaper than the average?",  # of all, or of Acme's
        "Which employees earn more than his manager's average?",
        "Which product is the average?",
    ],
)
def test_what_an_average_is_of_must_be_told(offices: isomatch.Session, question: str) -> None:
    assert not offices.ask(question, interpreter="schema").supported


SALES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:lou a :Person ; rdfs:label "Lou" . :may a :Person ; rdfs:label "May" .
:ora a :Person ; rdfs:label "Ora" .
:s1 a :Sale ; rdfs:label "Sale 1" ; :seller :lou ; :buyer :ora ; :price 600 .
:s2 a :Sale ; rdfs:label "Sale 2" ; :seller :may ; :buyer :ora ; :price 800 .
:s3 a :Sale ; rdfs:label "Sale 3" ; :seller :lou ; :buyer :may ; :price 360 .
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which buyer has the highest total price?", "Ora."),
        ("Which seller has the highest average price?", "May."),
        ("Which sellers have a total price over 900?", "Lou."),
    ],
)
def test_those_of_a_part_are_worked_out_by_that_part(question: str, text: str) -> None:
    with opened(SALES) as session:
        assert session.ask(question, interpreter="schema").text == text
