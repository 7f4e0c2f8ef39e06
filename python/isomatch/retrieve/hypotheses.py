"""Matches of the hypotheses of a question: the first that can answer, and its rivals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError
from isomatch.match.types import Choice
from isomatch.options import Options
from isomatch.retrieve.patterns import match_once, with_notes
from isomatch.retrieve.types import is_exact
from isomatch.store.terms import is_literal

if TYPE_CHECKING:
    from isomatch.interpret.types import Hypothesis
    from isomatch.link.candidates import Candidates
    from isomatch.match.types import MatchResult
    from isomatch.pattern.types import Pattern
    from isomatch.resources import Resources
    from isomatch.retrieve.patterns import Matched
    from isomatch.retrieve.types import Acceptance
    from isomatch.store.base import Store

TIE = 1e-6  # of scores
SHOWN = 1.0  # seconds of search for a reading that may not answer
EMPTY = 0.3
"""What a trained program counts that has no answer: of the most probable ones, 5 in 100 that were
right had none, and a third of those that were wrong (ZOGRASCOPE, templates held back)."""
_NEAR = 0.01  # of scores: no "no" is told where a reading that is nearly as likely says "yes"


def match_hypotheses(
    resources: Resources,
    hypotheses: Sequence[Hypothesis],
    options: Mapping[str, Any],
    acceptance: Acceptance,
    most: int = 1,
    store: Store | None = None,
) -> tuple[tuple[Hypothesis, MatchResult], ...]:
    """The first hypotheses that can answer, with their matches; else the first one alone.

    Args:
        hypotheses: best first.
        options: of the search; ``budget_seconds`` is for all hypotheses together.
        most: how many are kept. Of several, shown to a reader who leaves out what is
            not meant, only the best has to be probable and whole.
        store: the state of the graph to match in; None for that of now.

    Raises:
        ConfigurationError: an unknown option or value.
    """
    found: list[tuple[Hypothesis, MatchResult]] = []
    first: tuple[Hypothesis, MatchResult] | None = None
    ended: str | None = None  # the budget because of which a reading was not searched to its end
    unknown: set[str] = set()  # names that nothing in the graph is near
    passed = False  # whether a likely reading of the whole question has no match
    together, started = Options().with_(**options), perf_counter()
    deadline = together.deadline(started) or inf
    match = _Matcher(resources, store or resources.store.snapshot())
    hypotheses = _by_answers(hypotheses, match, options, acceptance, most)
    for place, hypothesis in enumerate(hypotheses):
        rest = hypotheses[place + 1 :]
        if first is not None and perf_counter() > deadline:
            ended = ended or "time"
            break
        part = first is not None and most == 1 and not acceptance.is_whole(hypothesis)
        if part or unknown.intersection(n.text for n in hypothesis.pattern.nodes if n.text):
            continue
        limits = {**options, "budget_seconds": together.since(started).budget_seconds}
        rivals = ([*hypotheses[:place], *rest], match, limits, acceptance)
        likely = acceptance.is_probable(hypothesis) and acceptance.is_whole(hypothesis)
        may_answer, said = likely or most > 1, hypothesis.coverage
        given = _limited(hypothesis, limits, may_answer=may_answer)
        exact = (said is not None and said.exact) or not may_answer  # less near names tell no more
        matched = match(hypothesis.pattern, given, nearest=exact)
        hypothesis, result = _or_otherwise(match, hypothesis, matched.result, given)
        first = first or (hypothesis, result)
        if acceptance.accepts(result, hypothesis) or (
            most > 1 and acceptance.has_near(result, hypothesis)
        ):
            if most == 1 and hypothesis.coverage is not None and is_exact(hypothesis):
                hypothesis = _unless_rivals(hypothesis, result, *rivals)
            found.append((hypothesis, result))
            if len(found) == most:
                break
        elif likely and is_exact(hypothesis) and (hypothesis.coverage or result.pattern.ask):
            # That is what was asked: what a less likely reading has is no answer to it.
            ended = result.certificate.ended_by
            if ended is None and not result.pattern.ask and _has_rival(hypothesis, rest):
                continue  # unless a reading that is as likely has
            if result.pattern.ask and not (found or passed):
                # It is "no" only where no other reading that is as likely says "yes".
                found.append((_unless_rivals(hypothesis, result, *rivals), result))
            break
        else:
            passed = passed or likely
            unknown.update(_far_names(matched.outcome.candidates, acceptance))
            if likely and (ended := result.certificate.ended_by):
                break  # a less likely reading must not answer because this one took too long
    if first is None:
        raise ConfigurationError("the interpreter gave no hypothesis")
    kept = [(hypothesis, with_notes(result, resources)) for hypothesis, result in found or [first]]
    return tuple(kept) if ended is None else _unfinished(kept, ended, bool(found))


class _Matcher:
    """`match_once` on one state of the graph, where several steps look at the same patterns."""

    def __init__(self, resources: Resources, store: Store):
        self._resources, self._store = resources, store
        self._found: dict[tuple[Pattern, Options, bool], Matched] = {}

    def __call__(self, pattern: Pattern, options: Options, *, nearest: bool) -> Matched:
        key = pattern, replace(options, budget_seconds=None), nearest
        if key in self._found:
            return self._found[key]
        matched = match_once(self._resources, self._store, pattern, options, nearest=nearest)
        if matched.result.certificate.ended_by is None:  # else more time may find more
            self._found[key] = matched
        return matched


def _limited(hypothesis: Hypothesis, limits: Mapping[str, Any], *, may_answer: bool) -> Options:
    """The options of a search; of what only tells what was understood, a short one."""
    given = Options().with_(**{**hypothesis.options, **limits})
    if may_answer:
        return given
    return replace(given, budget_seconds=min(given.budget_seconds or inf, SHOWN))


def _by_answers(
    hypotheses: Sequence[Hypothesis],
    match: _Matcher,
    options: Mapping[str, Any],
    acceptance: Acceptance,
    most: int,
) -> Sequence[Hypothesis]:
    """Trained programs as likely as their answers are, best first.

    One without any counts `EMPTY`. The best one counts as much as all that have the same answers,
    until that is enough (Shi et al., Natural Language to Code Translation with Execution, EMNLP
    2022): many programs say one thing, as the crimes of the cars and the cars' crimes of a day.
    """
    if most > 1 or not hypotheses or hypotheses[0].source != "programs":
        return hypotheses
    if hypotheses[0].score * EMPTY > 1 - hypotheses[0].score:
        return hypotheses  # without an answer, too, it would be the likeliest
    together, started = Options().with_(**options), perf_counter()

    def result_of(of: Hypothesis) -> MatchResult:
        limits = {**options, "budget_seconds": together.since(started).budget_seconds}
        own = Options().with_(**{**of.options, **limits})
        return match(of.pattern, own, nearest=True).result

    def is_empty(of: Hypothesis, result: MatchResult) -> bool:
        count = result.count()
        has_any = count.value if count else acceptance.has_near(result, of)
        return not (_is_unknown(result) or has_any)

    ranked = list(hypotheses)
    empty: set[Pattern] = set()
    while ranked[0].pattern not in empty and is_empty(ranked[0], found := result_of(ranked[0])):
        whole = 1 - ranked[0].score * (1 - EMPTY)
        counted = [replace(ranked[0], score=ranked[0].score * EMPTY), *ranked[1:]]
        empty.add(ranked[0].pattern)
        ranked = sorted(
            (replace(h, score=h.score / whole) for h in counted), key=lambda h: -h.score
        )
    best, *others = ranked
    for other in others:
        if best.pattern in empty or acceptance.is_probable(best):
            break
        if other.pattern not in empty and _say_the_same(result_of(other), found):
            best = replace(best, score=best.score + other.score)
    return [best, *others]


def _is_unknown(result: MatchResult) -> bool:
    """Whether a result is not whole, or "yes" or "no": it is like no other."""
    return result.certificate.ended_by is not None or result.pattern.ask


def _say_the_same(one: MatchResult, other: MatchResult) -> bool:
    """Whether two results have the same answers; a postcode may be a node, and a value too."""
    if _is_unknown(one) or _is_unknown(other):
        return False
    if _answers(one) == _answers(other):
        return True
    are_values = [{is_literal(node.id) for node in result.answers()} for result in (one, other)]
    first, second = ({node.name for node in result.answers()} for result in (one, other))
    return {True} in are_values and {False} in are_values and first == second


def _or_otherwise(
    match: _Matcher, hypothesis: Hypothesis, result: MatchResult, options: Options
) -> tuple[Hypothesis, MatchResult]:
    """What answers where a hypothesis has no match, if it is proven that it has none.

    The pattern of the hypothesis is the last that was searched then, and what else was, or would
    be, is `Hypothesis.otherwise`. Where none is not proven, the result tells why. It need not be
    for another pattern to say "yes".
    """
    started, patterns = perf_counter(), (hypothesis.pattern, *hypothesis.otherwise)
    unproven: tuple[Hypothesis, MatchResult] | None = None
    for place, other in enumerate(patterns[1:], 1):
        if any(i.matches for i in result.interpretations):
            break
        asked, within = replace(hypothesis.pattern, returns=(), ask=True), options.since(started)
        none = result
        if asked != hypothesis.pattern:
            none = match(asked, within, nearest=True).result
        if not (none.refuted or unproven):
            certificate, ended = result.certificate, none.certificate.ended_by
            notes = (*certificate.notes, *none.certificate.notes)
            certificate = replace(certificate, complete=False, ended_by=ended, notes=notes)
            unproven = hypothesis, replace(result, certificate=certificate)
        if unproven and (unproven[1].certificate.ended_by or not hypothesis.pattern.ask):
            return unproven
        rest = (*patterns[:place], *patterns[place + 1 :])
        hypothesis = replace(hypothesis, pattern=other, otherwise=rest)
        result = match(other, options.since(started), nearest=True).result
    found = any(i.matches for i in result.interpretations)
    return unproven if unproven and not found else (hypothesis, result)


def _unfinished(
    kept: Sequence[tuple[Hypothesis, MatchResult]], ended: str, found: bool
) -> tuple[tuple[Hypothesis, MatchResult], ...]:
    """The same; that nothing (more) was found is not proven, for another may have an answer."""
    (hypothesis, result), *rest = kept
    note = f"the {ended} ran out before every reading of the question was searched"
    hypothesis = replace(hypothesis, notes=(*hypothesis.notes, note))
    if not found:
        certificate = replace(result.certificate, exact=False, complete=False, ended_by=ended)
        result = replace(result, certificate=certificate)
    return ((hypothesis, result), *rest)


def _as_likely(one: Hypothesis, other: Hypothesis, within: float = TIE) -> bool:
    return is_exact(one) and abs(one.score - other.score) < within


def _has_rival(hypothesis: Hypothesis, others: Sequence[Hypothesis]) -> bool:
    return any(_as_likely(other, hypothesis) for other in others)


def _unless_rivals(
    hypothesis: Hypothesis,
    result: MatchResult,
    others: Sequence[Hypothesis],
    match: _Matcher,
    options: Mapping[str, Any],
    acceptance: Acceptance,
) -> Hypothesis:
    """The hypothesis; it may not answer where one that is as likely gives another answer."""
    for rival in others:
        if not _as_likely(rival, hypothesis, _NEAR if result.holds is False else TIE):
            continue
        own = Options().with_(**{**rival.options, **options})
        exact = rival.coverage is not None
        other = match(rival.pattern, own, nearest=exact).result
        rival, other = _or_otherwise(match, rival, other, own)
        # "Is Ann an agent?" is not so of every Ann.
        guessed = result.holds and rival.taken_for != hypothesis.taken_for
        contradicts = guessed or acceptance.accepts(other, rival)
        if contradicts and _answers(other) != _answers(result):
            return replace(hypothesis, score=0.0, rival=rival.pattern)
    return hypothesis


def _lists_in_order(result: MatchResult) -> bool:
    """Whether all answers are listed in an order: "sorted by price"."""
    order = result.pattern.order
    return order is not None and order.limit is None


def _answers(result: MatchResult) -> tuple[object, ...]:
    """What a result answers with, to compare it with another's."""
    return (
        result.holds,
        result.count(),
        result.value(),
        frozenset(result.groups()),
        (tuple if _lists_in_order(result) else frozenset)(node.id for node in result.answers()),
    )


def _far_names(candidates: Candidates, acceptance: Acceptance) -> Iterator[str]:
    for found in candidates.nodes.values():
        choices = (Choice("node", found.text, c.id, c.name, c.distance) for c in found)
        if not any(map(acceptance.is_near, choices)):
            yield found.text
