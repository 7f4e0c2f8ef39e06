"""Scores of what was retrieved: recall among the K best triples, and chains.

Sources:
    SubgraphRAG (Li et al. 2025), section 4.1: recall of triples and of answers among
    the K best triples.
    GSR (Huang et al. 2024), section 5: precision, recall and F1 of a retrieved
    subgraph are those of the answers that it holds.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass

from isomatch.evaluate.metrics import DEFAULT, Naming, score

CUTS = (10, 20, 50, 100, 200, 400)
"""The K of recall among the K best triples."""


def recall_at(ranked: Sequence[Hashable], wanted: Collection[Hashable]) -> dict[int, float]:
    """Share of the wanted triples among the K best, for each K of `CUTS`.

    Example:
        >>> recall_at(["t1", "t2"], {"t2", "t3"})[10]
        0.5
    """
    return {k: len(set(ranked[:k]).intersection(wanted)) / len(set(wanted)) for k in CUTS}


def answer_recall_at(
    ranked: Sequence[Collection[str]], answers: Iterable[str], naming: Naming = DEFAULT
) -> dict[int, float]:
    """Share of the right answers that are named in the K best triples.

    Args:
        ranked: names of the two ends of each triple, best triple first.
        answers: names of all right answers, at least one.
        naming: how names are compared.
    """
    right = set(naming.keys(answers))
    shares: dict[int, float] = {}
    seen: set[str] = set()
    before = 0
    for k in CUTS:
        seen.update(naming.key(name) for ends in ranked[before:k] for name in ends)
        shares[k] = len(right & seen) / len(right)
        before = k
    return shares


@dataclass(frozen=True, slots=True)
class ChainScore:
    """How retrieved chains compare with the gold one, and their ends with the answers.

    Attributes:
        hit_at_1, hit_at_3: the gold chain is the best, or among the best three; None
            where no gold chain is known.
        precision, recall, f1: of the nodes where the retrieved chains end, all
            together, against the right answers (GSR, table 1).
    """

    hit_at_1: bool | None
    hit_at_3: bool | None
    precision: float
    recall: float
    f1: float


def chain_score(
    chains: Sequence[Hashable],
    gold: Hashable | None,
    ends: Iterable[str],
    answers: Iterable[str],
    naming: Naming = DEFAULT,
) -> ChainScore:
    """Compare retrieved chains with what is known.

    Args:
        chains: best first, in any form in which equal chains are equal.
        gold: in the same form; None where it is not known.
        ends: names of the nodes where any of the chains ends.
        answers: names of all right answers.
        naming: how names are compared.
    """
    reached = score([list(ends)], answers, naming=naming)
    return ChainScore(
        hit_at_1=None if gold is None else gold in chains[:1],
        hit_at_3=None if gold is None else gold in chains[:3],
        precision=reached.precision,
        recall=reached.recall,
        f1=reached.f1,
    )
