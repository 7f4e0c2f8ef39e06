"""Score_h of SubgraphRAG (Li et al. 2025), appendix C: how far answers are true and grounded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from statistics import fmean

# Bounds of Score_h of one question: every answer is invented, or every answer is right.
WORST, BEST = -1.5, 1.0


def grounding(
    found: Sequence[str],
    right: Collection[str],
    *,
    answerable: bool,
    retrieved: Collection[str] = (),
) -> float:
    """One question's part of Score_h: ``s / a`` of SubgraphRAG, appendix C.

    Where the graph holds an answer, a right answer counts 1, a wrong one -1, and no
    answer 0. Where it holds none, no answer counts 1, an answer that was retrieved -1,
    and any other -1.5. The sum is divided by the number of answers given.
    """
    if not found:
        return 0.0 if answerable else 1.0
    if answerable:
        return sum(1 if name in right else -1 for name in found) / len(found)
    return sum(-1.0 if name in retrieved else WORST for name in found) / len(found)


def score_h(grounded: Sequence[float]) -> float:
    """Score_h of a set, 0 to 100: the mean of `grounding`, from [-1.5, 1] to [0, 100].

    The paper says "min-max normalization" and not between which bounds. Those of a
    single question are the only ones that its tables allow: 63.45 beside a Hit of
    11.43 (table 7) would be a mean of 0.27 over [-1, 1], which that few hits cannot give.

    Example:
        >>> score_h([1.0, -1.5])
        50.0
    """
    return 100 * (fmean(grounded) - WORST) / (BEST - WORST) if grounded else 0.0
