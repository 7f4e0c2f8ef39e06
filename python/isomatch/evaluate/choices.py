"""The choices of an evaluation, shared by the command line and the Python API.

The command line reads this module before anything else, so it imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Literal

Wordings = Literal["names", "unknown relation"]
Wording = Wordings | Mapping[str, str]


class Patterns(str, Enum):
    """Where patterns come from: the data's gold patterns, or interpreted questions."""

    GOLD = "gold"
    ASK = "ask"


class Topics(str, Enum):
    """Whether each question's topics are given to the system, or found by it."""

    GIVEN = "given"
    FOUND = "found"


class Baseline(str, Enum):
    """What can be measured in place of an interpreter and a retriever."""

    NONE = "none"
    ONE_HOP = "one-hop"
    COSINE = "cosine"
    PAGERANK = "pagerank"
    TEXT_TO_QUERY = "text-to-query"
