"""Arrows of a pattern are matched in their direction, lines in both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rdflib

import isomatch

GRAPH = "@prefix : <urn:> . :a :knows :b . :b :knows :c . :c :knows :b . :d :knows :a ."


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with isomatch.open(rdflib.Graph().parse(data=GRAPH, format="turtle")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("pattern", "options", "found"),
    [
        ('("a")-[knows]->(?x)', {}, {"b"}),
        ('("a")<-[knows]-(?x)', {}, {"d"}),
        ('("a")-[knows]-(?x)', {}, {"b", "d"}),
        ('("a")-[knows]->(?x)', {"direction": "any"}, {"b", "d"}),
        ('("a")-[knows]-(?x)', {"direction": "as written"}, {"b"}),
        # Two edges on two facts: one fact each way is enough for a line and an arrow.
        ('("b")-[knows]->(?x), ("b")-[knows]-(?x)', {}, {"c"}),
        ('("a")-[knows]->(?x), ("a")-[knows]-(?x)', {}, set()),
        ('("b")-[knows]->(?x)-[knows]->("b"), ("b")-[knows]-(?x)', {}, set()),
    ],
)
def test_arrows_count_and_lines_are_matched_both_ways(
    session: isomatch.Session, pattern: str, options: dict[str, str], found: set[str]
) -> None:
    for strategy in ("ascending", "brute force", "semi-join"):
        result = session.match(pattern, k=1, strategy=strategy, **options)
        near = [i for i in result.interpretations if i.gsd == 0.0]
        assert {m.bindings["x"].name for i in near for m in i.matches} == found


def test_a_proof_of_no_match_says_that_a_fact_from_a_node_to_itself_does_not_count() -> None:
    graph = rdflib.Graph().parse(data="<urn:ann> <urn:knows> <urn:ann> .", format="turtle")
    with isomatch.open(graph) as session:
        apart = session.match('("ann")-[knows]-(?x)')
        assert not apart
        assert any("from a node to itself" in note for note in apart.certificate.notes)
        same = session.match('("ann")-[knows]-(?x)', nodes="repeat")
        assert same
        assert not any("from a node to itself" in note for note in same.certificate.notes)
