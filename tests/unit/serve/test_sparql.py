"""Queries over the vocabulary: what they give, and what is refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, QuerySolutions, parse_query_results
from pyoxigraph import QueryResultsFormat as Format
from tests.unit.answer.results import directed, result
from tests.unit.serve.films import query

from isomatch.errors import PatternError
from isomatch.match.types import Bound, Certificate, Match, MatchResult, Profile
from isomatch.pattern import Pattern, parse
from isomatch.serve.errors import RequestError
from isomatch.serve.sparql.evaluate import Budget, answer
from isomatch.serve.sparql.results import SearchResults, term_of
from isomatch.serve.sparql.search_groups import Search
from isomatch.store.terms import XSD

FILMS = r'isomatch:pattern "(?film:film)-[directed by]-(\"Micheal Man\") return ?film"'
OPTIONAL = 'isomatch:pattern "(?m)-[by]-(?p) optional { (?m)-[tag]-(?t) } return ?m, ?t"'
BOTH = r'isomatch:pattern "(?film)-[directed by]-(?who), (?film)-[in]-(\"x\") return ?film, ?who"'
DOUBLE = NamedNode(XSD + "double")
HEAT, ALI = NamedNode("http://e.test/Heat"), NamedNode("http://e.test/Ali")


class Searcher:
    """Finds two films for any pattern of one node, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Search] = []

    def __call__(self, search: Search) -> SearchResults:
        self.asked.append(search)
        if isinstance(search.wanted, str):
            return SearchResults.of(result(directed(["Heat"])))
        if len(search.wanted.answers) == 2:
            return SearchResults.of(both(search.wanted))
        return SearchResults.of(
            result(directed(["Heat", "Ali"]), directed(["Heat"], "Al Mann", 2, distance=0.9))
        )


def both(pattern: Pattern) -> MatchResult:
    pairs = (("Heat", "Mann"), ("Ali", "Mann"), ("Serpico", "Lumet"))
    matches = tuple(
        Match(
            {
                n.id: Bound(f"http://e.test/{t}", t)
                for n, t in zip(pattern.nodes, (*pair, "x"), strict=True)
            },
            (),
        )
        for pair in pairs
    )
    (interpretation,) = result(directed(["Heat"])).interpretations
    return MatchResult(
        pattern, (replace(interpretation, matches=matches),), Certificate(True, True), Profile()
    )


def solve(text: str, searcher: Searcher | None = None) -> list[dict[str, Any]]:
    """The solutions of a query, without what is unbound."""
    return solutions(answer(text, searcher or Searcher(), Budget(10)))


def solutions(result: bytes) -> list[dict[str, Any]]:
    """The rows of a result, without what is unbound."""
    parsed = parse_query_results(result, format=Format.JSON)
    assert isinstance(parsed, QuerySolutions)
    names = [variable.value for variable in parsed.variables]
    return [{n: row[n] for n in names if row[n] is not None} for row in parsed]


def ask(text: str, find: Callable[[Search], SearchResults]) -> bool:
    """The result of an ASK."""
    return bool(parse_query_results(answer(text, find, Budget(10)), format=Format.JSON))


def column(text: str, variable: str = "f") -> list[Any]:
    return [row[variable] for row in solve(text)]


def test_rows_come_by_rank_with_what_is_asked_for() -> None:
    where = f"[] {FILMS} ; isomatch:answer ?f ; isomatch:rank ?rank ; isomatch:gsd ?gsd"
    assert solve(query(where, "SELECT ?f ?rank ?gsd")) == [
        {"f": HEAT, "rank": Literal(1), "gsd": Literal("0.6", datatype=DOUBLE)},
        {"f": ALI, "rank": Literal(1), "gsd": Literal("0.6", datatype=DOUBLE)},
        {"f": HEAT, "rank": Literal(2), "gsd": Literal("0.9", datatype=DOUBLE)},
    ]


def test_rows_are_distinct_in_what_is_asked_for() -> None:
    assert column(query(f"[] {FILMS} ; isomatch:answer ?f", "SELECT ?f")) == [HEAT, ALI]
    assert len(column(query(f"[] {BOTH} ; isomatch:node-who ?w", "SELECT ?w"), "w")) == 2


def test_a_binding_is_found_by_its_name_and_a_node_by_its_predicate() -> None:
    where = f"[] {BOTH} ; isomatch:binding ?film, ?who ; isomatch:node-film ?x"
    rows = solve(query(where, "SELECT ?film ?who ?x"))
    assert [row["who"].value for row in rows] == [
        f"http://e.test/{w}" for w in ("Mann", "Mann", "Lumet")
    ]
    assert all(row["film"] == row["x"] for row in rows)


def test_names_and_known_nodes_are_columns() -> None:
    where = f"[] {FILMS} ; isomatch:node-micheal_man ?m ; isomatch:name-micheal_man ?name"
    assert solve(query(where, "SELECT ?m ?name"))[0] == {
        "m": term_of("http://e.test/Michael Mann"),
        "name": Literal("Michael Mann"),
    }


@pytest.mark.parametrize(
    "place",
    [
        "isomatch:answer <http://e.test/Ali>",
        "isomatch:binding <http://e.test/Ali>",
        "isomatch:node-film <http://e.test/Ali>",
        'isomatch:name-film "Ali"',
    ],
)
def test_a_value_in_place_of_a_variable_must_be_met(place: str) -> None:
    assert column(query(f"[] {FILMS} ; {place} ; isomatch:rank ?r"), "r") == [Literal(1)]
    assert ask(query(f"[] {FILMS} ; {place}", "ASK"), Searcher()) is True


def test_an_empty_text_is_a_value() -> None:
    def find(_: Search) -> SearchResults:
        return SearchResults.of(result(directed([""])))

    for place in ("isomatch:name-film ?n", 'isomatch:name-film ?n VALUES ?n { "" }'):
        found = answer(query(f"[] {FILMS} ; {place}"), find, Budget(10))
        assert solutions(found) == [{"n": Literal("")}]
    assert ask(query(f'[] {FILMS} ; isomatch:name-film ""', "ASK"), find) is True
    assert ask(query(f'[] {FILMS} ; isomatch:reading ""', "ASK"), find) is False


@pytest.mark.parametrize(
    "gsd", ["0.6", "0.60", "6e-1", '"0.6"^^<http://www.w3.org/2001/XMLSchema#double>']
)
def test_numbers_are_met_by_value(gsd: str) -> None:
    assert len(solve(query(f"[] {FILMS} ; isomatch:answer ?f ; isomatch:gsd {gsd}"))) == 2
    assert not solve(query(f"[] {FILMS} ; isomatch:answer ?f ; isomatch:gsd 0.7"))


def test_one_left_out_name_is_known_by_the_others() -> None:
    # As Fuseki asks where the row has a value for ?film.
    where = f"[] {BOTH} ; isomatch:binding <http://e.test/Serpico> ; isomatch:binding ?who"
    assert [w.value for w in column(query(where), "who")] == ["http://e.test/Lumet"]


@pytest.mark.parametrize(
    "places",
    [
        "isomatch:binding <http://e.test/Serpico>, <http://e.test/Lumet>",
        "isomatch:binding <http://e.test/Serpico>",
    ],
)
def test_two_left_out_names_are_not_guessed(places: str) -> None:
    with pytest.raises(RequestError, match="isomatch:node-film, isomatch:node-who"):
        solve(query(f"[] {BOTH} ; {places}"))


def test_what_oxigraph_fuseki_and_virtuoso_send() -> None:
    pattern = r'"(?film:film)-[directed by]-(\"Micheal Man\") return ?film"'
    i = "<urn:isomatch:"
    for text in (
        f"BASE <http://127.0.0.1:1/query>\nSELECT * WHERE {{ ?5c7bf202484fd {i}pattern> {pattern} ."
        f'?5c7bf202484fd {i}k> "3"^^<{XSD}integer> .?5c7bf202484fd {i}binding> ?film . '
        f'?5c7bf202484fd {i}gsd> ?gsd . FILTER((?gsd < "2"^^<{XSD}integer>)) }}',
        f"SELECT  *\nWHERE\n  {{ _:b0  {i}pattern>  {pattern} ;\n {i}k>  3 ;\n"
        f" {i}binding>  ?film ;\n {i}gsd>  ?gsd\n  }}\n",
        f" SELECT ?gsd ?film\n WHERE {{ GRAPH <urn:g> {{ ?OrgnBNanon_3_0 {i}pattern> {pattern} ;\n"
        f" {i}k>  3 ;\n {i}binding> ?film ;\n {i}gsd> ?gsd . }}\n FILTER (!isLITERAL (?film )) }}",
    ):
        searcher = Searcher()
        assert [row["film"] for row in solve(text, searcher)] == [HEAT, ALI, HEAT]
        assert dict(searcher.asked[0].options) == {"k": 3}


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (f"[] {FILMS} ; isomatch:answer ?f VALUES (?f ?n) {{ (<http://e.test/Ali> 1) }}", [ALI]),
        (f"VALUES ?f {{ UNDEF <urn:x> }} [] {FILMS} ; isomatch:answer ?f", [HEAT, ALI]),
        (f"[] {FILMS} ; isomatch:answer ?f FILTER (STRENDS(STR(?f), 'i'))", [ALI]),
        (f"[] {FILMS} ; isomatch:answer ?f FILTER (?f IN (<urn:x>, <http://e.test/Ali>))", [ALI]),
        (
            f"[] {FILMS} ; isomatch:answer ?f MINUS {{ VALUES ?f {{ <http://e.test/Ali> }} }}",
            [HEAT],
        ),
        (f"[] {FILMS} ; isomatch:answer ?x BIND (?x AS ?f)", [HEAT, ALI]),
        (f"{{ SELECT ?f {{ [] {FILMS} ; isomatch:answer ?f }} ORDER BY ?f LIMIT 1 }}", [ALI]),
        (
            f"{{ [] {FILMS} ; isomatch:answer ?f }} UNION {{ BIND (<urn:x> AS ?f) }}",
            [HEAT, ALI, NamedNode("urn:x")],
        ),
        (f"[] {FILMS} ; isomatch:answer ?f . [] {BOTH} ; isomatch:node-film ?f", [HEAT, ALI]),
        (f"[] {FILMS} ; isomatch:answer ?f . ?f isomatch:question 'x' ; isomatch:answer ?g", []),
    ],
)
def test_the_rest_of_a_query_combines_what_was_found(where: str, expected: list[Any]) -> None:
    assert column(query(where, "SELECT ?f")) == expected


def test_sparql_may_count_and_order_what_is_optional() -> None:
    where = (
        f"[] {FILMS} ; isomatch:answer ?f "
        "OPTIONAL { [] isomatch:question 'who?' ; isomatch:answer ?f ; isomatch:gsd ?gsd }"
    )
    rows = solve(query(where, "SELECT ?f ?gsd") + " ORDER BY DESC(?f)")
    assert [(row["f"], "gsd" in row) for row in rows] == [(HEAT, True), (ALI, False)]
    counted = query(where, "SELECT ?gsd (COUNT(*) AS ?n)") + " GROUP BY ?gsd"
    assert column(counted, "n") == [Literal(1), Literal(1)]


SUPPORTED = "Supported: SELECT and ASK"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SELEC", "line 1, column 1"),
        (query(f"[] {FILMS} ; isomatch:answer ?f ,"), "malformed"),
        ("SELECT * { [] foo:bar 1 }", "Unknown namespace prefix"),
        ("SELECT * WHERE " + "{" * 500 + "}" * 500, "nested too deeply"),
        (query("?s ?p ?o"), SUPPORTED),
        (query("?s a ?type"), SUPPORTED),
        (query(f"[] {FILMS} ; isomatch:answer ?f . ?f <http://e.test/year> ?y"), "e.test/year"),
        (query('?s isomatch:pattern/isomatch:k "x"'), SUPPORTED),
        (query(""), SUPPORTED),
        (query(f"[] {FILMS} ; isomatch:answer ?f", "CONSTRUCT { ?f a ?f }"), "CONSTRUCT"),
        ("DESCRIBE <urn:x>", "DESCRIBE"),
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "malformed"),
        (query(f"[] {FILMS}").replace("WHERE", "FROM <urn:g> WHERE"), "FROM"),
        (query(f"GRAPH ?g {{ [] {FILMS} }}"), "GRAPH with a variable"),
        (query(f"SERVICE <http://127.0.0.1:1/> {{ [] {FILMS} }}"), "SERVICE"),
        (query(f"[] {FILMS} FILTER EXISTS {{ ?a ?b ?c }}"), "EXISTS"),
        (query(f"[] {FILMS} ; isomatch:answer ?f FILTER REGEX(STR(?f), '(a+)+$')"), "REGEX"),
        (query(f"[] {FILMS} BIND(CONCAT('a', 'b') AS ?c)"), "CONCAT"),
        (query(f"[] {FILMS} BIND(9 * 9 AS ?c)"), "multiplication"),
        (query(f"[] {FILMS} BIND(<urn:f>(1) AS ?c)"), "function"),
        (query(f"[] {FILMS} ; isomatch:rank ?r", "SELECT (MAX(?r) AS ?m)"), "MAX is not evaluated"),
        (query("[] isomatch:k 3"), "needs isomatch:pattern"),
        (query(f"?s {FILMS} BIND(1 AS ?n) ?s isomatch:rank ?r"), "ends the group"),
        (query(f"[] {FILMS} ; {BOTH}"), "two searches about one subject"),
        (query(f"<urn:s> {FILMS}"), "<urn:s>"),
        (query("[] isomatch:pattern ?p"), "a text in quotes, not ?p"),
        (query(f"[] {FILMS} ; isomatch:ranks ?r"), "did you mean isomatch:rank?"),
        (query(f"[] {FILMS} ; isomatch:kay 1"), "isomatch:kay is unknown"),
        (query(f"[] {FILMS} ; isomatch:qqqqqqqq 1"), SUPPORTED),
        (query(f"[] {FILMS} ; isomatch:k 1, 2"), "isomatch:k is said twice"),
        (query(f"[] {FILMS} ; isomatch:k ?k"), "a whole number, not ?k"),
        (query(f"[] {FILMS} ; isomatch:k 'three'"), 'a whole number, not "three"'),
        (query(f"[] {FILMS} ; isomatch:k true"), "a whole number"),
        (query(f"[] {FILMS} ; isomatch:k 1.5"), "a whole number"),
        (query(f"[] {FILMS} ; isomatch:type_weight 'x'"), "a number"),
        (query(f"[] {FILMS} ; isomatch:exact_vectors 1"), "true or false"),
        (query(f"[] {FILMS} ; isomatch:nodes 1"), "a text"),
        (query(f"[] {FILMS} ; isomatch:binding ?g"), "has no node ?g, but ?film"),
        (query(f"[] {FILMS} ; isomatch:binding ?micheal_man"), "isomatch:node-micheal_man"),
        (query(f"[] {FILMS} ; isomatch:node-g ?g"), "no node 'g'; it has film, micheal_man"),
        (query(f"[] {BOTH} ; isomatch:answer ?x"), "asks for several nodes"),
        (query("[] isomatch:question 'x' ; isomatch:binding ?f"), "isomatch:answer ?x"),
        (
            query(f"[] {OPTIONAL} ; isomatch:binding ?m"),
            "no optional parts: leave them out, and write OPTIONAL { … } beside the search",
        ),
    ],
)
def test_what_is_refused_says_what_to_do(text: str, words: str) -> None:
    searcher = Searcher()
    with pytest.raises(RequestError) as raised:
        answer(text, searcher, Budget(10))
    assert raised.value.status == 400
    assert words in str(raised.value)
    assert not searcher.asked  # nothing is searched before all is understood


@pytest.mark.parametrize(
    "pattern",
    [
        "(?f)-[directed",
        "",
        "} UNION { ?s ?p ?o",
        "(?f:film)-[directed by]-(x) # }",
        '{\\"nodes\\": []}',
        "(?f)" + "-[r]-(?)" * 40,
    ],
)
def test_a_pattern_that_breaks_a_rule_is_told_as_everywhere(pattern: str) -> None:
    with pytest.raises(PatternError):
        solve(query(f'[] isomatch:pattern "{pattern}" ; isomatch:answer ?f'))


def test_a_pattern_is_data_whatever_it_holds() -> None:
    searcher = Searcher()
    name = "x> } INSERT DATA { <urn:a> <urn:b> 1 } # "
    text = rf'[] isomatch:pattern "(?film)-[r]-(\"{name}\") return ?film" ; isomatch:answer ?f'
    assert solve(query(text), searcher)
    assert searcher.asked[0].wanted == parse(f'(?film)-[r]-("{name}") return ?film')


def test_the_same_search_is_equal_however_it_is_written() -> None:
    searcher = Searcher()
    spaced = FILMS.replace("-[", " -[ ")
    solve(query(f"[] {FILMS} ; isomatch:k 2 ; isomatch:limit 5 ; isomatch:answer ?f"), searcher)
    solve(query(f"[] isomatch:limit 5 ; isomatch:k 2 ; {spaced} ; isomatch:rank ?r"), searcher)
    assert len(set(searcher.asked)) == 1


@pytest.mark.parametrize(
    ("seconds", "rows", "words"), [(60, 20_000, "20000 rows"), (0.2, 10**9, "longer than 0.2 s")]
)
@pytest.mark.parametrize(
    "where",
    [
        "V0 V1 V2 V3 V4",
        "V0 { V1 } { V2 V3 } V4",
        "V0 OPTIONAL { V1 } OPTIONAL { V2 } OPTIONAL { V3 } OPTIONAL { V4 }",
        "{ V0 V1 V2 } UNION { V3 } V4 FILTER (?v0 = ?v1 && ?v0 != ?v1)",
    ],
)
def test_a_cross_product_ends(seconds: float, rows: int, words: str, where: str) -> None:
    for n in range(5):
        numbers = " ".join(map(str, range(100)))
        where = where.replace(f"V{n}", f"VALUES ?v{n} {{ {numbers} }}")
    text = query(f"[] {FILMS} ; isomatch:answer ?f {where}", "SELECT (COUNT(*) AS ?n)")
    with pytest.raises(RequestError, match=words):
        answer(text, Searcher(), Budget(seconds, rows))


def test_terms_of_all_kinds_of_ids() -> None:
    assert term_of("http://e.test/a") == NamedNode("http://e.test/a")
    assert term_of("_:b1") == BlankNode("b1")
    assert term_of("4:0f-1:12") == NamedNode("urn:isomatch:element:4:0f-1:12")
    assert term_of('"x y"@en') == Literal("x y", language="en")
    number = term_of('"01"^^<http://www.w3.org/2001/XMLSchema#integer>')
    assert number.value == "01"
    for a, b in itertools.combinations(['"1"', '"1"@en', "http://e.test/1", "_:1"], 2):
        assert term_of(a) != term_of(b)
