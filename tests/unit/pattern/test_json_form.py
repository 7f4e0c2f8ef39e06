"""The JSON form, its schema, and the choice among the forms."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.pattern.ugly_patterns import almost_patterns, outcome, patterns, untimed

from isomatch.errors import PatternError
from isomatch.pattern import (
    EXAMPLE,
    Edge,
    Node,
    Pattern,
    RelationChain,
    json_schema,
    parse,
    parse_json,
    to_json,
)

ROOT = Path(__file__).resolve().parents[3]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("nodes", "edges", "return", "id", "text", "type", "source"))
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@untimed
@given(patterns())
def test_a_pattern_reads_back_exactly(pattern: Pattern) -> None:
    assert parse_json(to_json(pattern)) == pattern
    assert parse_json(json.dumps(to_json(pattern))) == pattern


@untimed
@given(almost_patterns | json_values.map(json.dumps))
def test_any_json_is_a_pattern_or_a_pattern_error(text: str) -> None:
    for reads in (parse_json, parse):
        result = outcome(reads, text)
        assert isinstance(result, Pattern) or result.text == text
        assert isinstance(result, Pattern) or str(result).encode()


@untimed
@given(json_values | st.dictionaries(st.integers() | st.text(max_size=2), json_values))
def test_any_value_is_a_pattern_or_a_pattern_error(value: Any) -> None:
    result = outcome(parse, value)
    assert isinstance(result, Pattern) or "A correct" in str(result).encode().decode()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"nodes":' + "[" * 100_000, '{"a":' + "9" * 5000])
def test_json_that_python_cannot_hold_is_refused(text: str) -> None:
    with pytest.raises(PatternError, match="JSON"):
        parse_json(text)


def test_patterns_inside_patterns_have_paths_and_an_end() -> None:
    inner = {"nodes": [{"id": "s"}, {"id": "x", "text": "X"}], "edges": []}
    edges = [{"source": "s", "target": "x"}]
    part = {"nodes": ["s"], "operator": "in", "pattern": inner}
    with pytest.raises(PatternError, match=r"parts\[0\]\.pattern: the pattern is empty"):
        parse_json({**inner, "edges": edges, "parts": [part]})
    odd = {**part, "pattern": {**inner, "edgez": []}}
    with pytest.raises(PatternError, match=r"'edgez' in parts\[0\]\.pattern; did you mean 'edges'"):
        parse_json({**inner, "edges": edges, "parts": [odd]})
    form: dict[str, Any] = {**inner, "edges": edges}
    for _ in range(4):
        form = {**inner, "edges": edges, "parts": [{**part, "pattern": form}]}
    assert parse_json(form).depth == 4
    for _ in range(2):
        form = {**inner, "edges": edges, "parts": [{**part, "pattern": form}]}
    with pytest.raises(PatternError, match="nested more than 4 deep"):
        parse_json(form)
    for _ in range(5000):
        form = {**inner, "edges": edges, "parts": [{**part, "pattern": form}]}
    with pytest.raises(PatternError):
        parse_json(form)


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(PatternError, match="Unicode"):
        parse_json('{"nodes":[{"id":"a","text":"\\ud800"}],"edges":[{"source":"a","target":"a"}]}')
    with pytest.raises(PatternError, match="Unicode"):
        Pattern((Node("a", "\ud800"),), (Edge("a", None, "a"),))


def test_a_first_part_is_no_alternative_in_json() -> None:
    form = to_json(parse('(?s)-[r]-("X") where ?s in { (?a)-[q]-("Y") return ?a }'))
    form["parts"][0]["alternative"] = True
    with pytest.raises(PatternError, match=r"parts\[0\]: the first part is no alternative"):
        parse_json(form)


@pytest.mark.parametrize("clause", ["where", "order"])
def test_what_is_counted_has_no_other_function(clause: str) -> None:
    condition = {"node": "v", "operator": ">", "values": ["3"]}
    given = condition if clause == "where" else {"node": "v"}
    form = to_json(parse("(?s)-[r]->(?v) return ?s"))
    form[clause] = [given] if clause == "where" else given
    given |= {"counted": True, "function": "avg"}
    with pytest.raises(PatternError, match="function: leave it out beside counted"):
        parse_json(form)


def test_the_published_schema_is_current() -> None:
    published = (ROOT / "docs" / "pattern.schema.json").read_text(encoding="utf-8")
    assert json.loads(published) == json_schema()


def test_the_schema_describes_every_key_and_its_example_is_a_pattern() -> None:
    schema = json_schema()
    objects = [schema, *schema["$defs"].values()]
    assert all("description" in field for o in objects for field in o["properties"].values())
    assert all(o["additionalProperties"] is False for o in objects)
    assert parse_json(schema["examples"][0]) == parse(
        '(?film:film)-[directed by]-(mann "Michael Mann") return ?film'
    )


def test_every_form_is_told_from_the_others() -> None:
    pattern = parse(EXAMPLE)
    triple = ("UNKNOWN film", "directed by", "Michael Mann")
    assert parse(pattern) is pattern
    assert parse(to_json(pattern)) == parse("\n" + json.dumps(to_json(pattern))) == pattern
    assert parse('("UNKNOWN film", "directed by", "Michael Mann") return UNKNOWN film') == pattern
    assert parse([triple]) == parse((list(triple),)) == replace(pattern, returns=())
    chain = RelationChain("Heat", ("directed by",))
    assert parse(chain) == chain.to_pattern()


@pytest.mark.parametrize("value", [None, 3, b"(?a)-[r]-(?b)", {1, 2}])
def test_what_is_no_form_at_all_is_refused(value: object) -> None:
    with pytest.raises(PatternError, match=type(value).__name__):
        parse(value)


def test_patterns_are_imported_without_pydantic() -> None:
    code = "import sys, isomatch.pattern; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
