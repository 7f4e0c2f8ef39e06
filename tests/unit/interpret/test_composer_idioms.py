"""Verbs that add nothing to their object, names as nouns, and units, places and dates unsaid."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch
from isomatch.errors import InterpretationError

CLUBS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:playsFor rdfs:label "plays for" . :heldAt rdfs:label "home stadium" .
:height_cm rdfs:label "height" .
:born rdfs:label "date of birth" . :coachedBy rdfs:label "coached by" .
:inCity rdfs:label "located in" .
:nominatedFor rdfs:label "nominated for" . :wound rdfs:label "wound up" .
:striker a :Position ; rdfs:label "striker" . :keeper a :Position ; rdfs:label "keeper" .
:cup a :Trophy ; rdfs:label "Oak Cup" . :lamp a :Prize ; rdfs:label "Iron Lamp" .
:norway a :Country ; rdfs:label "Norway" . :wales a :Country ; rdfs:label "Wales" .
:oslo a :City ; rdfs:label "Oslo" ; :country :norway . :bala a :City ; rdfs:label "Bala" ;
    :country :wales .
:pier a :Stadium ; rdfs:label "Pier" ; :capacity 900 ; :inCity :oslo .
:moor a :Stadium ; rdfs:label "Moor" ; :capacity 4000 ; :inCity :bala .
:gulls a :Club ; rdfs:label "Gulls" ; :heldAt :pier ; :coachedBy :eve ; :captain :ann ;
    :founded 1890 ;
    :trophy :cup .
:owls a :Club ; rdfs:label "Owls" ; :heldAt :moor ; :coachedBy :finn ; :captain :ben ;
    :founded 1930 ;
    :closed "1999-05-01"^^xsd:date .
:crows a :Club ; rdfs:label "Crows" ; :coachedBy :gil . :gil a :Coach ; rdfs:label "Gil" .
:dot a :Player ; rdfs:label "Dot" ; :playsFor :crows ; :position :keeper ; :goals 1 ;
    :height_cm 160 ; :born "1995-02-02"^^xsd:date ; :nationality :norway .
:eve a :Coach ; rdfs:label "Eve" . :finn a :Coach ; rdfs:label "Finn" .
:ann a :Player ; rdfs:label "Ann" ; :playsFor :gulls ; :position :keeper ; :goals 0 ;
    :height_cm 190 ;
    :born "1990-03-03"^^xsd:date ; :nominatedFor :lamp ; :nationality :wales .
:ben a :Player ; rdfs:label "Ben" ; :playsFor :owls ; :position :striker ; :goals 7 ;
    :height_cm 170 ;
    :born "1969-01-15"^^xsd:date ; :nationality :norway .
:cleo a :Player ; rdfs:label "Cleo" ; :playsFor :owls ; :position :striker ; :goals 4 ;
    :height_cm 181 ;
    :born "1989-07-21"^^xsd:date ; :nationality :wales .
"""


@pytest.fixture(scope="module")
def clubs() -> Iterator[isomatch.Session]:
    with opened(CLUBS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who scored the most goals?", "Ben"),
        ("Which players scored between 2 and 5 goals?", "Cleo"),
        ("Which players scored no goals?", "Ann"),
        ("Which players have no goals?", "Ann"),
        ("What is the biggest stadium?", "Moor"),
        ("Which club plays at the Pier?", "Gulls"),
        ("Which strikers are from Wales?", "Cleo"),
        ("How many strikers are there?", "2"),
        ("Who is the shortest striker?", "Ben"),
        ("Which captains are keepers?", "Ann"),
        ("What is the average height of the strikers?", "175.5"),
        ("Which club was founded first?", "Gulls"),
        ("Which clubs have closed?", "Owls"),
        ("Which clubs are closed?", "Owls"),
        ("Which clubs have not closed?", "Crows, Gulls"),
        ("Which clubs were not founded in the 1930s?", "Gulls"),
        ("Who plays for neither the Owls nor the Gulls?", "Dot"),
        ("Who coaches the club of Cleo?", "Finn"),
        ("Which players are at least 181 cm tall?", "Ann, Cleo"),
        ("Which players are over 1.8 m?", "Ann, Cleo"),
        ("Which stadiums are in Norway?", "Pier"),
        ("In which city is the stadium with the highest capacity?", "Bala"),
        ("Who was born before 1970?", "Ben"),
        ("Who was born on 3 March 1990?", "Ann"),
        ("How many goals have the players of the Owls scored altogether?", "11"),
    ],
)
def test_what_people_say_beside_the_words_of_a_schema_is_read(
    clubs: isomatch.Session, question: str, found: str
) -> None:
    answer = clubs.ask(question, interpreter="schema")
    assert ", ".join(sorted(node.name for node in answer.answers)) == found, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Who scored the funniest goals?",
        "Who won the most prizes?",  # they were nominated
        "Which captains are rich keepers?",
        "In which city is Ann?",
        "Which players are over 1.8 kg?",
        "Who is the coach of the worst striker?",
        "Which strikers bought a house?",
    ],
)
def test_other_verbs_beside_a_noun_are_refused(clubs: isomatch.Session, question: str) -> None:
    try:
        answer = clubs.ask(question, interpreter="schema")
    except InterpretationError:
        return
    assert not answer.supported, answer.text


STAFF = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:eva a :Employee ; rdfs:label "Eva" ; :manager :karl . :tim a :Employee ; rdfs:label "Tim" ;
    :manager :eva .
:karl a :Employee ; rdfs:label "Karl" .
:van a :Vehicle ; rdfs:label "Tern" ; :manufacturer :wing . :wing a :Company ;
    rdfs:label "Wing Works" .
:ida a :Person ; rdfs:label "Ida" ; :friend :tim .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who manages Tim?", "Eva"),
        ("Who does Eva manage?", "Tim"),
        ("Whom does Karl manage?", "Eva"),
        ("Who is managed by Karl?", "Eva"),
        ("Who is the manager of Tim?", "Eva"),
        ("Who makes the Tern?", "Wing Works"),
        ("Who manufactured the Tern?", "Wing Works"),
    ],
)
def test_who_does_what_to_whom_is_told_by_a_noun_for_who_does_it(question: str, found: str) -> None:
    with opened(STAFF) as staff:
        answer = staff.ask(question, interpreter="schema")
    assert ", ".join(node.name for node in answer.answers) == found, answer.text


@pytest.mark.parametrize("question", ["Does Tim manage Eva?", "Is Karl managed by Eva?"])
def test_the_other_way_round_is_no_yes(question: str) -> None:
    with opened(STAFF) as staff:
        assert staff.ask(question, interpreter="schema").holds is not True


def test_a_name_of_two_kinds_is_denied_nothing() -> None:
    graph = b"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :b a :Band ; rdfs:label "Tide" . :a a :Album ; rdfs:label "Tide" ; :performer :b .
    :c a :Album ; rdfs:label "Ash" ; :award :w ; :performer :b . :w a :Award ; rdfs:label "Lyre" .
    """
    with opened(graph) as music:
        assert music.ask("Has Tide won an award?", interpreter="schema").holds is None
        assert music.ask("Does Ash have an award?", interpreter="schema").holds


FAIRS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:livesIn rdfs:label "lives in" .
:jena a :City ; rdfs:label "Jena" ; :stadium :pier . :pier a :Stadium ; rdfs:label "Pier" ;
    :capacity 900 .
:rose a :Tower ; rdfs:label "Rose Tower" ; :height_m 50 ; :city :jena .
:ash a :Film ; rdfs:label "Ash" ; :award :lyre .
:lyre a :Award ; rdfs:label "Lyre" ; :sponsor :ann .
:ann a :Person ; rdfs:label "Ann" ; :livesIn :jena .
:final a :Match ; rdfs:label "Final" ; :referee :ann ; :rating 7 .
:semi a :Match ; rdfs:label "Semi Final" ; :referee :ann .
:rain a :Song ; rdfs:label "Rain" ; :genre :dance . :dance a :Genre ; rdfs:label "dance" .
"""


@pytest.mark.parametrize(
    "question",
    [
        "Which award did Ann win?",  # she sponsors it
        "Did Ann win an award?",
        "Which matches did Ann play?",
        "Which towers are more than 10 m from Jena?",
        "Which matches have no ratings?",  # of one none is known
        "Who dances?",
        "How many people are in the Pier?",
    ],
)
def test_what_no_word_says_is_refused(question: str) -> None:
    with opened(FAIRS) as fairs:
        answer = fairs.ask(question, interpreter="schema")
    assert not answer.supported, answer.text


def test_nothing_is_denied_of_a_name_that_was_misspelled() -> None:
    with opened(FAIRS) as fairs:
        said = fairs.ask("Does the Semi Finel have the rating 7?", interpreter="schema")
        other = fairs.ask("Who is the referee of the Semi Finel?", interpreter="schema")
    assert said.holds is None, said.text
    assert other.text == "If “Semi Finel” means “Semi Final”: Ann."


def test_a_superlative_is_told_as_what_it_compares(clubs: isomatch.Session) -> None:
    told = []
    for question in ("Who is the oldest player?", "What is the biggest stadium?"):
        hypothesis = clubs.ask(question, interpreter="schema").hypothesis
        assert hypothesis is not None
        assert hypothesis.coverage is not None
        told += [s.meaning for s in hypothesis.coverage.understood if s.kind == "operator"]
    assert told == ["earliest date of birth", "highest capacity"]


SURNAMES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann Ash" ; :surname "Ash" ; :friend :bob .
:bob a :Person ; rdfs:label "Bob Elm" ; :surname "Elm" .
"""


@pytest.mark.parametrize("asking", ["What are", "List", "Can you tell me", "Show me"])
def test_the_names_of_things_are_no_surnames(asking: str) -> None:
    with opened(SURNAMES) as session:
        answer = session.ask(f"{asking} the names of the friends of Ann Ash", interpreter="schema")
        assert answer.text == "Bob Elm."
        answer = session.ask(f"{asking} the surnames of the friends of Ann Ash")
        assert answer.text == "Elm."


@pytest.mark.parametrize("relation", ["name", "full_name"])
def test_names_are_those_of_the_graph_where_it_has_some(relation: str) -> None:
    with opened(SURNAMES.replace("surname", relation)) as session:
        assert names_if_answered(session, "What are the names of the people?") in (
            None,
            {"Ash", "Elm"},
        )
