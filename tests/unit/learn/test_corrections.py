"""What training takes of feedback beside its chains."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.feedback.films import say, walk
from tests.unit.learn.toy import asked, toy

from isomatch.errors import ConfigurationError
from isomatch.feedback.lessons import Lessons
from isomatch.feedback.questions import kept_lessons
from isomatch.learn import corrections
from isomatch.learn.config import GsrConfig
from isomatch.learn.examples import Example
from isomatch.learn.walks import Entities
from isomatch.questions.sets import QuestionSet
from isomatch.session import Session
from isomatch.trained.artifact import CONFIG, ArtifactConfig, write_json
from isomatch.trained.vocabulary import StepVocabulary


@pytest.fixture
def films(tmp_path: Path) -> Iterator[Session]:
    with toy(tmp_path) as session:
        yield session


def texts(session: Session) -> dict[str, str]:
    return {relation.id: relation.text for relation in session.schema.relations}


def test_typed_answers_join_the_questions_and_are_marked(films: Session) -> None:
    said = say(films, "who helmed Ali?", "answer", answers=["Michael Mann"])
    say(films, "who helmed Thief?", "answer", answers=["Nobody"])
    say(films, "who helmed Heat?", "reading", pattern=walk("Heat", "directed by"))
    lessons, entities = kept_lessons(films.resources), Entities(films.index)
    before = QuestionSet("mine", (asked("q", "who wrote Heat?", "Heat", "Michael Mann"),))
    both = corrections.with_answers(before, lessons, texts(films), entities)
    assert both is not None
    assert (both.name, [question.id for question in both.questions]) == ("mine", ["q", said])
    assert [problem.kind for problem in both.problems] == ["unknown answer"]
    alone = corrections.with_answers(None, lessons, texts(films), entities)
    assert alone is not None
    assert [question.id for question in alone.questions] == [said]
    examples = [Example("retrieval", id, (), "weak", id) for id in ("q", said, f"{said}#2")]
    marked = corrections.marked(examples, lessons)
    assert [example.source for example in marked] == ["weak", "feedback", "feedback"]


def test_corrections_without_chains_or_answers_are_refused_with_the_reasons(films: Session) -> None:
    counted = '(?f)-[directed by]->("Michael Mann") return count(?f)'
    say(films, "how many films has Michael Mann?", "up", read_pattern=counted)
    lessons = kept_lessons(films.resources)
    vocabulary = StepVocabulary.of(films.schema)
    with pytest.raises(ConfigurationError, match="1: the pattern is no relation chain"):
        corrections.need_known(lessons, vocabulary)
    with pytest.raises(ConfigurationError, match="as none says what is right"):
        corrections.need_known(Lessons(()), vocabulary)
    say(films, "who helmed Heat?", "reading", pattern=walk("Heat", "directed by"))
    corrections.need_known(kept_lessons(films.resources), vocabulary)


def test_corrections_alone_take_as_many_made_questions_as_before(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="has no model to do again"):
        corrections.as_before(GsrConfig(), tmp_path)

    def model(**training: object) -> None:
        config = ArtifactConfig(kind="gsr", training=training, model={"longest": 3})
        write_json(tmp_path / CONFIG, config.model_dump())

    model(synthetic=300, backbone="seq2seq:t5", questions_from=None)
    again = corrections.as_before(GsrConfig(epochs=3), tmp_path)
    assert (again.synthetic, again.backbone, again.epochs) == (300, "seq2seq:t5", 3)
    model(synthetic=300, questions_from={"set": "mine.jsonl"})
    with pytest.raises(ConfigurationError, match=r"learnt from the questions of mine\.jsonl"):
        corrections.as_before(GsrConfig(), tmp_path)


def test_a_model_of_corrections_alone_is_refused() -> None:
    index, weak, feedback = (
        Example("retrieval", source, (), source, source)
        for source in ("index", "weak", "feedback")  # type: ignore[arg-type]
    )
    corrections.need_more([index, weak, feedback])
    corrections.need_more([index])
    with pytest.raises(ConfigurationError, match="corrections alone are too few"):
        corrections.need_more([index, feedback])
