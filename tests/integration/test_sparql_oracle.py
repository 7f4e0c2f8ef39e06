"""On every SPARQL engine the search finds what brute force finds, over random graphs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.oracle.checks import (
    SERVER_EXAMPLES,
    Trial,
    assert_interpretations,
    assert_matches,
    fixed_lengths,
    options,
    searched,
)
from tests.oracle.graphs import FEW_NAMES, Case, cases, ntriples, schema_of
from tests.oracle.optional import check_rows, shared_nodes
from tests.servers.sparql_server import SparqlServer

from isomatch.options import Options
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow
on_a_server = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.fixture(scope="module")
def store(sparql_server: SparqlServer) -> Iterator[SparqlStore]:
    """One store for all examples: it knows the engine, and its templates are parsed."""
    with SparqlStore.connect(sparql_server.url, **sparql_server.settings) as store:
        yield store


def run(
    server: SparqlServer, store: SparqlStore, case: Case, chosen: Options, fixed: int | None
) -> Trial:
    """Load the case's graph into the server, and search there."""
    server.clear()
    server.load(ntriples(case.graph))
    result = searched(case, store, schema_of(case.graph), chosen, fixed)
    return Trial(case, chosen, fixed, result)


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(case=cases(with_alone=True), chosen=options, fixed=fixed_lengths)
def test_sparql_interpretations_are_those_of_brute_force(
    sparql_server: SparqlServer,
    store: SparqlStore,
    case: Case,
    chosen: Options,
    fixed: int | None,
):
    assert_interpretations(run(sparql_server, store, case, chosen, fixed))


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(case=cases(with_alone=True), chosen=options, fixed=fixed_lengths)
def test_sparql_plain_matches_are_those_of_brute_force(
    sparql_server: SparqlServer,
    store: SparqlStore,
    case: Case,
    chosen: Options,
    fixed: int | None,
):
    assert_matches(run(sparql_server, store, case, chosen.with_(results="matches"), fixed))


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(case=cases(FEW_NAMES), chosen=options, data=st.data())
def test_sparql_gives_the_rows_of_optional_parts(
    sparql_server: SparqlServer,
    store: SparqlStore,
    case: Case,
    chosen: Options,
    data: st.DataObject,
):
    shared = shared_nodes(case, data)
    sparql_server.clear()
    sparql_server.load(ntriples(case.graph))
    check_rows(case, shared, chosen, data, store, schema_of(case.graph))
