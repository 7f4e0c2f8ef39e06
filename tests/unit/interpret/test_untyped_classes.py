"""Class words over a graph without types: what several relations lead from is a film."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, opened

import isomatch

FILMS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:f1 rdfs:label "Red Dawn Hill" ; :starring :a, :b ; :directed_by :d, :a ; :release_year 1999 .
:f2 rdfs:label "Blue Fog Lane" ; :starring :a ; :directed_by :d ; :release_year 2003 .
:f3 rdfs:label "Green Elm Pit" ; :starring :b ; :directed_by :a, :b ; :release_year 2001 .
:f4 rdfs:label "Grey Owl Hut" ; :starring :a ; :directed_by :b ; :release_year 1989 .
:a rdfs:label "Ann Lowe" . :b rdfs:label "Bo Hart" . :d rdfs:label "Dee Marsh" .
"""

PLAYERS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:p1 a :Player ; rdfs:label "Ann Lowe" ; :country :es ; :club :c1 ; :position "Forward" .
:p2 a :Player ; rdfs:label "Bo Hart" ; :country :es ; :club :c1 ; :position "Goalkeeper" .
:p3 a :Player ; rdfs:label "Cy Dorn" ; :country :es ; :club :c2 ; :position "Forward" .
:p4 a :Player ; rdfs:label "Di Marsh" ; :country :fr ; :club :c2 ; :position "Goalkeeper" .
:es a :Country ; rdfs:label "Spain" . :fr a :Country ; rdfs:label "France" .
:c1 a :Club ; rdfs:label "Red Rovers" . :c2 a :Club ; rdfs:label "Blue Rovers" .
"""

SHIPS = b"""
@prefix : <http://example.org/> .
:Petrel :captain :Ann_Moe ; :owner :Norline ; :port :Lysvik ; :tonnage 90 .
:Gannet :captain :Ann_Moe ; :owner :Ole_Dahl ; :port :Hallum ; :tonnage 30 .
:Heron :captain :Ole_Dahl ; :owner :Norline ; :port :Lysvik ; :tonnage 60 .
"""


@pytest.fixture(scope="module")
def films() -> Iterator[isomatch.Session]:
    with opened(FILMS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many films did Ann Lowe direct?", {"2"}),
        ("How many actors starred in Red Dawn Hill?", {"2"}),
        ("Which movies did Ann Lowe direct and star in?", {"Red Dawn Hill"}),
        ("Which films starring Ann Lowe were not directed by Dee Marsh?", {"Grey Owl Hut"}),
        ("Which films directed by Ann Lowe were released after 2000?", {"Green Elm Pit"}),
        ("How many films were released after 2000?", {"2"}),
        ("Which films have two directors?", {"Red Dawn Hill", "Green Elm Pit"}),
        ("Which film has the most actors?", {"Red Dawn Hill"}),
        ("Which actor starred in the most films?", {"Ann Lowe"}),
        ("Who starred in the most films?", {"Ann Lowe"}),
        ("The films starring Bo Hart were directed by whom?", {"Ann Lowe", "Dee Marsh"}),
    ],
)
def test_a_class_word_stands_for_what_several_relations_lead_from(
    films: isomatch.Session, question: str, found: set[str]
) -> None:
    answer = asked(films, question)
    assert answer is not None
    assert {node.name for node in answer.answers} == found


@pytest.mark.parametrize(
    "question",
    [
        "How many films are there?",  # that no relation leads from may be one, too
        "Which films were not directed by Ann Lowe?",
        "What types are the films directed by Ann Lowe?",
        "Which film hates Ann Lowe?",
        "Which films does Ann Lowe admire?",
        "Where is Red Dawn Hill?",
    ],
)
def test_what_no_word_or_relation_tells_is_refused(films: isomatch.Session, question: str) -> None:
    assert asked(films, question) is None


def test_a_poor_guess_of_a_class_is_told() -> None:
    with opened(SHIPS) as ships:
        lexicon = ships.resources.lexicon
        owned = next(id for id in lexicon.relations if id.endswith("owner"))
        assert owned in lexicon.doubtful
        answer = asked(ships, f"How many {lexicon.relations[owned].source}s has Norline?")
        assert answer is None or answer.text.startswith("If “")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which forwards play for Blue Rovers?", {"Cy Dorn"}),
        ("How many forwards does Spain have?", {"2"}),
        ("Which goalkeepers are from France?", {"Di Marsh"}),
    ],
)
def test_a_value_with_a_capital_has_a_plural(question: str, found: set[str]) -> None:
    with opened(PLAYERS) as players:
        answer = asked(players, question)
        assert answer is not None
        assert {node.name for node in answer.answers} == found


def test_what_is_counted_of_a_guessed_class_is_told(films: isomatch.Session) -> None:
    """A series that is directed, too, would count; a plain list says it in a note."""
    answer = asked(films, "How many films did Ann Lowe direct?")
    assert answer is not None
    assert answer.text == "If “films” means “what has ‘directed by’”: 2."
    listed = asked(films, "Which films did Ann Lowe direct?")
    assert listed is not None
    assert not listed.text.startswith("If")
    assert any("are all that have “directed by”" in note for note in listed.notes)


@pytest.mark.parametrize(
    "question",
    [
        "Which player forwards Red Rovers?",
        "Which player that forwards to Red Rovers is from Spain?",
        "Who forwards to Red Rovers?",
    ],
)
def test_a_verb_is_no_plural_of_a_value(question: str) -> None:
    with opened(PLAYERS) as players:
        assert asked(players, question) is None
