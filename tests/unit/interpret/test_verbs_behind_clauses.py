"""What a verb or a plural is said of, where a clause, a name or another noun is before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

PEOPLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann Lee" ; :livesIn :kiel ; :hosted :bob, :cid ; :nominatorOf :dan ;
  :pilots :elder ; :tutoredBy :bob ; :ledBy :flo, :cid .
:bob a :Person ; rdfs:label "Bob Ray" ; :livesIn :kiel ; :hosted :dan ; :nominatorOf :ann ;
  :pilots :alder ; :tutoredBy :cid ; :ledBy :flo .
:cid a :Person ; rdfs:label "Cid Moe" ; :livesIn :bonn ; :nominatorOf :bob, :eva ; :ledBy :ann .
:dan a :Person ; rdfs:label "Dan Poe" ; :livesIn :bonn ; :hosted :ann ; :nominatorOf :flo ;
  :tutoredBy :ann .
:eva a :Person ; rdfs:label "Eva Orr" ; :livesIn :kiel ; :nominatorOf :cid ; :tutoredBy :dan ;
  :ledBy :dan .
:flo a :Person ; rdfs:label "Flo Kay" ; :livesIn :bonn ; :hosted :eva ; :tutoredBy :eva .
:elder a :Plane ; rdfs:label "Elder" . :alder a :Plane ; rdfs:label "Alder" .
:dunes a :Book ; rdfs:label "Dunes" ; :editedBy :bob, :flo .
:tides a :Book ; rdfs:label "Tides" ; :editedBy :dan .
:kiel a :City ; rdfs:label "Kiel" . :bonn a :City ; rdfs:label "Bonn" .
"""

NOUNS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann Lee" ; :tutor :bob ; :livesIn :kiel ; :defender :cid ;
  :hasHost :dan .
:bob a :Person ; rdfs:label "Bob Ray" ; :tutor :cid ; :livesIn :kiel ; :defender :ann ;
  :hasHost :cid .
:cid a :Person ; rdfs:label "Cid Moe" ; :livesIn :bonn ; :defender :dan ; :hasHost :bob .
:dan a :Person ; rdfs:label "Dan Poe" ; :tutor :ann ; :livesIn :bonn ; :hasHost :cid .
:elder a :Library ; rdfs:label "Elder" ; :hasMaintainer :ann, :bob .
:alder a :Library ; rdfs:label "Alder" ; :hasMaintainer :cid, :dan .
:kiel a :City ; rdfs:label "Kiel" . :bonn a :City ; rdfs:label "Bonn" .
"""

GAMES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Game ; rdfs:label "Iron Saga" ; :copiesSold 5 ; :madeBy :ember .
:b a :Game ; rdfs:label "Iron Saga II" ; :copiesSold 7 ; :madeBy :ember .
:c a :Game ; rdfs:label "Moth" ; :copiesSold 1 ; :madeBy :pixel .
:ember a :Studio ; rdfs:label "Ember Forge" ; :country "Canada" ; :ownedBy :titan .
:pixel a :Studio ; rdfs:label "Pixel" ; :country "Peru" .
:titan a :Studio ; rdfs:label "Titan" ; :country "Canada" .
:x a :Bug ; rdfs:label "B1" ; :foundIn :b ; :severity "critical" ; :reportedBy :asha .
:y a :Bug ; rdfs:label "B2" ; :foundIn :b ; :severity "minor" ; :reportedBy :asha .
:z a :Bug ; rdfs:label "B3" ; :foundIn :c ; :severity "minor" ; :reportedBy :liam .
:asha a :Tester ; rdfs:label "Asha Rao" ; :employedBy :ember .
:liam a :Tester ; rdfs:label "Liam Ross" ; :employedBy :pixel .
"""


COURSES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:math a :Department ; rdfs:label "Math" ; :HAS_HEAD :ada . :bio a :Department ; rdfs:label "Bio" ;
  :HAS_HEAD :ben . :art a :Department ; rdfs:label "Art" .
:ada a :Teacher ; rdfs:label "Ada King" ; :mentor :ben .
:ben a :Teacher ; rdfs:label "Ben Stone" .
:cai a :Teacher ; rdfs:label "Cai Lund" ; :mentor :ada .
:c1 a :Course ; rdfs:label "Algebra" ; :taughtBy :cai ; :offeredBy :math .
:c2 a :Course ; rdfs:label "Sculpture" ; :taughtBy :cai ; :offeredBy :art .
:c3 a :Course ; rdfs:label "Cells" ; :taughtBy :cai ; :offeredBy :bio .
:c4 a :Course ; rdfs:label "Clay" ; :taughtBy :ada ; :offeredBy :art .
:c5 a :Course ; rdfs:label "Genes" ; :taughtBy :ben ; :offeredBy :bio .
:l1 a :Lens ; rdfs:label "Optar" ; :price 300 .
:r1 a :Room ; rdfs:label "Room A" ; :seats 20 . :r2 a :Room ; rdfs:label "Room A" ; :seats 30 .
"""


PROJECTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Employee ; rdfs:label "Ann Lee" ; :age 44 . :bob a :Employee ; rdfs:label "Bob Ray" ;
  :age 31 .
:atlas a :Project ; rdfs:label "Atlas" ; :budget 300 ; :completed "2019-05-01"^^xsd:date ;
  :status "open" ; :managedBy :ann .
:birch a :Project ; rdfs:label "Birch" ; :budget 500 ; :completed "2017-05-01"^^xsd:date ;
  :status "closed" ; :managedBy :ann .
:comet a :Project ; rdfs:label "Comet" ; :budget 700 ; :completed "2021-05-01"^^xsd:date ;
  :status "open" ; :managedBy :bob .
"""


@pytest.fixture(scope="module")
def projects() -> Iterator[isomatch.Session]:
    with opened(PROJECTS) as session:
        yield session


@pytest.fixture(scope="module")
def courses() -> Iterator[isomatch.Session]:
    with opened(COURSES) as session:
        yield session


@pytest.fixture(scope="module")
def people() -> Iterator[isomatch.Session]:
    with opened(PEOPLE) as session:
        yield session


@pytest.fixture(scope="module")
def nouns() -> Iterator[isomatch.Session]:
    with opened(NOUNS) as session:
        yield session


@pytest.fixture(scope="module")
def games() -> Iterator[isomatch.Session]:
    with opened(GAMES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which people whose host lives in Bonn pilot Elder?", {"Ann Lee"}),
        ("Which people whose host lives in Kiel pilot Alder?", {"Bob Ray"}),
        ("Which people whose nominator lives in Bonn hosted Dan Poe?", {"Bob Ray"}),
        ("Which people who were led by Flo Kay edited Dunes?", {"Bob Ray"}),
    ],
)
def test_the_verb_behind_a_clause_is_said_of_what_the_clause_describes(
    people: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(people, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Whose host lives in Bonn?", {"Ann Lee", "Eva Orr"}),
        ("Who nominated people living in Kiel?", {"Bob Ray", "Cid Moe"}),
        ("Who nominated people who live in Kiel?", {"Bob Ray", "Cid Moe"}),
        ("Who hosted people living in Kiel?", {"Ann Lee", "Dan Poe", "Flo Kay"}),
        ("Which people did the people led by Flo Kay tutor?", {"Ann Lee", "Dan Poe"}),
        ("Which books were edited by someone who led Ann Lee?", {"Dunes"}),
        ("Which books were edited by people who were led by Flo Kay?", {"Dunes"}),
        ("Which books were edited by someone who led Eva Orr?", {"Tides"}),
    ],
)
def test_a_noun_or_verb_of_one_relation_keeps_its_side(
    people: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(people, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which people whose tutor lives in Kiel maintained Alder?", {"Dan Poe"}),
        ("Which people did Ann Lee's defender host?", {"Bob Ray", "Dan Poe"}),
        ("Who is Ann Lee's defender's host?", {"Bob Ray"}),
        ("Which libraries were not maintained by anyone living in Bonn?", {"Elder"}),
    ],
)
def test_a_verb_is_known_by_the_noun_of_its_relation(
    nouns: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(nouns, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("total copies sold of the Iron Saga games", None),
        ("How many copies have the Iron Saga games sold?", None),
        ("copies sold of the Iron Saga game", {"5"}),
        ("total copies sold of the Ember Forge games", {"12"}),
        ("Which games have both a critical and a minor bug?", None),
        ("Which games have a critical bug and a minor bug?", {"Iron Saga II"}),
        ("Which developers reported bugs in Iron Saga II?", None),
        ("Which testers reported bugs in Iron Saga II?", {"Asha Rao"}),
        ("Which studios from Canada are owned by a studio?", {"Ember Forge"}),
    ],
)
def test_one_thing_is_not_taken_for_several_or_another(
    games: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(games, question) == names


def test_nobody_is_said_to_do_what_the_verb_says(people: isomatch.Session) -> None:
    answer = people.ask("Which people without a host pilot Elder?", interpreter="schema")
    assert answer.text == "The graph does not say."


def test_a_thing_that_is_asked_for_may_be_said_to_have_two_values(games: isomatch.Session) -> None:
    answer = games.ask("Which bugs are both critical and minor?", interpreter="schema")
    assert answer.text == "The graph does not say."


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List projects whose manager is older than 40", {"Atlas", "Birch"}),
        ("Which projects whose manager is older than 40 are open?", {"Atlas"}),
        ("Which projects whose manager is older than 40 were completed after 2018?", {"Atlas"}),
        ("Which projects whose manager is older than Bob Ray are open?", {"Atlas"}),
        ("How many projects whose manager is younger than 40 are there?", {"1"}),
        ("Which projects whose budget is larger than 400 are open?", {"Comet"}),
        ("List projects whose manager is taller than 40", None),
        ("Which projects are closed or managed by Bob Ray?", {"Birch", "Comet"}),
        ("Which projects are managed by Bob Ray or are closed?", {"Birch", "Comet"}),
        ("Which projects are not closed or managed by Bob Ray?", None),
    ],
)
def test_what_somebody_has_is_compared_and_states_are_joined(
    projects: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(projects, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        (
            "Which departments that offer a course that Cai Lund teaches have a head?",
            {"Bio", "Math"},
        ),
        ("Which courses that Bio offers does Ben Stone teach?", {"Genes"}),
        ("How many courses that Bio offers does Cai Lund teach?", {"1"}),
        ("Does Ben Stone have a teacher mentor?", None),
        ("price of the Optar lens", {"300"}),
        ("How many seats do the Room A rooms have?", {"20", "30"}),
        ("Does the head of Math teach Clay?", {"True"}),
        ("Does the head of Bio teach Genes and Clay?", None),
    ],
)
def test_what_stands_before_a_verb_may_be_its_subject_alone(
    courses: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(courses, question) == names


def test_what_a_name_tells_is_what_is_asked_for(games: isomatch.Session) -> None:
    question = "Which studios from Canada are owned by another studio?"
    assert names_if_answered(games, question) in (None, {"Ember Forge"})
