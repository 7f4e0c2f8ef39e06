"""Chains end where the matcher finds their answers, and no chain that explains one is missed."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from tests.oracle.brute import Graph, Lists
from tests.oracle.checks import searched, thorough
from tests.oracle.graphs import BASE, LITERALS, RELATIONS, Case, graphs, schema_of, store_of

from isomatch.chains.graph import Chain, Step
from isomatch.learn.walks import Ends, Walker
from isomatch.options import Nodes, Options
from isomatch.pattern.types import RelationChain

STEPS = tuple(Step(relation, back) for relation in RELATIONS for back in (False, True))
chains = st.lists(st.sampled_from(STEPS), min_size=1, max_size=3).map(tuple)
rules = st.sampled_from(("anchored", "repeat", "walk"))

# a - b - c in a row, a also to d, and the edges of a film and its people.
FILMS = Graph(
    tuple(
        (BASE + source, BASE + relation, BASE + target)
        for source, relation, target in (
            ("heat", "directed_by", "mann"),
            ("ali", "directed_by", "mann"),
            ("heat", "starred", "pacino"),
            ("heat", "starred", "niro"),
            ("ronin", "starred", "niro"),
        )
    ),
    {},
)


def matched(graph: Graph, topic: str, chain: Chain, nodes: Nodes) -> set[str]:
    """The answers of the chain as a pattern, by the matcher."""
    pattern = RelationChain(topic, tuple(f"{'^' * s.back}{s.relation}" for s in chain)).to_pattern()
    lists = Lists(
        {"topic": {topic: 0.0}}, {e: {step.relation: 0.0} for e, step in enumerate(chain)}, {}
    )
    case = Case(graph, pattern, lists, {})
    chosen = Options(nodes=nodes, direction="as written", limit=1000)
    result = searched(case, store_of(graph), schema_of(graph), chosen, 1)
    return {node.id for node in result.answers()}


@thorough
@given(graphs(), st.data(), rules)
def test_chains_end_where_the_matcher_says(graph: Graph, data: st.DataObject, nodes: Nodes) -> None:
    some: list[Chain] = data.draw(st.lists(chains, min_size=1, max_size=4))
    ends = sorted({end for s, _, o in graph.triples for end in (s, o)})
    topic = data.draw(st.sampled_from(ends))
    walker = Walker(store_of(graph), schema_of(graph))
    found = walker.ends([topic], some, 100, nodes=nodes)
    assert [e.ids for e in found] == [matched(graph, topic, c, nodes) for c in some]
    assert not any(e.cut for e in found)


@thorough
@given(graphs(), st.data())
def test_every_chain_that_reaches_an_answer_is_tried(graph: Graph, data: st.DataObject) -> None:
    ends = sorted({end for s, _, o in graph.triples for end in (s, o)})
    topic, answer = data.draw(st.sampled_from(ends)), data.draw(st.sampled_from(ends))
    walker = Walker(store_of(graph), schema_of(graph))
    steps = [s for s in STEPS if s.relation in walker.schema.by_id]
    every = [chain for length in (1, 2, 3) for chain in product(steps, repeat=length)]
    reach = {
        c for c, e in zip(every, walker.ends([topic], every, 100), strict=True) if answer in e.ids
    }
    assert reach <= set(walker.reaching([topic], [answer]))


def test_ends_are_those_worked_by_hand() -> None:
    walker = Walker(store_of(FILMS), schema_of(FILMS))
    directed, starred = BASE + "directed_by", BASE + "starred"
    colleagues = (Step(starred), Step(starred, True))
    cast = (Step(directed), Step(directed, True), Step(starred))
    heat, ali = (
        walker.ends([BASE + "heat"], [colleagues, cast], 10),
        walker.ends([BASE + "ali"], [colleagues, cast], 10),
    )
    assert heat == [Ends(frozenset({BASE + "ronin"})), Ends(frozenset())]
    assert ali == [Ends(frozenset()), Ends(frozenset({BASE + "pacino", BASE + "niro"}))]


def test_several_topics_are_one_and_limits_are_said() -> None:
    walker = Walker(store_of(FILMS), schema_of(FILMS))
    starred = (Step(BASE + "starred"),)
    both = [BASE + "heat", BASE + "ronin", "_:blank"]
    assert walker.ends(both, [starred], 2) == [Ends(frozenset({BASE + "pacino", BASE + "niro"}))]
    cut = walker.ends(both, [starred], 1)[0]
    assert cut.cut
    assert len(cut.ids) == 1
    assert walker.ends([], [starred], 1) == [Ends(frozenset())]


def test_a_value_can_be_a_topic() -> None:
    graph = Graph(((BASE + "heat", BASE + "year", LITERALS[1]),), {})
    walker = Walker(store_of(graph), schema_of(graph))
    chain = (Step(BASE + "year", True),)
    assert chain in walker.reaching([LITERALS[1]], [BASE + "heat"])
    assert walker.ends([LITERALS[1]], [chain], 5) == [Ends(frozenset({BASE + "heat"}))]
