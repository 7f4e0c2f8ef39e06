"""The oracle over property graphs, on one small enough to count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.oracle.brute import Interpretation, Lists, interpretations
from tests.oracle.property_graph import Node, PropertyGraph, Relationship, schema_of
from tests.oracle.property_graphs import property_graphs

from isomatch.pattern.text import parse_text
from isomatch.pattern.types import Pattern
from isomatch.store.terms import XSD, literal


def number(value: int) -> str:
    return literal(str(value), datatype=XSD + "integer")


ACTED, YEAR, TAGS = ":ACTED_IN", ".year", ".tags"
FILMS = PropertyGraph(
    (
        Node("heat", ("Film",), {"title": "Heat", "year": 1995, "tags": ["noir", "heist"]}),
        Node("cloud", ("Film",), {"title": "Cloud Atlas", "year": 2012, "tags": []}),
        Node("hanks", ("Person",), {"name": "Tom Hanks"}),
        Node("nobody", (), {"name": "Cloud Atlas", "year": 1995}),
    ),
    (
        Relationship("hanks", "ACTED_IN", "cloud", {"roles": ["Zachry", "Dr. Goose"], "order": 1}),
        Relationship("hanks", "ACTED_IN", "cloud", {"roles": ["Isaac", "Zachry"]}),
        Relationship("hanks", "ACTED_IN", "heat"),
    ),
    {"Film": "title", "Person": "name"},
)


def found(text: str, options: dict[str, str] | None = None, **lists: str) -> list[Interpretation]:
    """Readings of a pattern whose words stand for these ids only, types for themselves."""
    pattern: Pattern = parse_text(text)
    return interpretations(
        FILMS,
        pattern,
        Lists(
            {n.id: {lists.get(n.id, literal(n.text)): 0.0} for n in pattern.nodes if n.text},
            {i: {lists[e.relation]: 0.0} for i, e in enumerate(pattern.edges) if e.relation},
            {n.id: {n.type: 0.0} for n in pattern.nodes if n.type},
        ),
        **(options or {}),
    )


def bound(result: list[Interpretation], place: int = -1) -> list[str]:
    return sorted(m.nodes[place] for interpretation in result for m in interpretation.matches)


def test_properties_are_facts_but_names_are_none() -> None:
    assert bound(found('(h "h")-[r]-(?x)', h="heat", r=YEAR)) == [number(1995)]
    assert bound(found('(h "h")-[]-(?x)', h="cloud")) == sorted(["hanks", "hanks", number(2012)])
    assert bound(found('(n "n")-[]-(?x)', n="nobody")) == sorted(['"Cloud Atlas"', number(1995)])


def test_every_member_of_a_list_is_a_fact() -> None:
    assert bound(found('(h "h")-[r]-(?x)', h="heat", r=TAGS)) == ['"heist"', '"noir"']
    assert found('(c "c")-[r]-(?x)', c="cloud", r=TAGS) == []


def test_a_fact_goes_from_the_node_to_its_value() -> None:
    written = {"direction": "as written"}
    assert found('(h "h")<-[r]-(?x)', written, h="heat", r=YEAR) == []
    assert bound(found('(h "h")-[r]->(?x)', written, h="heat", r=YEAR)) == [number(1995)]


def test_values_join_and_have_kinds() -> None:
    text = '(h "h")-[r]-(?y:literal:number)-[r]-(?other)'
    assert bound(found(text.replace("literal:number", "'literal:number'"), h="heat", r=YEAR)) == [
        "nobody"
    ]
    assert found("(?x:'literal:text')-[r]-(?f)", r=YEAR) == []


def test_every_parallel_relationship_is_a_match_and_holds_an_edge() -> None:
    assert bound(found('(h "h")-[a]-(?f)', h="hanks", a=ACTED)) == ["cloud", "cloud", "heat"]
    assert bound(found('(h "h")-[a]-(?f), (h "h")-[a]-(?f)', h="hanks", a=ACTED)) == ["cloud"] * 2
    thrice = '(h "h")-[a]-(?f), (h "h")-[a]-(?f), (h "h")-[a]-(?f)'
    assert found(thrice, h="hanks", a=ACTED) == []


def test_a_known_value_is_a_property_or_a_member_of_one() -> None:
    for role, films in (("Zachry", ["cloud"] * 2), ("Isaac", ["cloud"]), ("Neil", [])):
        assert bound(found(f'(h "h")-[a: "{role}"]-(?f)', h="hanks", a=ACTED), 1) == films
    assert bound(found('(h "h")-[: v "1"]-(?f)', h="hanks", v=number(1)), 1) == ["cloud"]


def test_an_unknown_value_is_each_of_them() -> None:
    result = found('(h "h")-[a: ?v]-(?f)', h="hanks", a=ACTED)
    zachry = ['"Zachry"'] * 2  # of two relationships
    assert bound(result) == sorted(['"Dr. Goose"', '"Isaac"', *zachry, number(1)])
    typed = found("(h \"h\")-[a: ?v:'literal:number']-(?f)", h="hanks", a=ACTED)
    assert bound(typed) == [number(1)]
    assert found('(h "h")-[r: ?v]-(?x)', h="heat", r=YEAR) == []  # a property carries none


def test_two_edges_with_values_need_two_relationships() -> None:
    both = '(h "h")-[a: "{}"]-(?f), (h "h")-[a: "{}"]-(?f)'
    assert found(both.format("Dr. Goose", "Isaac"), h="hanks", a=ACTED)
    assert found(both.format("Zachry", "Isaac"), h="hanks", a=ACTED)
    one = found(
        '(h "h")-[a: "Dr. Goose"]-(?f), (h "h")-[a: n "1"]-(?f)', h="hanks", a=ACTED, n=number(1)
    )
    assert one == []


@pytest.mark.parametrize(("nodes", "there"), [("distinct", False), ("repeat", True)])
def test_equal_values_are_one_thing(nodes: str, there: bool) -> None:
    text = '(?a)-[r]-(x "x"), (?b)-[r]-(y "y")'
    options = {"nodes": nodes}
    assert bool(found(text, options, r=YEAR, x=number(1995), y=number(1995))) is there


@pytest.mark.parametrize(("nodes", "there"), [("distinct", False), ("repeat", True)])
def test_a_text_is_the_node_that_it_names(nodes: str, there: bool) -> None:
    text = '(h "h")-[a]-(c "c"), (n "n")-[k]-(t "t")'
    ids = {
        "h": "hanks",
        "a": ACTED,
        "c": "cloud",
        "n": "nobody",
        "k": ".name",
        "t": '"Cloud Atlas"',
    }
    assert bool(found(text, {"nodes": nodes}, **ids)) is there


@given(property_graphs())
def test_the_schema_counts_what_is_there(graph: PropertyGraph) -> None:
    schema = schema_of(graph)
    assert schema.triples == sum(r.triples for r in schema.relations) == len(graph.facts)
    for relation in schema.relations:
        assert (relation.id[0] == ":") is not bool(relation.literal_kinds)
        assert relation.max_out >= relation.mean_out >= 1
