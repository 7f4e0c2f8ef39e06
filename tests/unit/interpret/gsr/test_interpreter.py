"""Questions read by a chain model that was trained on a toy graph."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
from tests.needs import needs

needs("train", "torch", "transformers", "safetensors", "onnx", "matplotlib")

from tests.unit.learn.gsr.tiny import VOCABULARY, bert, examples, train  # noqa: E402
from tests.unit.learn.toy import DIRECTED, STARRED, WRITTEN, toy  # noqa: E402

from isomatch.chains.graph import Chain, ChainGraph, Step  # noqa: E402
from isomatch.errors import (  # noqa: E402
    ArtifactError,
    InterpretationError,
    StoreError,
)
from isomatch.interpret.gsr import GSRInterpreter  # noqa: E402
from isomatch.interpret.types import Hypothesis, Interpreter  # noqa: E402
from isomatch.lexicon.mention import Mention  # noqa: E402
from isomatch.pattern import format_text  # noqa: E402
from isomatch.session import Session  # noqa: E402
from isomatch.trained.artifact import CONFIG, read_config, write_json  # noqa: E402
from isomatch.trained.runtime import Encoded  # noqa: E402


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return toy(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gsr")
    backbone = bert(tmp_path_factory.mktemp("bert"))
    told = {"batch": 4, "epochs": 25, "rate": 5e-3, "dropped": 0.0, "int8": False}
    train(examples(), VOCABULARY, folder, backbone=backbone, **told)  # type: ignore[arg-type]
    return folder


@pytest.fixture(scope="module")
def gsr(session: Session, artifact: Path) -> GSRInterpreter:
    return GSRInterpreter(session.store, session.schema, session.mentions, artifact)


def written(hypothesis: Hypothesis) -> str:
    return format_text(hypothesis.pattern)


def answers(session: Session, hypothesis: Hypothesis) -> set[str]:
    result = session.match(hypothesis.pattern, **hypothesis.options)
    return {node.name for node in result.answers()}


def foreseeing(session: Session, artifact: Path, prefetch: Callable[[str], None]) -> GSRInterpreter:
    return GSRInterpreter(
        session.store, session.schema, session.mentions, artifact, prefetch=prefetch
    )


def test_a_name_is_looked_up_while_the_model_reads(
    session: Session, artifact: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, told = Event(), []

    def prefetch(name: str) -> None:
        assert read.wait(60)  # not before the model has begun, which is not kept waiting
        told.append(name)

    reads = foreseeing(session, artifact, prefetch)
    encode = reads._model.encode

    def encoding(texts: Sequence[str]) -> Encoded:
        read.set()
        return encode(texts)

    monkeypatch.setattr(reads._model, "encode", encoding)
    [first, *_] = reads.interpret("who directed Ronin")
    assert told == ["Ronin"]
    assert "Ronin" in {node.text for node in first.pattern.nodes}


def test_what_looking_up_raises_is_raised(session: Session, artifact: Path) -> None:
    def prefetch(name: str) -> None:
        raise StoreError(f"no {name} here")

    with pytest.raises(StoreError, match="no Ronin here"):
        foreseeing(session, artifact, prefetch).interpret("who directed Ronin")


def test_an_error_leaves_no_look_up_behind(
    session: Session, artifact: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed, done = Event(), []

    def prefetch(name: str) -> None:
        assert failed.wait(60)
        sleep(0.05)
        done.append(name)

    def failing(texts: Sequence[str]) -> Encoded:
        failed.set()
        raise StoreError("gone")

    reads = foreseeing(session, artifact, prefetch)
    monkeypatch.setattr(reads._model, "encode", failing)
    with pytest.raises(StoreError, match="gone"):
        reads.interpret("who directed Ronin")
    assert done == ["Ronin"]


def test_it_is_an_interpreter(gsr: GSRInterpreter) -> None:
    assert isinstance(gsr, Interpreter)
    assert gsr.name == "gsr"


@pytest.mark.parametrize(
    ("question", "topic", "right"),
    [
        ("who directed Ronin", "Ronin", {"John Frankenheimer"}),
        ("who wrote Thief", "Thief", {"Michael Mann"}),
        ("films with Robert De Niro", "Robert De Niro", {"Heat", "Ronin"}),
        ("what other films has the director of Heat made", "Heat", {"Ali", "Thief"}),
        ("directors of Robert De Niro", "Robert De Niro", {"Michael Mann", "John Frankenheimer"}),
    ],
)
def test_questions_become_the_chains_that_answer_them(
    session: Session, gsr: GSRInterpreter, question: str, topic: str, right: set[str]
) -> None:
    for topics in (None, [topic]):
        first, *others = gsr.interpret(question, topics)
        assert first.options == {"nodes": "anchored", "direction": "as written"}
        assert first.source == "gsr"
        assert answers(session, first) == right
        assert all(first.score >= other.score for other in others)
        assert 0.5 < first.score <= 1.0


def test_only_chains_that_the_graph_has_are_made(session: Session, gsr: GSRInterpreter) -> None:
    # Ali has no writer: what else was probable comes first, and it is there.
    hypotheses = gsr.interpret("who wrote Ali", ["Ali"])
    assert all(answers(session, hypothesis) for hypothesis in hypotheses)
    assert not any("written" in written(hypothesis) for hypothesis in hypotheses)


def test_or_those_that_its_relations_allow(session: Session, artifact: Path) -> None:
    free = GSRInterpreter(session.store, session.schema, session.mentions, artifact, exists=False)
    first, *_ = free.interpret("who wrote Ali", ["Ali"])
    assert written(first) == '(topic "Ali")-[written by]->(?x1) return ?x1'


def test_a_name_that_the_graph_lacks_is_left_to_the_links(gsr: GSRInterpreter) -> None:
    first, *_ = gsr.interpret("who directed [Roonnin]")
    assert written(first) == '(topic "Roonnin")-[directed by]->(?x1) return ?x1'


def test_chains_of_two_names_meet(session: Session, gsr: GSRInterpreter) -> None:
    first, *_ = gsr.interpret("films with [Al Pacino] and films with [Robert De Niro]")
    assert {n.text for n in first.pattern.nodes if n.text} == {"Al Pacino", "Robert De Niro"}
    assert answers(session, first) == {"Heat"}


def test_gsr_refuses_a_question_without_a_name(gsr: GSRInterpreter) -> None:
    with pytest.raises(InterpretationError, match="no name of the graph was found"):
        gsr.interpret("how are you")


class ForWriters:
    """Words that speak for who wrote a film, whatever is asked."""

    def scores(self, question: str, mention: Mention, chains: Sequence[Chain]) -> list[float]:
        return [float(chain == (Step(WRITTEN),)) for chain in chains]


@pytest.mark.parametrize(
    ("corrected", "right"),
    [
        ((), "written by"),
        (("who directed [mask]",), "directed by"),
        (("who [mask]",), "written by"),
    ],
)
def test_words_have_no_say_on_a_wording_that_was_corrected(
    session: Session, artifact: Path, tmp_path: Path, corrected: tuple[str, ...], right: str
) -> None:
    folder = shutil.copytree(artifact, tmp_path / "model")
    config = read_config(folder).model_copy(update={"words": 32.0, "corrected": corrected})
    write_json(folder / CONFIG, config.model_dump())
    words: Any = ForWriters()
    reads = GSRInterpreter(session.store, session.schema, session.mentions, folder, words=words)
    for question in ("who directed Thief", "Who directed  Thief?"):
        assert reads.interpret(question)[0].pattern.edges[0].relation == right


def test_a_damaged_model_is_refused(session: Session, artifact: Path, tmp_path: Path) -> None:
    for name, message in (("encoder.onnx", "is missing"), ("decoder.onnx", "is missing")):
        copy = tmp_path / name
        shutil.copytree(artifact, copy)
        (copy / name).unlink()
        with pytest.raises(ArtifactError, match=message):
            GSRInterpreter(session.store, session.schema, session.mentions, copy)
        (copy / name).write_bytes(b"no model")
        with pytest.raises(ArtifactError, match="cannot be loaded"):
            GSRInterpreter(session.store, session.schema, session.mentions, copy)


def test_a_graph_without_its_relations_is_refused(artifact: Path, tmp_path: Path) -> None:
    other = toy(tmp_path, "heat directed mann\nheat starred pacino")
    with pytest.raises(ArtifactError, match="written by"):
        GSRInterpreter(other.store, other.schema, other.mentions, artifact)


def test_serving_imports_no_torch(artifact: Path) -> None:
    code = f"""
import sys
import isomatch.interpret.gsr
import isomatch.trained.runtime
from pathlib import Path
model = isomatch.trained.runtime.ChainModel(Path({str(artifact)!r}))
model.encode(["[Retrieval] who directed [MASK]"])
heavy = {{"torch", "transformers", "onnx", "matplotlib", "scipy"}} & set(sys.modules)
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_existence_follows_what_nodes_may_meet_again(session: Session) -> None:
    graph = ChainGraph(session.store, session.schema)
    ids = {name: [id] for name, id in session.index.all_names()}
    heat, ronin = ids["Heat"], ids["Ronin"]
    back = (Step(DIRECTED), Step(DIRECTED, True))
    assert graph.existing(heat, [back]) == [True]  # other films of Mann
    assert graph.existing(ronin, [back]) == [False]  # Frankenheimer has no other
    assert graph.existing(ronin, [back], nodes="repeat") == [False]  # the edge is the same
    assert graph.existing(ronin, [back], nodes="walk") == [True]
    circle = (Step(DIRECTED), Step(WRITTEN, True))  # Mann directed what he wrote: Heat again
    ali_free = (*circle, Step(STARRED), Step(STARRED, True))
    assert graph.existing(heat, [circle]) == [True]  # Thief
    assert graph.existing(ids["Thief"], [ali_free], nodes="repeat") == [True]
    assert graph.existing_from([(heat, back), (ronin, back)]) == [True, False]


def test_chains_of_any_length_may_meet(session: Session) -> None:
    graph = ChainGraph(session.store, session.schema)
    ids = {name: [id] for name, id in session.index.all_names()}
    acted, made = (Step(STARRED, True),), (Step(DIRECTED, True),)
    co_star = (Step(STARRED, True), Step(STARRED))
    cast = (Step(DIRECTED, True), Step(STARRED))
    pairs = [(acted, made), (co_star, cast), (made, made)]
    pacino, mann = ids["Al Pacino"], ids["Michael Mann"]
    # De Niro is met twice by the same edge, from Heat.
    assert graph.joined(pacino, mann, pairs) == [True, False, False]
    assert graph.joined(pacino, mann, pairs, nodes="walk") == [True, True, False]
