"""What a model's reply may say beside triples: conditions, counts, an order and parts."""

from __future__ import annotations

import json

import pytest
from tests.unit.endpoint import Endpoint

from isomatch.errors import InterpretationError, PatternError
from isomatch.interpret.llm.interpreter import LLMInterpreter
from isomatch.interpret.llm.reply import pattern_of
from isomatch.interpret.llm.reply_schema import reply_schema
from isomatch.pattern import format_text

STATE, AREA = "UNKNOWN state 1", "UNKNOWN number 1"
FACTS = [[STATE, "area", AREA], [STATE, "borders", "Texas"]]
LARGEST = {"by": AREA, "descending": True, "limit": 1}


def reply(triples=FACTS, asks=(STATE,), **more) -> str:
    return json.dumps({"segments": [], "triples": triples, "asks": list(asks), **more})


@pytest.mark.parametrize(
    ("more", "end"),
    [
        ({"where": [[AREA, ">", "5000"]]}, "where ?number_1 > 5000 return ?state_1"),
        ({"where": [[AREA, ">", 5000]]}, "where ?number_1 > 5000 return ?state_1"),
        ({"where": [[AREA, "<", "2001-12-31"]]}, "where ?number_1 < 2001-12-31 return ?state_1"),
        ({"where": [[AREA, "in", "1", "2"]]}, "where ?number_1 in (1, 2) return ?state_1"),
        (
            {"where": [[f"count({AREA})", ">=", "3"]]},
            "where count(?number_1) >= 3 return ?state_1",
        ),
        ({"order": LARGEST}, "return ?state_1 order by ?number_1 desc limit 1"),
        (
            {"order": {**LARGEST, "offset": 1}},
            "return ?state_1 order by ?number_1 desc limit 1 offset 1",
        ),
        ({"order": {"by": AREA}}, "return ?state_1 order by ?number_1"),
        (
            {"order": {**LARGEST, "by": f"count({AREA})"}},
            "return ?state_1 order by count(?number_1) desc limit 1",
        ),
        ({"asks": [f"count({STATE})"]}, "return count(?state_1)"),
        ({"asks": [f"AVG({AREA})"]}, "return avg(?number_1)"),
        (
            {"either": [[[AREA, "<", "5"], [AREA, ">", 70]]]},
            "where ?number_1 < 5 or ?number_1 > 70 return ?state_1",
        ),
        ({"asks": ["Yes or no"]}, "return ask"),
        ({"asks": [STATE, f"count({AREA})"]}, "return ?state_1, count(?number_1)"),
        (
            {"asks": [f"min({AREA})", STATE, f"max({AREA})"]},
            "return ?state_1, min(?number_1), max(?number_1)",
        ),
        ({"where": [], "order": None, "parts": []}, "return ?state_1"),
        ({"either": [], "every": [], "optional": []}, "return ?state_1"),
        ({"reasoning": "I like trains."}, "return ?state_1"),
        ({"where": None, "either": None, "every": None, "parts": None}, "return ?state_1"),
        ({"order": {**LARGEST, "offset": None}}, "return ?state_1 order by ?number_1 desc limit 1"),
    ],
    ids=range(20),
)
def test_what_a_reply_says_beside_triples(more, end):
    start = '(?state_1:state)-[area]-(?number_1:number), (?state_1)-[borders]-("Texas")'
    assert format_text(pattern_of(reply(**more))) == f"{start} {end}"


def test_a_number_may_stand_in_a_triple():
    pattern = pattern_of(reply([[STATE, "area", 5000]]))
    assert format_text(pattern) == '(?state_1:state)-[area]-("5000") return ?state_1'


def test_conditions_may_compare_two_unknowns():
    triples = [["UNKNOWN 1", "age", "UNKNOWN number 1"], ["Ann", "age", "UNKNOWN number 2"]]
    pattern = pattern_of(reply(triples, ["UNKNOWN 1"], where=[[AREA, ">", "UNKNOWN number 2"]]))
    assert format_text(pattern).endswith("where ?number_1 > ?number_2 return ?unknown_1")


def test_parts_ask_for_their_own_unknowns():
    without = {"unknowns": [STATE], "operator": "not in", "triples": [[STATE, "borders", "Ohio"]]}
    pattern = pattern_of(reply([[STATE, "in", "Usa"]], parts=[without]))
    assert format_text(pattern) == (
        '(?state_1:state)-[in]-("Usa") where ?state_1 not in '
        '{ (?state_1:state)-[borders]-("Ohio") return ?state_1 } return ?state_1'
    )


def test_parts_have_conditions_and_an_order():
    largest = {
        "unknowns": [STATE],
        "operator": "in",
        "triples": [[STATE, "area", AREA]],
        "where": [[AREA, ">", "1"]],
        "order": LARGEST,
    }
    pattern = pattern_of(reply([["UNKNOWN 1", "traverses", STATE]], ["UNKNOWN 1"], parts=[largest]))
    assert "?number_1 > 1 return ?state_1 order by ?number_1 desc limit 1 }" in format_text(pattern)


def test_parts_are_compared_with_what_they_ask_for():
    other = {"unknowns": [AREA], "operator": ">", "triples": [["Ohio", "area", AREA]]}
    pattern = pattern_of(reply(parts=[{**other, "asks": [f"sum({AREA})"]}]))
    assert pattern.parts[0].operator == ">"
    assert format_text(pattern.parts[0].pattern).endswith("return sum(?number_1)")


def test_parts_of_which_one_is_enough_are_joined_by_or():
    near, large = [[STATE, "borders", "Ohio"]], [[STATE, "area", AREA]]
    first = {"unknowns": [STATE], "operator": "in", "triples": near, "alternative": False}
    second = {**first, "triples": large, "where": [[AREA, ">", "5"]], "alternative": True}
    pattern = pattern_of(reply([], parts=[first, second]))
    assert format_text(pattern) == (
        "(?state_1:state) where ?state_1 in "
        '{ (?state_1:state)-[borders]-("Ohio") return ?state_1 } or ?state_1 in '
        "{ (?state_1:state)-[area]-(?number_1:number) where ?number_1 > 5 return ?state_1 } "
        "return ?state_1"
    )


def test_a_name_may_stand_for_all_that_are_called_so():
    pattern = pattern_of(reply([["Mary", "knows", "UNKNOWN 1"]], ["UNKNOWN 1"], every=["Mary"]))
    assert format_text(pattern) == '(?mary "Mary")-[knows]-(?unknown_1) return ?unknown_1'


def test_optional_facts_add_columns():
    river = [[STATE, "river", "UNKNOWN river 1"], ["UNKNOWN river 1", "length", "UNKNOWN 2"]]
    pattern = pattern_of(reply(optional=[river, [[STATE, "motto", "UNKNOWN 3"]]]))
    assert pattern.answers == ("state_1",)
    assert pattern.columns == ("state_1", "river_1", "unknown_2", "unknown_3")
    assert format_text(pattern).count("optional {") == 2
    assert pattern_of(reply(asks=[], optional=[river])).returns == ()


def test_all_things_of_a_kind_need_no_triples():
    assert format_text(pattern_of(reply([], ["count(UNKNOWN city 1)"]))) == (
        "(?city_1:city) return count(?city_1)"
    )
    less = {"unknowns": ["UNKNOWN city 1"], "operator": "not in"}
    less["triples"] = [["UNKNOWN city 1", "mayor", "UNKNOWN 2"]]
    pattern = pattern_of(reply([], ["UNKNOWN city 1"], parts=[less]))
    assert pattern.edges == ()
    assert pattern.parts[0].operator == "not in"


@pytest.mark.parametrize("asks", [["UNKNOWN 1"], ["Ohio"], ["yes or no"], []])
def test_without_triples_and_without_a_kind_nothing_is_asked(asks):
    with pytest.raises(PatternError, match="it has no edge"):
        pattern_of(reply([], asks))


BAD = [
    ({"asks": ["yes or no"], "order": LARGEST}, "ask stands alone"),
    ({"asks": ["yes or no", STATE]}, "'asks' has 'yes or no'"),
    ({"either": [[[AREA, "<", "5"]]]}, "'either' needs lists of two or more"),
    ({"either": [[[AREA, "<", "5"], [f"count({AREA})", ">", "3"]]]}, "on one value"),
    ({"every": ["Utah"]}, "'every' has 'Utah'"),
    ({"optional": [[[STATE, "motto"]]]}, "at 'optional.0.0': it has 2 texts"),
    ({"optional": [[["Utah", "motto", "UNKNOWN 7"]]]}, "optional"),
    ({"asks": [STATE, f"count({STATE})"]}, "return others than"),
    ({"where": [["UNKNOWN number 9", ">", "1"]]}, "'where' has 'UNKNOWN number 9'"),
    ({"where": [["Texas", "=", "1"]]}, "'where' has 'Texas'"),
    ({"where": [[AREA, "<", "2001-02-30"]]}, "a date that exists"),
    ({"where": [[AREA, ">", "five"]]}, "write a number in digits, or a date"),
    ({"where": [[f"count({AREA})", ">", "1995-01-01"]]}, "write a number in digits"),
    ({"where": [[AREA, ">", f"count({STATE})"]]}, "a count as its value"),
    ({"where": [[AREA, "~", "1"]]}, "'~' is no comparison"),
    ({"where": [[AREA, ">"]]}, "needs three texts"),
    ({"where": [f"{AREA} > 1"]}, "at 'where.0'"),
    ({"order": {**LARGEST, "limit": 0}}, "limit 0"),
    ({"order": {**LARGEST, "limit": "1"}}, "at 'order.limit'"),
    ({"order": {**LARGEST, "by": "UNKNOWN river 1"}}, "'order' has 'UNKNOWN river 1'"),
    ({"order": {**LARGEST, "first": 1}}, "at 'order.first'"),
    ({"order": LARGEST, "asks": [f"count({STATE})"]}, "count and order by do not go together"),
    ({"asks": ["count(Texas)"]}, "'asks' has 'Texas'"),
    ({"asks": [f"count({STATE})", f"count({AREA})"]}, "at most one"),
    ({"parts": [{"unknowns": [STATE], "operator": "not in", "triples": []}]}, "at 'parts.0'"),
    (
        {"parts": [{"unknowns": [STATE], "operator": "not in", "triples": FACTS, "parts": []}]},
        "at 'parts.0.parts'",
    ),
    (
        {"parts": [{"unknowns": ["UNKNOWN 1"], "operator": "in", "triples": FACTS, "asks": []}]},
        "'parts.0.asks' has 'UNKNOWN 1'",
    ),
    (
        {"parts": [{"unknowns": [STATE], "operator": "except", "triples": FACTS}]},
        "at 'parts.0.operator'",
    ),
    (
        {"parts": [{"unknowns": [STATE], "operator": "in", "triples": FACTS, "alternative": True}]},
        "at 'parts.0': it is enough instead of the part before",
    ),
    (
        {
            "parts": [
                {"unknowns": [STATE], "operator": "in", "triples": FACTS},
                {"unknowns": [AREA], "operator": "in", "triples": FACTS, "alternative": True},
            ]
        },
        "at 'parts.1': it is enough instead of the part before",
    ),
    ({"conditions": [[AREA, ">", "1"]]}, "unknown key 'conditions'"),
]


@pytest.mark.parametrize(("more", "problem"), BAD, ids=range(len(BAD)))
def test_what_a_reply_says_wrongly_is_sent_back_and_then_refused(more, problem):
    said = reply(**more)
    with pytest.raises(PatternError) as caught:
        pattern_of(said)
    assert problem in str(caught.value)

    endpoint = Endpoint(said, reply())
    (hypothesis,) = LLMInterpreter(endpoint.model()).interpret("which states?")
    assert hypothesis.pattern.answers == ("state_1",)
    assert problem in endpoint.said[1][3]
    with pytest.raises(InterpretationError, match="in two attempts"):
        LLMInterpreter(Endpoint(said).model()).interpret("which states?")


@pytest.mark.parametrize("edge_values", [False, True])
def test_the_schema_of_replies_is_one_for_strict_servers(edge_values):
    def objects(schema):
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                yield schema
            for inner in schema.values():
                yield from objects(inner)
        elif isinstance(schema, list):
            for inner in schema:
                yield from objects(inner)

    found = list(objects(reply_schema(edge_values)))
    assert len(found) == 4
    for schema in found:
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False
