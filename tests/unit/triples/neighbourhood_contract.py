"""What the neighbourhood must be in every SPARQL store, as cases over Turtle."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.store.contract import StoreOf
from tests.unit.triples.hoods import E, around, facts_of, hood, rdf_schema

from isomatch.schema.types import Type
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, XSD, literal
from isomatch.triples.neighbourhood import Fact, Hub, types_of_nodes

P, Q = E + "p", E + "q"
CHAIN: list[Fact] = [
    (E + "a", P, E + "b"),
    (E + "c", P, E + "b"),
    (E + "c", Q, E + "d"),
    (E + "d", Q, E + "e"),
    (E + "a", Q, E + "a"),
    (E + "b", Q, literal("a text")),
    (E + "e", Q, literal("a text")),
    (E + "b", P, literal("1995", datatype=XSD + "gYear")),
]


def turtle(facts: list[Fact]) -> str:
    """Facts as Turtle."""
    lines = []
    for head, relation, tail in facts:
        object = tail if tail.startswith('"') else f"<{tail}>"
        lines.append(f"<{head}> <{relation}> {object} .")
    return "\n".join(lines)


def hops_are_walked_both_ways(store_of: StoreOf) -> None:
    """With loops, and values as ends."""
    store = store_of(turtle(CHAIN))
    for hops in (1, 2, 3):
        found = hood(store, [E + "a"], [P, Q], hops=hops)
        assert set(facts_of(found)) == around(CHAIN, [E + "a"], hops)
        assert len(found) == len(set(facts_of(found)))
        assert found.nodes[: found.topics] == (E + "a",)
        assert found.notes == ()


def several_topics_and_values(store_of: StoreOf) -> None:
    """A value may be a topic; one of no fact has none."""
    store = store_of(turtle(CHAIN))
    topics = [literal("a text"), E + "a", E + "nowhere", literal("no text")]
    found = hood(store, topics, [P, Q], hops=2)
    assert set(facts_of(found)) == around(CHAIN, topics, 2)
    assert set(found.nodes[: found.topics]) == set(topics)


def only_relations_count(store_of: StoreOf) -> None:
    """Names and types are no facts, nor are predicates that the schema does not have."""
    extra = f'<{E}a> <{RDFS_LABEL}> "A" ; <{RDF_TYPE}> <{E}T> ; <{E}unknown> <{E}x> .'
    store = store_of(f"{turtle(CHAIN)}\n{extra}")
    found = hood(store, [E + "a"], [P, Q], hops=3)
    assert set(facts_of(found)) == around(CHAIN, [E + "a"], 3)


def hubs_are_capped_fairly(store_of: StoreOf) -> None:
    """Of each relation and side in turn, by name; and it is said."""
    many = [(E + "hub", P, f"{E}x{i}") for i in range(6)]
    many += [(f"{E}y{i}", Q, E + "hub") for i in range(3)] + [(E + "t", P, E + "hub")]
    found = hood(store_of(turtle(many)), [E + "t"], [P, Q], hops=2, cap=6)
    kept = {(E + "t", P, E + "hub")}
    kept |= {(E + "hub", P, f"{E}x{i}") for i in range(3)}
    kept |= {(f"{E}y{i}", Q, E + "hub") for i in range(2)}
    assert set(facts_of(found)) == kept
    assert found.hubs == (Hub(E + "hub", 10, 6),)
    assert found.notes == (f"{E}hub has 10 facts, of which 6 were looked at",)


def the_budget_goes_to_nodes_of_few_facts(store_of: StoreOf) -> None:
    """And what was left out is said."""
    facts = [(E + "t", P, E + "small"), (E + "t", P, E + "large"), (E + "small", Q, E + "s")]
    facts += [(E + "large", Q, f"{E}l{i}") for i in range(8)]
    found = hood(store_of(turtle(facts)), [E + "t"], [P, Q], hops=3, budget=7)
    assert set(facts_of(found)) == set(facts[:3])
    assert found.left_out == 1
    assert found.notes == ("1 nodes were not followed further: the budget of facts was spent",)


def types_are_those_of_the_schema(store_of: StoreOf) -> None:
    """Of fewest nodes first; values, and what has no type, have none."""
    typed = (
        f"<{E}a> <{RDF_TYPE}> <{E}Film>, <{E}Work>, <{E}Unknown> . <{E}c> <{RDF_TYPE}> <{E}Work> ."
    )
    schema = replace(
        rdf_schema([P, Q]), types=(Type(E + "Work", "work", 2), Type(E + "Film", "film", 1))
    )
    nodes = [E + "a", E + "b", E + "c", literal("a text"), "_:b0"]
    assert types_of_nodes(store_of(f"{turtle(CHAIN)}\n{typed}"), schema, nodes) == {
        E + "a": (E + "Film", E + "Work"),
        E + "c": (E + "Work",),
    }


CASES = [
    hops_are_walked_both_ways,
    several_topics_and_values,
    only_relations_count,
    hubs_are_capped_fairly,
    the_budget_goes_to_nodes_of_few_facts,
    types_are_those_of_the_schema,
]
