"""Words that no reading may pass over, since they change what is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

GRAPHS = Path(__file__).parents[2] / "bench/readings"


@pytest.fixture(scope="module")
def hospital() -> Iterator[isomatch.Session]:
    with opened((GRAPHS / "hospital.ttl").read_bytes()) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Who is my doctor?",
        "Which such patients have asthma?",
        "Which patients are allergic to it?",
        "Who is the head of Neurology over there?",
        "Which doctor treats the most patients and when?",
        "Which more patients have asthma?",
        "Which diseases does Breathol treat with them?",
        "Which nurses should work in Oncology?",
        "Which doctors treat many patients?",
        "How many nurses work in Oncology off?",
        "Is Greta Holm allergic to Velpin together?",
    ],
)
def test_a_word_that_points_elsewhere_is_not_passed_over(
    hospital: isomatch.Session, question: str
) -> None:
    assert names_if_answered(hospital, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List the wards for me", {"Cardiology", "Neurology", "Oncology", "Paediatrics"}),
        ("Which wards are there?", {"Cardiology", "Neurology", "Oncology", "Paediatrics"}),
        (
            "Which doctors treat one patient?",
            {"Elena Ruiz", "Jon Berg", "Milan Kova", "Tola Adeyo"},
        ),
        ("Which doctors treat more than one patient?", {"Hanna Ibsen"}),
    ],
)
def test_words_that_only_build_a_question_are_passed_over(
    hospital: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(hospital, question) == names


def test_an_age_is_not_before_a_year() -> None:
    with opened((GRAPHS / "festival.ttl").read_bytes()) as session:
        assert names_if_answered(session, "Who bought a ticket for Gig 1 before 1700?") is None


def test_a_number_of_a_name_is_no_least_date() -> None:
    with opened((GRAPHS / "shop.ttl").read_bytes()) as session:
        assert names_if_answered(session, "What is the status of Order 1007 or more?") is None


def test_a_retired_supplier_is_no_supplier_of_any_kind() -> None:
    with opened((GRAPHS / "bakery.ttl").read_bytes()) as session:
        assert names_if_answered(session, "In which towns are the retired suppliers?") is None


def test_a_married_author_is_not_whom_the_author_married() -> None:
    with opened((GRAPHS / "family.ttl").read_bytes()) as session:
        question = "Where was the married author of Fjord Letters born?"
        assert names_if_answered(session, question) is None


def test_whom_somebody_is_followed_by_follows_them() -> None:
    with opened((GRAPHS / "registry.ttl").read_bytes()) as session:
        followers = {"Tomek Wilk", "Mira Castellan"}
        assert names_if_answered(session, "Who is Wen Zhao followed by?") == followers
        assert names_if_answered(session, "Who is followed by Tomek Wilk?") == {"Wen Zhao"}
