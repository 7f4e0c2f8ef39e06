"""Questions about services, claims and an estate agency that a reading must not answer wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import names_found, names_if_answered, opened

import isomatch

GRAPHS = Path(__file__).parents[2] / "bench/readings"


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, isomatch.Session]]:
    names = ("services", "claims", "estate", "vets", "power")
    opened_ones = {name: opened((GRAPHS / f"{name}.ttl").read_bytes()) for name in names}
    yield opened_ones
    for session in opened_ones.values():
        session.close()


Sessions = dict[str, isomatch.Session]


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("services", "Which service owns the most teams?"),
        ("services", "Which services own a team?"),
        ("services", "Which deployment approved the most engineers?"),
        ("services", "Which service maintains the fewest engineers?"),
        ("claims", "Which policy sold the most agents?"),
    ],
)
def test_a_kind_before_a_verb_is_not_what_it_is_done_to(
    sessions: Sessions, graph: str, question: str
) -> None:
    assert names_if_answered(sessions[graph], question) is None


@pytest.mark.parametrize(
    ("graph", "question", "names"),
    [
        ("services", "Which team owns the fewest services?", {"Identity"}),
        (
            "services",
            "Which teams own a service?",
            {"Platform", "Checkout", "Identity", "Discovery"},
        ),
        ("claims", "Which agent sold the most motor policies?", {"Lena Anders"}),
    ],
)
def test_a_kind_before_a_verb_does_what_it_says(
    sessions: Sessions, graph: str, question: str, names: set[str]
) -> None:
    assert names_found(sessions[graph], question) == names


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("claims", "Which claims were withdrawn by Jutta Maier?"),
        ("estate", "Which properties were withdrawn by Conor Daly?"),
        ("vets", "Which appointments were paid by Grace Obi?"),
    ],
)
def test_what_somebody_did_is_not_what_else_they_have_to_do_with(
    sessions: Sessions, graph: str, question: str
) -> None:
    assert names_if_answered(sessions[graph], question) is None


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("services", "Who caused INC-101?"),
        ("claims", "Who insures L-PN 91?"),
        ("vets", "Who gave Bella the vaccine?"),
    ],
)
def test_who_is_no_deployment_policy_or_vaccine(
    sessions: Sessions, graph: str, question: str
) -> None:
    assert names_if_answered(sessions[graph], question) is None


@pytest.mark.parametrize(
    "question",
    [
        "Which clients have viewed the most properties?",
        "Which agent sold the most properties?",
        "Which properties did Moira Kelly show?",
    ],
)
def test_a_verb_says_what_is_counted(sessions: Sessions, question: str) -> None:
    assert names_if_answered(sessions["estate"], question) is None


def test_what_something_costs_to_run_is_not_what_it_runs_on(sessions: Sessions) -> None:
    assert names_if_answered(sessions["services"], "How much does it cost to run auth-api?") is None
    assert names_found(sessions["services"], "Which services run on onprem-a?") == {
        "search-index",
        "image-proxy",
        "legacy-billing",
    }


def test_who_has_one_but_no_other_has_no_such_thing_at_all(sessions: Sessions) -> None:
    question = "Which policyholders have a motor policy but no home policy?"
    assert names_found(sessions["claims"], question) == {"Pavel Novak", "Tim Sommer"}


@pytest.mark.parametrize(
    ("graph", "question", "names"),
    [
        ("power", "Which is the oldest power plant?", {"Cresta Dam"}),
        ("power", "Which is the newest power plant?", {"Arkle Point"}),
        ("services", "What is the oldest service?", {"legacy-billing"}),
    ],
)
def test_what_ended_first_is_not_the_oldest(
    sessions: Sessions, graph: str, question: str, names: set[str]
) -> None:
    assert names_found(sessions[graph], question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many deployments failed?", {"2"}),
        ("Which deployments failed?", {"deploy-5003", "deploy-5006"}),
        ("Failed production deployments", {"deploy-5006"}),
    ],
)
def test_what_has_not_succeeded_has_failed(
    sessions: Sessions, question: str, names: set[str]
) -> None:
    assert names_found(sessions["services"], question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which district has the highest average price?", {"Glasheen"}),
        ("Who is the manager of South Mall?", {"Sofia Lindqvist"}),
        ("When was Sofia Lindqvist hired?", {"2016-11-28"}),
        ("How many schools are there in Ballinard?", {"5"}),
        ("Houses built before 1900", {"The Old Rectory", "Rose Cottage"}),
        ("Which is the newest listing?", {"21 Tanyard Lane"}),
    ],
)
def test_short_words_in_names_are_spelled_out(
    sessions: Sessions, question: str, names: set[str]
) -> None:
    answer = sessions["estate"].ask(question, interpreter="schema")
    assert {node.name for node in answer.answers} == names
    assert not answer.text.startswith("If ")


def test_a_question_for_a_date_is_not_answered_by_what_has_it(sessions: Sessions) -> None:
    assert names_found(sessions["claims"], "What is the latest filing date?") == {"2024-06-16"}


def test_what_has_a_seller_need_not_have_been_sold(sessions: Sessions) -> None:
    assert names_if_answered(sessions["estate"], "Has Rose Cottage been sold?") is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who rolled back deploy-5005?", {"Ewa Nowak"}),
        ("What was rolled back by Ewa Nowak?", {"deploy-5005"}),
        ("How long did deploy-5001 take?", {"310"}),
    ],
)
def test_verbs_with_particles_and_short_units_are_read(
    sessions: Sessions, question: str, names: set[str]
) -> None:
    assert names_found(sessions["services"], question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who made the most offers?", {"Brid Daly", "Hana Sato", "Leo Marchetti"}),
        ("Who works at North Quay?", {"Moira Kelly", "Declan Roche"}),
        ("Which districts are next to Ballinard?", {"Glasheen"}),
        ("Which branch does Moira Kelly manage?", {"North Quay"}),
    ],
)
def test_usual_verbs_of_offers_branches_and_neighbours_are_read(
    sessions: Sessions, question: str, names: set[str]
) -> None:
    assert names_found(sessions["estate"], question) == names


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("claims", "Who escalated a claim to Petra Kurz?"),
        ("claims", "Whose policy was cancelled?"),
        ("claims", "Whose claims are handled by Simon Blau?"),
    ],
)
def test_who_and_whose_ask_for_these(sessions: Sessions, graph: str, question: str) -> None:
    assert names_if_answered(sessions[graph], question) is None


@pytest.mark.parametrize(
    ("graph", "question", "names"),
    [
        ("estate", "Whose spouse is Brid Daly?", {"Conor Daly"}),
        ("claims", "Which office does Petra Kurz work for?", {"Ulm Office"}),
        ("services", "Who leads the team that owns search-index?", {"Paulo Reis"}),
    ],
)
def test_who_whose_and_which_office_are_answered(
    sessions: Sessions, graph: str, question: str, names: set[str]
) -> None:
    assert names_found(sessions[graph], question) == names


HOUSES = """
@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:floor_m2 rdfs:label "floor m2" .
:a a :House ; rdfs:label "Elm House" ; :floor_m2 112 ; :room_count 7 .
:b a :House ; rdfs:label "Oak House" ; :floor_m2 95 ; :room_count 5 .
"""


def test_what_is_measured_is_not_counted() -> None:
    with opened(HOUSES) as session:
        assert names_if_answered(session, "How many floors does Elm House have?") is None
        assert names_if_answered(session, "Which house has the most floors?") is None
        assert names_found(session, "What is the floor of Elm House?") == {"112"}
        assert names_found(session, "How many rooms does Elm House have?") == {"7"}


def test_whose_asks_for_what_has_such_a_noun_and_no_car_to_drive_is_driven() -> None:
    with opened((GRAPHS / "trials.ttl").read_bytes()) as session:
        found = names_found(session, "Whose suspected cause is Artexin?")
        assert found == {"Nausea", "Stomach bleeding"}
    with opened((GRAPHS / "transit.ttl").read_bytes()) as session:
        assert names_found(session, "Which driver has no vehicle to drive?") == {"Gunnar Moe"}
