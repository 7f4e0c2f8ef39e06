"""What an evaluation measures: a system makes an outcome of a question, over a session."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.evaluate.baselines import (
    NoRetrieval,
    RankedTriples,
    TextToQuery,
    given_topics,
    usage_of,
    without_time_limit,
)
from isomatch.evaluate.choices import Baseline, Topics, Wording
from isomatch.evaluate.outcome import Outcome, answer_outcome, match_outcome
from isomatch.pattern.types import Pattern
from isomatch.pipeline import StageTimer
from isomatch.questions.datasets import Question

if TYPE_CHECKING:
    from isomatch.evaluate.config import EvalConfig
    from isomatch.session import Session

HYPOTHESES = 3  # whose chains count for chain hit@3


class System(Protocol):
    """Answers a question, or retrieves for it."""

    def __call__(self, session: Session, question: Question) -> Outcome:
        """The outcome of the question, with errors that concern this question alone.

        Raises:
            StoreError, VectorIndexError, EmbeddingError, ModelError: a part failed.
        """


@dataclass(frozen=True, slots=True)
class GoldPattern:
    """Match the pattern that the data gives, perhaps reworded: linking and search alone."""

    wording: Wording = "names"
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, session: Session, question: Question) -> Outcome:
        if question.pattern is None:
            raise ConfigurationError(f"{question.id} has no gold pattern")
        pattern = reword(question.pattern, self.wording, f"{self.seed} {question.id}")
        return match_outcome(question, session.match(pattern, **self.options))


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """Ask the question as `Session.ask` does. A refused answer scores 0."""

    interpreter: str = "schema"
    retriever: str = "pattern"
    topics_given: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, session: Session, question: Question) -> Outcome:
        before, timer = usage_of(session), StageTimer()
        if self.retriever == "fused":
            without_time_limit(session.triple_ranker)
        try:
            trace = session.pipeline.trace(
                question.text,
                interpreter=self.interpreter,
                retriever=self.retriever,
                topics=given_topics(question, self.topics_given),
                options=self.options,
                timer=timer,
            )
        except InterpretationError as error:
            usage = usage_of(session) - before
            return Outcome(
                question, timer.stages(), usage=usage, error=str(error), uninterpreted=True
            )
        best = trace.answer.hypothesis
        others = [h.pattern for h in trace.hypotheses[:HYPOTHESES] if h != best]
        outcome = answer_outcome(question, trace.answer, trace.retrieved, others)
        return replace(outcome, usage=usage_of(session) - before)


def make_system(config: EvalConfig) -> System:
    """The system that a configuration describes."""
    topics_given = config.topics is Topics.GIVEN
    if config.baseline is not None:
        return make_baseline(config.baseline, topics_given=topics_given)
    if config.uses_gold:
        return GoldPattern(config.wording, config.seed, config.options)
    if config.retriever == "triples":
        return RankedTriples("triples", topics_given)
    return AskedQuestion(config.interpreter, config.retriever, topics_given, config.options)


def make_baseline(baseline: Baseline, *, topics_given: bool) -> System:
    """A baseline, with the question's topics passed to it or not."""
    if baseline is Baseline.NONE:
        return NoRetrieval()
    if baseline is Baseline.TEXT_TO_QUERY:
        return TextToQuery()
    return RankedTriples(baseline.value, topics_given)


def reword(pattern: Pattern, wording: Wording, seed: str) -> Pattern:
    """The pattern in another wording.

    Args:
        wording: ``names`` changes nothing; ``unknown relation`` removes the words
            of one relation, which the seed chooses; a mapping replaces the words of its
            relations.

    Raises:
        ConfigurationError: an unknown wording.
    """
    if wording == "names":
        return pattern
    edges = list(pattern.edges)
    if wording == "unknown relation":
        place = random.Random(seed).randrange(len(edges))  # noqa: S311 - repeatable, not secret
        edges[place] = replace(edges[place], relation=None)
    elif isinstance(wording, Mapping):
        edges = [replace(e, relation=wording.get(e.relation or "", e.relation)) for e in edges]
    else:
        raise ConfigurationError(
            f"wording must be 'names', 'unknown relation' or a mapping, not {wording!r}"
        )
    return replace(pattern, edges=tuple(edges))
