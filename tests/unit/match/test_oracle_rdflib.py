"""The search over a graph of rdflib finds what brute force finds."""

from __future__ import annotations

import rdflib
from hypothesis import given, settings
from tests.oracle.checks import (
    EXAMPLES,
    Trial,
    assert_interpretations,
    assert_matches,
    fixed_lengths,
    options,
    searched,
    thorough,
)
from tests.oracle.graphs import Case, cases, ntriples, schema_of

from isomatch.options import Options
from isomatch.store.rdflib import RdflibStore


def run(case: Case, chosen: Options, fixed: int | None) -> Trial:
    """Search the case in a graph of rdflib."""
    graph = rdflib.Graph().parse(data=ntriples(case.graph), format="nt")
    with RdflibStore(graph) as store:
        result = searched(case, store, schema_of(case.graph), chosen, fixed)
        return Trial(case, chosen, fixed, result)


@settings(thorough, max_examples=EXAMPLES // 5)
@given(cases(with_alone=True), options, fixed_lengths)
def test_rdflib_interpretations_are_those_of_brute_force(
    case: Case, chosen: Options, fixed: int | None
):
    assert_interpretations(run(case, chosen, fixed))


@settings(thorough, max_examples=EXAMPLES // 5)
@given(cases(with_alone=True), options, fixed_lengths)
def test_rdflib_plain_matches_are_those_of_brute_force(
    case: Case, chosen: Options, fixed: int | None
):
    assert_matches(run(case, chosen.with_(results="matches"), fixed))
