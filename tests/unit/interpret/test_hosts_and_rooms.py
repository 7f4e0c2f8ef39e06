"""Hosts with sizes and dates seen, and rooms, theses and people of a school."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch
from isomatch.errors import InterpretationError

PREFIXES = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
HOSTS = f"""{PREFIXES}
:a a :Host ; rdfs:label "alpha" ; :memoryGb 64 ; :cpuCores 8 ; :ipAddress "10.0.0.1" ;
  :firstSeen "2019-03-02"^^xsd:date ; :lastSeen "2024-05-30"^^xsd:date ; :isRetired false .
:b a :Host ; rdfs:label "bravo" ; :memoryGb 8 ; :cpuCores 2 ; :ipAddress "10.0.0.2" ;
  :firstSeen "2021-03-02"^^xsd:date ; :lastSeen "2023-01-30"^^xsd:date ; :isRetired true .
:c a :Host ; rdfs:label "charlie" ; :memoryGb 16 ; :cpuCores 8 ; :ipAddress "10.0.0.3" ;
  :firstSeen "2023-03-02"^^xsd:date ; :lastSeen "2024-04-30"^^xsd:date ; :isRetired false .
:ann a :User ; rdfs:label "Ann Moor" ; :isAdmin true ; :mfaEnabled true ; :uses :a .
:bo a :User ; rdfs:label "Bo Lind" ; :isAdmin true ; :mfaEnabled false ; :uses :b .
:cy a :User ; rdfs:label "Cy Reed" ; :isAdmin false ; :mfaEnabled false ; :uses :c .
:p1 a :Patch ; rdfs:label "KB1" ; :sizeMb 310 ; :releasedOn "2021-07-06"^^xsd:date .
:p2 a :Patch ; rdfs:label "KB2" ; :sizeMb 12 ; :releasedOn "2023-07-06"^^xsd:date .
"""
SCHOOL = f"""{PREFIXES}
:tuitionPerYear rdfs:label "tuition per year (EUR)" .
:r1 a :Room ; rdfs:label "R-1" ; :roomType "lecture hall" ; :capacity 90 ; :inBuilding :old .
:r2 a :Room ; rdfs:label "R-2" ; :roomType "seminar room" ; :capacity 30 ; :inBuilding :old .
:r3 a :Room ; rdfs:label "R-3" ; :roomType "seminar room" ; :capacity 12 ; :inBuilding :new .
:old a :Building ; rdfs:label "Old Hall" . :new a :Building ; rdfs:label "New Hall" .
:ann a :Student , :Tutor ; rdfs:label "Ann Moor" ; :startedOn "2021-09-01"^^xsd:date ;
  :advisedBy :pat ; :hourlyWage 15 .
:bo a :Student ; rdfs:label "Bo Lind" ; :startedOn "2023-02-01"^^xsd:date ; :advisedBy :pat .
:cy a :Student ; rdfs:label "Cy Reed" ; :startedOn "2023-09-01"^^xsd:date .
:pat a :Professor ; rdfs:label "Pat Finch" .
:t1 a :Thesis ; rdfs:label "On Yeast" ; :writtenBy :ann ; :numPages 90 ; :finalGrade 7.5 ;
  :submittedOn "2023-06-12"^^xsd:date .
:t2 a :Thesis ; rdfs:label "On Moss" ; :writtenBy :bo ; :numPages 60 ; :finalGrade 9.0 ;
  :submittedOn "2023-08-20"^^xsd:date .
:m1 a :Programme ; rdfs:label "Botany" ; :tuitionPerYear 2300 .
:m2 a :Programme ; rdfs:label "Zoology" ; :tuitionPerYear 4200 .
"""


@pytest.fixture(scope="module")
def hosts() -> Iterator[isomatch.Session]:
    with opened(HOSTS.encode()) as session:
        yield session


@pytest.fixture(scope="module")
def school() -> Iterator[isomatch.Session]:
    with opened(SCHOOL.encode()) as session:
        yield session


def found(session: isomatch.Session, question: str) -> list[str]:
    return sorted(names_found(session, question))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which hosts have less than 16 GB of memory?", ["bravo"]),
        ("Which hosts have 64 GB of memory?", ["alpha"]),
        ("Which patches are bigger than 100 MB?", ["KB1"]),
        ("patches larger than 0.1 GB", ["KB1"]),
        ("Which hosts have 8 cpu cores?", ["alpha", "charlie"]),
        ("Which host has IP 10.0.0.2?", ["bravo"]),
    ],
)
def test_a_number_with_a_unit_or_noun_is_that_of_the_relation(
    hosts: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(hosts, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("hosts seen before 2020", ["alpha"]),
        ("hosts seen since 2024", ["alpha", "charlie"]),
        ("Which hosts have not been seen since March 2024?", ["bravo"]),
        ("Which host was seen most recently?", ["alpha"]),
        ("Which host was first seen most recently?", ["charlie"]),
        ("Which patch was released most recently?", ["KB2"]),
    ],
)
def test_what_was_seen_since_a_date_was_last_seen_then_and_before_it_first(
    hosts: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(hosts, question) == names


@pytest.mark.parametrize("question", ["hosts seen in 2021", "When will alpha be retired?"])
def test_a_date_that_the_graph_may_not_have_is_refused(
    hosts: isomatch.Session, question: str
) -> None:
    try:
        answer = hosts.ask(question, interpreter="schema")
    except InterpretationError:
        return
    assert not answer.supported


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which admins have no MFA?", ["Bo Lind"]),
        ("users without MFA", ["Bo Lind", "Cy Reed"]),
        ("How many admins are there?", ["2"]),
        ("wich users have MFA enabled?", ["Ann Moor"]),
    ],
)
def test_a_noun_for_yes_or_no_describes_what_has_it(
    hosts: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(hosts, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List the seminar rooms", ["R-2", "R-3"]),
        ("lecture halls in Old Hall", ["R-1"]),
        ("Which seminar room has the most seats?", ["R-2"]),
        ("Which seminar rooms are in New Hall?", ["R-3"]),
    ],
)
def test_the_name_of_a_sort_stands_for_things_of_it(
    school: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(school, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who started in 2023?", ["Bo Lind", "Cy Reed"]),
        ("Which students have no advisor?", ["Cy Reed"]),
        ("Who started first?", ["Ann Moor"]),
    ],
)
def test_a_type_within_another_does_not_make_two_of_them(
    school: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(school, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("theses submitted between June and July 2023", ["On Yeast"]),
        ("theses submitted between 1 and 30 June 2023", ["On Yeast"]),
        ("theses submitted from 1 June to 31 August 2023", ["On Moss", "On Yeast"]),
    ],
)
def test_a_range_of_dates_may_say_its_year_once(
    school: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(school, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which is the longest thesis by number of pages?", ["On Yeast"]),
        ("What is the average number of pages of a thesis?", ["75"]),
        ("Which thesis got the best final grade?", ["On Moss"]),
        ("Which programmes cost less than 4000 per year?", ["Botany"]),
        ("What is the cheapest programme?", ["Botany"]),
        ("How much does Ann Moor earn per hour?", ["15"]),
    ],
)
def test_measures_are_asked_for_by_what_people_call_them(
    school: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(school, question) == names


GYMS = f"""{PREFIXES}
:g1 a :Gym ; rdfs:label "Iron House" ; :monthlyFee 40 ; :joiningFee 10 ; :type "boxing gym" ;
  :rating 5 .
:g2 a :Gym ; rdfs:label "Flex Point" ; :monthlyFee 30 ; :joiningFee 90 ; :type "climbing gym" .
:ann a :Member , :Person ; rdfs:label "Ann Moor" ; :joinedOn "2019-05-01"^^xsd:date .
:di a :Trainer , :Person ; rdfs:label "Di Wolf" ; :trains :ann ; :joinedOn "2015-01-01"^^xsd:date .
:ed a :Trainer , :Person ; rdfs:label "Ed Cole" ; :joinedOn "2020-01-01"^^xsd:date .
"""


@pytest.fixture(scope="module")
def gyms() -> Iterator[isomatch.Session]:
    with opened(GYMS.encode()) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which persons are trainers?", ["Di Wolf", "Ed Cole"]),
        ("Which climbing gyms are there?", ["Flex Point"]),
        ("Who joined most recently?", ["Ed Cole"]),
    ],
)
def test_classes_that_are_others_are_those_of_both(
    gyms: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(gyms, question) == names


@pytest.mark.parametrize("question", ["Which gym is the cheapest?", "Which gyms have 5 ratings?"])
def test_one_of_several_fees_and_a_plural_of_values_are_no_number_asked_for(
    gyms: isomatch.Session, question: str
) -> None:
    assert not gyms.ask(question, interpreter="schema").supported
