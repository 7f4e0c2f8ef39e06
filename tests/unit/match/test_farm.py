"""A share of the farm of random searches; `make thorough` tends all of it."""

from __future__ import annotations

import pytest
from tests.oracle.farm import farm, summary, tend
from tests.shared import examples


@pytest.mark.parametrize("seed", [1, 2])
def test_what_certificates_claim_is_true_in_random_searches(seed: int) -> None:
    tally = farm(seed, cases=examples(150), each=10, say=False)
    assert not tally.wrong, summary(tally)


@pytest.mark.slow
@pytest.mark.parametrize("world", [749, 899])
def test_what_certificates_claim_is_true_with_names_by_the_thousand(world: int) -> None:
    tally = tend(1, world)
    assert not tally.wrong, summary(tally)
