"""What is in something else: each of these was once answered as if proven."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

from isomatch import Session

ATLAS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:hasPart rdfs:label "has part" . :hasMember rdfs:label "has member" . :heldAt rdfs:label "held at" .
:reviewsBook rdfs:label "reviews book" .
:reviewBy rdfs:label "review by" . :closed rdfs:label "closed" .
:hull a :City ; rdfs:label "Hull" ; :country :peru .
:york a :City ; rdfs:label "York" ; :country :peru .
:rill a :City ; rdfs:label "Rill" ; :country :mali .
:peru a :Country ; rdfs:label "Peru" . :mali a :Country ; rdfs:label "Mali" .
:gift a :Collection ; rdfs:label "Gift" ; :hasPart :ode , :elegy .
:ode a :Book ; rdfs:label "Ode" ; :heldAt :shelf .
:elegy a :Book ; rdfs:label "Elegy" ; :heldAt :shelf .
:choir a :Club ; rdfs:label "Choir" ; :hasMember :mia , :noa . :band a :Club ; rdfs:label "Band" ;
    :hasMember :mia . :mia a :Pupil ; rdfs:label "Mia Ash" . :noa a :Pupil ; rdfs:label "Noa Elm" .
:shelf a :Library ; rdfs:label "Main Library" .
:r1 a :Review ; rdfs:label "r1" ; :reviewsBook :ode ; :reviewBy :ann .
:r2 a :Review ; rdfs:label "r2" ; :reviewsBook :elegy ; :reviewBy :ann .
:ann a :Reader ; rdfs:label "Ann Ash" .
"""


@pytest.fixture(scope="module")
def atlas() -> Iterator[Session]:
    with opened(ATLAS) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Countries in Hull",
        "Which countries are in Hull?",
        "How many countries are in Hull?",
        "Which countries are located in cities?",
        "Clubs in more than one pupil",
        "Which cities contain countries?",
        "How many countries does each city contain?",
        "Which books contain collections?",
        "Which books include the most collections?",
        "Collections in books",
        "Which books hold libraries?",
        "Which books reviewed readers?",
    ],
)
def test_a_whole_is_in_none_of_its_parts(atlas: Session, question: str) -> None:
    assert asked(atlas, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Cities in Peru", {"Hull", "York"}),
        ("Which cities are in Peru?", {"Hull", "York"}),
        ("Which country is Hull in?", {"Peru"}),
        ("In which country is Rill?", {"Mali"}),
        ("Pupils in more than one club", {"Mia Ash"}),
        ("Which countries contain cities?", {"Peru", "Mali"}),
        ("Which collections contain books?", {"Gift"}),
        ("Books in collections", {"Ode", "Elegy"}),
        ("Which books are contained in collections?", {"Ode", "Elegy"}),
        ("Which readers reviewed books?", {"Ann Ash"}),
    ],
)
def test_what_is_in_a_whole_is_answered(atlas: Session, question: str, names: set[str]) -> None:
    assert names_if_answered(atlas, question) == names


OFFERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:o1 a :Offer ; rdfs:label "o1" ; :prop :barn . :o2 a :Offer ; rdfs:label "o2" ; :prop :mill .
:barn a :Property ; rdfs:label "Barn" ; :district :dock .
:mill a :Property ; rdfs:label "Mill" ; :district :dock .
:dock a :District ; rdfs:label "Docklands" .
"""


@pytest.mark.parametrize(
    "question", ["How many districts are there in each property?", "Districts in each property"]
)
def test_each_part_has_no_wholes_in_it(question: str) -> None:
    with opened(OFFERS) as session:
        assert asked(session, question) is None
        each = asked(session, "How many properties are there in each district?")
        assert each is not None
        assert each.text.startswith("Docklands: 2")
