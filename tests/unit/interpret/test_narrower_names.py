"""What an answer tells where the graph's relation says more than the question did."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

import isomatch

TOWNS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:arden a :Town ; rdfs:label "Arden" ; :deputyMayor :ann ; :plannedStadium :elm ; :areaCode 39 ;
  :inCountry :se .
:belby a :Town ; rdfs:label "Belby" ; :deputyMayor :cy ; :areaCode 47 ; :inCountry :no .
:elm a :Stadium ; rdfs:label "Elm Park" ; :estimatedCost 5 ;
  :expectedOpening "2027-01-01"^^xsd:date .
:oak a :Stadium ; rdfs:label "Oak Park" ; :estimatedCost 9 ;
  :expectedOpening "2028-01-01"^^xsd:date .
:pat a :Patient ; rdfs:label "Pat Moss" ; :allergicTo :ibu ; :refusedTreatment :xray ;
  :shoeSize 38 ; :treatedBy :ann .
:quin a :Patient ; rdfs:label "Quin Oak" ; :allergicTo :asp ; :refusedTreatment :mri ;
  :shoeSize 44 ; :treatedBy :cy .
:ibu a :Drug ; rdfs:label "Ibuprofen" . :asp a :Drug ; rdfs:label "Aspirin" ; :bannedIn :se .
:xray a :Treatment ; rdfs:label "X-ray" . :mri a :Treatment ; rdfs:label "MRI" .
:se a :Country ; rdfs:label "Sweden" . :no a :Country ; rdfs:label "Norway" .
:ann a :Doctor ; rdfs:label "Ann Lee" ; :lostCases 3 . :cy a :Doctor ; rdfs:label "Cy Fox" ;
  :lostCases 5 .
"""


@pytest.fixture(scope="module")
def towns() -> Iterator[isomatch.Session]:
    with opened(TOWNS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is the mayor of Arden?", "“mayor of” means “deputy mayor”"),
        ("Which towns have a mayor?", "“mayor” means “deputy mayor”"),
        ("Is Ann Lee the mayor of Arden?", "“mayor of” means “deputy mayor”"),
        ("Which stadium does Arden have?", "“stadium” means “planned stadium”"),
        ("How much does Elm Park cost?", "“cost” means “estimated cost”"),
        ("Which stadium is the most expensive?", "“most expensive” means “estimated cost”"),
        ("Which stadium is the newest?", "“newest” means “expected opening”"),
        ("When did Elm Park open?", "“open” means “expected opening”"),
        ("the largest patient", "“largest” means “shoe size”"),
        ("How many cases did Ann Lee have?", "“cases” means “lost cases”"),
    ],
)
def test_what_the_relation_says_beside_the_words_is_told(
    towns: isomatch.Session, question: str, told: str
) -> None:
    answer = asked(towns, question)
    assert answer is not None
    assert answer.text.startswith(f"If {told}: ")


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("Which patients had an MRI?", "refused treatment"),
        ("drugs of Pat Moss", "allergic to"),
        ("Which patients have Aspirin?", "allergic to"),
        ("How many patients have Aspirin?", "allergic to"),
        ("Which drug has the most patients?", "allergic to"),
        ("drugs in Sweden", "banned in"),
    ],
)
def test_a_relation_that_no_word_says_is_told(
    towns: isomatch.Session, question: str, relation: str
) -> None:
    answer = asked(towns, question)
    assert answer is not None
    assert answer.text.endswith(f" Joined by “{relation}”, which no word says.")


@pytest.mark.parametrize(
    "question",
    [
        "Who is the deputy mayor of Arden?",
        "Which stadium is planned in Arden?",
        "Which patients refused an MRI?",
        "Which treatment did Pat Moss refuse?",
        "What is the estimated cost of Elm Park?",
        "Which drugs is Pat Moss allergic to?",
        "Which drugs are banned in Sweden?",
        "Which towns are in Sweden?",
        "Which doctor treated Pat Moss?",
        "How many cases did Ann Lee lose?",
    ],
)
def test_what_words_say_whole_is_answered_plainly(towns: isomatch.Session, question: str) -> None:
    answer = asked(towns, question)
    assert answer is not None
    assert not answer.text.startswith("If ")
    assert "Joined by" not in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Which town is the largest?",
        "How big is Arden?",
        "Is Cy Fox the mayor of Arden?",
        "How many cases did Ann Lee win?",
    ],
)
def test_codes_are_no_areas_and_a_part_of_a_name_denies_nothing(
    towns: isomatch.Session, question: str
) -> None:
    assert asked(towns, question) is None


NEGATIVE = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Driver ; rdfs:label "Ann Lee" ; :hasNoLicence true ; :isInactive true ; :worksFor :acme .
:bob a :Driver ; rdfs:label "Bob Ray" ; :hasNoLicence false ; :isInactive false ; :worksFor :acme .
:acme a :Company ; rdfs:label "Acme" ; :notListed true ; :nonProfit false .
:borg a :Company ; rdfs:label "Borg" ; :notListed false ; :nonProfit true .
"""


@pytest.fixture(scope="module")
def drivers() -> Iterator[isomatch.Session]:
    with opened(NEGATIVE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Does Ann Lee have a licence?", None),  # she "has no licence": it was yes
        ("Does Bob Ray have no licence?", {"False"}),
        ("Which companies are listed?", None),  # they were all, or those that are not
        ("Which companies are not listed?", {"Acme"}),
        ("Which drivers are active?", None),
        ("Which drivers are inactive?", {"Ann Lee"}),
        ("Is Ann Lee active?", None),
        ("Which companies are for profit?", None),
        ("What share of drivers works for Acme?", None),  # it was their names
    ],
)
def test_a_relation_that_says_what_is_not_is_no_opposite(
    drivers: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(drivers, question) == names


CLUBS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:rovers a :Club ; rdfs:label "Rovers" ; :pastPresident :ola ; :partlyFundedBy :brew ;
  :stadiumLost :hill ; :salesManager :pia ; :peakStaff 20 .
:brew a :Sponsor ; rdfs:label "Brewtek" . :hill a :Stadium ; rdfs:label "Hill Road" .
:ola a :Person ; rdfs:label "Former Ola" ; :formerMemberOf :green ; :deputyHeadOf :roads ;
  :votedAgainst :bill ; :livedFormerlyIn :mid ; :neverVisited :nor ;
  :exWife :pia ; :awardReceived :cup .
:pia a :Person ; rdfs:label "Pia Quist" .
:green a :Party ; rdfs:label "Greens" . :roads a :Department ; rdfs:label "Roads" .
:bill a :Bill ; rdfs:label "Rail Bill" . :nor a :Country ; rdfs:label "Norland" .
:cup a :Award ; rdfs:label "Gold Cup" .
:zol a :Medicine ; rdfs:label "Zolamine" ; :notRecommendedFor :kids .
:kids a :Group ; rdfs:label "Children" . :mid a :Country ; rdfs:label "Midland" .
:cal a :Medicine ; rdfs:label "Calmex" ; :bannedIn :mid .
:nl a :CancelledFlight ; rdfs:label "NL 12" ; :seats 30 .
:al a :Pensioner ; rdfs:label "Al Bo" ; :formerEmployer :brew .
"""


@pytest.fixture(scope="module")
def clubs() -> Iterator[isomatch.Session]:
    with opened(CLUBS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is the president of Rovers?", "“president” means “past president”"),
        ("Which sponsor funded Rovers?", "“funded” means “partly funded by”"),
        ("Which stadium does Rovers have?", "“stadium” means “stadium lost”"),
        ("Who is the manager of Rovers?", "“manager” means “sales manager”"),
        ("Which party is Former Ola a member of?", "“member” means “former member of”"),
        ("Who is the head of Roads?", "“head” means “deputy head of”"),
        ("Who is the husband of Pia Quist?", "“husband” means “ex wife”"),
        ("List all employees.", "“employees” means “former employer”"),
        ("How many flights are there?", "“flights” means “cancelled flight”"),
        ("How many staff does Rovers have?", "“staff” means “peak staff”"),
        ("Who lives in Midland?", "“lives” means “lived formerly in”"),
    ],
)
def test_words_before_and_after_the_head_of_a_name_are_told(
    clubs: isomatch.Session, question: str, told: str
) -> None:
    answer = asked(clubs, question)
    assert answer is not None
    assert answer.text.startswith(f"If {told}: ")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which country did Former Ola visit?", None),  # it was the one never visited
        ("Which countries did Former Ola never visit?", {"Norland"}),
        ("Which medicines are recommended for children?", None),
        ("Is Zolamine recommended for children?", None),
        ("Which medicines are not recommended for children?", {"Zolamine"}),
        ("Are there medicines in Norland?", None),  # `bannedIn` is not all that may be so
        ("How many cancelled flights are there?", {"1"}),
        ("Which awards did Former Ola receive?", {"Gold Cup"}),
    ],
)
def test_a_name_that_denies_is_said_by_words_that_deny(
    clubs: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(clubs, question) == names
