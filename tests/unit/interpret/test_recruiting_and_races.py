"""Applications, who is whose, numbers of years, passives, and graphs of which a part has types."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

FIRM = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Candidate ; rdfs:label "Ann Berg" ; :yearsOfExperience 8 ; :hasSkill :sql, :go .
:bob a :Candidate ; rdfs:label "Bob Lee" ; :yearsOfExperience 3 ; :hasSkill :go .
:cy a :Candidate ; rdfs:label "Cy Noor" ; :yearsOfExperience 12 ; :mentor :ann .
:ann :mentor :bob .
:sql a :Skill ; rdfs:label "SQL" . :go a :Skill ; rdfs:label "Go" .
:eve a :Employee ; rdfs:label "Eve Lang" ; :worksIn :sales ; :basedIn :bern ; :reportsTo :fay ;
  :jobTitle "Recruiter" .
:fay a :Employee ; rdfs:label "Fay Dorn" ; :worksIn :sales ; :basedIn :bern ;
  :jobTitle "Head of Sales" .
:sales a :Department ; rdfs:label "Sales" ; :budget 900 .
:bern a :Office ; rdfs:label "Bern Office" ; :desks 40 .
:post a :Position ; rdfs:label "Analyst" . :desk a :Position ; rdfs:label "Clerk" .
:lab a :Position ; rdfs:label "Chemist" .
:a1 a :Application ; :submittedBy :ann ; :forPosition :post ; :appliedOn "2024-01-05"^^xsd:date ;
  :status "withdrawn" .
:a2 a :Application ; :submittedBy :bob ; :forPosition :post ; :appliedOn "2024-02-06"^^xsd:date ;
  :status "open" .
:a3 a :Application ; :submittedBy :ann ; :forPosition :desk ; :appliedOn "2024-03-07"^^xsd:date ;
  :status "open" .
:i1 a :Interview ; :ofApplication :a1 ; :conductedBy :eve ; :score 4 ; :result "passed" ;
  :resultAt "2024-01-20"^^xsd:date ; rdfs:label "I-1" .
:i2 a :Interview ; :ofApplication :a2 ; :conductedBy :eve ; :score 2 ; :result "failed" ;
  :resultAt "2024-02-20"^^xsd:date ; rdfs:label "I-2" .
:f1 a :Order ; rdfs:label "O-1" ; :fine 500 . :f2 a :Order ; rdfs:label "O-2" ; :fine 750 .
"""


@pytest.fixture(scope="module")
def firm() -> Iterator[isomatch.Session]:
    with opened(FIRM) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who applied for Analyst?", {"Ann Berg", "Bob Lee"}),
        ("Which candidates applied for Clerk?", {"Ann Berg"}),
        ("What did Bob Lee apply for?", {"Analyst"}),
        ("When did Bob Lee apply?", {"2024-02-06"}),
        ("Who applied before February 2024?", {"Ann Berg"}),
        ("Who applied for both Analyst and Clerk?", {"Ann Berg"}),
        ("Who applied for Analyst and Clerk?", {"Ann Berg"}),
    ],
)
def test_an_application_says_who_applied(
    firm: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(firm, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Whose application was withdrawn?", None),  # an interview "of application" has none
        ("Whose job is Recruiter?", {"Eve Lang"}),
        ("Whose boss is Fay Dorn?", {"Eve Lang"}),
        ("Who is the boss of Eve Lang?", {"Fay Dorn"}),
        ("Whose rank is Fay Dorn?", None),  # nobody is a job title
        ("Who is the manager of Eve Lang?", None),
    ],
)
def test_whose_asks_for_those_who_have_it(
    firm: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(firm, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where does Eve Lang work?", None),  # a department is not where
        ("Where is Eve Lang based?", {"Bern Office"}),
        ("Which department does Eve Lang work in?", {"Sales"}),
    ],
)
def test_where_asks_for_no_department_beside_an_office(
    firm: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(firm, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who has more than 6 years of experience?", {"Ann Berg", "Cy Noor"}),
        ("Candidates with at least 8 years of experience", {"Ann Berg", "Cy Noor"}),
        ("Which candidate has the most experience?", {"Cy Noor"}),
        ("Who is more experienced than Ann Berg?", {"Cy Noor"}),
        ("Who is the oldest candidate?", None),  # years of experience are no age
        ("Who has more than 30 desks?", None),  # offices have
    ],
)
def test_a_number_of_years_is_no_date(
    firm: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(firm, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which candidates know SQL?", {"Ann Berg"}),
        ("Does Bob Lee know Go?", {"True"}),
    ],
)
def test_who_has_a_skill_knows_it(firm: isomatch.Session, question: str, names: set[str]) -> None:
    assert names_if_answered(firm, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is mentored by Ann Berg?", {"Cy Noor"}),
        ("Who is Ann Berg mentored by?", {"Bob Lee"}),
        ("Who has Ann Berg been mentored by?", {"Bob Lee"}),
        ("Who does Ann Berg mentor?", {"Cy Noor"}),
        ("Who mentors Ann Berg?", {"Bob Lee"}),
        ("Is Ann Berg mentored by Bob Lee?", {"True"}),
        ("Is Bob Lee mentored by Ann Berg?", None),
    ],
)
def test_a_passive_says_who_did_it_where_both_are_of_one_kind(
    firm: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(firm, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the result of I-1?", {"passed"}),
        ("When was the result of I-1?", {"2024-01-20"}),
        ("Fines over 600", {"750"}),
        ("Which fines are over 600?", {"750"}),
        ("Orders with a fine over 600", {"O-2"}),
        ("Which orders have fines over 600?", {"O-2"}),
    ],
)
def test_a_name_that_is_said_whole_and_values_that_are_asked_for(
    firm: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(firm, question) == names


RACES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ida a :Athlete ; rdfs:label "Ida Holm" ; :birthPlace :aske ; :coach :lund ; :retiredIn 2023 .
:pia a :Athlete ; rdfs:label "Pia Roth" ; :birthPlace :port ; :coach :lund .
:lund rdfs:label "Greta Lund" ; :birthPlace :aske .
:aske rdfs:label "Aske" ; :elevation 12 . :port rdfs:label "Port" ; :elevation 230 .
:pine rdfs:label "Pine Park" ; :location :aske ; :seatingCapacity 18000 .
:m1 a :Meeting ; rdfs:label "Aske Games" ; :venue :pine ; :startDate "2022-06-10"^^xsd:date .
:m2 a :Meeting ; rdfs:label "Port Games" ; :venue :pine ; :startDate "2024-06-10"^^xsd:date .
:r1 a :Result ; rdfs:label "R-1" ; :athlete :ida ; :meeting :m1 ; :timeSeconds 45.3 .
:r2 a :Result ; rdfs:label "R-2" ; :athlete :pia ; :meeting :m2 ; :timeSeconds 2044 .
"""


@pytest.fixture(scope="module")
def races() -> Iterator[isomatch.Session]:
    with opened(RACES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which meetings were held after 2023?", {"Port Games"}),  # by no number of seats
        ("Which meetings started after 2023?", {"Port Games"}),
        ("Where was Ida Holm's coach born?", {"Aske"}),
        ("When did Ida Holm retire?", {"2023"}),
        ("Who retired before 2024?", {"Ida Holm"}),
        ("Results with a time under 100 seconds", {"R-1"}),
    ],
)
def test_things_without_a_type_are_none_of_a_type(
    races: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(races, question) == names


TOWNS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Candidate ; rdfs:label "Ann Berg" ; :city "Bern" ; :birthPlace :basel .
:bob a :Candidate ; rdfs:label "Bob Lee" ; :city "Ulm" .
:uni a :University ; rdfs:label "Aare University" ; :city "Bern" ; :students 300 .
:basel a :Town ; rdfs:label "Basel" .
:eve a :Employee ; rdfs:label "Eve Lang" . :fay a :Employee ; rdfs:label "Fay Dorn" .
:i1 a :Interview ; rdfs:label "I-1" ; :conductedBy :eve ; :score 4 ; :mood "calm" ;
  :scheduledFor "2024-04-09"^^xsd:date .
:i2 a :Interview ; rdfs:label "I-2" ; :conductedBy :eve ; :score 3 ; :mood "calm" ;
  :scheduledFor "2024-05-09"^^xsd:date .
:i3 a :Interview ; rdfs:label "I-3" ; :conductedBy :fay ; :score 1 ;
  :scheduledFor "2024-04-19"^^xsd:date .
"""


@pytest.fixture(scope="module")
def towns() -> Iterator[isomatch.Session]:
    with opened(TOWNS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where does Ann Berg live?", {"Bern"}),
        ("Who lives in Bern?", {"Ann Berg"}),  # and no university
        ("Where is Aare University?", {"Bern"}),
        ("Where was Ann Berg born?", {"Basel"}),
        ("Where is Bob Lee?", None),  # at home or not
        ("Where is Ann Berg?", None),
        ("Who is Bern?", None),
        ("Where did the interviews take place?", None),
        ("Where did the interviews happen?", None),
    ],
)
def test_where_is_said_by_texts_that_are_called_places(
    towns: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(towns, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which interviews took place in April 2024?", {"I-1", "I-3"}),
        ("Average score of interviews by Eve Lang", {"3.5"}),
        ("Average score in interviews by Eve Lang", {"3.5"}),
        ("How many interviews by Eve Lang were in April 2024?", {"1"}),
    ],
)
def test_what_is_by_somebody_who_did_what_it_records(
    towns: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(towns, question) == names
