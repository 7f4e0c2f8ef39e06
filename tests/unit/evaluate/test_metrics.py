"""Scores and spreads, counted by hand."""

from __future__ import annotations

import pytest

from isomatch.evaluate.metrics import Score, score, spread, stages, summary


@pytest.mark.parametrize(
    ("found", "answers", "expected"),
    [
        ([["a"]], ["a"], Score(True, True, 1.0, 1.0, 1.0)),
        ([["b", "a"]], ["a", "c"], Score(False, True, 0.5, 0.5, 0.5)),
        ([["x"], ["y"], ["a"]], ["a"], Score(False, True, 0.0, 0.0, 0.0)),
        ([["x"], ["y"], ["z"], ["a"]], ["a"], Score(False, False, 0.0, 0.0, 0.0)),
        ([], ["a"], Score(False, False, 0.0, 0.0, 0.0)),
        ([["a", "a"]], ["a", "b"], Score(True, True, 1.0, 0.5, 2 / 3)),
        ([["Watford FC"]], ["Watford_FC"], Score(True, True, 1.0, 1.0, 1.0)),
        ([["heat"]], ["Heat"], Score(False, False, 0.0, 0.0, 0.0)),
    ],
)
def test_score(found, answers, expected):
    assert score(found, answers) == expected


def test_summary_is_the_mean_over_questions():
    scores = [Score(True, True, 1.0, 0.5, 2 / 3), Score(False, True, 0.0, 0.0, 0.0)]
    assert summary(scores) == {
        "questions": 2,
        "hits_at_1": 0.5,
        "hit_at_3": 1.0,
        "macro_precision": 0.5,
        "macro_recall": 0.25,
        "macro_f1": pytest.approx(1 / 3),
    }
    assert summary([])["macro_f1"] == 0.0


def test_spread():
    found = spread([float(n) for n in range(101)])
    assert found == {"p50": 50.0, "mean": 50.0, "p99": 99.0}
    assert spread([1.0, 2.0])["p99"] == pytest.approx(1.99)
    assert spread([]) == {"p50": 0.0, "mean": 0.0, "p99": 0.0}


def test_a_station_that_did_not_run_took_nothing():
    found = stages([{"link": 2.0, "total": 4.0}, {"total": 2.0}])
    assert found["link"]["mean"] == 1.0
    assert found["total"]["p50"] == 3.0
