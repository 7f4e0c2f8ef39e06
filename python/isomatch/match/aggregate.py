"""What a pattern works out of the values of a node: a sum, an average, the least or greatest.

Over the matches of one interpretation. A sum adds a value once for each different binding of all
nodes, so a value that two matches share counts twice. Decimal numbers are added exactly, up to
60 digits. What is no number is left out and told; least and greatest go by `isomatch.match.order`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

from isomatch.match.conditions import meaning_of
from isomatch.match.notations import AnyNotation
from isomatch.match.order import Ordering
from isomatch.pattern.elements import Each
from isomatch.pattern.types import Aggregate, Order
from isomatch.store.base import Row
from isomatch.store.terms import XSD, display_name, is_literal, literal

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
            found.setdefault(self.answer(row), []).append(row)
        return {answer: tuple(self._values(some)) for answer, some in found.items()}

    def first(self, rows: Sequence[Row]) -> dict[Row, str | None]:
        """What the first function gives for each answer; all rows of an interpretation."""
        return {answer: values[0] for answer, values in self.of(rows).items()}

    def notes(self) -> Iterator[str]:
        """What was left out, in words."""
        for function in self._functions:
            if function is not None:
                yield from function.notes()

    def answer(self, row: Row) -> Row:
        """The answer that a row is of."""
        return tuple(row[column] for column in self._answers)

    def _values(self, rows: Sequence[Row]) -> Iterator[str | None]:
        for counted, function in zip(self._counted, self._functions, strict=True):
            if function is not None:
                yield function.value(rows)
            elif counted is not None:
                number = len({row[counted] for row in rows})
                yield literal(str(number), datatype=XSD + "integer")


_DIGITS = 60
_SHOWN = 12  # significant digits of an average
_EXACT = Context(prec=_DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_AVERAGE = Context(prec=28, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_ROUNDED = Context(prec=_SHOWN, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


class Aggregator:
    """An aggregate of a pattern over the rows of a search.

    Args:
        aggregate: of the pattern.
        node: column of its node.
        width: how many columns are of nodes.
        of: what the rows are of, in words.
    """

    def __init__(self, aggregate: Aggregate, node: int, width: int, of: str = "an interpretation"):
        self._of = of
        self._function = aggregate.function
        self._named = f"?{aggregate.node}"
        self._node = node
        self._width = width
        order = Order(aggregate.node, aggregate.function == "max", 1)
        self._ordering = Ordering(order, node, [node])
        self._others = 0  # values that are no numbers; at most, in one interpretation
        self._nothing = False

    def read_as(self, notations: Mapping[int, AnyNotation]) -> None:
        """Read texts in the notations of their columns from now on."""
        self._ordering.notation = notations.get(self._node)

    def value(self, rows: Sequence[Row]) -> str | None:
        """The id of what all rows of an interpretation give; None where they have no value."""
        found = self._extreme(rows) if self._function in ("min", "max") else self._total(rows)
        self._nothing = self._nothing or found is None
        return found

    def notes(self) -> Iterator[str]:
        """What was left out, in words."""
        yield from self._ordering.notes()
        if self._others:
            what = "value is no number" if self._others == 1 else "values are no numbers"
            yield f"{self._others:,} {what}, and left out of {self._function}({self._named})"
        if self._nothing:
            yield f"{self._of} has no value for {self._function}({self._named})"

    def _extreme(self, rows: Sequence[Row]) -> str | None:
        ordered = self._ordering.rows(rows)
        return min((row[self._node] or "" for row in ordered), default=None)

    def _total(self, rows: Sequence[Row]) -> str | None:
        different = dict.fromkeys(row[: self._width] for row in rows)
        numbers: list[Decimal] = []
        others: set[str | None] = set()
        for row in different:
            id = row[self._node]
            number = meaning_of(id).number if id is not None and is_literal(id) else None
            if number is None:
                others.add(id)
            else:
                numbers.append(number)
        self._others = max(self._others, len(others))
        if not numbers:
            return None
        total = Decimal(0)
        for number in numbers:
            total = _EXACT.add(total, number)
        if self._function == "avg":
            total = _AVERAGE.divide(total, Decimal(len(numbers)))
        return _id_of(total)


def value_words(id: str) -> str:
    """A value as it is shown: numbers with at most twelve significant digits after a point.

    Example:
        >>> value_words('"3.333333333333333333"^^<http://www.w3.org/2001/XMLSchema#decimal>')
        '3.33333333333'
    """
    text = display_name(id)
    if not id.endswith(f"^^<{XSD}decimal>") or len(text) <= _SHOWN:
        return text
    number = Decimal(text)
    return format(_ROUNDED.plus(number), "f") if abs(number) < 10**_SHOWN else text


def _id_of(number: Decimal) -> str:
    if abs(number.adjusted()) > _DIGITS:  # too long to write out
        return literal(f"{number:E}", datatype=XSD + "double")
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return literal(text, datatype=XSD + ("decimal" if "." in text else "integer"))
