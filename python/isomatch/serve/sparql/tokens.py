"""Tokens of a SPARQL query, and the IRIs and terms that they stand for.

pyoxigraph evaluates queries but gives no parse tree, and what a stranger sends must be
checked before it is evaluated. See `isomatch.serve.sparql.query`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast
from urllib.parse import urljoin

import pyoxigraph as ox

from isomatch.serve.errors import RequestError
from isomatch.serve.sparql.vocabulary import supported

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Variable
# Begins the names of the variables that the service adds to a query.
OWN = "isomatch_"
_IRI = r'<[A-Za-z][\w+.-]*:[^<>"{}|^`\\\x00-\x20]*>|<[^<>"{}|^`\\\x00-\x20?$&|(),=!]*>'
_NAME = r"(?:[^\W\d_][\w.-]*)?:(?:(?:[\w:%-]|\\.|\.(?=[\w:%\\.-]))*)"
_STRING = "|".join(
    (
        r'"""(?:[^"\\]|\\.|"(?!""))*"""',
        r"'''(?:[^'\\]|\\.|'(?!''))*'''",
        r'"(?:[^"\\\n\r]|\\.)*"',
        r"'(?:[^'\\\n\r]|\\.)*'",
    )
)
_TOKEN = re.compile(
    r"(?P<space>\s+|#[^\n\r]*)"
    rf"|(?P<literal>(?:{_STRING})(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?)"
    rf"(?:\^\^(?P<datatype>{_IRI}|{_NAME}))?"
    rf"|(?P<iri>{_IRI})"
    r"|(?P<variable>[?$]\w+)"
    r"|(?P<blank>_:\w(?:[\w.-]*[\w-])?)"
    r"|(?P<number>[+-]?(?:(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+|\d*\.\d+|\d+))"
    rf"|(?P<name>{_NAME})"
    r"|(?P<word>[A-Za-z]\w*)"
    r"|(?P<symbol>&&|\|\||!=|<=|>=|[{}()\[\].;,*/+\-=!<>|^?])",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a query.

    Attributes:
        kind: ``literal``, ``iri``, ``variable``, ``blank``, ``number``, ``name``,
            ``word``, ``symbol`` or ``end``.
        text: as written; a word in capital letters, a literal without its datatype.
        start: its offset in the query.
        datatype: of a literal, as written.
    """

    kind: str
    text: str
    start: int
    datatype: str | None = None

    @property
    def key(self) -> str:
        """The text of a word or symbol, else the kind."""
        return self.text if self.kind in ("word", "symbol") else self.kind


def tokens(source: str) -> Iterator[Token]:
    """The tokens of a query, and ``end``.

    Raises:
        RequestError: something is no token, or a variable has a name of the service's own.
    """
    position = 0
    while position < len(source):
        match = _TOKEN.match(source, position)
        if match is None:
            raise malformed(source, position, "this is not SPARQL")
        if match["space"] is None:
            kind = "literal" if match["literal"] else str(match.lastgroup)
            text = match[kind]
            if kind == "variable" and text[1:].startswith(OWN):
                raise RequestError(400, f"{text}: names that begin with {OWN} are reserved")
            yield Token(kind, text.upper() if kind == "word" else text, position, match["datatype"])
        position = match.end()
    yield Token("end", "", position)


def malformed(source: str, offset: int, reason: str) -> RequestError:
    """The error for a query that is not SPARQL, with the place."""
    before = source[:offset]
    line, column = before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1
    shown = (source.splitlines() or [""])[min(line, len(source.splitlines()) or 1) - 1]
    return RequestError(
        400,
        f"malformed query, line {line}, column {column}: {reason}\n"
        f"{shown}\n{' ' * (column - 1)}^\n{supported()}",
    )


class Cursor:
    """Reads the tokens of a query, one after another."""

    def __init__(self, source: str):
        self._source = source
        self._tokens = list(tokens(source))
        self._position = 0

    @property
    def _token(self) -> Token:
        return self._tokens[self._position]

    def _next(self) -> Token:
        token = self._token
        if token.kind == "end":
            raise self._malformed("the query ends too early")
        self._position += 1
        return token

    def _accept(self, *keys: str) -> Token | None:
        return self._next() if self._token.key in keys else None

    def _expect(self, *keys: str) -> Token:
        if token := self._accept(*keys):
            return token
        raise self._malformed(f"expected {' or '.join(keys)}")

    def _malformed(self, reason: str) -> RequestError:
        return malformed(self._source, self._token.start, reason)


class Names:
    """The prefixes and the base IRI that a query declares."""

    def __init__(self, source: str) -> None:
        self.prefixes: dict[str, str] = {}
        self.base = ""
        self._source = source

    def iri(self, token: Token, text: str | None = None) -> str:
        """The IRI of an ``iri`` or a ``name``.

        Args:
            token: where it is written.
            text: how; None for the token's text.

        Raises:
            RequestError: no IRI, or its prefix is not declared.
        """
        text = token.text if text is None else text
        if text.startswith("<"):
            iri = urljoin(self.base, text[1:-1]) if ":" not in text else text[1:-1]
        else:
            prefix, _, local = text.partition(":")
            if prefix not in self.prefixes:
                reason = f"Unknown namespace prefix: {prefix}"
                raise malformed(self._source, token.start, reason)
            iri = self.prefixes[prefix] + re.sub(r"\\(.)", r"\1", local)
        try:
            ox.NamedNode(iri)
        except ValueError as error:
            raise malformed(self._source, token.start, f"<{iri}> is no IRI: {error}") from error
        return iri

    def written(self, token: Token) -> str:
        """The token for Oxigraph, which is given no prefixes."""
        if token.kind in ("iri", "name"):
            return f"<{self.iri(token)}>"
        if token.datatype is not None:
            return f"{token.text}^^<{self.iri(token, token.datatype)}>"
        return token.text.lower() if token.key in ("TRUE", "FALSE") else token.text

    def term(self, token: Token) -> Term | None:
        """The term that a token is; None for a token that is none."""
        if token.kind == "variable":
            return ox.Variable(token.text[1:])
        if token.kind == "blank":
            return ox.BlankNode(token.text[2:])
        if token.key == "A":
            return ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
        if token.kind not in ("iri", "name", "literal", "number") and token.key not in (
            "TRUE",
            "FALSE",
        ):
            return None
        text = self.written(token)
        try:
            [quad] = ox.parse(f"<urn:s> <urn:p> {text} .", format=ox.RdfFormat.TURTLE)
        except SyntaxError as error:
            raise malformed(self._source, token.start, f"{text} is no term of RDF") from error
        return cast(Term, quad.object)
