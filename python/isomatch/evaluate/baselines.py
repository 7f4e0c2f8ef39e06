"""What people ask to be compared with, over the same store: no training, no patterns."""

from __future__ import annotations

from isomatch.evaluate.systems import NoRetrieval, Ranked, System
from isomatch.evaluate.text_to_query import TextToQuery

BASELINES = ("none", "one-hop", "cosine", "pagerank", "text-to-query")


def baseline(name: str, *, given: bool) -> System:
    """A baseline by name.

    Args:
        name: one of `BASELINES`.
        given: whether the question's topics are told, where one needs them.
    """
    if name == "none":
        return NoRetrieval()
    if name == "text-to-query":
        return TextToQuery()
    return Ranked(name, given)
