"""What Virtuoso is sent otherwise than every engine, against one reviewed file a case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.unit.compile.golden import check, golden_text
from tests.unit.compile.test_golden_sparql import (
    DIRECTED,
    FILM,
    HEAT,
    HOSTILE,
    MANN,
    ONE_HOP,
    PACINO,
    PERSON,
    STARRED,
    UNKNOWN,
    WROTE,
    YEAR,
    part,
    with_subclasses,
)

from isomatch.compile.dialects import dialect_for
from isomatch.schema.types import Schema
from isomatch.store import rdf
from isomatch.store.base import Query
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.terms import XSD, literal

GOLDEN = Path(__file__).parent / "golden_virtuoso"
DIALECT = dialect_for(StoreCapabilities("sparql", "virtuoso", inline=True))
Y1995 = literal("1995", datatype=XSD + "gYear")
THREE = '("Heat")-[by]->(?b), ("Heat")-[of]->(?b), ("Heat")-[]->(?b)'


def _find(text: str, relations: list[str | None], *nodes: dict[int, str], **types: str) -> Query:
    chosen = part(text, relations, {int(name[1:]): type for name, type in types.items()})
    query = DIALECT.find([(chosen, ids) for ids in nodes], 1001, 1)
    assert query is not None
    return query


def _ends() -> Query:
    """A literal has no relation of its own: its chain is not asked about."""
    hop = part('("a")-[by]->(?b)', [DIRECTED], direction="as written")
    query = DIALECT.ends([(hop, {0: HEAT}), (hop, {0: Y1995})], 17)
    assert query is not None
    return query


def _find_subclasses() -> Query:
    typed = part(ONE_HOP, [DIRECTED], {0: PERSON, 1: PERSON})
    query = DIALECT.find([(with_subclasses(typed), {1: MANN})], 1001, 1)
    assert query is not None
    return query


CASES: dict[str, Callable[[], Query]] = {
    "find": lambda: _find(ONE_HOP, [DIRECTED], {1: MANN}, {1: PACINO}, n0=FILM),
    "find_subclasses": _find_subclasses,
    "find_literals": lambda: _find(
        '(?film)-[year]->("1995"), (?film)-[]->("name")',
        [YEAR, None],
        {1: Y1995, 2: literal(HOSTILE)},
    ),
    "find_text": lambda: _find(UNKNOWN, [None], {0: HEAT}, n1="literal:text"),
    "find_parallel_edges": lambda: _find(THREE, [DIRECTED, DIRECTED, None], {0: HEAT}),
    "brute": lambda: DIALECT.brute(
        part('(?film:film)-[]->("Mann")', [None]), {1: [MANN]}, {0: [WROTE, STARRED]}, {}, 100
    ),
    "ends": _ends,
    "incidence": lambda: rdf.incidence_query(
        [HEAT, literal(HOSTILE), Y1995], [DIRECTED, WROTE], rdf.VIRTUOSO
    ),
}


def test_virtuoso_is_asked_about_fewer_types_with_many_subclasses_at_once():
    typed = part(ONE_HOP, [DIRECTED], {0: PERSON})
    many = tuple(f"http://example.org/C{i}" for i in range(400))
    schema = Schema("golden", 0, 0, (), (), subclasses={PERSON: many})
    wide = replace(typed, terms=replace(typed.terms, schema=schema, digest=schema.digest))
    assert DIALECT.together([(typed, {1: MANN})] * 16) == 16
    assert DIALECT.together([(wide, {1: MANN})] * 16) == 1


def test_every_golden_virtuoso_file_has_a_case():
    assert {path.stem for path in GOLDEN.iterdir()} <= CASES.keys()


@pytest.mark.parametrize("name", CASES)
def test_the_sparql_for_virtuoso_is_the_reviewed_text(name: str):
    check(GOLDEN / f"{name}.rq", golden_text(CASES[name](), "#"))


@pytest.mark.parametrize("name", CASES)
def test_the_reviewed_text_for_virtuoso_parses_as_sparql(name: str):
    solutions = ox.Store().query((GOLDEN / f"{name}.rq").read_text(encoding="utf-8"))
    assert [v.value for v in solutions.variables] == list(CASES[name]().columns)


def test_what_no_graph_has_is_not_asked():
    """A literal as a source, as a node of a class, and one node where two must differ."""
    directed = part(ONE_HOP, [DIRECTED], direction="as written")
    assert DIALECT.find([(directed, {0: Y1995})], 10, 1) is None
    assert DIALECT.find([(part(ONE_HOP, [DIRECTED], {1: FILM}), {1: Y1995})], 10, 1) is None
    kinds = [part(ONE_HOP, [YEAR], {1: kind}) for kind in ("literal:number", "literal:date")]
    query = DIALECT.find([(kind, {1: Y1995}) for kind in kinds], 10, 1)
    assert query is not None
    assert query.text.count("AS ?i") == 1
    both = part('("Heat")-[by]->(?x)-[by]->("Mann")', [DIRECTED, DIRECTED])
    assert DIALECT.find([(both, {0: HEAT, 2: HEAT})], 10, 1) is None


def test_few_are_asked_together():
    three = part(THREE, [DIRECTED, DIRECTED, None])
    assert DIALECT.together([(three, {0: HEAT})] * 30) == 5
    assert DIALECT.together([(part(ONE_HOP, [DIRECTED]), {1: MANN})] * 30) == 16
