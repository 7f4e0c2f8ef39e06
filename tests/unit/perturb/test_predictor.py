"""A predictor of facts, trained on small graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.needs import needs
from tests.unit.perturb.graphs import facts_of, rows_of

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.perturb import Perturbation
from isomatch.perturb.methods import perturbed
from isomatch.perturb.predictor import DistMult, train
from isomatch.perturb.similarity import ats, likeness
from isomatch.perturb.types import Facts

needs("train", "torch")


@pytest.fixture(scope="module")
def facts() -> Facts:
    """Films with a director, a studio and a year: relations have targets of their own."""
    rows = set()
    for film in range(60):
        rows |= {(film, 0, 60 + film % 8), (film, 1, 68 + film % 5), (film, 2, 73 + film % 7)}
    return facts_of(rows, [0] * 80, 3)


@pytest.fixture(scope="module")
def predictor(facts: Facts) -> DistMult:
    return train(facts)


def test_it_knows_the_graph_and_tells_other_relations(facts: Facts, predictor: DistMult):
    assert ats(facts, predictor) > 0.9
    scores = predictor.by_relation(facts.heads, facts.tails)
    assert scores.shape == (len(facts), 3)
    assert (scores.argmax(axis=1) == facts.links).mean() > 0.95
    of_facts = predictor.scores(facts.heads, facts.links, facts.tails)
    assert of_facts == pytest.approx(scores[np.arange(len(facts)), facts.links], abs=1e-5)


def test_replaced_relations_have_the_lowest_score(facts: Facts, predictor: DistMult):
    found = {
        method: likeness(
            facts, perturbed(facts, Perturbation(method, 0.4), predictor).facts, predictor
        )
        for method in ("RS", "RR", "ER", "ED")
    }
    scores = {method: one.ats or 0.0 for method, one in found.items()}
    # All wrong facts of so small a graph score next to nothing.
    assert scores["RR"] < min(scores["RS"], scores["ER"]) + 0.02
    assert scores["RR"] < scores["ED"] - 0.3
    assert scores["ED"] == pytest.approx(ats(facts, predictor), abs=0.02)
    assert found["RS"].sd2 == 1.0 > found["ER"].sd2


def test_it_is_the_same_again_and_from_its_file(facts: Facts, predictor: DistMult, tmp_path: Path):
    assert np.array_equal(train(facts).nodes, predictor.nodes)
    path = tmp_path / "predictor.npz"
    assert DistMult.read(path, facts) is None
    predictor.write(path)
    read = DistMult.read(path, facts)
    assert read is not None
    assert np.array_equal(read.relations, predictor.relations)
    fewer = facts_of(set(rows_of(facts)), [0] * 81, 3)
    assert DistMult.read(path, fewer) is None
    for damaged in (b"damaged", b"", path.read_bytes()[:200]):
        path.write_bytes(damaged)
        assert DistMult.read(path, facts) is None


def test_progress_is_told(facts: Facts):
    calls: list[tuple[int, int]] = []
    train(facts, progress=lambda *given: calls.append(given))
    assert calls[-1] == (len(calls), len(calls))


def test_nothing_to_learn_from_is_an_error():
    with pytest.raises(ConfigurationError, match="without facts"):
        train(facts_of(set(), [], 0))


def test_without_torch_the_error_has_the_command(facts: Facts, monkeypatch: pytest.MonkeyPatch):
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"isomatch\[train\]"):
        train(facts)
