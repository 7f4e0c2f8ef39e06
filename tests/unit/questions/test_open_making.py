"""Open questions made about a graph of films."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.endpoint import Endpoint, chat
from tests.unit.learn.toy import toy
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.errors import ConfigurationError
from isomatch.questions.open.making import Making, make_questions
from isomatch.questions.open.scores import ANGLES, by_rules, mean
from isomatch.questions.open.sets import read_open
from isomatch.questions.open.things import Things
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.texts import find_word

FEW = {"least_facts": 2, "least_relations": 1}
FILMS = {"Heat", "Ali", "Thief", "Ronin"}
PEOPLE = {"Michael Mann", "Robert De Niro"}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with toy(tmp_path_factory.mktemp("open")) as opened:
        yield opened


def test_things_are_rich_and_of_the_kind_that_their_relations_say(session):
    things = {thing.name: thing for thing in Things(session.resources, 1, 2, 1).all()}
    assert set(things) == FILMS | PEOPLE
    assert {name for name, thing in things.items() if thing.kind == "person"} == PEOPLE
    poorer = {thing.name for thing in Things(session.resources, 1, 3, 3).all()}
    assert poorer == {"Heat", "Thief"}


def test_what_is_connected_or_comparable_is_so_in_the_graph(session):
    things = Things(session.resources, 1, 2, 1)
    heat = next(thing for thing in things.all() if thing.name == "Heat")
    for other, way in things.connected(heat):
        ends = [{fact.source.id, fact.target.id} for fact in way]
        assert heat.id in ends[0]
        assert other.id in ends[-1]
        assert len(way) == 1 or ends[0] & ends[1]
    compared = {other.name: aspect for other, aspect in things.comparable(heat)}
    assert set(compared) == FILMS - {"Heat"}
    assert set(compared.values()) <= {"director", "writer", "actor"}


def test_every_question_names_its_topics_and_the_seed_repeats_it(session):
    making = Making(count=12, **FEW)
    made = make_questions(session, making)
    assert made.questions
    for question in made.questions:
        assert all(find_word(question.text, topic) is not None for topic in question.topics)
        assert set(question.topics) <= FILMS | PEOPLE | {
            "Al Pacino",
            "James Caan",
            "Will Smith",
        } | {"John Frankenheimer"}
        assert set(question.scores) == set(ANGLES)
        assert mean(question.scores) >= making.least_score
    templates = {question.template for question in made.questions}
    assert {"person", "cause", "relationship", "trend", "contrast", "evaluation"} <= templates
    assert not {"event", "outcome", "history", "application"} & templates
    assert sum("no event" in note or "no method" in note for note in made.notes) == 4
    assert make_questions(session, making).questions == made.questions
    other = make_questions(session, Making(count=12, seed=7, **FEW)).questions
    assert [q.text for q in other] != [q.text for q in made.questions]


def test_only_the_types_that_are_asked_for(session):
    made = make_questions(session, Making(count=3, types=("comparative",), **FEW))
    assert {question.type for question in made.questions} == {"comparative"}


def test_a_graph_with_nothing_rich_enough_is_an_error(session):
    with pytest.raises(ConfigurationError, match="at least 50 facts"):
        make_questions(session, Making(least_facts=50))
    with pytest.raises(ConfigurationError, match="no event"):
        make_questions(session, Making(types=("predictive",), least_facts=50))
    with pytest.raises(ConfigurationError, match="good enough"):
        make_questions(session, Making(least_score=10, **FEW))


@pytest.mark.parametrize(
    "wrong", [{"count": 0}, {"least_score": 11}, {"least_score": float("nan")}, {"types": ("odd",)}]
)
def test_wrong_settings_of_making_are_refused(wrong):
    with pytest.raises(ConfigurationError, match="must"):
        Making(**wrong)


def test_rules_see_what_is_repeated_vague_and_unanswerable():
    def scores(text="What links Heat with Ali?", topics=("Heat", "Ali"), facts=30, used=()):
        return by_rules(text, topics, (), facts, Counter(used))

    plain = scores()
    assert scores(used=("Heat", "Ali"))["novelty"] < plain["novelty"]
    assert scores(facts=2)["actionability"] < plain["actionability"]
    assert scores(topics=("Heat",))["specificity"] < plain["specificity"]
    assert scores(topics=("Heat", "Ronin"))["relevance"] < plain["relevance"]
    assert scores(text="Heat Ali " * 30)["naturalness"] < plain["naturalness"]


GOOD = json.dumps(dict.fromkeys(ANGLES, 8))


def by_prompt(word: str, score: str):
    """Replies to the prompts for wording and for scoring."""

    def reply(request):
        said = json.loads(request.content)["messages"][0]["content"]
        return chat(score if "five points of view" in said else word)

    return Endpoint(reply)


def test_a_models_words_are_used_where_they_name_the_topics(session):
    endpoint = by_prompt(
        "Tell me, why do Heat, Ali, Thief, Ronin, Michael Mann, Robert De Niro matter?", GOOD
    )
    making = Making(count=2, types=("predictive",), **FEW)
    made = make_questions(session, making, model=endpoint.model())
    assert [q.worded for q in made.questions] == ["model"]  # the second one is the same text
    assert made.questions[0].scores == dict.fromkeys(ANGLES, 8.0)
    assert made.usage.requests == len(endpoint.bodies)
    vague = make_questions(session, making, model=by_prompt("And what of it then?", GOOD).model())
    assert {q.worded for q in vague.questions} == {"template"}
    assert vague.dropped["model's wordings: the template's words are used"] == 2


def test_scores_that_cannot_be_read_keep_no_question(session):
    making = Making(count=2, **FEW)
    for said in ("very good", json.dumps(dict.fromkeys(ANGLES, 11)), '{"novelty": 3}'):
        with pytest.raises(ConfigurationError, match="gave no scores"):
            make_questions(session, making, model=by_prompt("x", said).model())
    bad = json.dumps(dict.fromkeys(ANGLES, 3))
    with pytest.raises(ConfigurationError, match="scored below 6"):
        make_questions(session, making, model=by_prompt("x", bad).model())


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(a) for a in arguments], prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


def test_the_command_writes_a_set(session, monkeypatch, tmp_path: Path):
    monkeypatch.setattr(Session, "open", lambda *_, **__: Session.of(session.resources))
    monkeypatch.setattr(Session, "close", lambda self: None)
    out = tmp_path / "open.jsonl"
    few = ("--least-facts", 2, "--least-relations", 1, "-n", 5)
    code, said, err = run("questions", *few, "--out", out)
    assert (code, err) == (0, "")
    assert f"5 questions in {out}" in said
    assert len(read_open(str(out)).questions) == 5
    code, said, _ = run("questions", *few, "--json")
    assert json.loads(said)["questions"][0]["open"] is True
    code, _, err = run("questions", "--wording", "model")
    assert code == 2
    assert "ISOMATCH_MODEL" in err
    code, _, err = run("questions", "--type", "factual")
    assert code == 2
    assert "type must be one of" in err
    assert isinstance(session.settings, Settings)
