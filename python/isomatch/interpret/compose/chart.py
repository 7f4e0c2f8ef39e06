"""Joins the parts of a question, shorter stretches before longer ones (CKY)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from heapq import nlargest
from math import inf
from typing import NamedTuple

from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules.all import Rules

BEAM = 8  # meanings kept of each stretch
WHOLE = 40  # and of the question, of which many are no answer
TOGETHER = 8  # pairs that are joined before the worst meaning that is kept is looked for again

Cell = list[Item]
_Key = tuple[object, ...]
"""What a meaning is, whatever the way to it: category, value, head."""


class _Pair(NamedTuple):
    """Two meanings beside each other.

    Attributes:
        score: of both.
        middle: the place where the second begins.
    """

    score: float
    middle: int
    left: Item
    right: Item


def parse(
    length: int,
    leaves: Mapping[tuple[int, int], Sequence[Item]],
    passed: Mapping[int, tuple[int, Item]],
    gaps: Sequence[Sequence[str]],
    rules: Rules,
    barred: Set[tuple[int, int]] = frozenset(),
) -> list[Item]:
    """The meanings of a whole question, best first.

    Args:
        length: number of places.
        leaves: what single words may be, by their places (start, end).
        passed: by place, how many places on may be passed over, and what is lost by it.
        gaps: for each place, the function words before it that are no places.
        rules: what joins what.
        barred: the stretches (start, end) that have no meaning of their own.
    """
    chart: dict[tuple[int, int], Cell] = {}
    for size in range(1, length + 1):
        for start in range(length - size + 1):
            end = start + size
            if (start, end) in barred:
                chart[start, end] = []
                continue
            most = WHOLE if size == length else BEAM
            found, best = [*leaves.get((start, end), ())], dict[_Key, Item]()
            _add(best, found)
            pairs = _pairs(chart, start, end)
            for first in range(0, len(pairs), TOGETHER):
                least = _least(best, most)
                if pairs[first].score < least:
                    break
                joined = [
                    one
                    for pair in pairs[first : first + TOGETHER]
                    if pair.score >= least
                    for one in rules.join(pair.left, pair.right, gaps[pair.middle])
                ]
                _add(best, joined)
                found += joined
            least = _least(best, most)
            rest: list[Item] = []
            taken, skip = passed[start]
            if taken < size:
                rest += _beside(chart[start + taken, end], skip, least)
            for place in range(start + 1, end):
                taken, skip = passed[place]
                if place + taken == end:
                    rest += _beside(chart[start, place], skip, least)
            some = [item for item in (*found, *rest) if item.score >= least]
            rest += [other for item in some for other in rules.alone(item)]
            _add(best, rest)
            chart[start, end] = _kept(best, most)
    return chart.get((0, length), [])


def _beside(items: Cell, skip: Item, least: float) -> list[Item]:
    """The meanings beside words that are passed over, if they may be worth ``least`` then."""
    return [
        replace(item, score=score, spans=item.spans + skip.spans)
        for item in items
        if (score := item.score + skip.score) >= least
    ]


def _pairs(chart: Mapping[tuple[int, int], Cell], start: int, end: int) -> list[_Pair]:
    """What may join to a stretch, best first: what joins is worth no more than both."""
    pairs = [
        _Pair(one.score + other.score, middle, one, other)
        for middle in range(start + 1, end)
        for one in chart[start, middle]
        for other in chart[middle, end]
    ]
    return sorted(pairs, key=lambda pair: pair.score, reverse=True)


def _least(best: Mapping[_Key, Item], most: int) -> float:
    """What a meaning has to be worth to be kept beside those that were found."""
    return _kept(best, most)[-1].score if len(best) >= most else -inf


def _add(best: dict[_Key, Item], found: Iterable[Item]) -> None:
    """Add meanings to the best ways to each."""
    for item in found:
        key = (item.category, item.value, item.head)
        if key not in best or best[key].score < item.score:
            best[key] = item


def _kept(best: Mapping[_Key, Item], most: int) -> Cell:
    """The best meanings, best first."""
    return nlargest(most, best.values(), key=lambda item: item.score)
