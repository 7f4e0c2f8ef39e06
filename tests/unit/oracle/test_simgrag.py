"""SimGRAG's pruned search finds what brute force finds."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle.brute import Lists, interpretations
from tests.oracle.graphs import Case, cases
from tests.oracle.simgrag import SimGrag


@settings(max_examples=3 * settings.default.max_examples, deadline=None)
@given(cases(), st.integers(1, 5), st.booleans())
def test_the_same_top_k_as_brute_force(case: Case, k: int, as_written: bool):
    lists = Lists(case.lists.nodes, case.lists.relations)  # types are no part of it
    plain = [
        (r.gsd, m)
        for r in interpretations(case.graph, case.pattern, lists, direction="any")
        for m in r.matches
    ]
    graph = SimGrag(case.graph.triples, as_written=as_written)
    found = graph.search(case.pattern, lists.nodes, lists.relations, k)
    assert [f.gsd for f in found] == pytest.approx([gsd for gsd, _ in islice(plain, k)])
    exact = {(m.nodes, m.relations): gsd for gsd, m in plain}
    identities = [(tuple(f.nodes[n.id] for n in case.pattern.nodes), f.relations) for f in found]
    assert [exact[i] for i in identities] == pytest.approx([f.gsd for f in found])
    assert len(set(identities)) == len(identities)
