"""Questions as people put them, of a hospital, a festival and a family."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import asked, opened

import isomatch

GRAPHS = Path(__file__).parents[2] / "bench/readings"


def _opened(name: str) -> isomatch.Session:
    return opened((GRAPHS / f"{name}.ttl").read_bytes())


@pytest.fixture(scope="module")
def hospital() -> Iterator[isomatch.Session]:
    with _opened("hospital") as session:
        yield session


@pytest.fixture(scope="module")
def festival() -> Iterator[isomatch.Session]:
    with _opened("festival") as session:
        yield session


@pytest.fixture(scope="module")
def power() -> Iterator[isomatch.Session]:
    with _opened("power") as session:
        yield session


@pytest.fixture(scope="module")
def family() -> Iterator[isomatch.Session]:
    with _opened("family") as session:
        yield session


def _answers(session: isomatch.Session, question: str) -> set[str] | None:
    """The names of the answers, or yes or no; None where the question is refused."""
    answer = asked(session, question)
    if answer is None:
        return None
    return {node.name for node in answer.answers} if answer.holds is None else {str(answer.holds)}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which nurses work at Merrow General?", {"Peter Okoro", "Amy Marsh"}),
        ("In which hospital does Milan Kova work?", {"St Luke"}),
        ("Does Sara Lind work at St Luke?", {"True"}),
        ("Which patients live in the same city as Paul Moreau?", {"Ines Moreau"}),
    ],
)
def test_a_ward_is_in_the_hospital_that_it_is_part_of(
    hospital: isomatch.Session, question: str, names: set[str]
) -> None:
    assert _answers(hospital, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Which patients live with Paul Moreau?",
        "How many beds does St Luke have?",
        "How many beds are in St Luke?",
        "Which patients have never been cured?",
    ],
)
def test_what_the_hospital_does_not_say_is_refused(
    hospital: isomatch.Session, question: str
) -> None:
    """Who only lives in the same city; the beds of each ward."""
    assert _answers(hospital, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which songs have never been played?", {"Dusk"}),
        ("Which songs were not played?", {"Dusk"}),
        ("How many songs have never been played?", {"1"}),
        ("Which gigs were not reviewed?", {"Gig 2", "Gig 4"}),
        ("Which songs were not played by The Low Oaks?", {"Dusk", "Pulse", "Salt Road"}),
        ("Which gigs took place in 2024?", {"Gig 3"}),
        ("When did Gig 3 take place?", {"2024-05-10"}),
        ("Which gigs took place at Sunfield?", None),
        ("When was Voltage Choir formed?", {"2018"}),
        ("Who reviewed Gig 3?", {"Liam Roe"}),
        ("Which songs did The Low Oaks play?", {"Ember", "Heron"}),
        ("Which songs did Mara Quinn play?", None),  # not those played beside hers
        ("Who played Ember?", None),  # no gig did
        ("Did Nina Ost review Gig 1?", {"True"}),
        ("Which bands performed on the Blue Tent stage?", {"The Low Oaks", "Voltage Choir"}),
        ("Who sponsors Sunfield?", {"Zip Cola"}),
    ],
)
def test_deeds_of_the_festival_are_read_or_refused(
    festival: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert _answers(festival, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which city is the biggest in Southmark?", {"Marsk"}),
        ("Which river is the longest in Southmark?", {"Isk"}),
        ("Which plants supply Dorn but not Pell?", {"Arkle Point", "Birkdale"}),
        ("Which plants are in Valdia?", {"Arkle Point", "Birkdale", "Dunsea"}),
        ("Which plants have a capacity over 1000 MW?", {"Birkdale", "Dunsea"}),
        ("Which plants have a capacity over 1.2 GW?", {"Dunsea"}),
        ("Who succeeded Rolf Adler?", {"Lea Quist"}),
        ("Who was the predecessor of Lea Quist?", {"Rolf Adler"}),
        ("Which person leads two companies?", {"Otto Brandt"}),
        ("Which companies are subsidiaries of Crown Energy?", {"Hydral"}),
    ],
)
def test_types_are_called_by_their_last_word(
    power: isomatch.Session, question: str, names: set[str]
) -> None:
    """And roles by what people in them do, or by the other end."""
    assert _answers(power, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who are the children of Edda Falk?", {"Klara Brenner", "Otto Brenner"}),
        ("How many children does Hugo Brenner have?", {"2"}),
        ("Who works for Nord Press?", {"Klara Brenner", "Pernille Aas"}),
        ("Where is Ring University?", {"Vienna"}),
        ("Was Otto Brenner born in Vienna?", {"True"}),
        ("Was Otto Brenner born in Oslo?", {"False"}),
    ],
)
def test_facts_of_the_family_need_no_types(
    family: isomatch.Session, question: str, names: set[str]
) -> None:
    assert _answers(family, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Who is Klara Brenner's grandmother?",
        "Who is the brother of Klara Brenner?",
        "What is the population of Oslo?",
        "In which city is Edda Falk buried?",
        "In which country was Ilja Vasa born?",
        "Was Otto Brenner born in Austria?",
        "Is Lund the mother of Otto Brenner?",
        "Where was Edda Falk?",
    ],
)
def test_a_noun_that_no_relation_says_is_not_guessed(
    family: isomatch.Session, question: str
) -> None:
    """They gave the mother, who lives in Oslo, a cemetery, and whom he influenced."""
    assert _answers(family, question) is None


DEATHS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:diedOf rdfs:label "died of" . :livesIn rdfs:label "lives in" .
:otmar a :Person ; rdfs:label "Otmar Kell" ; :diedOf :flu ; :livesIn :tarn .
:mira a :Person ; rdfs:label "Mira Voss" ; :livesIn :tarn .
:flu a :Disease ; rdfs:label "Flu" . :tarn a :City ; rdfs:label "Tarn" .
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where did Otmar Kell die?", None),
        ("Who died in Tarn?", None),
        ("Who died of Flu?", {"Otmar Kell"}),
        ("What did Otmar Kell die of?", {"Flu"}),
    ],
)
def test_what_somebody_died_of_is_no_place(question: str, names: set[str] | None) -> None:
    """A disease answered "where", and who died in Tarn was whoever had lived there."""
    with opened(DEATHS) as session:
        assert _answers(session, question) == names


TOWN = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:bus a :BusStation ; rdfs:label "Gate Station" ; :district :west .
:police a :PoliceStation ; rdfs:label "Moor Station" ; :district :east .
:library a :PublicLibrary ; rdfs:label "Elm Library" ; :district :east .
:west a :District ; rdfs:label "West End" . :east a :District ; rdfs:label "East End" .
:ada a :Person ; rdfs:label "Ada Moss" ; :mother :ida ; :employer :works ; :livesIn :west .
:ida a :Person ; rdfs:label "Ida Moss" ; :livesIn :east . :livesIn rdfs:label "lives in" .
:tom a :Person ; rdfs:label "Tom Ford" ; :livesIn :east .
:works a :Company ; rdfs:label "City Works" .
:v1 a :Visit ; rdfs:label "Visit 1" ; :visitor :tom ; :place :library .
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which police stations are in East End?", {"Moor Station"}),
        ("Which library is in East End?", {"Elm Library"}),
        ("Which stations are in East End?", None),
        ("Which stations are there?", None),
        ("How many stations are in West End?", None),
        ("Who works for City Works?", {"Ada Moss"}),
        ("Who does Ada Moss work with?", None),
        ("Who visited Elm Library?", {"Tom Ford"}),
        ("Who has never been visited?", None),
    ],
)
def test_a_word_of_two_types_or_for_another_role_is_refused(
    question: str, names: set[str] | None
) -> None:
    """Stations were those of buses; colleagues the employer; the unvisited who made no visit."""
    with opened(TOWN) as session:
        assert _answers(session, question) == names


RIVALS = b"""
@prefix : <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:of rdfs:label "reviewed film" . :part rdfs:label "part of" . :works rdfs:label "works in" .
:valuedAt rdfs:label "valued at" . :playedIn rdfs:label "played in" .
:r1 a :Review ; rdfs:label "Rev A" ; :reviewer :meg ; :of :hot ; :editor :oli .
:r2 a :Review ; rdfs:label "Rev C" ; :reviewer :meg ; :of :cool ; :editor :ned .
:hot a :Film ; rdfs:label "Hot Rain" ; :editor :ned . :cool a :Film ; rdfs:label "Cool Sun" ;
    :editor :oli ; :author :meg . :meg a :Person ; rdfs:label "Meg Roe" .
:oli a :Person ; rdfs:label "Oli Doe" . :ned a :Person ; rdfs:label "Ned Poe" .
:ward a :Ward ; rdfs:label "Eye Ward" ; :part :mercy . :ear a :Ward ; rdfs:label "Ear Ward" ;
    :part :mercy . :mercy a :Hospital ; rdfs:label "Mercy" .
:ann a :Person ; rdfs:label "Ann Fox" ; :heads :ward ; :works :ward .
:dusk a :Painting ; rdfs:label "Dusk" ; :valuedAt 1900 .
:dawn a :Painting ; rdfs:label "Dawn" ; :valuedAt 2500 ; :date "1890-05-01"^^xsd:date .
:low a :Song ; rdfs:label "Low Tide" ; :playedIn :gig . :ebb a :Song ; rdfs:label "Ebb" .
:far a :Song ; rdfs:label "Far Shore" . :gig a :Gig ; rdfs:label "Park Gig" .
:band a :Band ; rdfs:label "Elm Band" ; :plays :far .
"""


@pytest.fixture(scope="module")
def rivals() -> Iterator[isomatch.Session]:
    with opened(RIVALS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Did Meg Roe review Cool Sun?", {"True"}),
        ("Did Oli Doe review Hot Rain?", {"False"}),
        ("Which films did Meg Roe review?", {"Cool Sun", "Hot Rain"}),
        ("Who heads Mercy?", None),
        ("Who works in Mercy?", {"Ann Fox"}),
        ("When was Dusk valued?", None),
        ("Which songs have never been played?", {"Ebb"}),
    ],
)
def test_another_relation_is_no_answer(
    rivals: isomatch.Session, question: str, names: set[str] | None
) -> None:
    """Editors reviewed, the head of a ward headed the hospital, and a price was a year."""
    assert _answers(rivals, question) == names


def test_names_without_letters_are_no_words_for_types() -> None:
    turtle = """
    @prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :star rdfs:label "★" . :number rdfs:label "♯" .
    :a a :star ; rdfs:label "Ada Moss" ; :number 4 ; :bornIn :oslo . :oslo rdfs:label "Oslo" .
    """
    with opened(turtle) as session:
        assert _answers(session, "Where was Ada Moss born?") == {"Oslo"}
