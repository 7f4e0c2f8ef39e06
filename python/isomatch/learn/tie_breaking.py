"""Tie-breaking among chains that explain a question equally well.

Questions of the same wording mean the same chain, whatever their topics. So of the tied
chains those are kept that also explain the most other questions of that wording. Chains
that are still tied often state one fact twice: where the graph also stores an inverse
relation, both are the best for exactly the same questions. Of those the shortest is taken,
with the fewest steps against the stored direction. The others need a model that scores
the chains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from isomatch.chains.graph import Chain
from isomatch.learn.labels import Explanation
from isomatch.learn.weak import Label, WeakLabels
from isomatch.schema.types import Schema
from isomatch.trained.artifact import open_artifact
from isomatch.trained.masking import mask_topic, wording_of
from isomatch.trained.runtime import ChainModel
from isomatch.trained.vocabulary import BEGIN, END, StepVocabulary

Score = Callable[[str, Sequence[Chain]], Sequence[float]]
"""Scores each of some chains for a masked text; higher is more likely."""

ALIKE = 5  # questions that two chains must be the best of together, to be equivalent

Shape = tuple[Chain, ...]


def settle(labels: WeakLabels, score: Score | None = None) -> WeakLabels:
    """The labels with ties broken: by wording, by equivalence, and by a model.

    Without a ``score`` of the model trained so far the remaining ties stay.
    """
    votes = _votes(labels.labels)
    alike = _alike(labels.labels)
    settled = []
    for label in labels.labels:
        if label.reason == "tie" and not label.kept:
            label = _settled(label, votes, alike, score)
        settled.append(label)
    return replace(labels, labels=tuple(settled))


def _settled(
    label: Label,
    votes: Counter[tuple[str, Shape]],
    alike: Counter[frozenset[Shape] | Shape],
    score: Score | None,
) -> Label:
    text = wording_of(label.text, label.topics)
    counts = [votes[text, shape(e)] for e in label.tied]
    left = [e for e, count in zip(label.tied, counts, strict=True) if count == max(counts)]
    how = "text"
    if len(left) > 1:
        first = min(left, key=_plainness)
        if all(_same(alike, shape(first), shape(e)) for e in left):
            left, how = [first], "equal"
    if len(left) > 1 and score is not None:
        left, how = [_likeliest(label, left, score)], "score"
    if len(left) > 1:
        return replace(label, tied=tuple(left))
    return replace(label, kept=((left[0], 1.0),), reason="", settled=how)


def _votes(labels: Sequence[Label]) -> Counter[tuple[str, Shape]]:
    """For each wording and shape, the number of questions that the shape is the best of."""
    votes: Counter[tuple[str, Shape]] = Counter()
    for label in labels:
        text = wording_of(label.text, label.topics)
        votes.update((text, s) for s in _best(label))
    return votes


def _alike(labels: Sequence[Label]) -> Counter[frozenset[Shape] | Shape]:
    """The number of questions that each shape, and each pair of shapes, is the best of."""
    counts: Counter[frozenset[Shape] | Shape] = Counter()
    for label in labels:
        shapes = sorted(_best(label))
        counts.update(shapes)
        counts.update(frozenset((a, b)) for i, a in enumerate(shapes) for b in shapes[i + 1 :])
    return counts


def _same(alike: Counter[frozenset[Shape] | Shape], a: Shape, b: Shape) -> bool:
    """Whether both are the best of the same questions, of at least five."""
    return a == b or ALIKE <= alike[frozenset((a, b))] == alike[a] == alike[b]


def _best(label: Label) -> set[Shape]:
    kept = [explanation for explanation, _ in label.kept]
    return {shape(e) for e in (label.tied or kept)}


def _likeliest(label: Label, tied: Sequence[Explanation], score: Score) -> Explanation:
    """The tied explanation with the highest score of a model, summed over its topics."""
    totals = [0.0] * len(tied)
    places: dict[str, list[tuple[int, Chain]]] = {}
    for number, explanation in enumerate(tied):
        for topic, chain in explanation.parts:
            places.setdefault(topic, []).append((number, chain))
    for topic, of in places.items():
        text = mask_topic(label.text, topic) or label.text
        for (number, _), likely in zip(of, score(text, [chain for _, chain in of]), strict=True):
            totals[number] += likely
    return tied[totals.index(max(totals))]


def shape(explanation: Explanation) -> Shape:
    return tuple(chain for _, chain in explanation.parts)


def _plainness(explanation: Explanation) -> tuple[int, int, Shape]:
    chains = shape(explanation)
    return sum(map(len, chains)), sum(step.back for c in chains for step in c), chains


def chain_scorer(folder: Path, schema: Schema) -> Callable[[str, Sequence[Chain]], list[float]]:
    """A function that gives the log-probability of chains for a masked text.

    It is minus infinity for a chain with a step that the model does not know.

    Raises:
        ArtifactError: there is no such model, or it does not fit the graph.
    """
    artifact = open_artifact(folder, "gsr", schema)
    vocabulary = artifact.vocabulary or StepVocabulary((), ())
    model = ChainModel(folder)

    def score(text: str, chains: Sequence[Chain]) -> list[float]:
        encoded = model.encode([f"[Retrieval] {text}"])
        totals = np.full(len(chains), -np.inf)
        known = [i for i, chain in enumerate(chains) if vocabulary.knows(chain)]
        totals[known] = 0.0
        numbers = {i: [BEGIN, *vocabulary.encode(chains[i]), END] for i in known}
        for place in range(1, max(map(len, numbers.values()), default=0)):
            here = [i for i in known if place < len(numbers[i])]
            steps = np.array([[numbers[i][:place] for i in here]], np.int64)
            ahead = model.decode(encoded, steps)[0]
            totals[here] += ahead[range(len(here)), [numbers[i][place] for i in here]]
        return [float(total) for total in totals]

    return score
