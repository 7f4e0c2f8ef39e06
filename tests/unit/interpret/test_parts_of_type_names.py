"""Nouns for types that are a part of their names, and relations that are the "other" of two."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:v1 a :Visit ; rdfs:label "V-1" ; :patient :ann ; :mainDiagnosis :m1 ; :otherDiagnosis :m2 ;
  :approval :p1 ; :status "billed" ; :invoicedAmount 120 ; :clinic :north .
:v2 a :Visit ; rdfs:label "V-2" ; :patient :bob ; :mainDiagnosis :m2 ; :status "waived" ;
  :invoicedAmount 80 ; :clinic :north ; :referrer :south .
:m1 a :DiagnosisCode ; rdfs:label "X10" ; :isChronic true .
:m2 a :DiagnosisCode ; rdfs:label "X20" ; :isChronic true .
:m3 a :DiagnosisCode ; rdfs:label "X30" ; :isChronic true .
:p1 a :SafetyApproval ; rdfs:label "P1" ; :checkedBy :cy . :p2 a :SafetyApproval ; rdfs:label "P2" .
:ann a :Patient ; rdfs:label "Ann Berg" . :bob a :Patient ; rdfs:label "Bob Lee" .
:cy a :Chemist ; rdfs:label "Cy Noor" .
:north a :Clinic ; rdfs:label "North Clinic" . :south a :Clinic ; rdfs:label "South Clinic" .
"""


@pytest.fixture(scope="module")
def visits() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which diagnoses are chronic?", {"X10", "X20", "X30"}),
        ("How many approvals are there?", {"2"}),
        ("Approvals that nobody has checked", {"P2"}),
    ],
)
def test_a_part_of_its_name_is_a_type_where_all_that_is_called_so_is_of_it(
    visits: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(visits, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the other diagnosis of V-1?", {"X20"}),
        ("Which patients were diagnosed with X20?", None),
    ],
)
def test_the_other_of_two_is_said_only_by_that_word(
    visits: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(visits, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Waived visits", {"V-2"}),
        ("Postponed visits from North Clinic", None),
        ("invoiced amount of visit V-2", {"80"}),
        ("the number of visits", {"2"}),
    ],
)
def test_a_described_plural_is_what_is_asked_for(
    visits: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(visits, question) == names
