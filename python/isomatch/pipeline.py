"""Interpret → retrieve → answer: the way of every question, for all who ask one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.flows import Blocking, Flow, Stage, run
from isomatch.interpret.registry import choose
from isomatch.interpret.types import Coverage, FlowInterpreter, SnapshotInterpreter, Span
from isomatch.lexicon.folding import fold
from isomatch.options import OPEN_FORMS, interpreter_name, retriever_name
from isomatch.pattern.scanner import quote
from isomatch.pattern.text import format_text
from isomatch.retrieve.retriever import Retriever
from isomatch.retrieve.types import Acceptance

if TYPE_CHECKING:
    from isomatch.answer.answerer import Answerer
    from isomatch.answer.types import Answer
    from isomatch.interpret.types import Hypothesis
    from isomatch.lexicon.mentions import MentionFinder
    from isomatch.resources import Resources
    from isomatch.retrieve.types import Retrieved
    from isomatch.store.base import Store
    from isomatch.triples.ranking import TripleRanker


class StageTimer:
    """Milliseconds of each stage, from when it was made."""

    def __init__(self) -> None:
        self._started = self._last = perf_counter()
        self._stages: dict[str, float] = {}

    def lap(self, stage: str | None = None) -> None:
        """End a stretch; count it as a stage's, or as nobody's."""
        now = perf_counter()
        if stage:
            self._stages[stage] = (now - self._last) * 1e3
        self._last = now

    def stages(self) -> dict[str, float]:
        """The stages so far, and the time in all (``total``)."""
        return {**self._stages, "total": (perf_counter() - self._started) * 1e3}

    def finish(self, answer: Answer) -> Answer:
        """End the stage ``answer``; the answer with all times, also in its result's profile."""
        self.lap("answer")
        result = answer.result
        total = (self._last - self._started) * 1e3
        matched = {} if result is None else result.profile.stages
        stages = {**matched, **self._stages, "total": total}
        if result is not None:
            result = replace(result, profile=replace(result.profile, stages=stages))
        return replace(answer, result=result, stages=stages)


@dataclass(frozen=True, slots=True)
class Trace:
    """An answer, and what led to it.

    Attributes:
        hypotheses: all of the interpreter's, best first.
        retrieved: what the answer was made of.
    """

    answer: Answer
    hypotheses: tuple[Hypothesis, ...]
    retrieved: Retrieved


class Pipeline:
    """Answers questions over one graph.

    The methods that are flows run blocking or on an event loop, see `isomatch.flows`.

    Args:
        resources: the graph, its index, words and models.
    """

    def __init__(self, resources: Resources):
        self.resources = resources
        settings = resources.settings
        self.acceptance = Acceptance(
            least_score=settings.least_score, whole=settings.left_out_words == "refuse"
        )
        self.retriever = Retriever(resources, lambda: self.triple_ranker, self.acceptance)

    @property
    def triple_ranker(self) -> TripleRanker:
        """The scorer of triples that a training run made.

        Raises:
            ArtifactError: there is none, or it does not fit graph or embedder.
        """
        from isomatch.triples.rankers import ScorerRanker

        return self.resources.derived(
            "triple_ranker",
            lambda: ScorerRanker(self.resources, self.resources.settings.triples_folder),
        )

    @property
    def answerer(self) -> Answerer:
        """What makes answers of evidence."""
        from isomatch.answer.answerer import Answerer, Wording

        settings = self.resources.settings
        return Answerer(
            self.resources.llm,
            budget_tokens=settings.evidence_tokens,
            acceptance=self.acceptance,
            answer_first=settings.answer_first,
            wording=Wording.of(self.resources),
            unsupported=settings.unsupported,
        )

    def interpret(
        self, question: str, interpreter: str = "auto", topics: Sequence[str] | None = None
    ) -> Flow[tuple[Hypothesis, ...]]:
        """The hypotheses of a question; see `isomatch.Session.interpret`."""
        _check_topics(topics)
        hypotheses, _ = yield from self._read(question, interpreter, topics)
        return hypotheses

    def _read(
        self, question: str, interpreter: str, topics: Sequence[str] | None
    ) -> Flow[tuple[tuple[Hypothesis, ...], Store | None]]:
        """The hypotheses, and the state of the graph that they were read from."""
        choice = yield Blocking(partial(choose, self.resources, interpreter))
        if not self.resources.schema.relations:
            raise InterpretationError("the graph has no facts to answer from")
        if isinstance(choice.interpreter, FlowInterpreter):
            hypotheses = yield from choice.interpreter.flow(question, topics)
        else:
            hypotheses = yield Blocking(partial(choice.interpreter.interpret, question, topics))
        if choice.interpreter.name != "given":
            hypotheses = yield Blocking(partial(self._covered, question, topics, hypotheses))
        if choice.note:
            hypotheses = tuple(replace(h, notes=(choice.note, *h.notes)) for h in hypotheses)
        read = choice.interpreter
        return hypotheses, read.snapshot if isinstance(read, SnapshotInterpreter) else None

    def _covered(
        self, question: str, topics: Sequence[str] | None, hypotheses: Sequence[Hypothesis]
    ) -> tuple[Hypothesis, ...]:
        """The hypotheses, each with the words that it accounts for."""
        from isomatch.interpret.coverage.reader import CoverageReader
        from isomatch.interpret.llm.clauses import with_clauses
        from isomatch.interpret.llm.reply import without_kinds
        from isomatch.interpret.rewording import rephrased

        resources = self.resources
        reader = resources.derived(
            "coverage",
            lambda: CoverageReader(resources.schema, resources.lexicon, resources.word_embedder),
        )
        finder = resources.mentions
        mentions = () if topics is None else finder.given(question, topics)
        if all(m.start < m.end for m in mentions):  # else another name may stand for a topic
            mentions = (*mentions, *finder.find(question))
        lexicon = resources.lexicon
        plain = rephrased(question, lexicon.language, lexicon.called())
        read = reader.read(plain, mentions, hypotheses)
        unwritten = _unwritten(question, topics or (), finder)
        read = [_about(question, h, unwritten) for h in read] if unwritten else read
        # What is composed of a question's words says itself what its clauses stand for.
        language, models = resources.lexicon.language, ("llm", "programs")
        read = [with_clauses(question, h, language) if h.source in models else h for h in read]
        kinds = partial(without_kinds, schema=resources.schema)
        return tuple(replace(h, pattern=kinds(h.pattern)) if h.source == "llm" else h for h in read)

    def ask(
        self,
        question: str,
        *,
        interpreter: str = "auto",
        retriever: str = "pattern",
        topics: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
        streamed: bool = False,
        timer: StageTimer | None = None,
    ) -> Flow[Trace]:
        """The answer to a question, and what led to it; see `isomatch.Session.ask`.

        Args:
            streamed: give the text in pieces as a language model writes it.
            timer: tells the times also where an error ends the flow; None for a new one.
        """
        timer = timer or StageTimer()
        interpreter_name(interpreter)
        _check_topics(topics)
        hypotheses: tuple[Hypothesis, ...] = ()
        store: Store | None = None
        if retriever_name(retriever) not in ("triples", *OPEN_FORMS):
            hypotheses, store = yield from self._read(question, interpreter, topics)
            yield Stage("understood", hypotheses)
        timer.lap("interpret")
        retrieved = yield Blocking(
            partial(
                self.retriever.retrieve, retriever, question, hypotheses, topics, options, store
            )
        )
        timer.lap("retrieve" if retrieved.triples or retrieved.selection else None)
        answer = yield from self.answerer.flow(question, retrieved, streamed=streamed)
        return Trace(timer.finish(answer), hypotheses, retrieved)

    def trace(self, question: str, **arguments: Any) -> Trace:
        """`ask`, run on this thread."""
        return run(self.ask(question, **arguments))


def _check_topics(topics: Any) -> None:
    if isinstance(topics, str) or not all(isinstance(topic, str) for topic in topics or ()):
        raise ConfigurationError(f"topics must be a list of names, not {topics!r}")


def _unwritten(
    question: str, topics: Sequence[str], finder: MentionFinder
) -> dict[str, tuple[str, ...]]:
    """The topics that a question does not name, each with the names that it may be meant for."""
    meant = {topic: finder.given(question, [topic]) for topic in topics}
    return {
        topic: (topic, *(m.text for m in mentions))
        for topic, mentions in meant.items()
        if mentions and all(m.start == m.end for m in mentions)
    }


def _about(
    question: str, hypothesis: Hypothesis, unwritten: Mapping[str, Sequence[str]]
) -> Hypothesis:
    """The hypothesis; topics that its pattern does not name either are left out of it.

    Args:
        unwritten: see `_unwritten`.
    """
    written, end = fold(format_text(hypothesis.pattern)), len(question)
    missing = [
        Span(end, end, topic, "name")
        for topic, names in unwritten.items()
        if not any(fold(quote(name)) in written for name in names)
    ]
    if not missing:
        return hypothesis
    coverage = hypothesis.coverage or Coverage()
    left_out = (*coverage.left_out, *missing)
    return replace(hypothesis, coverage=replace(coverage, left_out=left_out))
