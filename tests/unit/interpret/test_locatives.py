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


PRESSES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:livesOn rdfs:label "lives on" . :releaseOf rdfs:label "release of" . :uses rdfs:label "uses" .
:fixedIn rdfs:label "fixed in" . :ipcClass rdfs:label "ipc class" .
:ann a :Agent ; rdfs:label "Ann Ash" ; :agency :quill . :quill a :Agency ; rdfs:label "Quill" .
:bob a :Resident ; rdfs:label "Bob Elm" ; :livesOn :quay . :quay a :Street ; rdfs:label "Quay" .
:r1 a :Release ; rdfs:label "plot 1" ; :releaseOf :plot . :plot a :Package ; rdfs:label "plot" .
:a1 a :Advisory ; rdfs:label "ADV-1" ; :fixedIn :r1 .
:cake a :Recipe ; rdfs:label "Cake" ; :uses :sugar . :bun a :Recipe ; rdfs:label "Bun" ;
    :uses :sugar . :sugar a :Ingredient ; rdfs:label "Sugar" .
:p1 a :Patent ; rdfs:label "Drone" ; :ipcClass :c1 , :c2 . :c1 a :Class ; rdfs:label "Craft" .
:c2 a :Class ; rdfs:label "Lenses" .
"""


@pytest.fixture(scope="module")
def presses() -> Iterator[Session]:
    with opened(PRESSES) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Which agents contain agencies?",
        "Which residents contain streets?",
        "Which releases contain packages?",
        "Which ingredients contain recipes?",
        "Which patents contain classes?",
        "Which advisories fix releases?",
    ],
)
def test_what_is_of_something_does_not_contain_it(presses: Session, question: str) -> None:
    assert asked(presses, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which agencies contain agents?", {"Quill"}),
        ("Which streets contain residents?", {"Quay"}),
        ("Which packages contain releases?", {"plot"}),
        ("Which recipes contain ingredients?", {"Cake", "Bun"}),
        ("Which classes contain patents?", {"Craft", "Lenses"}),
        ("Which releases fix advisories?", {"plot 1"}),
    ],
)
def test_what_contains_others_is_answered(presses: Session, question: str, names: set[str]) -> None:
    assert names_if_answered(presses, question) == names
