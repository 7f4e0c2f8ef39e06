"""Questions in German over two graphs whose names are German, and what they taught the reader."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.bench import questions
from tests.turtle import asked, opened

import isomatch
from isomatch.lexicon.language import language_of

BANKS = ("betrieb", "verein")
# Not read so far: separable verbs, "für" and "gegen" somebody, sums over other things.
REFUSED = {
    "Für welche Kunden hat die Abteilung Sanitär gearbeitet?",
    "Für wen war der Auftrag A-104?",
    "Seit wann ist Bäckerei Thomsen Kunde?",
    "Verdient Jana Weber mehr als Marek Nowak?",
    "Welche Aufträge haben im März 2024 begonnen?",
    "Welche Materialien wurden noch nie verwendet?",
    "Welche Mitarbeiter haben an Aufträgen der Möwenbräu GmbH gearbeitet?",
    "Welches Material wurde für die Werft Nord AG verwendet?",
    "Wie viele Leistungsschalter sind auf Lager?",
    "Wie viele Stunden wurden insgesamt für Werft Nord AG gearbeitet?",
    "Wo fand die Schulung Wärmepumpen statt?",
    "Gegen wen haben die Damen 1 gespielt?",
    "In welcher Liga spielt die Jugend B?",
    "Spiele gegen SV Gera",
    "Welche Kurse finden am Dienstag statt?",
    "Welche Lizenz hat die Trainerin der Damen 1?",
    "Welche Mannschaften haben noch nie gegen SV Gera gespielt?",
    "Welche Mitglieder werden von Meike Sommer trainiert?",
    "Welche Trainer wurden in den siebziger Jahren geboren?",
    "Wer spielt Rückraum und hat mehr als 60 Tore?",
    "Wie groß sind die Spieler der Herren 1 im Durchschnitt?",
}


@pytest.fixture(scope="module")
def german() -> Iterator[dict[str, isomatch.Session]]:
    opens = {
        bank: opened((questions.SMALL / f"{bank}.ttl").read_bytes(), language="de")
        for bank in BANKS
    }
    yield opens
    for session in opens.values():
        session.close()


@pytest.mark.parametrize("bank", BANKS)
def test_what_is_asked_in_german_is_answered_rightly(
    german: dict[str, isomatch.Session], bank: str
) -> None:
    found = [
        questions._ask(german[bank], row)
        for row in questions._questions(questions.SMALL / f"{bank}.toml")
        if not row.get("held")
    ]

    assert {one.question for one in found if one.verdict in ("wrong", "made up")} == set()
    assert {one.question for one in found if one.verdict == "refused"} <= REFUSED


@pytest.mark.parametrize(
    ("bank", "question", "names"),
    [
        ("betrieb", "Wo wohnen die Mitarbeiter der Abteilung Elektro?", {"Kiel", "Plau am See"}),
        ("betrieb", "Welche Aufträge sind noch geplant?", {"A-106"}),
        ("verein", "Welche Trainer wohnen weder in Jena noch in Weimar?", {"Anton Beck"}),
        ("verein", "Wer ist der älteste Trainer?", {"Anton Beck"}),
        ("verein", "Wessen Trainerin ist Meike Sommer?", {"Herren 1", "Jugend B"}),
        ("verein", "Wer ist zuletzt eingetreten?", {"Edda Lang"}),
        ("verein", "Was war das erste Spiel?", {"Spiel 11"}),
        ("verein", "Was ist die zweitgrößte Stadt?", None),
        ("verein", "Wer hat Ruben Falk verletzt?", None),
        ("verein", "Wer hat fast 60 Tore?", None),
    ],
)
def test_small_words_change_the_answer(
    german: dict[str, isomatch.Session], bank: str, question: str, names: set[str] | None
) -> None:
    answer = asked(german[bank], question)

    found = {node.name for node in answer.answers} if answer else None
    assert found == names


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("groesse", "größe"),
        ("spielt fuer", "spielt für"),
        ("rueckennummer", "rückennummer"),
        ("neue dauer", "neue dauer"),
        ("rechnung nr", "rechnung nummer"),
    ],
)
def test_names_of_a_schema_are_spelled_out(name: str, spelled: str) -> None:
    assert language_of("de").spelled(name) == spelled


@pytest.mark.parametrize(
    ("word", "form"),
    [("Flüsse", "fluss"), ("Größen", "größe"), ("fährt", "fahren"), ("gefahren", "fahren")],
)
def test_forms_of_german_words(word: str, form: str) -> None:
    assert form in language_of("de").forms(word.lower())


def test_what_is_of_the_nearest_noun_is_of_no_other() -> None:
    graph = b"""
        @prefix : <http://example.org/> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :e a :Department ; rdfs:label "Electro" ; :location :kiel .
        :s a :Department ; rdfs:label "Sanitary" ; :location :ulm .
        :kiel a :Town ; rdfs:label "Kiel" . :ulm a :Town ; rdfs:label "Ulm" .
        :ann a :Employee ; rdfs:label "Ann Weber" ; :works_in :e ; :residence :kiel .
        :ben a :Employee ; rdfs:label "Ben Yilmaz" ; :works_in :e ; :residence :ulm .
        :cem a :Employee ; rdfs:label "Cem Nowak" ; :works_in :s ; :residence :ulm .
    """
    with opened(graph) as session:
        answer = asked(session, "Which towns are the residence of employees of Electro?")

    assert answer
    assert {node.name for node in answer.answers} == {"Kiel", "Ulm"}


HOUSE = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :r1 a :Reparatur ; rdfs:label "R1" ; :kosten 300 ; :handwerker :karl .
    :r2 a :Reparatur ; rdfs:label "R2" ; :kosten 90 ; :handwerker :egon .
    :karl a :Handwerker ; rdfs:label "Karl Fuchs" ; :vertretung_fuer :egon .
    :egon a :Handwerker ; rdfs:label "Egon Wolf" ; :miete 700 .
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Kosten der Reparaturen von Karl Fuchs", {"300"}),
        ("Was kostet R2?", {"90"}),
        ("Wer ist die Vertretung für Egon Wolf?", {"Karl Fuchs"}),
        ("Wie hoch ist die Miete von Egon Wolf?", {"700"}),
        ("Wie alt ist die Miete von Egon Wolf?", None),
    ],
)
def test_nouns_that_are_verbs_too_and_nouns_with_a_preposition(
    question: str, names: set[str] | None
) -> None:
    with opened(HOUSE.encode(), language="de") as session:
        answer = asked(session, question)

    assert ({node.name for node in answer.answers} if answer else None) == names


@pytest.mark.parametrize(
    ("bank", "question", "text"),
    [
        ("betrieb", "Zeig mir alle Kunden aus Kiel", "Werft Nord AG und Möwenbräu GmbH."),
        ("betrieb", "Gibt es Kunden in Lübeck?", "Ja: Bäckerei Thomsen ─sitz→ Lübeck."),
        (
            "verein",
            "Spielt Clara Voss für die Herren 1?",
            "Nein: Der Graph enthält keine solche Angabe wie Clara Voss ─spielt fuer→ Herren 1.",
        ),
        (
            "betrieb",
            "Wie viele Aufträge hat die Möwenbräu GmbH erteilt?",
            "Falls „erteilt“ für „auftrag, status beliebig“ steht: 2.",
        ),
        (
            "verein",
            "In welcher Halle spielen die Damen 1?",
            "Halle am Hang. Verbunden über „heim“, was kein Wort sagt.",
        ),
        (
            "verein",
            "Anzahl Kurse pro Abteilung",
            "Schach: 1; Schwimmen: 2. Was nichts davon hat, ist nicht aufgeführt.",
        ),
        ("betrieb", "Für wen war der Auftrag A-104?", "Der Graph sagt dazu nichts."),
        (
            "betrieb",
            "Wie viele Leistungsschalter sind auf Lager?",
            "Die Frage wurde nicht ganz verstanden: Für „Lager“ fand sich kein Platz. "
            "Verstanden: „Wie viele“ als Anzahl, „Leistungsschalter“.",
        ),
        (
            "verein",
            "Welche Lizenz hat die Trainerin der Damen 1?",
            "Die Frage wurde nicht ganz verstanden: Was gefunden wurde, ist nicht das, wonach "
            "„Lizenz“ fragt. Verstanden: „Trainerin“ als trainiert von, „Damen 1“.",
        ),
    ],
)
def test_answers_are_written_in_german(
    german: dict[str, isomatch.Session], bank: str, question: str, text: str
) -> None:
    answer = german[bank].ask(question, interpreter="schema")

    assert answer.text == text
    assert answer.is_not_read is text.startswith("Die Frage wurde nicht ganz verstanden")


def test_notes_say_in_german_how_words_were_read(german: dict[str, isomatch.Session]) -> None:
    name, relation = (
        german["betrieb"].ask(question, interpreter="schema").notes
        for question in (
            "Wo wohnt Silke Peterson?",
            "Welches Material wurde für die Werft Nord AG verwendet?",
        )
    )

    assert "„Silke Peterson“ als „Silke Petersen“ gelesen, ein Buchstabe anders" in name
    assert "die nächste Lesart hat „auftraggeber“, was kein Wort der Frage sagt" in relation


@pytest.mark.parametrize(
    "question", ["Liste jeden Mitarbeiter auf", "Zeige alle Mitarbeiter an", "Liste Mitarbeiter"]
)
def test_a_command_may_end_with_the_particle_of_its_verb(
    german: dict[str, isomatch.Session], question: str
) -> None:
    every = asked(german["betrieb"], "Welche Mitarbeiter gibt es?")
    answer = asked(german["betrieb"], question)
    assert every is not None
    assert answer is not None
    assert {node.name for node in answer.answers} == {node.name for node in every.answers}


@pytest.mark.parametrize("asking", ["Nenne", "Wie lauten"])
def test_the_names_of_things_are_these(asking: str) -> None:
    graph = """
        @prefix : <http://example.org/> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :ann a :Person ; rdfs:label "Ann Ash" ; :freund :bob .
        :bob a :Person ; rdfs:label "Bob Elm" .
    """
    with opened(graph, language="de") as session:
        answer = session.ask(f"{asking} die Namen der Freunde von Ann Ash", interpreter="schema")
        assert answer.text == "Bob Elm."
