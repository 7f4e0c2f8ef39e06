"""What a pattern asks of the rows of an interpretation, beyond its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from isomatch.match.aggregate import Aggregator
from isomatch.match.conditions import compare, holds, may_compare, may_hold
from isomatch.match.groups import Grouper, Groups
from isomatch.match.order import Ordering
from isomatch.match.parts import PartAnswers, PartFilter
from isomatch.pattern.types import Condition, Pattern
from isomatch.store.base import Row
from isomatch.store.terms import XSD, literal

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
            not be compared, or is less exact than what it is compared with.
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
        self._conditions = [_Judged(c, column) for c in pattern.where if not c.counted]
        self._counted = [(column[c.node], c) for c in pattern.where if c.counted]
        self._answers = answers
        self._parts = [PartFilter(part, [column[id] for id in part.part.nodes]) for part in parts]
        order = pattern.order
        self._order = order and Ordering(order, column[order.node], answers)
        given = pattern.aggregate
        self._aggregate = given and Aggregator(given, column[given.node], len(used))
        each = pattern.each
        self._each = Grouper(each, column, answers, len(used)) if each else None
        self._check = check
        self._uncompared: set[str] = set()
        # Rows of each interpretation of which none is left; None where it had more.
        self._unsatisfied: list[int | None] = []
        self.unread = False
        self.together = pattern.judged_together
        self.lacks = any(part.lacks for part in parts)
        self.undecided = False

    def __bool__(self) -> bool:
        asked = (self._order, self._aggregate, self._each)
        return bool(self._conditions or self._counted or self._parts) or any(asked)

    def rows(self, rows: Sequence[Row], *, whole: bool = True) -> list[Row]:
        """Those that satisfy all conditions and parts, of the answers that the order keeps.

        Args:
            rows: of one interpretation.
            whole: whether these are all of its rows.
        """
        kept = list(rows)
        if self._conditions or self._parts:
            kept = [row for number, row in enumerate(rows) if self._satisfies(number, row)]
        for at, condition in self._counted:
            kept = self._with_counts(kept, at, condition)
        if not kept and (rows or not whole):
            self._unsatisfied.append(len(rows) if whole else None)
        return self._order.rows(kept) if self._order else kept

    def value(self, rows: Sequence[Row]) -> str | None:
        """Id of what the pattern works out of all rows that `rows` kept; None for nothing."""
        return self._aggregate.value(rows) if self._aggregate else None

    def groups(self, rows: Sequence[Row]) -> Groups:
        """What the pattern works out for each answer, of all rows that `rows` kept."""
        return self._each.of(rows) if self._each else {}

    def shown(self, rows: Sequence[Row], limit: int) -> list[Row]:
        """At most so many rows; of as many answers as can be, where each has a value."""
        if len(rows) <= limit or self._each is None:
            return list(rows[:limit])
        return self._each.shown(rows, limit)

    def notes(self) -> Iterator[str]:
        """What could not be compared, and what was left out whole, in words."""
        if count := len(self._uncompared):
            what = "node or value" if count == 1 else "nodes or values"
            yield (
                f"{count:,} {what} could not be compared with what a condition names, and so "
                "satisfy no condition"
            )
        if self._unsatisfied and not self.unread:
            yield "the conditions hold for none of an interpretation's matches" + self._not_for()
        if self.unread and self:
            yield (
                "an interpretation has more matches than were read: others may satisfy the "
                "conditions too"
            )
        for part in self._parts:
            yield from part.notes()
        if self._order:
            yield from self._order.notes()
        if self._aggregate:
            yield from self._aggregate.notes()
        if self._each:
            yield from self._each.notes()

    def _not_for(self) -> str:
        counts = [count for count in self._unsatisfied if count is not None]
        if len(counts) < len(self._unsatisfied):
            return ""
        most = max(counts)
        return ": not for " + ("the one match" if most == 1 else f"any of {most:,} matches")

    def _satisfies(self, number: int, row: Row) -> bool:
        if number % STEPS == 0:
            self._check()
        satisfied = True
        for condition in self._conditions:
            result = condition.holds(row)
            if result is None:
                self._uncompared.add(row[condition.at] or "")
            satisfied = satisfied and bool(result)
        for part in self._parts:
            satisfied = satisfied and bool(part.holds(row, self._uncompared))
        self.undecided = self.undecided or not (satisfied or self._is_broken(row))
        return satisfied

    def _is_broken(self, row: Row) -> bool:
        """Whether a row is sure to break a condition or part."""
        broken = any(condition.is_broken(row) for condition in self._conditions)
        return broken or any(part.is_broken(row) for part in self._parts)

    def _with_counts(self, rows: Sequence[Row], at: int, condition: Condition) -> list[Row]:
        """The rows of the answers that have so many different things in a column."""
        answers = [tuple(row[column] for column in self._answers) for row in rows]
        things: dict[Row, set[str | None]] = {}
        for answer, row in zip(answers, rows, strict=True):
            things.setdefault(answer, set()).add(row[at])
        kept = {
            answer
            for answer, found in things.items()
            if _fits(condition, literal(str(len(found)), datatype=XSD + "integer"))
        }
        return [row for answer, row in zip(answers, rows, strict=True) if answer in kept]


class _Judged:
    """A condition on the rows of a search; what it says of a value, it says once.

    Args:
        condition: which counts nothing.
        column: by id of a node.
    """

    def __init__(self, condition: Condition, column: Mapping[str, int]):
        self.at = column[condition.node]
        # Each with the column of the node that it compares with, if any.
        self._alternatives = [
            (one, None if one.other is None else column[one.other])
            for one in condition.alternatives
        ]
        others = dict.fromkeys(o for _, o in self._alternatives if o is not None)
        self._columns = (self.at, *others)
        self._held: dict[Row, bool | None] = {}
        self._broken: dict[Row, bool] = {}

    def holds(self, row: Row) -> bool | None:
        """Whether a row satisfies it; None where something cannot be compared."""
        compared = tuple(row[column] for column in self._columns)
        if compared not in self._held:
            results = [_holds(*one, row[self.at] or "", row) for one in self._alternatives]
            self._held[compared] = any(results) or (None if None in results else False)
        return self._held[compared]

    def is_broken(self, row: Row) -> bool:
        """Whether a row is sure not to satisfy it."""
        compared = tuple(row[column] for column in self._columns)
        if compared not in self._broken:
            self._broken[compared] = all(
                _is_broken(*one, row[self.at] or "", row) for one in self._alternatives
            )
        return self._broken[compared]


def _fits(condition: Condition, count: str) -> bool:
    return any(holds(one, count) for one in condition.alternatives)


def _holds(condition: Condition, other: int | None, id: str, row: Row) -> bool | None:
    if other is None:
        return holds(condition, id)
    return compare(condition.operator, id, row[other] or "")


def _is_broken(condition: Condition, other: int | None, id: str, row: Row) -> bool:
    if other is None:
        return holds(condition, id) is False and not may_hold(condition, id)
    given = condition.operator, id, row[other] or ""
    return compare(*given) is False and not may_compare(*given)
