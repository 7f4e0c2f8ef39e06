"""SPARQL queries over the vocabulary: read, checked, and solved.

rdflib reads the text into SPARQL's algebra. Every basic graph pattern in it is
searches of ours; the rest may only be what combines their solutions. The searches
run, what they found becomes triples of a small graph, one subject a match, and
rdflib evaluates the query over that. No part of the text reaches the database.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any

from pyparsing import ParseBaseException
from rdflib.graph import Graph
from rdflib.plugins.sparql import CUSTOM_EVALS
from rdflib.plugins.sparql.algebra import translateQuery, traverse
from rdflib.plugins.sparql.evaluate import (
    evalJoin,
    evalLeftJoin,
    evalMinus,
    evalQuery,
    evalUnion,
)
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Query, QueryContext, SPARQLError
from rdflib.term import BNode, Identifier, Literal, URIRef, Variable

from isomatch.serve.found import Found
from isomatch.serve.groups import Group, Search, read_groups
from isomatch.serve.refusal import Refusal
from isomatch.serve.vocabulary import NS, supported

# What combines solutions, and expressions whose cost is in proportion to their size:
# no regular expressions, and nothing that can make a value much longer than it was.
_PARTS = {
    *("SelectQuery", "AskQuery", "Project", "Distinct", "Reduced", "OrderBy", "OrderCondition"),
    *("Slice", "Extend", "Filter", "TrueFilter", "Join", "LeftJoin", "Union", "Minus", "BGP"),
    *("ToMultiSet", "values", "Group", "AggregateJoin", "vars"),
    # Sample is how rdflib gives the variables of GROUP BY; its MIN of IRIs gives texts.
    *("Aggregate_Count", "Aggregate_Sample"),
    *("ConditionalOrExpression", "ConditionalAndExpression"),
    *("RelationalExpression", "AdditiveExpression", "UnaryNot", "UnaryMinus", "UnaryPlus"),
    *(f"Builtin_{name}" for name in ("BOUND", "COALESCE", "IF", "sameTerm", "STR", "LANG")),
    *(f"Builtin_{name}" for name in ("LANGMATCHES", "DATATYPE", "isIRI", "isURI", "isBLANK")),
    *(f"Builtin_{name}" for name in ("isLITERAL", "isNUMERIC", "CONTAINS", "STRSTARTS")),
    *(f"Builtin_{name}" for name in ("STRENDS", "STRLEN", "LCASE", "UCASE", "ABS", "ROUND")),
}
_SHOWN = {
    "ServiceGraphPattern": "SERVICE",
    "Graph": "GRAPH with a variable",
    "Function": "a function that is called by its IRI",
    "MultiplicativeExpression": "multiplication and division",
    "ConstructQuery": "CONSTRUCT",
    "DescribeQuery": "DESCRIBE",
}
_reading = Lock()  # pyparsing's grammars are for one thread at a time


@dataclass(frozen=True, slots=True)
class Solutions:
    """The solutions of a SELECT.

    Attributes:
        variables: their names, as projected.
        rows: a term for each variable, None where it is unbound.
    """

    variables: tuple[str, ...]
    rows: list[tuple[Identifier | None, ...]]


class Budget:
    """Ends work that takes longer, or combines more, than it may.

    Args:
        seconds: from now on.
        rows: that joins may give, all of them together.
    """

    def __init__(self, seconds: float, rows: int = 500_000):
        self._seconds = seconds
        self._end = monotonic() + seconds
        self._rows = self._left = rows

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
        """The rows of a join, as long as there are not too many."""
        for row in rows:
            self.check()
            self._left -= 1
            if self._left < 0:
                raise Refusal(
                    400,
                    f"the joins of the query have more than {self._rows} rows: leave them to "
                    "your own engine",
                )
            yield row


def answer(text: str, find: Callable[[Search], Found], budget: Budget) -> Solutions | bool:
    """The solutions of a SELECT, or whether an ASK has any.

    Args:
        text: of the query.
        find: runs a search.
        budget: ends the work.

    Raises:
        Refusal: malformed, or more than is supported, or out of time.
        IsomatchError: a pattern breaks a rule, or a search failed.
    """
    query = _read(text)
    query.algebra = traverse(query.algebra, visitPost=_without_graph)
    _check(query)
    graph = _Rows(budget)
    _put_searches(query, graph, find)
    try:
        result = evalQuery(graph, query)
        if query.algebra.name == "AskQuery":
            return bool(result["askAnswer"])
        variables = tuple(query.algebra.PV)
        rows = [tuple(map(dict(row).get, variables)) for row in result["bindings"]]
    except (SPARQLError, RecursionError) as error:
        raise Refusal(400, f"the query cannot be evaluated: {error}") from error
    return Solutions(tuple(map(str, variables)), rows)


def _read(text: str) -> Query:
    try:
        with _reading:
            return translateQuery(parseQuery(text))
    except ParseBaseException as error:
        raise Refusal(
            400,
            f"malformed query, line {error.lineno}, column {error.column}: {error.msg}\n"
            f"{error.line}\n{' ' * (error.column - 1)}^\n{supported()}",
        ) from error
    except RecursionError as error:
        raise Refusal(400, "malformed query: it is nested too deeply") from error
    except Exception as error:  # rdflib raises bare ones, of prefixes and scopes
        raise Refusal(400, f"malformed query: {error}\n{supported()}") from error


def _without_graph(part: Any) -> Any:
    """What is in a GRAPH, for the GRAPH.

    Virtuoso puts the default graph of its own query around what it sends.
    """
    if isinstance(part, CompValue) and part.name == "Graph" and isinstance(part.term, URIRef):
        return part.p
    return None


def _parts(query: Query) -> list[CompValue]:
    parts: list[CompValue] = []

    def visit(part: Any) -> None:
        if isinstance(part, CompValue):
            parts.append(part)

    traverse(query.algebra, visitPre=visit)
    return parts


def _check(query: Query) -> None:
    """Refuse what is not supported."""
    if query.algebra.datasetClause:
        raise Refusal(400, f"FROM: this service has no graphs to choose from. {supported()}")
    for part in _parts(query):
        if part.name not in _PARTS:
            name = _SHOWN.get(part.name, part.name.removeprefix("Builtin_"))
            raise Refusal(
                400, f"{name} is not evaluated here: leave it to your own engine. {supported()}"
            )


def _put_searches(query: Query, graph: _Rows, find: Callable[[Search], Found]) -> None:
    """Run the searches; their rows go into the graph, and the patterns ask for these."""
    parts = _parts(query)
    patterns = [part for part in parts if part.name == "BGP"]
    groups = [read_groups(pattern.triples) for pattern in patterns]
    if not any(groups):
        raise Refusal(400, f"the query has no search. {supported()}")
    number = 0
    for pattern, its_groups in zip(patterns, groups, strict=True):
        triples = []
        for group in its_groups:
            number += 1
            triples += graph.put(number, group, find(group.search))
        pattern["triples"] = triples
    for part in parts:
        if part.name == "values":
            part["res"] = _Timed(part.res, graph.budget)


class _Timed(list[Any]):
    """The rows of a VALUES, which end when the time is over."""

    def __init__(self, rows: Iterable[Any], budget: Budget):
        super().__init__(rows)
        self._budget = budget

    def __iter__(self) -> Iterator[Any]:
        for row in super().__iter__():
            self._budget.check()
            yield row


class _Rows(Graph):
    """What searches found, as triples; reading them ends when the time is over."""

    def __init__(self, budget: Budget):
        super().__init__()
        self.budget = budget

    def put(self, number: int, group: Group, found: Found) -> list[Any]:
        """Add the rows of a search; gives the triple patterns that match them."""
        asked = [
            (group.subject, URIRef(f"{NS}{number}:{place}"), term)
            for place, (_, term) in enumerate(group.columns)
        ]
        fixed = {i: term for i, (_, term) in enumerate(group.columns) if _is_fixed(term)}
        # What every row has; rdflib looks here first, and so in order of rank, where it
        # has no value to look for.
        mark = (URIRef(f"{NS}{number}:row"), Literal(number))
        for row in found.rows([name for name, _ in group.columns]):
            self.budget.check()
            if all(_equal(row[i], term) for i, term in fixed.items()):
                subject = BNode()
                self.add((subject, *mark))
                for i, (_, predicate, _) in enumerate(asked):
                    self.add((subject, predicate, fixed.get(i, row[i])))
        asked.append((group.subject, *mark))
        return asked

    def triples(self, triple: Any) -> Iterator[Any]:  # type: ignore[override]
        """As `Graph.triples`."""
        self.budget.check()
        for found in super().triples(triple):
            self.budget.check()
            yield found


def _bounded(context: QueryContext, part: CompValue) -> Iterator[Any]:
    """rdflib's own joins, counted; its hook for what it leaves to others."""
    join = _JOINS.get(part.name)
    if join is None or not isinstance(context.graph, _Rows):
        raise NotImplementedError  # as the hook wants it: rdflib goes on alone
    return context.graph.budget.counted(join(context, part))


_JOINS = {"Join": evalJoin, "LeftJoin": evalLeftJoin, "Minus": evalMinus, "Union": evalUnion}
CUSTOM_EVALS["isomatch.serve"] = _bounded


def _is_fixed(term: Any) -> bool:
    return not isinstance(term, (Variable, BNode))


def _equal(found: Identifier, wanted: Any) -> bool:
    """Whether a column has a value that the query names; numbers are compared as such."""
    if not isinstance(found, Literal) or not isinstance(wanted, Literal):
        return bool(found == wanted)
    if isinstance(found.value, float):  # of isomatch:gsd 0.5, which is an xsd:decimal
        with contextlib.suppress(TypeError, ValueError):
            return found.value == float(wanted.value)
    return bool(found == wanted or found.normalize() == wanted.normalize())
