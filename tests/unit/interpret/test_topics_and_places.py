"""What things are about, and where the archive of something is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

PAPERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a1 a :Article ; rdfs:label "Cold Coast" ; :subject :ice , :sea ; :archive :n ; :writer :ann .
:a2 a :Report ; rdfs:label "Warm Harbour" ; :subject :sea ; :archive :s ; :writer :bo .
:ice a :Topic ; rdfs:label "ice" . :sea a :Topic ; rdfs:label "sea trade" .
:n a :Archive ; rdfs:label "North Vault" ; :location :oslo .
:s a :Archive ; rdfs:label "South Vault" ; :location :bergen .
:oslo a :Town ; rdfs:label "Oslo" . :bergen a :Town ; rdfs:label "Bergen" .
:ann a :Person ; rdfs:label "Ann Berg" ; :home :oslo .
:bo a :Person ; rdfs:label "Bo Rehn" ; :home :bergen .
"""


@pytest.fixture(scope="module")
def papers() -> Iterator[isomatch.Session]:
    with opened(PAPERS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is Cold Coast about?", {"ice", "sea trade"}),
        ("Which articles are about sea trade?", {"Cold Coast"}),
        ("things about sea trade", {"Cold Coast", "Warm Harbour"}),
        ("Which items are about ice?", {"Cold Coast"}),
        ("How many items are about ice?", None),
        ("How many things are about sea trade?", {"2"}),
        ("Tell me about ice", None),
        ("What do we know about ice?", None),
    ],
)
def test_what_a_thing_is_about_is_its_subject(
    papers: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(papers, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where is the archive of Cold Coast?", {"Oslo"}),
        ("Where is the writer of Cold Coast?", None),
    ],
)
def test_where_asks_for_the_place_of_what_a_noun_is_for(
    papers: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(papers, question) == names


def test_items_are_those_that_a_class_calls_so() -> None:
    menu = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :s a :MenuItem ; rdfs:label "soup" ; :price 4 . :f a :MenuItem ; rdfs:label "fish" ; :price 12 .
    :t a :Table ; rdfs:label "T1" ; :price 30 .
    """
    with opened(menu) as session:
        assert names_if_answered(session, "Which items cost more than 3?") == {"soup", "fish"}
        assert names_if_answered(session, "How many items are there?") == {"2"}


SCENES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:occurredAt rdfs:label "occurred at" . :livesAt rdfs:label "lives at" .
:c1 a :Crime ; rdfs:label "C1" ; :occurredAt :mill .
:c2 a :Crime ; rdfs:label "C2" ; :occurredAt :pond .
:ann a :Person ; rdfs:label "Ann Ash" ; :livesAt :mill .
:bob a :Person ; rdfs:label "Bob Elm" ; :livesAt :pond .
:mill a :Place ; rdfs:label "Mill" . :pond a :Place ; rdfs:label "Pond" .
"""


def test_where_something_happened_is_where_it_occurred() -> None:
    with opened(SCENES) as session:
        assert names_if_answered(session, "Who lives where C1 happened?") == {"Ann Ash"}
