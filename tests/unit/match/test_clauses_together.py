"""Conditions, counts, orders and what is worked out, together, against their definitions.

One graph with values of every kind, and random clauses over it: searched, and worked out of the
graph's facts by the definitions of `tests.oracle`. 3,000 cases in `make thorough`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle.definition import satisfies
from tests.oracle.language import (
    BASE,
    TRIPLE,
    Row,
    Worked,
    best_answers,
    key_of,
    kind_of,
    worked_out,
)
from tests.turtle import opened

import isomatch
from isomatch.match import state
from isomatch.match.conditions import compare
from isomatch.pattern import Aggregate, Condition, Each, Edge, Order, Pattern
from isomatch.pattern.types import COMPARISONS, EACH_FUNCTIONS, FUNCTIONS
from isomatch.store.terms import RDFS_LABEL, XSD, literal, split_literal

CASES = 3000 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else None
VALUES = (
    *(literal(str(n), datatype=XSD + "integer") for n in range(-3, 8)),
    *(literal(text, datatype=XSD + "double") for text in ("1", "2.5", "-3", "NaN", "INF")),
    *(literal(text, datatype=XSD + "gYear") for text in ("2001", "2002")),
    *(literal(f"2001-05-{day}", datatype=XSD + "date") for day in ("01", "02", "31")),
    *map(literal, ("b", "a", "Ä", "B", "7", "2001", "true", "soon")),
)
CONSTANTS = ("-3", "0", "2", "2.5", "7", "2001", "2001-05", "2001-05-02", "2002")
HOLDS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def _facts() -> tuple[tuple[str, str, str], ...]:
    """Films, each with people and values: some have several of either."""
    source = Random(5)
    rows = []
    for film in (f"{BASE}f{i}" for i in range(24)):
        people = source.sample([f"{BASE}p{i}" for i in range(6)], source.choice((1, 1, 2)))
        values = source.sample(VALUES, source.choice((1, 1, 2, 3)))
        rows += [(film, person, value) for person in people for value in values]
    return tuple(rows)


ROWS = _facts()
TURTLE = "\n".join(
    f'<{film}> <{BASE}by> <{person}> ; <{BASE}year> {value} ; <{RDFS_LABEL}> "{film[-3:]}" .\n'
    f'<{person}> <{RDFS_LABEL}> "{person[-2:]}" .'
    for film, person, value in ROWS
)
EDGES = (Edge("a", "by", "b", directed=True), Edge("a", "year", "c", directed=True))


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(TURTLE) as session:
        yield session


comparisons = st.builds(
    lambda operator, values: Condition(
        "c", operator, tuple(values[: {"in": 3, "between": 2}.get(operator, 1)])
    ),
    st.sampled_from((*COMPARISONS, "in", "between")),
    st.lists(st.sampled_from(CONSTANTS), min_size=3, max_size=3),
) | st.builds(
    Condition,
    st.just("c"),
    st.sampled_from(("contains", "starts with", "=")),
    st.sampled_from((("a",), ("so",), ("soon",), ("20",))),
)
conditions = st.builds(
    lambda first, either: replace(first, either=tuple(either)),
    comparisons,
    st.lists(comparisons, max_size=2),
)


@st.composite
def clauses(draw: st.DrawFn) -> Pattern:
    """A pattern over films with some conditions, and one kind of result."""
    where = draw(st.lists(conditions, max_size=2))
    returns = tuple(draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True)))
    others = [id for id in "abc" if id not in returns]
    function = draw(st.none() | st.sampled_from(EACH_FUNCTIONS))
    order, each = None, ()
    kind = draw(st.sampled_from(("order", "each", "both", "count", "aggregate")))
    if kind in ("count", "aggregate"):
        node = draw(st.sampled_from("abc"))
        single = {"count": node} if kind == "count" else {}
        function = draw(st.sampled_from(FUNCTIONS))
        aggregate = Aggregate(function, node) if kind == "aggregate" else None
        return replace(
            TRIPLE, edges=EDGES, returns=(), where=tuple(where), aggregate=aggregate, **single
        )
    if draw(st.booleans()):
        number = draw(st.integers(1, 4)), draw(st.integers(2, 6))
        operator = draw(st.sampled_from((*COMPARISONS, "between")))
        values = tuple(map(str, number[: 2 if operator == "between" else 1]))
        of, worked = draw(st.sampled_from(others)), draw(st.sampled_from(EACH_FUNCTIONS))
        where.append(Condition(of, operator, values, function=worked))
    if kind != "each":
        of = draw(st.sampled_from(others if function else "abc"))
        limit, offset = draw(st.none() | st.integers(1, 5)), draw(st.integers(0, 3))
        order = Order(of, draw(st.booleans()), limit, function, offset)
    if kind != "order":
        one = st.builds(Each, st.sampled_from(EACH_FUNCTIONS), st.sampled_from(others))
        each = tuple(draw(st.lists(one, min_size=1, max_size=2, unique=True)))
    return replace(TRIPLE, edges=EDGES, returns=returns, where=tuple(where), order=order, each=each)


@dataclass(frozen=True)
class Truth:
    """What a pattern gives, by its definition.

    Attributes:
        rows: that satisfy its conditions, of the answers that its order keeps.
        answers: columns of what it returns.
    """

    rows: Sequence[Row]
    answers: Sequence[int]

    def of_answer(self, row: Row) -> Row:
        """The answer of a row."""
        return tuple(row[i] for i in self.answers)

    @classmethod
    def of(cls, pattern: Pattern) -> Truth:
        """Of all facts of the graph."""
        answers = ["abc".index(id) for id in pattern.answers]
        rows: list[Row] = list(ROWS)
        for condition in pattern.where:
            at = "abc".index(condition.node)
            if condition.function:
                own = cls(rows, answers)
                columns: dict[Row, list[str]] = {}
                for row in rows:
                    columns.setdefault(own.of_answer(row), []).append(row[at] or "")
                worked = {a: worked_out(condition.function, found) for a, found in columns.items()}
                kept = {a for a, value in worked.items() if _fits(condition, value)}
                rows = [row for row in rows if own.of_answer(row) in kept]
            else:
                alternatives = condition.alternatives
                rows = [r for r in rows if any(satisfies(r[at] or "", one) for one in alternatives)]
        if pattern.order is not None:
            best = best_answers(pattern.order, answers, rows)
            own = cls(rows, answers)
            rows = [row for row in rows if own.of_answer(row) in best]
        return cls(rows, answers)


def _fits(condition: Condition, value: Worked | None) -> bool:
    """Whether what a function gives satisfies a condition; a least or greatest one by its id."""
    if value is None or condition.function in ("min", "max"):
        return value is not None and satisfies(value.id, replace(condition, function=None))
    first, *last = map(int, condition.values)
    if condition.operator == "between":
        return bool(first <= value.key <= last[0])
    return bool(HOLDS[condition.operator](value.key, first))


def _same(function: str, id: str | None, column: Sequence[str]) -> bool:
    """Whether a value is what a function gives of values, one of each row."""
    if function == "count":
        return id is not None and int(split_literal(id)[0]) == len(set(column))
    if function in ("sum", "avg"):
        numbers = [Fraction(n) for one in column if (n := key_of("number", one)) is not None]  # type: ignore[arg-type]
        if not numbers or id is None:
            return not numbers and id is None
        expected = sum(numbers) / (len(numbers) if function == "avg" else 1)
        return abs(Fraction(split_literal(id)[0]) - expected) < Fraction(1, 10**20)
    kind = kind_of(column)
    keys = [key for one in column if (key := key_of(kind, one)) is not None]
    best = (max if function == "max" else min)(keys, default=None)  # type: ignore[type-var]
    return bool((None if id is None else key_of(kind, id)) == best)


@settings(max_examples=CASES or settings.default.max_examples)
@given(clauses(), st.sampled_from((1, state.GLANCE)))
def test_every_result_is_that_of_its_definition(
    session: isomatch.Session, pattern: Pattern, glance: int
) -> None:
    with patch.object(state, "GLANCE", glance):
        result = session.match(pattern, k=1)
    truth = Truth.of(pattern)

    assert result.certificate.exact
    if (counted := pattern.count) is not None:
        count = result.count()
        assert count is not None
        assert count.value == len({row["abc".index(counted)] for row in truth.rows})
        assert not count.at_least
        return
    if (given := pattern.aggregate) is not None:
        value = result.value()
        column = [row["abc".index(given.node)] or "" for row in truth.rows]
        assert _same(given.function, value and value.id, column)
        return
    matches = [m for _, m in result.matches]
    shown = _shown(pattern, truth)
    assert {tuple(m.bindings[id].id for id in "abc") for m in matches} == set(shown)
    groups = {tuple(b.id for b in group.answer): group.values for group in result.groups()}
    if pattern.each:
        assert set(groups) == set(map(truth.of_answer, shown))
    for answer, values in groups.items():
        own = [row for row in shown if truth.of_answer(row) == answer]
        for one, value in zip(pattern.each, values, strict=True):
            column = [row["abc".index(one.node)] or "" for row in own]
            assert _same(one.function, value and value.id, column), one


def _shown(pattern: Pattern, truth: Truth) -> list[Row]:
    """The rows of the answers that are kept, less those whose value has no place in the order."""
    return [row for row in truth.rows if pattern.order is None or _is_ordered(pattern, row, truth)]


def _is_ordered(pattern: Pattern, row: Row, truth: Truth) -> bool:
    """Whether the value of a row is one that can be ordered beside the others."""
    order = pattern.order
    if order is None:
        return True
    if order.function:
        return True
    return key_of(_ordered_kind(pattern), row["abc".index(order.node)] or "") is not None


def _ordered_kind(pattern: Pattern) -> str:
    """The kind of most values, before the order."""
    assert pattern.order is not None
    at = "abc".index(pattern.order.node)
    return kind_of([row[at] or "" for row in Truth.of(replace(pattern, order=None)).rows])


@given(
    st.lists(st.sampled_from((*VALUES, "<x:a>", "<x:b>")), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from((*VALUES, "<x:a>", "<x:b>")), max_size=4, unique=True),
)
@settings(max_examples=25, deadline=None)
def test_what_is_not_among_those_not_in_a_pattern_is_in_it(
    own: list[str], other: list[str]
) -> None:
    """What the inner pattern can compare with nothing is not known to be in it."""
    facts = [f"<x:one> <x:has> {', '.join(own)} . <x:one> <{RDFS_LABEL}> 'One' ."]
    facts += [f"<x:two> <{RDFS_LABEL}> 'Two' ; <x:has> <x:c> . <x:c> <{RDFS_LABEL}> 'C' ."]
    facts += [f"<x:two> <x:has> {value} ." for value in other]
    facts += [f"<x:{name}> <{RDFS_LABEL}> '{name}' ." for name in ("a", "b")]
    inner = '("One")-[]-(?v) where ?v not in { ("Two")-[has]->(?v) return ?v } return ?v'
    with opened("\n".join(facts)) as session:
        kept = session.match(f'("One")-[]-(?v) where ?v not in {{ {inner} }} return ?v', limit=99)
        two = session.match('("Two")-[has]->(?v) return ?v', limit=99)

    ids = {node.id for node in two.answers()}
    found = {node.id for node in kept.answers()}
    assert all(id in ids or any(compare("=", id, one) for one in ids) for id in found)


def test_a_value_is_not_kept_for_want_of_what_it_may_be_compared_with() -> None:
    turtle = f"""<x:heat> <x:by> <x:mann> ; <x:year> 1995 ; <{RDFS_LABEL}> "Heat" .
        <x:mann> <{RDFS_LABEL}> "Mann" ."""
    inner = '("Heat")-[]-(?v) where ?v not in { ("Heat")-[by]->(?v) return ?v } return ?v'
    with opened(turtle) as session:
        result = session.match(f'("Heat")-[]-(?v) where ?v not in {{ {inner} }} return ?v')

    assert [node.name for node in result.answers()] == ["Mann"]
    assert any("could not be compared" in note for note in result.certificate.notes)


LEFT_OUT = '("Heat")-[]-(?v) where ?v not in { ("Heat")-[by]->(?v) return ?v } return ?v'
NOTHING = '("Ran")-[made]->(?v) where ?v > 2000 return ?v'


@pytest.mark.parametrize(
    "condition",
    [
        f"?w in {{ {LEFT_OUT} }}",
        f"?w in {{ {LEFT_OUT} }} or ?w in {{ {NOTHING} }}",
        f"?w in {{ {NOTHING} }} or ?w in {{ {LEFT_OUT} }}",
    ],
)
def test_what_may_be_in_a_nested_pattern_is_not_kept_for_not_being_in_it(condition: str) -> None:
    turtle = f"""<x:heat> <x:by> <x:mann> ; <x:year> 1995 ; <{RDFS_LABEL}> "Heat" .
        <x:ali> <x:made> 1995 ; <{RDFS_LABEL}> "Ali" . <x:ran> <x:made> 1985 ;
        <{RDFS_LABEL}> "Ran" . <x:mann> <{RDFS_LABEL}> "Mann" ."""
    inner = f"(?f)-[made]->(?w) where {condition} return ?f"
    with opened(turtle) as session:
        result = session.match(f"(?f)-[made]->(?y) where ?f not in {{ {inner} }} return ?f", k=1)

    assert [node.name for node in result.answers()] == ["Ran"]
