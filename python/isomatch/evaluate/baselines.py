"""Baselines over the same store: ranked triples, and a language model without retrieval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.evaluate.metrics import CUTS
from isomatch.evaluate.outcome import Outcome, answer_outcome
from isomatch.llm import ChatModel, Usage, prompt
from isomatch.pipeline import StageTimer
from isomatch.questions.datasets import Question
from isomatch.retrieve.triples import TRIPLES
from isomatch.retrieve.types import Retrieved
from isomatch.triples.rankers import open_ranker
from isomatch.triples.ranking import TripleRanker

if TYPE_CHECKING:
    from isomatch.session import Session

ANSWER = "ans:"
UNKNOWN = "unknown"
MOST_TRIPLES = CUTS[-1]


@dataclass(slots=True)
class RankedTriples:
    """Rank the triples around the topics; a language model, if configured, reads them.

    Attributes:
        ranker: one of `isomatch.triples.rankers.RANKERS`, or ``triples`` for the
            trained one.
        topics_given: whether to pass the question's topics.
    """

    ranker: str
    topics_given: bool = False
    _opened: tuple[Session, TripleRanker] | None = None

    def __call__(self, session: Session, question: Question) -> Outcome:
        """See `isomatch.evaluate.systems.System`."""
        ranker = self._ranker(session)
        before, timer = usage_of(session), StageTimer()
        topics = given_topics(question, self.topics_given)
        try:
            scored = session.pipeline.retriever.score_triples(
                question.text, topics, MOST_TRIPLES, ranker
            )
        except InterpretationError as error:
            found = None if session.model is None else ()
            return Outcome(question, timer.stages(), found=found, error=str(error))
        timer.lap("retrieve")
        retrieved = Retrieved(
            "triples", (), scored.triples[:TRIPLES], frozenset(scored.topics), scored.notes
        )
        answer = timer.finish(session.pipeline.answerer.answer(question.text, retrieved))
        outcome = answer_outcome(question, answer, retrieved, ())
        if session.model is None:
            outcome = replace(outcome, found=None, refused=False)
        return replace(
            outcome,
            triples=tuple(one.triple for one in scored.triples),
            shown=outcome.triples,
            usage=usage_of(session) - before,
        )

    def _ranker(self, session: Session) -> TripleRanker:
        if self._opened is None or self._opened[0] is not session:
            if self.ranker == "triples":
                ranker = session.triple_ranker
            elif self.ranker == "one-hop":  # nothing farther, whatever K is
                ranker = open_ranker(self.ranker, session.resources, hops=1)
            else:
                ranker = open_ranker(self.ranker, session.resources)
            self._opened = session, without_time_limit(ranker)
        return self._opened[1]


@dataclass(frozen=True, slots=True)
class NoRetrieval:
    """Ask a language model the question, without any evidence."""

    def __call__(self, session: Session, question: Question) -> Outcome:
        """See `isomatch.evaluate.systems.System`."""
        model = model_of(session)
        started, before = perf_counter(), model.usage
        reply = ask_model(model, prompt("isomatch.evaluate", "none.j2"), question)
        elapsed = (perf_counter() - started) * 1e3
        found = answer_lines(reply)
        return Outcome(
            question,
            {"answer": elapsed, "total": elapsed},
            found=(found,),
            usage=model.usage - before,
            refused=not found,
        )


def answer_lines(reply: str) -> tuple[str, ...]:
    """The answers on the lines that begin with ``ans:``; none where they are unknown.

    Example:
        >>> answer_lines("I think so:\\nans: Lisbon\\nAns: Porto")
        ('Lisbon', 'Porto')
    """
    lines = (line.strip().lstrip("-* ") for line in reply.splitlines())
    found = (line[len(ANSWER) :].strip() for line in lines if line.casefold().startswith(ANSWER))
    names = (name.rstrip(".") for name in found)
    return tuple(dict.fromkeys(n for n in names if n and n.casefold() != UNKNOWN))


def model_of(session: Session) -> ChatModel:
    """The session's language model.

    Raises:
        ConfigurationError: none is configured.
    """
    if session.model is None:
        raise ConfigurationError(
            "this baseline asks a language model: set ISOMATCH_MODEL and OPENAI_BASE_URL"
        )
    return session.model


def ask_model(model: ChatModel, instructions: str, question: Question) -> str:
    """The model's reply to a question, after the instructions of a prompt."""
    return model.complete(
        [
            {"role": "system", "content": instructions},
            {"role": "user", "content": f"Question: {' '.join(question.text.split())}"},
        ]
    )


def given_topics(question: Question, given: bool) -> tuple[str, ...] | None:
    """The question's topics, if they are given; None where they have to be found."""
    return question.topics if given and question.topics else None


def without_time_limit(ranker: TripleRanker) -> TripleRanker:
    """The ranker without a time limit, so that the same seed gives the same triples."""
    ranker.around = replace(ranker.around, seconds=None)
    return ranker


def usage_of(session: Session) -> Usage:
    """The tokens that the session's language model has used so far."""
    return Usage() if session.model is None else session.model.usage
