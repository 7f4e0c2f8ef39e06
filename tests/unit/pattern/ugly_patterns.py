"""Hypothesis strategies: valid patterns with awkward words, and almost-patterns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from isomatch.errors import PatternError
from isomatch.pattern import Aggregate, Condition, Each, Edge, Node, Order, Part, Pattern
from isomatch.pattern.optional import own_ids
from isomatch.pattern.types import (
    COMPARISONS,
    EACH_FUNCTIONS,
    FUNCTIONS,
    OPERATORS,
    PART_OPERATORS,
    find_fault,
)

# The first example imports pydantic; how long that takes is not the subject.
untimed = settings(deadline=None)

AWKWARD = (
    "John",
    "john",
    "Michael Mann",
    "UNKNOWN",
    "UNKNOWN film 1",
    "UNKNOWN ?x",
    " UNKNOWN\tthing",
    "Unknown",
    "?film",
    "film 1",
    "1",
    "a ?b",
    " padded ",
    "two  spaces",
    "'s Gravenhage",
    "O'Hara",
    'say "cheese"',
    "back\\slash\\",
    "\\u0041",
    "new\nline",
    "]->(",
    "), (",
    "return ?film",
    "is: ?x",
    "dbo:director",
    "a: 'b",
    "r: s 'b",
    "{",
    "שלום",
    "محمد ‏",
    "👩‍👩‍👧",
    "名前",
    'x" } UNION { ?s ?p ?o } #',
    "<http://example.org/a[1]>",
    "\x00\x1b[31m\u2028",
)

words = st.sampled_from(AWKWARD) | st.text(min_size=1, max_size=12).filter(str.strip)
ids = st.sampled_from(
    (
        "film",
        "film_1",
        "f1lm_02",
        "unknown",
        "unknown_1",
        "_1",
        "_2",
        "n1",
        "john",
        "return",
        "é",
        "1",
    )
) | st.text("abc_019ß名", min_size=1, max_size=5)


@st.composite
def patterns(draw: st.DrawFn, nested: int = 2) -> Pattern:
    """Any valid pattern: loops, parallel edges, values, several parts, any order of nodes.

    Args:
        nested: how deep other patterns may be in it.
    """
    names = draw(st.lists(ids, min_size=1, max_size=8, unique=True))
    values = draw(st.integers(0, min(3, len(names) - 1)))
    ends = st.sampled_from(names[values:])
    edges = draw(
        st.lists(
            st.builds(Edge, ends, st.none() | words, ends, directed=st.booleans()),
            min_size=max(1, values),
            max_size=8,
        )
    )
    on_edges = draw(st.permutations([*names[:values], *[None] * (len(edges) - values)]))
    edges = [
        replace(edge, value=value, key=draw(st.none() | words) if value else None)
        for edge, value in zip(edges, on_edges, strict=True)
    ]
    names = draw(st.permutations(names))
    touched = {id for edge in edges for id in edge.nodes}
    nodes = tuple(
        Node(name, draw(st.none() | words), draw(st.none() | words))
        for name in names
        if name in touched
    )
    unknown = [node.id for node in nodes if not node.known]
    returns = draw(st.lists(st.sampled_from(unknown), unique=True)) if unknown else []
    counted = st.sampled_from([None, *unknown]) if not returns else st.none()
    count = draw(counted)
    functions = st.builds(Aggregate, st.sampled_from(FUNCTIONS), st.sampled_from(unknown or ["a"]))
    alone = unknown and not returns and count is None
    aggregate = draw(st.none() | functions) if alone else None
    single = count if aggregate is None else aggregate.node
    asked = returns if single is None else [single]
    where = draw(_conditions(unknown, asked)) if unknown else ()
    parts = draw(_parts(unknown, nested)) if unknown and nested else ()
    free = unknown and count is None and aggregate is None
    order = draw(_orders(unknown, returns)) if free else None
    others = [id for id in unknown if returns and id not in returns]
    one = st.builds(Each, st.sampled_from(EACH_FUNCTIONS), st.sampled_from(others or ["a"]))
    each = tuple(draw(st.lists(one, max_size=2, unique=True))) if others else ()
    if fault := find_fault(nodes, edges, returns, count, where, parts, order, aggregate):
        # The one rule that the draw does not keep: something known in every part.
        assert "no known relation" in fault.problem
        edges = [replace(edge, relation=edge.relation or "r") for edge in edges]
    asks = not (returns or count or order or aggregate or any(c.counted for c in where))
    ask = asks and draw(st.booleans())
    single = (count, where, parts, order, aggregate, ask)
    plain = unknown and nested == 2 and not (count or aggregate or ask or each)
    optional = draw(_optional(names, unknown)) if plain else ()
    if returns:
        own = [id for part in optional for id in own_ids(part, nodes)]
        returns = draw(st.permutations([*returns, *own]))
    return Pattern(nodes, tuple(edges), tuple(returns), *single, each, optional)


@st.composite
def _optional(draw: st.DrawFn, taken: list[str], unknown: list[str]) -> tuple[Pattern, ...]:
    parts = []
    taken = [*taken]
    for _ in range(draw(st.sampled_from((0, 0, 1, 2)))):
        shared = draw(st.sampled_from(unknown))
        own = draw(ids.filter(lambda id: id not in taken))
        taken.append(own)
        edges = [Edge(shared, draw(words), own, directed=draw(st.booleans()))]
        nodes = [
            Node(shared, None, draw(st.none() | words)),
            Node(own, None, draw(st.none() | words)),
        ]
        if draw(st.booleans()):
            name = draw(ids.filter(lambda id: id not in taken))
            nodes.append(Node(name, draw(words)))
            edges.append(Edge(name, draw(st.none() | words), shared))
        parts.append(Pattern(tuple(draw(st.permutations(nodes))), tuple(edges)))
    return tuple(parts)


@st.composite
def _parts(draw: st.DrawFn, unknown: list[str], nested: int) -> tuple[Part, ...]:
    parts = []
    for _ in range(draw(st.sampled_from((0, 0, 0, 1, 2)))):
        pattern = replace(draw(patterns(nested - 1)), each=())
        asked = pattern.answers
        single = len(asked) == 1
        worked_out = pattern.without_count() is not pattern
        operators = [o for o in PART_OPERATORS if single and "in" not in o]
        operators += [] if worked_out else ["in", "not in"]
        if asked and operators:
            nodes = draw(st.lists(st.sampled_from(unknown), min_size=len(asked)))[: len(asked)]
            operator = draw(st.sampled_from(operators))
            parts.append(Part(tuple(nodes), operator, pattern))
            if operator == "in" and draw(st.booleans()):
                parts.append(replace(parts[-1], alternative=True))
    return tuple(parts)


def _orders(unknown: list[str], returns: list[str]) -> st.SearchStrategy[Order | None]:
    limit = st.none() | st.integers(1, 10**6)
    offset = st.integers(0, 2)
    order = st.builds(Order, st.sampled_from(unknown), st.booleans(), limit, offset=offset)
    counted = [id for id in unknown if returns and id not in returns]
    if counted:
        of = st.sampled_from(counted)
        order |= st.builds(Order, of, st.booleans(), limit, function=st.just("count"))
    return st.none() | order


def _conditions(unknown: list[str], asked: list[str]) -> st.SearchStrategy[tuple[Condition, ...]]:
    one = st.builds(
        lambda node, operator, values: Condition(
            node, operator, tuple(values[: {"in": 3, "between": 2}.get(operator, 1)])
        ),
        st.sampled_from(unknown),
        st.sampled_from(OPERATORS),
        st.lists(words | st.sampled_from(["7", "-1.5", "1995-07", "true"]), min_size=2, max_size=3),
    )
    node = st.sampled_from(unknown)
    one |= st.builds(Condition, node, st.sampled_from(COMPARISONS), other=node)
    either = st.lists(one, max_size=2)
    one = st.builds(
        lambda first, others: replace(
            first, either=tuple(replace(other, node=first.node) for other in others)
        ),
        one,
        either,
    )
    if counted := [id for id in unknown if asked and id not in asked]:
        number = st.sampled_from([("3",), ("0",)])
        of = st.sampled_from(counted)
        one |= st.builds(
            Condition, of, st.sampled_from((*COMPARISONS, "in")), number, function=st.just("count")
        )
    return st.lists(one, max_size=2).map(tuple)


_PIECES = (
    *("(", ")", "[", "]", "{", "}", "-", "<", ">", "-[", "]-", "]->", "<-[", ",", ":", "?", '"'),
    *("'", "\\", "\\u12", "\\ud83d", " ", "\n", "return", "UNKNOWN", "a", "film", "(?a)", '("b")'),
    *(
        '-[r]-("b")',
        '-[r: "v"]-(?a)',
        ": ?v]",
        " where ?a not in {",
        " where (?a < 3 or ?a between 5 and 7) and ",
        " without {",
        " order by count(?a) desc limit 1 offset 1",
        '("a", "b", "c")',
        '(?a:film {year: 1995, genre: "b"})',
        '"nodes"',
        '{"nodes": [',
        "\ud800",
        "\ufeff",
        "1e999",
        "“",
    ),
)
almost_patterns = (
    st.text()
    | st.lists(st.sampled_from(_PIECES), max_size=20).map("".join)
    | st.lists(st.sampled_from(_PIECES) | st.characters(), max_size=20).map("".join)
)


def outcome(reads: Callable[[Any], Pattern], value: object) -> Pattern | PatternError:
    """The pattern, or the error that says why there is none; nothing else is caught."""
    try:
        return reads(value)
    except PatternError as error:
        return error


def points_into(error: PatternError, text: str) -> bool:
    """Whether an error holds the text and a place in it, and can be printed."""
    assert error.position is not None
    assert all(line.isprintable() for line in str(error).splitlines())
    return error.text == text and 0 <= error.position <= len(text)
