"""Small random graphs, as the numbers that perturbations work on."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import strategies as st

from isomatch.perturb.types import Facts

Row = tuple[int, int, int]


def facts_of(rows: set[Row], kinds: list[int], relations: int) -> Facts:
    """The rows in their order."""
    columns = np.array(sorted(rows), np.int64).reshape(-1, 3).T.copy()
    return Facts(columns[0], columns[1], columns[2], np.array(kinds, np.int64), relations)


def rows_of(facts: Facts) -> list[Row]:
    columns = (facts.heads.tolist(), facts.links.tolist(), facts.tails.tolist())
    return list(zip(*columns, strict=True))


def random_facts(seed: int) -> Facts:
    """Up to 14 nodes, the last of which are values, with loops and parallel facts."""
    chance = random.Random(seed)
    things, values, relations = chance.randint(1, 10), chance.randint(0, 4), chance.randint(1, 4)
    rows = {
        (
            chance.randrange(things),
            chance.randrange(relations),
            chance.randrange(things + values),
        )
        for _ in range(chance.randint(1, 40))
    }
    kinds = [0] * things + [1 + value % 2 for value in range(values)]
    return facts_of(rows, kinds, relations)


GRAPHS = st.integers(0, 2**32 - 1).map(random_facts)


class FixedPredictor:
    """Probabilities that depend on places alone."""

    def scores(self, heads, links, tails):  # type: ignore[no-untyped-def]
        return ((7 * heads + 3 * links + 5 * tails) % 11 / 11).astype(np.float32)

    def by_relation(self, heads, tails):  # type: ignore[no-untyped-def]
        links = np.arange(4)[None, :]
        return self.scores(heads[:, None], links, tails[:, None])
