"""Which words of a question the conditions, orders and parts of a model's pattern stand for."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from tests.turtle import opened
from tests.unit.endpoint import Endpoint
from tests.unit.interpret.test_composer import GRAPH

from isomatch import Session
from isomatch.interpret.llm.clauses import with_clauses
from isomatch.interpret.types import Coverage, Hypothesis, Span, SpanKind
from isomatch.pattern import parse


def left_out(question: str, pattern: str, *words: str) -> list[str]:
    """What is left of these words of the question, each given as ``kind: word``."""
    spans: Sequence[Span] = [_span(question, *word.split(": ")) for word in words]
    given = Hypothesis(parse(pattern), 1.0, source="llm", coverage=Coverage((), tuple(spans)))
    read = with_clauses(question, given).coverage
    assert read is not None
    assert {s.text for s in (*read.understood, *read.left_out)} == {s.text for s in spans}
    return [s.text for s in read.left_out]


def _span(question: str, kind: SpanKind, word: str) -> Span:
    start = question.index(word)
    return Span(start, start + len(word), word, kind)


def either(*triples: tuple[str, str], **first: object) -> dict[str, object]:
    """A reply that asks for the states of which one of some facts holds."""
    state = "UNKNOWN state 1"
    parts = [
        {"unknowns": [state], "operator": "in", "triples": [[state, *triple]], "alternative": n > 0}
        for n, triple in enumerate(triples)
    ]
    return {"asks": [state], "parts": [part | first for part in parts]}


AUSTIN, TEXAS, OKLAHOMA = ("capital", "Austin"), ("borders", "Texas"), ("borders", "Oklahoma")
AREA = '(?s:state)-[area]-(?a), (?s)-[in]-("Usa")'
RIVERS = "(?r:river)-[traverses]-(?s:state)"


@pytest.mark.parametrize(
    ("question", "pattern", "words"),
    [
        ("the largest state", f"{AREA} return ?s order by ?a desc limit 1", ["operator: largest"]),
        ("the smallest state", f"{AREA} return ?s order by ?a limit 1", ["operator: smallest"]),
        (
            "the oldest person",
            "(?p:person)-[date of birth]-(?d) return ?p order by ?d limit 1",
            ["operator: oldest"],
        ),
        (
            "which state has the most rivers",
            f"{RIVERS} return ?s order by count(?r) desc limit 1",
            ["operator: most"],
        ),
        (
            "the most populous state",
            "(?s:state)-[population]-(?p) return ?s order by ?p desc limit 1",
            ["operator: most", "operator: populous"],
        ),
        (
            "the three largest states",
            f"{AREA} return ?s order by ?a desc limit 3",
            ["number: three", "operator: largest"],
        ),
        (
            "states with more than 2 million people",
            "(?s:state)-[population]-(?p) where ?p > 2000000",
            ["operator: than", "number: 2", "number: million"],
        ),
        (
            "states with more people than Ohio",
            '(?s:state)-[population]-(?p), ("Ohio")-[population]-(?o) where ?p > ?o return ?s',
            ["operator: than"],
        ),
        (
            "states larger than Ohio",
            f'{AREA} where ?a > {{ ("Ohio")-[area]-(?x) return ?x }} return ?s',
            ["operator: larger", "operator: than", "name: Ohio"],
        ),
        (
            "states larger than Ohio",
            '(?s:state)-[area]-(?a), ("Ohio")-[area]-(?o) where ?o < ?a return ?s',
            ["operator: larger", "operator: than"],
        ),
        (
            "the second largest state",
            f"{AREA} return ?s order by ?a desc limit 1 offset 1",
            ["operator: second", "operator: largest"],
        ),
        ("the largest area", f"{AREA} return max(?a)", ["operator: largest"]),
        ("the minimum area", f"{AREA} return min(?a)", ["operator: minimum"]),
        (
            "crimes on 29/08/2017",
            "(?c:crime)-[date]-(?d) where ?d in 2017-08-29 return ?c",
            ["number: 29", "number: 08", "number: 2017"],
        ),
        (
            "crimes of August 2017",
            "(?c:crime)-[date]-(?d) where ?d in 2017-08 return ?c",
            ["number: August", "number: 2017"],
        ),
        (
            "films that are dramas",
            '(?f:film)-[genre]-(?g) where ?g = "drama" return ?f',
            ["name: dramas"],
        ),
        (
            "people older than Ann",
            '(?p)-[born]-(?d), ("Ann")-[born]-(?e) where ?d < ?e return ?p',
            ["operator: than"],
        ),
        (
            "films after 1990",
            "(?f:film)-[released]-(?d) where ?d > 1990 return ?f",
            ["operator: after", "number: 1990"],
        ),
        (
            "films between 1990 and 2000",
            "(?f:film)-[released]-(?d) where ?d >= 1990 and ?d <= 2000 return ?f",
            ["operator: between", "number: 1990", "number: 2000"],
        ),
        (
            "states with at least two rivers",
            f"{RIVERS} where count(?r) >= 2 return ?s",
            ["operator: at least", "number: two"],
        ),
        (
            "states that do not border Ohio",
            f'{AREA} where ?s not in {{ (?x)-[borders]-("Ohio") return ?x }} return ?s',
            ["operator: not", "name: Ohio"],
        ),
        (
            "states that don't border Ohio",
            f'{AREA} where ?s not in {{ (?x)-[borders]-("Ohio") return ?x }} return ?s',
            ["operator: don't", "name: Ohio"],
        ),
        ("the average area of states", f"{AREA} return avg(?a)", ["operator: average"]),
        (
            "how many rivers does each state have",
            f"{RIVERS} return ?s, count(?r)",
            ["operator: how many", "operator: each"],
        ),
        (
            "average and total area per state",
            f"{AREA} return ?s, avg(?a), sum(?a)",
            ["operator: average", "operator: total", "operator: per"],
        ),
        (
            "films of 1990 or 1992",
            "(?f:film)-[released]-(?d) where ?d in (1990, 1992) return ?f",
            ["number: 1990", "operator: or", "number: 1992"],
        ),
        (
            "films before 1970 or after 2000",
            "(?f:film)-[released]-(?d) where (?d < 1970 or ?d > 2000) return ?f",
            [
                "operator: before",
                "number: 1970",
                "operator: or",
                "operator: after",
                "number: 2000",
            ],
        ),
        (
            "states with rivers or with lakes",
            f"{AREA} where ?s in {{ (?r:river)-[in]-(?x) return ?x }} "
            "or ?s in { (?l:lake)-[in]-(?x) return ?x } return ?s",
            ["operator: or"],
        ),
        (
            "states with two or more rivers",
            f"{RIVERS} where count(?r) >= 2 return ?s",
            ["number: two", "operator: or"],
        ),
        ("the total area of states", f"{AREA} return sum(?a)", ["operator: total"]),
    ],
)
def test_clauses_stand_for_words(question: str, pattern: str, words: list[str]) -> None:
    assert left_out(question, pattern, *words) == []


@pytest.mark.parametrize(
    ("question", "pattern", "words"),
    [
        ("the largest state", f"{AREA} return ?s order by ?a limit 1", ["operator: largest"]),
        ("the largest state", f"{AREA} return ?s order by ?a desc", ["operator: largest"]),
        ("the largest state", f"{AREA} return ?s", ["operator: largest"]),
        ("the busiest state", f"{AREA} return ?s order by ?a desc limit 1", ["operator: busiest"]),
        (
            "which state has the fewest rivers",
            f"{RIVERS} return ?s order by count(?r) limit 1",
            ["operator: fewest"],
        ),
        (
            "the longest river of the largest state",
            f"{AREA} return ?s order by ?a desc limit 1",
            ["operator: longest", "operator: largest"],
        ),
        ("the second largest", f"{AREA} return ?s order by ?a desc limit 2", ["operator: second"]),
        (
            "the largest state",
            f"{AREA} return ?s order by ?a desc limit 1 offset 1",
            ["operator: largest"],
        ),
        ("the three largest", f"{AREA} return ?s order by ?a desc limit 2", ["number: three"]),
        ("the largest state", f"{AREA} return ?s order by ?a desc limit 2", ["operator: largest"]),
        ("major states", f"{AREA} return ?s order by ?a desc limit 1", ["operator: major"]),
        ("more than 5", f"{AREA} where ?a < 5 return ?s", ["operator: than"]),
        ("at most 5", f"{AREA} where ?a > 5 return ?s", ["operator: at most"]),
        ("more than 5 million", f"{AREA} where ?a > 5 return ?s", ["number: 5", "number: million"]),
        ("states without rivers", f"{AREA} where ?a > 5 return ?s", ["operator: without"]),
        ("not Ohio", f'{AREA} where ?s in {{ (?x)-[b]-("Iowa") return ?x }}', ["name: Ohio"]),
        ("the median area", f"{AREA} return avg(?a)", ["operator: median"]),
        ("each state", f"{AREA} return sum(?a)", ["operator: each"]),
        ("how many rivers", f"{RIVERS} return ?s, sum(?r)", ["operator: how many"]),
        (
            "films before 1970 or after 2000",
            "(?f:film)-[released]-(?d) where ?d < 1970 and ?d > 2000 return ?f",
            ["operator: or"],
        ),
        (
            "films of 1990 or 1992 or 1994",
            "(?f:film)-[released]-(?d) where ?d in (1990, 1992) return ?f",
            ["operator: or", "number: 1994"],
        ),
        (
            "states with fewer than two rivers",
            f"{RIVERS} where count(?r) < 2 return ?s",
            ["operator: fewer", "operator: than"],
        ),
        ("two or more", f"{RIVERS} where count(?r) > 2 return ?s", ["operator: or"]),
        (
            "states larger than Ohio",
            '(?s:state)-[area]-(?a), ("Ohio")-[area]-(?o) where ?o > ?a return ?s',
            ["operator: larger", "operator: than"],
        ),
        (
            "the third largest state",
            f"{AREA} return ?s order by ?a desc limit 1 offset 1",
            ["operator: third", "operator: largest"],
        ),
        ("the smallest area", f"{AREA} return max(?a)", ["operator: smallest"]),
        (
            "crimes on 10/08/2017",  # in October, or in August
            "(?c:crime)-[date]-(?d) where ?d in 2017-08-10 return ?c",
            ["number: 10", "number: 08", "number: 2017"],
        ),
        (
            "states that border Ohio",
            f'{AREA} where ?s not in {{ (?x)-[borders]-("Ohio") return ?x }} return ?s',
            ["name: Ohio"],
        ),
        (
            "films that are not dramas",  # one may be a drama and a comedy
            '(?f:film)-[genre]-(?g) where ?g != "drama" return ?f',
            ["name: dramas", "operator: not"][1:],
        ),
        ("two or more", f"{RIVERS} where count(?r) <= 2 return ?s", ["operator: or"]),
    ],
)
def test_clauses_stand_for_nothing_that_they_do_not_say(
    question: str, pattern: str, words: list[str]
) -> None:
    remaining = left_out(question, pattern, *words)
    assert remaining
    assert remaining == [w.split(": ")[1] for w in words][-len(remaining) :]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("was Ann born before Bob", []),
        ("was Bob born before Ann", ["before"]),
    ],
)
def test_whether_a_comparison_holds_is_asked_of_who_is_named_first(
    question: str, left: list[str]
) -> None:
    pattern = '("Ann")-[born]-(?a), ("Bob")-[born]-(?b) where ?a < ?b return ask'
    assert left_out(question, pattern, "operator: before") == left


def test_a_number_that_is_stored_as_a_text_counts_for_a_model() -> None:
    lengths = ("1", "2", '"0.5"')
    facts = (f':f{n} a :Film ; :name "F{n}" ; :length {v} .' for n, v in enumerate(lengths))
    film, number = "UNKNOWN film 1", "UNKNOWN number 1"
    order = {"by": number, "descending": False, "limit": 1}
    said = {"triples": [[film, "length", number]], "asks": [film], "order": order}
    names = "@prefix : <http://xmlns.com/foaf/0.1/> . "
    with opened(names + " ".join(facts)) as opened_session:
        r = opened_session.resources
        model = Endpoint(json.dumps(said)).model()
        session = Session(r.store, r.schema, r.index, r.embedder, settings=r.settings, model=model)
        assert session.ask("what is the shortest film?", interpreter="llm").text == "F2."


@pytest.mark.parametrize(
    ("pattern", "does"),
    [
        (f"{AREA} return ?s order by ?a desc limit 1", "keeps the greatest"),
        (f'{AREA} where ?s not in {{ (?x)-[in]-("Ohio") return ?x }} return ?s', "leaves some out"),
        (f"{AREA} return count(?s)", "counts"),
        (f"{AREA} return ?s order by ?a", ""),
    ],
)
def test_a_model_that_asks_for_more_than_the_question_says_is_not_probable(
    pattern: str, does: str
) -> None:
    given = Hypothesis(parse(pattern), 1.0, source="llm", coverage=Coverage())
    read = with_clauses("which states have an area?", given)
    assert read.score == (0.0 if does else 1.0)
    assert does in " ".join(read.notes)


@pytest.mark.parametrize(
    ("question", "score"),
    [
        ("which states have an area above 5 and below 9?", 0.0),
        ("which states have an area above 9 or below 5?", 1.0),
        ("which states have an area that is not between 5 and 9?", 1.0),
    ],
)
def test_a_model_that_joins_values_by_or_says_what_the_question_says(
    question: str, score: float
) -> None:
    pattern = f"{AREA} where ?a > 9 or ?a < 5 return ?s"
    given = Hypothesis(parse(pattern), 1.0, source="llm", coverage=Coverage())
    assert with_clauses(question, given).score == score


def test_a_hypothesis_without_coverage_stays_as_it_is() -> None:
    given = Hypothesis(parse(AREA), 1.0, source="llm")
    assert with_clauses("the largest state", given) is given


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ({"descending": True, "limit": 1}, "Oklahoma."),
        ({"descending": False, "limit": 1}, "“largest”"),
        (None, "“largest”"),
    ],
)
def test_a_model_is_answered_only_where_its_pattern_says_the_superlative(
    order: dict[str, object] | None, text: str
) -> None:
    said = {
        "triples": [
            ["UNKNOWN state 1", "borders", "Texas"],
            ["UNKNOWN state 1", "area", "UNKNOWN number 1"],
        ],
        "asks": ["UNKNOWN state 1"],
        "order": order and {"by": "UNKNOWN number 1", **order},
    }
    with opened(GRAPH) as opened_session:
        r = opened_session.resources
        model = Endpoint(json.dumps(said)).model()
        session = Session(r.store, r.schema, r.index, r.embedder, settings=r.settings, model=model)
        answer = session.ask("what is the largest state that borders Texas?", interpreter="llm")
    assert text in answer.text
    assert answer.supported == text.endswith(".")


@pytest.mark.parametrize(
    ("question", "triples", "more", "text"),
    [
        (
            "how many states does each river flow through?",
            [["UNKNOWN river 1", "traverses", "UNKNOWN state 1"]],
            {"asks": ["UNKNOWN river 1", "count(UNKNOWN state 1)"]},
            "2",
        ),
        (
            "how many states does each river flow through?",
            [["UNKNOWN river 1", "traverses", "UNKNOWN state 1"]],
            {"asks": ["count(UNKNOWN state 1)"]},
            "“each”",
        ),
        (
            "how many states does each river flow through?",
            [["UNKNOWN river 1", "traverses", "UNKNOWN state 1"]],
            {"asks": ["UNKNOWN state 1", "count(UNKNOWN river 1)"]},
            "“states”",
        ),
        (
            "how many rivers run through the states that border Texas?",
            [
                ["UNKNOWN state 1", "borders", "Texas"],
                ["UNKNOWN river 1", "traverses", "UNKNOWN state 1"],
            ],
            {"asks": ["count(UNKNOWN state 1)"]},
            "“rivers”",
        ),
        (
            "how many rivers run through the states that border Texas?",
            [
                ["UNKNOWN state 1", "borders", "Texas"],
                ["UNKNOWN river 1", "traverses", "UNKNOWN state 1"],
            ],
            {"asks": ["count(UNKNOWN river 1)"]},
            "2",
        ),
        (
            "what percentage of the states border Texas?",
            [["UNKNOWN state 1", "borders", "Texas"]],
            {"asks": ["UNKNOWN state 1"]},
            "“percentage”",
        ),
        (
            "which states with an area have no river called Red River?",
            [["UNKNOWN state 1", "area", "UNKNOWN number 1"]],
            {
                "asks": ["UNKNOWN state 1"],
                "parts": [
                    {
                        "unknowns": ["UNKNOWN state 1"],
                        "operator": "not in",
                        "triples": [["Red River", "traverses", "UNKNOWN state 1"]],
                    }
                ],
            },
            "Alaska.",
        ),
        (
            "does Oklahoma border Texas?",
            [["Oklahoma", "borders", "Texas"]],
            {"asks": ["yes or no"]},
            "Yes",
        ),
        (
            "does Oklahoma border Texas?",
            [["Oklahoma", "borders", "Texas"]],
            {"asks": []},
            "“does”",
        ),
        (
            "which states border Texas or Ohio?",
            [["UNKNOWN state 1", "borders", "Texas"], ["UNKNOWN state 1", "borders", "Ohio"]],
            {"asks": ["UNKNOWN state 1"]},
            "“or”",
        ),
        (
            "which states have the capital Austin or border Texas?",
            [],
            either(AUSTIN, TEXAS),
            "Louisiana, Oklahoma and Texas",
        ),
        (
            "which states have the capital Austin and border Texas?",
            [],
            either(AUSTIN, TEXAS),
            "no word of the question says",
        ),
        (
            "which states border Texas or Oklahoma and have the capital Austin?",
            [],
            either(TEXAS, OKLAHOMA, AUSTIN),
            "no word of the question says",
        ),
        (
            "which states border Texas, border Oklahoma or have the capital Austin?",
            [],
            either(TEXAS, OKLAHOMA, AUSTIN),
            "Louisiana, Oklahoma and Texas",
        ),
        (
            "which states have the capital Austin or border Texas?",
            [],
            either(AUSTIN, TEXAS, alternative=False),
            "“or”",
        ),
    ],
)
def test_a_model_is_answered_only_where_its_pattern_says_each_or_and_whether(
    question: str, triples: list[list[str]], more: dict[str, object], text: str
) -> None:
    with opened(GRAPH) as opened_session:
        r = opened_session.resources
        model = Endpoint(json.dumps({"triples": triples, **more})).model()
        session = Session(r.store, r.schema, r.index, r.embedder, settings=r.settings, model=model)
        answer = session.ask(question, interpreter="llm")
    assert text in answer.text + " ".join(answer.notes), answer.text
    assert answer.supported == (not text.startswith(("“", "no word")))
