"""The second oracle: what its definitions say of small graphs, and that the first one agrees."""

from __future__ import annotations

from hypothesis import given, settings
from tests.oracle import brute, graphs
from tests.oracle.checks import EXAMPLES
from tests.oracle.definition import (
    ALIAS,
    SUBCLASS_OF,
    Graph,
    distances,
    enumerate_all,
    node_distances,
)
from tests.oracle.letters import Letters

from isomatch.options import Nodes, Options
from isomatch.pattern import parse
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, XSD, literal, words

EMBED = Letters().embed
HEAT, MANN, YEAR = "urn:heat", "urn:mann", literal("1995", datatype=XSD + "gYear")


def matches(graph: Graph, pattern: str, nodes: Nodes) -> set[tuple[str, ...]]:
    truth = enumerate_all(graph, parse(pattern), Options(nodes=nodes), EMBED)
    return {bound for key in truth.gsd for bound, _ in truth.matches(key)}


def test_one_fact_is_two_edges_only_in_a_walk() -> None:
    graph = Graph(((HEAT, "urn:by", MANN),))
    pattern = "(?a)-[by]-(?b)-[by]-(?c)"
    walks = {(HEAT, MANN, HEAT), (MANN, HEAT, MANN)}
    assert [matches(graph, pattern, nodes) for nodes in ("repeat", "walk")] == [set(), walks]


def test_a_known_node_stands_apart_unless_nodes_may_repeat() -> None:
    graph = Graph(((HEAT, "urn:by", MANN), (MANN, "urn:of", HEAT)))
    pattern = '("heat")-[by]-(?a)-[of]-(?b)'
    assert matches(graph, pattern, "anchored") == set()
    assert (HEAT, MANN, HEAT) in matches(graph, pattern, "repeat")


def test_unknown_nodes_may_coincide_when_anchored_and_not_when_distinct() -> None:
    graph = Graph(((MANN, "urn:by", HEAT), (MANN, "urn:of", HEAT)))
    pattern = '(?a)-[by]-("mann")-[of]-(?b)'
    assert (HEAT, MANN, HEAT) in matches(graph, pattern, "anchored")
    assert matches(graph, pattern, "distinct") == set()


def test_facts_of_both_directions_are_one_match() -> None:
    graph = Graph(((HEAT, "urn:by", MANN), (MANN, "urn:by", HEAT)))
    truth = enumerate_all(graph, parse('("heat")-[by]-(?a)'), Options(), EMBED)
    key = (HEAT,), ("urn:by",), ()
    assert len(truth.ways[key]) == 2
    assert truth.matches(key) == {((HEAT, MANN), ("urn:by",))}


def test_the_distance_of_a_node_is_that_of_its_nearest_name() -> None:
    names = (
        (HEAT, "urn:by", MANN),
        (HEAT, RDFS_LABEL, literal("cold")),
        (HEAT, ALIAS, literal("heat")),
    )
    assert node_distances(Graph(names), "heat", EMBED)[HEAT] == 0.0


def test_names_of_other_languages_count_where_there_are_none_of_the_languages_asked_for() -> None:
    german = (HEAT, RDFS_LABEL, literal("hitze", language="de"))
    english = (HEAT, RDFS_LABEL, literal("heat", language="en-GB"))
    fact = (HEAT, "urn:by", MANN)
    assert Graph((fact, german)).nodes[HEAT] == ["hitze"]
    assert Graph((fact, german, english)).nodes[HEAT] == ["heat"]


def test_values_are_found_by_being_equal_and_blank_nodes_by_their_names() -> None:
    graph = Graph((("_:a", "urn:in", YEAR), ("_:b", "urn:in", YEAR), ("_:b", RDFS_LABEL, '"heat"')))
    assert node_distances(graph, "1995", EMBED)[YEAR] == 0.0
    assert set(node_distances(graph, "heat", EMBED)) == {"_:b"}


def test_types_choose_among_interpretations_and_weigh_as_the_options_say() -> None:
    graph = Graph(((HEAT, "urn:by", MANN), (HEAT, RDF_TYPE, "urn:film")))
    pattern = parse("(?a:films)-[by]-(?b)")
    truth = enumerate_all(graph, pattern, Options(type_weight=0.5), EMBED)
    (gsd,) = truth.gsd.values()
    assert gsd == 0.5 * distances(graph.types, "films", EMBED)["urn:film"] > 0


def test_a_node_has_the_superclasses_of_its_types_and_each_class_is_a_node_of_facts() -> None:
    above = (("urn:actor", "urn:person"), ("urn:person", "urn:actor"), ("urn:person", "urn:agent"))
    graph = Graph(
        (
            (HEAT, "urn:by", MANN),
            (MANN, RDF_TYPE, "urn:actor"),
            *((one, SUBCLASS_OF, other) for one, other in above),
        )
    )
    assert graph.types_of[MANN] == {"urn:actor", "urn:person", "urn:agent"} == set(graph.types)
    assert graph.relations[SUBCLASS_OF] == ["subclass of"]
    assert "urn:agent" in graph.nodes
    # A class without an IRI is passed over, and alone makes no fact.
    blank = Graph(((HEAT, "urn:by", MANN), ("urn:actor", SUBCLASS_OF, "_:b")))
    assert SUBCLASS_OF not in blank.relations


@settings(max_examples=2 * EXAMPLES)
@given(graphs.cases())
def test_both_oracles_find_the_same(case: graphs.Case) -> None:
    given_lists = case.lists
    fixed = {("node", case.pattern.node(id).text): d for id, d in given_lists.nodes.items()}
    fixed |= {("type", words(case.pattern.node(i).type)): d for i, d in given_lists.types.items()}
    for index, found in given_lists.relations.items():
        fixed["relation", words(case.pattern.edges[index].relation)] = found
    types = [(id, RDF_TYPE, t) for id, some in case.graph.types.items() for t in some]
    graph = Graph((*case.graph.triples, *types))
    for nodes in ("distinct", "anchored", "repeat", "walk"):
        first = brute.interpretations(case.graph, case.pattern, given_lists, nodes=nodes)
        truth = enumerate_all(graph, case.pattern, Options(nodes=nodes), EMBED, fixed)
        assert [round(i.gsd, 6) for i in first] == [round(gsd, 6) for gsd, _ in truth.ascending]
        found = {
            (
                tuple(i.nodes[n.id] for n in case.pattern.nodes if n.id in i.nodes),
                tuple(i.relations[e] for e in sorted(i.relations)),
                tuple(i.types[n.id] for n in case.pattern.nodes if n.id in i.types),
            ): {(m.nodes, m.relations) for m in i.matches}
            for i in first
        }
        assert found == {key: truth.matches(key) for key in truth.gsd}
