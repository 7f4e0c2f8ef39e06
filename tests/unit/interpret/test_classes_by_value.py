"""Nouns that the value of an occupation, type or kind is: "actors", "how many painters"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

PEOPLE = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
:ann a :Person ; schema:name "Ann" ; :age 30 ; :occupation "actor" ; :wonAward :oscar .
:ben a :Person ; schema:name "Ben" ; :age 25 ; :occupation "actor" ; :wonAward :oscar , :palm .
:cleo a :Person ; schema:name "Cleo" ; :age 20 ; :occupation "painter" .
:oscar a :Award ; schema:name "Oscar" . :palm a :Award ; schema:name "Palm" .
:heat a :Film ; schema:name "Heat" ; :starring :ann , :ben ; :genre "war" ; :length 120 .
:ali a :Film ; schema:name "Ali" ; :starring :ann ; :genre "comedy" ; :length 90 .
:thing a :Film ; schema:name "The Thing (film)" ; :genre "horror" ; :length 109 .
:world a :Film ; schema:name "The Thing from Another World" ; :genre "horror" ; :length 87 .
"""


@pytest.fixture(scope="module")
def people() -> Iterator[isomatch.Session]:
    with opened(PEOPLE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List all actors", {"Ann", "Ben"}),
        ("How many actors are there?", {"2"}),
        ("How many painters are there?", {"1"}),
        ("Which actors are older than 26?", {"Ann"}),
        ("Who is the oldest actor?", {"Ann"}),
        ("What is the average age of the actors?", {"27.5"}),
        ("Which actor has the most awards?", {"Ben"}),
        ("Which painters are younger than 30?", {"Cleo"}),
        ("Which wars are there?", None),  # films of that genre are none
        ("How many wars are there?", None),
    ],
)
def test_a_value_that_says_what_things_are_is_their_class(
    people: isomatch.Session, question: str, names: set[str] | None
) -> None:
    if names is None:
        assert not people.ask(question, interpreter="schema").supported
    else:
        assert names_found(people, question) == names


@pytest.mark.parametrize(
    ("question", "answer"), [("Is Cleo a painter?", "Yes"), ("Is Ann a painter?", "No")]
)
def test_whether_somebody_is_one_is_told(
    people: isomatch.Session, question: str, answer: str
) -> None:
    assert people.ask(question, interpreter="schema").text.startswith(answer)


@pytest.mark.parametrize(
    "question", ["What is the length of The Thing?", "What is the length of the film The Thing?"]
)
def test_a_word_for_anything_is_a_name_with_its_capital(
    people: isomatch.Session, question: str
) -> None:
    """All lengths were given."""
    assert names_found(people, question) == {"109"}


STAFF = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
:ben a :Person ; schema:name "Ben" ; :role "engineer" ; :managedBy :cleo ; :worksFor :acme ;
  :weight 70 .
:cleo a :Person ; schema:name "Cleo" ; :role "director" ; :worksFor :acme ; :weight 80 .
:dot a :Person ; schema:name "Dot" ; :role "engineer" ; :managedBy :ann ; :worksFor :dax .
:ann a :Person ; schema:name "Ann" ; :role "director" ; :managedBy :dot ; :worksFor :dax .
:fay a :Person ; schema:name "Fay" ; :role "manager" ; :managedBy :ann .
:acme a :Company ; schema:name "Acme" ; :type "bank" . :dax a :Company ; schema:name "Dax" .
:v1 a :Vehicle ; schema:name "V-1" ; :type "van" ; :color "red" ; :weight 7 .
:v2 a :Vehicle ; schema:name "V-2" ; :type "van" ; :color "blue" ; :weight 9 .
"""


@pytest.fixture(scope="module")
def staff() -> Iterator[isomatch.Session]:
    with opened(STAFF) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which directors manage an engineer?", {"Ann", "Cleo"}),
        ("Which engineers are managed by a director?", {"Ben", "Dot"}),
        ("Which engineers work for a bank?", {"Ben"}),
        ("How many engineers work for Dax?", {"1"}),
        ("Which red vans are there?", {"V-1"}),
        ("What is the heaviest van?", {"V-2"}),
        ("Which vans are not red?", {"V-2"}),
        ("Vans that are not red", {"V-2"}),
        ("Which people have no manager?", {"Cleo"}),
        ("People without a manager", {"Cleo"}),
        ("Which directors have no manager?", {"Cleo"}),
        ("Directors without a manager", {"Cleo"}),
    ],
)
def test_such_a_class_is_what_is_asked_for(
    staff: isomatch.Session, question: str, names: set[str]
) -> None:
    """Which director manages somebody was answered by those who are managed."""
    assert names_found(staff, question) == names


@pytest.mark.parametrize(
    "question", ["List the vans by weight", "Do directors weigh more than engineers?"]
)
def test_neither_values_nor_one_of_such_a_class_answer(
    staff: isomatch.Session, question: str
) -> None:
    """The weights, and that one director does."""
    assert not staff.ask(question, interpreter="schema").supported
