"""A search against brute force over the same lists, whatever the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, prod
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from tests.oracle.brute import Distances, Embedding, Interpretation, Lists, interpretations
from tests.oracle.graphs import Case
from tests.oracle.property_graphs import PropertyCase

from isomatch.link.candidates import (
    Candidate,
    CandidateList,
    Candidates,
    Kind,
    ListKey,
    Page,
    ordered,
)
from isomatch.match.describe import describe
from isomatch.match.search import search
from isomatch.match.types import Interpretation as FoundInterpretation
from isomatch.match.types import Match, MatchResult
from isomatch.options import Options, Strategy
from isomatch.schema.types import Schema
from isomatch.store.base import Store

TOLERANCE = 1e-6
EXAMPLES = settings.default.max_examples  # 60; see tests/conftest.py
# A server plans every query anew, half a second for each example, and there are five servers:
# `make thorough` has 100 examples for each.
SERVER_EXAMPLES = EXAMPLES // 4
# With more choices that all lack a match, a strategy that never turns to brute force takes minutes.
MOST_CHOICES = 1_000_000

options = st.builds(
    Options,
    k=st.integers(1, 6),
    limit=st.sampled_from((1, 2, 1000)),
    nodes=st.sampled_from(("distinct", "anchored", "repeat", "walk")),
    direction=st.sampled_from(("any", "as drawn", "as drawn", "as written")),
    type_weight=st.sampled_from((0.0, 0.5, 1.0)),
    budget_seconds=st.none(),
    budget_rows=st.none(),
    strategy=st.sampled_from(("auto", *get_args(Strategy))),
)
fixed_lengths = st.one_of(st.none(), st.integers(1, 4))
thorough = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@dataclass(frozen=True)
class Trial:
    """A case, searched in a store.

    Attributes:
        case: with the ids that the oracle knows.
        fixed: length of the lists, or None for lazy ones.
        names: id in the oracle by id in the store, where they differ.
    """

    case: Case | PropertyCase
    chosen: Options
    fixed: int | None
    result: MatchResult
    names: Mapping[str, str] = field(default_factory=dict)

    def id(self, id: str) -> str:
        """An id of the store as the oracle knows it."""
        return self.names.get(id, id)

    def truth(self, fixed: int | None = None) -> list[Interpretation]:
        """What brute force finds over the lists, or over their first entries."""
        stored = {name: id for id, name in self.names.items()}

        def place(entry: tuple[str, float]) -> tuple[float, str]:
            return entry[1], stored.get(entry[0], entry[0])  # ties go by the store's ids

        def cut(part: Mapping[Any, Distances]) -> dict[Any, Distances]:
            return {
                key: dict(sorted(entries.items(), key=place)[:fixed])
                for key, entries in part.items()
            }

        lists = self.case.lists
        return interpretations(
            self.case.graph,
            self.case.pattern,
            Lists(cut(lists.nodes), cut(lists.relations), cut(lists.types)),
            nodes=self.chosen.nodes,
            direction=self.chosen.direction,
            type_weight=self.chosen.type_weight,
        )

    def embedding(self, match: Match) -> Embedding:
        """A match as the oracle has it."""
        nodes = tuple(self.id(match.bindings[n.id].id) for n in self.case.pattern.nodes)
        triples = match.triples if self.case.pattern.edges else ()  # a node alone says its type
        facts = tuple(self.id(t.id or "") for t in triples)
        return Embedding(nodes, tuple(t.relation.id for t in triples), facts)

    def choices(self, interpretation: FoundInterpretation) -> tuple[tuple[str, str], ...]:
        """What an interpretation chose, as the oracle has it."""
        return tuple((c.part, self.id(c.id)) for c in interpretation.choices)


def searched(
    case: Case | PropertyCase, store: Store, schema: Schema, chosen: Options, fixed: int | None
) -> MatchResult:
    """Search a case in a store, with lazy lists or with fixed ones."""
    if choices(case, fixed) > MOST_CHOICES and chosen.strategy in ("ascending", "semi-join"):
        chosen = chosen.with_(strategy="auto")
    outcome = search(case.pattern, candidates_of(case, fixed), store, schema, chosen)
    return describe(outcome, store, schema, lambda ids: {id: id for id in ids}, chosen)


def choices(case: Case | PropertyCase, fixed: int | None) -> int:
    """How many interpretations the lists of a case allow, or their first entries."""
    lists = (case.lists.nodes, case.lists.relations, case.lists.types)
    lengths = [len(entries) for part in lists for entries in part.values()]
    return prod(min(length, fixed or length) for length in lengths)


def candidates_of(case: Case | PropertyCase, fixed: int | None) -> Candidates:
    """The lists of a case, lazy or of a fixed length."""
    source = _OracleSource()

    def lazy(kind: Kind, part: str | int, entries: Distances) -> CandidateList:
        shown = fixed + 1 if fixed else case.shown[f"{kind}s", part]
        found = source.first(kind, entries, shown)
        return found.cut(fixed) if fixed else found

    lists = case.lists
    return Candidates(
        {n: lazy("node", n, entries) for n, entries in lists.nodes.items()},
        {e: lazy("relation", e, entries) for e, entries in lists.relations.items()},
        {n: lazy("type", n, entries) for n, entries in lists.types.items()},
        source=source,
    )


class _OracleSource:
    """Lists that begin with some entries and are widened by as many as are asked for."""

    def __init__(self) -> None:
        self._all: list[Distances] = []
        self._first: dict[ListKey, CandidateList] = {}

    def first(self, kind: Kind, entries: Distances, shown: int) -> CandidateList:
        """The list as it begins; parts with the same entries share one, as in link."""
        if not any(one is entries for one in self._all):
            self._all.append(entries)
        number = next(n for n, one in enumerate(self._all) if one is entries)
        found = CandidateList(str(number), kind, ())
        if found.key not in self._first:
            self._first[found.key] = self.widened(found, shown)
        return self._first[found.key]

    def widened(self, found: CandidateList, limit: int) -> CandidateList:
        entries = self._all[int(found.text)]
        nearest = ordered(Candidate(id, d, id) for id, d in entries.items())
        rest = nearest[limit:]
        return found.with_page(Page(nearest[:limit], rest[0].distance if rest else inf))


def assert_interpretations(trial: Trial) -> None:
    """The search found the interpretations of brute force, with all their matches."""
    chosen, result = trial.chosen, trial.result
    expected = trial.truth(trial.fixed)
    found = result.interpretations
    assert [i.gsd for i in found] == pytest.approx(
        [r.gsd for r in expected[: chosen.k]], abs=TOLERANCE
    )
    assert [i.rank for i in found] == list(range(1, len(found) + 1))
    by_choice = {choices_of(r): r for r in expected}
    for interpretation in found:
        true = by_choice.pop(trial.choices(interpretation))  # none comes twice
        assert interpretation.gsd == pytest.approx(true.gsd, abs=TOLERANCE)
        distances = sum(c.distance for c in interpretation.choices)
        assert distances == pytest.approx(true.gsd, abs=TOLERANCE)
        embeddings = [trial.embedding(m) for m in interpretation.matches]
        assert set(embeddings) <= true.matches
        assert len(set(embeddings)) == len(embeddings)
        assert len(embeddings) == min(len(true.matches), chosen.limit)
        assert interpretation.cut == (len(true.matches) > chosen.limit)
    assert_facts_are_stored(trial)
    assert_certified(result, [r.gsd for r in trial.truth()], chosen.k)
    assert_ties_are_said(result, [r.gsd for r in expected], chosen.k)
    if trial.fixed is None:
        assert result.certificate.complete


def assert_matches(trial: Trial) -> None:
    """The search found the plain matches of brute force."""
    result = trial.result
    expected = least(trial.truth(trial.fixed))
    found = [(i.gsd, trial.embedding(m)) for i, m in result.matches]
    assert [gsd for gsd, _ in found] == pytest.approx(
        sorted(expected.values())[: trial.chosen.k], abs=TOLERANCE
    )
    assert all(len(i.matches) == 1 for i in result.interpretations)
    assert len({e for _, e in found}) == len(found)
    for gsd, one in found:
        assert gsd == pytest.approx(expected[one], abs=TOLERANCE)
    assert_facts_are_stored(trial)
    assert_certified(result, sorted(least(trial.truth()).values()), trial.chosen.k)
    assert_ties_are_said(result, sorted(expected.values()), trial.chosen.k)


def least(found: list[Interpretation]) -> dict[Embedding, float]:
    """The smallest distance of each match, whatever types it has."""
    distances: dict[Embedding, float] = {}
    for interpretation in found:
        for match in interpretation.matches:
            distances[match] = min(interpretation.gsd, distances.get(match, inf))
    return distances


def choices_of(interpretation: Interpretation) -> tuple[tuple[str, str], ...]:
    """What a reading chose, in the order of an interpretation's choices."""
    parts = (
        ("node", interpretation.nodes),
        ("relation", interpretation.relations),
        ("type", interpretation.types),
    )
    return tuple((kind, id) for kind, chosen in parts for id in chosen.values())


def assert_facts_are_stored(trial: Trial) -> None:
    """Every match shows facts of the graph that fit its bindings, distinct but in a walk."""
    stored = {(f.source, f.relation, f.target) for f in trial.case.graph.facts}
    for _, match in trial.result.matches:
        if not trial.case.pattern.edges:
            (said,) = match.triples
            assert said.target.id in trial.case.graph.types_of(trial.id(said.source.id))
            continue
        facts = [
            (trial.id(t.source.id), t.relation.id, trial.id(t.target.id)) for t in match.triples
        ]
        assert set(facts) <= stored
        different = {(fact, t.id) for fact, t in zip(facts, match.triples, strict=True)}
        assert trial.chosen.nodes == "walk" or len(different) == len(facts)
        for edge, (source, _, target) in zip(trial.case.pattern.edges, facts, strict=True):
            ends = [trial.id(match.bindings[id].id) for id in (edge.source, edge.target)]
            drawn = trial.chosen.direction == "as drawn" and edge.directed
            only = drawn or trial.chosen.direction == "as written"
            ways = [ends] if only else [ends, ends[::-1]]
            assert [source, target] in ways


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


def assert_ties_are_said(result: MatchResult, listed: list[float], k: int) -> None:
    """``ties`` says whether the lists hold more at the distance of the last result."""
    beyond = listed[k] - listed[k - 1] if len(listed) > k else inf
    if beyond == 0 or beyond > TOLERANCE:  # between them a sum's last bits decide
        assert result.certificate.ties in (beyond == 0, None)
