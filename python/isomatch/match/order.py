"""The order of a pattern's answers: which of them have the greatest or least values.

Numbers are ordered as decimal numbers, dates by their beginning and then their end, texts after
`isomatch.link.normalise.normalise`; what a function gives for each answer, by that. Values of
different kinds have no order, so those of the kind that most matches have are ordered, and the
others are left out and told. So are nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isomatch.link.normalise import normalise
from isomatch.match.conditions import meaning_of
from isomatch.match.notations import AnyNotation, as_read
from isomatch.pattern.rules import of_node
from isomatch.pattern.types import Order
from isomatch.store.base import Row
from isomatch.store.terms import is_literal, literal_kind, split_literal

KINDS = ("number", "date", "text")  # of two that are equally frequent, the first is ordered


@dataclass(frozen=True, slots=True)
class _Keys:
    """What a value can be ordered by, one for each kind that it has, and the kind that it is."""

    kinds: tuple[str, ...]
    keys: dict[str, Any]


def _keys_of(id: str) -> _Keys:
    keys: dict[str, Any] = {}
    if not is_literal(id):
        return _Keys((), keys)
    meant = meaning_of(id)
    if meant.number is not None:
        keys["number"] = meant.number
    if meant.period is not None:
        keys["date"] = (meant.period.start, meant.period.end)
    kinds = tuple(keys)
    if literal_kind(id) == "text":
        # Of a list of titles, "1917" is a text; of a list of numbers as texts it is a number.
        kinds = kinds or ("text",)
        keys["text"] = normalise(split_literal(id)[0])
    return _Keys(kinds, keys)


class Ordering:
    """The order of a pattern on the rows of a search.

    Args:
        order: of the pattern.
        node: column of the ordered node.
        answers: columns of the pattern's answers.
        values: by answer, what the order's function gives; None where it has none.

    Attributes:
        notation: of the ordered values, where some are texts.
    """

    def __init__(
        self,
        order: Order,
        node: int,
        answers: Sequence[int],
        values: Callable[[Sequence[Row]], Mapping[Row, str | None]] | None = None,
    ):
        self._order = order
        self._named = of_node(order)
        self._node = node
        self._answers = answers
        self._values = values
        self._nodes = 0  # that are no values; at most, in one interpretation
        self._others: dict[str, int] = {}  # values of another kind, by the kind that was ordered
        self._overlaps = False
        self.notation: AnyNotation | None = None
        self._too_few = 0  # places, all passed over; at most, in one interpretation

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """Those of the answers that are kept, in order; all rows of an interpretation are given."""
        keyed = self._keyed(rows)
        down = self._order.descending
        keyed.sort(key=lambda pair: pair[0], reverse=down)  # equal ones stay as they were
        limit, offset = self._order.limit, self._order.offset
        if (limit is None and not offset) or not keyed:
            return [row for _, row in keyed]
        best: dict[Any, Any] = {}  # by answer, the key that it has its place by
        alone = tuple(self._answers) == (self._node,) and not self._order.function
        for key, row in keyed:
            best.setdefault(key if alone else self._answer(row), key)
        places = list(best.values())
        different = list(dict.fromkeys(places))
        if len(different) <= offset:
            self._too_few = max(self._too_few, len(different))
            return []
        before = sum(key in different[:offset] for key in places)
        last = len(places)
        if limit is not None and last - before > limit:
            last = before + limit
            last += sum(key == places[last - 1] for key in places[last:])
        self._look_for_overlaps(places[:before], places[before:])
        self._look_for_overlaps(places[:last], places[last:])
        kept = set(list(best)[before:last])
        return [row for key, row in keyed if (key if alone else self._answer(row)) in kept]

    def notes(self) -> Iterator[str]:
        """What was left out of the order, in words."""
        named = self._named
        if self._too_few:
            counted = self._order.counted
            what = f"counts of ?{self._order.node}" if counted else f"values of {named}"
            yield (
                f"offset {self._order.offset} passes over all answers: there are "
                f"{self._too_few:,} different {what}"
            )
        if self._nodes:
            what = "node or value" if self._nodes == 1 else "nodes or values"
            yield (
                f"{self._nodes:,} {what} of {named} left out of the order: no number, date or text"
            )
        for kind, count in self._others.items():
            what = "value" if count == 1 else "values"
            yield f"ordered by the {kind}s of {named}: {count:,} {what} of another kind left out"
        if self._overlaps:
            yield (
                f"dates of {named} overlap, as a year and a day in it do: those that begin "
                "earlier are taken for less"
            )

    def _answer(self, row: Row) -> Row:
        return tuple(row[column] for column in self._answers)

    def _ids(self, rows: Sequence[Row]) -> Iterator[str | None]:
        """The value of each row, or of its answer."""
        if self._values is None:
            return (row[self._node] for row in rows)
        values = self._values(rows)
        return (values[self._answer(row)] for row in rows)

    def _keyed(self, rows: Sequence[Row]) -> list[tuple[Any, Row]]:
        pairs = [(id, row) for id, row in zip(self._ids(rows), rows, strict=True) if id is not None]
        keys = {id: _keys_of(as_read(id, self.notation)) for id, _ in pairs}
        frequent = dict.fromkeys(KINDS, 0)
        for id, _ in pairs:
            for kind in keys[id].kinds:
                frequent[kind] += 1
        kind = max(KINDS, key=lambda kind: frequent[kind])
        ordered = [(keys[id].keys[kind], row) for id, row in pairs if kind in keys[id].keys]
        self._nodes = max(self._nodes, sum(not found.keys for found in keys.values()))
        others = sum(bool(found.keys) and kind not in found.keys for found in keys.values())
        if others:
            self._others[kind] = max(others, self._others.get(kind, 0))
        return ordered

    def _look_for_overlaps(self, inside: Sequence[Any], outside: Sequence[Any]) -> None:
        """Note where a date at one side of a border and one at the other have no order."""
        if not outside or not inside or not isinstance(inside[0], tuple):
            return
        lower, upper = (outside, inside) if self._order.descending else (inside, outside)
        latest, earliest = max(end for _, end in lower), min(start for start, _ in upper)
        self._overlaps = self._overlaps or latest > earliest
