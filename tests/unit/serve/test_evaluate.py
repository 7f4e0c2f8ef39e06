"""Combinations of what searches found: the same as Oxigraph's, over the same rows.

Each search of a random query is also written as the VALUES that it stands for, and
Oxigraph evaluates that text over an empty store.
"""

from __future__ import annotations

from collections import Counter

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.answer.results import directed, result
from tests.unit.serve.films import query

from isomatch.serve.sparql.evaluate import Budget, answer
from isomatch.serve.sparql.results import SearchResults
from isomatch.serve.sparql.search_groups import Search

FILMS = (["a"], ["a", "b"], ["b", "c", "d"], [])
VARIABLES = ("x", "y", "z")
Both = tuple[str, str]
"""A group graph pattern as the service reads it, and as VALUES."""


def find(search: Search) -> SearchResults:
    """The films that the option ``k`` numbers."""
    films = FILMS[dict(search.options)["k"] - 1]
    return SearchResults.of(result(directed(films)))


def search(number: int, variable: str) -> Both:
    pattern = r'isomatch:pattern "(?film:film)-[directed by]-(\"Micheal Man\") return ?film"'
    rows = " ".join(f"<http://e.test/{film}>" for film in FILMS[number])
    return (
        f"[] {pattern} ; isomatch:k {number + 1} ; isomatch:answer ?{variable} .",
        f"VALUES ?{variable} {{ {rows} }}",
    )


def values(variables: list[str], rows: list[list[str | None]]) -> Both:
    cells = [
        " ".join(f"<http://e.test/{c}>" if c else "UNDEF" for c in row[: len(variables)])
        for row in rows
    ]
    text = (
        f"VALUES ({' '.join('?' + v for v in variables)}) {{ {' '.join(f'({c})' for c in cells)} }}"
    )
    return text, text


LEAVES = st.one_of(
    st.builds(search, st.integers(0, len(FILMS) - 1), st.sampled_from(VARIABLES)),
    st.builds(
        values,
        st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=2, unique=True),
        st.lists(st.lists(st.sampled_from(["a", "b", None]), min_size=2, max_size=2), max_size=3),
    ),
)


def combined(form: str, first: Both, second: Both) -> Both:
    mine, theirs = (form.format(a, b) for a, b in zip(first, second, strict=True))
    return mine, theirs


GROUPS = st.recursive(
    LEAVES,
    lambda groups: st.builds(
        combined,
        st.sampled_from(
            [
                "{{ {0} }} {{ {1} }}",
                "{0} OPTIONAL {{ {1} }}",
                "{0} OPTIONAL {{ {1} FILTER (?x != ?y) }}",
                "{{ {0} }} UNION {{ {1} }}",
                "{0} MINUS {{ {1} }}",
                "{{ {0} }} {{ SELECT DISTINCT ?x {{ {1} }} }}",
                "{{ {0} }} {{ SELECT DISTINCT * {{ {1} }} }}",
                "{{ {0} }} {{ SELECT (COUNT(*) AS ?n) {{ {1} }} }}",
                "{{ {0} }} {{ SELECT * {{ {1} }} VALUES ?x {{ UNDEF <http://e.test/a> }} }}",
                "{0} {{ {1} FILTER (BOUND(?x)) }}",
            ]
        ),
        groups,
        groups,
    ),
    max_leaves=5,
)


TAILS = st.one_of(
    st.just(""),
    st.builds(
        lambda variables, rows: values(variables, rows)[0],
        st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=2, unique=True),
        st.lists(st.lists(st.sampled_from(["a", "b", None]), min_size=2, max_size=2), max_size=3),
    ),
)
"""VALUES after the query."""
HEADS = st.one_of(
    st.tuples(st.sampled_from(["SELECT ?x ?y ?z", "SELECT *", "SELECT DISTINCT *"]), TAILS),
    st.just(("SELECT (COUNT(*) AS ?rows)", "")),
)


def rows(solutions: object) -> Counter[frozenset[tuple[str, str]]]:
    assert isinstance(solutions, ox.QuerySolutions)
    names = [variable.value for variable in solutions.variables]
    return Counter(frozenset((n, str(s[n])) for n in names if s[n] is not None) for s in solutions)


@given(group=GROUPS, head_and_tail=HEADS)
def test_what_is_combined_is_what_oxigraph_combines(
    group: Both, head_and_tail: tuple[str, str]
) -> None:
    head, tail = head_and_tail
    # A query needs a search.
    mine, theirs = combined("{0} {{ {1} }}", group, search(0, "w"))
    found = answer(f"{query(mine, head)} {tail}", find, Budget(60))
    expected = ox.Store().query(f"{query(theirs, head)} {tail}")
    assert isinstance(expected, ox.QuerySolutions)
    result = ox.parse_query_results(found, format=ox.QueryResultsFormat.JSON)
    assert isinstance(result, ox.QuerySolutions)
    assert {*result.variables} == {*expected.variables}, (mine, theirs)
    assert rows(result) == rows(expected), (mine, theirs, head, tail)
