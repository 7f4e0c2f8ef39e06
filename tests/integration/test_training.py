"""A chain model is the same from every database that holds the graph, and so is what it reads."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import neo4j
import pytest
from tests.integration.test_training_data import QUESTIONS, turtle, write
from tests.needs import needs
from tests.servers.sessions import session_over
from tests.servers.sparql_server import SparqlServer
from tests.shared import THOROUGH
from tests.turtle import graph_of
from tests.unit.learn.gsr.tiny import bert
from tests.unit.learn.toy import Letters

from isomatch.interpret.gsr import GSRInterpreter
from isomatch.pattern import format_text
from isomatch.questions.sets import QuestionSet
from isomatch.session import Session
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow
needs("train", "torch", "transformers", "safetensors", "onnx", "matplotlib")


@pytest.fixture(scope="module")
def backbone(tmp_path_factory: pytest.TempPathFactory) -> str:
    return bert(tmp_path_factory.mktemp("bert"))


def trained(session: Session, backbone: str, out: Path) -> dict[str, Any]:
    """The course of a training run, and what its model reads."""
    from isomatch.learn.pipeline import train_gsr

    questions = QuestionSet("films", tuple(QUESTIONS))
    report = train_gsr(
        session.resources, questions, synthetic=40, backbone=backbone, epochs=4, seed=7, out=out
    )
    reads = GSRInterpreter(session.store, session.schema, session.mentions, out)
    return {
        "curves": (out / "curves.csv").read_text(encoding="utf-8"),
        "labels": asdict(report.labels) if report.labels else None,
        "examples": report.examples,
        "readings": {
            question.text: [
                (format_text(hypothesis.pattern), round(hypothesis.score, 4))
                for hypothesis in reads.interpret(question.text, question.topics)
            ]
            for question in QUESTIONS[:6]
        },
    }


@pytest.fixture(scope="module")
def expected(backbone: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What training on the embedded store gives."""
    home = tmp_path_factory.mktemp("embedded")
    with session_over(OxigraphStore.memory(graph_of(turtle())), home, Letters()) as session:
        return trained(session, backbone, home / "model")


def assert_same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for part, value in expected.items():
        assert found[part] == value, part


def test_the_embedded_store_trains_on_labels_index_and_synthetic_questions(
    expected: dict[str, Any],
) -> None:
    assert set(expected["examples"]) == {"weak", "index", "synthetic"}
    assert len(expected["curves"].splitlines()) > 4


def test_a_sparql_server_trains_the_same(
    empty_sparql: SparqlServer, expected: dict[str, Any], backbone: str, tmp_path: Path
) -> None:
    if empty_sparql.engine != "oxigraph" and not THOROUGH:
        pytest.skip("training asks what the tests of the store ask of every engine")
    empty_sparql.load(turtle())
    store = SparqlStore.connect(empty_sparql.url, **empty_sparql.settings)
    with session_over(store, tmp_path, Letters()) as session:
        assert_same(trained(session, backbone, tmp_path / "model"), expected)


def test_neo4j_trains_the_same(
    empty_neo4j: neo4j.Driver, expected: dict[str, Any], backbone: str, tmp_path: Path
) -> None:
    write(empty_neo4j)
    with session_over(Neo4jStore(empty_neo4j), tmp_path, Letters()) as session:
        assert_same(trained(session, backbone, tmp_path / "model"), expected)
