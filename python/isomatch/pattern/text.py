"""The short text form, for people and command lines.

    (?film:film)-[directed by]-("Michael Mann") return ?film

    pattern := path ("," path)* clauses ["return" what] [order]
    what    := one ("," one)* | "ask"
    one     := "?"id | function "(" "?"id ")"
    function := "count" | "sum" | "avg" | "min" | "max"
    path    := node (edge node)*
    node    := "(" inner ["{" words ":" value ("," words ":" value)* "}"] ")"
    inner   := "?" [id] [quoted] [":" words] | [id] name [":" words]
    name    := quoted | "<" identity ">" | prefix ":" local
    edge    := "-[" label "]-" | "-[" label "]->" | "<-[" label "]-"
    label   := [words] [":" value | "{" words ":" value "}"]
    value   := inner | number | "true" | "false"

An arrow is matched in its direction, ``-[ ]-`` in both. White space is free. `words`
are bare or quoted. A node that stands alone in a path is mentioned elsewhere too; it
gives the node its place in the order. A question mark and a name, ``(?p "Mary")``, stand for
every node of the name. The words in braces name the property that the value is of; those in
the braces of a node are relations, from the node to a value each, which are edges like any
other. Bare words of a relation may hold colons (``dbo:director``): one
begins the value where white space, a question mark, a quote, or an id and a quote follow.
What `clauses` and `order` are says `isomatch.pattern.clauses`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from types import MappingProxyType
from typing import NoReturn

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
from isomatch.pattern.identity import IDENTITY, expanded, identity, prefixed
from isomatch.pattern.scanner import Scanner, plain, quote
from isomatch.pattern.types import EXAMPLE, Edge, Node, Pattern

# What needs no quotes, and reads back as it was; narrower than what is accepted.
_BARE = re.compile(r"[^\W_](?:[ \w'.:/^&+-]*[\w.+])?")
_PREFIXED = re.compile(r"([A-Za-z]\w*):[\w.~%+-]+\s*\)")
_UNQUOTED = re.compile(r"""[^()\[\]{}:"'\\\n“”]{1,40}""")
_VALUE = re.compile(r""":(?:[\s?"']|\w+\s+["'])|\{""")
_BRACE, _COMMA = re.compile(r"\{"), re.compile(",")
_PLAIN = re.compile(r"""(?:[-+]?[0-9]+(?:\.[0-9]+)?|true|false)(?![\w.]|\s*["'<])""")


def parse_text(text: str, prefixes: Mapping[str, str] = MappingProxyType({})) -> Pattern:
    """The pattern that a text in the short form describes.

    Args:
        text: as in the module's grammar. Nodes of one id, and known nodes of
            one name without an id, are the same node.
        prefixes: namespaces by prefix, beside the well-known ones.

    Raises:
        PatternError: with `text` and `position` set; the message shows both.

    Example:
        >>> parse_text('("Heat")-[directed by]-(?)').answers
        ('_1',)
    """
    scanner = Scanner(text, EXAMPLE, prefixes)
    draft = Draft(scanner)
    _pattern(scanner, draft, 0)
    if scanner.next():
        scanner.fail(f"expected an edge, a comma, return or the end, found {scanner.found()}")
    return draft.pattern()


def format_text(pattern: Pattern) -> str:
    """The pattern in the short form, such that `parse_text` gives it back exactly.

    Example:
        >>> format_text(parse_text('(?f :film) -[directed by]-> ("Michael Mann")'))
        '(?f:film)-[directed by]->("Michael Mann")'
    """
    ids = [node.id for node in pattern.nodes]
    implied = implied_ids(pattern)
    seen: list[str] = []
    paths = _format_paths(pattern, implied, seen)
    if seen != ids:
        # Edges alone would put the nodes in another order: name them first.
        implied = implied - {edge.value for edge in pattern.edges}
        paths = [format_node(node, implied) for node in pattern.nodes]
        paths += _format_paths(pattern, implied, ids)
    text = ", ".join(paths) + format_clauses(pattern, format_text)
    if pattern.returns:
        listed = [*(f"?{id}" for id in pattern.returns), *format_each(pattern)]
        text += f" return {', '.join(listed)}"
    return text + format_count(pattern) + format_order(pattern)


def read_node(scanner: Scanner) -> Mention:
    """Read a node in parentheses."""
    starts = scanner.next() == "("
    position = scanner.position
    where = "before a node"
    if not starts and " " in scanner.text.strip() and not set(scanner.text) & set("()[]"):
        where += " (a question in words is for ask)"
    scanner.expect("(", where)
    mention = _read_inner(scanner, position, ")", stop=_BRACE)
    if scanner.take("{"):
        mention = replace(mention, properties=tuple(_read_properties(scanner)))
    scanner.expect(")", "after the node")
    return mention


def _read_properties(scanner: Scanner) -> Iterator[tuple[str, Mention]]:
    """Read what stands in the braces of a node."""
    while True:
        empty = scanner.next() in ("}", ",")
        relation = "" if empty else scanner.words(":", '[]{}"\\', "the property")
        if not relation:
            scanner.fail('the property is missing, as in {year: 1995, genre: "noir"}')
        scanner.expect(":", "after the property")
        scanner.next()
        value = _read_inner(scanner, scanner.position, "}", value=True, stop=_COMMA)
        # A value is a node like others: two things of one year have the same one.
        yield relation, replace(value, value=False)
        if not scanner.take(","):
            break
    scanner.expect("}", "after the value, or a comma before the next property")


def _read_inner(
    scanner: Scanner,
    position: int,
    closer: str,
    value: bool = False,
    stop: re.Pattern[str] | None = None,
) -> Mention:
    text = type = None
    every = False
    if scanner.take("?"):
        id = scanner.word()
        if every := not value and scanner.next() in ('"', "'"):
            text = scanner.quoted("the name")
    else:
        start = scanner.position
        plain_value = scanner.take_match(_PLAIN) if value else None
        short = None if plain_value else scanner.take_match(prefixed(scanner.prefixes))
        id = "" if plain_value or short else scanner.word()
        text = plain_value or (
            expanded(short, scanner.prefixes) if short else scanner.take_match(IDENTITY)
        )
        if text is None:
            if scanner.next() not in ('"', "'"):
                _fail_unquoted(scanner, start)
            text = scanner.quoted("the name")
    if scanner.take(":"):
        type = scanner.words(closer, '([]"\\'.replace(closer, ""), "the type", stop)
        if not type:
            scanner.fail("the type is missing after the colon; leave the colon out for any type")
    return Mention(id or None, text, type, position, value, every=every)


def read_relation(scanner: Scanner) -> tuple[str | None, Mention | None, str | None]:
    """Read a relation in brackets, None where there is none; the edge's value, and its key."""
    scanner.expect("[", "before the relation, which may be empty: -[]-")
    is_bare, start = scanner.next() not in ('"', "'"), scanner.position
    relation = scanner.words("]", '["\\', "the relation", _VALUE)
    if is_bare and ":" in relation and " " in relation:
        at = scanner.text.index(":", start)
        scanner.fail("a colon in the words: quote them, or the value that it begins", at)
    value, key = None, None
    if scanner.take("{"):
        key = scanner.words(":", '[]{}"\\', "the property")
        if not key:
            scanner.fail("the property is missing, as in {stars: ?x}")
        scanner.expect(":", "after the property")
    if key or scanner.take(":"):
        scanner.next()
        value = _read_inner(scanner, scanner.position, "}" if key else "]", value=True)
    if key and scanner.next() == ",":
        scanner.fail("an edge has one value: leave the others out")
    if key:
        scanner.expect("}", "after the value")
    scanner.expect("]", "after the value" if value else "after the relation")
    return relation or None, value, key


def format_node(node: Node, implied: Set[str]) -> str:
    """A node in parentheses; `implied` are the ids that need not be written."""
    return f"({format_inner(node, implied, with_type=True)})"


def format_value(edge: Edge, value: str) -> str:
    """The value on an edge, as it is written after the relation."""
    if edge.key is None:
        return f": {value}"
    space = " " if edge.relation else ""
    return f"{space}{{{quote(edge.key) if ':' in edge.key else _words(edge.key)}: {value}}}"


def format_inner(node: Node, implied: Set[str], with_type: bool, value: bool = False) -> str:
    """A node without its parentheses; a value has no identity."""
    if node.text is None:
        inner = f"?{node.id}"
    elif node.every:
        inner = f"?{node.id} {quote(node.text)}"
    else:
        name = node.text if identity(node.text) and not value else quote(node.text)
        inner = name if node.id in implied else f"{node.id} {name}"
    return f"{inner}:{_words(node.type)}" if with_type and node.type else inner


def implied_ids(pattern: Pattern) -> set[str]:
    """Ids of the known nodes whose name alone gives back the id."""
    texts = [node.text for node in pattern.nodes if not node.every]
    return {
        node.id
        for node in pattern.nodes
        if node.text is not None
        and not node.every
        and texts.count(node.text) == 1
        and slug(node.text) == node.id
    }


def _pattern(scanner: Scanner, draft: Draft, depth: int) -> None:
    if scanner.next() not in ("", "}"):
        _path(scanner, draft)
    while scanner.take(","):
        _path(scanner, draft)
    read_clauses(scanner, draft, depth, _pattern)
    if scanner.take_keyword("return"):
        _returned(scanner, draft)
        while scanner.take(","):
            _returned(scanner, draft)
    read_order(scanner, draft)


def _path(scanner: Scanner, draft: Draft) -> None:
    here = draft.mention(read_node(scanner))
    while scanner.next() in ("-", "<"):
        position = scanner.position
        backward = scanner.take("<")
        scanner.expect("-", "in the edge")
        relation, value, key = read_relation(scanner)
        scanner.expect("-", "after the relation")
        forward = scanner.take(">")
        if forward and backward:
            scanner.fail("the edge has an arrow at both ends; leave one out", position)
        there = draft.mention(read_node(scanner))
        source, target = (there, here) if backward else (here, there)
        number = draft.mention(value) if value else None
        draft.edge(source, relation, target, number, position, forward or backward, key)
        here = there


def _fail_unquoted(scanner: Scanner, start: int) -> NoReturn:
    bare = _UNQUOTED.match(scanner.text, start)
    if bare is None or not slug(bare[0]):
        scanner.fail(f'expected ?id or a "name" in the node, found {scanner.found()}')
    prefix = _PREFIXED.match(scanner.text, start)
    scanner.fail(
        "a name needs quotes, an unknown node a question mark:"
        f' ("{plain(bare[0]).strip()}") or (?{slug(bare[0])})'
        + (f"; {prefix[1]}: is no known prefix: name it in [prefixes]" if prefix else ""),
        start,
    )


def _returned(scanner: Scanner, draft: Draft) -> None:
    scanner.next()
    position = scanner.position
    if scanner.take_keyword("ask"):
        draft.asked(position)
        return
    if function := take_function(scanner):
        scanner.expect("(", f"after {function}, as in {function}(?x)")
        scanner.expect("?", f"and the id of an unknown node in {function}( )")
        draft.worked_out(function, scanner.word(), position)
        scanner.expect(")", "after the counted node")
        return
    scanner.expect("?", "and the id of an unknown node after return")
    id = scanner.word()
    if not id:
        scanner.fail(f"expected an id after ?, found {scanner.found()}")
    draft.returned(id, position)


def _format_paths(pattern: Pattern, implied: Set[str], seen: list[str]) -> list[str]:
    """The edges as paths; appends to `seen` the ids it mentions for the first time."""
    order = {node.id: index for index, node in enumerate(pattern.nodes)}

    def mention(id: str, value: bool = False) -> str:
        new = id not in seen
        if new:
            seen.append(id)
        return format_inner(pattern.node(id), implied, with_type=new, value=value)

    paths: list[str] = []
    here = None
    for edge in pattern.edges:
        # What is no arrow is written from source to target.
        if here != edge.source and not (edge.directed and here == edge.target):
            target_due = edge.target not in seen and order[edge.target] < order[edge.source]
            here = edge.target if target_due and edge.directed else edge.source
            paths.append(f"({mention(here)})")
        backward = here != edge.source
        here = edge.source if backward else edge.target
        there = mention(here)
        label = _words(edge.relation) if edge.relation else ""
        label += format_value(edge, mention(edge.value, value=True)) if edge.value else ""
        arrow = ">" if edge.directed and not backward else ""
        paths[-1] += f"{'<' if backward else ''}-[{label}]-{arrow}({there})"
    return paths


def _words(text: str) -> str:
    colon = ":" in text and (" " in text or _VALUE.search(text))
    bare = _BARE.fullmatch(text) and "  " not in text and not colon
    return text if bare else quote(text)
