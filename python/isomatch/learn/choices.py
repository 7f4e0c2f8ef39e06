"""The values that options of training can have, for the command line and Python."""

from __future__ import annotations

from enum import Enum


class Choice(str, Enum):
    """A value of an option; equal to its text."""

    def __str__(self) -> str:
        return str(self.value)


class Kind(Choice):
    """What is trained."""

    gsr = "gsr"
    triples = "triples"


class Rule(Choice):
    """How questions are labelled, see `isomatch.learn.weak`."""

    filtered = "filtered"
    raw = "raw"
    one = "one"
    model = "model"


class Paths(Choice):
    """Which triples are relevant: those on labelled chains, or on shortest paths."""

    chains = "chains"
    shortest = "shortest"


class Device(Choice):
    """Where torch computes."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"
