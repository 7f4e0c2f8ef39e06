"""Mermaid and Graphviz: what the names hold never becomes syntax."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.output.sample_results import colleagues, films

from isomatch.match.types import MatchResult
from isomatch.output.tree import dot, mermaid

HOSTILE = 'a"]; b --> c\n%% [x](y) {z} <b> `code` #quot; \\n \\'


def first(result: MatchResult, draw: object) -> str:
    return draw(result.interpretations[0].matches[0], result.pattern)  # type: ignore[operator]


def test_mermaid_draws_facts_and_marks_answers() -> None:
    assert first(colleagues(), mermaid) == (
        "flowchart LR\n"
        '    n0(["Al Pacino"]):::answer\n'
        '    n1(["Heat"]):::answer\n'
        '    n2["Michael Mann"]\n'
        '    n0 -->|"acted in"| n1\n'
        '    n1 -->|"directed by"| n2\n'
        "    classDef answer stroke-width:3px"
    )


def test_mermaid_writes_syntax_in_names_as_entities() -> None:
    line = first(films([HOSTILE]), mermaid).splitlines()[1]
    assert line == (
        '    n0(["a#quot;]; b --#gt; c %% [x](y) {z} #lt;b#gt; #96;code#96; #35;quot; \\n \\"])'
        ":::answer"
    )


@given(st.text(max_size=60))
def test_a_mermaid_name_stays_in_its_quotes(name: str) -> None:
    lines = first(films([name]), mermaid).split("\n")
    assert len(lines) == 5
    assert re.fullmatch(r'    n0\(\["[^"`<>\n]+"\]\):::answer', lines[1])


def test_dot_draws_facts_and_marks_answers() -> None:
    assert first(films(["Heat"]), dot) == (
        "digraph match {\n"
        "  rankdir=LR;\n"
        "  node [shape=box, style=rounded];\n"
        '  "urn:f0" [label="Heat", penwidth=3];\n'
        '  "urn:mann" [label="Michael Mann"];\n'
        '  "urn:f0" -> "urn:mann" [label="directed by"];\n'
        "}"
    )


@given(st.text(max_size=60))
@pytest.mark.parametrize("prefix", ["", HOSTILE])
def test_a_dot_name_stays_in_its_quotes(prefix: str, name: str) -> None:
    lines = first(films([prefix + name]), dot).split("\n")
    assert len(lines) == 7
    assert re.fullmatch(r'  "urn:f0" \[label="([^"\\]|\\\\|\\")*", penwidth=3\];', lines[3])


@pytest.mark.parametrize("draw", [mermaid, dot])
def test_short_properties_are_on_the_arrow(draw: object) -> None:
    result = films(["Heat"])
    [match] = result.interpretations[0].matches
    [triple] = match.triples
    for told, label in (
        ({"on": "set"}, "directed by (on: set)"),
        ({"on": "x" * 50}, "directed by"),
    ):
        shown = replace(match, triples=(replace(triple, properties=told),))
        assert f'"{label}"' in draw(shown, result.pattern)  # type: ignore[operator]
