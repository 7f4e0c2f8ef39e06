"""What feedback says about a graph as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.feedback.films import say, walk
from tests.unit.learn.toy import DIRECTED, FACTS, STARRED, toy

from isomatch.chains.graph import Step
from isomatch.errors import ConfigurationError
from isomatch.feedback import FeedbackFile
from isomatch.feedback.chains import paths_of
from isomatch.feedback.lessons import Lessons
from isomatch.feedback.questions import kept_lessons, question_set, row_of
from isomatch.pattern import parse
from isomatch.session import Session


@pytest.fixture
def films(tmp_path: Path) -> Iterator[Session]:
    with toy(tmp_path) as session:
        yield session


def rows(session: Session, lessons: Lessons) -> list[dict[str, object]]:
    texts = {relation.id: relation.text for relation in session.schema.relations}
    found = [row_of(question) for question in question_set(lessons, texts).questions]
    return [{key: value for key, value in row.items() if key != "id"} for row in found]


def test_a_chosen_chain_gives_its_answers_as_they_are_now(films: Session) -> None:
    say(films, "who helmed Heat?", "reading", pattern=walk("Heat", "directed by"))
    lessons = kept_lessons(films.resources)
    assert rows(films, lessons) == [
        {
            "question": "who helmed Heat?",
            "answers": ["Michael Mann"],
            "topics": ["Heat"],
            "chain": ["directed by"],
            "kind": "reading",
        }
    ]
    (topic,) = lessons.lessons[0].topics
    assert (topic.masked, topic.chain) == ("who helmed [MASK]?", (Step(DIRECTED),))


def test_names_that_are_written_otherwise_are_found_in_the_question(films: Session) -> None:
    say(films, "films of al pacin with michael man", "up", read_pattern=walk("Heat", "written by"))
    say(films, "WHO HELMED THE HEAT", "reading", pattern='("heat")-[directed by]-(?x)')
    lost, found = kept_lessons(films.resources).lessons
    assert lost.topics == ()
    assert lost.reason == "the question does not have the name 'Heat'"
    assert [topic.masked for topic in found.topics] == ["WHO HELMED THE [MASK]"]


def test_two_names_that_meet_give_a_chain_each(films: Session) -> None:
    pattern = '(?f)-[directed by]->("Michael Mann"), (?f)-[starred actors]-("Will Smith")'
    say(films, "what by Michael Mann has Will Smith?", "up", read_pattern=pattern)
    (lesson,) = kept_lessons(films.resources).lessons
    assert lesson.answers == ("Ali",)
    assert {topic.name: topic.chain for topic in lesson.topics} == {
        "Michael Mann": (Step(DIRECTED, True),),
        "Will Smith": (Step(STARRED, True),),
    }


def test_the_last_word_on_a_question_counts(films: Session) -> None:
    right, wrong = walk("Heat", "directed by"), walk("Heat", "written by")
    for pattern in (wrong, right, right.replace("?x", "?who")):
        say(films, "Who helmed  heat?", "reading", pattern=pattern)
    lessons = kept_lessons(films.resources)
    assert [(lesson.record.chosen, lesson.said) for lesson in lessons.lessons] == [
        (parse(right.replace("?x", "?who")), 2)
    ]
    assert [problem.kind for problem in lessons.problems] == ["corrected again"]
    say(films, "who helmed heat?", "down", read_pattern=right)
    lessons = kept_lessons(films.resources)
    assert lessons.lessons == ()
    assert [mistake.answers for mistake in lessons.mistakes] == [("Michael Mann",)]
    say(films, "who helmed heat?", "answer", answers=["Robert De Niro"])
    lessons = kept_lessons(films.resources)
    assert lessons.mistakes == ()
    assert lessons.lessons[0].answers == ("Robert De Niro",)


def test_a_pattern_beside_a_thumb_or_typed_answers_is_what_was_read(films: Session) -> None:
    """As the page of the service sends it."""
    read = walk("Heat", "written by")
    say(films, "who helmed Heat?", "answer", answers=["Al Pacino"], pattern=read)
    say(films, "who wrote Heat?", "up", pattern=read)
    say(films, "who penned Thief?", "down", pattern=walk("Thief", "directed by"))
    lessons = kept_lessons(films.resources)
    typed, up = lessons.lessons
    assert (typed.result, typed.topics, typed.answers) == (None, (), ("Al Pacino",))
    assert up.answers == ("Michael Mann",)
    assert [mistake.record.question for mistake in lessons.mistakes] == ["who penned Thief?"]


def test_counts_and_ids_become_the_names_that_answers_have(films: Session) -> None:
    counted = '(?f)-[directed by]->("Michael Mann") return count(?f)'
    say(films, "how many films has Michael Mann?", "up", read_pattern=counted)
    say(films, "who is in Ali?", "answer", answers=["http://films.example/smith", "Al Pacino"])
    asked = '("Heat")-[directed by]->("Michael Mann") return ask'
    say(films, "is Heat by Michael Mann?", "up", read_pattern=asked)
    lessons = kept_lessons(films.resources).lessons
    assert [lesson.answers for lesson in lessons] == [
        ("3",),
        ("Will Smith", "Al Pacino"),
        ("true",),
    ]
    assert {lesson.topics for lesson in lessons} == {()}


def test_what_the_graph_has_no_more_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with toy(home) as session:
        say(session, "who helmed Heat?", "reading", pattern=walk("Heat", "directed by"))
        say(session, "who helmed Ali?", "reading", pattern=walk("Ali", "directed by"))
        before = kept_lessons(session.resources)
        assert (before.stale, before.notes) == (0, ())
    with toy(home, FACTS.replace("ali directed mann\n", "ali directed niro\n")) as session:
        after = kept_lessons(session.resources)
    assert [lesson.answers for lesson in after.lessons] == [("Michael Mann",), ("Robert De Niro",)]
    assert after.stale == 2
    assert after.notes[0].startswith("2 of 2 records are of an earlier state of the graph")
    with toy(home, FACTS.replace("ali directed mann\n", "")) as session:
        gone = kept_lessons(session.resources)
    assert len(gone.lessons) == 1
    assert "'who helmed Ali?': the graph has no match of its pattern" in str(gone.problems[0])


def test_feedback_on_a_pattern_that_was_asked_teaches_nothing(films: Session) -> None:
    pattern = walk("Heat", "directed by")
    say(films, pattern, "up", read_pattern=pattern)
    say(films, "who helmed Heat?", "reading", pattern=pattern)
    lessons = kept_lessons(films.resources)
    assert [lesson.record.question for lesson in lessons.lessons] == ["who helmed Heat?"]
    assert [problem.kind for problem in lessons.problems] == ["no question"]


def test_a_chain_of_too_many_answers_is_learnt_and_is_no_test(
    films: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.feedback.lessons.MOST_ANSWERS", 2)
    pattern = '("Michael Mann")<-[directed by]-(?f)'
    say(films, "what did Michael Mann helm?", "reading", pattern=pattern)
    lessons = kept_lessons(films.resources)
    assert [len(lesson.topics) for lesson in lessons.lessons] == [1]
    assert rows(films, lessons) == []
    assert [problem.kind for problem in lessons.problems] == ["too many answers"]


def test_options_that_bound_a_search_are_not_taken_from_a_record(films: Session) -> None:
    reading = {"options": {"limit": 1, "budget_rows": 1, "nodes": "anchored", "odd": 1}}
    pattern = '("Michael Mann")<-[directed by]-(?f)'
    say(films, "what did Michael Mann helm?", "reading", pattern=pattern, reading=reading)
    (lesson,) = kept_lessons(films.resources).lessons
    assert set(lesson.answers) == {"Heat", "Ali", "Thief"}
    say(films, "who helmed Ali?", "reading", pattern=pattern, reading={"options": {"nodes": "x"}})
    assert "nodes" in str(kept_lessons(films.resources).problems[0])


def test_nothing_to_use_is_an_error_that_says_why(films: Session) -> None:
    with pytest.raises(ConfigurationError, match="no feedback is kept in"):
        kept_lessons(films.resources)
    say(films, "who helmed Heat?", "down")
    with pytest.raises(ConfigurationError, match="none of the 1 records"):
        kept_lessons(films.resources)
    with FeedbackFile.of(films.settings).path.open("a") as file:
        file.write("{")
    with pytest.raises(ConfigurationError, match="line 2: it is incomplete"):
        kept_lessons(films.resources)


@pytest.mark.parametrize(
    "pattern",
    [
        '(?x)-[directed by]->(?y) where ?x = "Heat"',
        '("Heat")-[directed by]->(?x)<-[directed by]-("Ali")-[starred actors]->(?z) return ?x',
        '("Heat")-[directed by]->(?x) return count(?x)',
        '("Heat")-[directed by]->(?x)-[starred actors]-(?y), (?x)-[written by]-(?z) return ?y',
        '("a")-[r]->(?b)-[r]->(?c)-[r]->(?d)-[r]->(?e) return ?e',
    ],
)
def test_other_patterns_are_no_chains(pattern: str) -> None:
    assert paths_of(parse(pattern)) == {}
