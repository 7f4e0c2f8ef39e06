"""Ranges of values, beyond which a database leaves out what no condition can hold for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from isomatch.store.terms import XSD, literal

_MOST = 1.7976931348623157e308  # infinity is beyond, and cannot be compared


@dataclass(frozen=True, slots=True)
class Range:
    """What a database may leave out of the values of a node: numbers and times beyond these.

    Only what is a number, not infinite, or a date or time; all else stays, whatever it holds.

    Attributes:
        node: number of an unknown node.
        least, most: of numbers.
        first, last: years, of dates and times.
        holes: between which two no number is wanted, and they themselves are.
        year_holes: the same for years.
    """

    node: int
    least: float = -inf
    most: float = inf
    first: float = -inf
    last: float = inf
    holes: tuple[tuple[float, float], ...] = ()
    year_holes: tuple[tuple[float, float], ...] = ()

    @property
    def numbers(self) -> bool:
        """Whether some number is beyond."""
        return self.least > -inf or self.most < inf or bool(self.holes)

    @property
    def years(self) -> bool:
        """Whether some year is beyond."""
        return self.first > -inf or self.last < inf or bool(self.year_holes)

    @property
    def has_holes(self) -> bool:
        """Whether some number or year is left out between others."""
        return bool(self.holes or self.year_holes)


def beyond(range: Range) -> dict[str, list[tuple[str, ...]]]:
    """For SPARQL: what is left out, as operators and literals that a value compares so with."""

    def written(value: float, kind: str) -> str:
        return literal(f"{value:.17g}", datatype=XSD + kind)

    def between(holes: Sequence[tuple[float, float]], kind: str) -> list[tuple[str, ...]]:
        return [(">", written(a, kind), "<", written(b, kind)) for a, b in holes]

    numbers = (("<", range.least, ">=", -_MOST), (">", range.most, "<=", _MOST))
    years = (("<", range.first), (">", range.last))
    return {
        "numbers": [
            *(
                (operator, written(end, "double"), inside, written(far, "double"))
                for operator, end, inside, far in numbers
                if isfinite(end)
            ),
            *between(range.holes, "double"),
        ],
        "years": [
            *((operator, written(end, "integer")) for operator, end in years if isfinite(end)),
            *between(range.year_holes, "integer"),
        ],
    }


def ends_of(range: Range) -> dict[str, Any]:
    """For Cypher: a range as a parameter, with None for an end that it has not."""
    ends = {
        name: value if isfinite(value := getattr(range, name)) else None
        for name in ("least", "most", "first", "last")
    }
    if not range.has_holes:
        return ends
    return {
        **ends,
        "holes": [list(ends) for ends in range.holes],
        "year_holes": [list(ends) for ends in range.year_holes],
    }
