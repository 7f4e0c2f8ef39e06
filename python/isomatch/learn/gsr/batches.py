"""Training examples as tensors: equal texts merged, in batches of similar length."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from isomatch.chains.graph import Chain
from isomatch.learn.examples import Example
from isomatch.learn.gsr.backbones import Backbone
from isomatch.trained.vocabulary import BEGIN, END, Vocabulary

MOST_CHAINS = 8  # of one text; more add little
IGNORED = -100
_WINDOW = 16  # batches within which texts are sorted by length
CORRECTED = 0.1  # share of what an epoch shows that corrections are, as far as that goes
MOST_SHOWN = 20  # times that one is shown in an epoch


@dataclass(frozen=True, slots=True)
class Row:
    """A text with the chains of all examples of it.

    Attributes:
        prompt, tokens: the text as the model reads it, and its wordpieces.
        chains: numbers of steps, best first.
        weights: of the chains; their sum may exceed 1 for a text of several examples.
        question: whether it is a question, not an indexing text.
        corrected: whether people said which chains it means: it is never held back.
    """

    prompt: str
    tokens: tuple[int, ...]
    chains: tuple[tuple[int, ...], ...]
    weights: tuple[float, ...]
    question: bool
    corrected: bool = False

    @property
    def best(self) -> set[tuple[int, ...]]:
        """The chains with the highest weight."""
        most = max(self.weights)
        return {c for c, w in zip(self.chains, self.weights, strict=True) if w > most - 1e-9}


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows as arrays.

    Attributes:
        input_ids, attention_mask: (texts, tokens).
        steps: the decoder's input, `BEGIN` first: (texts, chains, places).
        targets: the next number at each place, `IGNORED` after the end.
        weights: (texts, chains).
    """

    rows: tuple[Row, ...]
    input_ids: Tensor
    attention_mask: Tensor
    steps: Tensor
    targets: Tensor
    weights: Tensor


def rows_of(
    examples: Iterable[Example], vocabulary: Vocabulary[Any], network: Backbone, power: float
) -> tuple[list[Row], int]:
    """Examples as rows, ordered by text, and the number of examples left out.

    Chains with a step that the vocabulary lacks are left out, and examples without others. A
    text of n examples has the weight n to the power ``power``. Of a text that was corrected only
    the corrections count.
    """
    examples = list(examples)
    corrected = {example.prompt for example in examples if example.source == "feedback"}
    weights: dict[tuple[str, str], dict[Chain, float]] = {}
    counts: dict[tuple[str, str], int] = {}
    questions: set[str] = set()
    fell = 0
    for example in examples:
        if example.source != "feedback" and example.prompt in corrected:
            continue
        known = [(c, w) for c, w in example.chains if w > 0 and vocabulary.knows(c)]
        if not known:
            fell += 1
            continue
        key = example.prompt, example.id if example.task == "say" else ""
        here = weights.setdefault(key, {})
        for chain, weight in known:
            here[chain] = here.get(chain, 0.0) + weight
        counts[key] = counts.get(key, 0) + 1
        if example.task == "retrieval":
            questions.add(example.prompt)
    keys = sorted(weights)
    rows = []
    for key, tokens in zip(keys, network.tokens([prompt for prompt, _ in keys]), strict=True):
        prompt, scale = key[0], counts[key] ** power / counts[key]
        numbered = [(w * scale, tuple(vocabulary.encode(c))) for c, w in weights[key].items()]
        chosen = sorted(numbered, key=lambda item: (-item[0], item[1]))[:MOST_CHAINS]
        chains, shares = tuple(c for _, c in chosen), tuple(w for w, _ in chosen)
        question, taught = prompt in questions, prompt in corrected
        rows.append(Row(prompt, tuple(tokens), chains, shares, question, taught))
    return rows, fell


def split(rows: Sequence[Row], share: float, seed: int) -> tuple[list[Row], list[Row]]:
    """Training and validation rows, the latter a share of the questions."""
    questions = [row for row in rows if row.question and not row.corrected]
    count = int(share * len(questions))
    generator = random.Random(f"{seed} validation")  # noqa: S311 - repeatable, not secret
    held = {row.prompt for row in generator.sample(questions, count)}
    return [r for r in rows if r.prompt not in held], [r for r in rows if r.prompt in held]


def shown(rows: Sequence[Row]) -> list[Row]:
    """What an epoch shows: each row once, and those that were corrected again and again."""
    corrected = sum(row.corrected for row in rows)
    times = round(CORRECTED * (len(rows) - corrected) / corrected) if corrected else 1
    times = max(1, min(times, MOST_SHOWN))
    return [row for row in rows for _ in range(times if row.corrected else 1)]


def batches(
    rows: Sequence[Row], size: int, network: Backbone, shuffle: str | None = None
) -> Iterator[Batch]:
    """The rows in batches; ``shuffle`` is the seed of their order."""
    order = sorted(rows, key=lambda row: len(row.tokens))
    if shuffle is not None:
        generator = random.Random(shuffle)  # noqa: S311 - repeatable, not secret
        order = sorted(rows, key=lambda row: row.prompt)
        generator.shuffle(order)
        window = size * _WINDOW
        order = [
            row
            for first in range(0, len(order), window)
            for row in sorted(order[first : first + window], key=lambda row: len(row.tokens))
        ]
    parts = [tuple(order[first : first + size]) for first in range(0, len(order), size)]
    if shuffle is not None:
        generator.shuffle(parts)
    for part in parts:
        yield _batch(part, network)


def _batch(rows: tuple[Row, ...], network: Backbone) -> Batch:
    input_ids, attention_mask = network.padded([row.tokens for row in rows])
    chains = max(len(row.chains) for row in rows)
    places = 1 + max(len(chain) for row in rows for chain in row.chains)
    steps = torch.full((len(rows), chains, places), BEGIN)
    targets = torch.full((len(rows), chains, places), IGNORED)
    weights = torch.zeros(len(rows), chains)
    for i, row in enumerate(rows):
        for j, (chain, weight) in enumerate(zip(row.chains, row.weights, strict=True)):
            steps[i, j, 1 : len(chain) + 1] = torch.tensor(chain)
            targets[i, j, : len(chain) + 1] = torch.tensor([*chain, END])
            weights[i, j] = weight
    return Batch(rows, input_ids, attention_mask, steps, targets, weights)
