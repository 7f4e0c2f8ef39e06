"""Scores by rules: what an answer cites and names."""

from __future__ import annotations

import pytest

from isomatch.judge.judge import Judge

CONTEXT = [
    "[1] Heat | directed by | Michael Mann",
    "[2] Heat -starred actors-> Al Pacino <-starred actors- Serpico",
    "[3] Café Müller | by | Pina Bausch",
]


def scores(answer: str, *metrics: str, context=CONTEXT, **known) -> dict[str, float | None]:
    return Judge(None, metrics).judge("?", answer, context, **known).scores


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ("Heat was directed by Michael Mann [1].", 1.0),
        ("Heat was directed by Michael Mann. [1]", 1.0),
        ("heat was directed by michael mann [1].", 1.0),
        ("It was directed by Michael Mann [1].", 0.0),
        ("It was directed by a man [1].", 0.0),
        ("Heat was directed by Michael Mann.", 0.0),
        ("Heat was directed by Michael Mann [7].", 0.0),
        ("Heat was directed by Michael Mann [1][7].", 0.0),
        ("Heat was directed by Michael Mann [1]. It is good.", 0.5),
        ("Cheats were directed by Michael Manning [1].", 0.0),
        ("Serpico is a film with Al Pacino [2].", 1.0),
        ("Cafe Muller is by Pina Bausch [3].", 1.0),
        ("Heat was not directed by Michael Mann [1].", 0.0),
        ("Heat was directed by Michael Mann [1]. [unsupported]", 1.0),
        ("Heat was directed by Michael Mann [1].\nNot in the facts: its length.", 1.0),
    ],
)
def test_a_sentence_is_supported_that_cites_and_names(answer, share):
    assert scores(answer, "supported_sentences") == {"supported_sentences": share}


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ("Heat was directed by Michael Mann [1].", 1.0),
        ("It was directed by Michael Mann [1].", 0.0),
        ("Heat and Serpico have Al Pacino [2].", 1.0),
        ("Heat has Al Pacino [2], and Michael Mann directed it [1].", 0.5),
        ("Heat was directed by Michael Mann [9].", 0.0),
        ("Heat was directed by Michael Mann.", None),
    ],
)
def test_what_is_cited_is_named(answer, share):
    assert scores(answer, "cited_named") == {"cited_named": share}


def test_lines_without_numbers_are_numbered():
    context = ["Heat | directed by | Michael Mann", "Ali | directed by | Michael Mann"]
    answer = "Ali is by Michael Mann [2]."
    assert scores(answer, "supported_sentences", context=context) == {"supported_sentences": 1.0}
    answer = "Heat is not by him [2]."
    assert scores(answer, "supported_sentences", context=context) == {"supported_sentences": 0.0}


def test_recall_is_of_names_as_whole_words():
    found = scores("Heat and Alien.", "name_recall", right=["Heat", "Ali", "heat"])
    assert found["name_recall"] == 0.5
    assert scores("Heat", "name_recall") == {"name_recall": None}


def test_answers_that_were_given_are_grounded_as_score_h_has_it():
    assert scores("", "grounded", right=["Heat"], given=["Heat", "Ali"]) == {"grounded": 0.0}
    assert scores("", "grounded", right=["Heat"], given=["Ali"]) == {"grounded": -1.0}
    assert scores("", "grounded", right=["Heat"], given=["heat"]) == {"grounded": 1.0}
    assert scores("", "grounded", right=["Heat"], given=[]) == {"grounded": 0.0}
    assert scores("Heat", "grounded", right=["Heat"]) == {"grounded": None}


@pytest.mark.parametrize("answer", ["The graph does not say.", ""])
def test_an_answer_that_says_nothing_is_no_success(answer):
    found = scores(answer, "supported_sentences", "cited_named", "name_recall", right=["Heat"])
    assert found == {"supported_sentences": None, "cited_named": None, "name_recall": 0.0}


def test_lines_that_are_no_facts_cannot_be_cited():
    found = scores("Heat is a film [1].", "supported_sentences", context=["Heat is a film."])
    assert found == {"supported_sentences": None}


def test_without_evidence_nothing_can_be_cited():
    judged = Judge(None, ["supported_sentences", "cited_named"]).judge("?", "Heat [1].")
    assert set(judged.scores.values()) == {None}
    assert {v.outcome for v in judged.verdicts} == {"not judged"}


def test_every_verdict_has_its_reason():
    judged = Judge(None, ["supported_sentences"]).judge(
        "?", "Heat is by Michael Mann [1]. It is [1]. So [8]. And so.", CONTEXT
    )
    assert [v.reason for v in judged.verdicts] == [
        "it names what it cites",
        "it does not name both ends of fact 1",
        "it cites 8, and there is no such fact",
        "it cites no fact",
    ]
