"""The chart leaves out joins that cannot be kept, and finds what all of them give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, inf, sin
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from isomatch.interpret.compose.chart import BEAM, WHOLE, _add, _beside, _kept, _Key, parse
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules.all import Rules

Scores = st.lists(st.integers(-9, 0), min_size=1, max_size=14)


class _Joined:
    """Rules that join any two meanings to one or two, at costs that these give, and count them."""

    def __init__(self) -> None:
        self.joins = 0

    def join(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        self.joins += 1
        mixed = (7 * cast(int, left.value) + 3 * cast(int, right.value)) % 23
        for value, cost in ((mixed, mixed % 4), (mixed + 1, mixed % 3)):
            # So that no two meanings are worth the same: of equals, any may be kept.
            pair = 31 * cast(int, left.value) + 17 * cast(int, right.value) + 1000 * left.score
            rest = 0.01 * (1 + sin(value + pair))
            yield Item("set", value, left.score + right.score - cost - rest, -1)

    def alone(self, item: Item) -> Iterator[Item]:
        if cast(int, item.value) % 5 == 0:
            yield Item("answer", item.value, item.score - 1, -1)


def _all_joined(leaves: Sequence[Sequence[Item]], skips: Sequence[Item], rules: Any) -> list[Item]:
    """`parse`, of all pairs of all meanings."""
    chart: dict[tuple[int, int], list[Item]] = {}
    for size in range(1, len(leaves) + 1):
        for start in range(len(leaves) - size + 1):
            end = start + size
            found = [*leaves[start]] if size == 1 else []
            for middle in range(start + 1, end):
                for left in chart[start, middle]:
                    for right in chart[middle, end]:
                        found += rules.join(left, right, ())
            if size > 1:
                found += _beside(chart[start + 1, end], skips[start], -inf)
                found += _beside(chart[start, end - 1], skips[end - 1], -inf)
            found += [other for item in found for other in rules.alone(item)]
            best: dict[_Key, Item] = {}
            _add(best, found)
            chart[start, end] = _kept(best, WHOLE if size == len(leaves) else BEAM)
    return chart[0, len(leaves)]


@given(st.lists(Scores, min_size=2, max_size=5))
def test_what_is_left_out_would_not_be_kept(scores: list[list[int]]) -> None:
    leaves = [
        [Item("set", v := 20 * place + n, score + 0.01 * cos(v)) for n, score in enumerate(some)]
        for place, some in enumerate(scores)
    ]
    skips = [Item("set", None, -2.0) for _ in leaves]
    rules, every = _Joined(), _Joined()
    found = parse(
        len(leaves),
        {(place, place + 1): some for place, some in enumerate(leaves)},
        {place: (1, skip) for place, skip in enumerate(skips)},
        [()] * len(leaves),
        cast(Rules, rules),
    )
    expected = _all_joined(leaves, skips, every)
    assert [item.score for item in found] == [item.score for item in expected]
    least = expected[-1].score if len(expected) == WHOLE else -inf  # of equals any may be last
    kept = [{(i.category, i.value) for i in some if i.score > least} for some in (found, expected)]
    assert kept[0] == kept[1]
    assert rules.joins <= every.joins


def test_joins_are_left_out() -> None:
    rules = _Joined()
    leaves = [[Item("set", n, -float(n)) for n in range(10)] for _ in range(6)]
    parse(
        6,
        {(place, place + 1): some for place, some in enumerate(leaves)},
        {place: (1, Item("set", None, -2.0)) for place in range(6)},
        [()] * 6,
        cast(Rules, rules),
    )
    assert rules.joins < 35 * 100  # as many pairs of neighbours, of ten meanings each
