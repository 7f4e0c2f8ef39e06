"""Questions of who made films with whom, of the year with the most, and of what was ordered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, opened

import isomatch
from isomatch.interpret.types import Span
from isomatch.interpret.words.record_roles import counts_deeds
from isomatch.pattern import parse_text
from isomatch.schema.types import Relation, Schema, Type

FILMS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:actedIn rdfs:label "acted in" .
:ada a :Person ; rdfs:label "Ada" ; :directed :dunes , :gulf .
:bo a :Person ; rdfs:label "Bo" ; :directed :embers ; :actedIn :fjord , :gulf .
:cleo a :Person ; rdfs:label "Cleo" ; :actedIn :dunes , :embers .
:dan a :Person ; rdfs:label "Dan" ; :actedIn :dunes ; :reviewed :embers .
:eve a :Person ; rdfs:label "Eve" ; :actedIn :embers , :fjord ; :directed :fjord ; :wrote :gulf .
:dunes a :Film ; rdfs:label "Dunes" ; :released 1990 .
:embers a :Film ; rdfs:label "Embers" ; :released 1991 .
:fjord a :Film ; rdfs:label "Fjord" ; :released 1991 .
:gulf a :Film ; rdfs:label "Gulf" ; :released 1992 .
"""
ORDERS = b"""
@prefix : <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:unitsOnOrder rdfs:label "units on order" . :unitsInStock rdfs:label "units in stock" .
:shipCity rdfs:label "ship city" . :orderDate rdfs:label "order date" .
:tea a :Product ; rdfs:label "Tea" ; :unitsOnOrder 40 ; :unitsInStock 8 .
:rum a :Product ; rdfs:label "Rum" ; :unitsOnOrder 0 ; :unitsInStock 3 .
:north a :Supplier ; rdfs:label "North" ; :supplies :tea . :south a :Supplier ; rdfs:label "South" ;
    :supplies :rum .
:bern a :Customer ; rdfs:label "Bern Bakery" ; :city "Bern" ; :purchased :o1 , :o2 .
:casa a :Customer ; rdfs:label "Casa Montes" ; :city "Lyon" ; :purchased :o3 .
:o1 a :Order ; rdfs:label "Order 1" ; :contains :tea ; :shipCity "Graz" ; :freight 5 ;
    :orderDate "1997-03-01"^^xsd:date .
:o2 a :Order ; rdfs:label "Order 2" ; :contains :rum ; :shipCity "Lyon" ; :freight 7 ;
    :orderDate "1996-03-01"^^xsd:date .
:o3 a :Order ; rdfs:label "Order 3" ; :contains :rum ; :shipCity "Lyon" ; :freight 9 ;
    :orderDate "1997-04-01"^^xsd:date .
"""


@pytest.fixture(scope="module")
def films() -> Iterator[isomatch.Session]:
    with opened(FILMS) as session:
        yield session


@pytest.fixture(scope="module")
def orders() -> Iterator[isomatch.Session]:
    with opened(ORDERS) as session:
        yield session


def _found(session: isomatch.Session, question: str) -> set[str] | None:
    answer = asked(session, question)
    return {node.name for node in answer.answers} if answer is not None else None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which directors has Cleo worked with?", {"Ada", "Bo"}),
        ("Which directors worked with Cleo?", {"Ada", "Bo"}),
        ("Which directors has Cleo worked for?", {"Ada", "Bo"}),
        ("Which directors has Eve worked with?", {"Ada", "Bo"}),  # acted for, wrote for
        ("Which directors has Dan worked with?", {"Ada"}),  # and of Bo's film he wrote a review
        ("Which actors has Ada worked with?", {"Cleo", "Dan", "Bo"}),
    ],
)
def test_whom_a_noun_calls_by_a_deed_worked_with_a_name_in_whatever_that_did(
    films: isomatch.Session, question: str, names: set[str]
) -> None:
    assert _found(films, question) == names


@pytest.mark.parametrize(
    "question", ["Who has Cleo worked with?", "Which directors never worked with Cleo?"]
)
def test_who_worked_with_somebody_is_refused_where_no_noun_says_how(
    films: isomatch.Session, question: str
) -> None:
    assert _found(films, question) is None


@pytest.mark.parametrize(
    "question",
    ["Which reviewers worked with Eve?", "Which reviewers made films that Cleo acted in?"],
)
def test_reviewers_neither_make_what_they_review_nor_work_on_it(
    films: isomatch.Session, question: str
) -> None:
    assert _found(films, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which directors made films that Dan reviewed?", {"Bo"}),
        ("Which films did the director of Dunes make?", {"Dunes", "Gulf"}),
        ("List all films by the director of Dunes.", {"Dunes", "Gulf"}),
        ("Which other films has the director of Dunes made?", {"Gulf"}),
        ("What else did the director of Dunes direct?", {"Gulf"}),
    ],
)
def test_what_directors_made_is_what_they_directed(
    films: isomatch.Session, question: str, names: set[str]
) -> None:
    assert _found(films, question) == names


def test_others_are_counted_without_the_one_that_is_named(films: isomatch.Session) -> None:
    answer = asked(films, "How many other films did the director of Dunes direct?")
    assert answer is not None
    assert answer.text == "1."


def test_actors_who_acted_with_several_need_no_further_film(films: isomatch.Session) -> None:
    question = "Which actors have acted with both Cleo and Bo?"
    assert _found(films, question) == {"Eve"}


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("Which year had the most films?", {"1991"}),
        ("year with the most films", {"1991"}),
        ("In which year were the most films released?", {"1991"}),
        ("Which year had the most people?", None),
    ],
)
def test_the_year_with_the_most_is_one_of_those_that_things_say(
    films: isomatch.Session, question: str, years: set[str] | None
) -> None:
    assert _found(films, question) == years


@pytest.mark.parametrize("question", ["Which writers also acted?", "directors who also acted"])
def test_what_doers_did_is_no_answer_where_they_are_asked_for(
    films: isomatch.Session, question: str
) -> None:
    found = _found(films, question)
    assert found is None or found.isdisjoint({"Dunes", "Embers", "Fjord", "Gulf"})


@pytest.mark.parametrize(
    "question", ["List all thrillers directed by Ada", "thrillers directed by Ada"]
)
def test_a_list_of_what_no_word_is_known_for_is_refused(
    films: isomatch.Session, question: str
) -> None:
    assert _found(films, question) is None


def test_the_whole_name_of_a_value_is_no_number_of_other_things(orders: isomatch.Session) -> None:
    assert _found(orders, "units on order of Tea") == {"40"}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which orders were shipped to Graz?", "Order 1."),
        ("total freight of all orders shipped to Lyon", "16."),
        ("How many orders were shipped to Lyon in 1997?", "1."),
        ("When did Bern Bakery place its first order?", "1996-03-01."),
    ],
)
def test_orders_are_shipped_to_places_and_the_first_is_so_of_whose_they_are(
    orders: isomatch.Session, question: str, text: str
) -> None:
    answer = asked(orders, question)
    assert answer is not None
    assert answer.text == text


@pytest.mark.parametrize(
    "question",
    [
        "Which orders were shipped from Lyon?",
        "When did customers from Lyon place their first order?",
    ],
)
def test_what_is_brought_to_a_place_is_not_from_it_nor_several_firsts_one(
    orders: isomatch.Session, question: str
) -> None:
    assert _found(orders, question) is None


def test_something_is_whatever_a_participle_says_of_it(orders: isomatch.Session) -> None:
    question = "Which customers purchased something supplied by North?"
    assert _found(orders, question) == {"Bern Bakery"}


REVIEWS = Schema(
    "f",
    9,
    9,
    (Relation(":REVIEWED", "reviewed", 3, source_types={"P": 3}, target_types={"M": 3}),),
    (Type("P", "person", 9), Type("M", "movie", 9)),
    edge_properties={":REVIEWED": {".rating": 3}},
)


@pytest.mark.parametrize(
    ("pattern", "counts"),
    [
        ('(?x1)-[reviewed]->(x2 "Dunes") return count(?x1)', True),
        ('(?x1)-[reviewed]->(x2 "Dunes") return ?x1', False),
        ("(?x1)-[reviewed]->(?x2:movie) return count(?x1)", False),
    ],
)
def test_reviews_of_a_name_are_as_many_as_their_writers(pattern: str, counts: bool) -> None:
    span = Span(9, 16, "reviews", "relation", "reviewed")
    assert counts_deeds(parse_text(pattern), span, REVIEWS) is counts
