"""What is sampled exists, covers every relation both ways, and follows names and seed alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.learn.toy import DIRECTED, FACTS, STARRED, WRITTEN, toy

from isomatch.chains.graph import Step
from isomatch.learn.sampling import Sampler, sample_chains
from isomatch.learn.walks import Walker
from isomatch.session import Session

STEPS = {Step(r, back) for r in (DIRECTED, WRITTEN, STARRED) for back in (False, True)}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with toy(tmp_path_factory.mktemp("toy")) as session:
        yield session


def test_every_relation_has_topics_both_ways(session: Session) -> None:
    found = list(Sampler(session.resources).steps(2))
    assert {step for step, _, _ in found} == STEPS
    writers = [name for step, name, _ in found if step == Step(WRITTEN, True)]
    assert writers == ["Michael Mann"]
    assert len([name for step, name, _ in found if step == Step(DIRECTED)]) == 2


def test_chains_exist_and_are_different(session: Session) -> None:
    sampled = list(sample_chains(session.resources, 60))
    assert len(sampled) == 60
    assert len({(one.topic, one.chain) for one in sampled}) == 60
    walker = Walker(session.store, session.schema)
    assert all(walker.exist([(one.ids, one.chain) for one in sampled]))
    assert {one.chain[0] for one in sampled} == STEPS
    assert {len(one.chain) for one in sampled} == {1, 2, 3}


def test_followers_are_shares_of_nodes(session: Session) -> None:
    # Of the four films with a director two have a writer, and all have a cast.
    shares = Sampler(session.resources).followers(Step(DIRECTED, True))
    assert shares[Step(WRITTEN)] == 0.5
    assert shares[Step(STARRED)] == 1.0


def test_the_seed_decides_and_the_order_of_the_store_does_not(tmp_path: Path) -> None:
    lines = FACTS.strip().split("\n")
    with toy(tmp_path / "a") as one, toy(tmp_path / "b", "\n".join(reversed(lines))) as other:
        first = list(sample_chains(one.resources, 30, 1))
        assert list(sample_chains(other.resources, 30, 1)) == first
        assert list(sample_chains(one.resources, 30, 2)) != first


def test_a_graph_without_so_many_chains_gives_fewer(tmp_path: Path) -> None:
    with toy(tmp_path, "heat directed mann") as session:
        sampled = list(sample_chains(session.resources, 100))
    assert {(one.topic, one.chain) for one in sampled} == {
        ("Heat", (Step(DIRECTED),)),
        ("Michael Mann", (Step(DIRECTED, True),)),
    }
