"""In Neo4j too the search finds what brute force finds, over random property graphs.

By compiled Cypher and by the plugin, on the same graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.oracle.checks import (
    SERVER_EXAMPLES,
    TOLERANCE,
    Trial,
    assert_interpretations,
    assert_matches,
    fixed_lengths,
    options,
    searched,
)
from tests.oracle.optional import check_rows, shared_nodes
from tests.oracle.property_graph import load, schema_of
from tests.oracle.property_graphs import PropertyCase, property_cases
from tests.oracle.searches import vectors
from tests.servers.neo4j import Neo4jServer
from tests.servers.neo4j_lines import LINES
from tests.shared import THOROUGH

from isomatch.compile import follow
from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.match.search import search
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.schema.introspect import introspect
from isomatch.store.neo4j import Neo4jStore, copies, copy_values
from isomatch.store.neo4j import store as neo4j_store

pytestmark = [pytest.mark.slow, pytest.mark.both_lines]
# The database is emptied before every example, not by the fixture alone.
on_a_server = settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,
    ],
)


def run(
    driver: neo4j.Driver,
    case: PropertyCase,
    chosen: Options,
    fixed: int | None,
    ways: Sequence[str] = ("compiled",),
    dynamic_types: int = 32,
) -> Iterator[Trial]:
    """Write the case's graph into the database, and search there each way."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    ids = load(driver, case.graph)
    names = {id: name for name, id in ids.items()}
    for way in ways:
        plugin = way == "procedure"
        asked = chosen.with_(strategy="auto") if plugin else chosen
        with Neo4jStore(driver, plugin=plugin) as store:
            store.capabilities = replace(store.capabilities, dynamic_types=dynamic_types)
            read = store.snapshot() if way == "copied" else store
            assert read.capabilities.in_memory == (way == "copied")
            result = searched(case.placed(ids), read, schema_of(case.graph), asked, fixed)
        # The plugin knows no walks and no nodes alone.
        there = plugin and chosen.nodes != "walk" and bool(case.pattern.edges)
        assert there == (result.profile.strategy == "procedure")
        yield Trial(case, asked, fixed, result, names)


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(case=property_cases(with_alone=True), chosen=options, fixed=fixed_lengths)
def test_neo4j_interpretations_are_those_of_brute_force(
    empty_neo4j: neo4j.Driver,
    ways: Sequence[str],
    case: PropertyCase,
    chosen: Options,
    fixed: int | None,
):
    for trial in run(empty_neo4j, case, chosen, fixed, ways):
        assert_interpretations(trial)


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(case=property_cases(with_alone=True), chosen=options, fixed=fixed_lengths)
def test_neo4j_plain_matches_are_those_of_brute_force(
    empty_neo4j: neo4j.Driver,
    ways: Sequence[str],
    case: PropertyCase,
    chosen: Options,
    fixed: int | None,
):
    for trial in run(empty_neo4j, case, chosen.with_(results="matches"), fixed, ways):
        assert_matches(trial)


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(
    case=property_cases(with_alone=True),
    chosen=options,
    fixed=fixed_lengths,
    long=st.sampled_from((1, 1000)),
)
def test_a_copy_in_memory_matches_what_brute_force_does(
    empty_neo4j: neo4j.Driver, case: PropertyCase, chosen: Options, fixed: int | None, long: int
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(copy_values, "LONG", long)
        patch.setitem(copies.GIVEN, "long", long)
        for trial in run(empty_neo4j, case, chosen, fixed, ("copied",)):
            plain = chosen.results == "matches"
            (assert_matches if plain else assert_interpretations)(trial)


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(
    case=property_cases(),
    chosen=options,
    fixed=fixed_lengths,
    # All types in groups, of which one is read; or those asked for.
    hub=st.sampled_from((1, follow.HUB)),
    most=st.sampled_from((0, follow.MOST_TYPES)),
    ends=st.sampled_from((2, follow.MOST_ENDS)),
    edges=st.sampled_from((1, 2, follow.EDGES)),
)
def test_types_in_the_text_make_no_difference(
    empty_neo4j: neo4j.Driver,
    case: PropertyCase,
    chosen: Options,
    fixed: int | None,
    hub: int,
    most: int,
    ends: int,
    edges: int,
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(follow, "HUB", hub)
        patch.setattr(follow, "MOST_TYPES", most)
        patch.setattr(follow, "GROUPS", 2)
        patch.setattr(follow, "MOST_ENDS", ends)
        patch.setattr(follow, "EDGES", edges)
        patch.setattr(neo4j_store, "HUB", hub)
        for trial in run(empty_neo4j, case, chosen, fixed, dynamic_types=0):
            plain = chosen.results == "matches"
            (assert_matches if plain else assert_interpretations)(trial)


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(case=property_cases(with_alone=True), chosen=options, fixed=fixed_lengths)
def test_values_of_a_large_graph_are_looked_up_alike(
    empty_neo4j: neo4j.Driver, case: PropertyCase, chosen: Options, fixed: int | None
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(follow, "SMALL", 0)
        for trial in run(empty_neo4j, case, chosen.with_(direction="as written"), fixed):
            assert_interpretations(trial)


HIDDEN = (
    # A twin of every node, with twins of its relationships to the others.
    "MATCH (n) CREATE (h:Hidden {twin: elementId(n)}) SET h += properties(n), h:$(labels(n))",
    "MATCH (n)-[e]->(m), (h:Hidden {twin: elementId(n)}), (g:Hidden {twin: elementId(m)}) "
    "WHERE NOT n:Hidden AND NOT m:Hidden CREATE (h)-[f:$(type(e))]->(m), (n)-[g2:$(type(e))]->(g) "
    "SET f = properties(e), g2 = properties(e)",
)
CONCEALED = (
    # A relationship of a type of its own beside each, and every value on every relationship.
    "MATCH ()-[e]->() UNWIND [k IN keys(e) | e[k]] AS value UNWIND [] + value AS one "
    "WITH collect(DISTINCT one) AS texts MATCH (n)-[e]->(m) "
    "SET e.concealed = [x IN texts WHERE x IS :: STRING] WITH n, m "
    "CREATE (n)-[:Concealed {of: 1}]->(m)",
)


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(
    case=property_cases(with_alone=True), chosen=options, fixed=fixed_lengths, hide=st.booleans()
)
def test_what_is_left_out_is_not_matched(
    empty_neo4j: neo4j.Driver,
    ways: Sequence[str],
    case: PropertyCase,
    chosen: Options,
    fixed: int | None,
    hide: bool,
):
    empty_neo4j.execute_query("MATCH (n) DETACH DELETE n")
    ids = load(empty_neo4j, case.graph)
    for text in HIDDEN if hide else CONCEALED:
        empty_neo4j.execute_query(text)
    left_out = {
        "exclude": (":Hidden",) if hide else (":Concealed", "concealed"),
        "left_out": () if hide else (".concealed",),
        "left_out_labels": (":Hidden",) if hide else (),
    }
    schema = replace(schema_of(case.graph), **left_out)
    names = {id: name for name, id in ids.items()}
    for way in (*ways, "copied"):
        asked = chosen.with_(strategy="auto") if way == "procedure" else chosen
        with Neo4jStore(empty_neo4j, plugin=way == "procedure") as store:
            read = store.snapshot() if way == "copied" else store
            result = searched(case.placed(ids), read, schema, asked, fixed)
        trial = Trial(case, asked, fixed, result, names)
        (assert_matches if asked.results == "matches" else assert_interpretations)(trial)


def test_the_shared_vectors_hold_in_neo4j(
    empty_neo4j: neo4j.Driver, neo4j_server: Neo4jServer, ways: Sequence[str], plugin: Path
):
    # The server takes seconds to plan the compiled queries of each: a quarter has them, half of
    # that on each line; in `make thorough` all of it on both.
    first, step = (0, 4) if THOROUGH else (4 * [*LINES].index(neo4j_server.line.name), 8)
    for number, vector in enumerate(vectors()):
        here = ways if number % step == first else ("procedure",)
        for trial in run(empty_neo4j, vector.case, vector.chosen, None, here):
            gsds = [i.gsd for i in trial.result.interpretations]
            assert gsds == pytest.approx(vector.gsds, abs=TOLERANCE), vector.name
            plain = vector.chosen.results == "matches"
            (assert_matches if plain else assert_interpretations)(trial)


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(case=property_cases(), chosen=options, data=st.data())
def test_neo4j_gives_the_rows_of_optional_parts(
    empty_neo4j: neo4j.Driver, case: PropertyCase, chosen: Options, data: st.DataObject
):
    shared = shared_nodes(case, data)
    empty_neo4j.execute_query("MATCH (n) DETACH DELETE n")
    ids = load(empty_neo4j, case.graph)
    with Neo4jStore(empty_neo4j, plugin=False) as store:
        check_rows(case, shared, chosen, data, store, schema_of(case.graph), ids)


def test_parallel_relationships_do_not_fill_the_limit(
    empty_neo4j: neo4j.Driver, ways: Sequence[str]
):
    """A limit counts matches by their nodes, the same either way."""
    [one] = empty_neo4j.execute_query(
        "CREATE (a:Person {name: 'Mann'}) WITH a UNWIND range(1, 4) AS i "
        "CREATE (f:Film {title: 'f' + i}) WITH a, f UNWIND range(1, 5) AS j "
        "CREATE (a)-[:REVIEWED]->(f) RETURN DISTINCT elementId(a) AS id"
    ).records
    pattern = parse('("Mann")-[reviewed]-(?film)')
    mann = next(node.id for node in pattern.nodes if node.text)
    lists = Candidates(
        {mann: CandidateList.of("Mann", "node", [Candidate(one["id"], 0.0, "Mann")])},
        {0: CandidateList.of("reviewed", "relation", [Candidate(":REVIEWED", 0.0, "reviewed")])},
        {},
    )
    for way in ways:
        with Neo4jStore(empty_neo4j, plugin=way == "procedure") as store:
            schema = introspect(store)
            for limit in range(1, 8):
                outcome = search(pattern, lists, store, schema, Options(k=1, limit=limit))
                assert (outcome.plan.strategy == "procedure") == (way == "procedure")
                [found] = outcome.found
                assert len(set(found.rows)) == len(found.rows) == min(limit, 4)
                assert found.cut == (limit < 4)
            few = Options(k=1, limit=4, budget_rows=5)  # what the plugin itself gives, and no more
            outcome = search(pattern, lists, store, schema, few)
            assert all(found.cut or len(found.rows) == 4 for found in outcome.found)
