"""Ranges of values, beyond which a database leaves out what no condition can hold for."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

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
    """

    node: int
    least: float = -inf
    most: float = inf
    first: float = -inf
    last: float = inf

    @property
    def numbers(self) -> bool:
        """Whether some number is beyond."""
        return self.least > -inf or self.most < inf

    @property
    def years(self) -> bool:
        """Whether some year is beyond."""
        return self.first > -inf or self.last < inf


def beyond(range: Range) -> dict[str, list[tuple[str, str, str | None]]]:
    """For SPARQL: what is left out, as an operator, a literal, and how far it goes."""

    def written(value: float, kind: str) -> str:
        return literal(f"{value:.17g}", datatype=XSD + kind)

    numbers = (("<", range.least, -_MOST), (">", range.most, _MOST))
    years = (("<", range.first), (">", range.last))
    return {
        "numbers": [
            (operator, written(end, "double"), written(far, "double"))
            for operator, end, far in numbers
            if isfinite(end)
        ],
        "years": [(o, written(end, "integer"), None) for o, end in years if isfinite(end)],
    }


def ends_of(range: Range) -> dict[str, float | None]:
    """For Cypher: a range as a parameter, with None for an end that it has not."""
    return {
        name: value if isfinite(value := getattr(range, name)) else None
        for name in ("least", "most", "first", "last")
    }
