"""Statements for people, against one reviewed file a case, and the literals in them."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.compile.golden import check
from tests.unit.compile.test_golden_cypher import (
    ACTED,
    CRIME,
    DIRECTED,
    FILM,
    GENRES,
    HEAT,
    MANN,
    ONE_HOP,
    THREE_HOPS,
    TITLE,
    Y1995,
    YEAR,
    part,
)

from isomatch.compile import literals
from isomatch.compile.literals import text_literal
from isomatch.compile.pasteable import Seen, pasteable
from isomatch.pattern import parse
from isomatch.pattern.columns import column_names

GOLDEN = Path(__file__).parent / "golden_show"
AWKWARD = ":a`]-(b)\x1b[31m//"


def shown(
    text: str,
    relations: Sequence[str | None],
    known: dict[int, str],
    *seen: tuple[set[int], Sequence[str]],
    types: dict[int, str] | None = None,
    **options: Any,
) -> str:
    """The text for a pattern, of which `seen` matches (values, relations) were found."""
    found = [Seen(frozenset(values), tuple(ids)) for values, ids in seen]
    names = column_names(parse(text))
    return pasteable(part(text, relations, types, **options), known, found, 1000, names)


CASES: dict[str, Callable[[], str]] = {
    "one_hop": lambda: shown(ONE_HOP, [DIRECTED], {1: MANN}, (set(), [DIRECTED]), types={0: FILM}),
    "three_hops_as_written": lambda: shown(
        THREE_HOPS,
        [DIRECTED, DIRECTED, ACTED],
        {0: HEAT},
        (set(), [DIRECTED, DIRECTED, ACTED]),
        direction="as written",
    ),
    "value_of_a_property": lambda: shown(
        '("Heat")-[year]-(?year:number)',
        [YEAR],
        {0: HEAT},
        ({1}, [YEAR]),
        types={1: "literal:number"},
    ),
    "node_by_a_value": lambda: shown(
        '(?film:film)-[year]-("1995")', [YEAR], {1: Y1995}, ({1}, [YEAR]), types={0: FILM}
    ),
    "node_by_a_member_of_a_list": lambda: shown(
        '(?film)-[genres]-("crime")-[genres]-(?other)',
        [GENRES, GENRES],
        {1: CRIME},
        ({1}, [GENRES, GENRES]),
    ),
    "shared_value": lambda: shown(
        '("Heat")-[genres]-(?genre)-[genres]-(?other)',
        [GENRES, GENRES],
        {0: HEAT},
        ({1}, [GENRES, GENRES]),
        nodes="anchored",
    ),
    "names_that_are_facts_of_others": lambda: shown(
        "(?who)-[title]-(?what)", [TITLE], {}, ({1}, [TITLE])
    ),
    "unknown_relation": lambda: shown(
        '("Heat")-[]-(?what)', [None], {0: HEAT}, ({1}, [YEAR]), (set(), [ACTED]), ({1}, [TITLE])
    ),
    "value_on_an_edge": lambda: shown(
        '("Heat")-[acted in: ?role]-(?who)', [ACTED], {0: HEAT}, ({2}, [ACTED])
    ),
    "known_value_on_an_edge": lambda: shown(
        '(?film)-[acted in: "crime"]-(?who)', [ACTED], {2: CRIME}, ({2}, [ACTED])
    ),
    "text_that_may_be_a_name": lambda: shown(
        '("Heat")-[directed by]-(?who)-[title]-(?what)',
        [DIRECTED, TITLE],
        {0: HEAT},
        ({2}, [DIRECTED, TITLE]),
    ),
    "names_are_escaped": lambda: shown(
        '("Heat")-[x]-(?who)-[y]-(?what)',
        [AWKWARD, ".\\u0060`"],
        {0: "it's \\u0027;\n//"},
        ({2}, [AWKWARD, ".\\u0060`"]),
        types={1: ":`) RETURN 1 //"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_pasteable_statement_is_the_reviewed_text(case: str) -> None:
    check(GOLDEN / f"{case}.cypher", CASES[case]() + "\n")


def test_every_file_has_its_case() -> None:
    assert {path.stem for path in GOLDEN.glob("*.cypher")} == set(CASES)


@given(st.text() | st.text("\\u'\"`027;\n\u2028\u202e\U000e0041"))
def test_a_text_is_one_line_that_ends_where_it_should(text: str) -> None:
    written = text_literal(text)
    assert written.isprintable()
    inside = re.fullmatch(r"'((?:[^\\']|\\['\\n]|\\u[0-9a-f]{4})*)'", written)
    assert inside
    units = re.sub(
        r"\\(?:u([0-9a-f]{4})|(.))",
        lambda m: chr(int(m[1], 16)) if m[1] else m[2].replace("n", "\n"),
        inside[1],
    )
    assert units.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") == text


def test_docstring_examples_of_literals_run() -> None:
    assert doctest.testmod(literals).failed == 0
