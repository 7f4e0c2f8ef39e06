"""The order of a search, the parts it decides on the way, and its strategy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from tests.oracle import property_graph
from tests.oracle.graphs import Case, cases, schema_of
from tests.oracle.property_graphs import PropertyCase, property_cases

from isomatch.link.candidates import Candidate, CandidateList, Candidates, Kind
from isomatch.options import Options
from isomatch.pattern.text import parse_text
from isomatch.pattern.types import Pattern
from isomatch.plan.planner import Checkpoint, Plan, Slot, list_of, plan
from isomatch.schema.types import Relation, Schema

# (mean out, mean in): objects for a subject, and subjects for an object.
RELATIONS = {"one": (1, 1), "few": (4, 2), "hub": (500, 1)}
SCHEMA = Schema(
    "made up",
    triples=3000,
    nodes=1000,
    relations=tuple(
        Relation(id, id, triples=1000, mean_out=out, mean_in=into)
        for id, (out, into) in RELATIONS.items()
    ),
    types=(),
)


def ranked(text: str, kind: Kind, ids: list[str]) -> CandidateList:
    return CandidateList.of(text, kind, [Candidate(id, i / 10, id) for i, id in enumerate(ids)])


def linked(pattern: Pattern, entries: int = 1, typed: bool = True) -> Candidates:
    """Nodes and types with so many entries each; relations are those of their words."""
    return Candidates(
        {
            n.id: ranked(n.text, "node", [f"urn:{n.text}{i}" for i in range(entries)])
            for n in pattern.nodes
            if n.text
        },
        {
            i: ranked(e.relation, "relation", e.relation.split())
            for i, e in enumerate(pattern.edges)
            if e.relation
        },
        {
            n.id: ranked(n.type, "type", [f"urn:{n.type}{i}" for i in range(entries)])
            for n in pattern.nodes
            if n.type and typed
        },
    )


def planned(text: str, entries: int = 1, **options: Any) -> Plan:
    pattern = parse_text(text)
    return plan(
        pattern, linked(pattern, entries), SCHEMA, Options(**{"direction": "any", **options})
    )


def test_the_search_starts_at_the_known_node_with_the_least_growth():
    made = planned('("Heat")-[hub]->(?x)-[one]->("Mann")')
    assert made.structure.order == (1, 0)
    assert made.slots == (
        Slot("node", 2),
        Slot("relation", 1),
        Slot("relation", 0),
        Slot("node", 0),
    )


def test_the_order_as_written_decides_nothing():
    made = planned('("Mann")<-[one]-(?x)<-[hub]-("Heat")')
    assert made.structure.order == (0, 1)


def test_growth_depends_on_the_way_where_direction_counts():
    text = '("A")-[few]->(?x)<-[few]-(?y)-[few]->("B"), (?x)-[hub]->(?z)'
    # From A "few" leaves 4 ways, into B 2.
    assert planned(text, direction="as written").structure.order[0] == 2
    assert planned(text).structure.order[0] == 0  # equal both ways: the first


def test_a_relation_with_many_candidates_grows_more():
    made = planned('("Heat")-[one few hub]->(?x)-[few]->("Mann")')
    assert made.structure.order == (1, 0)


def test_an_unknown_relation_is_taken_for_the_mean_degree():
    # 2 * 3000 / 1000 edges a node: as many as "few" has both ways, less than "hub".
    assert planned('("Heat")-[hub]->(?x)-[]->("Mann")').structure.order == (1, 0)
    assert planned('("Heat")-[]->(?x)-[one]->("Mann")').structure.order == (1, 0)


def test_an_edge_that_closes_a_cycle_comes_before_one_that_grows():
    made = planned('("A")-[one]->(?x)-[few]->(?y), (?x)-[hub]->("A")')
    assert made.structure.order == (0, 2, 1)


def test_without_a_known_node_the_smallest_relation_begins():
    small = Relation("small", "small", triples=10, mean_out=1, mean_in=1)
    schema = Schema("made up", 3010, 1000, (*SCHEMA.relations, small), ())
    pattern = parse_text("(?a)-[hub]->(?b)-[small]->(?c)")
    made = plan(pattern, linked(pattern), schema, Options())
    assert made.structure.order == (1, 0)
    assert made.slots == (Slot("relation", 1), Slot("relation", 0))


def test_checkpoints_grow_edge_by_edge_and_start_anew_in_every_component():
    made = planned('("A")-[one]->(?x)-[few]->(?y), ("B")-[one]->(?z)')
    assert made.checkpoints == (
        Checkpoint(0, 2, (0,)),
        Checkpoint(0, 3, (0, 1)),
        Checkpoint(3, 5, (2,)),
    )


def test_an_edge_that_decides_no_slot_joins_the_checkpoint_before_it():
    made = planned('("A")-[one]->(?x)-[]->(?y), (?x)-[few]->("A")')
    assert made.checkpoints == (Checkpoint(0, 2, (0,)), Checkpoint(0, 3, (0, 2, 1)))


def test_types_are_choices_only_where_they_have_candidates():
    pattern = parse_text('(?x:film)-[one]->("Mann")')
    typed = plan(pattern, linked(pattern, 3), SCHEMA, Options())
    assert typed.slots == (Slot("node", 1), Slot("relation", 0), Slot("type", 0))
    assert typed.interpretations == 9
    ignored = plan(pattern, linked(pattern, 3, typed=False), SCHEMA, Options())
    assert ignored.slots == (Slot("node", 1), Slot("relation", 0))
    assert ignored.interpretations == 3


def test_a_value_is_placed_with_its_edge():
    made = planned('("Tom")-[few: "Forrest":text]->(?x)-[one: ?v:number]->(?y)')
    assert made.structure.order == (0, 1)
    assert made.slots == (
        Slot("node", 0),
        Slot("relation", 0),
        Slot("node", 2),
        Slot("type", 2),
        Slot("relation", 1),
        Slot("type", 4),
    )
    assert made.checkpoints == (Checkpoint(0, 4, (0,)), Checkpoint(0, 6, (0, 1)))


def test_a_known_value_lets_few_rows_through():
    text = '("Tom")-[few{}]->(?x), ("Tom")-[one]->(?y)'
    assert planned(text.format("")).structure.order == (1, 0)
    with_value = planned(text.format(': "Forrest"'))
    assert with_value.structure.order == (0, 1)
    assert with_value.estimated_rows == pytest.approx(0.6 * 2)
    assert planned(text.format(": ?v")).structure.order == (1, 0)


def test_a_value_alone_is_no_start():
    made = planned('(?a)-[few: "Forrest"]->(?b)')
    assert made.slots == (Slot("relation", 0), Slot("node", 2))
    assert made.estimated_rows == pytest.approx(100)


def test_list_of_finds_the_list_of_every_kind():
    pattern = parse_text('(?x:film)-[one]->("Mann")')
    candidates = linked(pattern)
    for kind, index, text in (("node", 1, "Mann"), ("relation", 0, "one"), ("type", 0, "film")):
        found = list_of(Slot(kind, index), candidates, pattern)  # type: ignore[arg-type]
        assert (found.kind, found.text) == (kind, text)


@pytest.mark.parametrize(
    ("text", "entries", "direction", "interpretations", "rows"),
    [
        ('("A")-[few]->(?x)', 1, "any", 1, 6),  # 4 out and 2 in
        ('("A")-[few]->(?x)', 5, "any", 5, 30),  # from each candidate
        ('("A")-[few]->(?x)', 5, "as written", 5, 20),
        ('("A")<-[few]-(?x)', 5, "as written", 5, 10),
        ('("A")-[few one]->(?x)', 1, "any", 2, 8),
        ('("A")-[few]->(?x)-[few]->(?y)', 1, "any", 1, 36),
        ('("A")-[one]->(?x)-[hub]->("A")', 1, "any", 1, 2),  # a closed cycle adds none
        ('("A")-[]->(?x)', 1, "any", 1, 6),  # the mean degree
        ("(?x)-[few]->(?y)", 1, "any", 1, 1000),  # every triple of it
        ('("A")-[few]->(?x), ("B")-[few]->(?y)', 2, "any", 4, 144),  # a product
        ('("A")-[nowhere]->(?x)', 1, "any", 1, 0.1),  # no such relation in the schema
    ],
)
def test_estimates_are_those_worked_by_hand(
    text: str, entries: int, direction: str, interpretations: int, rows: float
):
    made = planned(text, entries, direction=direction)
    assert made.interpretations == interpretations
    assert made.estimated_rows == pytest.approx(rows)


@pytest.mark.parametrize(
    ("text", "entries", "k", "strategy"),
    [
        ('("A")-[few]->(?x)', 4, 3, "brute force"),  # 4 > 3, 24 rows are 8 for a result
        ('("A")-[few]->(?x)', 5, 3, "ascending"),  # 30 rows are too many
        ('("A")-[few]->(?x)', 5, 4, "brute force"),  # not for four results
        ('("A")-[few]->(?x)', 4, 4, "ascending"),  # no more readings than are asked for
        ('("A")-[hub]->(?x)', 4, 3, "ascending"),
    ],
)
def test_brute_force_is_chosen_where_it_is_cheapest(text: str, entries: int, k: int, strategy: str):
    assert planned(text, entries, k=k).strategy == strategy


def test_the_reason_holds_the_numbers():
    few = planned('("A")-[few]->(?x)', 4)
    assert few.why.startswith("one query over all 4 interpretations touches about 24 rows")
    many = planned('("A")-[hub]->(?x)', 4000)
    assert many.why.startswith("4,000 interpretations are fetched so far")
    assert "about 2,004,000 rows" in many.why


@pytest.mark.parametrize("strategy", ["ascending", "semi-join", "brute force"])
def test_a_strategy_that_is_asked_for_is_taken(strategy: str):
    made = planned('("A")-[hub]->(?x)', 4, strategy=strategy)
    assert made.strategy == strategy
    assert made.why == "asked for by the option `strategy`"
    assert made.slots == planned('("A")-[hub]->(?x)', 4).slots


@given(cases())
def test_slots_and_checkpoints_cover_the_pattern(case: Case):
    assert_covered(case, schema_of(case.graph))


@given(property_cases())
def test_so_they_do_where_edges_carry_values(case: PropertyCase):
    assert_covered(case, property_graph.schema_of(case.graph))


def assert_covered(case: Case | PropertyCase, schema: Schema) -> None:
    """Every choice has one slot, and the last checkpoints hold all edges."""
    made = plan(case.pattern, _candidates(case), schema, Options())
    edges = range(len(case.pattern.edges))
    assert sorted(made.structure.order) == list(edges)
    number = {node.id: i for i, node in enumerate(case.pattern.nodes)}
    wanted = [Slot("node", number[id]) for id in case.lists.nodes]
    wanted += [Slot("relation", i) for i in case.lists.relations]
    wanted += [Slot("type", number[id]) for id in case.lists.types]
    assert len(made.slots) == len(wanted)
    assert set(made.slots) == set(wanted)

    # The last checkpoint of every component holds all of it, and no slot is left out.
    last = {c.start: c for c in made.checkpoints}
    assert sorted(sorted(c.edges) for c in last.values()) == sorted(
        map(sorted, case.pattern.components())
    )
    stops = [0, *(c.stop for c in last.values())]
    assert stops[:-1] == list(last)
    assert stops[-1] == len(made.slots)

    for checkpoint in made.checkpoints:
        assert_decided(made, checkpoint)


def assert_decided(made: Plan, checkpoint: Checkpoint) -> None:
    """The checkpoint's edges are connected, and its slots are what they depend on."""
    reached = set(made.structure.touched(checkpoint.edges[0]))
    for edge in checkpoint.edges[1:]:
        assert reached & set(made.structure.edges[edge])
        reached |= set(made.structure.touched(edge))
    within = made.slots[checkpoint.start : checkpoint.stop]
    depends = [
        slot
        for slot in made.slots
        if (slot.index in checkpoint.edges if slot.kind == "relation" else slot.index in reached)
    ]
    assert list(within) == depends


def _candidates(case: Case | PropertyCase) -> Candidates:
    def lists(kind: Kind, part: Mapping[Any, Mapping[str, float]]) -> dict[Any, CandidateList]:
        return {
            key: CandidateList.of(str(key), kind, [Candidate(i, d, i) for i, d in entries.items()])
            for key, entries in part.items()
        }

    return Candidates(
        lists("node", case.lists.nodes),
        lists("relation", case.lists.relations),
        lists("type", case.lists.types),
    )
