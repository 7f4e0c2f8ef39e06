"""The same questions have the same answers on Neo4j as in the embedded store.

Two models of MetaQA: every triple a relationship; directors, years and ratings as
properties of movies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest
from tests.bench.timing import MANNERS, patterns_of
from tests.oracle.answers import answer_names, answers
from tests.servers import metaqa
from tests.servers.sessions import session_over
from tests.unit.interpret.words_embedder import LettersEmbedder

from isomatch.pattern.types import Pattern
from isomatch.questions.datasets import Fact, read
from isomatch.session import Session
from isomatch.store.load import load
from isomatch.store.neo4j import Neo4jStore

QUESTIONS = 12  # of each number of hops

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not metaqa.DATA.exists(), reason=f"MetaQA is not here: {metaqa.DATA}"),
]


class Letters:
    """Vectors of letters: made in seconds for all of MetaQA, and the same everywhere."""

    name, dimension = "letters@1", 512

    def embed(self, texts: Sequence[str]) -> Any:
        return LettersEmbedder().embed(texts) if texts else np.zeros((0, 512), np.float32)

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def triples() -> list[Fact]:
    return metaqa.read()


@pytest.fixture(scope="module")
def patterns() -> list[Pattern]:
    parts = read("metaqa", metaqa.DATA)
    return [pattern for part in parts for pattern in patterns_of(part, QUESTIONS, "names")]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """MetaQA as `isomatch load` loads it."""
    folder = tmp_path_factory.mktemp("embedded")
    store = load([metaqa.DATA / "kb.txt"], None, format="table", delimiter="|").store
    assert store is not None
    with session_over(store, folder, Letters()) as session:
        yield session


def test_relationships_give_the_embedded_answers(
    empty_neo4j: neo4j.Driver,
    ways: Sequence[str],
    triples: list[Fact],
    patterns: list[Pattern],
    embedded: Session,
    tmp_path: Path,
) -> None:
    metaqa.as_relationships(triples).load(empty_neo4j)
    stores = {way: Neo4jStore(empty_neo4j, plugin=way == "procedure") for way in ways}
    with session_over(stores["compiled"], tmp_path, Letters()) as session:
        for pattern, options in product(patterns, MANNERS.values()):
            expected = answers(embedded, pattern, **options)
            assert expected.nearest
            for way, session.store in stores.items():
                found = answers(session, pattern, **options)
                assert found.same(expected), (way, pattern, options, found, expected)


def test_properties_give_the_embedded_answers(
    empty_neo4j: neo4j.Driver,
    ways: Sequence[str],
    triples: list[Fact],
    patterns: list[Pattern],
    embedded: Session,
    tmp_path: Path,
) -> None:
    metaqa.as_properties(triples).load(empty_neo4j)
    # MetaQA has one node for the film and the year 2012. Walked in any direction, it leads
    # from the one to the films of the other, in no graph with years as properties.
    twofold = metaqa.films_and_more(triples)
    stores = {way: Neo4jStore(empty_neo4j, plugin=way == "procedure") for way in ways}
    with session_over(stores["compiled"], tmp_path, Letters()) as session:
        for pattern, options in product(patterns, MANNERS.values()):
            expected = answer_names(embedded, pattern, twofold, **options)
            assert expected
            for way, session.store in stores.items():
                found = answer_names(session, pattern, twofold, **options)
                assert found == expected, (way, pattern, options)
