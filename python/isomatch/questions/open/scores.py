"""Scores of open questions from five angles, by a language model or by rules.

The angles are those of OKGQA (A.4), each from 1 to 10. Without a model a rule stands for each;
what the rules are is in docs/open-questions.md.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from isomatch.lexicon.folding import tokens
from isomatch.llm import continued, prompt
from isomatch.texts import find_word

if TYPE_CHECKING:
    from isomatch.llm import ChatModel, Message
    from isomatch.match.types import Triple

ANGLES = ("naturalness", "relevance", "specificity", "novelty", "actionability")
LOWEST, HIGHEST = 1, 10
PACKAGE = "isomatch.questions.open"
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        angle: {"type": "integer", "minimum": LOWEST, "maximum": HIGHEST} for angle in ANGLES
    },
    "required": [*ANGLES],
    "additionalProperties": False,
}
_WORDS = (6, 30)  # of a question that reads well
_MOST_FACTS = 12  # in a prompt
_ENOUGH = 12  # facts from which a paragraph can be written


def mean(scores: Mapping[str, float]) -> float:
    """The mean of the five angles."""
    return sum(scores[angle] for angle in ANGLES) / len(ANGLES)


def by_rules(
    text: str,
    topics: Sequence[str],
    further: Sequence[str],
    facts: int,
    used: Counter[str],
) -> dict[str, float]:
    """Scores without a model.

    Args:
        topics: what the question is about.
        further: other words of the graph in it, as a relation or a second name.
        facts: how many the graph has around the topics.
        used: how often each topic is in a question that was kept.
    """
    words = len(tokens(text))
    off = max(_WORDS[0] - words, words - _WORDS[1], 0)
    odd = sum("_" in name or name != name.strip() or _is_code(name) for name in topics)
    named = sum(find_word(text, name) is not None for name in topics)
    new = sum(1 / (1 + used[name]) for name in topics) / len(topics)
    found = {
        "naturalness": HIGHEST - off / 2 - 4 * odd,
        "relevance": HIGHEST * named / len(topics),
        "specificity": 4
        + 3 * (len(topics) - 1)
        + 3 * len(further)
        + min(2, len(topics[0].split())),
        "novelty": HIGHEST * new,
        "actionability": HIGHEST * facts / (_ENOUGH * len(topics)),
    }
    return {angle: round(min(HIGHEST, max(LOWEST, found[angle])), 1) for angle in ANGLES}


def by_model(
    model: ChatModel, text: str, topics: Sequence[str], facts: Sequence[str]
) -> dict[str, float] | None:
    """A model's scores; None where it gave none in two attempts.

    Raises:
        ModelError: its endpoint failed.
    """
    example = json.dumps(dict.fromkeys(ANGLES, 7))
    asked = prompt(PACKAGE, "score.j2", question=text, topics=topics, facts=facts, example=example)
    messages: list[Message] = [{"role": "user", "content": asked}]
    for _ in range(2):
        said = model.complete(messages, schema=SCHEMA)
        scores, problem = _read(said)
        if scores is not None:
            return scores
        repair = prompt(PACKAGE, "score_repair.j2", problem=problem, example=example)
        messages = continued(messages, said, repair)
    return None


def _read(said: str) -> tuple[dict[str, float] | None, str]:
    """The scores in a reply, or what is wrong with it."""
    start, end = said.find("{"), said.rfind("}")
    try:
        value = json.loads(said[start : end + 1])
        scores = {angle: value[angle] for angle in ANGLES}
    except (ValueError, KeyError, TypeError) as error:
        return None, f"it is no JSON object of the five keys ({error})"
    for angle, score in scores.items():
        whole = isinstance(score, int | float) and not isinstance(score, bool)
        if not whole or not LOWEST <= score <= HIGHEST:
            return None, f"{angle} is {score!r}, and must be a number from {LOWEST} to {HIGHEST}"
    return {angle: float(score) for angle, score in scores.items()}, ""


def fact_words(facts: Sequence[Triple]) -> list[str]:
    """Facts as lines of a prompt."""
    from isomatch.phrasing import bound_words

    return [
        f"{bound_words(t.source)} | {bound_words(t.relation)} | {bound_words(t.target)}"
        for t in facts[:_MOST_FACTS]
    ]


def _is_code(name: str) -> bool:
    letters = sum(character.isalpha() for character in name)
    return 2 * letters < len(name.replace(" ", ""))
