"""What a pattern works out for each answer, of the values of nodes in its matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from isomatch.match.aggregate import Aggregator
from isomatch.match.notations import AnyNotation
from isomatch.pattern.elements import Aggregate, Each
from isomatch.store.base import Row
from isomatch.store.terms import XSD, literal

Groups = Mapping[Row, tuple[str | None, ...]]
"""By answer, the id of what each function gives; None for nothing."""


class Grouper:
    """The functions of a pattern over the rows of each of its answers.

    Args:
        each: of the pattern.
        column: by id of a node.
        answers: columns of the pattern's answers.
        width: how many columns are of nodes.
    """

    def __init__(
        self, each: Sequence[Each], column: Mapping[str, int], answers: Sequence[int], width: int
    ):
        self._answers = answers
        self._counted = [column[one.node] if one.function == "count" else None for one in each]
        self._functions = [
            None
            if one.function == "count"
            else Aggregator(Aggregate(one.function, one.node), column[one.node], width, "an answer")
            for one in each
        ]

    def read_as(self, notations: Mapping[int, AnyNotation]) -> None:
        """Read texts in the notations of their columns from now on."""
        for function in self._functions:
            if function is not None:
                function.read_as(notations)

    def of(self, rows: Sequence[Row]) -> Groups:
        """What the functions give for each answer, in order; all rows of an interpretation."""
        found: dict[Row, list[Row]] = {}
        for row in rows:
            found.setdefault(self._answer(row), []).append(row)
        return {answer: tuple(self._values(some)) for answer, some in found.items()}

    def shown(self, rows: Sequence[Row], limit: int) -> list[Row]:
        """At most so many rows, in order, of as many answers as can be."""
        first: dict[Row, int] = {}
        for number, row in enumerate(rows):
            first.setdefault(self._answer(row), number)
        chosen = dict.fromkeys([*first.values(), *range(len(rows))])
        return [rows[number] for number in sorted(list(chosen)[:limit])]

    def notes(self) -> Iterator[str]:
        """What was left out, in words."""
        for function in self._functions:
            if function is not None:
                yield from function.notes()

    def _answer(self, row: Row) -> Row:
        return tuple(row[column] for column in self._answers)

    def _values(self, rows: Sequence[Row]) -> Iterator[str | None]:
        for counted, function in zip(self._counted, self._functions, strict=True):
            if function is not None:
                yield function.value(rows)
            elif counted is not None:
                number = len({row[counted] for row in rows})
                yield literal(str(number), datatype=XSD + "integer")
