"""What a stretch of a question may be; the rules for each say what its value is."""

from __future__ import annotations

from typing import Any, Literal

from isomatch.interpret.compose.expressions import OfType
from isomatch.lexicon.lexicon import Definition

Category = Literal[
    "set", "list", "relation", "relations", "superlative", "most", "extreme", "count", "function",
    "degree", "constant", "range", "comparison", "compared", "filter", "having", "not", "excluded",
    "not relation", "done", "not done", "undone", "described", "deeds", "whether", "fact", "key",
    "where", "when", "number of", "mean", "answer", "total", "owners", "owned", "on edge", "text",
    "keyed", "ordinal", "dated", "or", "open", "either", "not relations", "none of", "quantity",
    "left out", "key filter", "key extreme", "each", "each of", "each along", "year of",
    "either relation", "comparative", "than", "exceeding",
    "same", "elided", "same relation", "same class", "same step", "sharing", "solely", "only",
    "where in", "one of", "owner",
    "way", "sorting", "sorted", "best in", "top", "top few", "ranking", "solely relation",
    "connecting", "linked", "done by", "deed", "worked", "record", "recorded",
    "recorded by", "undergone", "done to", "done to it", "done at", "extreme each", "having each",
    "than average", "pronoun", "own", "own set", "than own", "most undergone", "each record",
    "punctual", "most common", "post", "done then", "key worked",
    "each year", "joint", "making", "made", "joint verb", "joined", "anything",
    "dated extreme",
]  # fmt: skip

Role = Literal["noun", "inverse noun", "forward", "backward", "number"]
"""Of a word for a relation. ``number``: for how many it says, as "people" for a population."""


def is_class(value: Any) -> bool:
    """Whether a phrase is a class's, which is never a verb: "manages" is no manager."""
    return isinstance(value, (OfType, Definition))
