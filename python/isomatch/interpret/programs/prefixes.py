"""Bounds a search to the prefixes of some programs, to weigh them by another model."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from isomatch.trained.alignment import Program
from isomatch.trained.program_vocabulary import ProgramVocabulary
from isomatch.trained.vocabulary import FIRST

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Prefixes:
    """Bounds a search to some programs."""

    def __init__(self, programs: Collection[Program], vocabulary: ProgramVocabulary):
        self._programs = frozenset(programs)
        self._width = len(vocabulary.steps)
        self._next: dict[Program, list[int]] = {}
        for program in self._programs:
            for at, symbol in enumerate(program):
                numbers = self._next.setdefault(program[:at], [])
                numbers.append(vocabulary.numbers[symbol] - FIRST)

    def follows(self, program: Program) -> NDArray[np.bool_]:
        """The tokens with which one of the programs goes on."""
        allowed = np.zeros(self._width, bool)
        allowed[self._next.get(program, [])] = True
        return allowed

    def whole(self, program: Program) -> bool:
        """Whether it is one of the programs."""
        return program in self._programs
