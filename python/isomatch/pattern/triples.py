"""The triples of the SimGRAG prompts (arXiv 2412.15272, Tables 16 and 17).

    [("UNKNOWN film 1", "directed by", "Michael Mann")] return UNKNOWN film 1

An element is a text in quotes, of either kind:

    UNKNOWN film 1     an unknown of the type film; its id is film_1
    UNKNOWN film ?f    the same with the id f; without a type: UNKNOWN ?f
    UNKNOWN film       its id is film; without a type: UNKNOWN 1, with the id unknown_1
    UNKNOWN …, or ""   in the middle: an unknown relation
    anything else      a name, or a relation's words

A fourth element is the value on the edge: ("Tom Hanks", "acted in", "UNKNOWN
film 1", "Forrest Gump").

The papers have no words for two nodes of one name, a typed name, a name that
begins with UNKNOWN, or an order of nodes other than that of the triples. For
these an element may be written without quotes as in the short text form:
`((a "John"), ["knows"], (b "John":person))`, an arrow as `[knows]->`, the property of a value as
`[knows {since: "1990"}]`, and `((a "John"))` on its own gives a node its place in the order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import count

from isomatch.errors import PatternError
from isomatch.pattern.clauses import (
    format_clauses,
    format_count,
    format_each,
    format_order,
    read_clauses,
    read_order,
    take_function,
)
from isomatch.pattern.draft import Draft, Mention, slug
from isomatch.pattern.scanner import Scanner, quote
from isomatch.pattern.text import (
    format_inner,
    format_node,
    format_value,
    implied_ids,
    read_node,
    read_relation,
)
from isomatch.pattern.types import Edge, Node, Pattern

_TRIPLE = '("UNKNOWN film 1", "directed by", "Michael Mann")'
TRIPLES_EXAMPLE = f"{_TRIPLE} return UNKNOWN film 1"

_UNKNOWN = "UNKNOWN"  # in capitals only: "Unknown" is the name of a film
_GIVEN_ID = re.compile(r"(?:(.*) )?\?(\w+)")
_NUMBERED = re.compile(r"(?:(.*) )?([0-9]+)")
_RETURNED = re.compile(
    r"\s+(?:order\s+by|limit|offset)\b|\s*\}", re.IGNORECASE
)  # ends what is returned
_START = re.compile(
    r"""\s*(\[|\(\s*(\(|UNKNOWN\b|"(?:[^"\\]|\\.)*"\s*,|'(?:[^'\\]|\\.)*'\s*,))""", re.DOTALL
)


def parse_triples(triples: str | Sequence[Sequence[str | None]]) -> Pattern:
    """The pattern that triples in the papers' form describe.

    Args:
        triples: a text, or a sequence of (head, relation, tail) or (head,
            relation, tail, value); in a sequence the relation may be None where
            it is unknown.

    Raises:
        PatternError: with `text` and `position` set; for a sequence `text` is
            the sequence written as text.

    Example:
        >>> parse_triples([("UNKNOWN film 1", "directed by", "Michael Mann")]).answers
        ('film_1',)
    """
    scanner = Scanner(triples if isinstance(triples, str) else _written(triples), TRIPLES_EXAMPLE)
    draft = Draft(scanner)
    _pattern(scanner, draft, 0)
    if scanner.next():
        scanner.fail(f"expected a triple in ( ), return or the end, found {scanner.found()}")
    return draft.pattern()


def format_triples(pattern: Pattern) -> str:
    """The pattern as triples, such that `parse_triples` gives it back exactly.

    Example:
        >>> from isomatch.pattern.text import parse_text
        >>> format_triples(parse_text('(?film_1:film)-[directed by]-("Michael Mann")'))
        '("UNKNOWN film 1", "directed by", "Michael Mann")'
    """
    implied: Set[str] = implied_ids(pattern)
    mentioned = dict.fromkeys(id for e in pattern.edges for id in e.nodes)
    rows = []
    if list(mentioned) != [node.id for node in pattern.nodes]:
        implied = implied - {e.value for e in pattern.edges}
        rows = [f"({format_node(node, implied)})" for node in pattern.nodes]
    elements = {node.id: _element(node, implied) for node in pattern.nodes}
    numbers = count(1)
    for e in pattern.edges:
        value = f", {elements[e.value]}" if e.value and not e.key else ""
        inner = format_inner(pattern.node(e.value), implied, True, True) if e.value else ""
        relation = _relation(e, numbers, format_value(e, inner) if e.key else "")
        rows.append(f"({elements[e.source]}, {relation}, {elements[e.target]}{value})")
    text = ", ".join(rows) + format_clauses(pattern, format_triples)
    if pattern.returns:
        named = ((id, elements.get(id, "")) for id in pattern.returns)
        listed = [text if text.startswith('"') else f"?{id}" for id, text in named]
        text += f" return {', '.join([*listed, *format_each(pattern)])}"
    return text + format_count(pattern) + format_order(pattern)


def looks_like_triples(text: str) -> bool:
    """Whether a text is meant as triples rather than in the short form."""
    return _START.match(text) is not None


def _pattern(scanner: Scanner, draft: Draft, depth: int) -> None:
    bracket = scanner.take("[")
    while scanner.next() == "(":
        _tuple(scanner, draft)
        scanner.take(",")
    if bracket:
        scanner.expect("]", "after the last triple, or ( before the next")
    read_clauses(scanner, draft, depth, _pattern)
    if scanner.take_keyword("return"):
        _returned(scanner, draft)
        while scanner.take(","):
            _returned(scanner, draft)
    read_order(scanner, draft)


def _tuple(scanner: Scanner, draft: Draft) -> None:
    position = scanner.position
    scanner.expect("(", "before a triple")
    alone = scanner.next() == "("
    source = draft.mention(_node(scanner))
    if alone and scanner.take(")"):
        return
    scanner.expect(",", "after the first element")
    relation, directed, on_edge, key = _edge_text(scanner)
    scanner.expect(",", "after the relation")
    target = draft.mention(_node(scanner))
    value = draft.mention(on_edge) if on_edge else None
    if value is None and scanner.take(","):
        value = draft.mention(replace(_node(scanner), value=True))
    scanner.expect(")", "after the third element" if value is None else "after the fourth element")
    draft.edge(source, relation, target, value, position, directed, key)


def _edge_text(scanner: Scanner) -> tuple[str | None, bool, Mention | None, str | None]:
    if scanner.next() == "[":
        position = scanner.position
        relation, value, key = read_relation(scanner)
        if value and not key:
            scanner.fail("a value is the fourth element of a triple", position)
        return relation, scanner.take("->"), value, key
    text = _quoted(scanner, "the relation", may_be_empty=True)
    return None if not text.strip() or _is_unknown(text) else text, False, None, None


def _node(scanner: Scanner) -> Mention:
    if scanner.next() == "(":
        return read_node(scanner)
    position = scanner.position
    text = _quoted(scanner, "the element")
    if not _is_unknown(text):
        return Mention(None, text, None, position)
    id, type = _read_unknown(text)
    if not id:
        scanner.fail("no id can be made of these words; write one at the end: ?x", position)
    return Mention(id, None, type, position)


def _quoted(scanner: Scanner, what: str, may_be_empty: bool = False) -> str:
    if scanner.next() not in ('"', "'"):
        scanner.fail(f"expected {what} in quotes, found {scanner.found()}")
    return scanner.quoted(what, may_be_empty)


def _is_unknown(text: str) -> bool:
    return text.split(maxsplit=1)[:1] == [_UNKNOWN]


def _read_unknown(text: str) -> tuple[str, str | None]:
    """Id and type of an `UNKNOWN …`; the id is empty where none can be made."""
    words = " ".join(text.split()[1:])
    if match := _GIVEN_ID.fullmatch(words):
        return match[2], match[1]
    if match := _NUMBERED.fullmatch(words):
        stem = slug(match[1]) if match[1] else "unknown"
        return f"{stem}_{match[2]}" if stem else "", match[1]
    return slug(words) if words else "unknown", words or None


def _returned(scanner: Scanner, draft: Draft) -> None:
    scanner.next()
    position = scanner.position
    if scanner.take_keyword("ask"):
        draft.asked(position)
        return
    if function := take_function(scanner):
        scanner.expect("(", f"after {function}, as in {function}(UNKNOWN film 1)")
        scanner.next()
        draft.worked_out(function, _unknown_id(scanner, ")", scanner.position), position)
        scanner.expect(")", "after the counted unknown")
        return
    draft.returned(_unknown_id(scanner, ",", position), position)


def _unknown_id(scanner: Scanner, closer: str, position: int) -> str:
    if scanner.take("?"):
        return scanner.word()
    text = scanner.words(closer, "", "the unknown to return", _RETURNED)
    if not _is_unknown(text):
        scanner.fail("return asks for unknown nodes: UNKNOWN film 1, or ?film_1", position)
    return _read_unknown(text)[0]


def _element(node: Node, implied: Set[str]) -> str:
    """A node as an element of a triple, as the papers write it where they can."""
    if node.text is not None:
        plain = node.type is None and node.id in implied and not _is_unknown(node.text)
        return quote(node.text) if plain else format_node(node, implied)
    type = f" {node.type}" if node.type else ""
    number = node.id[len(node.id.rstrip("0123456789")) :]
    for ending in ("", f" {number}", f" ?{node.id}"):
        written = f"{_UNKNOWN}{type}{ending}"
        if _read_unknown(written) == (node.id, node.type):
            return quote(written)
    return format_node(node, implied)


def _relation(edge: Edge, numbers: Iterator[int], value: str) -> str:
    relation = edge.relation
    if edge.directed or value:
        return f"[{quote(relation) if relation else ''}{value}]{'->' if edge.directed else ''}"
    if relation is None:
        return quote(f"{_UNKNOWN} relation {next(numbers)}")
    return f"[{quote(relation)}]" if _is_unknown(relation) else quote(relation)


def _written(triples: Sequence[Sequence[str | None]]) -> str:
    """A sequence of triples as text, so that its errors can point into it."""
    rows = []
    for number, triple in enumerate(triples, 1):
        parts = list(triple) if isinstance(triple, (list, tuple)) else []
        if len(parts) in (3, 4) and parts[1] is None:
            parts[1] = ""
        texts = [part for part in parts if isinstance(part, str)]
        if len(texts) not in (3, 4) or len(texts) != len(parts):
            raise PatternError(
                f"triple {number} is not three texts, (head, relation, tail), or four with a"
                f" value. A correct one: {_TRIPLE}"
            )
        rows.append(f"({', '.join(map(quote, texts))})")
    return ",\n".join(rows)
