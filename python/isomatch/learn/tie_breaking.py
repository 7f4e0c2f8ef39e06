"""Ties among chains that explain a question equally well, and how they are settled.

Questions of one wording mean one chain, whatever their topics. So first the tied
chains that also explain the most other questions of the same wording are kept. What
then is left tied is often one fact said twice: an inverse relation that the graph also
stores, so that both chains are the best of exactly the same questions. Of those the
shortest is taken, with the fewest steps against the stored direction. The rest waits
for a model that scores the chains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from isomatch.chains.graph import Chain
from isomatch.learn.labels import Explanation
from isomatch.learn.weak import Label, WeakLabels
from isomatch.trained.masking import mask_topic, wording_of

Score = Callable[[str, Sequence[Chain]], Sequence[float]]
"""Of a masked text and chains, how likely each is (a log-probability, or any order)."""

ALIKE = 5  # questions that two chains must be the best of together, to be one

Shape = tuple[Chain, ...]


def settle(labels: WeakLabels, score: Score | None = None) -> WeakLabels:
    """The labels with ties settled, by wording, by sameness, and by a model.

    Args:
        score: of the model trained so far; None leaves to ties what only it can tell.
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
    """How many questions of a wording each shape is the best of."""
    votes: Counter[tuple[str, Shape]] = Counter()
    for label in labels:
        text = wording_of(label.text, label.topics)
        votes.update((text, s) for s in _best(label))
    return votes


def _alike(labels: Sequence[Label]) -> Counter[frozenset[Shape] | Shape]:
    """How many questions each shape is the best of, and each two together."""
    counts: Counter[frozenset[Shape] | Shape] = Counter()
    for label in labels:
        shapes = sorted(_best(label))
        counts.update(shapes)
        counts.update(frozenset((a, b)) for i, a in enumerate(shapes) for b in shapes[i + 1 :])
    return counts


def _same(alike: Counter[frozenset[Shape] | Shape], a: Shape, b: Shape) -> bool:
    """Whether one is never the best of a question without the other, over a few questions."""
    return a == b or ALIKE <= alike[frozenset((a, b))] == alike[a] == alike[b]


def _best(label: Label) -> set[Shape]:
    kept = [explanation for explanation, _ in label.kept]
    return {shape(e) for e in (label.tied or kept)}


def _likeliest(label: Label, tied: Sequence[Explanation], score: Score) -> Explanation:
    """The tied explanation that a model finds likeliest, all its topics together."""
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
    """The chains without their topics, in the order of the topics."""
    return tuple(chain for _, chain in explanation.parts)


def _plainness(explanation: Explanation) -> tuple[int, int, Shape]:
    chains = shape(explanation)
    return sum(map(len, chains)), sum(step.back for c in chains for step in c), chains
