"""Kinds, numbers and "every" without a place: each was once answered as if proven."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

from isomatch import Session

TOWNS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:locatedIn rdfs:label "located in" . :livesIn rdfs:label "lives in" .
:publishedIn rdfs:label "published in" .
:releasedOn rdfs:label "released on" . :usesDataset rdfs:label "uses dataset" .
:playsInstrument rdfs:label "plays instrument" . :keptIn rdfs:label "kept in" .
:memberOf rdfs:label "member of" . :givenBy rdfs:label "given by" .
:belongsToCategory rdfs:label "belongs to category" .
:luke a :Hospital ; rdfs:label "St Luke" ; :locatedIn :hull .
:mary a :Hospital ; rdfs:label "St Mary" ; :locatedIn :york .
:tech a :University ; rdfs:label "Hull Tech" ; :locatedIn :hull .
:hull a :City ; rdfs:label "Hull" . :york a :City ; rdfs:label "York" .
:moss a :Paper ; rdfs:label "On Moss" ; :publishedIn :annals ; :usesDataset :alps ; :section :soil .
:clay a :Paper ; rdfs:label "On Clay" ; :publishedIn :annals ; :usesDataset :alps ; :section :soil .
:annals a :Journal ; rdfs:label "Annals" . :soil a :Section ; rdfs:label "Soil" .
:alps a :Dataset ; rdfs:label "Alpine Days" ; :releasedOn "2021-01-20"^^xsd:date .
:mia a :Musician ; rdfs:label "Mia Ash" ; :playsInstrument :drum , :flute ; :memberOf :choir .
:noa a :Musician ; rdfs:label "Noa Elm" ; :playsInstrument :drum ; :memberOf :choir .
:drum a :Instrument ; rdfs:label "drum" . :flute a :Instrument ; rdfs:label "flute" .
:choir a :Club ; rdfs:label "Choir" ; :president :mia .
:bess a :Animal ; rdfs:label "Bess" ; :keptIn :low .
:thor a :Animal ; rdfs:label "Thor" ; :keptIn :pen .
:g1 a :Grant ; rdfs:label "Grant 1" ; :givenBy :choir . :g2 a :Grant ; rdfs:label "Grant 2" .
:luke :employs :ann . :ann a :Nurse ; rdfs:label "Ann Oak" ; :livesIn :york ; :employedAt :tech .
:ivo a :Teacher ; rdfs:label "Ivo Oak" ; :teaches :maths . :maths a :Subject ; rdfs:label "maths" ;
    :taughtIn :r1 . :r1 a :Room ; rdfs:label "R1" . :teaches rdfs:label "teaches" .
:taughtIn rdfs:label "taught in" . :eva a :Teacher ; rdfs:label "Eva Elm" .
:v1 a :Review ; rdfs:label "v1" ; :reviewer :dot ; :about :cup . :dot a :Member ;
    rdfs:label "Dot Fir" . :cup :maintainedBy :dot . :maintainedBy rdfs:label "maintained by" .
:low a :Barn ; rdfs:label "Low Barn" . :pen a :Barn ; rdfs:label "Bull Pen" .
:cup a :Product ; rdfs:label "Cup" ; :belongsToCategory :kitchen .
:kitchen a :Category ; rdfs:label "Kitchen" .
"""

TRACING = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:livesIn rdfs:label "lives in" . :worksAt rdfs:label "works at" .
:ann a :Person ; rdfs:label "Ann Ash" ; :livesIn :river ; :worksAt :school .
:finn a :Person ; rdfs:label "Finn Oak" ; :livesIn :hill ; :attends :school .
:school a :Venue ; rdfs:label "Weir School" ; :district :river ; :category "school" .
:gym a :Venue ; rdfs:label "Gym" ; :district :hill ; :category "gym" .
:river a :District ; rdfs:label "Riverside" . :hill a :District ; rdfs:label "Hillcrest" .
"""

STAFF = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:mayorOf rdfs:label "mayor of" .
:ann a :Person ; rdfs:label "Ann Ash" ; :mayorOf :hull ; :occupation :baker .
:bob a :Person ; rdfs:label "Bob Elm" ; :mayorOf :york ; :occupation :cook .
:hull a :City ; rdfs:label "Hull" . :york a :City ; rdfs:label "York" .
:baker a :Trade ; rdfs:label "baker" . :cook a :Trade ; rdfs:label "cook" .
"""


@pytest.fixture(scope="module")
def towns() -> Iterator[Session]:
    with opened(TOWNS) as session:
        yield session


@pytest.fixture(scope="module")
def staff() -> Iterator[Session]:
    with opened(STAFF) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Hospitals and universities in Hull",
        "Universities and hospitals in Hull",
        "List all hospitals and universities in Hull",
        "How many hospitals and universities are in Hull?",
    ],
)
def test_each_of_two_kinds_is_looked_for(towns: Session, question: str) -> None:
    assert asked(towns, question) is None


@pytest.mark.parametrize(
    "question", ["Persons and venues in Riverside", "List the persons and venues in Riverside"]
)
def test_what_is_joined_to_the_asked_is_asked_for_too(question: str) -> None:
    """And not what it has to do with."""
    with opened(TRACING) as session:
        assert asked(session, question) is None
        assert names_if_answered(session, "Venues in Riverside") == {"Weir School"}


@pytest.mark.parametrize(
    "question", ["Papers published in 2021", "Which papers were published in 2021?"]
)
def test_a_year_is_no_journal(towns: Session, question: str) -> None:
    assert asked(towns, question) is None


@pytest.mark.parametrize(
    "question",
    [
        "Which musicians play every instrument?",
        "Musicians who play every instrument",
        "Which barn contains every animal?",
        "Which musicians have every instrument?",
        "Which clubs gave every grant?",
        "Which teachers teach every subject?",
        "Which members reviewed every product?",
    ],
)
def test_what_is_done_to_every_one_is_done_to_all(towns: Session, question: str) -> None:
    assert asked(towns, question) is None


@pytest.mark.parametrize(
    "question",
    [
        "Which categories have categories?",
        "Which products are in products?",
        "Which papers contain sections?",
        "How many sections does each paper contain?",
    ],
)
def test_nothing_is_in_what_many_share_or_in_itself(towns: Session, question: str) -> None:
    assert asked(towns, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Hospitals in Hull", {"St Luke"}),
        ("Which teachers teach subjects?", {"Ivo Oak"}),
        ("Which members reviewed products?", {"Dot Fir"}),
        ("Give me every barn", {"Low Barn", "Bull Pen"}),
        ("Papers published in Annals", {"On Moss", "On Clay"}),
        ("Datasets released in 2021", {"Alpine Days"}),
        ("Which musicians play an instrument?", {"Mia Ash", "Noa Elm"}),
        ("Which category is the category of Cup?", {"Kitchen"}),
        ("Which categories contain products?", {"Kitchen"}),
        ("Which sections contain papers?", {"Soil"}),
        ("Members of the club whose president is Mia Ash", {"Mia Ash", "Noa Elm"}),
        ("Who is the president of the club of Noa Elm?", {"Mia Ash"}),
    ],
)
def test_what_is_near_these_is_answered(towns: Session, question: str, names: set[str]) -> None:
    assert names_if_answered(towns, question) == names


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Which musicians play each instrument?",
            "drum: Mia Ash and Noa Elm; flute: Mia Ash.",
        ),
        ("Which barn contains each animal?", "Low Barn: Bess; Bull Pen: Thor."),
    ],
)
def test_each_is_listed_by_itself(towns: Session, question: str, text: str) -> None:
    answer = asked(towns, question)
    assert answer is not None
    assert sorted(answer.text.strip(".").split("; ")) == sorted(text.strip(".").split("; "))


@pytest.mark.parametrize(
    "question", ["What does the mayor of Hull do?", "What did the mayor of Hull do?"]
)
def test_what_somebody_does_is_not_who_that_is(staff: Session, question: str) -> None:
    assert asked(staff, question) is None


def test_who_somebody_is_and_what_they_are_by_trade_is_answered(staff: Session) -> None:
    assert names_if_answered(staff, "Who is the mayor of Hull?") == {"Ann Ash"}
    assert names_if_answered(staff, "What is the occupation of the mayor of Hull?") == {"baker"}


SHIPS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:gannet rdfs:label "Gannet" ; :captain :moe ; :owner :moe .
:tern rdfs:label "Tern" ; :captain :lie ; :owner :moe .
:moe rdfs:label "Einar Moe" . :lie rdfs:label "Sunniva Lie" .
"""


def test_captains_and_owners_need_not_be_both() -> None:
    with opened(SHIPS) as session:
        assert asked(session, "Captains and owners of Gannet") is None
        assert names_if_answered(session, "Captains of Tern") == {"Sunniva Lie"}
