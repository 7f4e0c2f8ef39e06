"""Beam search for the most probable chains or programs of a text, optionally limited to a graph.

The model is a function that gives log-probabilities, so that the same search runs
with torch while training and with ONNX while serving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from isomatch.trained.vocabulary import BEGIN, END, FIRST, Token, Vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Floats = NDArray[np.float32]
    Decode = Callable[[Numbers], Floats]

Written = TypeVar("Written", bound=tuple[Any, ...])
"""What a model writes: a chain of steps, or the tokens of a program."""
_Item = tuple[float, tuple[int, ...]]

WIDTH = 10
TOP = 3
LONGEST = 3
MARGIN = 9.0
_SPARE = 6  # candidates beyond the beam's width in the first look-up of existence
_TURNS = 6  # look-ups per step, each of twice as many: up to a thousand candidates of a text


@dataclass(frozen=True, slots=True)
class ScoredChain(Generic[Written]):
    """A chain or program with the natural logarithm of its probability."""

    chain: Written
    log_probability: float


@dataclass(frozen=True, slots=True)
class Beam:
    """How far to search, by text.

    Attributes:
        width: chains that are followed at a time.
        top: chains that are wanted.
        longest: maximum number of steps of a chain.
        margin: chains whose log-probability is so much below the best one's are not
            followed, unless none of the better ones is in the graph.
    """

    width: int = WIDTH
    top: int = TOP
    longest: int = LONGEST
    margin: float = MARGIN


def search(
    decode: Decode,
    vocabulary: Vocabulary[Token],
    texts: int = 1,
    beam: Beam = Beam(),
    *,
    follows: Callable[[tuple[Token, ...]], NDArray[np.bool_]] | None = None,
    exists: Callable[[Sequence[tuple[int, tuple[Token, ...]]]], Sequence[bool]] | None = None,
    ends: Callable[[tuple[Token, ...]], bool] | None = None,
    margin: Callable[[ScoredChain[tuple[Token, ...]]], float] | None = None,
) -> list[list[ScoredChain[tuple[Token, ...]]]]:
    """The most probable chains of some texts, each text with a beam of its own.

    Args:
        decode: steps as numbers, `BEGIN` first, (texts, chains, places) → the
            log-probabilities of the next number, (texts, chains, numbers). Rows
            that fill up a short beam are all `BEGIN`, and their results ignored.
        texts: number of texts.
        follows: gives the steps of the vocabulary that may follow a chain; None for all.
        exists: gives which chains, each with the number of its text, are in the graph;
            called once a step for all texts, and again for less probable ones while
            fewer than ``top`` of a text exist. None takes every chain.
        ends: whether a chain may end; None for wherever the model ends it.
        margin: gives how far below the best whole chain others are followed, instead of the
            beam's ``margin``; asked again of each better one.

    Returns:
        For each text at most ``top`` chains, most probable first.
    """
    live: list[list[_Item]] = [[(0.0, ())] for _ in range(texts)]
    done: list[list[_Item]] = [[] for _ in range(texts)]
    margins: dict[int, tuple[_Item, float]] = {}  # by text, with the best chain that it is of
    for length in range(beam.longest + 1):
        widest = max(map(len, live))
        if widest == 0:
            break
        steps = np.full((texts, widest, length + 1), BEGIN, np.int64)
        for text, items in enumerate(live):
            for row, (_, numbers) in enumerate(items):
                steps[text, row, 1:] = numbers
        scores = decode(steps)
        longer: list[Iterator[_Item]] = []
        for text, items in enumerate(live):
            if length:
                done[text] += [
                    (score + float(scores[text, row, END]), numbers)
                    for row, (score, numbers) in enumerate(items)
                    if ends is None or ends(vocabulary.decode(numbers))
                ]
                done[text] = sorted(done[text], key=_order)[: beam.top]
            # A chain is never more probable than its beginning.
            least = done[text][-1][0] if len(done[text]) == beam.top else -np.inf
            if done[text]:
                best = done[text][0]
                if margin is not None and margins.get(text, ((),))[0] != best:
                    whole = ScoredChain(vocabulary.decode(best[1]), best[0])
                    margins[text] = best, margin(whole)
                _, below = margins.get(text, (best, beam.margin))
                least = max(least, best[0] - below)
            if length == beam.longest:
                longer.append(iter(()))
            else:
                longer.append(_longer(items, scores[text], least, vocabulary, follows))
        if exists is None:
            live = [_near(list(islice(some, beam.width)), beam.margin) for some in longer]
        else:
            live = _existing(longer, exists, vocabulary, beam)
    return [
        [ScoredChain(vocabulary.decode(numbers), score) for score, numbers in chains]
        for chains in done
    ]


def _longer(
    beam: Sequence[_Item],
    scores: Floats,
    least: float,
    vocabulary: Vocabulary[Token],
    follows: Callable[[tuple[Token, ...]], NDArray[np.bool_]] | None,
) -> Iterator[_Item]:
    """The chains of a beam with one more step, best first."""
    if not beam:
        return
    rows = sorted(range(len(beam)), key=lambda row: beam[row][1])  # a stable order of equals
    before = np.array([beam[row][0] for row in rows])
    ahead = before[:, None] + scores[rows, FIRST:].astype(np.float64)
    if follows is not None:
        allowed = [follows(vocabulary.decode(beam[row][1])) for row in rows]
        ahead = np.where(allowed, ahead, -np.inf)
    flat = ahead.ravel()
    places = np.flatnonzero(flat > least)  # few: a grammar allows a part of the steps
    for place in places[np.argsort(-flat[places], kind="stable")].tolist():
        row, step = divmod(place, ahead.shape[1])
        yield float(flat[place]), (*beam[rows[row]][1], FIRST + step)


def _near(items: list[_Item], margin: float) -> list[_Item]:
    """The items, best first, that are not much less probable than the first."""
    return [item for item in items if item[0] >= items[0][0] - margin]


def _existing(
    longer: Sequence[Iterator[_Item]],
    exists: Callable[[Sequence[tuple[int, tuple[Token, ...]]]], Sequence[bool]],
    vocabulary: Vocabulary[Token],
    beam: Beam,
) -> list[list[_Item]]:
    """The best candidates of each text that exist in the graph.

    Look-ups grow while fewer than ``top`` exist: in a graph of many relations the most
    probable ones may all be others than the topic's. Candidates far below the best one are
    looked up only where nothing better exists.
    """
    kept: list[list[_Item]] = [[] for _ in longer]
    waiting: list[list[_Item]] = [[] for _ in longer]
    best = [-inf] * len(longer)
    for turn in range(_TURNS):
        count = (beam.width + _SPARE) * 2**turn
        asked: list[tuple[int, _Item]] = []
        for text, items in enumerate(longer):
            if len(kept[text]) >= beam.top:
                continue
            some = waiting[text] + list(islice(items, count - len(waiting[text])))
            if some and best[text] == -inf:
                best[text] = some[0][0]
            near = [item for item in some if item[0] >= best[text] - beam.margin]
            now = near or ([] if kept[text] else some)
            waiting[text] = some[len(now) :]
            asked += [(text, item) for item in now]
        if not asked:
            break
        there = exists([(text, vocabulary.decode(numbers)) for text, (_, numbers) in asked])
        for (text, item), is_there in zip(asked, there, strict=True):
            if is_there:
                kept[text].append(item)
    return [found[: beam.width] for found in kept]


def _order(item: _Item) -> tuple[float, tuple[int, ...]]:
    return -item[0], item[1]
