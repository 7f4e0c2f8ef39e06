"""Retrievers by name, over a session: what each gives an answer to be made of."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.endpoint import Endpoint
from typer.testing import CliRunner

from isomatch import TripleRetriever
from isomatch.cli.app import app
from isomatch.cli.options import model_settings
from isomatch.errors import ArtifactError, ConfigurationError, InterpretationError
from isomatch.factories import make_index
from isomatch.interpret.types import Coverage
from isomatch.output.json import answer_form
from isomatch.retrieve import hypotheses as hypotheses_module
from isomatch.retrieve.hypotheses import SHOWN, match_hypotheses
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load
from isomatch.triples.rankers import OneHopRanker

FACTS = """Heat,directed by,Michael Mann
Ali,directed by,Michael Mann
Thief,directed by,Michael Mann
Heat,starring,Al Pacino
Serpico,starring,Al Pacino
Serpico,directed by,Sidney Lumet
"""
QUESTION = "who directed Heat"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("retrieval")
    (folder / "films.csv").write_text(FACTS)
    settings = Settings(home=folder / "home")
    load([folder / "films.csv"], settings.graph_path)
    make_index(settings)
    return settings.home


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    """With a ranking of triples that needs no training."""
    with Session.open(home=home) as opened:
        opened.triple_ranker = OneHopRanker(opened.resources)
        yield opened


def names(answer) -> list[str]:
    return [node.name for node in answer.answers]


@pytest.mark.parametrize("retriever", ["pattern", "chain", "fused"])
def test_a_session_without_a_model_answers_with_the_best_chain(
    session: Session, retriever: str
) -> None:
    answer = session.ask(QUESTION, interpreter="schema", retriever=retriever)
    assert (answer.text, answer.retriever) == ("Michael Mann.", retriever)
    assert answer.supported
    assert {"interpret", "answer", "total"} <= set(answer.stages)
    assert ("retrieve" in answer.stages) == (retriever == "fused")
    json.dumps(answer_form(answer), allow_nan=False)


def test_several_chains_become_paths(session: Session) -> None:
    session.model = Endpoint("Ali [1] and Thief [2].").model()
    question = "which films were directed by the director of Heat"
    answer = session.ask(question, interpreter="schema", retriever="chain")
    assert answer.supported
    assert answer.cited == (1, 2)
    assert answer.evidence[-1].number > 2
    assert len({e.rank for e in answer.evidence}) > 1


def test_triples_need_no_reading(session: Session) -> None:
    endpoint = Endpoint("ans: Michael Mann [1]")
    session.model = endpoint.model()
    answer = session.ask(QUESTION, interpreter="llm", retriever="triples")
    assert len(endpoint.bodies) == 1  # for the answer alone
    assert "[1] Heat | directed by | Michael Mann" in endpoint.said[0][1]
    assert (names(answer), answer.hypothesis, answer.result) == (["Michael Mann"], None, None)
    form = answer_form(answer)
    assert (form["pattern"], form["matches"], form["certificate"]) == (None, [], None)
    json.dumps(form, allow_nan=False)


def test_sync_async_and_streamed_retrieval_are_the_same(session: Session) -> None:
    async def both():
        given = {"interpreter": "schema", "retriever": "fused"}
        asked = await session.aask(QUESTION, **given)
        pieces = [piece async for piece in session.astream(QUESTION, **given)]
        return asked, pieces[-1]

    answers = [
        session.ask(QUESTION, interpreter="schema", retriever="fused"),
        [*session.stream(QUESTION, interpreter="schema", retriever="fused")][-1],
        *asyncio.run(both()),
    ]
    assert len({(a.text, a.evidence, a.cited, a.retriever) for a in answers}) == 1


def test_triples_around_a_misspelled_name_say_how_it_was_read(session: Session) -> None:
    found = session.pipeline.retriever.score_triples("films of [Micheal Mann]")
    assert any("“Micheal Mann” read as “Michael Mann”" in note for note in found.notes)
    assert {scored.triple.target.name for scored in found.triples[:3]} == {"Michael Mann"}


def test_triples_around_given_topics_are_theirs(session: Session) -> None:
    found = session.pipeline.retriever.score_triples(QUESTION, ["Serpico"], k=2)
    assert {scored.triple.source.name for scored in found.triples} == {"Serpico"}
    assert len(found.triples) == 2


def test_a_question_about_nothing_that_is_known(session: Session) -> None:
    for topics in (None, ["Zxqvw Jkpfy"]):
        with pytest.raises(InterpretationError, match="no name of the graph"):
            session.pipeline.retriever.score_triples("zzz", topics)


def test_another_retriever_is_refused(session: Session) -> None:
    with pytest.raises(ConfigurationError, match="fused, triplets, paths, steiner, not 'path'"):
        session.ask(QUESTION, retriever="path")
    with pytest.raises(ConfigurationError, match="interpreter must be one of"):
        session.ask(QUESTION, interpreter="oracle", retriever="triples")


def test_triples_without_a_trained_model_say_how_to_get_one(home: Path) -> None:
    with Session.open(home=home) as opened, pytest.raises(ArtifactError, match="isomatch train"):
        opened.ask(QUESTION, retriever="triples")


def test_only_readings_with_a_near_match_are_kept(session: Session) -> None:
    hypotheses = session.interpret(QUESTION, interpreter="schema")
    acceptance = session.pipeline.acceptance
    kept = match_hypotheses(session.resources, hypotheses, {}, acceptance, 3)
    assert 1 <= len(kept) <= 3
    assert all(acceptance.has_near(result) for _, result in kept)
    assert match_hypotheses(session.resources, hypotheses, {}, acceptance, 1)[0][0] == kept[0][0]


def test_a_reading_that_may_not_answer_is_searched_briefly(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    [sure, *_] = session.interpret(QUESTION, interpreter="schema")
    given: list[float | None] = []
    once = hypotheses_module.match_once

    def match_once(*args: Any, **options: Any) -> Any:
        given.append(args[3].budget_seconds)
        return once(*args, **options)

    monkeypatch.setattr(hypotheses_module, "match_once", match_once)
    for score in (sure.score, 0.0):
        match_hypotheses(
            session.resources,
            [replace(sure, score=score)],
            {"budget_seconds": 30.0},
            session.pipeline.acceptance,
        )

    assert given[0] is not None
    assert 20 < given[0] <= 30
    assert given[-1] == SHOWN


@pytest.mark.parametrize("ended", [None, "time"])
def test_a_program_is_searched_again_only_where_a_budget_ended_its_search(
    session: Session, monkeypatch: pytest.MonkeyPatch, ended: str | None
) -> None:
    [first, *_] = session.interpret(QUESTION, interpreter="schema")
    exact = Coverage(exact=True)
    programs = [replace(first, source="programs", score=s, coverage=exact) for s in (0.7, 0.1)]
    searched: list[Any] = []
    once = hypotheses_module.match_once

    def match_once(*args: Any, **options: Any) -> Any:
        searched.append(args[2])
        matched = once(*args, **options)
        certificate = replace(matched.result.certificate, ended_by=ended)
        return replace(matched, result=replace(matched.result, certificate=certificate))

    monkeypatch.setattr(hypotheses_module, "match_once", match_once)
    acceptance = session.pipeline.acceptance
    ((kept, result),) = match_hypotheses(session.resources, programs[:1], {}, acceptance)
    assert (kept.pattern, bool(result)) == (first.pattern, True)
    assert len(searched) == (1 if ended is None else 2)


def test_the_retriever_gives_triples_by_score(session: Session) -> None:
    found = TripleRetriever(session).search(query_text=QUESTION, top_k=2)
    assert [item.content for item in found.items] == [
        "Heat | directed by | Michael Mann",
        "Heat | starring | Al Pacino",
    ]
    assert found.items[0].metadata["score"] == 1.0
    assert found.items[0].metadata["triple"]["target"]["name"] == "Michael Mann"
    assert found.metadata["query_text"] == QUESTION
    assert len(found.metadata["topics"]) == 1
    json.dumps(found.metadata, allow_nan=False)
    with pytest.raises(ConfigurationError, match="top_k must be from 1 on"):
        TripleRetriever(session).search(QUESTION, top_k=0)


# -- the command line ---------------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, arguments, prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


def test_the_command_asks_by_chains(home: Path) -> None:
    asked = ("ask", QUESTION, "--topic", "Heat", "--interpreter", "schema")
    code, out, err = run(*asked, "--retriever", "chain", "--home", str(home), "--json")
    assert (code, err) == (0, "")
    form = json.loads(out)
    assert (form["text"], form["retriever"]) == ("Michael Mann.", "chain")
    assert form["evidence"][0]["score"] == form["reading"]["score"]


def test_the_command_names_what_there_is(home: Path) -> None:
    code, out, err = run("ask", QUESTION, "--retriever", "path")
    assert (code, out) == (2, "")
    names = "pattern, chain, triples, fused, triplets, paths, steiner"
    assert err == f"error: --retriever must be one of {names}, not 'path'\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "holds no trained model"),
        ("{", "A language model is named with --llm"),
        ('{"kind": "other"}', "holds no trained model"),
    ],
)
def test_the_folder_of_a_model_is_checked(
    home: Path, tmp_path: Path, content: str | None, words: str
) -> None:
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    code, _, err = run("ask", QUESTION, "--model", str(tmp_path), "--home", str(home))
    assert code == 2
    assert words in err


def test_two_models_are_of_two_kinds(tmp_path: Path) -> None:
    folders = {}
    for name, kind in (("a", "gsr"), ("b", "triples"), ("c", "gsr")):
        folders[name] = tmp_path / name
        folders[name].mkdir()
        (folders[name] / "config.json").write_text(json.dumps({"kind": kind}))
    assert model_settings([folders["a"], folders["b"]]) == {
        "gsr_model": folders["a"],
        "triples_model": folders["b"],
    }
    assert model_settings(None) == {}
    with pytest.raises(ConfigurationError, match="both of the kind 'gsr'"):
        model_settings([folders["a"], folders["c"]])


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("k", None),
        ("limit", None),
        ("type_weight", "1"),
        ("type_weight", None),
        ("budget_seconds", "10"),
        ("exact_vectors", "no"),
        ("same_as", 1),
    ],
)
def test_an_option_of_another_type_is_told_by_its_name(
    session: Session, option: str, value: Any
) -> None:
    with pytest.raises(ConfigurationError, match=f"{option} must be") as raised:
        session.match('(?f)-[directed by]->("Michael Mann")', **{option: value})
    assert raised.value.option == option


@pytest.mark.parametrize("direction", ["as written", "as-written"])
def test_words_of_options_may_be_those_of_the_command_line(
    session: Session, direction: str
) -> None:
    found = session.match('("Heat")-[directed by]-(?who)', k=1, direction=direction)
    assert [node.name for node in found.answers()] == ["Michael Mann"]


@pytest.mark.parametrize("topics", ["Heat", [5], [None]])
def test_topics_that_are_no_list_of_names_are_refused(session: Session, topics: Any) -> None:
    with pytest.raises(ConfigurationError, match="topics must be a list of names"):
        session.ask(QUESTION, topics=topics)
    with pytest.raises(ConfigurationError, match="topics must be a list of names"):
        session.interpret(QUESTION, topics=topics)
