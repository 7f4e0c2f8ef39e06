"""The vectors that every implementation of the input forms shares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from isomatch.errors import PatternError
from isomatch.pattern import (
    format_text,
    format_triples,
    parse,
    parse_json,
    parse_text,
    parse_triples,
    to_json,
)

VECTORS = json.loads(
    (Path(__file__).resolve().parents[2] / "vectors" / "patterns.json").read_text(encoding="utf-8")
)
READS = {"text": parse_text, "triples": parse_triples, "json": parse_json}


@pytest.mark.parametrize("vector", VECTORS["good"], ids=lambda v: v["name"])
def test_every_form_gives_the_same_pattern(vector: dict[str, Any]) -> None:
    pattern = parse_json(vector["json"])
    assert to_json(pattern) == vector["json"]
    for form in ("text", "triples"):
        for text in vector[form]:
            assert READS[form](text) == pattern, text
            assert parse(text) == pattern, text
    assert format_text(pattern) == vector["text"][0]
    assert format_triples(pattern) == vector["triples"][0]


@pytest.mark.parametrize("vector", VECTORS["bad"], ids=lambda v: f"{v['form']}: {v['name']}")
def test_bad_input_is_refused_with_rule_place_and_example(vector: dict[str, Any]) -> None:
    reads = READS[vector["form"]]
    with pytest.raises(PatternError) as caught:
        reads(vector["input"])
    message, _, example = str(caught.value).partition("\nA correct pattern: ")
    assert message.splitlines() == vector["message"]
    assert caught.value.position == vector["position"]
    assert caught.value.text == vector["input"]
    assert reads(example).answers == tuple(reads(example).returns)
