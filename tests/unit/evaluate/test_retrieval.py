"""Recall among the K best, and chains against the gold one, worked by hand."""

from __future__ import annotations

import pytest

from isomatch.evaluate.metrics import (
    CUTS,
    ChainScore,
    Naming,
    answer_recall_at,
    chain_score,
    recall_at,
)


def test_recall_grows_with_k():
    ranked = [f"t{n}" for n in range(300)]
    wanted = {"t0", "t9", "t10", "t150", "missing"}
    assert recall_at(ranked, wanted) == {10: 0.4, 20: 0.6, 50: 0.6, 100: 0.6, 200: 0.8, 400: 0.8}


def test_a_triple_that_comes_twice_takes_two_places():
    assert recall_at(["a"] * 10 + ["b"], {"b"})[10] == 0.0


def test_answers_are_looked_for_at_both_ends():
    ranked = [("Heat", "Michael Mann"), *[("x", "y")] * 10, ("Ali", "Michael_Mann")]
    found = answer_recall_at(ranked, ["Heat", "Ali"])
    assert found == {10: 0.5} | dict.fromkeys(CUTS[1:], 1.0)
    assert answer_recall_at([("heat", "x")], ["Heat"], Naming(fold_case=True))[10] == 1.0
    assert answer_recall_at([], ["Heat"])[400] == 0.0


def test_chain_scores_count_hits_and_ends():
    # The gold chain is the second; both chains together end in three nodes, two of them right.
    found = chain_score(["wrong", "gold"], "gold", ["a", "b", "x"], ["a", "b", "c", "d"])
    assert found == ChainScore(False, True, pytest.approx(2 / 3), 0.5, pytest.approx(4 / 7))
    assert chain_score(["gold"], "gold", ["a"], ["a"]) == ChainScore(True, True, 1.0, 1.0, 1.0)
    assert chain_score([], "gold", [], ["a"]) == ChainScore(False, False, 0.0, 0.0, 0.0)


def test_without_a_gold_chain_there_are_no_hits():
    found = chain_score(["some"], None, ["a"], ["a"])
    assert (found.hit_at_1, found.hit_at_3, found.f1) == (None, None, 1.0)
