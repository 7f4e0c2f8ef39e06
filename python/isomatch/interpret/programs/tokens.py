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
from dataclasses import dataclass, replace
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
from isomatch.interpret.programs.tree import Tree, order, parse, step_of, value_step
from isomatch.schema.types import LITERAL
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
        written = sorted((self._set(p, slots, implied) for p in known or parts[:1]), key=order)
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
            if of.text in (slot.text, *(named.text for named in slot.variants)):
                return f"@{number}"
        raise PatternError("a name is not in the question")

    def read(self, program: Program, slots: Sequence[Slot]) -> Any:
        """The expression of a program.

        Raises:
            PatternError: it is none, or a name does not fit its place.
        """
        return _Reader(self._kinds, slots).root(parse(program))


class _Reader:
    """Reads trees of programs with the names of one question."""

    def __init__(self, kinds: GraphKinds, slots: Sequence[Slot]):
        self._kinds, self._slots = kinds, slots

    def root(self, tree: Tree) -> Any:
        symbol = tree.symbol
        if symbol == "count":
            return Count(self._set(tree.sets[0]))
        if symbol == "whether":
            return Whether(self._set(tree.sets[0]))
        for function in WORKED:
            if symbol == f"{function}:":
                step = self._step(tree.step)
                return Worked(function, self._set(tree.sets[0], self._kinds.ends(step)[0]), step)
        return self._set(tree)

    def _set(self, tree: Tree, wanted: Kinds = frozenset(), link: str = "") -> Any:
        """A set of members of some kinds, which the step ``link`` leads away from."""
        symbol = tree.symbol
        if symbol[0] == "@":
            return self._named(symbol, wanted, link)
        if symbol.startswith("type:"):
            id = symbol.removeprefix("type:")
            return OfType(id, self._kinds.of_type(id))
        if symbol.startswith("value:"):
            step, text = value_step(symbol)
            source, target = self._kinds.ends(step)
            return Along(Named(text, None, source, frozenset((step,))), step, target)
        if symbol in ("and", "not"):
            left, right = (self._set(one, wanted, link) for one in tree.sets)
            if symbol == "not":
                return Without(left, right, left.kinds)
            return Both(left, right, (left.kinds & right.kinds) or left.kinds or right.kinds)
        if tree.step:
            return self._chosen(tree)
        step = self._step(symbol)
        source, target = self._kinds.ends(step)
        return Along(self._set(tree.sets[0], source, symbol), step, target, symbol[0] == "~")

    def _chosen(self, tree: Tree) -> Any:
        """Those of a set that what they have at a step chooses."""
        step = self._step(tree.step)
        source, target = self._kinds.ends(step)
        of = self._set(tree.sets[-1], source)
        for operator in COMPARED:
            if tree.symbol == operator:
                return Compared(of, step, operator, (self._slot(tree.constant).text,), of.kinds)
        if tree.symbol not in ("max", "min", "most"):
            raise PatternError("what is worked out has no members")
        things = self._set(tree.sets[0], target) if tree.symbol == "most" else None
        return Extreme(of, step, tree.symbol != "min", of.kinds, things)

    def _step(self, symbol: str) -> Step:
        if symbol[0] not in "+-~":
            raise PatternError(f"{symbol} is no relation")
        return step_of(symbol)

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
        one = found[0]
        # "People called Mary", and the friends of all of them; values have no names.
        nodes = not any(kind.startswith(LITERAL) for kind in one.kinds)
        return replace(one, every=nodes and (not link or one.nodes > 1))


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


def _step(step: Step, either: bool = False) -> str:
    return f"{'~' if either else '-' if step.back else '+'}{step.relation}"


def _parts(of: Any) -> list[Any]:
    return [*_parts(of.left), *_parts(of.right)] if isinstance(of, Both) else [of]
