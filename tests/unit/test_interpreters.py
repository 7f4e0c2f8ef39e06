"""Interpreters by name, and what ``auto`` picks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.endpoint import Endpoint

from isomatch.errors import ArtifactError, ConfigurationError, InterpretationError
from isomatch.factories import make_index
from isomatch.interpret.registry import choose
from isomatch.options import interpreter_name
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load

FACTS = "Heat,directed by,Michael Mann\nAli,directed by,Michael Mann\nHeat,genre,crime\n"
QUESTION = "who directed Heat"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interpreters")
    (folder / "films.csv").write_text(FACTS)
    settings = Settings(home=folder / "home")
    load([folder / "films.csv"], settings.graph_path)
    make_index(settings)
    return settings.home


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    with Session.open(home=home) as opened:
        yield opened


@pytest.mark.parametrize(("old", "new"), [("model", "llm"), ("chains", "schema")])
def test_an_old_name_says_the_new_one(old: str, new: str) -> None:
    with pytest.raises(ConfigurationError, match=f"interpreter '{old}' is called '{new}' now"):
        interpreter_name(old)


def test_another_name_is_refused(session: Session) -> None:
    with pytest.raises(
        ConfigurationError, match="one of auto, llm, programs, gsr, schema, given, not 'me'"
    ):
        session.interpret(QUESTION, interpreter="me")


def test_auto_says_that_nothing_else_was_there(session: Session) -> None:
    answer = session.ask(QUESTION)
    assert (answer.text, answer.hypothesis and answer.hypothesis.source) == (
        "Michael Mann.",
        "schema",
    )
    assert answer.notes[0] == ("read by the schema's words: no trained model, no language model")
    assert session.ask(QUESTION, interpreter="schema").notes == ()


def test_auto_takes_a_language_model(home: Path) -> None:
    said = '{"segments": [], "triples": [["Heat", "directed by", "UNKNOWN 1"]], "asks": []}'
    endpoint = Endpoint(said)
    with Session.open(home=home) as opened:
        opened.model = endpoint.model()
        (hypothesis,) = opened.interpret(QUESTION)
    assert hypothesis.source == "llm"
    assert hypothesis.notes == ("read by the language model test-model: no trained model",)


def test_a_language_model_that_is_set_to_none_stays_off(home: Path) -> None:
    with Session.open(home=home, model="m", openai_base_url="http://127.0.0.1:9/v1") as opened:
        opened.model = None
        assert opened.model is None
        (hypothesis, *_) = opened.interpret(QUESTION)
    assert hypothesis.source == "schema"


def test_an_old_name_of_a_session_names_the_new_one(session: Session) -> None:
    with pytest.raises(
        AttributeError, match=r"Session.chains is called Session.schema_interpreter"
    ):
        session.chains  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        session.nothing  # noqa: B018


def test_a_pattern_may_be_given(session: Session) -> None:
    answer = session.ask('("Heat")-[directed by]-(?who)', interpreter="given")
    assert [node.name for node in answer.answers] == ["Michael Mann"]


def test_topics_go_before_what_is_found(session: Session) -> None:
    hypotheses = session.interpret("who directed Ali", interpreter="schema", topics=["Heat"])
    known = {node.text for r in hypotheses for node in r.pattern.nodes if node.text}
    assert known == {"Heat"}


def test_a_trained_model_that_is_named_must_be_there(home: Path, tmp_path: Path) -> None:
    with Session.open(home=home, gsr_model=tmp_path / "gone") as opened:
        for name in ("auto", "gsr"):
            with pytest.raises(ArtifactError, match="gone"):
                opened.interpret(QUESTION, interpreter=name)


def test_auto_passes_over_one_that_only_lies_there(home: Path, session: Session) -> None:
    folder = home / "models" / "gsr"
    folder.mkdir(parents=True)
    try:
        note = choose(session.resources, "auto").note
    finally:
        folder.rmdir()
    assert note.startswith(f"read by the schema's words: the trained model in {folder} cannot be")


def test_a_graph_without_facts_is_said_to_have_none(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    (tmp_path / "empty.ttl").write_text("")
    load([tmp_path / "empty.ttl"], settings.graph_path)
    make_index(settings)
    with (
        Session.open(settings) as session,
        pytest.raises(InterpretationError, match="the graph has no facts"),
    ):
        session.ask("who directed Heat?")
