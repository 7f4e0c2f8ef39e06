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

Exists = Callable[[Sequence[tuple[int, Chain]]], Sequence[bool]]

WIDTH = 10
TOP = 3
LONGEST = 3
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
        follows: which steps of the vocabulary may come after a chain; None for all.
        exists: whether chains, each with the number of its text, are in the graph;
            asked once a step for all texts. None takes every chain.

    Returns:
        For each text at most ``top`` chains, most probable first.
    """
    import numpy as np

    live: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, ())] for _ in range(texts)]
    done: list[list[tuple[float, tuple[int, ...]]]] = [[] for _ in range(texts)]
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
            live[text] = (
                []
                if length == longest
                else _longer(beam, scores[text], least, width, vocabulary, follows, exists)
            )
        if exists is not None:
            asked = [(text, n) for text, beam in enumerate(live) for _, n in beam]
            there = exists([(text, vocabulary.decode(numbers)) for text, numbers in asked])
            kept = {pair for pair, is_there in zip(asked, there, strict=True) if is_there}
            live = [
                [item for item in beam if (text, item[1]) in kept][:width]
                for text, beam in enumerate(live)
            ]
    return [
        [Found(vocabulary.decode(numbers), score) for score, numbers in chains] for chains in done
    ]


def _longer(
    beam: Sequence[tuple[float, tuple[int, ...]]],
    scores: Floats,
    least: float,
    width: int,
    vocabulary: StepVocabulary,
    follows: Follows | None,
    exists: Exists | None,
) -> list[tuple[float, tuple[int, ...]]]:
    """The best chains of a beam with one more step, best first."""
    import numpy as np

    wanted = width if exists is None else width + _SPARE
    found: list[tuple[float, tuple[int, ...]]] = []
    for row, (score, numbers) in enumerate(beam):
        ahead = score + scores[row, FIRST:].astype(np.float64)
        if follows is not None:
            ahead = np.where(follows(vocabulary.decode(numbers)), ahead, -np.inf)
        best = np.argsort(-ahead, kind="stable")[:wanted]
        found += [(float(ahead[i]), (*numbers, FIRST + int(i))) for i in best if ahead[i] > least]
    return sorted(found, key=_order)[:wanted]


def _order(item: tuple[float, tuple[int, ...]]) -> tuple[float, tuple[int, ...]]:
    return -item[0], item[1]
