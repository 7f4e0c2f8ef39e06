"""Scores by rules, for which no model is needed: what an answer cites, and what it names.

G-Eval: an answer rated on a criterion (Liu et al. 2023), with OKGQA's four criteria.

The judge gives its reason first and then a rating of 1 to 5. Where the endpoint tells the
probabilities of tokens, the value is the mean of the five ratings by theirs; else it is the
rating itself. Values are from 0 (rating 1) to 1 (rating 5).

Facts checked by an agent that searches, as SAFE does (Wei et al. 2024).

SAFE asks a search engine of the web. Here the search is an argument: over the graph, or over
texts of the user's own. The agent asks, reads what comes back, and asks again or decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from isomatch.answer.evidence import citations, without_citations
from isomatch.answer.support import SupportCheck
from isomatch.answer.types import Evidence
from isomatch.flows import Blocking, Flow
from isomatch.judge.facts import (
    PACKAGE,
    Passages,
    Stated,
    grounding,
    is_refusal,
    plain_text,
    said_of,
    within,
)
from isomatch.judge.replies import (
    ALTERNATIVES,
    BEST,
    Decision,
    Invalid,
    Rating,
    Step,
    asked,
    weighted_rating,
)
from isomatch.judge.search import Search
from isomatch.judge.types import Case, Outcome, Scored, Verdict, share
from isomatch.lexicon.folding import fold
from isomatch.lexicon.language import default_language
from isomatch.llm import ChatModel, Message, continued, prompt
from isomatch.match.types import Bound, Triple
from isomatch.texts import data, find_word

SEARCHES = 5  # as published
FOUND_TOKENS = 600  # of one search that are shown


def safe_score(
    model: ChatModel, question: str, facts: Stated, search: Search, searches: int = SEARCHES
) -> Flow[Scored]:
    """The share of supported facts among those that are relevant to the question.

    Args:
        searches: most of one fact.

    Raises:
        ModelError: the endpoint failed.
        IsomatchError: so did the search.
    """
    verdicts = list(facts.invalid)
    for fact in facts.facts:
        verdicts.append((yield from _investigate(model, question, fact, search, searches)))
    return Scored(share(verdicts), tuple(verdicts))


def _investigate(
    model: ChatModel, question: str, fact: str, search: Search, searches: int
) -> Flow[Verdict]:
    messages: list[Message] = [
        {"role": "system", "content": prompt(PACKAGE, "agent.j2")},
        {
            "role": "user",
            "content": prompt(PACKAGE, "agent_start.j2", question=question, statement=fact),
        },
    ]
    found: dict[str, None] = {}
    for left in range(searches - 1, -1, -1):
        step = yield from asked(model, messages, Step)
        if isinstance(step, Invalid):
            return _verdict(fact, "invalid", step.reason, found)
        action, searched = step.form.action, left < searches - 1
        if action == "irrelevant" or (action != "search" and searched):
            return _verdict(fact, action, step.form.reason, found)
        # What it decides without a search it knows from elsewhere: the fact is searched for.
        query = step.form.query.strip() if action == "search" else ""
        query = query if any(map(str.isalnum, query)) else fact
        passages = within((yield Blocking(partial(search, query))), FOUND_TOKENS)
        found.update(dict.fromkeys(passages))
        told = prompt(PACKAGE, "agent_found.j2", query=query, passages=passages, left=left)
        messages = continued(messages, step.reply.text, told)
    decision = yield from asked(model, messages, Decision)
    if isinstance(decision, Invalid):
        return _verdict(fact, "invalid", decision.reason, found)
    return _verdict(fact, decision.form.verdict, decision.form.reason, found)


def _verdict(fact: str, outcome: str, reason: str, found: dict[str, None]) -> Verdict:
    if outcome == "supported" and not found:
        # Nothing that the search gave can carry it, whatever the judge says.
        outcome, reason = "not supported", f"the search found nothing; the judge said: {reason}"
    return Verdict("safe", fact, outcome, reason, evidence=tuple(found))  # type: ignore[arg-type]


CONTEXT_TOKENS = 3_000


def rate(
    model: ChatModel, criterion: str, question: str, answer: str, context: Sequence[str]
) -> Flow[Scored]:
    """The rating of an answer on one criterion.

    Args:
        criterion: of `isomatch.judge.types.CRITERIA`.
        context: what is known about the matter, or what the answer was written from; of a long
            one the passages nearest to the question are shown.

    Raises:
        ModelError: the endpoint failed.
    """
    text = plain_text(answer)
    if not text:
        return _scored(Verdict(criterion, criterion, "rated", "the answer is empty", 0.0))
    if criterion == "context_relevance" and not context:
        return _scored(Verdict(criterion, criterion, "not judged", "there is no context"))
    rules = prompt(PACKAGE, "rate.j2", context=bool(context), **_criteria()[criterion])
    shown = Passages(context, CONTEXT_TOKENS).near(question) if context else ()
    words = prompt(PACKAGE, "rated.j2", question=question, answer=text, context=shown)
    said = yield from asked(
        model,
        [{"role": "system", "content": rules}, {"role": "user", "content": words}],
        Rating,
        alternatives=ALTERNATIVES,
    )
    if isinstance(said, Invalid):
        return _scored(Verdict(criterion, criterion, "invalid", said.reason))
    mean = weighted_rating(said.reply.tokens, said.form.score)
    rating = said.form.score if mean is None else mean
    value = (rating - 1) / (BEST - 1)
    weighted = mean is not None
    return _scored(Verdict(criterion, criterion, "rated", said.form.reason, value, weighted))


def _scored(verdict: Verdict) -> Scored:
    return Scored(verdict.value, (verdict,))


@cache
def _criteria() -> dict[str, Any]:
    return data(PACKAGE, "criteria.toml")


_NUMBERED = re.compile(r"^\s*\[(\d+)\]\s*")
_ARROW = re.compile(r" -(.+?)-> | <-(.+?)- ")


def evidence_of(context: Sequence[str]) -> list[Evidence]:
    """The facts of lines as prompts show them; other lines are none.

    Example:
        >>> for fact in evidence_of(["[2] Heat | directed by | Mann", "[3] Heat <-made- Mann"]):
        ...     print(fact.number, fact.triple.source.name, fact.triple.relation.name)
        2 Heat directed by
        3 Mann made
    """
    found = []
    for place, line in enumerate(context, 1):
        numbered = _NUMBERED.match(line)
        number = int(numbered[1]) if numbered else place
        for names in _facts_in(line[numbered.end() :] if numbered else line):
            source, relation, target = (Bound(name.strip(), name.strip()) for name in names)
            found.append(Evidence(number, Triple(source, relation, target), 0, 0.0))
    return found


def _facts_in(text: str) -> Iterator[tuple[str, str, str]]:
    columns = text.split(" | ")
    if len(columns) > 2:
        yield columns[0], " | ".join(columns[1:-1]), columns[-1]
        return
    for way in text.split("; "):
        here, *steps = _ARROW.split(way)
        for forward, backward, there in zip(steps[::3], steps[1::3], steps[2::3], strict=True):
            yield (here, forward, there) if forward else (there, backward, here)
            here = there


def names_in(text: str, names: Sequence[str]) -> list[str]:
    """Those of some names that stand in a text as whole words, without regard to case."""
    folded = fold(text)
    return [n for n in names if fold(n).strip() and find_word(folded, fold(n)) is not None]


def supported_sentences(case: Case) -> Scored:
    """The share of sentences that facts of the evidence carry, by `SupportCheck`.

    That a sentence is supported in this sense does not prove that a fact says the same.
    """
    metric = "supported_sentences"
    evidence = evidence_of(case.context)
    if refused := _not_judged(metric, case, evidence):
        return refused
    check = SupportCheck(evidence, default_language())
    lines = check.lines(said_of(case.answer))
    verdicts = [
        Verdict(metric, one.text, "supported", "it names what it cites")
        if one.supported
        else Verdict(metric, one.text, "not supported", one.reason)
        for line in lines
        for one in line
        if any(map(str.isalnum, one.text))
    ]
    return Scored(share(verdicts), tuple(verdicts))


def cited_named(case: Case) -> Scored:
    """The share of cited facts of which both ends are named in the answer; of paths all nodes."""
    metric = "cited_named"
    evidence = evidence_of(case.context)
    if refused := _not_judged(metric, case, evidence):
        return refused
    text = without_citations(case.answer)
    verdicts = []
    for number in citations(case.answer):
        triples = [fact.triple for fact in evidence if fact.number == number]
        names = list(dict.fromkeys(end.name for t in triples for end in (t.source, t.target)))
        said = names_in(text, names)
        left = [name for name in names if name not in said]
        reason = "all of it is named" if names else "there is no such fact"
        reason = f"it does not name {left[0]}" if left else reason
        outcome: Outcome = "supported" if names and not left else "not supported"
        verdicts.append(Verdict(metric, f"[{number}]", outcome, reason))
    if not verdicts:
        return Scored(None, (Verdict(metric, case.answer, "no facts", "it cites nothing"),))
    return Scored(share(verdicts), tuple(verdicts))


def name_recall(case: Case) -> Scored:
    """The share of the right answers' names that stand in the answer."""
    metric = "name_recall"
    if not case.right:
        return _cannot(metric, case, "no right answers are known")
    said = names_in(without_citations(case.answer), case.right)
    verdicts = tuple(
        Verdict(metric, name, "supported", "it is named")
        if name in said
        else Verdict(metric, name, "not supported", "it is not named")
        for name in {fold(name): name for name in case.right}.values()
    )
    return Scored(share(verdicts), verdicts)


def grounded(case: Case) -> Scored:
    """The question's part of Score_h: what was given as an answer against what is right."""
    metric = "grounded"
    if not case.right or case.given is None:
        missing = "right answers are known" if not case.right else "names were given as answers"
        return _cannot(metric, case, f"no {missing}")
    right = {fold(name) for name in case.right}
    value = grounding([fold(name) for name in case.given], right, answerable=True)
    reason = f"{len(case.given)} given, {len(right)} right"
    return Scored(value, (Verdict(metric, case.answer, "rated", reason, value),))


RULE_SCORES: Mapping[str, Callable[[Case], Scored]] = {
    "supported_sentences": supported_sentences,
    "cited_named": cited_named,
    "name_recall": name_recall,
    "grounded": grounded,
}


def _not_judged(metric: str, case: Case, evidence: Sequence[Evidence]) -> Scored | None:
    if not evidence:
        return _cannot(metric, case, "there are no facts to cite")
    if is_refusal(case.answer):
        reason = "it says only that the graph does not say"
        return Scored(None, (Verdict(metric, case.answer, "no facts", reason),))
    return None


def _cannot(metric: str, case: Case, reason: str) -> Scored:
    return Scored(None, (Verdict(metric, case.answer, "not judged", reason),))
