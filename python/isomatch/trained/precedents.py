"""Questions that were learnt from, to tell whether a program was meant by one that is like it.

A decoder is no surer of a question that it was taught in nearly the same words than of one that
only looks like it. Which questions were near, and what they meant, says more (after deep k-nearest
neighbours, Papernot and McDaniel 2018).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.errors import ArtifactError
from isomatch.trained.alignment import OLDER, Program
from isomatch.trained.masking import heard

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAREST = 5
LIKE = 0.5
"""Cosine from which a question is like another."""
MOST = 20_000
"""Questions that are kept."""
_NAME = re.compile(r"\[\d+ ([^\]]*)\]")


@dataclass(frozen=True)
class Precedents:
    """Masked questions, each with its program."""

    texts: Sequence[str] = ()
    programs: Sequence[Program] = ()

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, Program]]) -> Precedents:
        """Those of some pairs of masked question and program, each once."""
        kept = list(dict.fromkeys(pairs))[:MOST]
        return cls(tuple(text for text, _ in kept), tuple(program for _, program in kept))

    def near(self, text: str) -> list[tuple[str, Program]]:
        """The questions that are like a masked one, with their programs, nearest first."""
        if not self.texts:
            return []
        likeness = np.zeros(len(self.texts))
        for feature, weight in self._weighed(_features(text)).items():
            if feature in self._places:
                places, weights = self._places[feature]
                likeness[places] += weight * weights
        best = np.argsort(-likeness, kind="stable")[:NEAREST]
        return [(self.texts[n], self.programs[n]) for n in map(int, best) if likeness[n] >= LIKE]

    def form(self) -> dict[str, Any]:
        """As JSON."""
        programs = list(dict.fromkeys(self.programs))
        numbers = {program: number for number, program in enumerate(programs)}
        pairs = zip(self.texts, self.programs, strict=True)
        return {
            "programs": [list(program) for program in programs],
            "questions": [[text, numbers[program]] for text, program in pairs],
        }

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> Precedents:
        """What `form` wrote.

        Raises:
            ArtifactError: it is damaged.
        """
        try:
            programs = [tuple(map(str, program)) for program in form["programs"]]
            pairs = [(str(text), programs[int(number)]) for text, number in form["questions"]]
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ArtifactError(OLDER) from error
        return cls.of(pairs)

    @cached_property
    def _every(self) -> list[list[str]]:
        return [_features(text) for text in self.texts]

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """The logarithm of how rare each feature is."""
        counts = Counter(feature for features in self._every for feature in features)
        return {f: log((len(self.texts) + 1) / (n + 0.5)) for f, n in counts.items()}

    @cached_property
    def _places(self) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """For each feature the questions that have it, with its weight in each."""
        found: dict[str, list[tuple[int, float]]] = {}
        for number, features in enumerate(self._every):
            for feature, weight in self._weighed(features).items():
                found.setdefault(feature, []).append((number, weight))
        return {
            feature: (np.array([n for n, _ in of]), np.array([weight for _, weight in of]))
            for feature, of in found.items()
        }

    def _weighed(self, features: Sequence[str]) -> dict[str, float]:
        """Features with their rarity, as a vector of length 1."""
        new = log(2 * len(self.texts) + 2)
        rarity = {feature: self._rarity.get(feature, new) for feature in features}
        length = sqrt(sum(weight * weight for weight in rarity.values())) or 1.0
        return {feature: weight / length for feature, weight in rarity.items()}


def _features(text: str) -> list[str]:
    """The words of a masked question, with what its names are, and each pair of neighbours."""
    kinds = [match[1] for match in _NAME.finditer(text)]
    names = iter(kinds)
    words = [next(names, word) if word[0] == "@" else word for word in heard(text)]
    return list(dict.fromkeys([*words, *map(" ".join, pairwise(("^", *words, "$")))]))
