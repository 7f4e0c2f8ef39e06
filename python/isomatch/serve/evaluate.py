"""Queries over what searches found, evaluated by rdflib within a budget.

rdflib asks its hook, ``CUSTOM_EVALS``, about each part of a query before it evaluates
the part itself. Ours takes basic graph patterns, which are tables here, and joins,
which rdflib does by nested loops that nothing ends.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, cast

from rdflib.graph import Graph
from rdflib.plugins.sparql import CUSTOM_EVALS
from rdflib.plugins.sparql.evaluate import (
    evalPart,
    evalQuery,
    evalUnion,
    evalValues,
)
from rdflib.plugins.sparql.evalutils import _ebv
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import FrozenBindings, Query, QueryContext
from rdflib.term import BNode, Identifier, Literal, Node, Variable

from isomatch.serve.found import Found
from isomatch.serve.groups import Group
from isomatch.serve.refusal import Refusal

Row = dict[Variable, Identifier]


class Budget:
    """Ends work that takes longer, or has more rows, than it may.

    Args:
        seconds: from now on.
        rows: that the parts of the query may give, all of them together.
    """

    def __init__(self, seconds: float, rows: int = 500_000):
        self._seconds = seconds
        self._end = monotonic() + seconds
        self.rows = self._left = rows

    def check(self) -> None:
        """Nothing, or `Refusal` where the time is over."""
        if monotonic() > self._end:
            raise Refusal(
                503,
                f"the query took longer than {self._seconds:g} s: ask for fewer rows, or leave "
                "joins to your own engine",
                {"Retry-After": "5"},
            )

    def counted(self, rows: Iterable[Any]) -> Iterator[Any]:
        """The rows of a part, as long as there are not too many."""
        for row in rows:
            self.check()
            self._left -= 1
            if self._left < 0:
                raise Refusal(
                    400,
                    f"the parts of the query have more than {self.rows} rows together: leave "
                    "joins to your own engine",
                )
            yield row


class Table:
    """The rows of one search, by the variables of its group.

    Args:
        group: what is wanted of each match.
        found: the matches.
        budget: ends the work.
    """

    def __init__(self, group: Group, found: Found, budget: Budget):
        self._rows = list(_rows(group, found, budget))
        self._by_value: dict[Variable, dict[Identifier, list[Row]]] = {}
        variables = [term for _, term in group.columns if isinstance(term, Variable)]
        if isinstance(group.subject, Variable):
            variables.append(group.subject)
        self.variables = tuple(dict.fromkeys(variables))

    def rows(self, bound: Mapping[Variable, Identifier]) -> Iterable[Row]:
        """The rows that agree with what is bound already."""
        known = [v for v in self.variables if v in bound]
        if not known:
            return self._rows
        first = known[0]
        if first not in self._by_value:
            index = self._by_value[first] = defaultdict(list)
            for row in self._rows:
                index[row[first]].append(row)
        candidates = self._by_value[first].get(bound[first], ())
        return [row for row in candidates if all(row[v] == bound[v] for v in known)]


def _rows(group: Group, found: Found, budget: Budget) -> Iterator[Row]:
    for values in found.rows([name for name, _ in group.columns]):
        budget.check()
        row: Row = {}
        for (_, term), value in zip(group.columns, values, strict=True):
            if isinstance(term, Variable):
                if row.setdefault(term, value) != value:
                    break
            elif not isinstance(term, BNode) and not _equal(value, term):
                break
        else:
            # A match is a node of its own, as in any triple store.
            if not isinstance(group.subject, Variable) or (
                row.setdefault(group.subject, BNode()) not in values
            ):
                yield row


def _equal(found: Identifier, wanted: Node) -> bool:
    """Whether a column has a value that the query names; numbers are compared as such."""
    if not isinstance(found, Literal) or not isinstance(wanted, Literal):
        return found == wanted
    if isinstance(found.value, float):  # of isomatch:gsd 0.5, which is an xsd:decimal
        with contextlib.suppress(TypeError, ValueError):
            return found.value == float(wanted.value)
    return found == wanted or found.normalize() == wanted.normalize()


def evaluated(query: Query, budget: Budget) -> Mapping[str, Any]:
    """What rdflib gives for a query whose basic graph patterns have ``tables``."""
    return evalQuery(_Nothing(budget), query)


class _Nothing(Graph):
    """The graph of our queries: no triples, and the budget for the parts to find."""

    def __init__(self, budget: Budget):
        super().__init__()
        self.budget = budget


def _part(context: QueryContext, part: CompValue) -> Iterator[Any]:
    """Our hook: the rows of a part, counted; queries of others are left to rdflib."""
    evaluate = _PARTS.get(part.name)
    if evaluate is None or not isinstance(context.graph, _Nothing):
        raise NotImplementedError
    return _budget(context).counted(evaluate(context, part))


def _budget(context: QueryContext) -> Budget:
    return cast(_Nothing, context.graph).budget


def _pattern(context: QueryContext, part: CompValue) -> Iterator[FrozenBindings]:
    tables: Sequence[Table] = part.tables
    bound: dict[Variable, Any] = {v: context[v] for table in tables for v in table.variables}
    bound = {v: value for v, value in bound.items() if value is not None}
    for row in _combined(tables, bound):
        yield FrozenBindings(context, row)


def _combined(tables: Sequence[Table], bound: Row) -> Iterator[Row]:
    if not tables:
        yield bound
        return
    for row in tables[0].rows(bound):
        yield from _combined(tables[1:], {**bound, **row})


def _join(context: QueryContext, part: CompValue) -> Iterator[FrozenBindings]:
    for row, others in _compatible(context, part):
        yield from (row.merge(other) for other in others)


def _left_join(context: QueryContext, part: CompValue) -> Iterator[FrozenBindings]:
    for row, others in _compatible(context, part):
        merged = (row.merge(other) for other in others)
        yield from [both for both in merged if _ebv(part.expr, both)] or [row]


def _minus(context: QueryContext, part: CompValue) -> Iterator[FrozenBindings]:
    for row, others in _compatible(context, part):
        if all(row.disjointDomain(other) for other in others):
            yield row


def _compatible(
    context: QueryContext, part: CompValue
) -> Iterator[tuple[FrozenBindings, list[FrozenBindings]]]:
    """Each row of the first part with those of the second that agree with it.

    Found by the variables that every row of both has; the others are compared.
    """
    left, right = list(evalPart(context, part.p1)), list(evalPart(context, part.p2))
    sides = [set.intersection(*map(set, rows)) if rows else set() for rows in (left, right)]
    shared = tuple(sides[0] & sides[1])
    index = defaultdict(list)
    for row in right:
        index[tuple(row[v] for v in shared)].append(row)
    for row in left:
        _budget(context).check()
        others = index.get(tuple(row[v] for v in shared), [])
        yield row, [other for other in others if row.compatible(other)]


def _multiset(context: QueryContext, part: CompValue) -> Iterator[FrozenBindings]:
    if part.p == []:  # how rdflib reads a VALUES without rows, and then fails
        return iter(())
    return evalValues(context, part) if part.p.name == "values" else evalPart(context, part.p)


_PARTS = {
    "BGP": _pattern,
    "Join": _join,
    "LeftJoin": _left_join,
    "Minus": _minus,
    "Union": evalUnion,
    "ToMultiSet": _multiset,
}
CUSTOM_EVALS["isomatch.serve"] = _part
