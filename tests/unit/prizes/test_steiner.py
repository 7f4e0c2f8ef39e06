"""The best connected part, its bound, and the tree that the search starts from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.oracle.prizes import any_graph, best_score, random_graph
from tests.shared import examples

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.prizes import graph as graphs
from isomatch.prizes.graph import Part, PrizeGraph, is_connected
from isomatch.prizes.growth import check, grown
from isomatch.prizes.proof import EQUAL
from isomatch.prizes.steiner import best_part

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=examples(250))
@given(seed=SEEDS, pruning=st.sampled_from(["strong", "gw"]), seconds=st.sampled_from([20.0, 0.0]))
def test_no_bound_is_wrong_and_none_is_below_its_score(seed: int, pruning: str, seconds: float):
    graph = any_graph(seed)
    number = graph.components()
    for one in range(number.max() + 1):
        nodes = np.flatnonzero(number == one).tolist()
        tree = best_part(graph, nodes, pruning, seconds)
        best = best_score(graph, nodes)
        assert set(tree.part.nodes) <= set(nodes)
        assert is_connected(graph, tree.part)
        assert tree.score == pytest.approx(graph.score(tree.part.nodes, tree.part.edges))
        assert tree.score <= best + 1e-9
        assert tree.gap >= 0
        assert tree.bound >= best - EQUAL
        if seconds:
            assert tree.gap == 0
        if tree.gap == 0:
            assert tree.score == pytest.approx(best, rel=0, abs=EQUAL)


@pytest.mark.parametrize(("k", "cost"), [(10, 1.0), (3, 0.5), (10, 4.0)])
def test_graphs_of_the_published_size_are_proven(k: int, cost: float):
    for seed in range(examples(20)):
        tree = best_part(random_graph(48, 152, k, cost, seed), range(48), seconds=60)
        assert tree.gap == 0


def test_a_part_of_a_large_graph_has_an_honest_bound():
    graph = random_graph(1500, 5000, 10, 1.0, 7)
    hurried = best_part(graph, range(1500), seconds=0.05)
    longer = best_part(graph, range(1500), seconds=60)
    assert longer.gap == 0
    assert hurried.score <= longer.score <= hurried.bound


def test_the_published_tree_is_worse_than_the_best_one():
    graph = random_graph(48, 152, 10, 4.0, 1)
    published = [best_part(random_graph(48, 152, 10, 4.0, s), range(48), "gw", 0) for s in range(9)]
    best = [best_part(random_graph(48, 152, 10, 4.0, s), range(48)) for s in range(9)]
    assert sum(t.score for t in published) < sum(t.score for t in best)
    assert is_connected(graph, grown(graph, np.arange(48), "gw"))


def test_edges_that_gain_join_in_circles():
    graph = PrizeGraph.of(([0, 1, 2, 0, 3], [1, 2, 0, 0, 4]), [0] * 5, [3, 3, 3, 2, 9], 1)
    tree = best_part(graph, [0, 1, 2])
    assert tree.part == Part((0, 1, 2), (0, 1, 2, 3))
    assert (tree.score, tree.gap) == (7, 0)


def test_what_adds_nothing_is_left_out():
    tree = best_part(PrizeGraph.of(([0, 1, 2], [1, 2, 3]), [5, 0, 0, 0], [0, 0, 0], 0), range(4))
    assert (tree.part, tree.score, tree.gap) == (Part((0,), ()), 5, 0)
    without_prizes = best_part(PrizeGraph.of(([0], [1]), [0, 0], [0], 1), range(2))
    assert (without_prizes.score, without_prizes.gap) == (0, 0)


@pytest.mark.parametrize("cost", [-1, float("nan"), float("inf")])
def test_costs_and_prizes_must_be_numbers_from_0_on(cost: float):
    with pytest.raises(ConfigurationError, match="a cost must be a number from 0 on"):
        PrizeGraph.of(([0], [1]), [1, 2], [0], cost)
    with pytest.raises(ConfigurationError, match="a prize must be a number from 0 on"):
        PrizeGraph.of(([0], [1]), [1, cost], [0], 1)


def test_edges_need_ends():
    with pytest.raises(ConfigurationError, match="no node"):
        PrizeGraph.of(([0], [2]), [1, 2], [0], 1)
    with pytest.raises(ConfigurationError, match="equally many"):
        PrizeGraph.of(([0], [1]), [1, 2], [0, 1], 1)


def test_a_part_must_hang_together():
    graph = PrizeGraph.of(([0, 2], [1, 3]), [1] * 4, [0, 0], 1)
    assert is_connected(graph, Part((0, 1), (0,)))
    assert not is_connected(graph, Part((0, 1, 2, 3), (0, 1)))
    assert not is_connected(graph, Part((0,), (0,)))
    assert not is_connected(graph, Part((), ()))


@pytest.mark.parametrize(
    "library",
    [
        lambda *_: (np.array([0]), np.array([7])),
        lambda *_: (np.array([], np.int32), np.array([], np.int32)),
        lambda: None,
    ],
)
def test_a_library_that_gives_wrong_trees_is_refused(library):
    with pytest.raises(MissingExtraError, match=r"wrong trees.*pip uninstall pcst_fast"):
        check(library)


def test_the_examples_of_the_docstrings_of_prizes_run():
    import doctest

    from isomatch.prizes import assignment, paths

    assert not any(doctest.testmod(module).failed for module in (graphs, assignment, paths))


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=SEEDS)
def test_the_search_in_whole_numbers_is_right_alone(seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("isomatch.prizes.proof._Program.relax", lambda self: None)
    graph = any_graph(seed, most=10)
    number = graph.components()
    for one in range(number.max() + 1):
        nodes = np.flatnonzero(number == one).tolist()
        tree = best_part(graph, nodes, seconds=60)
        best = best_score(graph, nodes)
        assert tree.gap == 0
        assert tree.score == pytest.approx(best, rel=0, abs=EQUAL)
