"""The judge: metrics of one answer, with every verdict and its reason."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

from isomatch.errors import ConfigurationError, EmptyReferenceError
from isomatch.flows import Flow, arun, run
from isomatch.judge.facts import Passages, check, fact_score, stated, take_apart, without_facts
from isomatch.judge.log import VerdictLog, key_of
from isomatch.judge.rules import RULE_SCORES, SEARCHES, rate, safe_score
from isomatch.judge.search import Search
from isomatch.judge.types import (
    CHECKS,
    CRITERIA,
    METRICS,
    MODEL_METRICS,
    RULES,
    Case,
    Judged,
    Scored,
    Verdict,
)
from isomatch.llm import ChatModel, Usage

_FACTS = "facts"  # what an answer was taken apart into is kept like a metric's verdicts


class Judge:
    """Judges answers on some metrics, one answer at a time.

    Args:
        model: reads and rates; None for the metrics that need none.
        metrics: of `isomatch.judge.types.METRICS`; None for all that can be had.
        search: what ``safe`` checks facts with, see `isomatch.judge.search`.
        log: keeps verdicts; what it has is not asked again. None keeps those of this
            judge in memory.
        searches: most of one fact for ``safe``.

    Raises:
        ConfigurationError: an unknown metric, or one that needs a model or a search that
            was not given.

    Example:
        >>> judge = Judge(metrics=["name_recall"])
        >>> judge.judge("Who made Heat?", "Michael Mann did.", right=["Michael Mann"]).scores
        {'name_recall': 1.0}
    """

    def __init__(
        self,
        model: ChatModel | None = None,
        metrics: Sequence[str] | None = None,
        *,
        search: Search | None = None,
        log: VerdictLog | None = None,
        searches: int = SEARCHES,
    ):
        if metrics is None:
            metrics = [m for m in METRICS if m in RULES or model is not None]
            metrics = [m for m in metrics if m != "safe" or search is not None]
        self.model = model
        self.metrics = tuple(m for m in METRICS if m in metrics)
        self.search = search
        self.log = log if log is not None else VerdictLog()
        self.searches = searches
        self._check(metrics)

    def _check(self, metrics: Sequence[str]) -> None:
        if not metrics:
            raise ConfigurationError(f"name a metric to judge by: {', '.join(METRICS)}")
        if unknown := [m for m in metrics if m not in METRICS]:
            raise ConfigurationError(f"no metric {unknown[0]!r}: those are {', '.join(METRICS)}")
        asking = [m for m in self.metrics if m in MODEL_METRICS]
        if asking and self.model is None:
            raise ConfigurationError(
                f"{asking[0]} needs a language model as judge: set ISOMATCH_MODEL; "
                f"without one there are {', '.join(RULES)}"
            )
        if "safe" in self.metrics and self.search is None:
            raise ConfigurationError(
                "safe checks facts by a search, and none was given: search the graph or texts"
            )
        if self.search is not None and not hasattr(self.search, "name"):
            raise ConfigurationError(
                "a search needs a name that tells it from others: verdicts are kept under it"
            )
        if self.searches < 1:
            raise ConfigurationError(f"a fact needs at least 1 search, not {self.searches}")

    def judge(
        self,
        question: str,
        answer: str,
        context: Sequence[str] = (),
        reference: Sequence[str] = (),
        *,
        right: Sequence[str] = (),
        given: Sequence[str] | None = None,
    ) -> Judged:
        """What the metrics say of an answer.

        Args:
            question, answer, context, reference, right, given: see `Case`.

        Raises:
            EmptyReferenceError: ``factscore`` has no reference to check facts against.
            ModelError: the judge's endpoint failed; what it had said is kept.
            IsomatchError: the search failed.
        """
        return run(self.flow(_case(question, answer, context, reference, right, given)))

    async def ajudge(
        self,
        question: str,
        answer: str,
        context: Sequence[str] = (),
        reference: Sequence[str] = (),
        *,
        right: Sequence[str] = (),
        given: Sequence[str] | None = None,
        executor: Executor | None = None,
    ) -> Judged:
        """`judge`, without blocking.

        Args:
            executor: gives the threads of the search; None for those of the loop.
        """
        case = _case(question, answer, context, reference, right, given)
        return await arun(self.flow(case), executor)

    def flow(self, case: Case) -> Flow[Judged]:
        """The work of `judge`, for the functions of `isomatch.flows`."""
        if "factscore" in self.metrics and not any(text.strip() for text in case.reference):
            raise EmptyReferenceError(
                f"there is no reference to check the answer to {case.question!r} against: give "
                "facts of the graph, descriptions or texts, or leave out factscore"
            )
        scores: dict[str, float | None] = {}
        verdicts: list[Verdict] = []
        usage = Usage()
        facts = Scored(None, ())
        if any(metric in CHECKS for metric in self.metrics):
            facts = yield from self.kept(case, _FACTS, (), self._take_apart(case))
            usage += facts.usage
        for metric in self.metrics:
            looked_at = self._looked_at(metric, case)
            scored = yield from self.kept(
                case, metric, looked_at, self._scored(metric, case, facts)
            )
            scores[metric] = scored.score
            verdicts += scored.verdicts
            usage += scored.usage
        model = self.model.model if self.model is not None else None
        return Judged(case.question, case.answer, scores, tuple(verdicts), usage, model)

    def check(self, fact: str, reference: Sequence[str]) -> Verdict:
        """Whether a reference carries a fact, as ``factscore`` asks it.

        Raises:
            EmptyReferenceError: the reference is empty.
            ConfigurationError: the judge has no model.
            ModelError: its endpoint failed.
        """
        return run(self.check_flow(fact, reference)).verdicts[0]

    def check_flow(self, fact: str, reference: Sequence[str]) -> Flow[Scored]:
        """The work of `check`, with its one verdict and its cost; kept like those of answers."""
        if not any(text.strip() for text in reference):
            raise EmptyReferenceError(f"there is no reference to check {fact!r} against")
        if self.model is None:
            raise ConfigurationError("a fact is checked by a language model: set ISOMATCH_MODEL")
        case = Case("", fact, reference=tuple(reference))
        return (yield from self.kept(case, "check", (case.reference,), self._checked(case)))

    def kept(
        self, case: Case, metric: str, looked_at: Sequence[Any], work: Flow[Scored]
    ) -> Flow[Scored]:
        """The verdicts of the log, else those of some work, which are then kept."""
        by_model = self.model if metric not in RULES else None
        name = by_model.model if by_model is not None else None
        key = key_of(case.question, case.answer, metric, name, *looked_at)
        if (known := self.log.get(key)) is not None:
            work.close()
            return known
        before = by_model.usage if by_model is not None else Usage()
        found = yield from work
        after = by_model.usage if by_model is not None else Usage()
        scored = Scored(found.score, found.verdicts, after - before)
        about = {"question": case.question, "answer": case.answer, "metric": metric, "model": name}
        self.log.add(key, about, scored)
        return scored

    def _looked_at(self, metric: str, case: Case) -> tuple[Any, ...]:
        if metric == "factscore":
            return (case.reference,)
        if metric == "safe":
            assert self.search is not None
            return (self.search.name, self.searches)
        if metric in CRITERIA:
            return (_known(case),)
        return (case.context, case.right, case.given)

    def _take_apart(self, case: Case) -> Flow[Scored]:
        assert self.model is not None
        return (yield from take_apart(self.model, case.question, case.answer))

    def _checked(self, case: Case) -> Flow[Scored]:
        assert self.model is not None
        passages = Passages(case.reference).near(case.answer)
        verdict = yield from check(self.model, case.answer, passages, "check")
        return Scored(None, (verdict,))

    def _scored(self, metric: str, case: Case, taken_apart: Scored) -> Flow[Scored]:
        if metric in RULES:
            return RULE_SCORES[metric](case)
        assert self.model is not None
        if metric in CRITERIA:
            work = rate(self.model, metric, case.question, case.answer, _known(case))
            return (yield from work)
        facts = stated(taken_apart, metric)
        if not facts.facts and not facts.invalid:
            return without_facts(metric, case.answer)
        if metric == "factscore":
            return (yield from fact_score(self.model, facts, case.reference))
        assert self.search is not None
        work = safe_score(self.model, case.question, facts, self.search, self.searches)
        return (yield from work)


def _known(case: Case) -> tuple[str, ...]:
    """What a rating is given beside the answer: the reference, else what it was written from.

    OKGQA gives every system's judge the same pages, also where a system had no evidence.
    """
    reference = tuple(text for text in case.reference if text.strip())
    return reference or case.context


def _case(
    question: str,
    answer: str,
    context: Sequence[str],
    reference: Sequence[str],
    right: Sequence[str],
    given: Sequence[str] | None,
) -> Case:
    """The case; a text in the place of several would be read letter by letter."""
    for key, value in (("context", context), ("reference", reference), ("right", right)):
        if isinstance(value, str):
            raise ConfigurationError(f"{key} is a list of texts, not one text")
    names = None if given is None else tuple(given)
    return Case(question, answer, tuple(context), tuple(reference), tuple(right), names)
