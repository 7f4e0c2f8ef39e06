"""Questions about a parliament, a farm and an auction house: posts, measurements and lots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import names_found, names_if_answered, opened

import isomatch

GRAPHS = Path(__file__).parents[2] / "bench/readings"


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, isomatch.Session]]:
    names = ("parliament", "farm", "auction", "films", "wiki")
    opened_ones = {name: opened((GRAPHS / f"{name}.ttl").read_bytes()) for name in names}
    yield opened_ones
    for session in opened_ones.values():
        session.close()


Sessions = dict[str, isomatch.Session]


@pytest.mark.parametrize(
    ("graph", "question", "names"),
    [
        # A record that a name says the kind of is a noun for what it is of.
        ("farm", "milk yield of Clover", {"31"}),
        ("farm", "what is Thor's weight?", {"910"}),
        ("farm", "soil moisture in the North Forty", {"31"}),
        ("farm", "average milk yield", {"25.55"}),
        # A class is none of those that share its superclass, or a label with it.
        ("parliament", "who sponsored the most bills", {"Adaeze Okoye", "Celia Stroud"}),
        ("parliament", "which members sponsored no bill", {"Oscar Benn"}),
        (
            "parliament",
            "all committees except the Steering Committee",
            {"Finance Committee", "Environment Committee", "Health Committee"},
        ),
        (
            "wiki",
            "Who was born in Amberhaven or Brunnau?",  # a port city, and a city
            {"Ruth Keller", "Anna Weiss", "Viktor Haas", "Mathilde Arno"},
        ),
        ("farm", "who took the most measurements?", {"Jess Tolley"}),
        ("farm", "who earns the most?", {"Jess Tolley"}),
        ("farm", "average hourly wage", {"16.2"}),
        # What a record was done by is said of the one thing that it is of.
        ("auction", "who catalogued the Swallow Brooch", {"Arjun Singh"}),
        ("auction", "items consigned by Lady Ashby", {"Ashby Tiara", "Penhale Longcase"}),
        ("auction", "lots consigned by Lady Ashby", {"l4", "l6"}),
        # Texts may be counted, and are one of several before a noun, too.
        ("auction", "number of owners of the Ashby Tiara", {"3"}),
        ("farm", "people who speak at least two languages", {"Marek Zima", "Olive Crane"}),
        (
            "parliament",
            "bills with more than one subject",
            {"Clean Rivers Bill", "Farm Tax Relief Bill"},
        ),
        (
            "auction",
            "gold or platinum jewels",
            {"Marlow Ring", "Swallow Brooch", "Ashby Tiara"},
        ),
        # What relations and records are also called.
        ("farm", "which animals were born after Nanette?", {"Pippin"}),
        ("farm", "who speaks welsh", {"Olive Crane"}),
        ("farm", "what did the Copper Kettle Cafe buy", {"eggs", "raw milk"}),
        ("farm", "products nobody has bought", {"goat cheese"}),
        ("farm", "which animals were bought from Gus Hallow?", {"Thor"}),
        ("farm", "who treated Daisy?", {"Ada Finch"}),
        ("parliament", "the largest constituency", {"Crossgate"}),
        ("parliament", "constituencies with more than 70000 voters", {"Crossgate"}),
        (
            "parliament",
            "members of the Environment Committee",  # whoever chairs it, too
            {"Ivy Moss", "Ramon Vidal", "Adaeze Okoye"},
        ),
    ],
)
def test_a_question_is_answered(
    sessions: Sessions, graph: str, question: str, names: set[str]
) -> None:
    assert names_found(sessions[graph], question) == names


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("auction", "average hammer price"),  # of "£8,000" and the like
        ("auction", "total of the reserves"),
        ("parliament", "chair of the Clean Rivers Bill"),
        ("farm", "how heavy is Nanette?"),
        ("farm", "who bought from Gus Hallow?"),  # no animal did
        ("films", "Who has received more than one award?"),  # people, and films
    ],
)
def test_a_question_is_refused(sessions: Sessions, graph: str, question: str) -> None:
    assert names_if_answered(sessions[graph], question) is None


@pytest.mark.parametrize(
    ("graph", "question", "beginning"),
    [
        (
            "parliament",
            "who is the chair of the Finance Committee",
            "If “chair” means “chair, at any time”: Celia Stroud.",
        ),
        (
            "parliament",
            "who are the ministers",
            "If “ministers” means “minister, at any time”: ",
        ),
        # A relation of that name is nearer.
        ("parliament", "who is the leader of the Green Alliance", "Adaeze Okoye."),
        (
            "parliament",
            "which comittee was the Hospital Funding Bill referred to?",
            "If “comittee” means “committee”: Health Committee.",
        ),
        ("farm", "all cows except Bess", "Daisy and Clover."),
        (
            "auction",
            "who bought the Ashby Tiara",
            "Kestrel Gallery. Joined by “offers”, which no word says.",
        ),
    ],
)
def test_an_answer_tells_what_was_taken(
    sessions: Sessions, graph: str, question: str, beginning: str
) -> None:
    assert sessions[graph].ask(question, interpreter="schema").text.startswith(beginning)


LAB = b"""
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:m1 a :Measurement ; rdfs:label "M-1" ; :quantity "mass" ; :sample :s1 ; :value 21 .
:m2 a :Measurement ; rdfs:label "M-2" ; :quantity "mass" ; :sample :s2 ; :value 35 .
:s1 a :Sample ; rdfs:label "Alpha" ; :depth 30 ; :population 800 ; :keeper :lin .
:s2 a :Sample ; rdfs:label "Beta" ; :depth 80 ; :population 200 ; :keeper :oz .
:p1 a :Policy ; :soldBy :lin ; :covers :s1 . :p2 a :Policy ; :soldBy :oz ; :covers :s2 .
:ph1 a :Photo ; :takenBy :lin ; :shows :s1 . :ph2 a :Photo ; :takenBy :oz ; :shows :s2 .
:lin a :Person ; rdfs:label "Lin Young" . :oz a :Person ; rdfs:label "Oz Long" .
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("mass of Alpha", {"21"}),
        ("mass measurements of Alpha", {"M-1"}),  # and not what was measured
        ("How high is the mass of Alpha?", {"21"}),
        ("How large is the population of Beta?", {"200"}),
        ("How deep is the depth of Beta?", {"80"}),
        ("How old is the population of Beta?", None),
        ("How tall is the population of Beta?", None),
        # Who sold what covers something, or took what shows it, did not sell or take it.
        ("Who sold Alpha?", None),
        ("Who took Beta?", None),
        ("Which samples did Lin Young sell?", None),
    ],
)
def test_what_is_said_of_a_record_is_not_said_of_its_thing(
    question: str, names: set[str] | None
) -> None:
    with opened(LAB) as session:
        assert names_if_answered(session, question) == names
