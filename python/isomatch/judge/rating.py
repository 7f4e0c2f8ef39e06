"""G-Eval: an answer rated on a criterion (Liu et al. 2023), with OKGQA's four criteria.

The judge gives its reason first and then a rating of 1 to 5. Where the endpoint tells the
probabilities of tokens, the value is the mean of the five ratings by theirs; else it is the
rating itself. Values are from 0 (rating 1) to 1 (rating 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from isomatch.flows import Flow
from isomatch.judge.facts import PACKAGE, Passages, plain_text
from isomatch.judge.replies import ALTERNATIVES, BEST, Invalid, Rating, asked, weighted_rating
from isomatch.judge.types import Scored, Verdict
from isomatch.llm import ChatModel, prompt
from isomatch.texts import data

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
