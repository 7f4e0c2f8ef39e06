"""What a stretch of a question may be: a part of the chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from isomatch.interpret.compose.categories import Category
from isomatch.interpret.types import Span


@dataclass(frozen=True, slots=True)
class Item:
    """What a stretch of a question may mean.

    Attributes:
        category: what it is; says what the value is.
        value: a set's expression, a relation's `RelationWord`, …
        score: sum of what its parts cost, 0 or less.
        head: place of the word that a set is named by; -1 for none.
        spans: what its words stand for.
    """

    category: Category
    value: Any
    score: float = 0.0
    head: int = -1
    spans: tuple[Span, ...] = ()
