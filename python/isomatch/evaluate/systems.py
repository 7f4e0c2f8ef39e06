"""What is measured: something that makes an outcome of a question, over a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Protocol

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.evaluate.outcome import Outcome, of_answer, of_result
from isomatch.evaluate.retrieval import CUTS
from isomatch.evaluate.text_to_query import model_of
from isomatch.evaluate.wording import Wording, reword
from isomatch.llm import Usage, prompt
from isomatch.pipeline import StageTimer
from isomatch.questions.datasets import Question
from isomatch.retrieve.triples import TRIPLES
from isomatch.retrieve.types import Retrieved
from isomatch.session import Session
from isomatch.triples.ranking import TripleRanker, open_ranker

ANSWER = "ans:"
UNKNOWN = "unknown"
READINGS = 3  # whose chains count for chain hit@3
MOST_TRIPLES = CUTS[-1]


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
    """Asks the question. A refused answer scores nothing, however near it came.

    Attributes:
        interpreter, retriever: see `Session.ask`.
        topics: whether to tell the question's topics.
        options: of the search.
    """

    interpreter: str = "schema"
    retriever: str = "pattern"
    topics: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, session: Session, question: Question) -> Outcome:
        """See `System`."""
        before, timer = used(session), StageTimer()
        told = told_topics(question, self.topics)
        if self.retriever == "fused":
            untimed(session.triple_ranker)
        try:
            trace = session.pipeline.trace(
                question.text,
                interpreter=self.interpreter,
                retriever=self.retriever,
                topics=told,
                options=self.options,
                timer=timer,
            )
        except InterpretationError as error:
            spent = used(session) - before
            return Outcome(question, timer.stages(), usage=spent, error=str(error), unread=True)
        answer = trace.answer
        others = [h.pattern for h in trace.hypotheses[:READINGS] if h != answer.hypothesis]
        outcome = of_answer(question, answer, trace.retrieved, others)
        return replace(outcome, usage=used(session) - before)


@dataclass(slots=True)
class Ranked:
    """Ranks the triples around the topics; a language model, if one is set, reads them.

    Attributes:
        ranker: one of `isomatch.triples.ranking.RANKERS`.
        topics: whether to tell the question's topics.
    """

    ranker: str
    topics: bool = False
    _opened: tuple[Session, TripleRanker] | None = None

    def __call__(self, session: Session, question: Question) -> Outcome:
        """See `System`."""
        ranker = self._of(session)
        before, timer = used(session), StageTimer()
        told = told_topics(question, self.topics)
        try:
            scored = session.pipeline.retriever.score_triples(
                question.text, told, MOST_TRIPLES, ranker
            )
        except InterpretationError as error:
            nothing = None if session.model is None else ()
            return Outcome(question, timer.stages(), found=nothing, error=str(error))
        timer.lap("retrieve")
        found = Retrieved(
            "triples", (), scored.triples[:TRIPLES], frozenset(scored.topics), scored.notes
        )
        answer = timer.finish(session.pipeline.answerer.answer(question.text, found))
        outcome = of_answer(question, answer, found, ())
        if session.model is None:
            outcome = replace(outcome, found=None, refused=False)
        return replace(
            outcome,
            triples=tuple(one.triple for one in scored.triples),
            shown=outcome.triples,
            usage=used(session) - before,
        )

    def _of(self, session: Session) -> TripleRanker:
        if self._opened is None or self._opened[0] is not session:
            if self.ranker == "triples":
                ranker = session.triple_ranker
            elif self.ranker == "one-hop":  # and nothing farther, whatever K is
                ranker = open_ranker(self.ranker, session.resources, hops=1)
            else:
                ranker = open_ranker(self.ranker, session.resources)
            self._opened = session, untimed(ranker)
        return self._opened[1]


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


def told_topics(question: Question, tell: bool) -> tuple[str, ...] | None:
    """What an interpreter is told; None where it has to find them."""
    return question.topics if tell and question.topics else None


def untimed(ranker: TripleRanker) -> TripleRanker:
    """The ranker without a clock, so that the same seed gives the same neighbourhoods."""
    ranker.around = replace(ranker.around, seconds=None)
    return ranker


def used(session: Session) -> Usage:
    """What the session's language model has been sent and has written so far."""
    return Usage() if session.model is None else session.model.usage
