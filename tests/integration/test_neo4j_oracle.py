"""In Neo4j too the search finds what brute force finds, over random property graphs."""

from __future__ import annotations

import neo4j
import pytest
from hypothesis import HealthCheck, given, settings
from tests.oracle.checks import (
    EXAMPLES,
    Trial,
    assert_interpretations,
    assert_matches,
    fixed_lengths,
    options,
    searched,
)
from tests.oracle.property_graph import load, schema_of
from tests.oracle.property_graphs import PropertyCase, property_cases

from isomatch.compile.cypher import CypherDialect
from isomatch.plan.options import Options
from isomatch.store.neo4j import Neo4jStore

pytestmark = pytest.mark.slow
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
    dialect: CypherDialect | None = None,
) -> Trial:
    """Write the case's graph into the database, and search there."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    ids = load(driver, case.graph)
    with Neo4jStore(driver) as store:
        store.dialect = dialect or store.dialect
        result = searched(case.placed(ids), store, schema_of(case.graph), chosen, fixed)
    return Trial(case, chosen, fixed, result, {id: name for name, id in ids.items()})


@settings(on_a_server, max_examples=EXAMPLES)
@given(case=property_cases(), chosen=options, fixed=fixed_lengths)
def test_interpretations_are_those_of_brute_force(
    empty_neo4j: neo4j.Driver, case: PropertyCase, chosen: Options, fixed: int | None
):
    assert_interpretations(run(empty_neo4j, case, chosen, fixed))


@settings(on_a_server, max_examples=EXAMPLES // 2)
@given(case=property_cases(), chosen=options, fixed=fixed_lengths)
def test_plain_matches_are_those_of_brute_force(
    empty_neo4j: neo4j.Driver, case: PropertyCase, chosen: Options, fixed: int | None
):
    assert_matches(run(empty_neo4j, case, chosen.with_(results="matches"), fixed))


@settings(on_a_server, max_examples=EXAMPLES // 2)
@given(case=property_cases(), chosen=options, fixed=fixed_lengths)
def test_types_in_the_text_make_no_difference(
    empty_neo4j: neo4j.Driver, case: PropertyCase, chosen: Options, fixed: int | None
):
    in_the_text = CypherDialect(dynamic_types=0)
    assert_interpretations(run(empty_neo4j, case, chosen, fixed, in_the_text))
