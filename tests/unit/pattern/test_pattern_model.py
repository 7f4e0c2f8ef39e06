"""The rules of a pattern, where it is built without an input form."""

from __future__ import annotations

import pytest

from isomatch.errors import PatternError
from isomatch.pattern import EXAMPLE, MAX_EDGES, Edge, Node, Pattern, RelationChain

A, B, X = Node("a", "A"), Node("b", "B"), Node("x")


@pytest.mark.parametrize(
    ("nodes", "edges", "returns", "problem"),
    [
        ((), (), (), "the pattern is empty: it has no edge"),
        ((A,), (Edge("a", "r", "a"),) * 33, (), "the pattern has 33 edges; at most 32"),
        ((A, A), (Edge("a", "r", "a"),), (), "two nodes share the id 'a'"),
        ((A, X), (Edge("a", "r", "a"),), (), "the node 'x' has no edge"),
        ((A,), (Edge("a", "r", "b"),), (), "an edge names the node 'b'"),
        ((Node("a b"),), (Edge("a b", "r", "a b"),), (), "'a b' is no node id"),
        ((Node(""),), (Edge("", "r", ""),), (), "'' is no node id"),
        ((Node("a", " "),), (Edge("a", "r", "a"),), (), "the name of the node 'a' is empty"),
        ((Node("a", None, ""),), (Edge("a", "r", "a"),), (), "the type of the node 'a' is empty"),
        ((A,), (Edge("a", "\t", "a"),), (), "the relation between 'a' and 'a' is empty"),
        ((A,), (Edge("a", "\udcff", "a"),), (), "the relation between 'a' and 'a' is not valid"),
        ((X,), (Edge("x", None, "x"),), (), "a connected part of the pattern has no known node"),
        ((A, X), (Edge("a", "r", "x"),), ("y",), "return names 'y', which"),
        ((A, X), (Edge("a", "r", "x"),), ("a",), "return names 'a', which is known already"),
        ((A, X), (Edge("a", "r", "x"),), ("x", "x"), "return names 'x' twice"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_told_with_a_correct_pattern(
    nodes: tuple[Node, ...], edges: tuple[Edge, ...], returns: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(PatternError) as caught:
        Pattern(nodes, edges, returns)
    assert str(caught.value).startswith(problem)
    assert str(caught.value).endswith(EXAMPLE)


@pytest.mark.parametrize(
    ("returns", "count", "problem"),
    [
        ((), "y", "count names 'y', which"),
        ((), "a", "count names 'a', which is known already"),
        (("x",), "x", "count stands alone"),
    ],
)
def test_what_is_counted_is_one_unknown_node(
    returns: tuple[str, ...], count: str, problem: str
) -> None:
    with pytest.raises(PatternError, match=problem):
        Pattern((A, X), (Edge("a", "r", "x"),), returns, count)


def test_the_most_edges_are_allowed() -> None:
    assert len(Pattern((A,), (Edge("a", "r", "a"),) * MAX_EDGES).edges) == MAX_EDGES


def test_components_are_edges_grouped_in_order() -> None:
    nodes = tuple(Node(id, id) for id in "abcdef")
    ends = ("ab", "cd", "ef", "bc", "ee")
    pattern = Pattern(nodes, tuple(Edge(s, "r", t) for s, t in ends))
    assert pattern.components() == ((0, 1, 3), (2, 4))


def test_answers_are_the_returns_else_the_unknown_nodes() -> None:
    nodes, edges = (X, A, Node("y")), (Edge("x", "r", "a"), Edge("a", "r", "y"))
    assert Pattern(nodes, edges).answers == ("x", "y")
    assert Pattern(nodes, edges, ("y",)).answers == ("y",)
    assert Pattern(nodes, edges, (), "x").answers == ("x",)


def test_a_chain_is_a_walk_whose_end_is_asked_for() -> None:
    pattern = RelationChain("Heat", ("directed by", "^directed by")).to_pattern()
    assert pattern.edges == (
        Edge("topic", "directed by", "x1", directed=True),
        Edge("x2", "directed by", "x1", directed=True),
    )
    assert pattern.answers == ("x2",)
    with pytest.raises(PatternError, match="a node alone"):
        RelationChain("Heat", ()).to_pattern()
