"""The seed of everything that is chosen at random, where nobody gives another."""

from __future__ import annotations

SEED = 2014
