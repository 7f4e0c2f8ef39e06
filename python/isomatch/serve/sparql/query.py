"""SPARQL queries over the vocabulary: read, checked, and written anew for Oxigraph.

The reader understands the groups of a query and takes the triples in them, which are
searches. Expressions and solution modifiers are checked token by token against what is
supported, and copied; Oxigraph parses them. No part of the text reaches the database.

Oxigraph cannot be stopped while it evaluates. So it is made to call a function after each
part of a group, `COUNT_ROW`, and in each expression, `IN_TIME`. Once a limit is passed
they have no value, and all loops run dry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import pyoxigraph as ox

from isomatch.serve.errors import RequestError
from isomatch.serve.sparql.search_groups import SearchGroup, Triple, read_search_groups
from isomatch.serve.sparql.tokens import Cursor, Names, Term, Token, malformed
from isomatch.serve.sparql.vocabulary import no_predicate, supported, unsupported

COUNT_ROW = "urn:isomatch:function:count-row"
IN_TIME = "urn:isomatch:function:in-time"
# What they give does not depend on how the database writes a value.
_TESTS = {"BOUND", "ISIRI", "ISURI", "ISBLANK", "ISLITERAL", "ISNUMERIC"}
# Expressions whose cost is in proportion to their size: no regular expressions, and
# nothing that can make a value much longer than it was.
_FUNCTIONS = {
    *(*_TESTS, "COALESCE", "IF", "SAMETERM", "STR", "LANG", "LANGMATCHES", "DATATYPE"),
    *("CONTAINS", "STRSTARTS", "STRENDS", "STRLEN", "LCASE", "UCASE", "ABS", "ROUND", "COUNT"),
}
_WORDS = {
    *_FUNCTIONS,
    *("IN", "NOT", "AS", "DISTINCT", "TRUE", "FALSE"),
    *("GROUP", "BY", "HAVING", "ORDER", "ASC", "DESC", "LIMIT", "OFFSET"),
}
_SYMBOLS = {*"()+-,=!<>", "!=", "<=", ">=", "&&", "||"}
_PARTS = {*("OPTIONAL", "MINUS", "GRAPH", "SERVICE", "BIND", "VALUES", "FILTER", "{", "}")}
# Oxigraph plans and evaluates recursively; what is deeper or larger could end the process.
MAX_DEPTH = 100
MAX_SIZE = 500
MAX_JOINS = 100  # Oxigraph orders joins in the cube of their number, and is not stopped

Piece: TypeAlias = "str | SearchGroup"
"""A part of the text for Oxigraph; a search stands for its rows."""
Variables = dict[str, None]


@dataclass(frozen=True, slots=True)
class Query:
    """A query that is supported.

    Attributes:
        pieces: what is written for Oxigraph.
        has_columns: whether its results have variables; ``SELECT *`` may have none.
        verbatim: variables of one search that are only projected, or tested for their kind.
    """

    pieces: tuple[Piece, ...]
    has_columns: bool
    verbatim: frozenset[str]

    @property
    def groups(self) -> list[SearchGroup]:
        """The searches, in the order of the text."""
        return [piece for piece in self.pieces if isinstance(piece, SearchGroup)]

    def text(self, rows: Callable[[SearchGroup], str]) -> str:
        """The query for Oxigraph.

        Args:
            rows: a group graph pattern with a search's rows.
        """
        return " ".join(rows(p) if isinstance(p, SearchGroup) else p for p in self.pieces)


def read_query(text: str) -> Query:
    """Read a query and check it.

    Raises:
        RequestError: malformed, or more than is supported.
        PatternError: a pattern in it breaks a rule.
    """
    return _Reader(text).query()


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a group: what is written, and its variables that are visible outside."""

    pieces: list[Piece]
    variables: Iterable[str] = ()
    is_bind: bool = False
    is_leaf: bool = False


class _Reader(Cursor):
    def __init__(self, source: str):
        super().__init__(source)
        self._names = Names(source)
        self._depth = self._size = self._guards = self._joins = 0
        self._aggregates = False  # whether the SELECT that is being read groups its rows
        self._plain = Counter[str]()  # uses of a variable that leave its value as it is

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise RequestError(400, "malformed query: it is nested too deeply")

    def _count(self, parts: int = 1, joins: int = 0) -> None:
        self._size += parts
        self._joins += joins
        if self._size > MAX_SIZE or self._joins > MAX_JOINS:
            most = f"{MAX_SIZE} groups and operators, or {MAX_JOINS} joins"
            raise RequestError(400, f"the query has more than {most}: leave some to your engine")

    # Queries

    def query(self) -> Query:
        """The whole query."""
        while declared := self._accept("PREFIX", "BASE"):
            prefix = self._expect("name").text if declared.text == "PREFIX" else None
            iri = self._names.iri(self._expect("iri"))
            if prefix is None:
                self._names.base = iri
            else:
                self._names.prefixes[prefix.removesuffix(":")] = iri
        if self._token.key in ("CONSTRUCT", "DESCRIBE"):
            raise unsupported(self._token.text)
        pieces, variables = self._select()
        if self._token.kind != "end":
            raise self._malformed("the query should have ended before this")
        query = Query(tuple(pieces), bool(variables), self._verbatim(pieces))
        if not query.groups:
            raise RequestError(400, f"the query has no search. {supported()}")
        return query

    def _verbatim(self, pieces: Iterable[Piece]) -> frozenset[str]:
        uses = Counter(token.text[1:] for token in self._tokens if token.kind == "variable")
        columns = [Counter(p.column_variables) for p in pieces if isinstance(p, SearchGroup)]
        return frozenset(v for c in columns for v in c if c[v] + self._plain[v] == uses[v])

    def _select(self) -> tuple[list[Piece], Variables]:
        """A SELECT or ASK, up to what follows it; and the variables that it gives."""
        form = self._expect("SELECT", "ASK")
        outer, self._aggregates = self._aggregates, False
        head: list[Piece] = [form.text]
        projected: Variables = {}
        star = None
        if form.text == "SELECT":
            if how := self._accept("DISTINCT", "REDUCED"):
                head.append(how.text)
            star = self._accept("*")
            while not star and self._token.key in ("variable", "("):
                if token := self._accept("variable"):
                    head.append(token.text)
                    projected[token.text[1:]] = None
                    self._plain[token.text[1:]] += 1
                else:
                    pieces, variable = self._bracketed(named=True)
                    head += pieces
                    projected[variable] = None
            if not (star or projected):
                raise self._malformed("expected variables or *")
        if self._token.key == "FROM":
            raise RequestError(
                400, f"FROM: this service has no graphs to choose from. {supported()}"
            )
        self._accept("WHERE")
        body = self._group()
        modifiers = self._modifiers()
        if self._token.key == "VALUES":
            if self._aggregates:
                raise unsupported("VALUES after a query that groups")
            body = self._joined([body, self._values()], [])
        if star:
            projected = dict.fromkeys(body.variables)
            # Not `*`, which would give the variables of `_row_count`.
            head += [f"?{v}" for v in projected] or [f"(1 AS {self._own_variable()})"]
        self._aggregates = outer
        return [*head, *body.pieces, *modifiers], projected

    def _modifiers(self) -> list[Piece]:
        """GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET."""
        pieces: list[Piece] = []
        while self._token.key not in ("}", "VALUES", "end"):
            if self._token.key == "(":
                pieces += self._bracketed()[0]
            elif self._token.key in _FUNCTIONS:
                pieces += self._call()
            else:
                pieces.append(self._checked(self._next()))
        return pieces

    # Groups

    def _group(self) -> _Part:
        """A group graph pattern, in braces."""
        self._enter()
        self._expect("{")
        if self._token.key == "SELECT":
            pieces, variables = self._select()
            self._expect("}")
            part = _Part(["{", *pieces, "}"], variables)
        else:
            part = self._joined(*self._parts())
        self._depth -= 1
        return part

    def _parts(self) -> tuple[list[_Part], list[Piece]]:
        """The parts of a group and its filters, up to its end."""
        parts: list[_Part] = []
        filters: list[Piece] = []
        triples: list[Triple] = []
        while True:
            key = self._token.key
            if key == "FILTER":  # does not end a block of triples
                filters += self._filter()
            elif key in _PARTS:
                parts += [
                    _Part([g], g.variables, is_leaf=True) for g in read_search_groups(triples)
                ]
                if self._accept("}"):
                    return parts, filters
                parts.append(self._part())
                triples = []
            else:
                triples += self._triples()
                if self._token.key not in {".", *_PARTS}:
                    raise self._malformed("expected . ; , or the end of the group")
            self._accept(".")

    def _part(self) -> _Part:
        self._count()
        token = self._token
        if token.key == "{":
            return self._union()
        if token.key == "VALUES":
            return self._values()
        self._next()
        if token.key == "BIND":
            pieces, variable = self._bracketed(named=True)
            return _Part(["BIND", *pieces], [variable], is_bind=True)
        if token.key == "GRAPH":
            # Virtuoso puts the default graph of its own query around what it sends.
            if not isinstance(self._names.term(self._next()), ox.NamedNode):
                raise unsupported("GRAPH with a variable")
            return self._group()
        if token.key == "SERVICE":
            raise unsupported("SERVICE")
        group = self._group()
        return _Part(
            [token.text, *group.pieces],
            group.variables if token.key == "OPTIONAL" else (),
        )

    def _union(self) -> _Part:
        group = self._group()
        pieces, variables = group.pieces, dict.fromkeys(group.variables)
        while self._accept("UNION"):
            self._count()
            group = self._group()
            pieces = [*pieces, "UNION", *group.pieces]
            variables |= dict.fromkeys(group.variables)
        return _Part(pieces, variables)

    def _values(self) -> _Part:
        self._expect("VALUES")
        variables: list[str] = []
        if self._accept("("):
            while token := self._accept("variable"):
                variables.append(token.text[1:])
            self._expect(")")
            names = f"({' '.join(f'?{name}' for name in variables)})"
        else:
            variables.append(self._expect("variable").text[1:])
            names = f"?{variables[0]}"
        words = [f"VALUES {names}", self._expect("{").text]
        while not self._accept("}"):
            token = self._next()
            if token.key not in ("(", ")", "UNDEF", "TRUE", "FALSE") and (
                token.kind not in ("iri", "name", "literal", "number")
            ):
                raise malformed(self._source, token.start, "expected a value")
            words.append(self._names.written(token))
        return _Part([*words, "}"], variables, is_leaf=True)

    def _joined(self, parts: Sequence[_Part], filters: Sequence[Piece]) -> _Part:
        """A group of parts; the rows of each leaf and of each join are counted.

        Both are needed: once a limit is passed, the outer loop of a join ends with its
        leaf, whichever side Oxigraph chose for it.
        """
        pieces: list[Piece] = []
        opened = 0
        for part in parts:
            if part.is_leaf:
                pieces += ["{", *part.pieces, self._row_count(), "}"]
            else:
                pieces += part.pieces
            if not part.is_bind and part is not parts[0]:
                opened += 1
                self._count(0, joins=2 if "UNION" in part.pieces else 1)
                pieces += [self._row_count(), "}"]
        variables = dict.fromkeys(v for part in parts for v in part.variables)
        return _Part(["{" * (opened + 1), *pieces, *filters, "}"], variables)

    def _own_variable(self) -> str:
        self._guards += 1
        return f"?isomatch_guard_{self._guards}"

    def _row_count(self) -> str:
        value = self._own_variable()
        return f"BIND(<{COUNT_ROW}>() AS {value}) FILTER({value})"

    # Expressions

    def _filter(self) -> list[Piece]:
        self._count()
        self._expect("FILTER")
        return ["FILTER", *(self._bracketed()[0] if self._token.key == "(" else self._call())]

    def _bracketed(self, *, named: bool = False) -> tuple[list[Piece], str]:
        """``( expression )`` or ``( expression AS ?variable )``, and the variable's name."""
        start = self._expect("(").start
        pieces = self._limited(start, self._copied())
        name = ""
        if named or self._token.key == "AS":
            self._expect("AS")
            name = self._expect("variable").text[1:]
            pieces.append(f"AS ?{name}")
        self._expect(")")
        return ["(", *pieces, ")"], name

    def _call(self) -> list[Piece]:
        start = self._token.start
        pieces = [self._checked(self._next())]
        while self._token.kind == "word":
            pieces.append(self._checked(self._next()))
        pieces.append(self._expect("(").text)
        pieces += self._copied()
        pieces.append(self._expect(")").text)
        return self._limited(start, pieces)

    def _limited(self, start: int, expression: list[str]) -> list[Piece]:
        """An expression, evaluated in time only unless it has no function or list.

        Raises:
            RequestError: Oxigraph cannot parse it.
        """
        text = " ".join(expression)
        if "COUNT" not in expression:  # which may not stand in every place
            try:
                ox.Store().query(f"SELECT ({text} AS ?isomatch_parsed) {{ VALUES () {{ }} }}")
            except SyntaxError as error:
                raise malformed(self._source, start, "this is no expression") from error
        return [f"IF(<{IN_TIME}>(), ({text}), 0)" if "(" in expression else text]

    def _copied(self) -> list[str]:
        """An expression, up to ``)`` or AS outside brackets."""
        pieces: list[str] = []
        depth = self._depth
        while self._depth > depth or self._token.key not in (")", "AS"):
            token = self._next()
            if token.key == "(":
                self._enter()
            elif token.key == ")":
                self._depth -= 1
            pieces.append(self._checked(token))
        return pieces

    def _checked(self, token: Token) -> str:
        """A token of an expression as it is written.

        Raises:
            RequestError: it is not supported.
        """
        following = self._token
        if token.kind in ("iri", "name") and following.key == "(":
            raise unsupported("a function that is called by its IRI")
        before = [t.key for t in self._tokens[max(0, self._position - 4) : self._position - 1]]
        if token.key in ("*", "/"):
            if before == ["COUNT", "(", "DISTINCT"]:  # would count the variables of `_row_count`
                raise unsupported("COUNT(DISTINCT *)")
            if before[-2:] != ["COUNT", "("]:
                raise unsupported("multiplication and division")
        elif token.kind == "variable":
            if before[-1] == "(" and before[-2] in _TESTS and following.key == ")":
                self._plain[token.text[1:]] += 1
        elif token.kind == "word":
            if token.text not in _WORDS:
                raise unsupported(token.text)
            self._aggregates |= token.text in ("COUNT", "GROUP", "HAVING")
        elif token.kind == "symbol":
            if token.text not in _SYMBOLS:
                raise malformed(self._source, token.start, f"{token.text} was not expected here")
            if token.text not in (",", ")"):
                self._count()
        return self._names.written(token)

    # Triples

    def _triples(self) -> list[Triple]:
        """The triples about one subject."""
        self._count()
        triples: list[Triple] = []
        described = self._token.key == "["
        subject = self._node(triples)
        if not (described and triples and self._token.key in {".", *_PARTS}):
            self._properties(subject, triples)
        return triples

    def _properties(self, subject: Term, triples: list[Triple]) -> None:
        while True:
            if self._token.key in ("^", "!", "("):
                raise no_predicate()
            predicate = self._node(triples)
            if self._token.key in ("/", "|", "*", "+", "?"):
                raise no_predicate()
            triples.append((subject, predicate, self._node(triples)))
            while self._accept(","):
                triples.append((subject, predicate, self._node(triples)))
            if not self._accept(";"):
                return
            while self._accept(";"):
                pass
            if self._token.key in {".", "]", *_PARTS}:
                return

    def _node(self, triples: list[Triple]) -> Term:
        """A subject, predicate or object; what ``[ … ]`` says is added to the triples."""
        if self._accept("["):
            node = ox.BlankNode()
            if not self._accept("]"):
                self._enter()
                self._properties(node, triples)
                self._expect("]")
                self._depth -= 1
            return node
        if self._token.key == "(":
            raise unsupported("a list in brackets")
        term = self._names.term(self._token)
        if term is None:
            raise self._malformed("expected a variable, an IRI or a value")
        self._next()
        return term
