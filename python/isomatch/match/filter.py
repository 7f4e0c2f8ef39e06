"""What a pattern asks of the rows of an interpretation, beyond its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from isomatch.match.aggregate import Aggregator, Grouper, Groups
from isomatch.match.conditions import compare, holds, may_compare, may_hold
from isomatch.match.notations import AnyNotation, as_read, with_dates
from isomatch.match.order import Ordering
from isomatch.match.parts import PartAnswers, PartFilter
from isomatch.pattern.types import Condition, Each, Order, Pattern
from isomatch.store.base import Row
from isomatch.store.terms import is_literal

STEPS = 512  # rows between two looks at the time


class Filter:
    """The conditions, parts and order of a pattern on the rows of a search.

    False where there are none.

    Args:
        pattern: has them.
        used: numbers of the pattern's nodes that are the columns of the rows, in order.
        parts: what the pattern's parts gave, in their order.
        check: called now and then; may raise to end the search.

    Attributes:
        together: whether the rows of an interpretation can be judged all together only.
        lacks: whether rows are missing because a part was not read whole.
        undecided: whether a row was left out that is not sure to break a condition: what could
            not be compared, or is less exact than what it is compared with. So it is where a part
            left out such a row.
        unsure: rows that were left out only because a part has what they cannot be compared with.
        count_column: place of what the pattern counts; None where it counts nothing.
        answers: places of what it returns.
        unread: whether not all rows of an interpretation were given; set by the search.
    """

    def __init__(
        self,
        pattern: Pattern,
        used: Sequence[int],
        parts: Sequence[PartAnswers] = (),
        check: Callable[[], None] = lambda: None,
    ):
        column = {pattern.nodes[n].id: place for place, n in enumerate(used)}
        answers = [column[id] for id in pattern.answers]
        self._conditions = [_Judged(c, column) for c in pattern.where if not c.function]
        self._grouped = [
            _Grouped(c, column, grouper)
            for c in pattern.where
            if (grouper := _grouper(c, column, answers, len(used)))
        ]
        self.answers = answers
        self._parts = [PartFilter(part, [column[id] for id in part.part.nodes]) for part in parts]
        self.count_column = None if pattern.count is None else column[pattern.count]
        order = pattern.order
        self._order_by = _grouper(order, column, answers, len(used)) if order else None
        values = self._order_by.first if self._order_by else None
        self._order = order and Ordering(order, column[order.node], answers, values)
        self._order_column = column[order.node] if order else 0
        given = pattern.aggregate
        self._aggregate = given and Aggregator(given, column[given.node], len(used))
        each = pattern.each
        self._each = Grouper(each, column, answers, len(used)) if each else None
        self._check = check
        self._uncompared: set[str] = set()
        # Rows of each interpretation of which none is left; None where it had more.
        self._unsatisfied: list[int | None] = []
        self._read = 0  # interpretations
        self.unread = False
        self.together = pattern.judged_together
        self.lacks = any(part.lacks for part in parts)
        self.undecided = any(part.undecided for part in parts)
        self.unsure: list[Row] = []

    def __bool__(self) -> bool:
        asked = (self._order, self._aggregate, self._each)
        return bool(self._conditions or self._grouped or self._parts) or any(asked)

    def read_as(self, notations: Mapping[int, AnyNotation]) -> None:
        """Read texts in the notations of their columns from now on, but in parts."""
        # What texts mean is found by looking at values, not proven.
        found = any(not notation.declared for notation in notations.values())
        self.undecided = self.undecided or bool(self._conditions and found)
        for condition in self._conditions:
            condition.read_as(notations)
        for grouped in self._grouped:
            grouped.read_as(notations)
        if self._order:
            self._order.notation = notations.get(self._order_column)
        for one in (self._aggregate, self._each, self._order_by):
            if one:
                one.read_as(notations)

    def rows(self, rows: Sequence[Row], *, whole: bool = True) -> list[Row]:
        """Those that satisfy all conditions and parts, of the answers that the order keeps.

        Args:
            rows: of one interpretation.
            whole: whether these are all of its rows.
        """
        kept = list(rows)
        self._read += 1
        if self._conditions or self._parts:
            kept = [row for number, row in enumerate(rows) if self._satisfies(number, row)]
        for grouped in self._grouped:
            kept = grouped.rows(kept, self._uncompared)
            self.undecided = self.undecided or grouped.undecided
        if not kept and (rows or not whole):
            self._unsatisfied.append(len(rows) if whole else None)
        return self._order.rows(kept) if self._order else kept

    def value(self, rows: Sequence[Row]) -> str | None:
        """Id of what the pattern works out of all rows that `rows` kept; None for nothing."""
        return self._aggregate.value(rows) if self._aggregate else None

    def counted(self, rows: Sequence[Row]) -> int | None:
        """How many different nodes it counts in all rows that `rows` kept; None for no count."""
        return None if self.count_column is None else len({row[self.count_column] for row in rows})

    def answered(self, rows: Sequence[Row]) -> int:
        """How many different answers the rows have; 0 where the pattern returns nothing."""
        return len(set(map(self._answer, rows))) if self.answers else 0

    def repeats(self, rows: Sequence[Row]) -> bool:
        """Whether several rows have the same answer."""
        return 0 < self.answered(rows) < len(rows)

    def groups(self, rows: Sequence[Row]) -> Groups:
        """What the pattern works out for each answer, of all rows that `rows` kept."""
        return self._each.of(rows) if self._each else {}

    def shown(self, rows: Sequence[Row], limit: int) -> list[Row]:
        """At most so many rows, in order; of as many answers as can be."""
        if len(rows) <= limit or not self.answers:
            return list(rows[:limit])
        first: dict[Row, int] = {}
        for number, row in enumerate(rows):
            first.setdefault(self._answer(row), number)
        chosen = dict.fromkeys([*first.values(), *range(len(rows))])
        return [rows[number] for number in sorted(islice(chosen, limit))]

    def notes(self) -> Iterator[str]:
        """What could not be compared, and what was left out whole, in words."""
        every = len(self._unsatisfied) == self._read
        if count := len(self._uncompared):
            what = "nodes or values" if count > 1 else "node or value"
            of = f", in {self._read} interpretations together" if self._read > 1 else ""
            note = (
                f"{count:,} {what} could not be compared with what a condition names, and so "
                f"{'satisfy' if count > 1 else 'satisfies'} no condition{of}"
            )
            if every and not any(map(is_literal, self._uncompared)):
                note += '. These are nodes: name one in the pattern, ("Heat"), and in no condition'
            yield note
        if (count := len(self._unsatisfied)) and not self.unread:
            where = f"in {count} interpretation{'s' if count > 1 else ''} "
            yield f"{'' if every else where}no match satisfies the conditions{self._of()}"
        if self.unread and self:
            yield (
                "an interpretation has more matches than were read: others may satisfy the "
                "conditions too"
            )
        for part in self._parts:
            yield from part.notes()
        for one in (*self._grouped, self._order_by, self._order, self._aggregate, self._each):
            if one:
                yield from one.notes()

    def _answer(self, row: Row) -> Row:
        return tuple(row[column] for column in self.answers)

    def _of(self) -> str:
        """Of how many matches none satisfies the conditions, where that is known."""
        counts = [count for count in self._unsatisfied if count is not None]
        return f" (of {max(counts):,})" if len(counts) == len(self._unsatisfied) else ""

    def _satisfies(self, number: int, row: Row) -> bool:
        if number % STEPS == 0:
            self._check()
        satisfied = True
        for condition in self._conditions:
            result = condition.holds(row)
            if result is None:
                self._uncompared.add(row[condition.at] or "")
            satisfied = satisfied and bool(result)
        within = satisfied and all(part.holds(row, self._uncompared) for part in self._parts)
        if not (within or self._is_broken(row)):
            self.undecided = True
            if satisfied:
                self.unsure.append(row)
        return within

    def _is_broken(self, row: Row) -> bool:
        """Whether a row is sure to break a condition or part."""
        broken = any(condition.is_broken(row) for condition in self._conditions)
        return broken or any(part.is_broken(row) for part in self._parts)


class _Judged:
    """A condition on the rows of a search; what it says of a value, it says once.

    Args:
        condition: which counts nothing.
        column: by id of a node.
    """

    def __init__(self, condition: Condition, column: Mapping[str, int]):
        self.at = column[condition.node]
        # Each with the column of the node that it compares with, if any.
        self._given = [
            (one, None if one.other is None else column[one.other])
            for one in condition.alternatives
        ]
        others = dict.fromkeys(o for _, o in self._given if o is not None)
        self._notations: Mapping[int, AnyNotation] = {}
        self._alternatives = [_Alternative(*given) for given in self._given]
        self._columns = (self.at, *others)
        self._held: dict[Row, bool | None] = {}
        self._broken: dict[Row, bool] = {}

    def read_as(self, notations: Mapping[int, AnyNotation]) -> None:
        """Read texts in the notations of their columns from now on."""
        notations = {column: n for column, n in notations.items() if column in self._columns}
        if notations == self._notations:
            return
        self._notations = notations
        self._held.clear()
        self._broken.clear()
        self._alternatives = []
        for condition, other in self._given:
            mine = notations.get(self.at)
            dated = condition if other is not None else with_dates(condition, mine)
            theirs = None if other is None else notations.get(other)
            one = _Alternative(dated or condition, other, mine if dated else None, theirs)
            self._alternatives.append(one)

    def holds(self, row: Row) -> bool | None:
        """Whether a row satisfies it; None where something cannot be compared."""
        compared = tuple(row[column] for column in self._columns)
        if compared not in self._held:
            self._held[compared] = self.satisfies(row[self.at] or "", row)
        return self._held[compared]

    def satisfies(self, id: str, row: Row = ()) -> bool | None:
        """As `holds`, of a value; the row is for other nodes that it is compared with."""
        results = [one.holds(id, row) for one in self._alternatives]
        return any(results) or (None if None in results else False)

    def is_broken(self, row: Row) -> bool:
        """Whether a row is sure not to satisfy it."""
        compared = tuple(row[column] for column in self._columns)
        if compared not in self._broken:
            id = row[self.at] or ""
            self._broken[compared] = all(one.is_broken(id, row) for one in self._alternatives)
        return self._broken[compared]


def _grouper(
    given: Condition | Order, column: Mapping[str, int], answers: Sequence[int], width: int
) -> Grouper | None:
    """What gives the values by answer that are compared or ordered; None without a function."""
    if given.function is None:
        return None
    return Grouper((Each(given.function, given.node),), column, answers, width)


class _Grouped:
    """A condition on what a function gives for each answer.

    Args:
        condition: which has a function.
        column: by id of a node.
        grouper: gives the values.

    Attributes:
        undecided: whether an answer was left out of which nothing could be compared.
    """

    def __init__(self, condition: Condition, column: Mapping[str, int], grouper: Grouper):
        either = tuple(replace(one, function=None) for one in condition.either)
        self._judged = _Judged(replace(condition, function=None, either=either), column)
        self._grouper = grouper
        self.undecided = False

    def read_as(self, notations: Mapping[int, AnyNotation]) -> None:
        """Read texts in the notations of their columns from now on."""
        self._judged.read_as(notations)
        self._grouper.read_as(notations)

    def rows(self, rows: Sequence[Row], uncompared: set[str]) -> list[Row]:
        """Those of the answers whose value satisfies it; `uncompared` takes other values in."""
        kept: set[Row] = set()
        for answer, id in self._grouper.first(rows).items():
            result = None if id is None else self._judged.satisfies(id)
            if result:
                kept.add(answer)
            elif result is None:
                self.undecided = True
                if id is not None:
                    uncompared.add(id)
        return [row for row in rows if self._grouper.answer(row) in kept]

    def notes(self) -> Iterator[str]:
        """What was left out, in words."""
        yield from self._grouper.notes()


@dataclass(frozen=True, slots=True)
class _Alternative:
    """One comparison of a condition.

    Attributes:
        condition: by itself.
        other: the column of the node that it compares with, if any.
        notation, others: of texts that are compared, in the node's column and in that one.
    """

    condition: Condition
    other: int | None
    notation: AnyNotation | None = None
    others: AnyNotation | None = None

    def holds(self, id: str, row: Row) -> bool | None:
        """Whether a value satisfies it; None where something cannot be compared."""
        if self.other is None:
            return holds(self.condition, as_read(id, self.notation))
        return compare(*self._compared(self.other, id, row))

    def is_broken(self, id: str, row: Row) -> bool:
        """Whether a value is sure not to satisfy it."""
        if self.other is None:
            id = as_read(id, self.notation)
            return holds(self.condition, id) is False and not may_hold(self.condition, id)
        given = self._compared(self.other, id, row)
        return compare(*given) is False and not may_compare(*given)

    def _compared(self, other: int, id: str, row: Row) -> tuple[str, str, str]:
        theirs = as_read(row[other] or "", self.others)
        return self.condition.operator, as_read(id, self.notation), theirs
