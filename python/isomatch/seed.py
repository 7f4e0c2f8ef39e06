"""Choices at random that a seed repeats."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

SEED = 2014  # the default of every command and function that takes a seed


def shuffled(items: Sequence[Item], seed: object) -> list[Item]:
    """The items in an order that the seed decides."""
    order = list(items)
    random.Random(str(seed)).shuffle(order)  # noqa: S311 - repeatable, not secret
    return order
