"""The SPARQL that patterns compile to, against one reviewed file a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from tests.unit.compile.golden import check, golden_text

from isomatch.compile.base import FEW, Part, Terms
from isomatch.compile.ranges import Range
from isomatch.compile.sparql import SparqlDialect
from isomatch.options import Options
from isomatch.pattern.text import parse_text
from isomatch.plan.structure import Structure
from isomatch.schema.types import Schema, Type
from isomatch.store import rdf
from isomatch.store.base import Query
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, XSD, literal, to_sparql

GOLDEN = Path(__file__).parent / "golden"

BASE = "http://example.org/"
DIRECTED, WROTE, STARRED, YEAR = (
    BASE + name for name in ("directed_by", "written_by", "starred_actors", "release_year")
)
FILM, PERSON = BASE + "Film", BASE + "Person"
MANN, HEAT, PACINO = (BASE + "node/" + name for name in ("mann", "heat", "pacino"))
TERMS = Terms(RDF_TYPE, (RDF_TYPE, RDFS_LABEL))
HOSTILE = 'He said "hi" \\ " } . ?s ?p ?o } #\nSELECT * WHERE { ?a ?b ?c }\r\t🎬 שלום'

DIALECT = SparqlDialect()
INLINE = SparqlDialect(StoreCapabilities("sparql", inline=True))


def part(
    text: str,
    relations: Sequence[str | None],
    types: Mapping[int, str] | None = None,
    **options: Any,
) -> Part:
    """A pattern in the short form with its relations and types chosen."""
    pattern = parse_text(text)
    assert len(relations) == len(pattern.edges)
    chosen = tuple((types or {}).get(n) for n in range(len(pattern.nodes)))
    return Part(
        Structure.of(pattern, Options(**{"direction": "any", **options})),
        tuple(relations),
        chosen,
        TERMS,
    )


def with_subclasses(one: Part) -> Part:
    """A part over a graph where actors and directors are persons."""
    below = (BASE + "Actor", BASE + "Director")
    schema = Schema("golden", 0, 0, (), (), RDF_TYPE, subclasses={PERSON: below})
    return replace(one, terms=replace(one.terms, schema=schema, digest=schema.digest))


ONE_HOP = '(?film)-[directed by]->("Michael Mann")'
THREE_HOPS = '("Heat")-[directed by]->(?who)<-[directed by]-(?other)-[starring]->(?actor)'
SAME_HOPS = '("Heat")-[directed by]->(?a)-[directed by]->(?b)-[directed by]->(?c)'
UNKNOWN = '("Heat")-[]->(?x)'

MATCHES: dict[str, tuple[Callable[[], Part], dict[int, str]]] = {
    "one_hop": (lambda: part(ONE_HOP, [DIRECTED]), {1: MANN}),
    "one_hop_as_written": (
        lambda: part(ONE_HOP, [DIRECTED], direction="as written"),
        {1: MANN},
    ),
    "range_of_values": (
        lambda: replace(
            part('("Heat")-[year]->(?y)', [YEAR]),
            ranges=(Range(1, least=1990.0, most=1999.5, first=1988, last=2001),),
        ),
        {0: HEAT},
    ),
    "range_with_holes": (
        lambda: replace(
            part('("Heat")-[year]->(?y)', [YEAR]),
            ranges=(Range(1, 1.0, 9.0, 1990, 2001, ((2.0, 5.0), (6.0, 7.0)), ((1992, 1998),)),),
        ),
        {0: HEAT},
    ),
    "holes_alone": (
        lambda: replace(
            part('("Heat")-[year]->(?y)', [YEAR]), ranges=(Range(1, holes=((2.0, 5.0),)),)
        ),
        {0: HEAT},
    ),
    "range_with_one_end": (
        lambda: replace(part('("Heat")-[year]->(?y)', [YEAR]), ranges=(Range(1, most=7.0),)),
        {0: HEAT},
    ),
    "three_hops": (lambda: part(THREE_HOPS, [DIRECTED, DIRECTED, STARRED]), {0: HEAT}),
    "three_hops_as_written": (
        lambda: part(THREE_HOPS, [DIRECTED, DIRECTED, STARRED], direction="as written"),
        {0: HEAT},
    ),
    "unknown_relation": (lambda: part(UNKNOWN, [None]), {0: HEAT}),
    "unknown_relation_as_written": (
        lambda: part(UNKNOWN, [None], direction="as written"),
        {0: HEAT},
    ),
    "typed_unknown": (
        lambda: part('(?film:film)-[directed by]->("Mann")', [DIRECTED], {0: FILM}),
        {1: MANN},
    ),
    "typed_with_subclasses": (
        lambda: with_subclasses(
            part(
                '(?p:person)-[made]->("Heat")-[by]->(?x:person)', [WROTE] * 2, {0: PERSON, 2: FILM}
            )
        ),
        {1: HEAT},
    ),
    "typed_with_subclasses_alone": (
        lambda: with_subclasses(
            part("(?p:person)-[made]->(?x:film)", [WROTE], {0: PERSON, 1: FILM})
        ),
        {},
    ),
    "typed_number": (
        lambda: part('("Heat")-[year]->(?year:number)', [YEAR], {1: "literal:number"}),
        {0: HEAT},
    ),
    "self_loop": (lambda: part("(?x)-[written by]->(?x)", [WROTE]), {}),
    "two_self_loops": (lambda: part("(?x)-[wrote]->(?x)-[]->(?x)", [WROTE, None]), {}),
    "parallel_edges": (
        lambda: part("(?a)-[directed by]->(?b), (?a)-[made by]->(?b)", [DIRECTED, DIRECTED]),
        {},
    ),
    "parallel_edges_as_written": (
        lambda: part(
            "(?a)-[directed by]->(?b), (?b)-[made by]->(?a)",
            [DIRECTED, DIRECTED],
            direction="as written",
        ),
        {},
    ),
    "parallel_edges_of_two_relations": (
        lambda: part("(?a)-[directed by]->(?b), (?a)-[written by]->(?b)", [DIRECTED, WROTE]),
        {},
    ),
    "parallel_edge_unknown": (
        lambda: part("(?a)-[directed by]->(?b), (?a)-[]->(?b)", [DIRECTED, None]),
        {},
    ),
    "three_parallel_edges": (
        lambda: part(
            '("Heat")-[by]->(?b), ("Heat")-[of]->(?b), ("Heat")-[]->(?b)',
            [DIRECTED, DIRECTED, None],
        ),
        {0: HEAT},
    ),
    "anchored_chain": (
        lambda: part(SAME_HOPS, [DIRECTED] * 3, nodes="anchored"),
        {0: HEAT},
    ),
    "anchored_chain_as_written": (
        lambda: part(SAME_HOPS, [DIRECTED] * 3, nodes="anchored", direction="as written"),
        {0: HEAT},
    ),
    "repeat_chain": (lambda: part(SAME_HOPS, [DIRECTED] * 3, nodes="repeat"), {0: HEAT}),
    "repeat_chain_as_written": (
        lambda: part(SAME_HOPS, [DIRECTED] * 3, nodes="repeat", direction="as written"),
        {0: HEAT},
    ),
    "two_components": (
        lambda: part(
            '("Heat")-[directed by]->(?who), ("Al Pacino")-[wrote]->(?work)', [DIRECTED, WROTE]
        ),
        {0: HEAT, 2: PACINO},
    ),
    "part_of_a_pattern": (lambda: _first_edge(), {0: HEAT}),
}


def _first_edge() -> Part:
    whole = part(THREE_HOPS, [DIRECTED, DIRECTED, STARRED])
    return Part(whole.structure.part((0,)), whole.relations, whole.types, whole.terms)


def _ends() -> Query:
    """Chains of three hops, one of them from a literal."""
    hops = part(THREE_HOPS, [DIRECTED, DIRECTED, STARRED], nodes="anchored")
    query = DIALECT.ends([(hops, {0: HEAT}), (hops, {0: literal(HOSTILE)})], 17)
    assert query is not None
    return query


def _probe() -> Query:
    """Two interpretations that share a branch, and one with another relation."""
    directed, wrote = part(ONE_HOP, [DIRECTED]), part(ONE_HOP, [WROTE])
    return DIALECT.probe([(directed, {1: MANN}), (wrote, {1: PACINO}), (directed, {1: HEAT})])


def _probe_groups() -> Query:
    """Two groups of several interpretations, and one without any known node."""
    chain = part('("Heat")-[directed by]->(?x)-[wrote]->("Pacino")', [DIRECTED, WROTE])
    hop = part(ONE_HOP, [DIRECTED])
    return DIALECT.probe(
        [
            (chain, {0: HEAT, 2: PACINO}),
            (hop, {1: MANN}),
            (chain, {0: MANN, 2: PACINO}),
            (hop, {1: HEAT}),
            (part("(?a)-[wrote]->(?b)", [WROTE]), {}),
        ]
    )


def _find() -> Query:
    """Two interpretations with other relations, and the second's once more for a text."""
    directed, wrote = (part(ONE_HOP, [r], {0: FILM}) for r in (DIRECTED, WROTE))
    branches = [(directed, {1: MANN}), (wrote, {1: PACINO}), (wrote, {1: literal(HOSTILE)})]
    return _asked(DIALECT.find(branches, 1001, 3))


def _find_unknown_relation() -> Query:
    chosen = part('("Heat")-[]->(?x)-[by]->(?y)', [None, DIRECTED])
    return _asked(DIALECT.find([(chosen, {0: HEAT}), (chosen, {0: MANN})], 2, 1))


def _asked(query: Query | None) -> Query:
    assert query is not None
    return query


def _brute() -> Query:
    chosen = part('(?film:film)-[]->("Mann"), (?film)-[wrote]->(?x)', [None, None])
    return DIALECT.brute(
        chosen, {1: [MANN, PACINO]}, {1: [WROTE, STARRED]}, {0: [FILM, PERSON]}, 100
    )


def _brute_parallel() -> Query:
    chosen = part('("Heat")-[by]->(?b), ("Heat")-[of]->(?b)', [None, None])
    return DIALECT.brute(chosen, {0: [HEAT]}, {0: [DIRECTED, WROTE], 1: [DIRECTED, WROTE]}, {}, 5)


def _orient() -> Query:
    return rdf.orientation_query(
        [
            (HEAT, DIRECTED, MANN),
            (HEAT, BASE + "says", literal(HOSTILE)),
            (HEAT, BASE + "says", literal(HOSTILE, language="en")),
            (HEAT, YEAR, literal("1995", datatype=XSD + "gYear")),
        ]
    )


CASES: dict[str, Callable[[], Query]] = {
    **{name: lambda name=name: match_query(name) for name in MATCHES},
    "probe": _probe,
    "probe_groups": _probe_groups,
    "find": _find,
    "find_unknown_relation": _find_unknown_relation,
    "match_inline": lambda: INLINE.match(part(ONE_HOP, [DIRECTED]), {1: MANN}, 10),
    "brute": _brute,
    "brute_parallel_edges": _brute_parallel,
    "ends": _ends,
    "incidence": lambda: rdf.incidence_query([HEAT, literal(HOSTILE)], [DIRECTED, WROTE]),
    "orient": _orient,
    "neighbourhood_degrees": lambda: DIALECT.degrees(TERMS, [HEAT, MANN]),
    "neighbourhood_types": lambda: DIALECT.types_of(TERMS, [HEAT, MANN]),
    "neighbourhood_facts": lambda: DIALECT.facts_of(TERMS, [HEAT, MANN]),
    "neighbourhood_facts_of_a_hub": lambda: DIALECT.facts_of(TERMS, [HEAT], 1000),
    "neighbourhood_facts_of_values": lambda: DIALECT.facts_of(
        TERMS, [literal(HOSTILE), literal("1995", datatype=XSD + "gYear")]
    ),
}


def match_query(name: str) -> Query:
    build, nodes = MATCHES[name]
    return DIALECT.match(build(), nodes, 1000)


def test_every_golden_sparql_file_has_a_case():
    assert {path.name for path in GOLDEN.iterdir()} <= {f"{name}.rq" for name in CASES}, (
        "a golden file has no case; delete it or add one"
    )


@pytest.mark.parametrize("name", CASES)
def test_the_sparql_is_the_reviewed_text(name: str):
    check(GOLDEN / f"{name}.rq", golden_text(CASES[name](), "#"))


@pytest.mark.parametrize("name", CASES)
def test_the_reviewed_text_parses_as_sparql(name: str):
    solutions = ox.Store().query((GOLDEN / f"{name}.rq").read_text(encoding="utf-8"))
    assert [v.value for v in solutions.variables] == list(CASES[name]().columns)
    assert list(solutions) == []


@pytest.mark.parametrize("name", MATCHES)
def test_known_nodes_are_parameters_or_values(name: str):
    nodes = {f"n{n}": id for n, id in MATCHES[name][1].items()}
    query = match_query(name)
    if query.parameters or not nodes:
        assert query.parameters == nodes
        assert not any(id in query.text for id in (MANN, HEAT, PACINO))
    else:  # an unknown relation or a type: one line of VALUES for each, and nothing else
        lines = [f"  VALUES ?{name} {{ {to_sparql(id)} }}" for name, id in nodes.items()]
        head, *rest = query.text.split("\n")
        assert rest[: len(lines)] == lines
        assert not any(id in head + "".join(rest[len(lines) :]) for id in (MANN, HEAT, PACINO))


def test_known_nodes_do_not_change_the_text():
    chosen = part(ONE_HOP, [DIRECTED])
    texts = {DIALECT.match(chosen, {1: id}, 10).text for id in (MANN, literal(HOSTILE), "_:b0")}
    assert len(texts) == 1


def test_hostile_text_stays_a_value():
    triples = [
        (HEAT, BASE + "says", literal(HOSTILE)),
        (HEAT, BASE + "says", literal(HOSTILE + ".")),
        (HEAT, DIRECTED, MANN),
        (MANN, DIRECTED, HEAT),
    ]
    engine = ox.Store()
    heat = ox.NamedNode(HEAT)
    engine.add(ox.Quad(heat, ox.NamedNode(BASE + "says"), ox.Literal(HOSTILE)))
    engine.add(ox.Quad(heat, ox.NamedNode(DIRECTED), ox.NamedNode(MANN)))
    with OxigraphStore.memory(engine) as store:
        # Not `store.orient`, which looks up terms without a query here.
        stored = list(store.run(rdf.orientation_query(triples)))
        assert sorted(stored) == sorted([triples[0], triples[2]])
        query = DIALECT.match(part("(?a)-[says]->(?b)", [BASE + "says"]), {1: literal(HOSTILE)}, 9)
        assert [row[:1] for row in store.run(query)] == [(HEAT,)]


@pytest.mark.parametrize(
    "id", ["http://x/> ?p ?o } #", "http://x/ y", "?n0", "", '"open', '"a" . ?s ?p "b"']
)
def test_what_is_no_term_never_enters_a_text(id: str):
    with pytest.raises(ValueError, match="not a"):
        DIALECT.match(part(ONE_HOP, [id]), {1: MANN}, 10)
    with pytest.raises(ValueError, match="not a"):
        DIALECT.probe([(part(ONE_HOP, [DIRECTED]), {1: id})])
    with pytest.raises(ValueError, match="not a"):
        DIALECT.find([(part(ONE_HOP, [DIRECTED]), {1: id})], 10, 1)
    with pytest.raises(ValueError, match="not a"):
        rdf.orientation_query([(HEAT, DIRECTED, id)])


def test_a_blank_node_cannot_be_written():
    with pytest.raises(ValueError, match="blank node _:b0"):
        rdf.incidence_query(["_:b0"], [DIRECTED])


def test_a_type_of_many_nodes_is_no_start() -> None:
    alone, _ = MATCHES["typed_with_subclasses_alone"]
    one = alone()
    assert one.start == 0
    types = (Type(BASE + "Actor", "actor", FEW + 1),)
    schema = replace(one.terms.known_schema, types=types)
    assert replace(one, terms=replace(one.terms, schema=schema)).start is None
    assert MATCHES["typed_with_subclasses"][0]().start is None
