"""Who worked where and when, and who is whose parent: records that end, and nouns for both ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

import isomatch

CAREERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Bank rdfs:subClassOf :Company .
:tarn a :City ; rdfs:label "Tarn" ; :population 910000 .
:vell a :City ; rdfs:label "Vellby" ; :population 520000 .
:corvid a :Bank ; rdfs:label "Corvid Bank" ; :headquarters :tarn ; :foundedIn 1952 .
:brixo a :Company ; rdfs:label "Brixo" ; :headquarters :vell ; :foundedIn 1988 .
:nadia a :Person ; rdfs:label "Nadia Farouk" ; :livesIn :vell .
:ana a :Person ; rdfs:label "Ana Costa" ; :livesIn :tarn .
:ruth a :Person ; rdfs:label "Ruth Heads" ; :livesIn :tarn ; :surname "Heads" .
:e1 a :Employment ; :employee :nadia ; :employer :corvid ; :jobTitle "analyst" ; :salary 38000 ;
  :from "2004-09-01"^^xsd:date ; :to "2009-06-30"^^xsd:date .
:e2 a :Employment ; :employee :nadia ; :employer :brixo ; :jobTitle "director" ; :salary 90000 ;
  :from "2009-07-01"^^xsd:date .
:e3 a :Employment ; :employee :ana ; :employer :corvid ; :jobTitle "analyst" ; :salary 41000 ;
  :from "2010-01-04"^^xsd:date .
:d1 a :Division ; rdfs:label "Loans" ; :head :ana .
:d2 a :Division ; rdfs:label "Cards" ; :head :ruth .
"""

FAMILIES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:parentOf rdfs:label "parent of" . :diedIn rdfs:label "died in" . :livedIn rdfs:label "lived in" .
:tom a :Person ; rdfs:label "Tom Hart" ; :diedIn :bost ; :parentOf :joe , :han .
:mary a :Person ; rdfs:label "Mary Lunn" ; :diedIn :bost ; :causeOfDeath "fever" ; :parentOf :joe .
:ell a :Person ; rdfs:label "Ellen Pike" ; :diedIn :bost ; :parentOf :han .
:joe a :Person ; rdfs:label "Joe Hart" ; :parentOf :ros .
:han a :Person ; rdfs:label "Hannah Hart" .
:ros a :Person ; rdfs:label "Rose Hart" . :bost a :Place ; rdfs:label "Boston" .
:r1 a :Residence ; :resident :joe ; :livedIn :bost ; :startYear 1888 ; :endYear 1931 .
:m1 a :Marriage ; :husband :tom ; :wife :mary ; :marriedOn "1858-06-12"^^xsd:date .
"""

TRAINS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Regional rdfs:subClassOf :Train . :InterCity rdfs:subClassOf :Train .
:r1 a :Regional ; rdfs:label "R 1" ; :seats 90 . :r2 a :Regional ; rdfs:label "R 2" ; :seats 150 .
:ic a :InterCity ; rdfs:label "IC 1" ; :seats 420 .
:ann a :Town ; rdfs:label "Arn" . :bolt a :Town ; rdfs:label "Bolt" .
:cray a :Town ; rdfs:label "Cray" .
:s1 a :Stop ; rdfs:label "S1" ; :town :ann . :s2 a :Stop ; rdfs:label "S2" ; :town :bolt .
:a1 a :Road ; rdfs:label "A1" ; :connects :ann , :bolt .
:b2 a :Road ; rdfs:label "B2" ; :connects :ann , :cray .
"""

REVIEWS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:heat a :Film ; rdfs:label "Heat" ; :director :mann . :mann a :Person ; rdfs:label "Michael Mann" .
:r1 a :Review ; rdfs:label "A cold look" ; :about :heat ; :author :eve .
:eve a :Person ; rdfs:label "Eve Moss" .
"""

GRADES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Schueler ; rdfs:label "Anna Blum" ; :note 1.3 .
:b a :Schueler ; rdfs:label "Ben Dorn" ; :note 3.7 .
"""


@pytest.fixture(scope="module")
def careers() -> Iterator[isomatch.Session]:
    with opened(CAREERS) as session:
        yield session


@pytest.fixture(scope="module")
def families() -> Iterator[isomatch.Session]:
    with opened(FAMILIES) as session:
        yield session


@pytest.fixture(scope="module")
def trains() -> Iterator[isomatch.Session]:
    with opened(TRAINS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who worked at Corvid Bank?", {"Nadia Farouk", "Ana Costa"}),
        ("Which companies has Nadia Farouk worked for?", {"Corvid Bank", "Brixo"}),
        ("Who worked as an analyst?", None),
        ("Which analysts earn more than 40000?", None),
        ("Who is Heads?", None),
        ("bank companies founded before 1960", {"Corvid Bank"}),
        ("current employees of Corvid Bank", None),
    ],
)
def test_records_of_two_things_are_their_relation(
    careers: isomatch.Session, question: str, found: set[str] | None
) -> None:
    assert names_if_answered(careers, question) == found


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who works for Corvid Bank?", "If “works” means “works, at any time”: "),
        ("employees of Corvid Bank", "If “employees” means “employees, at any time”: "),
        ("Who is an analyst?", "If “analyst” means “analyst, at any time”: "),
        ("How many people live in Tarn?", "If “people live” means “population”: 910000."),
    ],
)
def test_what_may_have_ended_or_be_another_number_is_told(
    careers: isomatch.Session, question: str, told: str
) -> None:
    answer = asked(careers, question)
    assert answer is not None
    assert answer.text.startswith(told)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who had children with Tom Hart?", {"Mary Lunn", "Ellen Pike"}),
        ("father of Joe Hart", {"Tom Hart", "Mary Lunn"}),
        ("How did Mary Lunn die?", {"fever"}),
        ("How did Tom Hart die?", None),
        ("Who married in 1858?", None),
        ("Who lived in Boston?", {"Joe Hart"}),
    ],
)
def test_parents_are_no_children_and_nobody_is_a_marriage(
    families: isomatch.Session, question: str, found: set[str] | None
) -> None:
    assert names_if_answered(families, question) == found


def test_who_lives_somewhere_may_have_lived_there(families: isomatch.Session) -> None:
    answer = asked(families, "Who lives in Boston?")
    assert answer is not None
    assert answer.text == "If “lives” means “lives, at any time”: Joe Hart."


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("regional trains", {"R 1", "R 2"}),
        ("total number of seats of all regional trains", {"240"}),
        ("average number of seats of the intercity trains", {"420"}),
        ("roads between Arn and Bolt", {"A1"}),
        ("stops between Arn and Bolt", None),
        ("How many stops are there between Arn and Bolt?", None),
    ],
)
def test_subclasses_and_what_is_between_two_names(
    trains: isomatch.Session, question: str, found: set[str] | None
) -> None:
    assert names_if_answered(trains, question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [("Who wrote Heat?", None), ("Who wrote A cold look?", {"Eve Moss"})],
)
def test_who_wrote_a_review_did_not_write_the_film(question: str, found: set[str] | None) -> None:
    with opened(REVIEWS) as session:
        assert names_if_answered(session, question) == found


def test_the_best_german_grade_is_the_lowest_and_told() -> None:
    with opened(GRADES, language="de") as session:
        best = asked(session, "Wer hat die beste Note?")
        highest = asked(session, "Wer hat die höchste Note?")
    assert best is not None
    assert best.text == "Falls „beste“ für „niedrigste ‚note‘“ steht: Anna Blum."
    assert highest is not None
    assert highest.text == "Ben Dorn."


def test_a_name_that_begins_like_each_is_left_out_by_no_reading() -> None:
    lindqvist = ':per a :Person ; rdfs:label "Per Lindqvist" ; :livesIn :tarn .'
    with opened(f"{CAREERS}{lindqvist}".encode()) as session:
        answer = session.ask("What is the salary of Per Lindqvist?", interpreter="schema")
        assert not answer.supported
        assert "Per Lindqvist" in answer.text
