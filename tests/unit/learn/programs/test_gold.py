"""Gold queries as programs, over a property graph's schema."""

from __future__ import annotations

import pytest

from isomatch.chains.graph import Step
from isomatch.errors import LoadError
from isomatch.interpret.compose.expressions import Named
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.tokens import ProgramWriter, Slot
from isomatch.learn.programs.cypher import read_cypher
from isomatch.learn.programs.gold import to_expression
from isomatch.lexicon.lexicon import draft_lexicon
from isomatch.schema.types import Relation, Schema, Type


def relation(id: str, source: str, target: str = "", objects: int = 99) -> Relation:
    return Relation(
        id,
        id[1:].replace("_", " ").lower(),
        100,
        objects=objects,
        source_types={source: 100},
        target_types={target: 100} if target else {},
        literal_kinds={} if target else {"text": 100},
    )


@pytest.fixture(scope="module")
def kinds() -> GraphKinds:
    schema = Schema(
        fingerprint="f",
        triples=1000,
        nodes=100,
        relations=(
            relation(":PARTY_TO", ":Person", ":Crime"),
            relation(":KNOWS", ":Person", ":Person"),
            relation(".surname", ":Person"),
            relation(".date", ":Crime"),
            relation(".type", ":Crime", objects=14),
        ),
        types=(Type(":Person", "Person", 100), Type(":Crime", "Crime", 100)),
    )
    return GraphKinds(schema, draft_lexicon(schema))


PARTY = frozenset((Step(":PARTY_TO"),))
SURNAME, DATE = Step(".surname", True), Step(".date", True)
SLOTS = (
    Slot(0, 1, "Moore", (Named("Moore", None, frozenset(), frozenset((SURNAME,))),)),
    Slot(1, 2, "7/08/2017", (Named("7/08/2017", None, frozenset(), frozenset((DATE,))),)),
    Slot(2, 3, "Mary", (Named("Mary", None, frozenset((":Person",)), PARTY),)),
)


@pytest.mark.parametrize(
    ("query", "program"),
    [
        (
            'MATCH (c:Crime)-[:PARTY_TO]-(p:Person WHERE p.surname = "Moore") RETURN c',
            "+:PARTY_TO -.surname @0",
        ),
        (
            'MATCH (p:Person {surname: "Moore"})-[:KNOWS]-(q:Person) RETURN count(DISTINCT q)',
            "count ~:KNOWS -.surname @0",
        ),
        (
            'MATCH (p:Person {surname: "Moore"})-[:KNOWS]->(q:Person) RETURN q',
            "+:KNOWS -.surname @0",
        ),
        ("MATCH (p:Person) RETURN p", "type::Person"),
        (
            'MATCH (c:Crime {date: "7/08/2017"})-[:PARTY_TO]-(p:Person {name: "Mary"}) '
            "RETURN c.type",
            "+.type and -.date @1 +:PARTY_TO @2",
        ),
        (
            'MATCH (c:Crime {type: "Burglary"})-[:PARTY_TO]-(p {surname: "Moore"}) RETURN c',
            "and +:PARTY_TO -.surname @0 value:.type=Burglary",
        ),
        (
            "MATCH (c:Crime)-[:PARTY_TO]-(p:Person) RETURN c ORDER BY c.date DESC LIMIT 1",
            "max +.date +:PARTY_TO type::Person",
        ),
        (
            "MATCH (c:Crime)-[:PARTY_TO]-(p:Person) RETURN c.date ORDER BY c.date LIMIT 1",
            "min: +.date +:PARTY_TO type::Person",
        ),
        (
            "MATCH (c:Crime)-[:PARTY_TO]-(p:Person) RETURN c.type ORDER BY c.date LIMIT 1",
            "+.type min +.date +:PARTY_TO type::Person",
        ),
    ],
)
def test_a_query_is_written_as_a_program(kinds: GraphKinds, query: str, program: str) -> None:
    writer = ProgramWriter(kinds)
    written = writer.write(to_expression(read_cypher(query), kinds), SLOTS)
    assert written == tuple(program.split())
    assert writer.write(writer.read(written, SLOTS), SLOTS) == written


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("MATCH (p:Person)-[:OWNS]-(c:Crime) RETURN p", "no relation :OWNS"),
        ("MATCH (p:Dog)-[:KNOWS]-(q) RETURN p", "no type Dog"),
        ("MATCH (c:Crime)-[:KNOWS]-(p:Person) RETURN c", "does not lead from one type"),
        ("MATCH (c:Crime), (p:Person)-[:KNOWS]-(q:Person) RETURN c", "two parts"),
        ("MATCH (a)-[:KNOWS]-(b)-[:KNOWS]-(a) RETURN a", "circle"),
        ("MATCH (c:Crime) RETURN c ORDER BY c.date LIMIT 3", "first place only"),
    ],
)
def test_a_query_that_is_no_program_says_why(kinds: GraphKinds, query: str, reason: str) -> None:
    with pytest.raises(LoadError, match=reason):
        to_expression(read_cypher(query), kinds)


def test_a_value_that_is_not_in_the_question_has_no_program(kinds: GraphKinds) -> None:
    query = 'MATCH (c:Crime)-[:PARTY_TO]-(p:Person {surname: "Nobody"}) RETURN c'
    assert ProgramWriter(kinds).write(to_expression(read_cypher(query), kinds), SLOTS) is None
