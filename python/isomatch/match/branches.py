"""An interpretation as what a dialect compiles."""

from __future__ import annotations

from collections.abc import Iterable

from isomatch.compile.base import Branch, Part, Terms
from isomatch.link.candidates import Kind
from isomatch.plan.planner import Slot
from isomatch.plan.structure import Structure


def branch_of(structure: Structure, ids: Iterable[tuple[Slot, str]], terms: Terms) -> Branch:
    """The compilable part that a choice of ids for the slots makes of a structure."""
    chosen: dict[Kind, dict[int, str]] = {"node": {}, "relation": {}, "type": {}}
    for slot, id in ids:
        chosen[slot.kind][slot.index] = id
    relations = tuple(map(chosen["relation"].get, range(len(structure.edges))))
    types = tuple(map(chosen["type"].get, range(len(structure.known))))
    nodes = {n: id for n, id in chosen["node"].items() if n in structure.used}
    return Part(structure, relations, types, terms), nodes
