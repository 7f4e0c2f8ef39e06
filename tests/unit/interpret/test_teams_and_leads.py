"""Who is in something, where its members and its head are both joined to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

STAFF = """
@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:eva a :Employee ; rdfs:label "Eva Stein" ; :team :platform ; :speaks "German" .
:ida a :Employee ; rdfs:label "Ida Noor" ; :team :platform ; :speaks "Dutch" .
:max a :Employee ; rdfs:label "Max Born" ; :team :docs ; :speaks "German" .
:kim a :Employee ; rdfs:label "Kim Lee" ; :team :docs ; :speaks "Korean" .
:platform a :Team ; rdfs:label "Platform" ; :lead :ida . :docs a :Team ; rdfs:label "Docs" ;
  :lead :max .
"""


@pytest.fixture(scope="module")
def staff() -> Iterator[isomatch.Session]:
    with opened(STAFF) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which employees have a team whose lead is Ida Noor?", {"Eva Stein", "Ida Noor"}),
        ("Which employees are in a team whose lead is Ida Noor?", {"Eva Stein", "Ida Noor"}),
        ("Which employees are in the team of Eva Stein?", {"Eva Stein", "Ida Noor"}),
        ("Which employees are in the team led by Max Born?", {"Max Born", "Kim Lee"}),
        ("Which teams have a lead who speaks Dutch?", {"Platform"}),
    ],
)
def test_members_are_joined_by_the_relation_that_is_called_as_their_class(
    staff: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(staff, question) == names  # and not the leads of these teams


@pytest.mark.parametrize(
    "question",
    [
        "Who is in the team of Eva Stein?",
        "Who is in a team led by Max Born?",
        "What is in the team of Eva Stein?",
    ],
)
def test_who_is_in_something_is_not_that_itself(staff: isomatch.Session, question: str) -> None:
    assert names_if_answered(staff, question) is None


DESK = """
@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:t1 a :Ticket ; rdfs:label "T-1" ; :reportedBy :max . :t2 a :Ticket ; rdfs:label "T-2" ;
  :reportedBy :ida . :t3 a :Ticket ; rdfs:label "T-3" ; :reportedBy :eva, :max .
:eva a :Employee ; rdfs:label "Eva Stein" ; :reportsTo :ida .
:max a :Employee ; rdfs:label "Max Born" ; :reportsTo :ida .
:ida a :Employee ; rdfs:label "Ida Noor" . :kim a :Employee ; rdfs:label "Kim Lee" ;
  :reportsTo :max .
"""


@pytest.fixture(scope="module")
def desk() -> Iterator[isomatch.Session]:
    with opened(DESK) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who reports to Ida Noor?", {"Eva Stein", "Max Born"}),
        ("Whom does Kim Lee report to?", {"Max Born"}),
        ("Who reported T-2?", {"Ida Noor"}),
        ("What did Max Born and Eva Stein both report?", {"T-3"}),
        ("Which tickets did Max Born and Ida Noor both report?", set()),
    ],
)
def test_who_reports_to_somebody_is_told_from_who_reported_something(
    desk: isomatch.Session, question: str, names: set[str]
) -> None:
    assert (names_if_answered(desk, question) or set()) == names


@pytest.mark.parametrize(
    "question",
    [
        "Who reported Ida Noor?",  # nobody who reports to her
        "To whom does Ida Noor report?",  # and not what she reported
        "Which employees reported a ticket that Kim Lee also reported?",  # reports to Max
        "What did Max Born and Ida Noor both report?",  # not what either did
        "Which employees reported as many tickets as Ida Noor?",  # not those who report to her
    ],
)
def test_what_only_another_relation_of_the_verb_says_is_refused(
    desk: isomatch.Session, question: str
) -> None:
    assert names_if_answered(desk, question) is None
