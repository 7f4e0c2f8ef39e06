"""The order of the published values holds on a part of MetaQA's graph, where the data is there."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from tests.needs import needs
from tests.unit.perturb.graphs import facts_of

from isomatch.perturb import METHODS, Perturbation
from isomatch.perturb.methods import perturbed
from isomatch.perturb.predictor import train
from isomatch.perturb.similarity import Likeness, likeness
from isomatch.perturb.types import Facts

needs("train", "torch")
DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
PUBLISHED, GRAPH = DATA / "okgqa" / "perturbation_metrics.csv", DATA / "metaqa" / "kb.txt"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PUBLISHED.exists() and GRAPH.exists()), reason=f"no data in {DATA}"),
]
LEVELS = (0.2, 0.6, 1.0)
Values = dict[tuple[str, float], Likeness]


def published() -> Values:
    """The means over the authors' graphs."""
    found = defaultdict(list)
    with PUBLISHED.open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            values = [float(line[key]) for key in ("ATS", "SC2D", "SD2")]
            found[line["Method"], float(line["Perturbation_Level"])].append(values)
    return {key: Likeness(*map(fmean, zip(*rows, strict=True))) for key, rows in found.items()}


def ours() -> Values:
    """Of the first 3,000 facts of the graph."""
    with GRAPH.open(encoding="utf-8") as file:
        triples = [next(file).rstrip("\n").split("|") for _ in range(3000)]
    nodes = {name: i for i, name in enumerate(sorted({e for h, _, t in triples for e in (h, t)}))}
    links = {name: i for i, name in enumerate(sorted({r for _, r, _ in triples}))}
    rows = {(nodes[h], links[r], nodes[t]) for h, r, t in triples}
    facts: Facts = facts_of(rows, np.zeros(len(nodes), int).tolist(), len(links))
    predictor = train(facts)
    return {
        (method, level): likeness(
            facts, perturbed(facts, Perturbation(method, level), predictor).facts, predictor
        )
        for method in METHODS
        for level in LEVELS
    }


@pytest.mark.parametrize("values", [published, ours])
def test_the_order_of_the_methods(values):
    found = values()
    for level in LEVELS:
        at = {method: found[method, level] for method in METHODS}
        assert at["RS"].sd2 == 1.0
        assert at["ER"].sd2 < 1.0 > at["ED"].sd2
        others = [at[method].ats for method in ("RS", "ER", "ED") if (method, level) != ("ED", 1.0)]
        assert at["RR"].ats < min(others)
        assert 0 <= at["RR"].sc2d <= 1
    # ED leaves the facts that are left as they were; at level 1 there are none.
    assert found["ED", 0.6].ats == pytest.approx(found["ED", 0.2].ats, abs=0.03)
    assert found["ED", 1.0].ats == 0.0
    for method in ("RR", "ER", "ED"):
        assert found[method, 0.2].sd2 >= found[method, 1.0].sd2
    assert found["RR", 0.2].ats > found["RR", 0.6].ats > found["RR", 1.0].ats
