"""Programs as trees: what stands behind each token, and what kinds of things it gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from isomatch.chains.graph import Step
from isomatch.errors import PatternError
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.trained.alignment import OPERATORS, Program
from isomatch.trained.program_vocabulary import COMPARED, MOST_SLOTS, WORKED

THING = "thing:"
"""Begins a token that says of what type something is, which a program need not say."""


_NAMED = re.compile(r"\[(\d+) [^\]]*\]")


class Shape(NamedTuple):
    """What stands behind a token: a step and a constant, or neither, then some sets."""

    step: bool
    constant: bool
    sets: int


_NAME, _OF_ONE, _OF_TWO = Shape(False, False, 0), Shape(False, False, 1), Shape(False, False, 2)
_SHAPES = {
    "count": _OF_ONE,
    "whether": _OF_ONE,
    "and": _OF_TWO,
    "not": _OF_TWO,
    "max": Shape(True, False, 1),
    "min": Shape(True, False, 1),
    "most": Shape(True, False, 2),
    **{operator: Shape(True, True, 1) for operator in COMPARED},
    **{f"{function}:": Shape(True, False, 1) for function in WORKED},
}


def shape_of(symbol: str) -> Shape:
    """What stands behind a token."""
    if symbol[0] == "@" or symbol.startswith(("type:", "value:")):
        return _NAME
    return _SHAPES.get(symbol, _OF_ONE)


@dataclass(frozen=True, slots=True)
class Tree:
    """A token with what stands behind it.

    Attributes:
        step, constant: tokens; empty for none.
    """

    symbol: str
    step: str = ""
    constant: str = ""
    sets: tuple[Tree, ...] = ()

    @property
    def program(self) -> Program:
        """All tokens."""
        own = (self.symbol, self.step, self.constant)
        behind = (token for one in self.sets for token in one.program)
        return (*(token for token in own if token), *behind)

    def all(self) -> Iterator[Tree]:
        """It and every tree in it."""
        yield self
        for one in self.sets:
            yield from one.all()


def parse(program: Program) -> Tree:
    """The tree of a program.

    Raises:
        PatternError: it ends too early, or goes on after its end.
    """
    tree, end = _parse(program, 0)
    if end != len(program):
        raise PatternError("the program goes on after its end")
    return tree


def _parse(program: Program, at: int) -> tuple[Tree, int]:
    """The tree that begins at a place, and where it ends."""
    before = at
    shape = shape_of(program[at]) if at < len(program) else Shape(True, True, 0)
    at += 1 + shape.step + shape.constant
    if at > len(program):
        raise PatternError("the program has no end")
    symbol, step, constant = (*program[before:at], "", "")[:3]
    sets: list[Tree] = []
    for _ in range(shape.sets):
        one, at = _parse(program, at)
        sets.append(one)
    return Tree(symbol, step, constant, tuple(sets)), at


def arranged(program: Program) -> Program:
    """The same program with the parts of each ``and`` in the order of their names."""
    return _arranged(parse(program)).program


def _arranged(tree: Tree) -> Tree:
    sets = tuple(map(_arranged, tree.sets))
    if tree.symbol != "and":
        return Tree(tree.symbol, tree.step, tree.constant, sets)
    members = sorted((m for one in sets for m in _members(one)), key=lambda m: order(m.program))
    joined = members[-1]
    for one in reversed(members[:-1]):
        joined = Tree("and", sets=(one, joined))
    return joined


def _members(tree: Tree) -> list[Tree]:
    """The parts of an arranged ``and``; any other tree alone."""
    return [m for one in tree.sets for m in _members(one)] if tree.symbol == "and" else [tree]


def order(program: Program) -> tuple[int, Program]:
    """The key by which the parts of ``and`` are sorted."""
    return min(slots_of(program), default=MOST_SLOTS), program


def slots_of(program: Program) -> set[int]:
    """The numbers of the names and values that a program has."""
    return {int(symbol[1:]) for symbol in program if symbol[0] == "@"}


def step_of(symbol: str) -> Step:
    """The step of a token; of one that is taken either way, forward."""
    return Step(symbol[1:], symbol[0] == "-")


def value_step(symbol: str) -> tuple[Step, str]:
    """The step from the value of a ``value:`` token, and the value."""
    relation, _, text = symbol.removeprefix("value:").partition("=")
    return Step(relation, True), text


def kinds_of(tree: Tree, kinds: GraphKinds) -> Kinds:
    """The kinds of what a program gives, or counts; empty where they are not known."""
    symbol = tree.symbol
    if symbol[0] == "@":
        return frozenset()
    if symbol.startswith("type:"):
        return kinds.of_type(symbol.removeprefix("type:"))
    if symbol.startswith("value:"):
        return kinds.ends(value_step(symbol)[0])[1]
    if symbol[0] in "+-~":
        return kinds.ends(step_of(symbol))[1]
    if symbol == "and":
        left, right = (kinds_of(one, kinds) for one in tree.sets)
        return (left & right) or left or right
    if symbol == "most":
        return kinds_of(tree.sets[1], kinds)
    return kinds_of(tree.sets[0], kinds) if symbol[-1] != ":" else frozenset()


def with_things(program: Program, kinds: GraphKinds) -> Program:
    """A program with a further token for each type of what it goes through, of which words speak.

    "The crimes at [0 address]": no token of ``-occurred at @0`` says that these are crimes.
    """
    found = {kind for one in parse(program).all() for kind in kinds_of(one, kinds)}
    return (*program, *(f"{THING}{kind}" for kind in sorted(found & kinds.type_texts.keys())))


def is_vacuous(tree: Tree, kinds: GraphKinds) -> bool:
    """Whether a program asks for a value that it gives: the date of what has that date.

    Only values of which a thing has one: others may be asked for.
    """
    return any(_gives(one.sets[-1], step_of(asked).relation) for one, asked in _asked(tree, kinds))


def _asked(tree: Tree, kinds: GraphKinds) -> Iterator[tuple[Tree, str]]:
    for one in tree.all():
        asked = one.step if one.step else one.symbol
        values = asked[0] == "+" and kinds.gives_value(asked[1:])
        if values and not one.constant and kinds.schema.by_id[asked[1:]].max_out == 1:
            yield one, asked


def _gives(of: Tree, relation: str) -> bool:
    """Whether all of a set have the same value."""
    if of.symbol == "and":
        return any(_gives(one, relation) for one in of.sets)
    if of.symbol.startswith("value:"):
        return value_step(of.symbol)[0].relation == relation
    return of.symbol == f"-{relation}" and of.sets[0].symbol[0] == "@"


def in_words(program: Program, text: str, kinds: GraphKinds) -> str:
    """A program as the channel reads it: "number of crime - occurred at [0 address]".

    Args:
        text: the masked question, with the words for its names.
    """
    names = {f"@{match[1]}": match[0] for match in _NAMED.finditer(text)}
    return _in_words(parse(program), names, kinds)


def _in_words(tree: Tree, names: Mapping[str, str], kinds: GraphKinds) -> str:
    symbol, step = tree.symbol, tree.step[1:]
    sets = [_in_words(one, names, kinds) for one in tree.sets]
    if symbol[0] == "@":
        return names.get(symbol, symbol)
    if symbol.startswith("type:"):
        return kinds.type_texts.get(symbol.removeprefix("type:"), symbol)
    relation = kinds.schema.by_id.get(step or symbol[1:])
    called = relation.text if relation else step
    operator = OPERATORS.get(symbol.removesuffix(":"), symbol)
    if symbol in ("and", "not"):
        return f"( {sets[0]} ) {operator} ( {sets[1]} )"
    if symbol in ("count", "whether") or symbol[-1] == ":":
        return " ".join((operator, *([f"{called} of"] if step else []), sets[0]))
    if step:
        constant = [names.get(tree.constant, "")] if tree.constant else sets[:-1]
        return " ".join((sets[-1], ", with", operator, called, *constant))
    of = sorted(kinds_of(tree, kinds))
    kind = kinds.type_texts.get(of[0], "") if len(of) == 1 else ""
    if symbol.startswith("value:"):
        return f"{kind} {value_step(symbol)[1]}"
    link = {"+": f"{called} of", "-": f"- {called}", "~": called}[symbol[0]]
    return f"{kind} {link} {sets[0]}"
