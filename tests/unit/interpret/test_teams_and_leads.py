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
