"""Stretches of time: parts of a year, dates with dots, what "last" says, and days by years."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

import isomatch

CONCERTS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:gala a :Concert ; rdfs:label "Winter Gala" ; :date "2023-12-24"^^xsd:date ; :venue :hall ;
  :durationMinutes 95 .
:beat a :Concert ; rdfs:label "Spring Beat" ; :date "2023-04-02"^^xsd:date ; :venue :club ;
  :durationMinutes 60 .
:open a :Concert ; rdfs:label "Summer Open" ; :date "2022-07-15"^^xsd:date ; :venue :hall ;
  :durationMinutes 180 .
:hall a :Venue ; rdfs:label "Great Hall" . :club a :Venue ; rdfs:label "Blue Club" .
"""


@pytest.fixture(scope="module")
def concerts() -> Iterator[isomatch.Session]:
    with opened(CONCERTS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("concerts in Q4 2023", {"Winter Gala"}),
        ("concerts in the second half of 2023", {"Winter Gala"}),
        ("How many concerts were in the second quarter of 2023?", {"1"}),
        ("concerts on 24.12.2023", {"Winter Gala"}),
        ("concerts before 2.4.2023", {"Summer Open"}),
        ("the last concert", {"Winter Gala"}),
        ("the last concert at Blue Club", {"Spring Beat"}),
        ("concerts that last three hours", {"Summer Open"}),
        ("How long does Winter Gala last?", {"95"}),
        ("the second concert of 2023", {"Winter Gala"}),
    ],
)
def test_stretches_of_time_are_read_whole(
    concerts: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(concerts, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "concerts last year",  # it was the latest of all
        "concerts in the last decade",
        "Which concerts were last summer?",
        "Which year had the most concerts?",  # each day was one
        "concerts in the third half of 2023",
        "concerts in the fifth quarter of 2023",
        "concerts in the first half of the year",
    ],
)
def test_what_depends_on_today_or_on_years_is_refused(
    concerts: isomatch.Session, question: str
) -> None:
    assert asked(concerts, question) is None
