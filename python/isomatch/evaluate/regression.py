"""Feedback as a regression set: what was corrected must be right, what was wrong not come again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isomatch.evaluate.scoring import Row
from isomatch.feedback.lessons import Mistake, form_of
from isomatch.feedback.questions import kept_lessons, question_set
from isomatch.pattern import format_text
from isomatch.questions.datasets import Question
from isomatch.questions.sets import QuestionSet
from isomatch.session import Session

if TYPE_CHECKING:
    from isomatch.evaluate.outcome import Outcome
    from isomatch.evaluate.systems import System
    from isomatch.settings import Settings


@dataclass(frozen=True, slots=True)
class Regression:
    """What feedback says about a graph as it is.

    Attributes:
        questions: whose right answers are known.
        mistakes: readings that were said to be wrong, of other questions.
        notes: in words, what whoever reads the figures must know.
    """

    questions: QuestionSet
    mistakes: tuple[Mistake, ...] = ()
    notes: tuple[str, ...] = ()

    def repeated(self, session: Session, system: System) -> list[dict[str, Any]]:
        """The mistakes that are made again: the same reading, or the answers that it gives.

        Raises:
            StoreError, VectorIndexError, EmbeddingError, ModelError: a part failed.
        """
        found = []
        for mistake in self.mistakes:
            record = mistake.record
            asked = Question(record.id, record.question, (), (), None, 0)
            outcome = system(session, asked)
            if _is_same(outcome, mistake):
                pattern = outcome.pattern and format_text(outcome.pattern)
                answers = list((*(outcome.found or ()), ())[0])
                found.append({"question": asked.text, "pattern": pattern, "answers": answers})
        return found

    def summary(self, rows: Sequence[Row], repeated: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The figures for a report, under ``feedback``.

        Args:
            rows: of the questions.
            repeated: mistakes that were made again.
        """
        wrong = [row for row in rows if row["score"] is None or row["score"]["f1"] < 1.0]
        kept = ("question", "answers", "found", "pattern", "error")
        return {
            "feedback": {
                "asked": len(rows),
                "right": len(rows) - len(wrong),
                "wrong": [{key: row[key] for key in kept} for row in wrong],
                "mistakes": len(self.mistakes),
                "repeated": list(repeated),
                "notes": list(self.notes),
            }
        }


def open_regression(settings: Settings, given: Mapping[str, Any]) -> Regression:
    """The feedback in the home folder, as its graph answers it now.

    Args:
        given: settings that take precedence.

    Raises:
        ConfigurationError: none is kept, or none that can be used.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    with Session.open(settings, **given) as session:
        lessons = kept_lessons(session.resources)
        texts = {relation.id: relation.text for relation in session.schema.relations}
        return Regression(question_set(lessons, texts), lessons.mistakes, lessons.notes)


def _is_same(outcome: Outcome, mistake: Mistake) -> bool:
    if outcome.refused or not outcome.found:
        return False
    same = outcome.pattern is not None and form_of(outcome.pattern) == form_of(mistake.pattern)
    return same or (bool(mistake.answers) and set(outcome.found[0]) == set(mistake.answers))
