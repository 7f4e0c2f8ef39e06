"""Queries as the service reads and rewrites them: what is hostile, and what is kept exactly."""

from __future__ import annotations

import json
from time import monotonic
from typing import Any

import pyoxigraph as ox
import pytest
from tests.unit.answer.results import directed, result
from tests.unit.serve.films import query

from isomatch.cancel import Cancellation, scope
from isomatch.errors import SearchCancelled
from isomatch.match.types import Bound, Interpretation, Match
from isomatch.serve.errors import RequestError
from isomatch.serve.sparql.evaluate import Budget, answer
from isomatch.serve.sparql.query import MAX_SIZE, read_query
from isomatch.serve.sparql.results import SearchResults
from isomatch.serve.sparql.search_groups import Search

PATTERN = r'isomatch:pattern "(?film:film)-[directed by]-(\"Micheal Man\") return ?film"'
FILMS = f"[] {PATTERN} ; isomatch:answer ?f"
XSD = "http://www.w3.org/2001/XMLSchema#"


def find(_: Search) -> SearchResults:
    return SearchResults.of(result(directed(["Heat", "Ali"])))


def ids(*ids: str) -> SearchResults:
    """Results whose answers have these ids."""
    (found,) = [directed(["Heat"])]
    matches = tuple(Match({**found.matches[0].bindings, "film": Bound(id, "x")}, ()) for id in ids)
    return SearchResults.of(
        result(Interpretation(found.rank, found.gsd, found.choices, matches, False))
    )


def solve(text: str, results: SearchResults | None = None) -> dict[str, Any]:
    found = answer(text, find if results is None else lambda _: results, Budget(10))
    parsed: dict[str, Any] = json.loads(found)
    return parsed


def values(text: str, results: SearchResults | None = None) -> list[dict[str, str]]:
    rows = solve(text, results)["results"]["bindings"]
    return [{name: term["value"] for name, term in row.items()} for row in rows]


def numbers(variable: str, count: int) -> str:
    return f"VALUES ?{variable} {{ {' '.join(map(str, range(count)))} }}"


SLOW = f"STRLEN(LCASE(UCASE(LCASE(UCASE('{'x' * 600_000}')))))"


@pytest.mark.parametrize(
    ("where", "head", "tail"),
    [
        (f"{numbers('a', 10_000)} {numbers('b', 10_000)}", "SELECT (COUNT(*) AS ?n)", ""),
        (f"{numbers('a', 10_000)} MINUS {{ {numbers('b', 10_000)} }}", "SELECT ?a", ""),
        (
            f"{numbers('a', 10_000)} OPTIONAL {{ {numbers('b', 10_000)} FILTER (?a + ?b < 0) }}",
            "SELECT (COUNT(*) AS ?n)",
            "",
        ),
        (numbers("a", 10_000), "SELECT ?b", numbers("b", 10_000)),
        (f"{numbers('a', 10_000)} FILTER ({SLOW} > ?a)", "SELECT *", ""),
        (f"{numbers('a', 10_000)} BIND ({SLOW} AS ?b)", "SELECT ?b", ""),
        (numbers("a", 10_000), f"SELECT ({SLOW} + ?a AS ?n)", ""),
        (numbers("a", 10_000), "SELECT *", f"ORDER BY ({SLOW} + ?a)"),
        (
            numbers("a", 10_000),
            "SELECT ?b (COUNT(*) AS ?n)",
            f"GROUP BY ({SLOW} + ?a AS ?b)",
        ),
        (f"{numbers('a', 10_000)} {numbers('b', 10_000)} FILTER (?a + ?b < 0)", "ASK", ""),
    ],
)
def test_a_costly_query_ends_soon_after_its_time(where: str, head: str, tail: str) -> None:
    text = query(f"{FILMS} {{ {where} }} FILTER (?f = ?f)", head) + f" {tail}"
    started = monotonic()
    with pytest.raises(RequestError, match=r"longer than 0\.05 s"):
        answer(text, find, Budget(0.05, rows=10**9))
    assert monotonic() - started < 10


@pytest.mark.parametrize(
    "where",
    [
        "{" * 5000 + "}" * 5000,
        f"BIND ({'(' * 5000}1{')' * 5000} AS ?x)",
        f"BIND ({'!' * 5000}true AS ?x)",
        f"FILTER ({'true || ' * 5000}true)",
        "{} " + "UNION {} " * 5000,
        "VALUES ?x { 1 } " * 5000,
        "OPTIONAL { VALUES ?x { 1 } } " * 5000,
        "FILTER (true) " * 5000,
        f"{FILMS} . " * 5000,
        "[ isomatch:answer " * 5000 + "1" + "]" * 5000 + " isomatch:k 1",
    ],
)
def test_a_query_that_would_exhaust_the_stack_is_refused(where: str) -> None:
    with pytest.raises(RequestError, match=r"nested too deeply|more than 500 groups"):
        solve(query(f"{FILMS} . {where}"))


def test_a_query_of_the_most_parts_is_planned_at_once() -> None:
    parts = " ".join(f"VALUES ?v{n} {{ 1 }}" for n in range(90))
    operators = "FILTER (" + " && ".join("?f != 1" for _ in range(100)) + ")"
    started = monotonic()
    (row, _) = values(query(f"{FILMS} . {parts} {operators}"))
    assert len(row) == 91
    assert monotonic() - started < 5
    assert MAX_SIZE == 500


@pytest.mark.parametrize(
    "where",
    [
        # Where a token of ours could be several of another parser's.
        "FILTER (?f<REGEX(STR(?f),'a')&&?f>?f)",
        "FILTER (?f <a:REGEX(?f,?f)> ?f)",
        "BIND (<urn:isomatch:function:count-row>() AS ?x)",
        "FILTER NOT EXISTS { ?a ?b ?c }",
        "FILTER (EXISTS { ?a ?b ?c })",
        "FILTER <http://www.w3.org/2001/XMLSchema#integer>(1)",
        "SERVICE SILENT <http://127.0.0.1:1/> { ?a ?b ?c }",
        "BIND (RAND() AS ?x)",
        "VALUES ?x { 1 } } INSERT DATA { <urn:a> <urn:b> <urn:c>",
        "VALUES (?x) { (?y) }",
        "?a (<urn:a>|<urn:b>)* ?c",
        "?a ^<urn:a> ?c",
    ],
)
def test_what_is_not_supported_cannot_be_smuggled_in(where: str) -> None:
    with pytest.raises(RequestError) as raised:
        solve(query(f"{FILMS} . {where}"))
    assert raised.value.status == 400


def test_an_escaped_quote_stays_in_its_text() -> None:
    found = values(query(f'{FILMS} BIND ("\\u0022 \\\\u0022 {{" AS ?x)', "SELECT ?x"))
    assert found[0] == {"x": '" \\u0022 {'}


def test_an_error_in_an_expression_has_its_place() -> None:
    text = f"PREFIX isomatch: <urn:isomatch:>\nSELECT * {{ {FILMS}\n  FILTER (?f ?f) }}"
    with pytest.raises(RequestError, match=r"malformed query, line 3, column 10"):
        solve(text)


def test_an_error_of_the_whole_query_is_said_in_words() -> None:
    with pytest.raises(RequestError, match="The SELECT contains a variable that is unbound"):
        solve(query(FILMS, "SELECT ?f") + " GROUP BY ?g")
    with pytest.raises(RequestError, match="malformed query: its solution modifiers"):
        solve(query(FILMS) + " LIMIT 1 LIMIT 2")


def test_comparisons_need_no_spaces() -> None:
    assert len(values(query(f"{FILMS} . VALUES ?n {{ 1 3 5 }} FILTER (?n<4&&2<?n)"))) == 2


def test_prefixes_base_and_datatypes_are_resolved() -> None:
    text = (
        "BASE <http://e.test/x/> PREFIX e: <http://e.test/> PREFIX x: <http://www.w3.org/2001/"
        f"XMLSchema#> PREFIX isomatch: <urn:isomatch:> SELECT ?g {{ {FILMS} "
        'FILTER (?f IN (e:Ali, <../Ali>)) VALUES ?g { "1"^^x:integer } }'
    )
    assert values(text) == [{"g": "1"}]


@pytest.mark.parametrize(
    "search", [f"[ {PATTERN} ; isomatch:answer ?f ]", f"_:a {PATTERN} . _:a isomatch:answer ?f"]
)
def test_a_search_may_be_written_about_any_blank_node(search: str) -> None:
    assert len(values(query(search))) == 2


def test_blank_nodes_join_and_keep_their_labels() -> None:
    found = ids("_:b1", "http://e.test/a", "_:b2")
    again = f"{FILMS} . [] isomatch:question 'x' ; isomatch:answer ?f FILTER (isBLANK(?f))"
    rows = solve(query(again), found)["results"]["bindings"]
    assert [row["f"] for row in rows] == [
        {"type": "bnode", "value": "b1"},
        {"type": "bnode", "value": "b2"},
    ]


NUMBERS = (f'"01"^^<{XSD}integer>', f'"1.50"^^<{XSD}decimal>', '"x"')


@pytest.mark.parametrize(
    "text",
    [
        query(FILMS),
        query(FILMS, "SELECT ?f"),
        query(
            f"{{ SELECT ?f {{ {FILMS} }} }} OPTIONAL {{ VALUES ?g {{ 1 }} }}", "SELECT DISTINCT ?f"
        ),
    ],
)
def test_values_are_written_as_the_database_writes_them(text: str) -> None:
    assert [row["f"] for row in values(text, ids(*NUMBERS))] == ["01", "1.50", "x"]


def test_a_test_of_the_kind_leaves_values_as_the_database_writes_them() -> None:
    found = values(query(f"{FILMS} FILTER (isNUMERIC(?f))"), ids(*NUMBERS))
    assert [row["f"] for row in found] == ["01", "1.50"]


def test_datatypes_are_those_of_the_database() -> None:
    (row,) = solve(query(FILMS), ids(f'"1"^^<{XSD}byte>'))["results"]["bindings"]
    assert row["f"] == {"type": "literal", "value": "1", "datatype": f"{XSD}byte"}


@pytest.mark.parametrize(
    "text",
    [
        query(f"{FILMS} VALUES ?f {{ 1 }}"),
        query(FILMS) + " VALUES ?f { 1 }",
        query(FILMS, "SELECT (?f AS ?g)"),
        query(f"{FILMS} BIND (?f AS ?g)"),
        query(f"{FILMS} FILTER (STR(?f) = '01')"),
        query(f"{FILMS} FILTER (isNUMERIC(?f) && ?f = 1)"),
        query(f"{FILMS} FILTER (isNUMERIC(?f + 0))"),
        query(f"{FILMS} FILTER (sameTerm(?f, 1))"),
        query(FILMS, "SELECT (COUNT(DISTINCT ?f) AS ?n)"),
        query(FILMS, "SELECT ?f") + " GROUP BY ?f",
        query(FILMS) + " ORDER BY STR(?f)",
        query(f"{FILMS} . [] isomatch:question 'x' ; isomatch:answer ?f"),
        query(f"{FILMS} MINUS {{ [] isomatch:question 'x' ; isomatch:answer ?f }}"),
        query(f"{{ {FILMS} }} UNION {{ BIND (1 AS ?f) }}"),
        query(f"{FILMS} . {{ SELECT (?a AS ?f) {{ VALUES ?a {{ 1 }} }} }}"),
        f"PREFIX isomatch: <urn:isomatch:> ASK {{ {FILMS} FILTER ($f = 1) }}",
    ],
)
def test_another_use_of_a_value_that_would_be_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(
        RequestError, match=r'\?f: the database has "01".*in the calling engine'
    ) as e:
        solve(text, ids(*NUMBERS))
    assert e.value.status == 400
    assert solve(text, ids('"x"'))["head"] is not None  # Oxigraph writes it in the same way


@pytest.mark.parametrize("head", ["SELECT *", "SELECT DISTINCT ?f", "SELECT (COUNT(*) AS ?n)"])
@pytest.mark.parametrize("forms", [("01", "1"), ("1", "01"), ("01", "001")])
def test_two_forms_of_one_value_are_refused(head: str, forms: tuple[str, str]) -> None:
    found = ids(*(f'"{form}"^^<{XSD}integer>' for form in forms))
    with pytest.raises(RequestError, match=r"\?f: the database has .* which are one value"):
        solve(query(FILMS, head), found)


def test_the_distance_may_be_used_in_expressions() -> None:
    text = query(f"{FILMS} ; isomatch:gsd ?gsd FILTER (?gsd >= 0)") + " ORDER BY ?gsd"
    assert len(values(text)) == 2


def test_counting_distinct_rows_is_refused() -> None:
    # Rows differ by the variables that the service adds.
    text = query(f"{{ {FILMS} }} UNION {{ {FILMS} }}", "SELECT (COUNT(DISTINCT *) AS ?n)")
    with pytest.raises(RequestError, match=r"COUNT\(DISTINCT \*\) is not evaluated") as raised:
        solve(text)
    assert raised.value.status == 400


def test_distinct_rows_without_variables_are_one() -> None:
    constant = f"[] {PATTERN} ; isomatch:answer <http://e.test/Ali>"
    where = f"{{ {constant} }} UNION {{ {constant} }}"
    for text in (
        query(where, "SELECT DISTINCT *"),
        query(f"{{ SELECT DISTINCT * {{ {where} }} }}"),
    ):
        assert solve(text) == {"head": {"vars": []}, "results": {"bindings": [{}]}}


@pytest.mark.parametrize(
    "text",
    [
        query(FILMS, "SELECT (COUNT(?f) AS ?n)"),
        query(FILMS, "SELECT (1 + COUNT(*) AS ?n)"),
        query(FILMS, "SELECT (1 AS ?n)") + " HAVING (COUNT(?f) > 1)",
        query(FILMS, "SELECT (1 AS ?n)") + " HAVING (1 < 2)",
        query(FILMS, "SELECT (1 AS ?n)") + " ORDER BY COUNT(?f)",
        query(FILMS, "SELECT ?f") + " GROUP BY ?f",
        query(f"{{ SELECT ?f {{ {FILMS} }} }}", "SELECT (COUNT(?f) AS ?n)"),
    ],
)
def test_values_after_a_query_that_groups_are_refused(text: str) -> None:
    tail = " VALUES ?f { <http://e.test/Heat> }"
    with pytest.raises(RequestError, match="VALUES after a query that groups") as raised:
        solve(text + tail)
    assert raised.value.status == 400
    with pytest.raises(RequestError, match="VALUES after a query that groups"):
        solve(query(f"{{ {text.partition(chr(10))[2]} {tail} }}"))


def test_values_may_follow_a_query_whose_sub_select_groups() -> None:
    where = f"{FILMS} {{ SELECT (COUNT(*) AS ?n) {{ {FILMS} }} }}"
    found = values(query(where) + " VALUES ?f { <http://e.test/Heat> }")
    assert found == [{"f": "http://e.test/Heat", "n": "2"}]


@pytest.mark.parametrize("name", ["?isomatch_guard_1", "$isomatch_blank_f", "?isomatch_x"])
def test_variables_of_the_service_are_refused(name: str) -> None:
    for text in (
        query(f"{FILMS} VALUES {name} {{ 1 }}"),
        query(f"[] {PATTERN} ; isomatch:answer {name}"),
        query(FILMS, f"SELECT (1 AS {name})"),
    ):
        with pytest.raises(RequestError) as raised:
            solve(text)
        assert raised.value.status == 400
        assert str(raised.value).startswith(f"{name}: names that begin with isomatch_")


def test_an_id_that_is_no_term_becomes_an_iri() -> None:
    assert values(query(FILMS), ids("http://e.test/%zz")) == [
        {"f": "urn:isomatch:element:http:%2F%2Fe.test%2F%25zz"}
    ]


def test_all_variables_are_those_that_the_groups_bind() -> None:
    where = (
        f"{FILMS} . {{ SELECT ?a {{ VALUES (?a ?b) {{ (1 2) }} }} }} "
        "MINUS { VALUES ?c { 1 } } OPTIONAL { VALUES ?d { 1 } } BIND (?a AS ?e)"
    )
    assert solve(query(where))["head"]["vars"] == ["f", "a", "d", "e"]


def test_rows_without_variables_are_counted() -> None:
    constant = f"[] {PATTERN} ; isomatch:answer <http://e.test/Ali>"
    for where in (constant, f"{constant} . {constant}"):
        assert solve(query(where)) == {"head": {"vars": []}, "results": {"bindings": [{}]}}


@pytest.mark.parametrize(
    ("part", "most"),
    [
        ("VALUES ?x {{ 1 }}", 100),
        ("{{ VALUES ?x{0} {{ 1 }} }} UNION {{ VALUES ?x{0} {{ 2 }} }}", 50),
        ("{{ VALUES ?x {{ 1 }} VALUES ?y {{ 1 }} }}", 50),
    ],
)
def test_a_query_of_more_joins_than_are_ordered_in_time_is_refused(part: str, most: int) -> None:
    """The work grows with the cube of the joins, outside every budget; what is refused does not."""
    few, many = (" ".join(part.format(i) for i in range(n)) for n in (most, most + 1))
    assert read_query(query(f"{FILMS} . {few}"))
    with pytest.raises(RequestError, match="or 100 joins: leave some") as refusal:
        read_query(query(f"{FILMS} . {many}"))
    assert refusal.value.status == 400


def test_one_list_of_values_may_be_long() -> None:
    assert len(values(query(f"{FILMS} . {numbers('x', 5000)}"))) == 10_000


def test_a_query_whose_client_has_gone_is_evaluated_no_further() -> None:
    given_up = Cancellation()

    class Counting(Budget):
        rows_counted = 0

        def count_row(self) -> ox.Literal | None:
            given_up.cancel()
            self.rows_counted += 1
            return super().count_row()

    text = query(f"{FILMS} {{ {numbers('a', 3000)} {numbers('b', 3000)} }}")
    with scope(given_up):
        budget = Counting(10**9, 10**9)
        with pytest.raises(SearchCancelled):
            answer(text, find, budget)
    assert budget.rows_counted < 10_000  # of nine million
