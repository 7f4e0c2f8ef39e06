"""Relative clauses in German questions: what each is said of, and what its verb says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, opened

import isomatch
from isomatch.interpret.compose.lexical.voice import beside_verb_of_clause
from isomatch.interpret.compose.syntax.relative_clauses import ClauseReader
from isomatch.interpret.words.content import words_of
from isomatch.lexicon.language import language_of

OFFICE = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :Person rdfs:label "Person" . :Firma rdfs:label "Firma" . :Stadt rdfs:label "Stadt" .
    :Projekt rdfs:label "Projekt" .
    :wohntIn rdfs:label "wohnt in" . :sitztIn rdfs:label "sitzt in" .
    :foerdert rdfs:label "fördert" . :geprueftVon rdfs:label "geprüft von" .
    :anna a :Person ; rdfs:label "Anna Lehm" ; :alter 50 ; :wohntIn :kiel ; :leitet :atlas ;
        :vertritt :bernd .
    :bernd a :Person ; rdfs:label "Bernd Roth" ; :alter 40 ; :mentor :anna ; :wohntIn :ulm ;
        :leitet :boreas ; :vertritt :carla ; :geprueftVon :anna .
    :carla a :Person ; rdfs:label "Carla Moos" ; :alter 30 ; :mentor :bernd ; :wohntIn :kiel ;
        :leitet :cinder ; :vertritt :anna .
    :dirk a :Person ; rdfs:label "Dirk Pohl" ; :alter 20 ; :mentor :carla ; :betreuer :bernd ;
        :wohntIn :bonn .
    :brixo a :Firma ; rdfs:label "Brixo" ; :sitztIn :kiel ; :foerdert :atlas , :boreas .
    :corvid a :Firma ; rdfs:label "Corvid" ; :sitztIn :ulm ; :foerdert :cinder .
    :atlas a :Projekt ; rdfs:label "Atlas" ; :nachfolger :boreas .
    :boreas a :Projekt ; rdfs:label "Boreas" ; :nachfolger :cinder .
    :cinder a :Projekt ; rdfs:label "Cinder" .
    :kiel a :Stadt ; rdfs:label "Kiel" .
    :ulm a :Stadt ; rdfs:label "Ulm" .
    :bonn a :Stadt ; rdfs:label "Bonn" .
"""


@pytest.fixture(scope="module")
def office() -> Iterator[isomatch.Session]:
    with opened(OFFICE.encode(), language="de") as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        # What a clause denies, it denies of its noun alone.
        ("Welche Personen haben einen Mentor, der nicht in Kiel wohnt?", {"Carla Moos"}),
        (
            "Welche Projekte werden von einer Firma gefördert, die nicht in Ulm sitzt?",
            {"Atlas", "Boreas"},
        ),
        # A clause stands behind the verb of the one around it, or inside that.
        (
            "Wer leitet ein Projekt, das von einer Firma gefördert wird, die in Kiel sitzt?",
            {"Anna Lehm", "Bernd Roth"},
        ),
        (
            "Wer leitet ein Projekt, das von einer Firma, die in Kiel sitzt, gefördert wird?",
            {"Anna Lehm", "Bernd Roth"},
        ),
        (
            "Welche Personen, die in Kiel wohnen, leiten ein Projekt, das Brixo fördert?",
            {"Anna Lehm"},
        ),
        ("Städte, in denen eine Person wohnt, die Atlas leitet", {"Kiel"}),
        # It describes the nearest noun, if the pronoun agrees with that.
        (
            "Wie heißt der Nachfolger des Projekts, das von Anna Lehm geleitet wird?",
            {"Boreas"},
        ),
        ("Wie heißt der Mentor der Person, die in Bonn wohnt?", {"Carla Moos"}),
        ("Wie heißt der Mentor der Person, der in Ulm wohnt?", {"Bernd Roth"}),
        ("Welche Personen haben einen Mentor, die Carla Moos vertritt?", None),
        # Not who has something does what is said of that, but what he has.
        ("Welche Projekte haben einen Nachfolger, der von Corvid gefördert wird?", {"Boreas"}),
        ("Welche Projekte gibt es, deren Nachfolger von Corvid gefördert wird?", {"Boreas"}),
        ("Personen, deren Mentor Anna Lehm ist", {"Bernd Roth"}),
        ("Welche Personen haben einen Betreuer, der älter als 35 ist?", {"Dirk Pohl"}),
        (
            "Welche Personen wohnen in Kiel und haben einen Mentor, der in Ulm wohnt?",
            {"Carla Moos"},
        ),
        # Pronouns and articles tell who does something to whom.
        ("Welche Personen haben einen Mentor, den Carla Moos vertritt?", {"Bernd Roth"}),
        ("Welche Personen haben einen Mentor, der Carla Moos vertritt?", {"Carla Moos"}),
        ("Welche Personen haben einen Mentor, der von Carla Moos vertreten wird?", {"Bernd Roth"}),
        (
            "Welche Personen werden von einer Person vertreten, die Atlas leitet?",
            {"Bernd Roth"},
        ),
        ("Welche Personen vertreten eine Person, die in Ulm wohnt?", {"Anna Lehm"}),
        ("Welche Projekte leitet eine Person, die Carla Moos vertritt?", None),
        # The first of those of whom it holds, not one of whom it holds that is the first of all.
        ("Wer ist die jüngste Person, die älter als 30 ist?", {"Bernd Roth"}),
        ("Wer ist die älteste Person, die in Ulm wohnt?", {"Bernd Roth"}),
        (
            "Welche Personen werden von der ältesten Person vertreten, die nicht in Kiel wohnt?",
            {"Carla Moos"},
        ),
        ("Welche Personen werden von dem Mentor von Dirk Pohl vertreten?", {"Anna Lehm"}),
        ("Welche Personen werden von der ältesten Person vertreten?", {"Bernd Roth"}),
        ("Personen mit einem Mentor, dessen Mentor Anna Lehm ist", {"Carla Moos"}),
        (
            "Welche Personen gibt es, die nicht in Ulm wohnen und die Atlas leiten?",
            {"Anna Lehm"},
        ),
        # Who has something is asked for, and not that which does what the clause says.
        ("Wer hat einen Mentor, der Boreas leitet?", {"Carla Moos"}),
        ("Wer hat einen Mentor, der nicht in Kiel wohnt?", {"Carla Moos"}),
        # What somebody "has as" something.
        ("Wer hat Bernd Roth als Mentor?", {"Carla Moos"}),
        ("Welche Personen haben Bernd Roth als Mentor?", {"Carla Moos"}),
        ("Wer ist die Person, die Bernd Roth als Mentor hat?", {"Carla Moos"}),
        ("Welche Personen hat Bernd Roth als Mentor?", None),
        ("Welche Personen wohnen in einer Stadt, die Kiel heißt?", {"Anna Lehm", "Carla Moos"}),
    ],
)
def test_a_clause_says_something_of_its_noun(
    office: isomatch.Session, question: str, names: set[str] | None
) -> None:
    answer = asked(office, question)

    assert ({node.name for node in answer.answers} if answer else None) == names


SHIPS = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :Schiff rdfs:label "Schiff" . :Kapitaen rdfs:label "Kapitän" . :Hafen rdfs:label "Hafen" .
    :hatKapitaen rdfs:label "Kapitän" . :baute rdfs:label "baute" . :liegtIn rdfs:label "liegt in" .
    :kondor a :Schiff ; rdfs:label "Kondor" ; :hatKapitaen :ola ; :eigner :per ; :liegtIn :oban .
    :eider a :Schiff ; rdfs:label "Eider" ; :hatKapitaen :per ; :eigner :ola ; :liegtIn :lorne .
    :ola a :Kapitaen ; rdfs:label "Ola Sand" ; :alter 50 ; :baute :eider .
    :per a :Kapitaen ; rdfs:label "Per Tiede" ; :alter 30 ; :baute :kondor .
    :siv a :Kapitaen ; rdfs:label "Siv Garbe" ; :alter 40 ; :baute :kondor .
    :oban a :Hafen ; rdfs:label "Oban" . :lorne a :Hafen ; rdfs:label "Lorne" .
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        # The relation, and not its class.
        ("Schiffe, deren Kapitän Per Tiede ist", {"Eider"}),
        ("Schiffe, deren Eigner Per Tiede ist", {"Kondor"}),
        ("Welche Schiffe haben einen Eigner, der älter als 45 ist?", {"Eider"}),
        ("Welche Schiffe haben einen Eigner, der nicht älter als 45 ist?", {"Kondor"}),
        # Who "has built" a ship need not have it.
        (
            "Welche Kapitäne haben ein Schiff gebaut, das in Oban liegt?",
            {"Per Tiede", "Siv Garbe"},
        ),
    ],
)
def test_a_class_and_a_relation_of_one_name(question: str, names: set[str]) -> None:
    with opened(SHIPS.encode(), language="de") as session:
        answer = asked(session, question)

    assert answer
    assert {node.name for node in answer.answers} == names


@pytest.mark.parametrize(
    ("question", "nouns", "order"),
    [
        (
            "Bücher, die von einem Autor geschrieben wurden, der in Bonn wohnt",
            ["bücher", "autor"],
            "bücher die von einem autor der in bonn wohnt geschrieben wurden",
        ),
        (
            "Bücher, die von einem Autor, der in Bonn wohnt, geschrieben wurden",
            ["bücher", "autor"],
            "bücher die von einem autor der in bonn wohnt geschrieben wurden",
        ),
        (
            "Welche Autoren haben ein Buch, das fehlt, und einen Verlag, der in Ulm sitzt?",
            ["buch", "verlag"],
            "welche autoren haben ein buch das fehlt und einen verlag der in ulm sitzt",
        ),
        (
            "Autoren, die in Bonn wohnen und die ein Buch schrieben, das fehlt",
            ["autoren", "autoren", "buch"],
            "autoren die in bonn wohnen die ein buch das fehlt schrieben und",
        ),
        ("In Ulm, welche Autoren wohnen dort?", [], "in ulm welche autoren wohnen dort"),
    ],
)
def test_clauses_stand_beside_their_nouns(question: str, nouns: list[str], order: str) -> None:
    known = {"autor", "autoren", "buch", "bücher", "verlag"}
    sentence = ClauseReader(language_of("de"), known.__contains__).sentence(
        question, words_of(question)
    )

    assert [one.noun.text if one.noun else None for one in sentence.every()] == nouns
    assert " ".join(word.text for word in sentence.in_order()) == order


@pytest.mark.parametrize(
    ("clause", "verb", "beside"),
    [
        ("den Anna bewundert", 2, "subject"),
        ("der Anna bewundert", 2, "object"),
        ("die Anna bewundert", 2, None),
        ("die Anna bewundern", 2, "object if named"),
        ("die eine Lehrerin bewundern", 3, "object"),
        ("die von Anna bewundert wird", 3, "agent"),
    ],
)
def test_what_is_beside_the_verb_of_a_clause(clause: str, verb: int, beside: str | None) -> None:
    assert beside_verb_of_clause(words_of(clause), verb, language_of("de")) == beside
