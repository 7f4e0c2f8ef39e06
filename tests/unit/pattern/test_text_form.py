"""The short text form: what it means, that it round-trips, and that it scales."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.unit.pattern.ugly_patterns import (
    almost_patterns,
    outcome,
    patterns,
    points_into,
    untimed,
)

from isomatch.errors import PatternError
from isomatch.pattern import (
    EXAMPLE,
    Edge,
    Node,
    Pattern,
    RelationChain,
    format_text,
    parse_json,
    parse_text,
    parse_triples,
    to_json,
)


@untimed
@given(patterns())
def test_a_pattern_formatted_as_text_parses_back_exactly(pattern: Pattern) -> None:
    assert parse_text(format_text(pattern)) == pattern


@untimed
@given(almost_patterns)
def test_any_text_is_a_pattern_or_a_pattern_error(text: str) -> None:
    result = outcome(parse_text, text)
    if isinstance(result, PatternError):
        assert points_into(result, text)
    else:
        assert parse_text(format_text(result)) == result


def test_the_example_is_written_as_it_is_read() -> None:
    assert format_text(parse_text(EXAMPLE)) == EXAMPLE


def test_arrows_say_which_node_is_the_source() -> None:
    pattern = parse_text('(?a)-[r]->("X")<-[s]-(?b), ("X")-[t]-(?c)')
    assert pattern.edges == (
        Edge("a", "r", "x", directed=True),
        Edge("b", "s", "x", directed=True),
        Edge("x", "t", "c"),
    )


def test_order_of_nodes_is_kept_where_no_edge_gives_it() -> None:
    nodes = (Node("b"), Node("a", "A"), Node("c"))
    pattern = Pattern(
        nodes, (Edge("a", "r", "b", directed=True), Edge("c", "s", "a", directed=True))
    )
    assert format_text(pattern) == '(?b)<-[r]-("A")<-[s]-(?c)'
    backwards = Pattern(nodes[::-1], pattern.edges)
    assert format_text(backwards).startswith('(?c), ("A"), (?b), ("A")-[r]->(?b)')


def test_a_relation_chain_is_one_path() -> None:
    chain = RelationChain("Heat", ("directed by", "^directed by"))
    assert (
        format_text(chain.to_pattern())
        == '(topic "Heat")-[directed by]->(?x1)<-[directed by]-(?x2) return ?x2'
    )


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (
            '(?c:crime {type: "Vehicle crime", date: "10/08/2017"}) return ?c',
            '(?c:crime)-[type]->("Vehicle crime"), (?c)-[date]->("10/08/2017") return ?c',
        ),
        (
            '(?a {year: 1995, "odd: key": ?x:number})-[r]-(?b {year: 1995}) where ?x > 3',
            '(?a)-[year]->("1995"), (?a)-["odd: key"]->(?x:number), (?b)-[year]->("1995"), '
            "(?a)-[r]-(?b) where ?x > 3",
        ),
        ('("Heat":film {by: <e:mann>})', '("Heat":film)-[by]->(<e:mann>)'),
        ("(? {true: false})-[r]-(?x)", '(?_1)-["true"]->("false"), (?_1)-[r]-(?x)'),
    ],
)
def test_properties_in_a_node_are_edges_to_values(text: str, same: str) -> None:
    assert parse_text(text) == parse_text(same)
    node = text.split("}", 1)[0] + "})"  # which a triple may have, or be
    assert parse_triples(f"({node})") == parse_text(node)
    assert parse_json(to_json(parse_text(text))) == parse_text(same)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(?c {})", "the property is missing, as in {year: 1995"),
        ("(?c {a: 1, })", "the property is missing"),
        ("(?c {a})", "the property holds }"),
        ("(?c {a: })", "expected \\?id or a"),
        ("(?c {a: 1; b: 2})", "expected } after the value, or a comma"),
        ("(?c {a: 1)", "expected } after the value"),
        ("(?c {a: x})", "a name needs quotes"),
        ("(?c {a: 1}:crime)", "expected \\) after the node"),
    ],
)
def test_wrong_properties_in_a_node_are_told(text: str, problem: str) -> None:
    with pytest.raises(PatternError, match=problem):
        parse_text(text)


def test_a_prefix_that_is_none_is_told_of() -> None:
    with pytest.raises(PatternError, match=r"\(\?films\); films: is no known prefix"):
        parse_text("(films:heat)-[price]->(?p)")
    with pytest.raises(PatternError, match=r'\("heat"\) or \(\?heat\) \('):
        parse_text("(heat)-[price]->(?p)")


def test_readable_ids_do_not_clash() -> None:
    pattern = parse_text(
        '("A b")-[]-(?a_b), ("a-B")-[]-("!"), (n1 "One")-[]-(?), (_1 "U")-[]-("!")'
    )
    assert [node.id for node in pattern.nodes] == ["n2", "a_b", "n3", "n4", "n1", "_2", "_1"]


def test_long_names_cost_no_more_than_their_length() -> None:
    name = 'x"\\\n' * 25_000
    pattern = Pattern((Node("n", name), Node("b")), (Edge("n", name, "b"),))
    assert parse_text(format_text(pattern)) == pattern


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(?)," * 20_000,
        '("' + "x" * 100_000,
        "".join(f'(a{n} "x"),' for n in range(20_000)),
        "(?a)" + "-[r]-(?a)" * 10_000,
        "(" + "x" * 100_000 + ")",
    ],
)
def test_long_nonsense_gives_a_short_message(text: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse_text(text)
    assert len(str(caught.value)) < 400


def test_a_question_given_as_a_pattern_is_told_to_be_for_ask() -> None:
    with pytest.raises(PatternError, match=r"before a node \(a question in words is for ask\)"):
        parse_text("who directed Heat?")
    with pytest.raises(PatternError) as caught:
        parse_text('("Heat"), Heat')
    assert "ask" not in str(caught.value)


def test_the_caret_stands_under_the_place_in_a_window_of_the_line() -> None:
    with pytest.raises(PatternError) as caught:
        parse_text('("名前")-[is]-(?x),\n("' + "é" * 50 + '")-[]-(?x)-[\x1b]-(name) return ?x')
    _, line, caret, _ = str(caught.value).splitlines()
    assert line[2:].startswith("…ééé")
    assert line[len(caret) - 1 :].startswith("name) return ?x")
    assert "\x1b" not in line
