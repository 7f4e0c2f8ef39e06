"""What the page is made of, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from isomatch.demo.examples import EXAMPLES
from isomatch.serve.page.routes import STATIC, View, examples


def answer(**changed: Any) -> dict[str, Any]:
    return {
        "question": "which films are longest?",
        "text": "Heat.",
        "supported": True,
        "not_read": False,
        "found": True,
        "interpretations": [],
        "reading": {"left_out": []},
        "certificate": {"ended_by": None},
        **changed,
    }


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({}, "answer"),
        ({"holds": True}, "yes"),
        ({"holds": False}, "no"),
        ({"supported": False, "holds": None, "found": False}, "absent"),
        ({"supported": False}, "unproven"),
        ({"supported": False, "not_read": True}, "refused"),
        ({"supported": False, "certificate": {"ended_by": "rows"}}, "unfinished"),
        (
            {"supported": False, "reading": {"left_out": [{"start": 16, "end": 23, "text": "…"}]}},
            "refused",
        ),
    ],
)
def test_kinds_of_answers_are_told_apart(changed: dict[str, Any], kind: str) -> None:
    assert View.of(answer(**changed), "which films are longest?").kind == kind


def test_a_question_is_cut_where_words_are_left_out() -> None:
    spans = {"left_out": [{"start": 16, "end": 23}]}
    view = View.of(answer(reading=spans), "which films are longest?")
    assert [(part.text, part.left_out) for part in view.question] == [
        ("which films are ", False),
        ("longest", True),
        ("?", False),
    ]


def test_a_relation_that_no_word_says_is_told_as_added() -> None:
    parts = [("node", "Heat"), ("relation", "starring")]
    choices = [{"part": part, "text": text} for part, text in parts]
    read = {"left_out": [], "joined_by": ["starring"]}
    view = View.of(answer(interpretations=[{"choices": choices}], reading=read), "Heat?")
    assert [one["added"] for one in view.choices] == [False, True]


def test_examples_of_the_demo_are_those_that_it_shows() -> None:
    schema = {
        "types": [{"id": "https://geography.example/schema#City", "name": "city"}],
        "relations": [],
    }
    shown = {example.text for example in EXAMPLES}
    questions = [example.question for example in examples(schema)]
    assert len(questions) == 5
    assert set(questions) <= shown


def test_other_graphs_have_patterns_of_frequent_relations() -> None:
    relations = [
        {"id": "urn:by", "name": "directed [by]", "from": ["film"], "to": ["person", "robot"]},
        {"id": "urn:year", "name": "year", "from": ["film"], "to": ["number"]},
    ]
    schema = {"types": [{"id": "urn:film", "name": "film"}], "relations": relations}
    assert [(example.words, example.pattern) for example in examples(schema)] == [
        ("film – directed [by] → anything", "(?from:film)-[directed  by ]->(?to)"),
        ("film – year → number", "(?from:film)-[year]->(?to)"),
    ]


def test_scripts_write_no_markup_and_ask_nobody_else() -> None:
    scripts = sorted(STATIC.glob("*.js"))
    assert len(scripts) > 10
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        assert not any(word in text for word in ("innerHTML", "outerHTML", "insertAdjacentHTML"))
        assert "eval(" not in text
        assert text.replace("http://www.w3.org/2000/svg", "").count("http") == 0
        assert len(text.splitlines()) <= 450
