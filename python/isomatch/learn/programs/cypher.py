"""Reads gold Cypher queries of the shapes that question sets have.

    MATCH (a:Type WHERE a.key = "value")-[:RELATION]->(b {key: 1}), … [WHERE a.key > 2 AND …]
    RETURN [DISTINCT] a | a.key | count([DISTINCT] a) [ORDER BY a.key DESC [LIMIT 1]]

Anything else is refused with its reason: a question whose query cannot be read is not learnt
from, and the report of the training says how many there were.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from isomatch.errors import LoadError

_TOKEN = re.compile(
    r"""\s+|(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<number>-?\d+(?:\.\d+)?)"""
    r"""|(?P<name>`[^`]+`|[^\W\d]\w*)|(?P<sign><>|<=|>=|<-|->|[-()\[\]{}:,.=<>|])"""
)
_OPERATORS = {"=": "=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_FUNCTIONS = {"count", "sum", "avg", "min", "max"}


@dataclass(slots=True)
class GoldNode:
    """A node of a query: its label, and (key, operator, value) of its properties."""

    label: str = ""
    conditions: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GoldEdge:
    """An edge; ``directed`` from ``source`` to ``target``, else either way."""

    source: str
    type: str
    target: str
    directed: bool


@dataclass(slots=True)
class GoldQuery:
    """A query that was read.

    Attributes:
        nodes: by variable.
        answer: the variable that is returned.
        key: its property that is returned; empty for the node itself.
        function: that is worked out of what is returned; empty for none.
        order: the property by which the answers are ordered; empty where they are not.
        limit: how many are wanted; 0 for all.
    """

    nodes: dict[str, GoldNode] = field(default_factory=dict)
    edges: list[GoldEdge] = field(default_factory=list)
    answer: str = ""
    key: str = ""
    function: str = ""
    order: str = ""
    descending: bool = False
    limit: int = 0


def read_cypher(text: str) -> GoldQuery:
    """Read a gold query.

    Raises:
        LoadError: it has a shape that cannot be read.
    """
    return _Reader(text).query()


class _Reader:
    """Reads the tokens of one query, left to right."""

    def __init__(self, text: str):
        self._text = text
        self._tokens = list(_tokens(text))
        self._at = 0
        self._query = GoldQuery()

    def query(self) -> GoldQuery:
        while self._takes("match"):
            self._path()
            while self._takes(","):
                self._path()
            if self._takes("where"):
                self._conditions(None)
        self._needs("return")
        self._returned()
        if self._takes("order"):
            self._order()
        if self._takes("limit"):
            limit = self._value()
            if not (limit.isdigit() and self._query.order):
                raise self._error()
            self._query.limit = int(limit)
        if self._at < len(self._tokens):
            raise self._error()
        return self._query

    def _path(self) -> None:
        left = self._node()
        while self._peek() in ("-", "<-"):
            back = self._takes("<-") or not self._takes("-")
            self._needs("[")
            if self._peek() != ":":
                self._name()
            self._needs(":")
            type = self._name()
            self._needs("]")
            forward = self._takes("->") or not self._takes("-")
            if back and forward:
                raise self._error()
            right = self._node()
            ends = (right, left) if back else (left, right)
            self._query.edges.append(GoldEdge(ends[0], type, ends[1], back != forward))
            left = right

    def _node(self) -> str:
        self._needs("(")
        variable = f" {self._at}" if self._peek() in (":", ")", "{") else self._name()
        node = self._query.nodes.setdefault(variable, GoldNode())
        if self._takes(":"):
            node.label = self._name()
        if self._takes("{"):
            while not self._takes("}"):
                key = self._name()
                self._needs(":")
                self._add(variable, (key, "=", self._value()))
                self._takes(",")
        if self._takes("where"):
            self._conditions(variable)
        self._needs(")")
        return variable

    def _conditions(self, inside: str | None) -> None:
        while True:
            variable = self._name()
            self._needs(".")
            key = self._name()
            operator = _OPERATORS.get(self._next())
            if operator is None or (inside is not None and variable != inside):
                raise self._error()
            self._add(variable, (key, operator, self._value()))
            if not self._takes("and"):
                return

    def _add(self, variable: str, condition: tuple[str, str, str]) -> None:
        if variable not in self._query.nodes:
            raise self._error()
        known = self._query.nodes[variable].conditions
        if condition not in known:
            known.append(condition)

    def _returned(self) -> None:
        query = self._query
        if self._peek().lower() in _FUNCTIONS and self._peek(1) == "(":
            query.function = self._next().lower()
            self._needs("(")
            distinct = self._takes("distinct")
            self._answer()
            self._needs(")")
            # Programs count different values, and work out numbers of all.
            if bool(query.key) and distinct != (query.function == "count"):
                raise self._error()
        else:
            self._takes("distinct")
            self._answer()
        if query.answer not in query.nodes:
            raise self._error()

    def _answer(self) -> None:
        self._query.answer = self._name()
        if self._takes("."):
            self._query.key = self._name()

    def _order(self) -> None:
        self._needs("by")
        if self._name() != self._query.answer:
            raise self._error()
        self._needs(".")
        self._query.order = self._name()
        self._query.descending = self._takes("desc")
        self._takes("asc")

    def _value(self) -> str:
        token = self._next()
        if token[:1] in ('"', "'"):
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        if not re.fullmatch(r"-?\d+(\.\d+)?", token):
            raise self._error()
        return token

    def _name(self) -> str:
        token = self._next()
        if not re.match(r"`|[^\W\d]", token):
            raise self._error()
        return token.strip("`")

    def _peek(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._tokens[place] if place < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _takes(self, token: str) -> bool:
        if self._peek().lower() != token:
            return False
        self._at += 1
        return True

    def _needs(self, token: str) -> None:
        if not self._takes(token):
            raise self._error()

    def _error(self) -> LoadError:
        near = " ".join(self._tokens[max(0, self._at - 2) : self._at + 2])
        return LoadError(f"the query cannot be read as a program, near {near!r}: {self._text}")


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise LoadError(f"the query cannot be read as a program, near {text[at : at + 20]!r}")
        if not match[0].isspace():
            found.append(match[0])
        at = match.end()
    return found
