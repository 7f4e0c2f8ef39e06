"""Questions about turbines, book contracts and street works that must not be answered wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import names_found, names_if_answered, opened

import isomatch

GRAPHS = Path(__file__).parents[2] / "bench/readings"


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, isomatch.Session]]:
    names = ("wind", "contracts", "streetworks", "vets")
    opened_ones = {name: opened((GRAPHS / f"{name}.ttl").read_bytes()) for name in names}
    yield opened_ones
    for session in opened_ones.values():
        session.close()


Sessions = dict[str, isomatch.Session]


@pytest.mark.parametrize(
    ("graph", "question", "names"),
    [
        ("contracts", "Which titles are out of print?", {"Moss and Stone"}),
        (
            "contracts",
            "Which titles are in print?",
            {"The Salt Road", "Low Tide", "Eleven Clocks", "A Year of Bees", "Owl Weather"},
        ),
        ("wind", "Which parts are not in stock?", {"slip ring"}),
        (
            "wind",
            "Which parts do we have in stock?",
            {"pitch motor", "leading edge tape", "IGBT module"},
        ),
    ],
)
def test_what_is_out_of_something_is_told_by_its_flag_or_number(
    sessions: Sessions, graph: str, question: str, names: set[str]
) -> None:
    assert names_found(sessions[graph], question) == names


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Is Low Tide out of print?", False),
        ("Is Moss and Stone out of print?", True),
        ("Is Moss and Stone in print?", False),
    ],
)
def test_a_flag_that_says_out_of_is_not_its_opposite(
    sessions: Sessions, question: str, holds: bool
) -> None:
    assert sessions["contracts"].ask(question, interpreter="schema").holds is holds


@pytest.mark.parametrize(
    ("graph", "question", "names"),
    [
        ("wind", "How many slip rings were used in WO-4401?", {"2"}),
        ("wind", "How often was the slip ring used?", {"2"}),
        ("wind", "Which turbines have a model made by Gearco?", {"HR-11", "HR-12", "HR-13"}),
        ("streetworks", "Which permits are valid until July 2024?", {"P-84"}),
        ("wind", "What does a pitch motor cost?", {"4200"}),
        ("wind", "Tickets with more than 2 days of downtime", {"WO-4401", "WO-4404"}),
        ("streetworks", "streets with a speed limit of 50", {"Quay Street", "Park Avenue"}),
    ],
)
def test_pieces_models_and_units_are_read_as_they_are_said(
    sessions: Sessions, graph: str, question: str, names: set[str]
) -> None:
    assert names_found(sessions[graph], question) == names


@pytest.mark.parametrize(
    ("graph", "question", "names"),
    [
        ("streetworks", "When did SW-201 start?", {"2024-01-22"}),
        ("streetworks", "Which works ended in 2023?", {"SW-198"}),
        ("streetworks", "works that haven't started", {"SW-204", "SW-205"}),
        ("streetworks", "When is SW-204 supposed to end?", {"2024-10-11"}),
        ("vets", "Which appointments started in April 2024?", {"Appointment 305"}),
    ],
)
def test_what_came_about_is_not_what_was_planned(
    sessions: Sessions, graph: str, question: str, names: set[str]
) -> None:
    assert names_found(sessions[graph], question) == names


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("streetworks", "When did SW-204 start?"),
        ("vets", "When did Appointment 304 start?"),
        ("streetworks", "Finished works that closed the road"),
        ("streetworks", "How often does Line 9 run?"),
        ("contracts", "Who won the Coast Prize?"),
    ],
)
def test_what_was_planned_flags_and_nominations_answer_nothing_else(
    sessions: Sessions, graph: str, question: str
) -> None:
    assert names_if_answered(sessions[graph], question) is None


def test_a_season_is_told_by_its_months(sessions: Sessions) -> None:
    answer = sessions["contracts"].ask(
        "Which titles were published in the spring of 2022?", interpreter="schema"
    )
    assert answer.text.startswith("If “spring of 2022” means “2022-03 to 2022-05”: Low Tide")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("works on Mill Lane", {"SW-198", "SW-201"}),
        ("Who complained about works on Mill Lane?", {"Cora Jessop", "Pia Lund"}),
        ("Which works were complained about?", {"SW-198", "SW-201", "SW-203"}),
    ],
)
def test_a_preposition_joins_a_name_to_the_noun_before_it(
    sessions: Sessions, question: str, names: set[str]
) -> None:
    assert names_found(sessions["streetworks"], question) == names


@pytest.mark.parametrize(
    ("graph", "question", "told"),
    [
        ("streetworks", "Which works finished late?", "If “late” means “planned end”: SW-"),
        ("streetworks", "Which works ended early?", "If “early” means “planned end”: SW-202"),
        ("contracts", "Which translations were delivered late?", "If “late” means “due on”: Die"),
        ("wind", "Which tickets were closed later than planned?", "WO-4404 and WO-4401"),
        ("wind", "Was WO-4402 closed on time?", "If “on time” means “planned date”: Yes"),
    ],
)
def test_what_was_late_ended_after_its_own_planned_date(
    sessions: Sessions, graph: str, question: str, told: str
) -> None:
    assert sessions[graph].ask(question, interpreter="schema").text.startswith(told)


@pytest.mark.parametrize("question", ["Which permits were issued late?", "late works"])
def test_nothing_was_late_without_a_plan_for_it(sessions: Sessions, question: str) -> None:
    assert names_if_answered(sessions["streetworks"], question) is None


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("streetworks", "Which permits are valid?"),
        ("vets", "Is vaccination 72 valid?"),
        ("streetworks", "What are the complaints about?"),
    ],
)
def test_until_when_and_what_about_are_not_passed_over(
    sessions: Sessions, graph: str, question: str
) -> None:
    assert names_if_answered(sessions[graph], question) is None


def test_translations_have_their_own_fee_and_not_the_price_of_titles(sessions: Sessions) -> None:
    question = "How much did the German translations cost?"
    assert names_found(sessions["contracts"], question) == {"5200", "9100"}
