"""The plain top-k over fixed lists is that of SimGRAG's Algorithm 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle.brute import Distances, Embedding, Lists
from tests.oracle.checks import EXAMPLES, TOLERANCE, thorough
from tests.oracle.graphs import Case, cases
from tests.oracle.simgrag import SimGrag
from tests.unit.match.test_oracle import run

from isomatch.options import Options, Strategy
from isomatch.pattern.types import Pattern


def untyped(case: Case) -> Case:
    """The same case without types, which SimGRAG's search does not know."""
    nodes = tuple(replace(node, type=None) for node in case.pattern.nodes)
    pattern = Pattern(nodes, case.pattern.edges, case.pattern.returns)
    return replace(case, pattern=pattern, lists=replace(case.lists, types={}))


def first(fixed: int, part: Mapping[Any, Distances]) -> dict[Any, Distances]:
    """The lists as the engine keeps them: their ``fixed`` nearest entries."""
    return {
        key: dict(sorted(entries.items(), key=lambda e: (e[1], e[0]))[:fixed])
        for key, entries in part.items()
    }


STRATEGIES = st.sampled_from(get_args(Strategy))


@settings(thorough, max_examples=4 * EXAMPLES)
@given(cases().map(untyped), st.integers(1, 6), st.integers(1, 12), STRATEGIES)
def test_the_same_top_k_as_simgrag(case: Case, k: int, fixed: int, strategy: str):
    chosen = Options(
        k=k,
        results="matches",
        strategy=strategy,
        direction="any",  # as published
        budget_seconds=None,
        budget_rows=None,
    )
    trial = run(case, chosen, fixed)
    found = [(i.gsd, trial.embedding(match)) for i, match in trial.result.matches]

    lists = Lists(first(fixed, case.lists.nodes), first(fixed, case.lists.relations))
    published = [
        (
            f.gsd,
            Embedding(
                tuple(f.nodes[n.id] for n in case.pattern.nodes),
                f.relations,
                ("",) * len(f.relations),
            ),
        )
        for f in SimGrag(case.graph.triples).search(
            case.pattern, lists.nodes, lists.relations, k + 1
        )
    ]

    gsds = [gsd for gsd, _ in published]
    assert [gsd for gsd, _ in found] == pytest.approx(gsds[:k], abs=TOLERANCE)
    if len(gsds) > k and gsds[k] - gsds[k - 1] <= TOLERANCE:
        # Any of those at the tied distance may be returned, all nearer ones must be.
        below = gsds[k] - TOLERANCE
        assert {m for gsd, m in found if gsd < below} == {m for gsd, m in published if gsd < below}
        assert len({m for _, m in found}) == k
    else:
        assert {m for _, m in found} == {m for _, m in published[:k]}
