"""Evaluate queries in Oxigraph, over the rows of their searches and within a budget."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Any

import pyoxigraph as ox

from isomatch import cancel
from isomatch.serve.errors import RequestError
from isomatch.serve.sparql.query import COUNT_ROW, IN_TIME, Query, read_query
from isomatch.serve.sparql.results import SearchResults, Value
from isomatch.serve.sparql.search_groups import Search, SearchGroup
from isomatch.serve.sparql.vocabulary import supported
from isomatch.store.terms import KIND_OF_DATATYPE, XSD

# VALUES cannot have blank nodes: these IRIs stand for them, and a function gives the node.
BLANK = "urn:isomatch:blank:"
BLANK_FUNCTION = "urn:isomatch:function:blank"
_TRUE = ox.Literal(True)


class Budget:
    """Limits the time and the rows of a query.

    Args:
        seconds: from now on.
        rows: most rows of the query's parts, all together.
    """

    def __init__(self, seconds: float, rows: int = 500_000):
        self._seconds = seconds
        self._cancellation = cancel.current()
        self._end = monotonic() + seconds
        self.rows = self._left = rows

    def check(self) -> None:
        """Raise `RequestError` once a limit is passed.

        Raises:
            SearchCancelled: the client has gone.
        """
        if self._cancellation is not None:
            self._cancellation.check()
        if monotonic() > self._end:
            raise RequestError(
                503,
                f"the query took longer than {self._seconds:g} s: ask for fewer rows, or leave "
                "joins to your own engine",
                {"Retry-After": "5"},
            )
        if self._left < 0:
            raise RequestError(
                400,
                f"the parts of the query have more than {self.rows} rows together: leave "
                "joins to your own engine",
            )

    def in_time(self) -> ox.Literal | None:
        """True; None once a limit is passed, see `isomatch.serve.sparql.query`."""
        going = self._left >= 0
        if self._cancellation is not None and self._cancellation.cancelled:
            return None
        return _TRUE if going and monotonic() <= self._end else None

    def count_row(self) -> ox.Literal | None:
        """Count one row; the same value as `in_time`."""
        self._left -= 1
        return self.in_time()


def answer(text: str, find: Callable[[Search], SearchResults], budget: Budget) -> bytes:
    """The result of a query, in the SPARQL 1.1 Query Results JSON Format.

    Args:
        text: of the query.
        find: runs a search.
        budget: limits the evaluation; the time of the searches counts too.

    Raises:
        RequestError: malformed, or more than is supported, or over the budget.
        IsomatchError: a pattern breaks a rule, or a search failed.
    """
    query = read_query(text)
    # Without rows: whether Oxigraph takes the query, before anything is searched.
    _evaluated(query, lambda group: _values(group, []), Budget(seconds=0, rows=0))
    results = {search: find(search) for search in dict.fromkeys(g.search for g in query.groups)}
    written: dict[tuple[str, str, str], ox.Literal] = {}

    def rows(group: SearchGroup) -> str:
        found = list(_rows(group, results[group.search], budget))
        written.update(_lexical_forms(query, group, found))
        return _values(group, found)

    result = _evaluated(query, rows, budget)
    budget.check()
    return _restored(result, written, query.has_columns)


def _evaluated(query: Query, rows: Callable[[SearchGroup], str], budget: Budget) -> bytes:
    functions: dict[ox.NamedNode, Any] = {
        ox.NamedNode(COUNT_ROW): budget.count_row,
        ox.NamedNode(IN_TIME): budget.in_time,
        ox.NamedNode(BLANK_FUNCTION): _blank,
    }
    try:
        result = ox.Store().query(query.text(rows), custom_functions=functions)
    except SyntaxError as error:
        # Oxigraph lists all tokens that it would take, and sometimes a reason in words.
        expected = re.split(r", |: |expected (?:one of )?", str(error))
        reasons = [words for words in expected[1:] if words.count(" ") > 1]
        reason = "; ".join(reasons) or "its solution modifiers or variables are not SPARQL's"
        raise RequestError(400, f"malformed query: {reason}\n{supported()}") from error
    assert not isinstance(result, ox.QueryTriples)  # of CONSTRUCT, which is refused
    return result.serialize(format=ox.QueryResultsFormat.JSON) or b""


def _blank(term: Value) -> Value:
    is_blank = isinstance(term, ox.NamedNode) and term.value.startswith(BLANK)
    return ox.BlankNode(term.value.removeprefix(BLANK)) if is_blank else term


def _rows(group: SearchGroup, results: SearchResults, budget: Budget) -> Iterator[dict[str, Value]]:
    """The rows of a search by variable, where they agree with the group's constants."""
    for values in results.rows([name for name, _ in group.columns]):
        budget.check()
        row: dict[str, Value] = {}
        for (_, term), value in zip(group.columns, values, strict=True):
            if isinstance(term, ox.Variable):
                if row.setdefault(term.value, value) != value:
                    break
            elif not isinstance(term, ox.BlankNode) and not _equal(value, term):
                break
        else:
            # A match is a node of its own, as in any triple store: it is no column's value.
            if not isinstance(group.subject, ox.Variable) or group.subject.value not in row:
                yield row


def _equal(found: Value, wanted: Value) -> bool:
    """Whether a column has a constant of the query; numbers are compared by value."""
    if isinstance(found, ox.Literal) and isinstance(wanted, ox.Literal):
        kinds = [KIND_OF_DATATYPE.get(literal.datatype.value) for literal in (found, wanted)]
        double = found.datatype.value == XSD + "double"
        if kinds == ["number", "number"] and (double or found.datatype == wanted.datatype):
            with contextlib.suppress(ValueError):
                return float(found.value) == float(wanted.value)
    return found == wanted


def _values(group: SearchGroup, rows: list[dict[str, Value]]) -> str:
    """The rows of a group as a group graph pattern."""
    names = list(dict.fromkeys(t.value for _, t in group.columns if isinstance(t, ox.Variable)))
    blank = {n for n in names if any(isinstance(row[n], ox.BlankNode) for row in rows)}
    heads = " ".join(f"?isomatch_blank_{n}" if n in blank else f"?{n}" for n in names)
    lines = (f"({' '.join(_written(row[name]) for name in names)})" for row in rows)
    binds = [f"BIND(<{BLANK_FUNCTION}>(?isomatch_blank_{n}) AS ?{n})" for n in sorted(blank)]
    if isinstance(group.subject, ox.Variable) and group.subject.value not in names:
        binds.append(f"BIND(BNODE() AS {group.subject})")
    return f"{{ VALUES ({heads}) {{ {' '.join(lines)} }} {' '.join(binds)} }}"


def _written(term: Value) -> str:
    return f"<{BLANK}{term.value}>" if isinstance(term, ox.BlankNode) else str(term)


def _lexical_forms(
    query: Query, group: SearchGroup, rows: list[dict[str, Value]]
) -> Iterator[tuple[tuple[str, str, str], ox.Literal]]:
    """The literals that Oxigraph writes otherwise than the database, as 01 for 1.

    The engine that calls the service may compare terms, not values.

    Yields:
        (variable, value as Oxigraph writes it, datatype) and the literal in the database.

    Raises:
        RequestError: the query's results could not be given as the database writes them.
    """
    nodes = {variable for each in query.groups for variable in each.node_variables}
    for name in rows[0] if rows else ():
        first: dict[ox.Literal, ox.Literal] = {}
        for term, form in _oxigraph_forms(row[name] for row in rows):
            other = first.setdefault(form, term)
            if name in nodes and other != term:
                raise _inexact(name, f"the database has {other} and {term}, which are one value")
            if form != term:
                if name in nodes and name not in query.verbatim:
                    raise _inexact(name, f"the database has {term}, which would become {form}")
                yield (name, form.value, form.datatype.value), term


def _oxigraph_forms(terms: Iterable[Value]) -> Iterator[tuple[ox.Literal, ox.Literal]]:
    """The distinct literals with a datatype, each with what Oxigraph makes of it."""
    typed = list(
        dict.fromkeys(
            term
            for term in terms
            if isinstance(term, ox.Literal)
            and term.datatype.value != XSD + "string"
            and term.language is None
        )
    )
    solutions = ox.Store().query(f"SELECT ?x {{ VALUES ?x {{ {' '.join(map(str, typed))} }} }}")
    assert isinstance(solutions, ox.QuerySolutions)
    for term, solution in zip(typed, solutions, strict=True):
        form = solution["x"]
        assert isinstance(form, ox.Literal)
        yield term, form


def _inexact(name: str, reason: str) -> RequestError:
    return RequestError(
        400,
        f"?{name}: {reason} in this service. Ask for ?{name} in one search, give it under its own "
        "name, and use it nowhere else in the query; compare or join in the calling engine",
    )


def _restored(
    body: bytes, written: dict[tuple[str, str, str], ox.Literal], has_columns: bool
) -> bytes:
    """The result with the database's literals, and without columns that are ours."""
    result = json.loads(body) if written or not has_columns else {}
    if "results" not in result:
        return body
    if not has_columns:
        result["head"]["vars"] = []
        result["results"]["bindings"] = [{} for _ in result["results"]["bindings"]]
    for row in result["results"]["bindings"]:
        for name, term in row.items():
            if literal := written.get((name, term["value"], term.get("datatype", ""))):
                term.update(value=literal.value, datatype=literal.datatype.value)
    return json.dumps(result, ensure_ascii=False).encode()
