"""What is changed in a graph, and the facts as numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Protocol

from isomatch.errors import ConfigurationError
from isomatch.seed import SEED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.int64]
    Floats = NDArray[np.float32]

METHODS = {
    "RS": "relation swapping: two facts exchange their relations",
    "RR": "relation replacement: a fact gets the relation that fits it least",
    "ER": "edge rewiring: a fact gets another target, which is no neighbour of its source",
    "ED": "edge deletion: a fact is deleted",
}
"""The four methods of OKGQA-P (Sui and Hooi 2025, section 3.2; Raman et al. 2020)."""


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A change of a graph.

    Attributes:
        method: a key of `METHODS`.
        level: share of the facts that are changed, 0 to 1.
        seed: of all random choices. With one seed, what a lower level changes a higher
            one changes too.

    Raises:
        ConfigurationError: an unknown method, or a level that is no share.

    Example:
        >>> str(Perturbation.parse("rs:0.20"))
        'RS:0.2'
    """

    method: str
    level: float
    seed: int = SEED

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            near = get_close_matches(self.method.upper(), METHODS, 1, 0.5)
            hint = f"did you mean {near[0]}? " if near else ""
            raise ConfigurationError(
                f"no perturbation is called {self.method!r}; {hint}there are "
                + ", ".join(
                    f"{name} ({words.partition(':')[0]})" for name, words in METHODS.items()
                )
            )
        if not 0 <= self.level <= 1:  # nor is NaN
            raise ConfigurationError(
                f"the level of a perturbation is a share of the facts, from 0 to 1, not "
                f"{self.level:g}"
            )

    @classmethod
    def parse(cls, text: str, seed: int = SEED) -> Perturbation:
        """A perturbation as it is written: ``RS:0.2``.

        Raises:
            ConfigurationError: the text has another form, method or level.
        """
        found = parse_all([text], seed)
        if len(found) != 1:
            raise ConfigurationError(f"{text!r} is several perturbations, and one is needed")
        return found[0]

    def __str__(self) -> str:
        return f"{self.method}:{self.level:.12g}"


def parse_all(texts: Iterable[str], seed: int = SEED) -> tuple[Perturbation, ...]:
    """Perturbations as they are written, each once, in order.

    Args:
        texts: each with methods and levels: ``RS,RR:0.1,0.3`` is four.

    Raises:
        ConfigurationError: a text has another form, method or level.

    Example:
        >>> [str(one) for one in parse_all(["RS,ED:0.1,0.3", "RS:0.1"])]
        ['RS:0.1', 'RS:0.3', 'ED:0.1', 'ED:0.3']
    """
    found: dict[Perturbation, None] = {}
    for text in texts:
        methods, colon, levels = text.partition(":")
        if not colon:
            raise ConfigurationError(
                f"{text!r} is no perturbation: expected a method and a level, such as RS:0.2 or "
                "RS,RR:0.1,0.3"
            )
        for method in methods.split(","):
            for level in levels.split(","):
                found[Perturbation(method.strip().upper(), _number(level, text), seed)] = None
    return tuple(found)


def _number(level: str, text: str) -> float:
    try:
        value = float(level)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise ConfigurationError(
            f"{text!r}: the level {level.strip()!r} is no number from 0 to 1"
        ) from None
    return value


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a graph, each once, as places in lists of nodes and relations.

    Attributes:
        heads, links, tails: source, relation and target of each, shape (facts,).
        kinds: of each node, shape (nodes,): things have one kind, values one for each
            datatype.
        relations: how many there are.
    """

    heads: Places
    links: Places
    tails: Places
    kinds: Places
    relations: int

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def nodes(self) -> int:
        """How many there are, with those of no fact."""
        return len(self.kinds)


class Predictor(Protocol):
    """Says how likely facts are, by the graph that it was trained on."""

    def scores(self, heads: Places, links: Places, tails: Places) -> Floats:
        """The probability of each fact, shape (facts,)."""

    def by_relation(self, heads: Places, tails: Places) -> Floats:
        """The probability of each relation between two nodes, shape (pairs, relations)."""
