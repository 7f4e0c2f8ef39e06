"""Facts checked by an agent that searches, as SAFE does (Wei et al. 2024).

SAFE asks a search engine of the web. Here the search is an argument: over the graph, or over
texts of the user's own. The agent asks, reads what comes back, and asks again or decides.
"""

from __future__ import annotations

from functools import partial

from isomatch.flows import Blocking, Flow
from isomatch.judge.facts import PACKAGE, Stated, within
from isomatch.judge.replies import Decision, Invalid, Step, asked
from isomatch.judge.search import Search
from isomatch.judge.types import Scored, Verdict, share
from isomatch.llm import ChatModel, Message, continued, prompt

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
