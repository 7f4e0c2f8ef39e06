"""Which tokens may follow the beginning of a program: its grammar, and the graph's types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.programs.tokens import Slot, fitting, may_meet
from isomatch.interpret.programs.tree import (
    is_vacuous,
    kinds_of,
    parse,
    shape_of,
    step_of,
    value_step,
)
from isomatch.trained.alignment import Program
from isomatch.trained.program_vocabulary import COMPARED, WORKED, ProgramVocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORKED = {f"{function}:" for function in WORKED}
MOST_OPEN = 6
"""How many sets may be begun and not ended; deeper programs are hardly meant."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What comes next: a set with members of some kinds, a step to values, or a constant.

    Attributes:
        what: ``root``, ``set``, ``value step`` (to a value that has an order), ``step``, or
            ``constant``.
        kinds: of the members of a set; empty for any.
        step: that leads to the set, if one does.
        beside: where in the program the set begins that it has common members with; -1 for none.
    """

    what: str
    kinds: Kinds = frozenset()
    step: str = ""
    beside: int = -1


class Grammar:
    """The tokens that may follow, for the questions of one graph.

    Args:
        kinds: of the graph.
        vocabulary: the model's tokens.
    """

    def __init__(self, kinds: GraphKinds, vocabulary: ProgramVocabulary):
        self._kinds = kinds
        self._vocabulary = vocabulary
        # What depends on the names of the question; all else is kept.
        numbered = list(enumerate(vocabulary.steps))
        self._slots = [(n, int(symbol[1:])) for n, symbol in numbered if symbol[0] == "@"]
        self._compared = [n for n, symbol in numbered if symbol in COMPARED]
        self._state = lru_cache(100_000)(self._read)
        self._fits = lru_cache(10_000)(self._allowed)
        self._asks = lru_cache(10_000)(self._asks_for_more)

    def follows(self, program: Program, slots: Sequence[Slot]) -> NDArray[np.bool_]:
        """Which tokens of the vocabulary may come next; none where the program is whole."""
        state = self._state(program)
        if not state:
            return np.zeros(len(self._vocabulary.steps), bool)
        allowed: NDArray[np.bool_] = np.array(self._fits(state[-1], len(state) < MOST_OPEN))
        wanted = state[-1]
        for number, place in self._slots:
            allowed[number] = place < len(slots) and self._names(slots[place], wanted)
        if not any(slot.constant for slot in slots):
            allowed[self._compared] = False
        return allowed

    def whole(self, program: Program) -> bool:
        """Whether a program may end here."""
        return bool(program) and not self._state(program) and self._asks(program)

    def _asks_for_more(self, program: Program) -> bool:
        """Whether a program does not ask for a value that it gives."""
        return not is_vacuous(parse(program), self._kinds)

    def _read(self, program: Program) -> tuple[_Wanted, ...]:
        """What is still wanted after the tokens, the next one last."""
        if not program:
            return (_Wanted("root"),)
        state = self._state(program[:-1])
        wanted, symbol = state[-1], program[-1]
        state = (*state[:-1], *self._opened(symbol, wanted, program))
        if state and state[-1].beside >= 0:  # the first of two sets has ended
            first = kinds_of(parse(program[state[-1].beside :]), self._kinds)
            kinds = (state[-1].kinds & first) or first or state[-1].kinds
            return (*state[:-1], _Wanted("set", kinds, state[-1].step))
        return state

    def _opened(self, symbol: str, wanted: _Wanted, program: Program) -> Sequence[_Wanted]:
        """What a token asks for, in reversed order."""
        shape = shape_of(symbol)
        if symbol in ("count", "whether"):
            return (_Wanted("set"),)
        if shape.step:
            return (_Wanted("step" if symbol == "most" else "value step", wanted.kinds),)
        if shape.sets == 2:  # both of the same kinds
            first = _Wanted("set", wanted.kinds, wanted.step)
            return (replace(first, beside=len(program)), first)
        if not shape.sets:
            return ()
        source, target = self._kinds.ends(step_of(symbol))
        before = program[-2] if len(program) > 1 else ""
        if wanted.what in ("step", "value step"):
            of = _Wanted("set", source & wanted.kinds or source)
            if before == "most":
                return (of, _Wanted("set", target))
            return (of, _Wanted("constant")) if shape_of(before).constant else (of,)
        return (_Wanted("set", source, symbol),)

    def _allowed(self, wanted: _Wanted, opens: bool) -> NDArray[np.bool_]:
        """The tokens that fit, but for names."""
        return np.array([self._is_allowed(t, wanted, opens) for t in self._vocabulary.steps])

    def _is_allowed(self, symbol: str, wanted: _Wanted, opens: bool) -> bool:
        if symbol[0] == "@" or wanted.what == "constant":
            return False
        if wanted.what in ("step", "value step"):
            return self._has(symbol, wanted.kinds, to_value=wanted.what == "value step")
        if symbol in ("count", "whether") or symbol in _WORKED:
            return wanted.what == "root"
        if symbol in ("and", "not"):
            return opens
        if symbol in ("max", "min", "most", *COMPARED):
            steps = self._vocabulary.steps
            value = symbol != "most"
            return opens and any(self._has(s, wanted.kinds, to_value=value) for s in steps)
        if symbol.startswith("type:"):
            return may_meet(self._kinds.of_type(symbol.removeprefix("type:")), wanted.kinds)
        step = value_step(symbol)[0] if symbol.startswith("value:") else step_of(symbol)
        return self._kinds.knows(step) and may_meet(self._kinds.ends(step)[1], wanted.kinds)

    def _has(self, symbol: str, kinds: Kinds, *, to_value: bool) -> bool:
        """Whether a token is a step that things of these kinds have, one way only."""
        if symbol[0] not in "+-" or not self._kinds.knows(step_of(symbol)):
            return False
        ordered = symbol[0] == "+" and self._kinds.gives_value(symbol[1:])
        return may_meet(self._kinds.ends(step_of(symbol))[0], kinds) and (ordered or not to_value)

    def _names(self, slot: Slot, wanted: _Wanted) -> bool:
        if wanted.what == "constant":
            return slot.constant
        if wanted.what not in ("set", "root"):
            return False
        return bool(fitting(slot, wanted.kinds, wanted.step))
