"""The search finds what brute force finds, and never claims more than it proves."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle.brute import Graph, Lists
from tests.oracle.checks import (
    EXAMPLES,
    TOLERANCE,
    Trial,
    assert_interpretations,
    assert_matches,
    choices_of,
    fixed_lengths,
    options,
    searched,
    thorough,
)
from tests.oracle.graphs import BASE, Case, cases, schema_of, store_of

from isomatch.match import search
from isomatch.options import Options, Results
from isomatch.pattern.text import parse_text
from isomatch.plan import planner


def run(case: Case, chosen: Options, fixed: int | None, batched: bool = False) -> Trial:
    """Search the case in an Oxigraph store, or as in one over HTTP."""
    with store_of(case.graph) as store:
        if batched:
            store.capabilities = replace(store.capabilities, batched=True, inline=True)
        result = searched(case, store, schema_of(case.graph), chosen, fixed)
        return Trial(case, chosen, fixed, result)


@settings(thorough, max_examples=10 * EXAMPLES)
@given(cases(with_alone=True), options, fixed_lengths)
def test_embedded_interpretations_are_those_of_brute_force(
    case: Case, chosen: Options, fixed: int | None
):
    assert_interpretations(run(case, chosen, fixed))


@settings(thorough, max_examples=5 * EXAMPLES)
@given(
    cases(with_alone=True), options, fixed_lengths, st.sampled_from(("interpretations", "matches"))
)
def test_many_interpretations_in_one_query_change_nothing(
    case: Case, chosen: Options, fixed: int | None, results: Results
):
    trial = run(case, chosen.with_(results=results), fixed, batched=True)
    check = assert_interpretations if results == "interpretations" else assert_matches
    check(trial)


@settings(thorough, max_examples=5 * EXAMPLES)
@given(cases(with_alone=True), options, fixed_lengths)
def test_embedded_plain_matches_are_those_of_brute_force(
    case: Case, chosen: Options, fixed: int | None
):
    assert_matches(run(case, chosen.with_(results="matches"), fixed))


@settings(thorough)
@given(cases(with_alone=True), options, fixed_lengths, st.integers(1, 16))
def test_brute_force_after_many_that_are_ruled_out_finds_the_same(
    case: Case, chosen: Options, fixed: int | None, steps: int
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planner, "BRUTE_ROWS_PER_RESULT", 0)  # the search begins by ascending
        patch.setattr(search, "STEPS_BEFORE_BRUTE", steps)
        trial = run(case, chosen.with_(strategy="auto"), fixed)
    check = assert_interpretations if chosen.results == "interpretations" else assert_matches
    check(trial)


def test_what_is_ruled_out_without_a_query_ends_in_brute_force(monkeypatch: pytest.MonkeyPatch):
    """No node has two of these relations, so none of 400 choices is asked about."""
    monkeypatch.setattr(planner, "BRUTE_ROWS_PER_RESULT", 0)
    monkeypatch.setattr(search, "STEPS_BEFORE_BRUTE", 100)
    first, second = ([f"{BASE}{letter}{i}" for i in range(20)] for letter in "pq")
    facts = [(f"{BASE}a", relation, f"{BASE}to{relation[-3:]}") for relation in first]
    facts += [(f"{BASE}of{relation[-3:]}", relation, f"{BASE}b") for relation in second]
    nearness = {"p": dict.fromkeys(first, 0.5), "q": dict.fromkeys(second, 0.5)}
    lists = Lists({"a": {f"{BASE}a": 0.0}}, {0: nearness["p"], 1: nearness["q"]})
    shown = {("nodes", "a"): 1, ("relations", 0): 20, ("relations", 1): 20}
    case = Case(Graph(tuple(facts)), parse_text('("a")-[p]->(?x)-[q]->(?y)'), lists, shown)

    trial = run(case, Options(), None)

    assert trial.result.profile.strategy == "ascending, brute force"
    assert_interpretations(trial)


@settings(thorough, max_examples=2 * EXAMPLES)
@given(cases(with_alone=True), options, st.integers(1, 8))
def test_a_spent_budget_is_said_and_what_was_found_is_true(case: Case, chosen: Options, rows: int):
    trial = run(case, chosen.with_(budget_rows=rows), None)
    result, expected = trial.result, {choices_of(r): r for r in trial.truth()}
    for interpretation in result.interpretations:
        hypothesis = expected[trial.choices(interpretation)]
        assert interpretation.gsd == pytest.approx(hypothesis.gsd, abs=TOLERANCE)
    certificate = result.certificate
    if certificate.ended_by is None:
        assert certificate.exact
        assert len(result.interpretations) == min(len(expected), chosen.k)
    else:
        assert certificate.ended_by == "rows"
        assert not certificate.exact
        gsds = sorted(r.gsd for r in expected.values())
        found = [i.gsd for i in result.interpretations]
        last = found[-1] if len(found) == chosen.k else inf
        sure = [g for g in gsds if g < min(last, certificate.bound) - TOLERANCE]
        assert found[: len(sure)] == pytest.approx(sure, abs=TOLERANCE)
