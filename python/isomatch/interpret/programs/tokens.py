"""Programs: what a question means, as the tokens that a trained model writes one by one.

A program is an expression of `isomatch.interpret.compose.expressions` in prefix notation:

    program  = set | "count" set | "whether" set | FUNCTION step set
    set      = "@k" | "type:ID" | "value:ID=TEXT" | step set | "and" set set | "not" set set
             | "max" step set | "min" step set | "most" step set set
             | OPERATOR step "@k" set
    step     = "+ID" | "-ID" | "~ID"

``@k`` is the k-th name or value of the question; ``value`` is what has a value that the
question says in other words, of a property with few values. A step says what a relation
leads to from a set: along its direction, against it, or either way. ``not``: the first set
less the second.
``max step set``: those of the set with the greatest value at the step; ``most step things
set``: those with the most of the things there.

A program has one spelling: a type that a relation implies is left out, and the parts of
``and`` are in the order of their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from isomatch.chains.graph import Step
from isomatch.errors import PatternError
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Count,
    Expression,
    Extreme,
    Named,
    OfType,
    Whether,
    Without,
    Worked,
)
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.trained.alignment import Program
from isomatch.trained.program_vocabulary import COMPARED, MOST_SLOTS, WORKED

MOST_VALUES = 25
"""How many values a property may have for a model to know each of them."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A name or value of a question.

    Attributes:
        start, end: its place in the question.
        text: as the graph has it.
        variants: the sets of nodes or values that it may stand for, the likeliest first.
        constant: whether values may be compared with it.
    """

    start: int
    end: int
    text: str
    variants: tuple[Named, ...] = ()
    constant: bool = False


class ProgramWriter:
    """Writes expressions as programs, and reads programs back, over one graph."""

    def __init__(self, kinds: GraphKinds):
        self._kinds = kinds

    def write(self, of: Expression | Whether | Worked, slots: Sequence[Slot]) -> Program | None:
        """The program of an expression; None where it has none.

        Args:
            slots: the names and values of the question; a name that is not there has none.
        """
        try:
            if isinstance(of, Count):
                return ("count", *self._set(of.of, slots, frozenset()))
            if isinstance(of, Whether):
                return ("whether", *self._set(of.of, slots, frozenset()))
            if isinstance(of, Worked):
                step, things = of.step, of.of
                if step is None and isinstance(things, Along):
                    step, things = things.step, things.of
                if step is None:
                    raise PatternError("programs work out the values of a relation")
                kinds = self._kinds.ends(step)[0]
                return (f"{of.function}:", _step(step), *self._set(things, slots, kinds))
            return self._set(of, slots, frozenset())
        except PatternError:
            return None

    def _set(self, of: Any, slots: Sequence[Slot], implied: Kinds) -> Program:
        """The tokens of a set whose members are of the kinds that its step implies."""
        if isinstance(of, Named):
            return (self._named(of, slots),)
        if isinstance(of, OfType):
            return (f"type:{of.type}",)
        if isinstance(of, Along):
            if isinstance(of.of, Named) and self._is_value(of.of, of.step, slots):
                return (f"value:{of.step.relation}={of.of.text}",)
            source = self._kinds.ends(of.step)[0]
            return (_step(of.step, of.either), *self._set(of.of, slots, source))
        if isinstance(of, Both):
            return self._both(of, slots, implied)
        if isinstance(of, Without):
            kept = self._set(of.of, slots, implied)
            return ("not", *kept, *self._set(of.less, slots, of.of.kinds))
        if isinstance(of, Extreme):
            end = self._kinds.ends(of.step)[0]
            inner = self._set(of.of, slots, end)
            if of.places != (0, 1):
                raise PatternError("programs have one greatest")
            if of.counted is None:
                return ("max" if of.descending else "min", _step(of.step), *inner)
            if not of.descending:
                raise PatternError("programs have no fewest")
            things = self._set(of.counted, slots, self._kinds.ends(of.step)[1])
            return ("most", _step(of.step), *things, *inner)
        if isinstance(of, Compared) and of.other is None and of.operator in COMPARED:
            value = next((k for k, s in enumerate(slots) if s.text == of.values[0]), None)
            if value is None or len(of.values) != 1:
                raise PatternError("a constant is not in the question")
            inner = self._set(of.of, slots, self._kinds.ends(of.step)[0])
            return (of.operator, _step(of.step), f"@{value}", *inner)
        raise PatternError("programs cannot say this")

    def _both(self, of: Both, slots: Sequence[Slot], implied: Kinds) -> Program:
        parts = list(_parts(of))
        others = [p for p in parts if not isinstance(p, OfType)]
        ends = [implied, *(p.kinds for p in others)]
        known = [
            part
            for part in parts
            if not isinstance(part, OfType)
            or not any(end and end <= self._kinds.of_type(part.type) for end in ends)
        ]
        written = sorted((self._set(p, slots, implied) for p in known or parts[:1]), key=_order)
        program = written[-1]
        for one in reversed(written[:-1]):
            program = ("and", *one, *program)
        return program

    def _is_value(self, of: Named, step: Step, slots: Sequence[Slot]) -> bool:
        """Whether it is one of the few values of a property, and not in the question."""
        few = self._kinds.schema.by_id[step.relation].objects <= MOST_VALUES
        values = step.back and self._kinds.gives_value(step.relation)
        return few and values and all(of.text != s.text for s in slots)

    def _named(self, of: Named, slots: Sequence[Slot]) -> str:
        for number, slot in enumerate(slots[:MOST_SLOTS]):
            if of.text == slot.text:
                return f"@{number}"
        raise PatternError("a name is not in the question")

    def read(self, program: Program, slots: Sequence[Slot]) -> Any:
        """The expression of a program.

        Raises:
            PatternError: it is none, or a name does not fit its place.
        """
        reader = _Reader(self._kinds, program, slots)
        found = reader.root()
        if not reader.done:
            raise PatternError("the program goes on after its end")
        return found


class _Reader:
    """Reads the tokens of one program."""

    def __init__(self, kinds: GraphKinds, program: Program, slots: Sequence[Slot]):
        self._kinds, self._tokens, self._slots = kinds, program, slots
        self._at = 0

    @property
    def done(self) -> bool:
        return self._at == len(self._tokens)

    def root(self) -> Any:
        first = self._tokens[0] if self._tokens else ""
        if first == "count":
            self._at = 1
            return Count(self._set(frozenset()))
        if first == "whether":
            self._at = 1
            return Whether(self._set(frozenset()))
        for function in WORKED:
            if first == f"{function}:":
                self._at = 1
                step = self._step()[0]
                return Worked(function, self._set(self._kinds.ends(step)[0]), step)
        return self._set(frozenset())

    def _next(self) -> str:
        if self.done:
            raise PatternError("the program has no end")
        self._at += 1
        return self._tokens[self._at - 1]

    def _set(self, wanted: Kinds, link: str = "") -> Any:
        """A set of members of some kinds, which the step ``link`` leads away from."""
        symbol = self._next()
        if symbol[0] == "@":
            return self._named(symbol, wanted, link)
        if symbol.startswith("type:"):
            id = symbol.removeprefix("type:")
            return OfType(id, self._kinds.of_type(id))
        if symbol.startswith("value:"):
            step, text = value_step(symbol)
            source, target = self._kinds.ends(step)
            return Along(Named(text, None, source, frozenset((step,))), step, target)
        if symbol == "and":
            left, right = self._set(wanted, link), self._set(wanted, link)
            return Both(left, right, (left.kinds & right.kinds) or left.kinds or right.kinds)
        if symbol == "not":
            of = self._set(wanted, link)
            return Without(of, self._set(wanted, link), of.kinds)
        if symbol in ("max", "min"):
            step = self._step()[0]
            of = self._set(self._kinds.ends(step)[0])
            return Extreme(of, step, symbol == "max", of.kinds)
        if symbol == "most":
            step = self._step()[0]
            things = self._set(self._kinds.ends(step)[1])
            of = self._set(self._kinds.ends(step)[0])
            return Extreme(of, step, True, of.kinds, things)
        if symbol in COMPARED:
            step, constant = self._step()[0], self._next()
            of = self._set(self._kinds.ends(step)[0])
            return Compared(of, step, symbol, (self._slot(constant).text,), of.kinds)
        self._at -= 1
        step, either = self._step()
        source, target = self._kinds.ends(step)
        return Along(self._set(source, symbol), step, target, either)

    def _step(self) -> tuple[Step, bool]:
        symbol = self._next()
        if symbol[0] not in "+-~":
            raise PatternError(f"{symbol} is no relation")
        return step_of(symbol), symbol[0] == "~"

    def _slot(self, symbol: str) -> Slot:
        number = int(symbol[1:])
        if number >= len(self._slots):
            raise PatternError("the question has no such name")
        return self._slots[number]

    def _named(self, symbol: str, wanted: Kinds, link: str) -> Named:
        """The set of a name that fits its place best."""
        found = fitting(self._slot(symbol), wanted, link)
        if not found:
            raise PatternError("the name does not fit its place")
        if link and len(found) > 1:
            raise PatternError("the name may be several things there")
        return found[0]


def step_of(symbol: str) -> Step:
    """The step of a token; of one that is taken either way, forward."""
    return Step(symbol[1:], symbol[0] == "-")


def value_step(symbol: str) -> tuple[Step, str]:
    """The step from the value of a ``value:`` token, and the value."""
    relation, _, text = symbol.removeprefix("value:").partition("=")
    return Step(relation, True), text


def may_meet(left: Kinds, right: Kinds) -> bool:
    """Whether two kinds may have common members; empty ones are not known."""
    return not left or not right or not left.isdisjoint(right)


def fitting(slot: Slot, wanted: Kinds, link: str) -> list[Named]:
    """What a name may stand for among things of some kinds, the likeliest first.

    Args:
        link: the token of the step that leads away from it; empty for none.
    """
    if not link:
        return [v for v in slot.variants if may_meet(wanted, v.kinds)]
    step = step_of(link)
    ways = {step, step.inverse} if link[0] == "~" else {step}
    return [v for v in slot.variants if not ways.isdisjoint(v.steps)]


def with_answer(program: Program, kinds: GraphKinds) -> Program:
    """A program with a further token for the types of its answers, of which words speak."""
    types = _answers(program, kinds) & kinds.type_texts.keys()
    return (*program, *(f"answer:{kind}" for kind in sorted(types)))


def _answers(program: Program, kinds: GraphKinds) -> Kinds:
    """The kinds of what a program gives, or counts; empty where they are not known."""
    first, *rest = program
    if first.startswith("type:"):
        return kinds.of_type(first.removeprefix("type:"))
    if first.startswith("value:"):
        return kinds.ends(value_step(first)[0])[1]
    if first[0] in "+-~":
        return kinds.ends(step_of(first))[1]
    if first in ("count", "whether", "not"):
        return _answers(tuple(rest), kinds)
    if first == "and":
        left, right = (_answers(member, kinds) for member in _two(tuple(rest)))
        return (left & right) or left or right
    if first in ("max", "min", "most", *COMPARED):
        things = tuple(rest[2:] if first in COMPARED else rest[1:])
        return _answers(_two(things)[1] if first == "most" else things, kinds)
    return frozenset()


def _two(programs: Program) -> tuple[Program, Program]:
    """Two sets that stand one behind the other."""
    end = _arranged(programs, 0)[1]
    return programs[:end], programs[end:]


def arranged(program: Program) -> Program:
    """The same program with the parts of each ``and`` in the order of their names."""
    found, end = _arranged(program, 0)
    if end != len(program):
        raise PatternError("the program goes on after its end")
    return found


def _arranged(program: Program, at: int) -> tuple[Program, int]:
    """The arranged set, or what is before one, that begins at a place; and where it ends."""
    symbol, start = program[at], at
    sets = 2 if symbol in ("and", "not", "most") else 1
    if symbol[0] == "@" or symbol.startswith(("type:", "value:")):
        return program[at : at + 1], at + 1
    at += 1
    if symbol in ("max", "min", "most", *COMPARED) or symbol[-1] == ":":
        at += 1 + (symbol in COMPARED)
    head, parts = program[start:at], []
    for _ in range(sets):
        part, at = _arranged(program, at)
        parts.append(part)
    if symbol != "and":
        return (*head, *(symbol for part in parts for symbol in part)), at
    members = sorted((m for part in parts for m in _members(part)), key=_order)
    joined = members[-1]
    for one in reversed(members[:-1]):
        joined = ("and", *one, *joined)
    return joined, at


def _members(program: Program) -> list[Program]:
    """The parts of an arranged ``and``; any other program alone."""
    if program[0] != "and":
        return [program]
    first, at = _arranged(program, 1)
    return [first, *_members(_arranged(program, at)[0])]


def slots_of(program: Program) -> set[int]:
    """The numbers of the names and values that a program has."""
    return {int(symbol[1:]) for symbol in program if symbol[0] == "@"}


def _step(step: Step, either: bool = False) -> str:
    return f"{'~' if either else '-' if step.back else '+'}{step.relation}"


def _parts(of: Any) -> list[Any]:
    return [*_parts(of.left), *_parts(of.right)] if isinstance(of, Both) else [of]


def _order(program: Program) -> tuple[int, Program]:
    return min(slots_of(program), default=MOST_SLOTS), program
