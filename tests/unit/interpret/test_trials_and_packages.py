"""Types called by their last word, what several words say together, and what no word says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

PACKAGES = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ox a :Package ; rdfs:label "Oxide" ; :maintainedBy :ann , :ben ; :ownedBy :elm ;
    :writtenIn "Rust" ; :stars 90 .
:fig a :Package ; rdfs:label "Figplot" ; :maintainedBy :ann ; :ownedBy :elm ; :stars 40 ;
    :writtenIn "Python" .
:lark a :Package ; rdfs:label "Larkspur" ; :maintainedBy :cleo ; :writtenIn "Python" ; :stars 8 .
:ox1 a :Release ; rdfs:label "Oxide 1" ; :releaseOf :ox . :fig2 a :Release ; :releaseOf :fig ;
    rdfs:label "Figplot 2" . :lark3 a :Release ; rdfs:label "Larkspur 3" ; :releaseOf :lark .
:n1 a :Need ; :neededBy :ox1 ; :requiresPackage :lark .
:n2 a :Need ; :neededBy :fig2 ; :requiresPackage :ox .
:adv a :Advisory ; rdfs:label "ADV-1" ; :affects :ox1 ; :severity "critical" ; :reportedBy :cleo .
:ann a :Member ; rdfs:label "Ann Roe" ; :worksFor :elm . :elm a :Company ; rdfs:label "Elm Labs" .
:ben a :Member ; rdfs:label "Ben Poe" ; :mentoredBy :ann . :cleo a :Member ; rdfs:label "Cleo Fox" .
:t1 a :ClinicalTrial ; rdfs:label "Restwell" ; :trialStatus "recruiting" ; :budgetEur 500 ;
    :sponsor :elm ; :startDate "2021-04-01"^^xsd:date ; :conductedAt :oslo , :graz ; :arm :a1 .
:t2 a :ClinicalTrial ; rdfs:label "Breathe" ; :trialStatus "completed" ; :budgetEur 900 ;
    :sponsor :elm ; :startDate "2023-05-02"^^xsd:date ; :endDate "2024-01-05"^^xsd:date ;
    :conductedAt :oslo ; :arm :a2 .
:a1 a :Arm ; rdfs:label "High dose" . :a2 a :Arm ; rdfs:label "Placebo" .
:oslo a :Site ; rdfs:label "Oslo Clinic" ; :coordinatedBy :gil .
:graz a :Site ; rdfs:label "Graz Clinic" ; :coordinatedBy :hana .
:gil a :Investigator ; rdfs:label "Gil Aas" .
:hana a :Investigator ; rdfs:label "Hana Lind" ; :mentoredBy :gil .
"""


@pytest.fixture(scope="module")
def packages() -> Iterator[isomatch.Session]:
    with opened(PACKAGES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        # A clinical trial with a trial status is a trial.
        ("Which trials are recruiting?", {"Restwell"}),
        ("Trials conducted at at least two sites", {"Restwell"}),
        ("Which trials have a larger budget than Restwell?", {"Breathe"}),
        ("How many trials does Elm Labs sponsor?", {"2"}),
        ("Which trials began in 2023?", {"Breathe"}),
        ("When did Breathe finish?", {"2024-01-05"}),
        ("Who was mentored by Gil Aas?", {"Hana Lind"}),
        ("Which members maintain packages written in Python?", {"Ann Roe", "Cleo Fox"}),
        ("Which members only maintain packages written in Python?", {"Cleo Fox"}),
        ("Which members maintain only packages written in Python?", {"Cleo Fox"}),
        ("Which packages are only maintained by Ann Roe?", {"Figplot"}),
        ("Which packages does Ann Roe maintain but Ben Poe does not?", {"Figplot"}),
        ("packages that Ann Roe maintains but Ben Poe doesn't", {"Figplot"}),
        ("Which packages have 40 or more stars?", {"Oxide", "Figplot"}),
        ("Which packages have 40 or fewer stars?", {"Figplot", "Larkspur"}),
        ("Which packages were written in Rust?", {"Oxide"}),
    ],
)
def test_words_of_several_parts_of_a_schema_are_read(
    packages: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(packages, question) == names


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("Which packages does ADV-1 affect?", {"Larkspur"}),  # what the affected release requires
        ("Which packages require Oxide?", {"Oxide"}),
        ("Which members have a package with a critical advisory?", {"Cleo Fox"}),  # who told it
        ("Which packages were bought by Ann Roe?", {"Oxide", "Figplot"}),  # by whom she works for
        ("Which members only maintain packages?", {"Ann Roe", "Ben Poe", "Cleo Fox"}),
    ],
)
def test_what_the_words_do_not_say_is_no_answer(
    packages: isomatch.Session, question: str, wrong: set[str]
) -> None:
    assert names_if_answered(packages, question) != wrong
