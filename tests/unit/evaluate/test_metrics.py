"""Scores of answers and spreads, worked by hand."""

from __future__ import annotations

import pytest

from isomatch.evaluate.metrics import (
    Naming,
    Score,
    grounding,
    risk_coverage,
    score,
    score_h,
    spread,
    stages,
    summary,
)

ALL = Score(True, True, True, 1.0, 1.0, 1.0, True, 1.0, 1, 1, 1)
NONE = Score(False, False, False, 0.0, 0.0, 0.0, False, 0.0, 0, 0, 1)


@pytest.mark.parametrize(
    ("found", "answers", "expected"),
    [
        ([["a"]], ["a"], ALL),
        ([["b", "a"]], ["a", "c"], Score(False, True, True, 0.5, 0.5, 0.5, False, 0.0, 1, 2, 2)),
        (
            [["x"], ["y"], ["a"]],
            ["a"],
            Score(False, False, True, 0.0, 0.0, 0.0, False, -1.0, 0, 1, 1),
        ),
        (
            [["x"], ["y"], ["z"], ["a"]],
            ["a"],
            Score(False, False, False, 0.0, 0.0, 0.0, False, -1.0, 0, 1, 1),
        ),
        ([], ["a"], NONE),
        ([["a", "a"]], ["a", "b"], Score(True, True, True, 1.0, 0.5, 2 / 3, False, 1.0, 1, 1, 2)),
        ([["Watford FC"]], ["Watford_FC"], ALL),
        (
            [["heat"]],
            ["Heat"],
            Score(False, False, False, 0.0, 0.0, 0.0, False, -1.0, 0, 1, 1),
        ),
    ],
)
def test_a_score_compares_answers_as_sets(found, answers, expected):
    assert score(found, answers) == expected


def test_names_are_compared_as_asked():
    assert score([["heat"]], ["Heat"], naming=Naming(fold_case=True)).exact
    alias = Naming(aliases={"NYC": "New York City"})
    assert score([["NYC"]], ["New_York_City"], naming=alias).exact
    assert score([["New York City"]], ["NYC"], naming=alias).exact
    assert not score([["nyc"]], ["New York City"], naming=alias).exact
    both = Naming(fold_case=True, aliases={"NYC": "New York City"})
    assert score([["nyc", "NYC"]], ["new york city"], naming=both).found == 1


@pytest.mark.parametrize(
    ("found", "answerable", "expected"),
    [
        # The graph has the answers "a" and "b"; "x" was retrieved, "y" was not.
        (["a", "b"], True, 1.0),
        (["a", "x"], True, 0.0),  # one right, one wrong
        (["a", "b", "x", "y"], True, 0.0),
        (["x", "y", "a"], True, -1 / 3),
        (["y"], True, -1.0),
        ([], True, 0.0),  # a missing answer costs nothing
        # The graph has no answer.
        ([], False, 1.0),
        (["x"], False, -1.0),
        (["y"], False, -1.5),
        (["x", "y"], False, -1.25),
    ],
)
def test_grounding_penalises_wrong_and_invented_answers(found, answerable, expected):
    right = ["a", "b"] if answerable else ["z"]
    got = grounding(found, right, answerable=answerable, retrieved=["a", "b", "x"])
    assert got == pytest.approx(expected)


def test_score_h_lies_between_0_and_100():
    assert score_h([-1.5, -1.5]) == 0.0
    assert score_h([1.0]) == 100.0
    # Right, half right, silent: mean (1 + 0 + 0) / 3, so (1/3 + 1.5) / 2.5.
    assert score_h([1.0, 0.0, 0.0]) == pytest.approx(100 * (1 / 3 + 1.5) / 2.5)
    assert score_h([]) == 0.0


def test_a_summary_has_means_over_questions_and_over_answers():
    # One of one right; two of four given are right, of eight wanted.
    scores = [
        score([["a"]], ["a"]),
        score([["p", "a", "b", "q"]], [*"abcdefgh"]),
    ]
    told = summary(scores)
    assert told["questions"] == 2
    assert (told["hits_at_1"], told["hit"], told["exact"]) == (0.5, 1.0, 0.5)
    assert told["macro_precision"] == pytest.approx((1 + 2 / 4) / 2)
    assert told["macro_recall"] == pytest.approx((1 + 2 / 8) / 2)
    assert told["macro_f1"] == pytest.approx((1 + 2 * 2 / 12) / 2)
    assert told["micro_precision"] == pytest.approx(3 / 5)
    assert told["micro_recall"] == pytest.approx(3 / 9)
    assert told["micro_f1"] == pytest.approx(2 * 3 / 14)
    assert told["score_h"] == pytest.approx(100 * (0.5 + 1.5) / 2.5)
    assert set(summary([]).values()) == {0}


def test_a_spread_interpolates_percentiles():
    found = spread([float(n) for n in range(101)])
    assert found == {"p50": 50.0, "mean": 50.0, "p99": 99.0}
    assert spread([1.0, 2.0])["p99"] == pytest.approx(1.99)
    assert spread([]) == {"p50": 0.0, "mean": 0.0, "p99": 0.0}


def test_a_station_that_did_not_run_took_nothing():
    found = stages([{"link": 2.0, "total": 4.0}, {"total": 2.0}])
    assert found["link"]["mean"] == 1.0
    assert found["total"]["p50"] == 3.0


def test_answers_of_one_score_are_one_point_of_the_curve():
    answered = [(0.9, True), (0.5, False), (0.5, True), (0.2, False)]
    points = [(p.coverage, p.risk, p.least_score) for p in risk_coverage(answered, 8)]
    assert points == [(1 / 8, 0.0, 0.9), (3 / 8, 1 / 3, 0.5), (4 / 8, 0.5, 0.2)]
    assert risk_coverage([], 8) == []


def test_wrong_answers_and_none_are_told_apart():
    scores = [score([names], ["Heat"]) for names in (["Heat"], ["Ali"], ["Heat", "Ali"], [])]
    found = summary(scores)
    assert (found["exact"], found["wrong"], found["unanswered"]) == (0.25, 0.5, 0.25)
