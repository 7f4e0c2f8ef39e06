"""Alignment: the dynamic program finds what trying everything finds."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isomatch.lexicon.language import default_language
from isomatch.lexicon.rank import EXPLAINED, IDLE, Alignment, Stretch, gains, stretches

WORDS = default_language().function_words


def test_stretches_lie_on_one_side_and_begin_with_content() -> None:
    found = stretches("what are the languages of the films by", "in 1995", WORDS)
    texts = {(p.text, p.right, p.near, p.far) for p in found}
    assert ("films by", False, 0, 2) in texts
    assert ("languages of the films", False, 1, 5) in texts
    assert ("1995", True, 1, 2) in texts
    assert not any(text.startswith(("the ", "of ", "what ")) for text, *_ in texts)


def test_gains_weigh_likeness_and_what_is_explained() -> None:
    gained = gains(np.array([[1.0, 0.5]], np.float32), np.array([0.0, 2.0], np.float32))
    np.testing.assert_allclose(gained, [[1 - IDLE, 0.5 - IDLE + 2 * EXPLAINED]], rtol=1e-6)


def brute(parts: list[Stretch], rows: list[list[float]]) -> float:
    """Every assignment of hops to stretches, or to none, that goes outward on each side."""
    best = -IDLE * len(rows)
    for chosen in product([None, *range(len(parts))], repeat=len(rows)):
        reach = {False: 0, True: 0}
        total = 0.0
        for hop, number in enumerate(chosen):
            if number is None:
                total -= IDLE
                continue
            part = parts[number]
            if part.near < reach[part.right]:
                break
            reach[part.right] = part.far
            total += rows[hop][number]
        else:
            best = max(best, total)
    return best


GAIN = st.floats(-1, 1, width=32)


@given(
    st.sampled_from(["", "red", "red blue", "red blue green"]),
    st.sampled_from(["", "red", "red blue"]),
    st.integers(1, 3),
    st.data(),
)
def test_the_tables_find_the_best_assignment(
    before: str, after: str, hops: int, data: st.DataObject
) -> None:
    parts = stretches(before, after, WORDS)
    rows = [
        data.draw(st.lists(GAIN, min_size=len(parts), max_size=len(parts))) for _ in range(hops)
    ]
    alignment = Alignment(parts)
    tables = alignment.start()
    for row in rows:
        tables = alignment.extend(tables, [0], np.array([row], np.float32))
    np.testing.assert_allclose(alignment.scores(tables), [brute(parts, rows)], atol=1e-5)
