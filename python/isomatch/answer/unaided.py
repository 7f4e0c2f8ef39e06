"""Answers of a language model that sees no graph: what answers from evidence are compared with.

The ways of OKGQA (Sui and Hooi 2025, section 5): zero-shot, few-shot with four examples,
chain of thought (Wei et al. 2022), self-consistency (Wang et al. 2022), and the last two
together. The prompts are isomatch's own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from isomatch.errors import ConfigurationError, ModelError
from isomatch.flows import Blocking, Flow
from isomatch.llm import ChatModel, Completion, Message, prompt
from isomatch.llm.reply import without_thoughts
from isomatch.options import Prompting
from isomatch.texts import data

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder

SAMPLES = 5
TEMPERATURE = 0.7  # of samples, which would else be all the same
_PACKAGE = "isomatch.answer"
_REASONED = (Prompting.COT, Prompting.COT_SC)
_SAMPLED = (Prompting.SC, Prompting.COT_SC)
# What comes after the reasoning; models like to set it in bold or as a heading.
_ANSWER = re.compile(r"^[\s*#_>]*answer[\s*_]*:[\s*_]*", re.IGNORECASE | re.MULTILINE)


def unaided(
    model: ChatModel,
    question: str,
    prompting: Prompting | str = Prompting.ZERO_SHOT,
    samples: int = SAMPLES,
    embedder: Embedder | None = None,
) -> Flow[str]:
    """The model's answer from what it knows itself, for the functions of `isomatch.flows`.

    The answer of a chain of thought is what follows its last line with ``Answer:``; where
    there is none, the whole reply. Self-consistency of free text has no votes to count: of
    the samples that one is given whose vector is most like those of the others, on average.

    Args:
        model: the endpoint.
        question: in plain words.
        prompting: how it is asked.
        samples: how many replies self-consistency compares; the others ask once.
        embedder: makes vectors of the samples.

    Raises:
        ConfigurationError: no such prompting, an empty question, no whole number of
            samples from 1 on, or no embedder to compare them.
        ModelError: the endpoint failed, or no reply had an answer.
        EmbeddingError: the embedder failed.
    """
    way = _checked(question, prompting, samples, embedder)
    messages = messages_of(question, way)
    said: list[str] = []
    for _ in range(samples if way in _SAMPLED else 1):
        heat = TEMPERATURE if way in _SAMPLED else None
        reply = without_thoughts((yield Completion(model, messages, temperature=heat)))
        said.append(_after_reasoning(reply) if way in _REASONED else reply)
    answers = [text for text in said if text]
    if not answers:
        raise ModelError(f"the language model {model.model!r} wrote no answer to {question!r}")
    if len(answers) == 1:
        return answers[0]
    assert embedder is not None
    place: int = yield Blocking(partial(most_alike, answers, embedder))
    return answers[place]


def messages_of(question: str, prompting: Prompting) -> list[Message]:
    """What the model is sent."""
    rules = prompt(_PACKAGE, "unaided.j2", reasoned=prompting in _REASONED)
    shown: list[Message] = [{"role": "system", "content": rules}]
    if prompting is Prompting.FEW_SHOT:
        for example in data(_PACKAGE, "examples.toml")["examples"]:
            shown.append({"role": "user", "content": example["question"]})
            shown.append({"role": "assistant", "content": example["answer"].strip()})
    return [*shown, {"role": "user", "content": " ".join(question.split())}]


def most_alike(texts: Sequence[str], embedder: Embedder) -> int:
    """Which text is most like the others, by the mean cosine of their vectors.

    Of several equal ones the first. Where there are two, they are as alike as each other.
    """
    vectors = embedder.embed(texts)
    # Its likeness to itself is 1 for each, and changes no order.
    return int((vectors @ vectors.sum(axis=0)).argmax())


def _checked(
    question: str, prompting: Prompting | str, samples: int, embedder: Embedder | None
) -> Prompting:
    known = [str(one) for one in Prompting]
    if prompting not in known:
        raise ConfigurationError(f"prompting must be one of {', '.join(known)}, not {prompting!r}")
    way = Prompting(prompting)
    if not question.strip():
        raise ConfigurationError("the question is empty")
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
        raise ConfigurationError(f"samples must be a whole number from 1 on, not {samples!r}")
    if way in _SAMPLED and samples > 1 and embedder is None:
        raise ConfigurationError(f"prompting {str(way)!r} needs an embedder to compare samples")
    return way


def _after_reasoning(reply: str) -> str:
    """The text after the last ``Answer:``; the whole reply where nothing follows one."""
    ends = [found.end() for found in _ANSWER.finditer(reply)]
    return (reply[ends[-1] :].strip() if ends else "") or reply
