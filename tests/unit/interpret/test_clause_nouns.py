"""What clauses say of their subjects: who has a mentor is not that one, nor ordered "it" anything.

Each of these was once answered as if proven, or told of another relation.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.bench import questions
from tests.turtle import asked, names_if_answered, opened

import isomatch

ENGLISH = (
    "family",
    "farm",
    "festival",
    "newsroom",
    "research",
    "services",
    "ships",
    "shop",
    "tracing",
)
BANKS = {**dict.fromkeys(ENGLISH, "en"), "betrieb": "de"}
PARTIES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:green a :Party ; rdfs:label "Green Party" ; :leader :ann .
:blue a :Party ; rdfs:label "Blue Party" ; :leader :cid .
:ann a :Member ; rdfs:label "Ann Ash" ; :leads :green .
:bob a :Member ; rdfs:label "Bob Elm" . :cid a :Member ; rdfs:label "Cid Oak" ; :leads :blue .
:m1 a :Membership ; :member :ann ; :body :green ; :role "leader" ; :during :i1 .
:m2 a :Membership ; :member :bob ; :body :green ; :role "member" ; :during :i2 .
:m3 a :Membership ; :member :cid ; :body :blue ; :role "chair" ; :during :i3 .
:i1 a :Interval ; :hasBeginning "2014-02-01"^^xsd:date .
:i2 a :Interval ; :hasBeginning "2010-03-01"^^xsd:date ; :hasEnd "2021-08-31"^^xsd:date .
:i3 a :Interval ; :hasBeginning "2019-06-10"^^xsd:date .
"""


@pytest.fixture(scope="module")
def graphs() -> Iterator[dict[str, isomatch.Session]]:
    opens = {
        bank: opened((questions.SMALL / f"{bank}.ttl").read_bytes(), language=language)
        for bank, language in BANKS.items()
    }
    yield opens
    for session in opens.values():
        session.close()


@pytest.mark.parametrize(
    ("bank", "question", "names"),
    [
        ("newsroom", "Who has a mentor born in Altena?", {"Ines Roth", "Tobi Lang"}),
        ("newsroom", "Who has a mentor?", {"Ines Roth", "Tobi Lang"}),
        ("newsroom", "Which journalists have no mentor?", {"Lena Otto", "Kofi Mensah"}),
        ("newsroom", "Who does Ines Roth mentor?", {"Tobi Lang"}),
        ("newsroom", "Which editors mentor Ines Roth?", {"Ruth Adler"}),
        ("newsroom", "Who is the mentor of Tobi Lang?", {"Ines Roth"}),
        ("newsroom", "Which sections have a head?", {"Local", "Politics", "Sports"}),
        ("farm", "Who has a dam?", {"Pippin", "Daisy", "Clover"}),
        ("family", "Who won the Lark Prize?", {"Klara Brenner", "Edda Falk"}),
        ("research", "Who has a PhD from TU Norden?", {"Olu Adebayo", "Wei Chen"}),
        ("ships", "What did Clyde Works build?", {"Gannet", "Meridian Star"}),
        ("ships", "Which vessel types did Clyde Works build?", {"freighter", "trawler"}),
        ("shop", "How many orders are there?", {"10"}),
        (
            "tracing",
            "Which people have a symptom that Cleo Hart has?",
            {"Ana Ruiz", "Cleo Hart", "Finn Okoro", "Jon Petrie"},
        ),
        ("festival", "Which bands played a song that Paolo Neri wrote?", {"Voltage Choir"}),
        ("services", "Who has a mentor on the Checkout team?", {"Omar Said", "Lotte Braun"}),
        ("tracing", "Who works at a venue that Elif Aydin visited?", {"Ana Ruiz"}),
        ("tracing", "Which contacts does Ana Ruiz have?", {"k1", "k2"}),
        ("betrieb", "Wer hat einen Vorgesetzten aus Kiel?", {"Ole Brandt", "Deniz Yilmaz"}),
        (
            "betrieb",
            "Wer hat einen Vorgesetzten, der in Kiel wohnt?",
            {"Ole Brandt", "Deniz Yilmaz"},
        ),
        ("betrieb", "Wessen Vorgesetzter ist Jana Weber?", {"Ole Brandt", "Deniz Yilmaz"}),
    ],
)
def test_who_has_something_is_found(
    graphs: dict[str, isomatch.Session], bank: str, question: str, names: set[str]
) -> None:
    assert names_if_answered(graphs[bank], question) == names


@pytest.mark.parametrize(
    ("bank", "question"),
    [
        ("newsroom", "Who has an editor born in Hagen?"),
        (
            "newsroom",
            "Which journalist wrote an article whose editor is the mentor of Ines Roth?",
        ),
        ("farm", "Which cows have a dam that is the dam of Clover?"),
        ("farm", "Which cows have a dam born in 2015?"),
        ("ships", "Which ships did Clyde Works build?"),
        ("ships", "Which vessels did Clyde Works build?"),
        ("ships", "Which ships carry grain?"),
        ("shop", "Which customers who reviewed a product ordered it?"),
        ("shop", "Which customers ordered him?"),
        ("services", "Which engineers have a mentor who leads a team?"),
        ("tracing", "Who are Ana Ruiz's contacts?"),  # which are records without names
    ],
)
def test_what_they_have_and_what_it_is_are_no_answers(
    graphs: dict[str, isomatch.Session], bank: str, question: str
) -> None:
    assert asked(graphs[bank], question) is None


def test_who_leads_a_party_is_not_its_only_member() -> None:
    with opened(PARTIES) as session:
        found = session.ask("Who is a member of the Green Party?", interpreter="schema")
        assert found.text.startswith("If “member” means “member, at any time”: ")
        assert {node.name for node in found.answers} == {"Ann Ash", "Bob Elm"}
        assert asked(session, "List the members of the Green Party.") is None
        assert asked(session, "How many members does the Blue Party have?") is None
        assert names_if_answered(session, "Which member leads the Blue Party?") == {"Cid Oak"}
        assert names_if_answered(session, "Who is the leader of the Green Party?") == {"Ann Ash"}


SIRES = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:rex a :Dog ; rdfs:label "Rex" ; :sire :tom . :ben a :Dog ; rdfs:label "Ben" ; :sire :tom .
:tom a :Dog ; rdfs:label "Tom" ; :sire :old . :old a :Dog ; rdfs:label "Oldie" .
"""


@pytest.mark.parametrize(
    "question",
    [
        "Which dogs have Tom as a sire?",
        "Which dogs have Tom as their sire?",
        "Which dogs have Tom as sire?",
        "Dogs with Tom as their sire?",
    ],
)
def test_dogs_that_have_a_sire_are_his(question: str) -> None:
    with opened(SIRES) as session:
        assert names_if_answered(session, question) == {"Ben", "Rex"}
