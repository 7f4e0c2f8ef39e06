"""A graph as Neo4j's POLE example: numbers in texts, keys of things, names that several have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

POLE = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Crime ; rdfs:label "C-1" ; :type "Burglary" ; :date "11/08/2017" ; :occurredAt :l1 ;
  :investigatedBy :o1 ; :lastOutcome "Under investigation" .
:c2 a :Crime ; rdfs:label "C-2" ; :type "Drugs" ; :date "9/08/2017" ; :occurredAt :l1 ;
  :investigatedBy :o2 ; :lastOutcome "Local resolution" .
:c3 a :Crime ; rdfs:label "C-3" ; :type "Drugs" ; :date "20/08/2017" ; :occurredAt :l2 ;
  :investigatedBy :o2 ; :lastOutcome "Local resolution" .
:v1 a :Vehicle ; rdfs:label "AB12 CDE" ; :make "Cadillac" ; :model "IS" ; :year "2004" ;
  :involvedIn :c2 .
:v2 a :Vehicle ; rdfs:label "XY34 ZZZ" ; :make "Geo" ; :model "Metro" ; :year "1989" .
:v3 a :Vehicle ; rdfs:label "GH56 JKL" ; :make "Cadillac" ; :model "Escalade" ; :year "2011" .
:l1 a :Location ; rdfs:label "M9 8DA" ; :address "12 Lily Avenue" ; :locationInArea :m9 .
:l2 a :Location ; rdfs:label "M1 1AA" ; :address "3 Lee Lane" ; :locationInArea :m1 .
:m9 a :Area ; rdfs:label "M9" . :m1 a :Area ; rdfs:label "M1" .
:p1 a :PostCode ; rdfs:label "M9 8DA" ; :postcodeInArea :m9 .
:p2 a :PostCode ; rdfs:label "M1 1AA" ; :postcodeInArea :m1 .
:l1 :hasPostcode :p1 . :l2 :hasPostcode :p2 .
:o1 a :Officer ; rdfs:label "Even" ; :surname "Cole" ; :rank "Sergeant" ; :badgeNo "80-1" .
:o2 a :Officer ; rdfs:label "Mada" ; :surname "Reid" ; :rank "Inspector" ; :badgeNo "70-2" .
:ann a :Person ; rdfs:label "Ann" ; :surname "Edwards" ; :partyTo :c2 ; :currentAddress :l2 ;
  :hasPhone :t1 ; :familyRel :bob ; :hasEmail :e1 .
:ann2 a :Person ; rdfs:label "Ann" ; :surname "Moore" ; :partyTo :c3 ; :currentAddress :l1 ;
  :hasPhone :t2 ; :hasEmail :e2 .
:bob a :Person ; rdfs:label "Bob" ; :surname "Edwards" ; :currentAddress :l2 .
:t1 a :Phone ; rdfs:label "8-657" . :t2 a :Phone ; rdfs:label "4-974" .
:e1 a :Email ; rdfs:label "Mail 1" ; :emailAddress "ann@x.org" .
:e2 a :Email ; rdfs:label "Mail 2" ; :emailAddress "moore@x.org" .
:k1 a :PhoneCall ; rdfs:label "K-1" ; :callDuration "9" ; :callTime "09:27" ; :caller :t1 .
:k2 a :PhoneCall ; rdfs:label "K-2" ; :callDuration "38" ; :callTime "10:40" ; :caller :t2 .
"""


@pytest.fixture(scope="module")
def pole() -> Iterator[isomatch.Session]:
    with opened(POLE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the longest call?", {"K-2"}),  # 38 is more than 9, though "9" is not
        ("Which is the oldest vehicle?", {"XY34 ZZZ"}),
        ("What is the longest call duration?", {"38"}),
        ("How many vehicles are from before 1990?", {"1"}),
        ("Which calls have a call duration over 10?", {"K-2"}),
    ],
)
def test_texts_that_are_numbers_are_compared(
    pole: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(pole, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "How many vehicles were made after 2010?",  # a make is no year
        "Which officers have a badge number over 75?",
    ],
)
def test_texts_that_are_no_numbers_are_compared_with_none(
    pole: isomatch.Session, question: str
) -> None:
    assert asked(pole, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many people named Ann are there?", {"2"}),
        ("How many people called Bob are there?", {"1"}),
        ("How many phones do people named Ann have?", {"2"}),
        ("How many people named Ann were linked to crimes?", {"2"}),
        ("How many officers named Even are there?", {"1"}),
    ],
)
def test_people_of_a_name_are_all_of_them(
    pole: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(pole, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("On 9/08/2017, how many crimes occurred?", {"1"}),
        ("On August 20, 2017, which crimes involved Ann?", {"C-3"}),
        ("In area M9, how many crimes happened?", {"2"}),
        ("At 09:27, how many calls were there?", {"1"}),
    ],
)
def test_what_stands_before_the_sentence_is_read_behind_it(
    pole: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(pole, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What locations are within the M9 area code?", {"M9 8DA"}),
        ("Which area contains the postcode M9 8DA?", {"M9"}),
        ("How many crimes happened in M9?", {"2"}),
        ("How many crimes are there in area M9?", {"2"}),
        ("What is the most recent crime in the M9 area?", {"C-1"}),
        ("How many people live in the M1 area?", {"2"}),
        ("Which area had the most crimes?", {"M9"}),
        ("Who lives at 3 Lee Lane?", {"Ann", "Bob"}),
        ("Who resides at 12 Lily Avenue?", {"Ann"}),
        ("What are the residences of people with surname Moore?", {"M9 8DA"}),
        ("What are the residences at 3 Lee Lane for people with surname Edwards?", {"M1 1AA"}),
        ("What are the addresses of people with surname Edwards?", {"3 Lee Lane"}),
        ("What is the email address of people with surname Moore?", {"moore@x.org"}),
    ],
)
def test_places_and_addresses_are_those_where_somebody_or_something_is(
    pole: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(pole, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which Inspectors investigated crimes?", {"Mada"}),
        ("What are the badge numbers of Sergeants?", {"80-1"}),
        ("How many Cadillacs are there?", {"2"}),
        ("How many Cadillacs were involved in crimes?", {"1"}),
    ],
)
def test_plurals_with_capitals_are_those_of_a_rank_or_a_make(
    pole: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(pole, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many offenses are there?", {"3"}),
        ("What is the total number of crimes?", {"3"}),
        ("How many crimes marked as Local resolution are there?", {"2"}),
        ("How many crimes are marked as Local resolution?", {"2"}),
        ("Who are the officers who investigated drugs crimes?", {"Mada"}),
        ("Which officers looked into crimes at 12 Lily Avenue?", {"Even", "Mada"}),
        ("What is the most recent crime involving someone with last name Moore?", {"C-3"}),
        ("Who are the relatives of Bob?", {"Ann"}),
        ("What are the phone numbers of people with surname Edwards?", {"8-657"}),
        ("Whose phone number is 4-974?", {"Ann"}),
        ("How many people possess a phone?", {"2"}),
    ],
)
def test_other_words_for_the_same(pole: isomatch.Session, question: str, names: set[str]) -> None:
    assert names_found(pole, question) == names


def test_a_name_in_capitals_is_no_small_word(pole: isomatch.Session) -> None:
    assert asked(pole, "What is the tallest?") is None
    assert names_found(pole, "Which vehicles are of the model IS?") == {"AB12 CDE"}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many calls lasted 38 seconds?", "1."),
        ("Which calls were longer than 20 seconds?", "K-2."),
    ],
)
def test_the_unit_of_a_duration_is_a_guess_that_is_told(
    pole: isomatch.Session, question: str, text: str
) -> None:
    said, _, found = pole.ask(question).text.partition(": ")
    assert said.endswith("means “the unit of call duration”")
    assert found == text


def test_a_superlative_of_what_few_things_have_is_told() -> None:
    more = POLE + ':bob :age "12" .'
    with opened(more) as session:
        told = session.ask("Who is the oldest person?").text
    assert told == "If “oldest” means “oldest of the 1 of 3 with ‘age’”: Bob."


@pytest.mark.parametrize(
    "question", ["How many calls were made at 09:27?", "At 09:27, how many calls were made?"]
)
def test_that_calls_were_made_says_no_more(pole: isomatch.Session, question: str) -> None:
    assert names_found(pole, question) == {"1"}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which crimes happened after 15/08/2017?", {"C-3"}),
        ("How many crimes happened between 8/08/2017 and 10/08/2017?", None),  # August, or not
        ("Which crimes happened since 20/08/2017?", {"C-3"}),
    ],
)
def test_dates_with_slashes_are_compared_where_one_number_is_no_month(
    pole: isomatch.Session, question: str, names: set[str] | None
) -> None:
    answer = asked(pole, question)
    assert (answer and {node.name for node in answer.answers}) == names


def test_a_name_of_very_many_things_means_all_of_them() -> None:
    parks = "".join(
        f':park{n} a :Location ; rdfs:label "Parking Area" ; :locationInArea :area{n} .'
        f':area{n} a :Area ; rdfs:label "Area {n}" .'
        for n in range(40)
    )
    with opened(POLE + parks) as session:
        assert len(session.ask("Which areas is Parking Area in?").answers) == 40
        assert names_found(session, "How many areas have Parking Area?") == {"40"}
