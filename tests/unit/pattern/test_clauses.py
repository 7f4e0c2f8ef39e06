"""Orders and patterns in braces as they are written, and what is said of wrong ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isomatch.errors import PatternError
from isomatch.pattern import Order, Part, format_text, format_triples, parse, to_json

WRITTEN = (
    "(?s)-[in]->(?v) where ?v > 3 return sum(?v)",
    "(?s)-[in]->(?v) where ?v > 3 return ask",
    "(?s)-[in]->(?v) where ?v > { (?a)-[r]->(?b) return avg(?b) } return min(?v)",
    "(?s)-[in]->(?v) where count(?v) > 3 and count(?v) in (5, 7) return ?s",
    "(?s)-[in]->(?v) where ?s != ?v and ?v >= ?s",
    "(?s)-[in]->(?v) where ?v < 3 or ?v between 5 and 7 or ?v > ?s",
    "(?s)-[in]->(?v) where ?v > 1 and (?v < 3 or ?v > 5) and ?s != ?v",
    "(?s)-[in]->(?v) where (?v < 3 or ?v > 5) and ?s in { (?a)-[r]-(?b) return ?a }",
    "(?s)-[in]->(?v) where count(?v) = 1 or count(?v) between 5 and 7 return ?s",
    "(?s)-[in]->(?v) return ?s, count(?v)",
    "(?s)-[in]->(?v), (?s)-[of]->(?x) where ?x > 3 return ?s, count(?v), avg(?x) order by ?x desc",
    "(?s)-[in]->(?v) return ?s order by ?v",
    "(?s)-[in]->(?v) return ?s order by ?v desc limit 1",
    "(?s)-[in]->(?v) return ?v order by count(?s) desc limit 10",
    "(?s)-[in]->(?v) return ?s order by ?v desc limit 1 offset 1",
    "(?s)-[in]->(?v) return ?s order by ?v offset 2",
    "(?s)-[in]->(?v) where ?s in { (?s)-[a]-(?t) return ?s order by ?t limit 1 } return ?s",
    '(?s)-[in]->(?v) where ?v > 3 and ?s not in { (?x)-[b]-("Y") return ?x } order by ?v',
    "(?s)-[in]->(?v) where (?s, ?v) in { (?a)-[r]-(?b) return ?a, ?b }",
    "(?s)-[in]->(?v) where ?v >= { (?a)-[r]-(?b) return count(?a) } return count(?s)",
    '(?s)-[in]->(?v) where ?v != { (?a)-[r]-("B") where ?a in { (?c)-[q]-("X") } return ?a }',
    '(?s)-[in]->(?v) where ?s in { (?x)-[b]-("Y") return ?x } or ?s in { (?s)-[c]-(?v) return ?s }',
    "(?s)-[in]->(?v) where (?v < 3 or ?v > 5) and ((?s, ?v) in { (?a)-[r]->(?b) } or (?s, ?v) in "
    '{ (?c)-[q]->(?d) }) and ?s not in { (?x)-[b]-("Y") return ?x }',
    "(?s)-[in]->(?v) optional { (?s)-[of]->(?x) } return ?s, ?x",
    "(?s)-[in]->(?v) optional { (?s)-[of]->(?x) }",
    "(?s)-[in]->(?v) where ?v > 3 optional { (?x:thing)-[of]->(?s) } return ?x, ?s order by ?v",
    '(?s)-[in]->(?v) optional { (?s)-[of: ?x]-("A") } optional { (?v)-[]-(?y), (?v)-[r]-(?s) }',
)


@pytest.mark.parametrize("text", WRITTEN)
def test_every_form_gives_back_orders_and_parts(text: str) -> None:
    pattern = parse(text)

    assert format_text(pattern) == text
    assert parse(format_triples(pattern)) == parse(to_json(pattern)) == pattern


def test_without_shares_the_unknown_nodes_that_have_an_id_outside() -> None:
    pattern = parse('(?s)-[in]->(?v) without { (?s)-[r]-(?x)-[q]-(?), (?x)-[r]-("X") } return ?s')

    (part,) = pattern.parts
    assert (part.nodes, part.operator, part.pattern.returns) == (("s",), "not in", ("s",))
    several = parse(
        "(?a)-[r]->(?b) where ?b = 2 without { (?b)-[q]-(?a) } without { (?a)-[s]-(?) }"
    )
    assert [part.nodes for part in several.parts] == [("b", "a"), ("a",)]
    hidden = parse("(?a)-[r]->(?) without { (?a)-[q]-(?) }")
    assert hidden.parts[0].nodes == ("a",)


def test_triples_take_parts_in_their_own_form() -> None:
    text = (
        '("UNKNOWN film", "by", "Mann") without { ("UNKNOWN film", "genre", "noir") } '
        "return UNKNOWN film order by ?film desc limit 2"
    )
    pattern = parse(text)

    assert pattern.order == Order("film", descending=True, limit=2)
    assert pattern.parts[0].pattern == parse('(?film:film)-[genre]-("noir") return ?film')
    inner = parse(
        '("UNKNOWN film", "by", "M") where ?film in { ("UNKNOWN ?x", "r", "Y") return ?x }'
    )
    assert inner.parts[0].pattern.returns == ("x",)


@pytest.mark.parametrize(
    ("rest", "problem", "column"),
    [
        ("order by ?z", "order by names 'z', which is no unknown node", 17),
        ("order ?s", "expected by after order", 23),
        ("order by s", "expected \\? and the id of an unknown node in order by", 26),
        ("order by ?s limit 0", "limit 0: at least one answer is kept", 17),
        ("order by ?s limit one", "expected how many answers after limit, found one", 35),
        ("offset 1", "offset needs an order, as in order by \\?x desc limit 1", 17),
        ("order by ?s limit 1 offset x", "expected how many places are passed over", 44),
        ("order by ?s offset 1 limit 1", "offset stands behind limit", 43),
        ("limit 1", "limit needs an order, as in order by \\?x desc limit 1", 17),
        ("order by count(?s)", "counts \\?s for each answer: return others", 17),
        ("return count(?s) order by ?s", "count and order by do not go together", 34),
        ("where ?s in { (?s)-[r]-(?t) return ?s", "the brace opened here is not closed", 29),
        ("where ?s in { (?s)-[r]-(?t) return ?s )", "expected } after the pattern", 55),
        ("where ?s in { }", "the pattern is empty", 31),
        ("where ?s in { (?s)-[r]-(?t) }", "gives 2 nodes, and is compared with 1", 23),
        ("where ?s in { (?s)-[r]-(?t) return ?q }", "return names 'q'", 52),
        ("where ?q in { (?s)-[r]-(?t) return ?t }", "on 'q', which is no unknown node", 23),
        ("where ?x in { (?s)-[r]-(?t) return ?t }", "on 'x', which is no unknown node", 23),
        ("where ?s not in (1, 2)", "expected { and a pattern after not in", 33),
        ("where ?s not 5", "expected in after not", 30),
        ("where (?s, ?s) = { (?s)-[r]-(?t) }", "expected in or not in after several nodes", 32),
        ("where ?s contains { (?s)-[r]-(?) }", "compares with a text in quotes", 35),
        ("where ?s in { (?s)-[r]-(?) return count(?s) }", "a part counts", 23),
        ("where count(?s) > 3", "counts \\?s for each answer: return others", 23),
        ("where ?s > 3 or ?s = 5 and ?s < 9", "and beside or needs parentheses", 40),
        ("where ?s > 3 and ?s = 5 or ?s < 9", "and beside or needs parentheses", 41),
        ("where (?s > 3 or ?s < 1", "expected \\) after the conditions", 40),
        ("where ?s > 3 or ?s in { (?s)-[r]-(?) }", "or patterns in braces, not both: write", 23),
        ("where ?s in { (?s)-[r]-(?) } or ?s > 3", "where \\?y > 3 return \\?x } or \\?x in", 23),
        (
            "where ?s in { (?s)-[r]-(?) return ?s } or ?s not in { (?s)-[q]-(?) return ?s }",
            "as in \\?x in { … } or \\?x in { … }; these are \\?s in { … } and \\?s not in { … }",
            59,
        ),
        (
            "where (?s != { (?s)-[r]-(?) return ?s } or ?s in { (?s)-[q]-(?) return ?s })",
            "or joins patterns in braces that the same nodes are in",
            60,
        ),
        (
            "where ?s in { (?s)-[r]-(?) return ?s } or (?s, ?s) in { (?s)-[q]-(?t) }",
            "these are \\?s in { … } and \\?s, \\?s in { … }",
            59,
        ),
        (
            "where ?s in { (?s)-[r]-(?) return ?s } or ?s in { (?s)-[q]-(?) return ?s } and ?s > 3",
            "and beside or needs parentheses",
            92,
        ),
        ("where ?s > 3 or ?x > 5", "a condition names 'x', which is known", 23),
        ("where (?s, ?s) in 3", "expected {", 35),
        ("where ?s > ?x", "a condition names 'x', which is known", 23),
        ("where ?s contains ?s", "use =, !=, <, <=, >, >= between two nodes", 23),
        ('where count(?s) contains "3" return count(?s)', "compares texts: use =", 23),
        ("where count(?s) not in { (?s)-[]-(?) }", "leave count out", 23),
        ("return sum(?s), avg(?s)", "is one of several, for each answer: return \\?x, sum", 24),
        ("return sum(?s), ?s", "is for each answer: return others than \\?s", 24),
        ("return ?s, count(?x)", "count names 'x', which is known", 28),
        ("return ?s, count(?q)", "count names 'q', which the pattern does not have", 28),
        ("return ask, count(?s)", "ask stands alone", 24),
        ("where ?s in { (?s)-[r]-(?t) return ?s, count(?t) }", "a part gives nodes", 23),
        ("where ?s > { (?s)-[r]-(?t) return ?s, max(?t) }", "a part gives nodes", 23),
        ("return ask, ?s", "ask stands alone", 24),
        ("return ask order by ?s", "ask stands alone", 24),
        ("without { (?s)-[r]-(?) return ask }", "nothing is returned, counted or ordered", 17),
        ("where ?s in { (?s)-[r]-(?) return ask }", "gives 0 nodes, and is compared with 1", 23),
        ("return max(?q)", "max names 'q'", 24),
        ("return min ?s", "expected \\( after min", 28),
        ("return sum(?s) order by ?s", "sum stands alone", 24),
        ("where ?s in { (?s)-[r]-(?) return sum(?s) }", "a part counts or adds", 23),
        ("without (?s)-[r]-(?)", "expected { and a pattern after without", 25),
        ("without { (?q)-[r]-(?) }", "without shares no unknown node", 17),
        ("without { (?s)-[r]-(?) return ?s }", "nothing is returned, counted or ordered", 17),
        ("without { (?s)-[r]-(?) where ?s > 3 limit 1 }", "limit needs an order", 53),
    ],
)
def test_a_wrong_order_or_part_is_told_with_its_place(rest: str, problem: str, column: int) -> None:
    with pytest.raises(PatternError, match=problem) as caught:
        parse(f'(?s)-[r]->("X") {rest}')
    assert caught.value.position == column - 1


def test_patterns_are_nested_four_deep_and_no_more() -> None:
    text = '(?s)-[r]-("X")'
    for _ in range(4):
        text = f'(?s)-[r]-("X") without {{ {text} }}'
    assert parse(text).depth == 4
    with pytest.raises(PatternError, match="nested more than 4 deep"):
        parse(f'(?s)-[r]-("X") without {{ {text} }}')
    with pytest.raises(PatternError, match="nested more than 4 deep"):
        replace(parse(text), parts=(Part(("s",), "not in", parse(text)),))
    with pytest.raises(PatternError, match="nested more than 4 deep"):
        parse('(?s)-[r]-("X") without { ' * 5000)


def test_optional_parts_share_the_unknown_nodes_that_have_an_id_outside() -> None:
    pattern = parse(
        '(?s)-[in]->(?) optional { (?s)-[r]-(?x)-[q]-(?), (?x)-[p]-("X") } return ?s, ?x'
    )

    (part,) = pattern.optional
    assert [node.id for node in part.nodes] == ["s", "x", "_o1_1", "x_1"] or len(part.nodes) == 4
    assert pattern.answers == ("s",)
    assert pattern.columns == ("s", "x")
    assert pattern.required == parse("(?s)-[in]->(?) return ?s")
    every = parse("(?s)-[in]->(?) optional { (?s)-[r]-(?) } optional { (?s)-[r]-(?) }")
    assert every.columns == ("s", "_1", "_o1_1", "_o2_1")
    assert every.required == parse("(?s)-[in]->(?)")


RIGHT = "(?s)-[r]-(?x) optional { (?s)-[q]-(?t) } return ?s, ?t"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("where ?t > 3 optional { (?m)-[t]-(?t) } return ?m", "a condition names 't', which is of"),
        ("where ?b != ?t optional { (?m)-[t]-(?t) } return ?m", "a condition names 't', which is"),
        ("optional { (?m)-[t]-(?t) } return ?m order by ?t", "order by names 't', which is of an"),
        ("optional { (?m)-[t]-(?t) } return count(?t)", "count names 't', which is of an optional"),
        ("optional { (?m)-[t]-(?t) } return sum(?t)", "sum names 't', which is of an optional"),
        ("optional { (?m)-[t]-(?t) } return ?m, max(?t)", "max names 't', which is of an optional"),
        (
            "where ?t in { (?x)-[q]-(?y) return ?x } optional { (?m)-[t]-(?t) } return ?m",
            "a pattern in braces names 't', which is of an optional part and gives a column only: "
            "write its edge in the pattern itself, as in (?s)-[r]-(?t) where ?t in { … }",
        ),
        (
            "optional { (?m)-[t]-(?t) } return count(?m)",
            "beside returned nodes, and count has none",
        ),
        ("optional { (?m)-[t]-(?t) } return ?m, count(?b)", "and count has none: leave one of the"),
        ("optional { (?m)-[t]-(?t) } return ask", "beside returned nodes, and ask has none"),
        ("optional { (?m)-[t]-(?t) } return ?t", "return names nodes of optional parts only"),
        (
            "optional { (?m)-[t]-(?t) } return ?m",
            "return names nothing of an optional part, which ",
        ),
        (
            "optional { (?m)-[t]-(?t) } return ?m, ?z",
            "return names 'z', which the pattern does not",
        ),
        ("optional { (?m)-[t]-(?t) where ?t > 3 }", "an optional part has edges only"),
        ("optional { (?m)-[t]-(?t) return ?t }", "an optional part has edges only"),
        (
            "optional { (?m)-[t]-(?t) optional { (?t)-[q]-(?z) } }",
            "an optional part has edges only",
        ),
        ("optional { (?k)-[t]-(?t) }", "shares no unknown node with the pattern before it"),
        (
            "optional { (?m)-[t]-(?b) }",
            "has no unknown node of its own (?m and ?b must be in every",
        ),
        ("optional { (?m)-[t]-(?t) } optional { (?m)-[q]-(?t) }", "which another part has already"),
        ("optional { (?m)-[t]-(?t), (?q)-[l]-(?r) }", "edges that are not connected with the pat"),
        ("optional { (?m)-[t]-(?t) }, (?t)-[x]-(?y)", "edges stand before optional, as in"),
        ("optional { (?m)-[t]-(?t) } where ?m = 3", "where stands before optional, as in"),
        ("optional { (?m)-[]-(?t) }", "no known node and no known relation"),
        ("optional { }", "the pattern is empty"),
        ("optional { (?m)-[t]-(?t)", "the brace opened here is not closed"),
        ("optional (?m)-[t]-(?t)", "expected { and a pattern after optional, as in (?s)-[r]-(?x)"),
        (
            "where ?m in { (?m)-[a]-(?b) optional { (?m)-[t]-(?t) } return ?m, ?t }",
            "a part gives nodes to compare with, no columns: leave optional out of it",
        ),
        ("optional { (?m)-[t]-(?t) } " * 2, "which another part has already"),
    ],
)
def test_what_optional_parts_cannot_do_is_said(text: str, problem: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse(f"(?m)-[a]-(?b) {text}")
    assert problem in str(caught.value)
    assert caught.value.position is not None


def test_the_right_form_of_an_optional_part_is_one() -> None:
    assert parse(RIGHT).columns == ("s", "t")


def test_too_many_optional_parts_are_refused() -> None:
    many = " ".join(f"optional {{ (?m)-[t]-(?t{i}) }}" for i in range(9))
    with pytest.raises(PatternError, match="the pattern has 9 optional parts; at most 8 are read"):
        parse(f"(?m)-[a]-(?b) {many}")


def test_optional_parts_in_json_are_checked() -> None:
    form = to_json(parse(RIGHT))
    assert form["optional"] == [
        {
            "nodes": [{"id": "s"}, {"id": "t"}],
            "edges": [{"source": "s", "relation": "q", "target": "t"}],
        }
    ]
    form["optional"][0]["return"] = ["t"]
    with pytest.raises(PatternError, match=r"unknown key 'return' in optional\[0\]"):
        parse(form)
    del form["optional"][0]["return"]
    form["optional"][0]["nodes"][0]["id"] = "k"
    with pytest.raises(PatternError, match=r"optional\[0\]\.nodes\[0\]: the node 'k' has no edge"):
        parse(form)
    form["optional"][0]["edges"][0]["source"] = "k"
    with pytest.raises(PatternError, match=r"optional\[0\]: an optional part shares no unknown"):
        parse(form)
    form = to_json(parse(RIGHT)) | {"where": [{"node": "t", "operator": "=", "values": ["1"]}]}
    with pytest.raises(
        PatternError, match=r"where\[0\]: a condition names 't', which is of an opt"
    ):
        parse(form)
