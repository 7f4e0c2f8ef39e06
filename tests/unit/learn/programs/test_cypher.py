"""Gold queries in Cypher: what is read of them, and what is refused."""

from __future__ import annotations

import pytest

from isomatch.errors import LoadError
from isomatch.learn.programs.cypher import GoldEdge, read_cypher


def test_a_query_is_read_with_its_conditions_edges_and_order() -> None:
    query = read_cypher(
        'MATCH (a:Crime WHERE a.date = "7/08/2017")-[:PARTY_TO]-(b:Person)-[k:KNOWS]->(c) '
        "MATCH (a)<-[:CAUSED {}]-(d) RETURN a.type ORDER BY a.date DESC LIMIT 1".replace(" {}", "")
    )
    assert query.nodes["a"].label == "Crime"
    assert query.nodes["a"].conditions == [("date", "=", "7/08/2017")]
    assert query.edges == [
        GoldEdge("a", "PARTY_TO", "b", directed=False),
        GoldEdge("b", "KNOWS", "c", directed=True),
        GoldEdge("d", "CAUSED", "a", directed=True),
    ]
    assert (query.answer, query.key, query.order, query.descending) == ("a", "type", "date", True)
    assert query.limit == 1


@pytest.mark.parametrize(
    ("text", "function", "conditions"),
    [
        ("MATCH (a:X) RETURN COUNT(DISTINCT a)", "count", []),
        ("MATCH (a:X {n: 1, s: 'it\\'s'}) RETURN a", "", [("n", "=", "1"), ("s", "=", "it's")]),
        ("MATCH (a:X) WHERE a.n > 2.5 AND a.m <> 'q' RETURN avg(a.n)", "avg",
         [("n", ">", "2.5"), ("m", "!=", "q")]),
    ],
)  # fmt: skip
def test_functions_and_conditions_are_read(
    text: str, function: str, conditions: list[tuple[str, str, str]]
) -> None:
    query = read_cypher(text)
    assert query.function == function
    assert query.nodes["a"].conditions == conditions


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:X) WITH a RETURN a",
        "MATCH (a:X)-[:R*1..3]-(b) RETURN a",
        "MATCH (a:X) WHERE a.n > 1 OR a.n < 0 RETURN a",
        "MATCH (a:X) RETURN b",
        "MATCH (a:X) RETURN a LIMIT 1",
        "MATCH (a:X) RETURN a ORDER BY a.n LIMIT 1.5",
        "MATCH (a:X) RETURN count(a.n)",
        "MATCH (a:X) RETURN sum(DISTINCT a.n)",
        "MATCH (a:X)<-[:R]->(b) RETURN a",
        "MATCH (a:X) RETURN a SKIP 3",
        "MATCH (a:X) WHERE NOT (a)-[:R]-() RETURN a",
        "CALL db.labels() YIELD label RETURN label",
        "MATCH (a:X) RETURN a.n ; DROP",
        "",
    ],
)
def test_other_shapes_are_refused_in_words(text: str) -> None:
    with pytest.raises(LoadError, match="cannot be read as a program"):
        read_cypher(text)
