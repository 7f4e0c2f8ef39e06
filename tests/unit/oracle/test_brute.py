"""The oracle itself, on graphs small enough to count by hand."""

from __future__ import annotations

import pytest
from tests.oracle.brute import Graph, Lists, interpretations

from isomatch.pattern.types import Edge, Node, Pattern

FILMS = Graph(
    (
        ("heat", "directed", "mann"),
        ("ali", "directed", "mann"),
        ("heat", "starred", "pacino"),
        ("insider", "directed", "mann"),
        ("insider", "starred", "pacino"),
        ("mann", "wrote", "heat"),
    ),
    {"heat": frozenset({"film", "work"}), "ali": frozenset({"film"})},
)


def pattern(*edges: tuple[str, str | None, str], known: str = "", typed: str = "") -> Pattern:
    ids = dict.fromkeys(end for s, _, t in edges for end in (s, t))
    nodes = tuple(Node(i, i if i in known else None, "kind" if i in typed else None) for i in ids)
    return Pattern(nodes, tuple(Edge(*e) for e in edges))


def summary(found):
    return [(r.gsd, sorted((*m.nodes, *m.relations) for m in r.matches)) for r in found]


def test_one_reading_has_all_matches_and_readings_ascend():
    p = pattern(("f", "by", "m"), known="m")
    lists = Lists({"m": {"mann": 0.0}}, {0: {"directed": 0.5, "wrote": 0.25}})
    assert summary(interpretations(FILMS, p, lists)) == [
        (0.25, [("heat", "mann", "wrote")]),
        (0.5, [(f, "mann", "directed") for f in ("ali", "heat", "insider")]),
    ]


def test_brute_force_keeps_the_direction_as_written():
    p = pattern(("m", "by", "f"), known="m")
    lists = Lists({"m": {"mann": 0.0}}, {0: {"directed": 0.0, "wrote": 0.0}})
    found = interpretations(FILMS, p, lists, direction="as written")
    assert [r.relations for r in found] == [{0: "wrote"}]


@pytest.mark.parametrize(("nodes", "count"), [("distinct", 5), ("anchored", 5), ("repeat", 7)])
def test_the_option_says_what_may_coincide(nodes, count):
    """Two steps from heat: over mann 2 * 2 ways, over pacino one.

    ``repeat`` adds the way back over mann: its two triples, in either order.
    """
    p = pattern(("h", None, "m"), ("m", None, "x"), known="h")
    (found,) = interpretations(FILMS, p, Lists({"h": {"heat": 0.0}}), nodes=nodes)
    assert len(found.matches) == count


def test_anchored_lets_unknown_nodes_coincide():
    edges = [("m", "d", "x"), ("x", "s", "a"), ("m", "d", "y"), ("y", "s", "b")]
    p = pattern(*edges, known="m")
    relations = {0: "directed", 1: "starred", 2: "directed", 3: "starred"}
    lists = Lists({"m": {"mann": 0.0}}, {i: {r: 0.0} for i, r in relations.items()})
    assert interpretations(FILMS, p, lists, nodes="distinct") == []
    (found,) = interpretations(FILMS, p, lists, nodes="anchored")
    assert sorted(m.nodes for m in found.matches) == [
        ("mann", "heat", "pacino", "insider", "pacino"),
        ("mann", "insider", "pacino", "heat", "pacino"),
    ]


def test_parallel_edges_need_two_triples():
    p = pattern(("h", "a", "m"), ("h", "b", "m"), known="h")
    both = {"directed": 0.0, "wrote": 0.0}
    found = interpretations(FILMS, p, Lists({"h": {"heat": 0.0}}, {0: both, 1: both}))
    assert [tuple(r.relations.values()) for r in found] == [
        ("directed", "wrote"),
        ("wrote", "directed"),
    ]
    twice = Graph((("a", "r", "b"), ("b", "r", "a")))
    same = Lists({"h": {"a": 0.0}}, {0: {"r": 0.0}, 1: {"r": 0.0}})
    assert [len(r.matches) for r in interpretations(twice, p, same)] == [1]
    assert interpretations(Graph((("a", "r", "b"),)), p, same) == []


def test_self_loops_match_self_loops_only():
    graph = Graph((("a", "r", "a"), ("a", "r", "b")))
    loop = interpretations(graph, pattern(("x", "r", "x")), Lists({}, {0: {"r": 0.0}}))
    assert summary(loop) == [(0.0, [("a", "r")])]


def test_types_choose_and_weigh():
    p = pattern(("f", "by", "m"), known="m", typed="f")
    lists = Lists({"m": {"mann": 0.0}}, {0: {"directed": 0.0}}, {"f": {"film": 0.5, "work": 1.0}})
    assert summary(interpretations(FILMS, p, lists, type_weight=0.5)) == [
        (0.25, [("ali", "mann", "directed"), ("heat", "mann", "directed")]),
        (0.5, [("heat", "mann", "directed")]),
    ]


def test_literal_kinds_are_types():
    year = '"1995"^^<http://www.w3.org/2001/XMLSchema#gYear>'
    graph = Graph(
        (("heat", "year", year), ("heat", "note", '"loud"')), {"heat": frozenset({"film"})}
    )
    p = pattern(("h", None, "x"), known="h", typed="x")
    found = interpretations(graph, p, Lists({"h": {"heat": 0.0}}, {}, {"x": {"literal:date": 0.1}}))
    assert summary(found) == [(0.1, [("heat", year, "year")])]


def test_components_are_matched_by_one_injective_map():
    graph = Graph((("a", "r", "b"), ("c", "r", "d")))
    p = pattern(("x", "r", "y"), ("u", "r", "v"))
    lists = Lists({}, {0: {"r": 0.0}, 1: {"r": 0.0}})
    assert len(interpretations(graph, p, lists, direction="as written")[0].matches) == 2
    assert len(interpretations(graph, p, lists, nodes="repeat")[0].matches) == 8
