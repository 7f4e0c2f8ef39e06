"""Weak labels on a toy graph, F1s worked by hand: what is kept, what falls, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.servers.sessions import session_over
from tests.unit.endpoint import Endpoint
from tests.unit.learn.toy import DIRECTED, STARRED, WRITTEN, Letters, asked, toy, turtle

from isomatch.chains.graph import Chain, Step
from isomatch.errors import ConfigurationError, QueryTimeout
from isomatch.learn.examples import Example
from isomatch.learn.labels import Answers
from isomatch.learn.tie_breaking import settle
from isomatch.learn.weak import Label, Labeller, WeakLabels
from isomatch.questions.datasets import Question
from isomatch.session import Session
from isomatch.store.base import Query, Row
from isomatch.store.oxigraph import OxigraphStore

FILMS = asked("films", "what did Michael Mann direct?", "Michael Mann", "Heat", "Ali", "Thief")
CAST = asked("cast", "who acted in films of Michael Mann?", "Michael Mann", "Al Pacino")
THIEF = asked("thief", "who directed Thief?", "Thief", "Michael Mann")
RONIN = asked("ronin", "who directed Ronin?", "Ronin", "John Frankenheimer")
BOTH = asked(
    "both",
    "which film of Michael Mann has Robert De Niro?",
    ("Michael Mann", "Robert De Niro"),
    "Heat",
)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with toy(tmp_path_factory.mktemp("toy")) as session:
        yield session


def labelled(session: Session, rule: str, *questions: Question, **options: object) -> WeakLabels:
    return Labeller(session.resources, rule, **options).run(questions)  # type: ignore[arg-type]


def chains(label: Label) -> dict[tuple[Chain, ...], float]:
    return {tuple(c for _, c in e.parts): round(w, 3) for e, w in label.kept}


def test_f1_counts_an_answer_of_two_nodes_once() -> None:
    answers = Answers({"a1": "a", "a2": "a", "b": "b"})
    assert answers.f1(["a1", "a2", "b"]) == 1.0
    assert answers.f1(["a1", "x", "y"]) == pytest.approx(2 / 5)
    assert answers.f1([]) == 0.0
    assert answers.limit(0.5) == 3 * 3 + 16


def test_the_chain_with_the_best_f1_is_kept(session: Session) -> None:
    [label] = labelled(session, "filtered", FILMS).labels
    # written by reaches Heat and Thief: F1 of 2·2/(2+3) = 0.8 against 1 of directed by.
    assert chains(label) == {((Step(DIRECTED, True),),): 1.0}
    assert label.f1 == 1.0
    assert list(label.examples()) == [
        Example(
            "retrieval",
            "what did [MASK] direct?",
            (((Step(DIRECTED, True),), 1.0),),
            "weak",
            "films",
        )
    ]


def test_a_tie_is_kept_apart(session: Session) -> None:
    labels = labelled(session, "filtered", THIEF)
    assert [label.reason for label in labels.labels] == ["tie"]
    tied = [e.parts[0][1] for e in labels.labels[0].tied]
    assert tied[:2] == [(Step(DIRECTED),), (Step(WRITTEN),)]  # longer ones come after
    assert labels.report.fell == {"tie": 1}
    assert list(labels.examples()) == []


def test_a_tie_is_settled_by_questions_of_the_same_words(session: Session) -> None:
    labels = settle(labelled(session, "filtered", THIEF, RONIN))
    assert [chains(label) for label in labels.labels] == [{((Step(DIRECTED),),): 1.0}] * 2
    assert labels.report.settled == {"text": 1}
    assert (labels.report.kept, labels.report.fell) == (2, {})


def test_a_tie_is_settled_by_a_model(session: Session) -> None:
    asked_of: list[str] = []

    def score(text: str, some: Sequence[Chain]) -> list[float]:
        asked_of.append(text)
        return [-1.0 if chain[0].relation == WRITTEN else -2.0 for chain in some]

    labels = settle(labelled(session, "filtered", THIEF), score)
    assert chains(labels.labels[0]) == {((Step(WRITTEN),),): 1.0}
    assert asked_of == ["who directed [MASK]?"]
    assert labels.report.settled == {"score": 1}


def test_facts_that_are_stored_both_ways_are_no_tie(tmp_path: Path) -> None:
    pairs = [("heat", "mann"), ("ali", "smith"), ("thief", "caan"), ("ronin", "niro")]
    pairs.append(("pacino", "frankenheimer"))
    facts = "\n".join(f"{a} directed {b}\n{b} written {a}" for a, b in pairs)
    names = ["Michael Mann", "Will Smith", "James Caan", "Robert De Niro", "John Frankenheimer"]
    films = ["Heat", "Ali", "Thief", "Ronin", "Al Pacino"]
    questions = [
        asked(film, f"who made {film}{i}?".replace(str(i), ""), film, name)
        for i, (film, name) in enumerate(zip(films, names, strict=True))
    ]
    with toy(tmp_path, facts) as session:
        labels = settle(labelled(session, "filtered", *questions))
    assert [chains(label) for label in labels.labels] == [{((Step(DIRECTED),),): 1.0}] * 5
    assert labels.report.settled == {"equal": 5}


def test_one_known_answer_weighs_every_chain_that_reaches_it(session: Session) -> None:
    [label] = labelled(session, "one", CAST).labels
    found = chains(label)
    # From Mann: films directed have 4 actors, F1 of one answer 2·1/(4+1) = 0.4; films
    # written have 3, 0.5. Both reach Pacino, and so do longer chains.
    directed = found[(Step(DIRECTED, True), Step(STARRED)),]
    written = found[(Step(WRITTEN, True), Step(STARRED)),]
    assert directed / written == pytest.approx(0.4 / 0.5, abs=0.02)
    assert sum(weight for _, weight in label.kept) == pytest.approx(1.0)


def test_raw_takes_every_shortest_chain(session: Session) -> None:
    [label] = labelled(session, "raw", THIEF).labels
    assert chains(label) == {((Step(DIRECTED),),): 0.5, ((Step(WRITTEN),),): 0.5}


def test_two_topics_meet_in_the_answer(session: Session) -> None:
    # Heat is written by Mann too, so both pairs find it: the tie has two pairs.
    [label] = labelled(session, "filtered", BOTH).labels
    assert label.reason == "tie"
    starred = (Step(STARRED, True),)
    assert {tuple(c for _, c in e.parts) for e in label.tied} >= {
        ((Step(DIRECTED, True),), starred),
        ((Step(WRITTEN, True),), starred),
    }
    [settled] = settle(WeakLabels("filtered", "anchored", (label,)), _plain).labels
    assert [example.text for example in settled.examples()] == [
        "which film of [MASK] has Robert De Niro?",
        "which film of Michael Mann has [MASK]?",
    ]
    assert [example.id for example in settled.examples()] == ["both#1", "both#2"]


def _plain(text: str, some: Sequence[Chain]) -> list[float]:
    """Likes one hop of `directed` or `starred`."""
    return [-float(len(chain)) - (chain[0].relation == WRITTEN) for chain in some]


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (asked("a", "who is Nobody?", "Nobody", "Heat"), "no topic node"),
        (asked("b", "who directed Heat?", "Heat", "Nobody"), "no answer node"),
        (asked("c", "who directed Heat?", (), "Michael Mann"), "no topic"),
        (asked("d", "what has Ali of Frankenheimer?", "Ali", "John Frankenheimer"), "no chain"),
        (asked("e", "who directed it?", "Heat", "Al Pacino", "Robert De Niro"), "topic not in"),
        (asked("f", "who plays in Ali?", "Ali", "James Caan", "Ronin", "Ali", "Heat"), "low F1"),
    ],
)
def test_a_question_that_falls_says_why(session: Session, question: Question, reason: str) -> None:
    [label] = labelled(session, "filtered", question, nodes="anchored").labels
    assert label.reason.startswith(reason)
    assert not label.kept


def test_topics_are_found_in_the_text_where_none_are_given(session: Session) -> None:
    question = asked("q", "what did Michael Mann direct?", (), "Heat", "Ali", "Thief")
    labels = labelled(session, "filtered", question, mentions=lambda text: ["Michael Mann"])
    [example] = labels.examples()
    assert example.text == "what did [MASK] direct?"


@pytest.mark.parametrize("rule", ["filtered", "raw", "one"])
def test_the_rule_counts_without_topics_too(session: Session, rule: str) -> None:
    """Thief's director is also its writer, and directed another film that he also wrote."""
    told = asked("q", "who directed Thief?", "Thief", "Michael Mann")
    found = replace(told, topics=())
    one, other = (
        labelled(session, rule, q, mentions=lambda text: ["Thief"], nodes="repeat").labels[0]
        for q in (told, found)
    )
    assert (one.kept, one.tied) == (other.kept, other.tied)


def test_a_raw_label_is_of_the_mention_with_the_shortest_chains(session: Session) -> None:
    question = asked("q", "which film of Al Pacino is by Michael Mann?", (), "Heat")
    label = labelled(
        session, "raw", question, mentions=lambda text: ["Al Pacino", "Michael Mann"]
    ).labels[0]
    assert {len(chain) for e, _ in label.kept for _, chain in e.parts} == {1}
    assert {topic for e, _ in label.kept for topic, _ in e.parts} == {"Al Pacino", "Michael Mann"}


class Slow(OxigraphStore):
    """A store that takes too long for every query about Thief, once it is told to."""

    slow = False

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        if self.slow and query.name == "chains/ends" and "thief" in str(query):
            raise QueryTimeout("it took too long")
        return super().run(query, timeout=timeout)


def test_a_question_that_takes_too_long_spoils_no_run(tmp_path: Path) -> None:
    engine = ox.Store()
    engine.load(turtle().encode(), format=ox.RdfFormat.TURTLE)
    store = Slow(engine)
    with session_over(store, tmp_path, Letters()) as session:
        store.slow = True
        labels = Labeller(session.resources).run([THIEF, RONIN])
    assert [label.reason for label in labels.labels] == ["time-out", ""]
    assert labels.nodes_f1["anchored"] == 1.0  # of Ronin: what took too long is no F1 of 0


def test_where_every_question_takes_too_long_no_way_to_walk_is_chosen(tmp_path: Path) -> None:
    engine = ox.Store()
    engine.load(turtle().encode(), format=ox.RdfFormat.TURTLE)
    store = Slow(engine)
    with session_over(store, tmp_path, Letters()) as session:
        store.slow = True
        with pytest.raises(QueryTimeout, match="each of 1 questions"):
            Labeller(session.resources).run([THIEF])


def test_a_model_chooses_by_number(session: Session) -> None:
    endpoint = Endpoint('{"ways": [2, 2, 99, 0]}')
    [label] = labelled(session, "model", THIEF, model=endpoint.model()).labels
    assert chains(label) == {((Step(WRITTEN),),): 1.0}
    shown = endpoint.said[0][-1]
    assert "1. (Thief) -[directed by]-> (?)\n2. (Thief) -[written by]-> (?)" in shown


@pytest.mark.parametrize("reply", ['{"ways": []}', "none of them", "[99]", "{"])
def test_a_model_may_choose_none(session: Session, reply: str) -> None:
    [label] = labelled(session, "model", THIEF, model=Endpoint(reply).model()).labels
    assert (label.reason, label.kept) == ("none chosen", ())


def test_rules_are_checked(session: Session) -> None:
    with pytest.raises(ConfigurationError, match="filtered, raw, one, model"):
        Labeller(session.resources, "best")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="needs a language model"):
        Labeller(session.resources, "model")


def many(count: int) -> list[Question]:
    texts = ["what did Michael Mann direct?", "who directed Thief?", "who directed Ronin?"]
    of = [FILMS, THIEF, RONIN]
    return [
        asked(f"q{i}", texts[i % 3], of[i % 3].topics, *of[i % 3].answers) for i in range(count)
    ]


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on(session: Session, tmp_path: Path) -> None:
    questions = many(150)
    whole = Labeller(session.resources).run(questions, tmp_path / "whole")

    def killed(done: int, total: int) -> None:
        assert (done, total) == (100, 150)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Labeller(session.resources).run(questions, tmp_path / "killed", killed)
    first = tmp_path / "killed" / "part-00001.jsonl"
    # What is done is not done again: a mark in it comes back.
    rows = [json.loads(line) for line in first.read_text().splitlines()]
    rows[0]["reason"] = "a mark"
    first.write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = Labeller(session.resources).run(questions, tmp_path / "killed")
    assert again.labels[0].reason == "a mark"
    assert again.labels[1:] == whole.labels[1:]
    assert (tmp_path / "killed" / "part-00002.jsonl").read_bytes() == (
        tmp_path / "whole" / "part-00002.jsonl"
    ).read_bytes()
    # Another rule is another run.
    raw = Labeller(session.resources, "raw").run(questions, tmp_path / "killed")
    assert raw.labels[0].reason == ""


def test_the_way_of_walking_is_chosen_by_what_it_explains(tmp_path: Path) -> None:
    # Married both ways: the husband of the wife is who was asked about.
    facts = "mann directed smith\nsmith directed mann\ncaan directed niro\nniro directed caan"
    question = asked("q", "who is the spouse of Michael Mann's?", "Michael Mann", "Michael Mann")
    with toy(tmp_path, facts) as session:
        labels = Labeller(session.resources).run([question])
    assert labels.nodes == "repeat"
    assert labels.nodes_f1 == {"anchored": 0.0, "repeat": 1.0, "walk": 1.0}


def test_a_walk_may_come_back_by_the_fact_that_it_went(tmp_path: Path) -> None:
    facts = "mann directed heat\nsmith directed heat\nmann directed ali\nford directed ford"
    question = asked(
        "q", "who made Heat's films, Michael Mann?", "Michael Mann", "Michael Mann", "Smith"
    )
    with toy(tmp_path, facts) as session:
        labels = Labeller(session.resources).run([question])
    assert labels.nodes == "walk"
