"""Questions that were learnt from, and what they tell of a program of a question like them."""

from __future__ import annotations

import pytest

from isomatch.errors import ArtifactError
from isomatch.trained.alignment import Program
from isomatch.trained.precedents import NEAREST, Precedents

PEOPLE: Program = ("-lives_in", "@0")
COUNT: Program = ("count", *PEOPLE)
CALLS: Program = ("count", "-called", "@0")
LEARNT = Precedents.of(
    [
        ("which people live in [0 city]", PEOPLE),
        ("how many people live in [0 city]", COUNT),
        ("how many people live in [0 city]", COUNT),
        ("how many calls did [0 phone] receive", CALLS),
    ]
)


def test_the_question_of_most_of_the_words_is_the_nearest() -> None:
    near = LEARNT.near("How many people live in [2 city]?")
    assert near[0] == ("how many people live in [0 city]", COUNT)
    assert LEARNT.near("which people live in [1 city]")[0][1] == PEOPLE


def test_what_the_names_of_questions_are_makes_them_alike() -> None:
    one, other = ("show me the [0 city]", PEOPLE), ("show me the [0 phone]", CALLS)
    assert Precedents.of([one, other]).near("show me the [0 phone]")[0] == other


def test_questions_that_share_few_words_with_it_are_not_near() -> None:
    assert LEARNT.near("zorb") == []
    assert LEARNT.near("how many zorbs did the other people say they ever saw near [0 lake]") == []
    assert Precedents().near("how many people") == []


def test_only_the_nearest_questions_are_precedents() -> None:
    every = Precedents.of([("which people", (f"@{n}",)) for n in range(NEAREST + 3)])
    assert len(every.near("which people")) == NEAREST


def test_precedents_are_read_as_they_were_written() -> None:
    assert Precedents.read(LEARNT.form()) == LEARNT
    with pytest.raises(ArtifactError, match="train it again"):
        Precedents.read({"programs": [], "questions": [["who", 1]]})
