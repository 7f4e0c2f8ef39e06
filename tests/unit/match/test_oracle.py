"""The search finds what brute force finds, and never claims more than it proves."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.oracle.brute import Distances, Embedding, Lists, Reading, readings
from tests.oracle.graphs import Case, cases, schema_of, store_of

from isomatch.link.candidates import Candidate, CandidateList, Candidates, Kind, Page
from isomatch.match.describe import describe
from isomatch.match.model import Interpretation, Match, MatchResult
from isomatch.match.search import search
from isomatch.pattern.model import Pattern
from isomatch.plan.options import STRATEGIES, Options

TOLERANCE = 1e-6
EXAMPLES = settings.default.max_examples  # 100, or fewer for `make quick`

options = st.builds(
    Options,
    k=st.integers(1, 6),
    limit=st.sampled_from((1, 2, 1000)),
    nodes=st.sampled_from(("distinct", "anchored", "repeat")),
    direction=st.sampled_from(("any", "any", "as written")),
    type_weight=st.sampled_from((0.0, 0.5, 1.0)),
    budget_seconds=st.none(),
    budget_rows=st.none(),
    strategy=st.sampled_from(("auto", *STRATEGIES)),
)
fixed_lengths = st.one_of(st.none(), st.integers(1, 4))
thorough = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def run(case: Case, chosen: Options, fixed: int | None) -> MatchResult:
    """Search the case in an Oxigraph store, with lazy lists or with fixed ones."""
    made: dict[tuple[str, int], CandidateList] = {}

    def lazy(kind: Kind, part: str | int, text: str, entries: Distances) -> CandidateList:
        ordered = sorted((Candidate(id, d, id) for id, d in entries.items()), key=_place)

        def fetch(limit: int) -> Page:
            rest = ordered[limit:]
            return Page(tuple(ordered[:limit]), rest[0].distance if rest else inf)

        if (kind, id(entries)) not in made:  # equal words share one list, as they do in link
            first = None if fixed else fetch(case.shown[f"{kind}s", part])
            made[kind, id(entries)] = CandidateList(text, kind, fetch, first, fixed)
        return made[kind, id(entries)]

    pattern, lists = case.pattern, case.lists
    candidates = Candidates(
        {n: lazy("node", n, pattern.node(n).text or "", d) for n, d in lists.nodes.items()},
        {
            e: lazy("relation", e, pattern.edges[e].relation or "", d)
            for e, d in lists.relations.items()
        },
        {n: lazy("type", n, pattern.node(n).type or "", d) for n, d in lists.types.items()},
    )
    with store_of(case.graph) as store:
        schema = schema_of(case.graph)
        outcome = search(pattern, candidates, store, schema, chosen)
        return describe(outcome, store, schema, lambda ids: {id: id for id in ids})


def truth(case: Case, chosen: Options, fixed: int | None = None) -> list[Reading]:
    """What brute force finds over the lists, or over their first entries."""

    def cut(part: Mapping[Any, Distances]) -> dict[Any, Distances]:
        return {
            key: dict(sorted(entries.items(), key=lambda e: (e[1], e[0]))[:fixed])
            for key, entries in part.items()
        }

    lists = case.lists
    return readings(
        case.graph,
        case.pattern,
        Lists(cut(lists.nodes), cut(lists.relations), cut(lists.types)),
        nodes=chosen.nodes,
        direction=chosen.direction,
        type_weight=chosen.type_weight,
    )


def _place(candidate: Candidate) -> tuple[float, str]:
    return candidate.distance, candidate.id


def embedding(pattern: Pattern, match: Match) -> Embedding:
    nodes = tuple(match.bindings[n.id].id for n in pattern.nodes)
    return Embedding(nodes, tuple(t.relation.id for t in match.triples))


def choices(interpretation: Interpretation) -> list[tuple[str, str]]:
    return [(c.part, c.id) for c in interpretation.choices]


def choices_of(reading: Reading) -> list[tuple[str, str]]:
    parts = (("node", reading.nodes), ("relation", reading.relations), ("type", reading.types))
    return [(kind, id) for kind, chosen in parts for id in chosen.values()]


def assert_facts_are_stored(case: Case, chosen: Options, result: MatchResult) -> None:
    """Every match shows distinct facts of the graph that fit its bindings."""
    for _, match in result.matches:
        facts = [(t.source.id, t.relation.id, t.target.id) for t in match.triples]
        assert set(facts) <= set(case.graph.triples)
        assert len(set(facts)) == len(facts)
        for edge, (source, _, target) in zip(case.pattern.edges, facts, strict=True):
            ends = (match.bindings[edge.source].id, match.bindings[edge.target].id)
            ways = [ends] if chosen.direction == "as written" else [ends, ends[::-1]]
            assert (source, target) in ways


def assert_certified(result: MatchResult, everything: list[float], k: int) -> None:
    """``complete`` and ``bound`` hold over the full lists."""
    certificate = result.certificate
    assert certificate.exact
    assert certificate.ended_by is None
    gsds = [i.gsd for i in result.interpretations]
    if certificate.complete:
        assert gsds == pytest.approx(everything[:k], abs=TOLERANCE)
    last = gsds[-1] if len(gsds) == k else inf
    must_be_there = [g for g in everything if g < min(last, certificate.bound) - TOLERANCE]
    assert gsds[: len(must_be_there)] == pytest.approx(must_be_there, abs=TOLERANCE)


@settings(thorough, max_examples=10 * EXAMPLES)
@given(cases(), options, fixed_lengths)
def test_interpretations_are_those_of_brute_force(case: Case, chosen: Options, fixed: int | None):
    result = run(case, chosen, fixed)
    expected = truth(case, chosen, fixed)
    found = result.interpretations
    assert [i.gsd for i in found] == pytest.approx(
        [r.gsd for r in expected[: chosen.k]], abs=TOLERANCE
    )
    assert [i.rank for i in found] == list(range(1, len(found) + 1))
    by_choice = {tuple(choices_of(r)): r for r in expected}
    for interpretation in found:
        reading = by_choice.pop(tuple(choices(interpretation)))  # none comes twice
        assert interpretation.gsd == pytest.approx(reading.gsd, abs=TOLERANCE)
        distances = sum(c.distance for c in interpretation.choices)
        assert distances == pytest.approx(reading.gsd, abs=TOLERANCE)
        embeddings = [embedding(case.pattern, m) for m in interpretation.matches]
        assert set(embeddings) <= reading.matches
        assert len(set(embeddings)) == len(embeddings)
        assert len(embeddings) == min(len(reading.matches), chosen.limit)
        assert interpretation.cut == (len(reading.matches) > chosen.limit)
    assert_facts_are_stored(case, chosen, result)
    assert_certified(result, [r.gsd for r in truth(case, chosen)], chosen.k)
    if fixed is None:
        assert result.certificate.complete


@settings(thorough, max_examples=5 * EXAMPLES)
@given(cases(), options, fixed_lengths)
def test_plain_matches_are_those_of_brute_force(case: Case, chosen: Options, fixed: int | None):
    chosen = chosen.with_(results="matches")
    result = run(case, chosen, fixed)
    expected = least(truth(case, chosen, fixed))
    found = [(i.gsd, embedding(case.pattern, m)) for i, m in result.matches]
    assert [gsd for gsd, _ in found] == pytest.approx(
        sorted(expected.values())[: chosen.k], abs=TOLERANCE
    )
    assert all(len(i.matches) == 1 for i in result.interpretations)
    assert len({e for _, e in found}) == len(found)
    for gsd, one in found:
        assert gsd == pytest.approx(expected[one], abs=TOLERANCE)
    assert_facts_are_stored(case, chosen, result)
    assert_certified(result, sorted(least(truth(case, chosen)).values()), chosen.k)


def least(found: list[Reading]) -> dict[Embedding, float]:
    """The smallest distance of each match, whatever types it has."""
    distances: dict[Embedding, float] = {}
    for reading in found:
        for match in reading.matches:
            distances[match] = min(reading.gsd, distances.get(match, inf))
    return distances


@settings(thorough, max_examples=2 * EXAMPLES)
@given(cases(), options, st.integers(1, 8))
def test_a_spent_budget_is_said_and_what_was_found_is_true(case: Case, chosen: Options, rows: int):
    result = run(case, chosen.with_(budget_rows=rows), None)
    expected = {tuple(choices_of(r)): r for r in truth(case, chosen)}
    for interpretation in result.interpretations:
        reading = expected[tuple(choices(interpretation))]
        assert interpretation.gsd == pytest.approx(reading.gsd, abs=TOLERANCE)
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
