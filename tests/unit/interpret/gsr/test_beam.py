"""The beam search beside the best of all chains there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from isomatch.chains.graph import Chain, Step
from isomatch.trained.beam import Beam, ScoredChain, search
from isomatch.trained.vocabulary import END, FIRST, StepVocabulary

WORDS = StepVocabulary(
    tuple(Step(r, back) for r in "ab" for back in (False, True)), ("a", "a", "b", "b")
)
LONGEST = 3
Scores = Callable[[int, tuple[int, ...]], NDArray[np.float64]]


def model(seed: int) -> Scores:
    """Log-probabilities that are random for each text and chain, and always the same."""

    def scores(text: int, numbers: tuple[int, ...]) -> NDArray[np.float64]:
        generator = np.random.default_rng([seed, text, *numbers])
        raw = 3 * generator.standard_normal(len(WORDS))
        raw[0] = -inf
        return np.asarray(raw - np.logaddexp.reduce(raw), np.float32).astype(np.float64)

    return scores


def decoder(scores: Scores) -> Callable[[NDArray[np.int64]], NDArray[np.float32]]:
    def decode(steps: NDArray[np.int64]) -> NDArray[np.float32]:
        rows = [
            [scores(text, tuple(int(n) for n in chain[1:])) for chain in chains]
            for text, chains in enumerate(steps)
        ]
        return np.asarray(rows, np.float32)

    return decode


def brute(
    scores: Scores, text: int, there: Callable[[Chain], bool]
) -> list[tuple[float, tuple[int, ...]]]:
    """Every chain whose beginnings all are in the graph, most probable first."""
    found = []
    for length in range(1, LONGEST + 1):
        for numbers in product(range(FIRST, len(WORDS)), repeat=length):
            if all(there(WORDS.decode(numbers[:i])) for i in range(1, length + 1)):
                steps = sum(scores(text, numbers[:i])[n] for i, n in enumerate(numbers))
                found.append((float(steps + scores(text, numbers)[END]), numbers))
    return sorted(found, key=lambda item: (-item[0], item[1]))


@given(st.integers(0, 10_000), st.integers(1, 3), st.floats(0.2, 1.0))
def test_a_wide_beam_finds_the_best_chains_of_all(seed: int, texts: int, share: float) -> None:
    scores = model(seed)
    asked = []

    def exists(chains: Sequence[tuple[int, Chain]]) -> list[bool]:
        asked.append(len(chains))
        return [there(text, chain) for text, chain in chains]

    def there(text: int, chain: Chain) -> bool:
        generator = np.random.default_rng([seed, text, *WORDS.encode(chain), 7])
        return bool(generator.random() < share)

    found = search(decoder(scores), WORDS, texts, Beam(200, 3, LONGEST, margin=inf), exists=exists)
    for text, chains in enumerate(found):
        best = brute(scores, text, lambda chain, text=text: there(text, chain))[:3]  # type: ignore[misc]
        assert [f.chain for f in chains] == [WORDS.decode(numbers) for _, numbers in best]
        assert [f.log_probability for f in chains] == pytest.approx(
            [score for score, _ in best], abs=1e-4
        )
    assert len(asked) <= LONGEST  # all texts together, once a step


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_a_narrow_beam_finds_some_of_them_best_first(seed: int, width: int) -> None:
    scores = model(seed)
    (found,) = search(decoder(scores), WORDS, 1, Beam(width, 3, LONGEST))
    all_chains = {WORDS.decode(n): s for s, n in brute(scores, 0, lambda chain: True)}
    assert found
    for f in found:
        assert f.log_probability == pytest.approx(all_chains[f.chain], abs=1e-4)
    ordered = [f.log_probability for f in found]
    assert ordered == sorted(ordered, reverse=True)


def test_what_follows_may_be_bounded() -> None:
    def only_forward(chain: Chain) -> NDArray[np.bool_]:
        return np.array([not step.back for step in WORDS.steps])

    (found,) = search(decoder(model(3)), WORDS, 1, Beam(200, 50), follows=only_forward)
    assert len(found) > 3
    assert not any(step.back for f in found for step in f.chain)


def sure(chain: Sequence[int]) -> Scores:
    """A model that is all but certain of one chain."""

    def scores(text: int, numbers: tuple[int, ...]) -> NDArray[np.float64]:
        raw = np.full(len(WORDS), -20.0)
        raw[FIRST] = -12.0
        right = numbers == tuple(chain[: len(numbers)])
        raw[(*chain, END)[len(numbers)] if right else END] = 0.0
        return raw

    return scores


def test_far_chains_are_not_asked_about() -> None:
    asked: list[Chain] = []

    def exists(chains: Sequence[tuple[int, Chain]]) -> list[bool]:
        asked.extend(chain for _, chain in chains)
        return [True] * len(chains)

    (found,) = search(decoder(sure([3, 4])), WORDS, exists=exists)
    assert found[0].chain == WORDS.decode([3, 4])
    assert asked == [WORDS.decode([3]), WORDS.decode([3, 4])]


@given(st.integers(0, 10_000), st.floats(0, 4))
def test_chains_far_below_a_whole_one_are_not_followed(seed: int, near: float) -> None:
    scores, asked, steps = model(seed), [], []
    wide = Beam(200, 200, LONGEST, margin=inf)

    def margin(best: ScoredChain[Chain]) -> float:
        asked.append(best)
        return near

    def decode(numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        steps.append(numbers.size)
        return decoder(scores)(numbers)

    (every,) = search(decode, WORDS, 1, wide)
    without = sum(steps)
    steps.clear()
    (found,) = search(decode, WORDS, 1, wide, margin=margin)
    least = every[0].log_probability - near
    assert [f for f in found if f.log_probability > least] == [
        f for f in every if f.log_probability > least
    ]
    assert asked[-1] == every[0]
    assert [f.log_probability for f in asked] == sorted(f.log_probability for f in asked)
    assert sum(steps) <= without
    assert near > 1 or len(found) < len(every)


def test_they_are_where_the_best_is_not_in_the_graph() -> None:
    def exists(chains: Sequence[tuple[int, Chain]]) -> list[bool]:
        return [chain[0] == WORDS.steps[0] for _, chain in chains]

    (found,) = search(decoder(sure([3, 4])), WORDS, exists=exists)
    assert found[0].chain == (WORDS.steps[0],)


def test_a_graph_of_many_relations_does_not_starve_the_beam() -> None:
    """All that the topic has is likely, and behind a hundred steps that are likelier."""
    many = StepVocabulary(
        tuple(Step(f"r{i}", back) for i in range(1000) for back in (False, True)), ("r",) * 2000
    )
    asked: list[int] = []

    def decode(steps: NDArray[np.int64]) -> NDArray[np.float32]:
        scores = np.linspace(-7.0, -8.0, len(many), dtype=np.float32)
        scores[:FIRST] = (-inf, -1.0)
        return np.broadcast_to(scores, (*steps.shape[:2], len(many)))

    def exists(chains: Sequence[tuple[int, Chain]]) -> list[bool]:
        asked.append(len(chains))
        return [chain[0].relation in ("r90", "r91") and len(chain) == 1 for _, chain in chains]

    (found,) = search(decode, many, exists=exists)
    assert [f.chain[0] for f in found] == [many.steps[180], many.steps[181], many.steps[182]]
    assert asked[:4] == [16, 32, 64, 128]


def test_nothing_is_found_where_nothing_exists() -> None:
    assert search(decoder(model(1)), WORDS, 2, exists=lambda c: [False] * len(c)) == [[], []]
