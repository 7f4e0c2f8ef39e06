"""Joins the parts of a question, shorter stretches before longer ones (CKY)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from heapq import nlargest
from math import inf

from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules import Rules

BEAM = 10  # meanings kept of each stretch
WHOLE = 40  # and of the question, of which many are no answer

Cell = list[Item]
_Key = tuple[object, ...]
"""What a meaning is, whatever the way to it: category, value, head."""


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
            for middle in range(start + 1, end):
                pairs = _pairs(chart[start, middle], chart[middle, end], _least(best, most))
                joined = [one for pair in pairs for one in rules.join(*pair, gaps[middle])]
                _add(best, joined)
                found += joined
            rest: list[Item] = []
            taken, skip = passed[start]
            if taken < size:
                rest += [_beside(item, skip) for item in chart[start + taken, end]]
            for place in range(start + 1, end):
                taken, skip = passed[place]
                if place + taken == end:
                    rest += [_beside(item, skip) for item in chart[start, place]]
            rest += [other for item in (*found, *rest) for other in rules.alone(item)]
            _add(best, rest)
            chart[start, end] = _kept(best, most)
    return chart.get((0, length), [])


def _beside(item: Item, skip: Item) -> Item:
    return replace(item, score=item.score + skip.score, spans=item.spans + skip.spans)


def _pairs(left: Cell, right: Cell, least: float) -> Iterator[tuple[Item, Item]]:
    """The pairs of two stretches that may be worth ``least``, which nothing that joins adds to."""
    for one in left:
        for other in right:
            if one.score + other.score < least:
                break  # those after it are worth no more
            yield one, other


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
