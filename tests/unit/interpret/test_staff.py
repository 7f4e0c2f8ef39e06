"""What is asked of people who work somewhere: pay, skills, offices, departments."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

STAFF = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:e1 a :Employee ; rdfs:label "Alice" ; :department :eng ; :position "Engineer" ; :salary 90000 ;
    :hireDate "2016-03-01"^^xsd:date ; :office :ber ; :skill :py , :java .
:e2 a :Employee ; rdfs:label "Bob" ; :department :eng ; :position "Engineer" ; :salary 70000 ;
    :hireDate "2020-07-15"^^xsd:date ; :office :ber ; :skill :py .
:e3 a :Employee ; rdfs:label "Carla" ; :department :eng ; :position "Director" ; :salary 140000 ;
    :hireDate "2012-01-10"^^xsd:date ; :office :ber ; :skill :java .
:e4 a :Employee ; rdfs:label "Dan" ; :department :sal ; :position "Head of Sales" ; :salary 60000 ;
    :hireDate "2021-09-01"^^xsd:date ; :office :mad .
:eng a :Department ; rdfs:label "Engineering" ; :head :e3 .
:sal a :Department ; rdfs:label "Sales" ; :head :e4 .
:ber a :Office ; rdfs:label "Spree House" ; :city :berlin .
:mad a :Office ; rdfs:label "Sol House" ; :city :madrid .
:berlin a :City ; rdfs:label "Berlin" . :madrid a :City ; rdfs:label "Madrid" .
:py a :Skill ; rdfs:label "Python" . :java a :Skill ; rdfs:label "Java" .
"""


@pytest.fixture(scope="module")
def staff() -> Iterator[isomatch.Session]:
    with opened(STAFF) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who works in Spree House?", "Carla, Bob and Alice."),
        ("Who works in Madrid?", "Dan."),  # whose office is there
        ("Where does Dan work?", "Sol House."),
        ("How many employees are there in Berlin?", "3."),
        ("Who is paid the most?", "Carla."),
        ("Highest paid employee", "Carla."),
        ("Average salary in Engineering", "100000."),
        ("What is the average salary in the Engineering department?", "100000."),
        ("Who knows Python?", "Bob and Alice."),
        ("Who knows Python but not Java?", "Bob."),
        ("Who joined in 2020?", "Bob."),
        ("What is Dan's job?", "Head of Sales."),
        ("Which department has the most employees?", "Engineering."),  # and not the most heads
        ("Departments with more than one employee", "Engineering."),
    ],
)
def test_pay_skills_offices_and_departments(
    staff: isomatch.Session, question: str, text: str
) -> None:
    assert staff.ask(question).text == text


BANKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:hans a :Customer ; rdfs:label "Hans" ; :country :de ; :address :linden .
:marie a :Customer ; rdfs:label "Marie" ; :country :fr ; :address :lac .
:alpha a :Bank ; rdfs:label "Alpha" ; :country :de .
:beta a :Bank ; rdfs:label "Beta" ; :country :fr .
:de a :Country ; rdfs:label "Germany" . :fr a :Country ; rdfs:label "France" .
:linden a :Address ; rdfs:label "Lindenweg 4" . :lac a :Address ; rdfs:label "Rue du Lac 9" .
:f1 a :Film ; rdfs:label "Night Train" ; :director :marie ; :sequelOf :f2 .
:f2 a :Film ; rdfs:label "Night Bus" ; :director :hans .
:w1 a :Prize ; rdfs:label "Prize 1" ; :film :f2 ; :recipient :marie .
"""


@pytest.fixture(scope="module")
def banks() -> Iterator[isomatch.Session]:
    with opened(BANKS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who lives in Germany?", {"Hans"}),  # and no bank
        ("Which banks are in Germany?", {"Alpha"}),
        ("Who lives at Rue du Lac 9?", {"Marie"}),  # and no country of those
        ("What are Marie's films?", {"Night Train"}),  # and not that of her prize
        ("Which film is Night Train the sequel of?", {"Night Bus"}),
        ("French customers", {"Marie"}),
    ],
)
def test_who_lives_somewhere_and_what_is_theirs(
    banks: isomatch.Session, question: str, names: set[str]
) -> None:
    assert {found.name for found in banks.ask(question).answers} == names
