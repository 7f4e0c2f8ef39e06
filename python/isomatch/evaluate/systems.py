"""What an evaluation measures: a system makes an outcome of a question, over a session.

The baselines are ranked triples, a language model without retrieval, and ``text-to-query``.
That is the only place where a model's text is run as a query, and only
``isomatch eval --baseline text-to-query`` uses it. `isomatch.evaluate.readonly` says
what is refused.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from isomatch.errors import ConfigurationError, InterpretationError, StoreError
from isomatch.evaluate.gold import cell_names
from isomatch.evaluate.metrics import CUTS
from isomatch.evaluate.outcome import Outcome, answer_outcome, match_outcome
from isomatch.evaluate.readonly import LIMIT, check_plan, checked
from isomatch.llm import ChatModel, Usage, prompt
from isomatch.options import OPEN_FORMS, Baseline, Topics, Wording
from isomatch.pattern.types import Pattern
from isomatch.pipeline import StageTimer
from isomatch.questions.datasets import Question
from isomatch.retrieve.retriever import TRIPLES
from isomatch.retrieve.types import Retrieved
from isomatch.schema.types import Schema
from isomatch.store.base import Query
from isomatch.store.capabilities import StoreCapabilities
from isomatch.triples.rankers import open_ranker
from isomatch.triples.ranking import TripleRanker

if TYPE_CHECKING:
    from isomatch.evaluate.config import EvalConfig
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


SECONDS = 10.0
_RELATIONS = 100  # in the prompt, the most frequent
_TYPES = 3  # in the prompt, for each end of a relation


@dataclass(frozen=True, slots=True)
class TextToQuery:
    """Answer questions by queries that the language model writes, each with a time limit."""

    seconds: float = SECONDS

    def __call__(self, session: Session, question: Question) -> Outcome:
        """The result of the query; one that is refused or fails gives no answers.

        Raises:
            ConfigurationError: no language model is configured.
            ModelError: its endpoint failed.
        """
        model = model_of(session)
        before, started = model.usage, perf_counter()
        instructions = schema_prompt(session.schema, session.store.capabilities)
        query = query_of(ask_model(model, instructions, question))
        written = perf_counter()
        found: tuple[str, ...] = ()
        error = None
        try:
            found = answers(session, query, self.seconds)
        except StoreError as failure:
            error = str(failure)
        ended = perf_counter()
        stages = {
            "interpret": (written - started) * 1e3,
            "execute": (ended - written) * 1e3,
            "total": (ended - started) * 1e3,
        }
        usage = model.usage - before
        return Outcome(question, stages, found=(found,), usage=usage, query=query, error=error)


def answers(session: Session, query: str, seconds: float) -> tuple[str, ...]:
    """Run a model's query, and return the names of what it selects as ``answer``.

    Raises:
        QueryRefused: it may do more than read.
        StoreError: the database refused it, failed, or took too long.
    """
    store = session.store
    text = checked(query, store.capabilities.language)
    check_plan(store, text, seconds)
    select = Query(text, ("answer",), name="text-to-query", heavy=True)
    rows = islice(store.run(select, timeout=seconds), LIMIT)
    cells = dict.fromkeys(cell for (cell,) in rows if cell is not None)
    return tuple(dict.fromkeys(cell_names(session, list(cells))))


def query_of(reply: str) -> str:
    """The query in a model's reply: its first block of code, else the whole reply.

    Example:
        >>> query_of("Here it is:\\n```cypher\\nMATCH (n) RETURN n\\n```")
        'MATCH (n) RETURN n'
    """
    block = re.search(r"```[ \t]*\w*[ \t]*\n?(.*?)```", reply, re.DOTALL)
    return (block[1] if block else reply).strip()


def schema_prompt(schema: Schema, capabilities: StoreCapabilities) -> str:
    """The instructions for the model: the graph's schema and the task."""
    # A label of Cypher is written as its id, a class of RDF is known by its name.
    words = {t.id: t.id if capabilities.property_graph else t.text for t in schema.types}

    def types(counts: Any) -> str:
        most = sorted(counts, key=lambda id: -counts[id])[:_TYPES]
        return ", ".join(words.get(id, id) for id in most)

    relations = [
        {
            "id": relation.id,
            "text": relation.text,
            "sources": types(relation.source_types),
            "targets": types({**relation.target_types, **relation.literal_kinds}),
        }
        for relation in schema.relations[:_RELATIONS]
    ]
    return prompt(
        "isomatch.evaluate",
        f"{capabilities.language}.j2",
        relations=relations,
        names=sorted(schema.names.items()),
        type_relation=schema.type_relation,
        name_relation=next(iter(schema.name_relations), None),
        languages=any(schema.languages),
    )


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
        if self.retriever in OPEN_FORMS and session.model is None:  # evidence alone is no answer
            outcome = replace(outcome, found=None, refused=False)
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
