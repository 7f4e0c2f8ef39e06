"""What is measured: something that makes an outcome of a question, over a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Protocol

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.evaluate.datasets import Question
from isomatch.evaluate.outcome import Outcome, evidence_of, of_result
from isomatch.evaluate.text_to_query import model_of
from isomatch.evaluate.wording import Wording, reword
from isomatch.model import Usage, prompt
from isomatch.session import Session

ANSWER = "ans:"
UNKNOWN = "unknown"


class System(Protocol):
    """Answers a question, or retrieves for it."""

    def __call__(self, session: Session, question: Question) -> Outcome:
        """What came of the question; what fails for it alone is in the outcome.

        Raises:
            StoreError, VectorIndexError, EmbeddingError, ModelError: a part failed.
        """


@dataclass(frozen=True, slots=True)
class GoldPattern:
    """Matches the pattern that the data gives: linking and search alone."""

    wording: Wording = "names"
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, session: Session, question: Question) -> Outcome:
        """See `System`."""
        if question.pattern is None:
            raise ConfigurationError(f"{question.id} has no gold pattern")
        pattern = reword(question.pattern, self.wording, f"{self.seed} {question.id}")
        return of_result(question, session.match(pattern, **self.options))


@dataclass(frozen=True, slots=True)
class Asked:
    """Asks the question. A refused answer scores nothing, however near it came."""

    interpreter: str = "schema"
    retriever: str = "pattern"
    topics: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, session: Session, question: Question) -> Outcome:
        """See `System`."""
        started, before = perf_counter(), used(session)
        given = question.topics if self.topics and question.topics else None
        try:
            answer = session.ask(
                question.text, interpreter=self.interpreter, topics=given, **self.options
            )
        except InterpretationError as error:
            took = {"total": (perf_counter() - started) * 1e3}
            return Outcome(question, took, usage=used(session) - before, error=str(error))
        outcome = of_result(question, answer.result)
        triples, tokens = evidence_of(answer)
        found = outcome.found
        if not answer.supported:
            found = ()
        elif answer.source == "model":
            found = (tuple(node.name for node in answer.answers),)
        return replace(
            outcome,
            found=found,
            reading_score=answer.reading.score if answer.reading else None,
            triples=tuple(triples),
            tokens=tokens,
            usage=used(session) - before,
            refused=not answer.supported,
        )


@dataclass(frozen=True, slots=True)
class NoRetrieval:
    """Asks a language model, and gives it nothing but the question."""

    def __call__(self, session: Session, question: Question) -> Outcome:
        """See `System`."""
        model = model_of(session)
        started, before = perf_counter(), model.usage
        said = model.complete(
            [
                {"role": "system", "content": prompt("isomatch.evaluate", "none.j2")},
                {"role": "user", "content": f"Question: {' '.join(question.text.split())}"},
            ]
        )
        took = (perf_counter() - started) * 1e3
        found = answer_lines(said)
        return Outcome(
            question,
            {"answer": took, "total": took},
            found=(found,),
            usage=model.usage - before,
            refused=not found,
        )


def answer_lines(said: str) -> tuple[str, ...]:
    """The answers on the lines that begin with ``ans:``; none where they are unknown.

    Example:
        >>> answer_lines("I think so:\\nans: Lisbon\\nAns: Porto")
        ('Lisbon', 'Porto')
    """
    lines = (line.strip().lstrip("-* ") for line in said.splitlines())
    found = (line[len(ANSWER) :].strip() for line in lines if line.casefold().startswith(ANSWER))
    names = (name.rstrip(".") for name in found)
    return tuple(dict.fromkeys(n for n in names if n and n.casefold() != UNKNOWN))


def used(session: Session) -> Usage:
    """What the session's language model has been sent and has written so far."""
    return Usage() if session.model is None else session.model.usage
