"""Records of two things: what is between two names, and whom a firm employs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

OFFICE = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Person ; rdfs:label "Ann" . :bob a :Person ; rdfs:label "Bob" .
:cem a :Person ; rdfs:label "Cem" . :dan a :Person ; rdfs:label "Dan" .
:acme a :Company ; rdfs:label "Acme" . :zeta a :Company ; rdfs:label "Zeta" .
:ulm a :Town ; rdfs:label "Ulm" . :bonn a :Town ; rdfs:label "Bonn" .
:kiel a :Town ; rdfs:label "Kiel" .
:lx1 a :Flight ; rdfs:label "LX 1" ; :origin :ulm ; :destination :bonn .
:lx2 a :Flight ; rdfs:label "LX 2" ; :origin :bonn ; :destination :ulm .
:lx3 a :Flight ; rdfs:label "LX 3" ; :origin :bonn ; :destination :kiel .
:b1 a :Bridge ; rdfs:label "Old Bridge" ; :connects :ulm , :bonn .
:b2 a :Bridge ; rdfs:label "Mill Bridge" ; :connects :ulm , :kiel .
:m1 a :Message ; rdfs:label "M 1" ; :sender :ann ; :recipient :bob .
:m2 a :Message ; rdfs:label "M 2" ; :sender :bob ; :recipient :cem .
:g1 a :Gift ; rdfs:label "G 1" ; :giver :ann ; :receiver :dan .
:e1 a :Employment ; :employee :ann ; :employer :acme ; :endedOn "2019-05-01"^^xsd:date .
:e2 a :Employment ; :employee :bob ; :employer :zeta .
:t1 a :Stay ; :guest :dan ; :house :inn ; :room "B" . :inn a :House ; rdfs:label "Red Inn" .
:r1 a :Residence ; :resident :ann ; :livedIn :kiel .
:r2 a :Residence ; :resident :cem ; :livedIn :bonn .
"""
REJECTIONS = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann" . :acme a :Company ; rdfs:label "Acme" .
:r1 a :Rejection ; :applicant :ann ; :company :acme .
"""


@pytest.fixture(scope="module")
def office() -> Iterator[isomatch.Session]:
    with opened(OFFICE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which flights are between Ulm and Bonn?", {"LX 1", "LX 2"}),
        ("How many flights are there between Bonn and Ulm?", {"2"}),
        ("Which messages are between Bob and Ann?", {"M 1"}),
        ("Which bridges are between Ulm and Bonn?", {"Old Bridge"}),
    ],
)
def test_what_is_between_two_things_is_from_one_to_the_other_or_back(
    office: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(office, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who received a message from Bob?", {"Cem"}),
        ("Who received a message from Ann?", {"Bob"}),
        ("Who sent a message to Bob?", {"Ann"}),
    ],
)
def test_who_received_something_is_whom_it_was_sent_to(
    office: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(office, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who worked for Acme?", {"Ann"}),
        ("Who lived in Bonn?", {"Cem"}),
        ("Who stayed at the Red Inn?", {"Dan"}),
        ("Who are the employees of Zeta?", {"Bob"}),
    ],
)
def test_who_asks_for_the_other_of_the_two_things_of_a_record(
    office: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(office, question) == names


def test_who_is_employed_now_is_told_to_be_of_any_time(office: isomatch.Session) -> None:
    assert office.ask("Who works for Acme?").text.startswith(
        "If “works” means “works, at any time”"
    )
    assert not office.ask("Who worked for Acme?").text.startswith("If")


@pytest.mark.parametrize("question", ["Who worked for Acme?", "Who works at Acme?"])
def test_who_applied_to_a_company_does_not_work_there(question: str) -> None:
    with opened(REJECTIONS) as session:
        assert asked(session, question) is None
