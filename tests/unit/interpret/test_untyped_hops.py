"""Hops that no word says, between what a question names and what it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

TOYS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:designedBy rdfs:label "designed by" . :orderedBy rdfs:label "ordered by" .
:shipCity rdfs:label "ship city" . :basedIn rdfs:label "based in" . :madeBy rdfs:label "made by" .
:maze a :Toy ; rdfs:label "Cube Maze" ; :designedBy :rita ; :madeBy :tolk .
:disc a :Toy ; rdfs:label "Whirl Disc" ; :designedBy :saul ; :madeBy :ferro .
:saul a :Designer ; rdfs:label "Saul Vera" ; :mentor :rita .
:rita a :Designer ; rdfs:label "Rita Pinto" ; :mentor :nils .
:nils a :Designer ; rdfs:label "Nils Aas" .
:o1 a :Order ; rdfs:label "Order 1" ; :orderedBy :ada ; :contains :maze ; :shipCity :oslo .
:o2 a :Order ; rdfs:label "Order 2" ; :orderedBy :cleo ; :contains :disc ; :shipCity :bergen .
:ada a :Customer ; rdfs:label "Ada Holm" . :cleo a :Customer ; rdfs:label "Cleo Rojas" .
:tolk a :Maker ; rdfs:label "Tolk" ; :basedIn :oslo . :lunda a :Maker ; rdfs:label "Lunda" ;
    :basedIn :oslo . :ferro a :Maker ; rdfs:label "Ferro" ; :basedIn :bergen .
:oslo a :City ; rdfs:label "Oslo" . :bergen a :City ; rdfs:label "Bergen" .
"""
FOODS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:soldBy rdfs:label "sold by" .
:kale a :Food ; rdfs:label "Kale" ; :contains :a , :c ; :soldBy :marn .
:cod a :Food ; rdfs:label "Cod" ; :contains :d ; :soldBy :oss .
:a a :Vitamin ; rdfs:label "A" . :c a :Vitamin ; rdfs:label "C" . :d a :Vitamin ; rdfs:label "D" .
:marn a :Market ; rdfs:label "Marn Market" . :oss a :Market ; rdfs:label "Oss Butchers" .
"""


PEOPLE = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:worksFor rdfs:label "works for" . :livesIn rdfs:label "lives in" . :bornIn rdfs:label "born in" .
:orderedBy rdfs:label "ordered by" .
:saul a :Designer ; rdfs:label "Saul Vera" ; :worksFor :tolk ; :livesIn :oslo ; :bornIn :bergen .
:rita a :Designer ; rdfs:label "Rita Pinto" ; :worksFor :ferro ; :livesIn :bergen ; :bornIn :oslo .
:tolk :basedIn :oslo . :basedIn rdfs:label "based in" .
:p1 a :Purchase ; rdfs:label "Purchase 1" ; :buyer :ada ; :item :disc .
:ada a :Customer ; rdfs:label "Ada Holm" ; :livesIn :bergen ; :owns :kite .
:cleo a :Customer ; rdfs:label "Cleo Rojas" ; :livesIn :oslo ; :owns :disc .
:o1 a :Order ; rdfs:label "Order 1" ; :orderedBy :ada ; :contains :maze .
:o2 a :Order ; rdfs:label "Order 2" ; :orderedBy :cleo ; :contains :disc , :kite .
:maze a :Toy ; rdfs:label "Cube Maze" . :disc a :Toy ; rdfs:label "Whirl Disc" .
:kite a :Toy ; rdfs:label "Sky Ray" .
:tolk a :Maker ; rdfs:label "Tolk" . :ferro a :Maker ; rdfs:label "Ferro" .
:oslo a :City ; rdfs:label "Oslo" . :bergen a :City ; rdfs:label "Bergen" .
"""


@pytest.fixture(scope="module")
def toys() -> Iterator[isomatch.Session]:
    with opened(TOYS) as session:
        yield session


@pytest.fixture(scope="module")
def people() -> Iterator[isomatch.Session]:
    with opened(PEOPLE) as session:
        yield session


@pytest.fixture(scope="module")
def foods() -> Iterator[isomatch.Session]:
    with opened(FOODS) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Who is the mentor of Cube Maze?",
        "Who mentors Cube Maze?",
        "Is Saul Vera the mentor of Cube Maze?",
    ],
)
def test_a_hop_is_not_walked_against_its_noun(toys: isomatch.Session, question: str) -> None:
    """They gave whom the designer is the mentor of, or the mentor of the designer."""
    assert names_if_answered(toys, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is the mentor of Saul Vera?", {"Rita Pinto"}),
        ("Which customers ordered Cube Maze?", {"Ada Holm"}),
        ("Which makers did Ada Holm order from?", {"Tolk"}),
        ("Has Cleo Rojas ordered Whirl Disc?", {"True"}),
    ],
)
def test_what_words_say_is_read(toys: isomatch.Session, question: str, names: set[str]) -> None:
    assert names_if_answered(toys, question) == names


def test_a_name_of_one_letter_is_not_passed_over(foods: isomatch.Session) -> None:
    assert names_if_answered(foods, "Which foods contain D?") == {"Cod"}
    assert not names_if_answered(foods, "Which foods sold by Marn Market contain D?")


def test_what_a_verb_is_said_in_may_be_its_source() -> None:
    """Languages spoken in Peru were refused: "lives in" has its preposition in its name."""
    graph = b"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :peru a :Country ; rdfs:label "Peru" ; :language :quechua , :spanish .
    :chile a :Country ; rdfs:label "Chile" ; :language :spanish .
    :quechua a :Language ; rdfs:label "Quechua" . :spanish a :Language ; rdfs:label "Spanish" .
    """
    with opened(graph) as session:
        asked = names_if_answered(session, "which languages are spoken in Peru?")
    assert asked == {"Quechua", "Spanish"}


def test_who_is_from_a_place_was_not_asked_to_live_there(people: isomatch.Session) -> None:
    """Saul Vera was found, since nobody who was born in Oslo works for Tolk."""
    assert not names_if_answered(people, "Which designers from Oslo work for Tolk?")
    assert names_if_answered(people, "Which designers are from Oslo?") == {"Rita Pinto"}
    assert names_if_answered(people, "Which designers are from Tolk?") == {
        "Saul Vera"
    }  # which is no place
    # Of customers the graph says no origin.
    assert names_if_answered(people, "Which customers from Oslo ordered Sky Ray?") == {"Cleo Rojas"}


def test_a_name_that_orders_something_is_that_of_the_order(people: isomatch.Session) -> None:
    """They were the toys that she owns and somebody ordered."""
    right = {"Cube Maze"}
    assert names_if_answered(people, "Which toys did Ada Holm order?") in (None, right)
    assert names_if_answered(people, "How many toys did Cleo Rojas order?") in (None, {"2"})
    assert names_if_answered(people, "Did Ada Holm order the Cube Maze?") == {"True"}
    assert names_if_answered(people, "Did Ada Holm order the Sky Ray?") == {"False"}


@pytest.mark.parametrize(
    "question", ["Which customers purchased Sky Ray?", "Who purchased Whirl Disc?"]
)
def test_what_is_purchased_is_of_the_purchase(people: isomatch.Session, question: str) -> None:
    """They were who owns it and made any purchase, and the purchase itself."""
    assert names_if_answered(people, question) in (None, set(), {"Ada Holm"})


def test_nobody_died_where_he_only_lived(people: isomatch.Session) -> None:
    assert names_if_answered(people, "Who died in Oslo?") is None
    assert names_if_answered(people, "Who was born in Oslo?") == {"Rita Pinto"}


@pytest.mark.parametrize("question", ["Who died in Kall?", "How many people died in Kall?"])
def test_nobody_died_where_a_firm_is_based(tmp_path: Path, question: str) -> None:
    """A table has no types: "died" was only left out with a warning, and a mill was found."""
    facts = "Anna Roth,lives in,Kall", "Bert Ohm,lives in,Kall", "Kall Mill,based in,Kall"
    others = "Bert Ohm,works for,Kall Mill", "Kall Mill,led by,Anna Roth", "Cora Lenk,born in,Kall"
    path = tmp_path / "facts.csv"
    path.write_text("\n".join(("head,relation,tail", *facts, *others)) + "\n", "utf-8")
    with isomatch.open(path) as session:
        assert not names_if_answered(session, question)
        assert names_if_answered(session, "Who was born in Kall?") == {"Cora Lenk"}
