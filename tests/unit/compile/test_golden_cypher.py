"""The Cypher that patterns compile to, against one reviewed file a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.compile.golden import check, golden_text

from isomatch.compile import follow
from isomatch.compile.base import Branch, Onward, Part, Terms
from isomatch.compile.cypher import CypherDialect
from isomatch.compile.ranges import Range
from isomatch.options import Options
from isomatch.pattern.text import parse_text
from isomatch.plan.structure import Structure
from isomatch.schema.types import PropertyIndex, Relation, Schema, Type
from isomatch.store.base import Query
from isomatch.store.cypher import (
    NEO4J,
    existing_query,
    identifier,
    incidence_query,
    orientation_query,
)
from isomatch.store.terms import XSD, literal

GOLDEN = Path(__file__).parent / "golden_cypher"

DIRECTED, WROTE, ACTED = ":DIRECTED", ":WROTE", ":ACTED_IN"
YEAR, GENRES, TITLE = ".year", ".genres", ".title"
FILM, PERSON = ":Film", ":Person"
MANN, HEAT, PACINO = "4:db:1", "4:db:2", "4:db:3"
Y1995 = literal("1995", datatype=XSD + "integer")
CRIME = literal("crime")


def schema(types: int = 3) -> Schema:
    """Films by title, persons by name; a title is a fact of persons ("Dr.")."""
    names = [DIRECTED, WROTE, ACTED, *(f":T{i}" for i in range(types - 3))]
    relations = [Relation(id, id[1:].lower(), 10) for id in names]
    relations += [
        Relation(YEAR, "year", 10, source_types={FILM: 10}),
        Relation(GENRES, "genres", 20, source_types={FILM: 10, ":": 2}, listed=True),
        Relation(TITLE, "title", 5, source_types={PERSON: 5}),
    ]
    return Schema(
        f"films-{types}",
        100_000,
        50_000,
        tuple(relations),
        (Type(FILM, "film", 10), Type(PERSON, "person", 20)),
        name_relations=(".name", TITLE),
        names={PERSON: ".name", FILM: TITLE},
    )


FEW, MANY = Terms.of(schema()), Terms.of(schema(NEO4J.dynamic_types + 1))
TOO_MANY = Terms.of(schema(follow.MOST_TYPES + 1))
DIALECT = CypherDialect()


def part(
    text: str,
    relations: Sequence[str | None],
    types: Mapping[int, str] | None = None,
    terms: Terms = FEW,
    **options: Any,
) -> Part:
    """A pattern in the short form with its relations and types chosen."""
    pattern = parse_text(text)
    chosen = tuple((types or {}).get(n) for n in range(len(pattern.nodes)))
    return Part(
        Structure.of(pattern, Options(**{"direction": "any", **options})),
        tuple(relations),
        chosen,
        terms,
    )


ONE_HOP = '(?film)-[directed by]->("Michael Mann")'
THREE_HOPS = '("Heat")-[directed by]->(?who)<-[directed by]-(?other)-[starring]->(?actor)'

MATCHES: dict[str, Callable[[], Branch]] = {
    "one_hop": lambda: (part(ONE_HOP, [DIRECTED]), {1: MANN}),
    "one_hop_as_written": lambda: (
        part(ONE_HOP, [DIRECTED], direction="as written"),
        {1: MANN},
    ),
    "three_hops": lambda: (part(THREE_HOPS, [DIRECTED, DIRECTED, ACTED]), {0: HEAT}),
    "three_hops_of_many_types": lambda: (
        part(THREE_HOPS, [DIRECTED, DIRECTED, ACTED], terms=MANY),
        {0: HEAT},
    ),
    "three_hops_of_too_many_types": lambda: (
        part(THREE_HOPS, [DIRECTED, DIRECTED, ACTED], terms=TOO_MANY),
        {0: HEAT},
    ),
    "two_known_nodes": lambda: (
        part('("Mann")-[directed]-(?film)-[acted in]-("Pacino")', [DIRECTED, ACTED]),
        {0: MANN, 2: PACINO},
    ),
    "property_to_read": lambda: (part('("Heat")-[year]->(?y)', [YEAR]), {0: HEAT}),
    "property_to_look_up": lambda: (part('(?film)-[year]->("1995")', [YEAR]), {1: Y1995}),
    "list_to_look_up": lambda: (part('(?film)-[genre]->("crime")', [GENRES]), {1: CRIME}),
    "property_as_condition": lambda: (
        part('("Mann")-[directed]->(?film)-[year]->("1995")', [DIRECTED, YEAR]),
        {0: MANN, 2: Y1995},
    ),
    "property_that_is_a_name_too": lambda: (
        part('("Heat")-[acted in]-(?who)-[title]->(?t)', [ACTED, TITLE]),
        {0: HEAT},
    ),
    "value_in_the_middle": lambda: (
        part(
            '("Heat")-[year]->(?y)<-[year]-(?other)-[acted in]-(?who)',
            [YEAR, YEAR, ACTED],
            nodes="anchored",
        ),
        {0: HEAT},
    ),
    "unknown_relation": lambda: (part('("Heat")-[]->(?x)', [None]), {0: HEAT}),
    "unknown_relation_of_a_value": lambda: (part('(?x)-[]->("1995")', [None]), {1: Y1995}),
    "typed_unknown": lambda: (
        part('(?film:film)-[directed by]->("Mann")', [DIRECTED], {0: FILM}),
        {1: MANN},
    ),
    "typed_number": lambda: (
        part('("Heat")-[year]->(?y:number)', [YEAR], {1: "literal:number"}),
        {0: HEAT},
    ),
    "nothing_known": lambda: (part("(?a:film)-[acted in]-(?b)", [ACTED], {0: FILM}), {}),
    "only_a_property": lambda: (part("(?a:film)-[year]->(?b)", [YEAR], {0: FILM}), {}),
    "repeat_chain": lambda: (
        part(THREE_HOPS, [DIRECTED, DIRECTED, DIRECTED], nodes="repeat"),
        {0: HEAT},
    ),
    "two_components": lambda: (
        part('("Heat")-[directed by]->(?who), ("Pacino")-[wrote]->(?work)', [DIRECTED, WROTE]),
        {0: HEAT, 2: PACINO},
    ),
    "edge_with_a_value": lambda: (
        part('("Pacino")-[acted in: "Hanna"]-(?film)', [ACTED]),
        {0: PACINO, 2: literal("Hanna")},
    ),
    "edge_with_an_unknown_value": lambda: (
        part('("Pacino")-[acted in: ?role]-(?film)', [ACTED]),
        {0: PACINO},
    ),
    "range_of_values": lambda: (
        replace(part('("Heat")-[year]->(?y)', [YEAR]), ranges=(Range(1, least=1990.0),)),
        {0: HEAT},
    ),
    "range_with_holes": lambda: (
        replace(
            part('("Heat")-[year]->(?y)', [YEAR]),
            ranges=(Range(1, 1.0, 9.0, holes=((2.0, 5.0),), year_holes=((1992, 1998),)),),
        ),
        {0: HEAT},
    ),
    "holes_without_a_start": lambda: (
        replace(
            part("(?film)-[year]->(?y), (?film)-[genre]->(?g)", [YEAR, GENRES]),
            ranges=(Range(1, holes=((2.0, 5.0), (6.0, 7.0))),),
        ),
        {},
    ),
    "range_without_a_start": lambda: (
        replace(
            part("(?film)-[year]->(?y), (?film)-[genre]->(?g)", [YEAR, GENRES]),
            ranges=(Range(1, most=5.0, first=1990, last=1991),),
        ),
        {},
    ),
}


def match(name: str) -> Query:
    """The compiled case."""
    query = DIALECT.find([MATCHES[name]()], 1001, 3)
    assert query is not None
    return query


def _mixed() -> Query:
    """Interpretations of one pattern: relationships, a property, and what cannot be."""
    text = '("Mann")-[made]-(?x)'
    branches: list[Branch] = [
        (part(text, [DIRECTED]), {0: MANN}),
        (part(text, [YEAR]), {0: MANN}),
        (part(text, [DIRECTED]), {0: CRIME}),  # no value has a relationship
        (part(text, [WROTE]), {0: PACINO}),
        (part(text, [YEAR]), {0: Y1995}),
    ]
    query = DIALECT.find(branches, 1001, 3)
    assert query is not None
    return query


def _narrow() -> Query:
    """Types in the text, where rows differ in them."""
    branches = [
        (part(ONE_HOP, [type], terms=TOO_MANY), {1: node})
        for type, node in ((DIRECTED, MANN), (WROTE, PACINO))
    ]
    query = DIALECT.find(branches, 1001, 3)
    assert query is not None
    return query


def _ends(*chains: Sequence[str | None]) -> Query:
    """Chains of one length; those of several forms are arms of one text."""
    branches = [(part(THREE_HOPS, chain, nodes="anchored"), {0: HEAT}) for chain in chains]
    query = DIALECT.ends(branches, 17)
    assert query is not None
    return query


def _brute() -> Query:
    chosen = part('(?film:film)-[]->("Mann"), (?film)-[year]->(?x)', [None, None])
    return DIALECT.brute(
        chosen, {1: [MANN, CRIME]}, {0: [WROTE, ACTED], 1: [YEAR]}, {0: [FILM, PERSON]}, 100
    )


def _onward() -> Query:
    branch = (part('("Heat")-[directed by]->(?who)', [DIRECTED]), {0: HEAT})
    in_text = CypherDialect(replace(NEO4J, dynamic_types=0))
    query = in_text.onward([Onward(branch, 1, (ACTED, WROTE, YEAR))])
    assert query is not None
    return query


CASES: dict[str, Callable[[], Query]] = {
    **{name: lambda name=name: match(name) for name in MATCHES},
    "mixed": _mixed,
    "narrow": _narrow,
    "brute": _brute,
    "ends": lambda: _ends([DIRECTED, DIRECTED, ACTED]),
    "ends_that_are_values": lambda: _ends([DIRECTED, DIRECTED, YEAR], [YEAR, YEAR, ACTED]),
    "onward": _onward,
    "incidence": lambda: incidence_query([HEAT, CRIME], [DIRECTED, WROTE, YEAR]),
    "incidence_of_nodes_that_are_read": lambda: incidence_query([HEAT], [DIRECTED, YEAR], 1000),
    "facts": lambda: orientation_query([(HEAT, DIRECTED, MANN), (HEAT, ACTED, PACINO, CRIME)]),
    "there": lambda: existing_query([HEAT]),
    "sample_of_values": lambda: DIALECT.sample(FEW, YEAR, 1000),
    "neighbourhood_degrees": lambda: DIALECT.degrees(FEW, [HEAT, MANN]),
    "neighbourhood_by_plugin": lambda: DIALECT.subgraph(
        FEW, [HEAT, MANN], hops=2, budget=20_000, hub=1000
    ),
    "neighbourhood_types": lambda: DIALECT.types_of(FEW, [HEAT, MANN]),
    "neighbourhood_facts": lambda: DIALECT.facts_of(FEW, [HEAT, MANN]),
    "neighbourhood_facts_of_a_hub": lambda: DIALECT.facts_of(FEW, [HEAT], 1000),
    "neighbourhood_facts_of_values": lambda: DIALECT.facts_of(FEW, [CRIME, Y1995]),
}


def test_every_golden_cypher_file_has_a_case():
    assert {path.name for path in GOLDEN.iterdir()} <= {f"{name}.cypher" for name in CASES}, (
        "a golden file has no case; delete it or add one"
    )


@pytest.mark.parametrize("name", CASES)
def test_the_cypher_is_the_reviewed_text(name: str):
    check(GOLDEN / f"{name}.cypher", golden_text(CASES[name](), "//"))


@pytest.mark.parametrize("name", CASES)
def test_ids_and_values_are_parameters(name: str):
    text = CASES[name]().text
    assert not any(id in text for id in (MANN, HEAT, PACINO, "1995", "crime", "Hanna"))


def test_few_types_share_a_text():
    texts = {
        DIALECT.match(part(ONE_HOP, [type]), {1: node}, 10).text
        for type in (DIRECTED, WROTE, ACTED)
        for node in (MANN, PACINO)
    }
    assert len(texts) == 1


def test_many_types_share_a_text_too_whatever_is_asked():
    """The server plans every text, and one again for each size class of a list parameter."""
    one = [(part(THREE_HOPS, [DIRECTED, WROTE, ":T1"], terms=MANY), {0: HEAT})]
    many = [
        (part(ONE_HOP, [f":T{i}"], terms=MANY), {1: node})
        for i in range(20)
        for node in (MANN, PACINO)
    ]
    queries = [DIALECT.find(branches, 10, 3) for branches in (one, many)]
    texts = {query.text for query in queries if query}
    lists = {
        (name, len(value))
        for query in queries
        if query
        for name, value in query.parameters.items()
        if isinstance(value, list)
    }
    assert len(texts) == 1
    assert len(lists) == len({name for name, _ in lists})


def test_every_type_is_in_one_group():
    for types in (NEO4J.dynamic_types + 1, follow.GROUPS + 20):
        terms = Terms.of(schema(types))
        groups = follow.type_groups(terms)
        assert len(groups) == min(types, follow.GROUPS)
        assert sorted(type for group in groups for type in group) == sorted(
            r.id for r in terms.known_schema.relations if r.id.startswith(":")
        )
    assert follow.type_groups(TOO_MANY) == ()


def asked_onward(*branches: tuple[Branch, int], relations: Sequence[str]) -> list[Any] | None:
    """The rows that ask where relations go on from, with types in the text."""
    query = CypherDialect(replace(NEO4J, dynamic_types=0)).onward(
        [Onward(branch, end, tuple(relations)) for branch, end in branches]
    )
    return query and query.parameters["asked"]["rows"]


def test_relations_that_go_on_are_asked_of_nodes_alone():
    film = part('("Heat")-[directed by]->(?who)', [DIRECTED]), {0: HEAT}
    year = part('("Heat")-[year]->(?year)', [YEAR]), {0: HEAT}
    [row] = asked_onward((film, 1), (year, 1), relations=[ACTED, YEAR]) or [None]
    assert row["i"] == 0
    assert row["id"] == HEAT
    assert len(row["hops"]) == len(row["types"]) == 1
    assert asked_onward((year, 1), relations=[ACTED]) is None
    assert asked_onward((film, 1), relations=[YEAR]) is None


def test_nothing_is_said_of_what_the_text_cannot_follow():
    film = part('("Heat")-[directed by]->(?who)', [DIRECTED]), {0: HEAT}
    new = part('("Heat")-[directed by]->(?who)', [":NEW"]), {0: HEAT}
    chain = '("Heat")-[year]->(?y)<-[year]-(?other)'
    same_year = part(chain, [YEAR, YEAR], nodes="anchored"), {0: HEAT}
    for branch, end, relation in ((film, 1, ":NEW"), (new, 1, ACTED), (same_year, 2, ACTED)):
        [row] = asked_onward((branch, end), relations=[relation]) or [None]
        assert row["hops"] == []
        assert "id" not in row


def test_what_cannot_match_is_not_asked():
    assert DIALECT.find([(part(ONE_HOP, [DIRECTED]), {1: CRIME})], 10, 1) is None
    assert DIALECT.match(part(ONE_HOP, [DIRECTED]), {1: CRIME}, 10).text == ""
    # What a year is said of is a node; what a film has as its year is none.
    both = part("(?a)-[year]->(?b)-[acted in]->(?c)", [YEAR, ACTED], direction="as written")
    assert DIALECT.match(both, {}, 10).text == ""


def test_interpretations_keep_their_numbers():
    asked = _mixed().parameters["asked"]
    rows = asked["rows"]
    assert [row["i"] for row in rows] == [0, 1, 3, 4]
    # A person's relationships, in either direction; a value that is read, or looked up.
    how = [asked["hops"][row["ways"][0]["hops"][0]]["how"] for row in rows]
    assert how == ["walk", "read", "walk", "find"]


@pytest.mark.parametrize(
    ("id", "written"),
    [
        (":ACTED_IN", "`ACTED_IN`"),
        (".birth date", "`birth date`"),
        (":`", "````"),
        (":a` DETACH DELETE n //", "`a`` DETACH DELETE n //`"),
        (":\\u0060", "`\\u005Cu0060`"),
        (".MATCH", "`MATCH`"),
        (":שלום🎬", "`שלום🎬`"),
    ],
)
def test_names_are_escaped(id: str, written: str):
    assert identifier(id) == written


@pytest.mark.parametrize("id", ["", ":", ".", "ACTED_IN", "`", "4:db:1", CRIME])
def test_what_is_no_name_never_enters_a_text(id: str):
    with pytest.raises(ValueError, match="not a label"):
        identifier(id)


def test_another_schema_gives_another_text():
    moved = replace(
        schema(),
        fingerprint="later",
        relations=(Relation(YEAR, "year", 10, source_types={PERSON: 10}),),
    )
    for terms, label in ((FEW, "Film"), (Terms.of(moved), "Person")):
        chosen = part('(?x)-[year]->("1995")', [YEAR], terms=terms)
        assert f"MATCH (b:`{label}`)" in DIALECT.match(chosen, {1: Y1995}, 10).text


def test_a_look_up_without_an_index_is_told_with_the_index_to_create():
    chosen, nodes = MATCHES["property_to_look_up"]()
    [note] = DIALECT.scans(chosen, nodes)
    assert note == (
        "looking up .year scans all 10 :Film: "
        "CREATE INDEX FOR (n:`Film`) ON (n.`year`) would end that"
    )
    indexed = replace(
        schema(), fingerprint="indexed", indexes=(PropertyIndex(FILM, (YEAR,), "range"),)
    )
    assert DIALECT.scans(replace(chosen, terms=Terms.of(indexed)), nodes) == ()
    text = replace(schema(), fingerprint="text", indexes=(PropertyIndex(FILM, (YEAR,), "text"),))
    assert DIALECT.scans(replace(chosen, terms=Terms.of(text)), nodes) == (note,)


def test_what_no_index_helps_is_told_too():
    notes = DIALECT.scans(*MATCHES["list_to_look_up"]())
    assert notes == (
        "looking up .genres scans all 10 :Film: no index finds the members of lists",
        "looking up .genres scans every node: some nodes that have it are without a label",
    )
    assert DIALECT.scans(*MATCHES["three_hops"]()) == ()
