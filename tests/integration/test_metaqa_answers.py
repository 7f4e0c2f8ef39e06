"""The same questions have the same answers on Neo4j as in the embedded store.

Two models of MetaQA: every triple a relationship; directors, years and ratings as
properties of movies.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import neo4j
import pytest
from tests.bench.timing import MANNERS, patterns_of
from tests.integration.metaqa_session import NEEDED, Letters, over
from tests.oracle.answers import answer_names, answers
from tests.servers import metaqa
from tests.servers.sessions import session_over
from tests.shared import THOROUGH

from isomatch.pattern.types import Pattern
from isomatch.questions.datasets import Fact, read
from isomatch.session import Session
from isomatch.store.neo4j import Neo4jStore

QUESTIONS = 8  # of each number of hops

pytestmark = NEEDED


@pytest.fixture(scope="module")
def triples() -> list[Fact]:
    return metaqa.read()


@pytest.fixture(scope="module")
def patterns() -> list[Pattern]:
    parts = read("metaqa", metaqa.DATA)
    return [pattern for part in parts for pattern in patterns_of(part, QUESTIONS, "names")]


@pytest.mark.skipif(not THOROUGH, reason="to load and index it again takes a minute or two")
def test_relationships_give_the_embedded_answers(
    empty_neo4j: neo4j.Driver,
    ways: Sequence[str],
    triples: list[Fact],
    patterns: list[Pattern],
    embedded_metaqa: Session,
    tmp_path: Path,
) -> None:
    metaqa.as_relationships(triples).load(empty_neo4j)
    with session_over(Neo4jStore(empty_neo4j, plugin=False), tmp_path, Letters()) as indexed:
        sessions = {
            way: over(Neo4jStore(empty_neo4j, plugin=way == "procedure"), indexed) for way in ways
        }
        for pattern, options in product(patterns, MANNERS.values()):
            expected = answers(embedded_metaqa, pattern, **options)
            assert expected.nearest
            for way, session in sessions.items():
                found = answers(session, pattern, **options)
                assert found.same(expected), (way, pattern, options, found, expected)


def test_properties_give_the_embedded_answers(
    empty_neo4j: neo4j.Driver,
    ways: Sequence[str],
    triples: list[Fact],
    patterns: list[Pattern],
    embedded_metaqa: Session,
    tmp_path: Path,
) -> None:
    metaqa.as_properties(triples).load(empty_neo4j)
    # MetaQA has one node for the film and the year 2012. Walked in any direction, it leads
    # from the one to the films of the other, in no graph with years as properties.
    twofold = metaqa.films_and_more(triples)
    with session_over(Neo4jStore(empty_neo4j, plugin=False), tmp_path, Letters()) as indexed:
        sessions = {
            way: over(Neo4jStore(empty_neo4j, plugin=way == "procedure"), indexed) for way in ways
        }
        for pattern, options in product(patterns, MANNERS.values()):
            expected = answer_names(embedded_metaqa, pattern, twofold, **options)
            assert expected
            for way, session in sessions.items():
                found = answer_names(session, pattern, twofold, **options)
                assert found == expected, (way, pattern, options)
