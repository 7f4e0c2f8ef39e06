"""SPARQL queries over the vocabulary: read, checked, and solved.

rdflib reads the text into SPARQL's algebra. Every basic graph pattern in it is
searches of ours; the rest may only be what combines their solutions. The searches
run, and rdflib evaluates the query over what they found. No part of the text
reaches the database.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from pyparsing import ParseBaseException
from rdflib.plugins.sparql.algebra import translateQuery, traverse
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Query, SPARQLError
from rdflib.term import Identifier, URIRef

from isomatch.serve.evaluate import Budget, Table, evaluated
from isomatch.serve.found import Found
from isomatch.serve.groups import Search, read_groups
from isomatch.serve.refusal import Refusal
from isomatch.serve.vocabulary import supported

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
    _searched(query, find, budget)
    try:
        result = evaluated(query, budget)
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


def _searched(query: Query, find: Callable[[Search], Found], budget: Budget) -> None:
    """Run the searches; their rows take the places of the patterns."""
    parts = _parts(query)
    patterns = [part for part in parts if part.name == "BGP"]
    groups = [read_groups(pattern.triples) for pattern in patterns]
    if not any(groups):
        raise Refusal(400, f"the query has no search. {supported()}")
    for pattern, its_groups in zip(patterns, groups, strict=True):
        pattern["tables"] = [Table(group, find(group.search), budget) for group in its_groups]
