"""Conditions on the properties of a Neo4j graph, and what it leaves out for them."""

from __future__ import annotations

from datetime import timezone
from pathlib import Path
from unittest.mock import patch

import neo4j
import pytest
from neo4j.time import Date, DateTime, Duration, Time
from tests.oracle import counts
from tests.oracle.conditions import check_notations
from tests.oracle.language import SOME, Films, check_language
from tests.oracle.letters import Letters
from tests.oracle.names import check_every
from tests.oracle.narrowing import check_narrowing
from tests.oracle.optional import check_optional
from tests.servers.neo4j import USER, Neo4jServer
from tests.servers.sessions import session_over

from isomatch.match import state
from isomatch.store.neo4j import Neo4jStore

pytestmark = [pytest.mark.slow, pytest.mark.both_lines]

VALUES = [
    *(7, -3, 0, 1995, 2**53, 2**53 + 1, -(2**63), 0.1, 1e3, 1e300, 1e-320, -0.0),
    *(float("inf"), float("-inf"), float("nan"), True, False),
    *(Date(1995, 7, 1), Date(1995, 12, 31), Date(1994, 1, 1), Date(1, 1, 1), Date(2017, 8, 29)),
    DateTime(1995, 7, 1, 10),
    DateTime(1995, 12, 31, 23, 30, tzinfo=timezone.utc),
    *(Time(20, 30), Duration(months=14)),
    *(
        "7",
        "-3",
        "1995",
        "1,995",
        "0.1",
        "1995-07-01",
        "July 1, 1995",
        "29/08/2017",
        "noir",
        "Soon",
    ),
    *("Soon", "true", "NaN", " 7", [7, 8], ["7", "noir"], [Date(1995, 7, 1), Date(2000, 1, 1)]),
]
READ = "(?x)-[value]->(?v)"


def test_neo4j_leaves_out_nothing_that_a_condition_keeps(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path
) -> None:
    for value in VALUES:
        empty_neo4j.execute_query("CREATE (:V {value: $v, name: 'a' + rand()})", v=value)
    store = Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password)
    with session_over(store, tmp_path, Letters(24)) as session:
        check_narrowing(session)


def test_neo4j_reads_days_in_another_notation(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path
) -> None:
    days = {"A": "29/08/2017", "B": "01/09/2017", "C": "02/10/2016", "D": "unknown"}
    times = {"A": "29.08.2017 13:45", "B": "29.08.2017 13:46:10", "C": "01.09.2017 1:05 PM"}
    made = "CREATE (:Crime {name: $n, date: $d, logged: $t})"
    for name, day in days.items():
        empty_neo4j.execute_query(made, n=name, d=day, t=times.get(name))
    store = Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password)
    with session_over(store, tmp_path, Letters(24)) as session:
        check_notations(session)


def test_neo4j_leaves_out_rows_along_a_way_and_on_relationships(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path
) -> None:
    empty_neo4j.execute_query(
        "CREATE (a:Person {name: 'Ann'}) WITH a UNWIND range(1, 40) AS i "
        "CREATE (a)-[:RATED {stars: i}]->(f:Film {name: 'f' + i, year: 1980 + i})"
    )
    store = Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password)
    with session_over(store, tmp_path, Letters(24)) as session, patch.object(state, "GLANCE", 5):
        for text, most in (
            ('("Ann")-[rated]->(?f), (?f)-[year]->(?y) where ?y > 2015 return count(?f)', 5),
            ('("Ann")-[rated {stars: ?s}]->(?f) where ?s > 35 return count(?f)', 5),
            ("(?p)-[rated {stars: ?s}]->(?f) where ?s between 4 and 8 return count(?f)", 5),
            ("(?f)-[year]->(?y) where ?y <= 1985 return count(?f)", 5),
        ):
            result = session.match(text, k=1)
            assert str(result.count()) == str(most), text
            assert result.profile.rows <= 6 + most + 2, text  # the ends themselves


@pytest.mark.parametrize("plugin", [False, True])
def test_neo4j_counts_more_than_is_listed(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path, plugin: bool
) -> None:
    empty_neo4j.execute_query(counts.CYPHER)
    store = Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password, plugin=plugin)
    with session_over(store, tmp_path, Letters(24)) as session:
        counts.check_many(session)
        if not plugin:  # whose procedures count no answers
            counts.check_lists(session)


@pytest.mark.parametrize("plugin", [False, True])
def test_neo4j_gives_what_parts_orders_and_all_nodes_of_a_name_must(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path, plugin: bool
) -> None:
    query = empty_neo4j.execute_query
    query("CREATE (:Town {name: 'town'})")
    ids = {}
    for person, name in SOME.names.items():
        made = "MATCH (t:Town) CREATE (p:Person {name: $n})-[:LIVES]->(t) RETURN elementId(p)"
        ids[person] = query(made, n=name).records[0][0]
    for film in {film for film, _, _ in SOME.facts}:
        (year,) = SOME.years(film)
        made = "CREATE (f:Film {name: $n, year: $y}) RETURN elementId(f)"
        ids[film] = query(made, n=film[-2:], y=year).records[0][0]
    for film, person, _ in SOME.facts:
        ends = "MATCH (f), (p) WHERE elementId(f) = $f AND elementId(p) = $p "
        query(f"{ends} CREATE (f)-[:BY]->(p)", f=ids[film], p=ids[person])
    graph = Films(
        {ids[person]: name for person, name in SOME.names.items()},
        tuple((ids[film], ids[person], year) for film, person, year in SOME.facts),
    )
    store = Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password, plugin=plugin)
    with session_over(store, tmp_path, Letters(24)) as session:
        check_language(session, graph)
        check_optional(session, graph)
        check_every(session, graph)


def test_neo4j_gives_values_on_relationships_to_optional_parts(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path
) -> None:
    empty_neo4j.execute_query(
        "CREATE (a:Person {name: 'Ann'}), (b:Person {name: 'Bob'}), (f:Film {name: 'Heat'}), "
        "(a)-[:ACTED_IN {roles: ['Neo', 'Self']}]->(f), (b)-[:ACTED_IN]->(f)"
    )
    store = Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password)
    text = (
        "(?p:Person)-[acted in]->(?f) optional { (?p)-[acted in {roles: ?role}]->(?f) } "
        "return ?p, ?role"
    )
    with session_over(store, tmp_path, Letters(24)) as session:
        result = session.match(text, k=1)
        roles = {
            m.bindings["p"].name: sorted(b.name for b in m.column("role"))
            for _, m in result.matches
        }
    assert roles == {"Ann": ["Neo", "Self"], "Bob": []}
