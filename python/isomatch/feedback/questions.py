"""Feedback as a question set, for `isomatch eval`, training, and files of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, StoreError
from isomatch.feedback.file import NAME, FeedbackFile
from isomatch.feedback.lessons import Lessons, lessons_of
from isomatch.files import atomic_write
from isomatch.pattern.types import RelationChain
from isomatch.questions.datasets import Question
from isomatch.questions.sets import QuestionSet

if TYPE_CHECKING:
    from isomatch.resources import Resources


def kept_lessons(resources: Resources) -> Lessons:
    """What the feedback in the home folder says about the graph now.

    Raises:
        ConfigurationError: none is kept, or none that can be used.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    file = FeedbackFile.of(resources.settings)
    records, problems = file.read()
    if not records:
        listed = "".join(f"\n  {problem}" for problem in problems[:3])
        raise ConfigurationError(f"no feedback is kept in {file.path}{listed}")
    lessons = lessons_of(resources, records, problems)
    if not (lessons.lessons or lessons.mistakes):
        listed = "".join(f"\n  {problem}" for problem in lessons.problems[:3])
        raise ConfigurationError(
            f"none of the {len(records):,} records in {file.path} says what is right or wrong"
            f"{listed}"
        )
    return lessons


def question_set(lessons: Lessons, texts: Mapping[str, str]) -> QuestionSet:
    """The questions whose right answers are known.

    Args:
        texts: of the graph's relations, by id.
    """
    questions = tuple(lesson.question(texts) for lesson in lessons.lessons if lesson.answers)
    return QuestionSet(NAME, questions, lessons.problems, (), {"set": NAME, "split": "feedback"})


def row_of(question: Question) -> dict[str, Any]:
    """A line of a file of questions, see `isomatch.questions.sets`."""
    chain = question.gold.relations if isinstance(question.gold, RelationChain) else ()
    row = {
        "id": question.id,
        "question": question.text,
        "answers": list(question.answers),
        "topics": list(question.topics),
        "chain": list(chain),
        "kind": question.kind,
    }
    return {key: value for key, value in row.items() if value}


def write_questions(path: Path, questions: QuestionSet) -> None:
    """Write a file of questions, atomically.

    Raises:
        StoreError: it cannot be written.
    """
    write_lines(path, [json.dumps(row_of(q), ensure_ascii=False) for q in questions.questions])


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file of lines, atomically.

    Raises:
        StoreError: it cannot be written.
    """
    try:
        with atomic_write(path) as partial:
            partial.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
