"""The most probable chains of a text, by a beam search that a graph may bound.

The model is a function that gives log-probabilities, so that the same search runs
with torch while training and with ONNX while serving.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.interpret.graph import Chain
from isomatch.interpret.gsr.vocabulary import BEGIN, END, FIRST, StepVocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Floats = NDArray[np.float32]
    Decode = Callable[[Numbers], Floats]
    Follows = Callable[[Chain], NDArray[np.bool_]]

_Item = tuple[float, tuple[int, ...]]
Exists = Callable[[Sequence[tuple[int, Chain]]], Sequence[bool]]

WIDTH = 10
TOP = 3
LONGEST = 3
MARGIN = 9.0
_SPARE = 6  # further candidates whose existence is asked for with those of the beam


@dataclass(frozen=True, slots=True)
class Found:
    """A chain and the natural logarithm of its probability, its end included."""

    chain: Chain
    log_probability: float


def search(
    decode: Decode,
    vocabulary: StepVocabulary,
    texts: int = 1,
    *,
    width: int = WIDTH,
    top: int = TOP,
    longest: int = LONGEST,
    margin: float = MARGIN,
    follows: Follows | None = None,
    exists: Exists | None = None,
) -> list[list[Found]]:
    """The best chains of some texts, each text with a beam of its own.

    Args:
        decode: steps as numbers, `BEGIN` first, (texts, chains, places) → the
            log-probabilities of the next number, (texts, chains, numbers). Rows
            that fill up a short beam are `BEGIN` throughout, and not looked at.
        texts: how many there are.
        width: chains of a text that are followed at a time.
        top: chains of a text that are wanted.
        longest: most steps of a chain.
        margin: chains whose logarithm is so much below the best one's are not
            followed, unless none of the better ones is in the graph.
        follows: which steps of the vocabulary may come after a chain; None for all.
        exists: whether chains, each with the number of its text, are in the graph;
            asked once a step for all texts. None takes every chain.

    Returns:
        For each text at most ``top`` chains, most probable first.
    """
    import numpy as np

    live: list[list[_Item]] = [[(0.0, ())] for _ in range(texts)]
    done: list[list[_Item]] = [[] for _ in range(texts)]
    for length in range(longest + 1):
        widest = max(map(len, live))
        if widest == 0:
            break
        steps = np.full((texts, widest, length + 1), BEGIN, np.int64)
        for text, beam in enumerate(live):
            for row, (_, numbers) in enumerate(beam):
                steps[text, row, 1:] = numbers
        scores = decode(steps)
        for text, beam in enumerate(live):
            if length:
                done[text] += [
                    (score + float(scores[text, row, END]), numbers)
                    for row, (score, numbers) in enumerate(beam)
                ]
                done[text] = sorted(done[text], key=_order)[:top]
            # No longer chain is more probable than what it continues.
            least = done[text][-1][0] if len(done[text]) == top else -np.inf
            if done[text]:
                least = max(least, done[text][0][0] - margin)
            if length == longest:
                live[text] = []
            else:
                wanted = width if exists is None else width + _SPARE
                live[text] = _longer(beam, scores[text], least, wanted, vocabulary, follows)
        live = _kept(live, exists, vocabulary, margin, width)
    return [
        [Found(vocabulary.decode(numbers), score) for score, numbers in chains] for chains in done
    ]


def _longer(
    beam: Sequence[_Item],
    scores: Floats,
    least: float,
    wanted: int,
    vocabulary: StepVocabulary,
    follows: Follows | None,
) -> list[_Item]:
    """The best chains of a beam with one more step, best first."""
    import numpy as np

    found: list[_Item] = []
    for row, (score, numbers) in enumerate(beam):
        ahead = score + scores[row, FIRST:].astype(np.float64)
        if follows is not None:
            ahead = np.where(follows(vocabulary.decode(numbers)), ahead, -np.inf)
        best = np.argsort(-ahead, kind="stable")[:wanted]
        found += [(float(ahead[i]), (*numbers, FIRST + int(i))) for i in best if ahead[i] > least]
    return sorted(found, key=_order)[:wanted]


def _kept(
    live: Sequence[Sequence[_Item]],
    exists: Exists | None,
    vocabulary: StepVocabulary,
    margin: float,
    width: int,
) -> list[list[_Item]]:
    """Of each beam what is near its best chain and in the graph."""
    near = [[item for item in beam if item[0] >= beam[0][0] - margin] for beam in live]
    if exists is None:
        return [beam[:width] for beam in near]
    kept = _existing(near, exists, vocabulary)
    far = [
        list(beam[len(some) :]) if not found else []
        for beam, some, found in zip(live, near, kept, strict=True)
    ]
    if any(far):
        others = _existing(far, exists, vocabulary)
        kept = [found or more for found, more in zip(kept, others, strict=True)]
    return [beam[:width] for beam in kept]


def _existing(
    beams: Sequence[Sequence[_Item]], exists: Exists, vocabulary: StepVocabulary
) -> list[list[_Item]]:
    asked = [(text, item) for text, beam in enumerate(beams) for item in beam]
    kept: list[list[_Item]] = [[] for _ in beams]
    if not asked:
        return kept
    there = exists([(text, vocabulary.decode(numbers)) for text, (_, numbers) in asked])
    for (text, item), is_there in zip(asked, there, strict=True):
        if is_there:
            kept[text].append(item)
    return kept


def _order(item: _Item) -> tuple[float, tuple[int, ...]]:
    return -item[0], item[1]
