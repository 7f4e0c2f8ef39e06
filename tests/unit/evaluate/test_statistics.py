"""Intervals and tests: against closed forms, and the same for the same seed."""

from __future__ import annotations

import sys
from math import sqrt

import pytest

from isomatch.errors import MissingExtraError
from isomatch.evaluate.statistics import PERMUTATIONS, compare_means, intervals, mcnemar


def test_an_interval_is_about_what_the_normal_distribution_gives():
    values = [1.0] * 80 + [0.0] * 20
    low, high = intervals({"hit": values}, 7)["hit"]
    error = 1.96 * sqrt(0.8 * 0.2 / 100)
    assert low == pytest.approx(0.8 - error, abs=0.02)
    assert high == pytest.approx(0.8 + error, abs=0.02)


def test_the_same_seed_gives_the_same_interval():
    columns = {"f1": [n / 50 for n in range(50)]}
    assert intervals(columns, 7) == intervals(columns, 7)
    assert intervals(columns, 7) != intervals(columns, 8)


def test_columns_are_resampled_together_and_hidden_ones_have_no_interval():
    shared, found, right = [1.0, 2.0, 0.0] * 20, [2.0, 2.0, 1.0] * 20, [1.0, 3.0, 1.0] * 20
    got = intervals(
        {"_shared": shared, "_found": found, "_right": right},
        7,
        ratios={"micro_f1": ("_shared", ("_found", "_right"), 2.0)},
    )
    assert list(got) == ["micro_f1"]
    assert got["micro_f1"][0] < 2 * 60 / 200 < got["micro_f1"][1]


def test_nothing_has_no_interval():
    assert intervals({}, 7) == {}
    assert intervals({"hit": []}, 7) == {}


@pytest.mark.parametrize(
    ("lost", "won", "p"),
    # 2 · P(X <= least), X binomial with one half: 2 · 1/2^6 for 6 to 0.
    [(0, 0, 1.0), (0, 6, 2 / 64), (1, 5, 2 * 7 / 64), (3, 3, 1.0), (0, 1, 1.0)],
)
def test_mcnemars_p_value_is_that_of_the_binomial_distribution(lost, won, p):
    assert mcnemar(lost, won) == pytest.approx(p)
    assert mcnemar(won, lost) == pytest.approx(p)


def test_mcnemars_p_value_of_many_changes_is_small():
    assert 0 < mcnemar(2000, 2400) < 1e-8


def test_hits_are_tested_by_mcnemar():
    found = compare_means([1.0, 0.0, 0.0, 0.0] * 5, [1.0, 1.0, 1.0, 0.0] * 5, 7)
    assert (found.first, found.second, found.difference) == (0.25, 0.75, 0.5)
    assert found.test == "McNemar"
    assert found.p == pytest.approx(mcnemar(0, 10))
    assert found.interval[0] > 0


def test_means_are_tested_by_permutation():
    # Three differences of one sign: 2 of the 8 ways to choose signs are as large.
    found = compare_means([0.1, 0.2, 0.3, 0.5], [0.4, 0.6, 0.9, 0.5], 7)
    assert found.test == "permutation"
    assert found.p == pytest.approx(2 / 8, abs=3 / sqrt(PERMUTATIONS))
    assert found == compare_means([0.1, 0.2, 0.3, 0.5], [0.4, 0.6, 0.9, 0.5], 7)


def test_tests_without_scipy_name_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert intervals({"hit": [1.0, 0.0]}, 7)
    with pytest.raises(MissingExtraError, match=r"isomatch\[report\]"):
        compare_means([1.0, 0.0], [0.5, 0.2], 7)


def test_a_run_does_not_differ_from_itself():
    values = [0.0, 0.3, 1.0]
    found = compare_means(values, values, 7)
    assert (found.difference, found.interval, found.p) == (0.0, (0.0, 0.0), 1.0)
