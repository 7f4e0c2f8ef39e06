"""The papers' triples: what they mean, and that every pattern has a form."""

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
    Edge,
    Node,
    Pattern,
    RelationChain,
    format_triples,
    parse,
    parse_triples,
)


@untimed
@given(patterns())
def test_a_pattern_formatted_as_triples_parses_back_exactly(pattern: Pattern) -> None:
    text = format_triples(pattern)
    assert parse_triples(text) == pattern
    assert parse(text) == pattern


@untimed
@given(almost_patterns)
def test_any_triples_are_a_pattern_or_a_pattern_error(text: str) -> None:
    result = outcome(parse_triples, text)
    if isinstance(result, PatternError):
        assert points_into(result, text)
    else:
        assert parse_triples(format_triples(result)) == result


@pytest.mark.parametrize(
    ("element", "node"),
    [
        ("UNKNOWN film 1", Node("film_1", type="film")),
        (
            "UNKNOWN  science fiction film 12",
            Node("science_fiction_film_12", type="science fiction film"),
        ),
        ("UNKNOWN 1", Node("unknown_1")),
        ("UNKNOWN film", Node("film", type="film")),
        ("UNKNOWN", Node("unknown")),
        ("UNKNOWN film ?f", Node("f", type="film")),
        ("UNKNOWN film 1 ?f", Node("f", type="film 1")),
        ("UNKNOWN ?f", Node("f")),
        ("Unknown", Node("unknown", "Unknown")),
        ("UNKNOWNS", Node("unknowns", "UNKNOWNS")),
    ],
)
def test_an_unknown_element_is_a_node_without_text(element: str, node: Node) -> None:
    assert parse_triples([(element, "r", "X")]).nodes[0] == node


@pytest.mark.parametrize("relation", ["UNKNOWN", "UNKNOWN relation 1", "", " ", None])
def test_an_unknown_relation_is_none(relation: str | None) -> None:
    assert parse_triples([("A", relation, "B")]).edges[0].relation is None


def test_the_papers_words_are_used_where_they_suffice() -> None:
    nodes = (Node("actor_1", type="actor"), Node("flashpoint", "Flashpoint"), Node("x"))
    edges = (Edge("actor_1", "actor of", "flashpoint"), Edge("actor_1", None, "x"))
    assert format_triples(Pattern(nodes, edges, ("actor_1", "x"))) == (
        '("UNKNOWN actor 1", "actor of", "Flashpoint"), '
        '("UNKNOWN actor 1", "UNKNOWN relation 1", "UNKNOWN ?x")'
        ' return "UNKNOWN actor 1", "UNKNOWN ?x"'
    )


def test_what_the_papers_cannot_say_is_written_as_in_the_text_form() -> None:
    nodes = (Node("a", "John"), Node("b", "John", "person"), Node("c", "UNKNOWN film 1"))
    edges = (Edge("a", "UNKNOWN", "b"), Edge("b", "likes", "c"))
    assert format_triples(Pattern(nodes, edges)) == (
        '((a "John"), ["UNKNOWN"], (b "John":person)),'
        ' ((b "John":person), "likes", (c "UNKNOWN film 1"))'
    )


def test_an_order_that_no_triple_gives_is_written_first() -> None:
    pattern = RelationChain("Heat", ("^directed",)).to_pattern()
    assert format_triples(pattern) == (
        '((topic "Heat")), ((?x1)), ("UNKNOWN ?x1", ["directed"]->, (topic "Heat"))'
        ' return "UNKNOWN ?x1"'
    )


@pytest.mark.parametrize(
    "value",
    [[("a", "b")], ["abc"], [("a", "b", 3)], [("a", "b", "c", 4)], [("a",) * 5], [3], [None]],
)
def test_a_sequence_of_something_else_is_refused(value: list) -> None:
    with pytest.raises(PatternError, match=r"^triple 1 is not three texts"):
        parse_triples(value)


def test_an_error_in_a_sequence_points_into_it_as_text() -> None:
    with pytest.raises(PatternError) as caught:
        parse_triples([("A", "r", "B"), ("A", "r", "")])
    assert caught.value.text == '("A", "r", "B"),\n("A", "r", "")'
    assert caught.value.position == caught.value.text.index('""')


def test_long_names_are_data() -> None:
    name = 'x"\\\n' * 25_000
    pattern = parse_triples([(name, name, f"UNKNOWN ?{'1' * 100_000}a")])
    assert pattern.nodes[0].text == pattern.edges[0].relation == name
    assert parse(format_triples(pattern)) == pattern


def test_triples_as_a_json_list_in_text() -> None:
    assert parse('[["UNKNOWN film", "directed by", "Michael Mann"]]') == parse(
        [("UNKNOWN film", "directed by", "Michael Mann")]
    )


@pytest.mark.parametrize("text", ['[["a", "b", "c"', "[[1, 2, 3]]", '[["a"]]', "[[]]"])
def test_a_json_list_that_is_no_triples_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        parse(text)
