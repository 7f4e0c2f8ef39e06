"""Property paths with ``*`` and ``+`` over a graph of rdflib.

rdflib's own evaluation takes the literals ``""`` and ``0`` for unbound, goes
forward from everywhere where only the end of a sequence is bound, and gives a
pair again for every way that leads to it (`rdflib.paths`, 7.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdflib.graph import Graph
from rdflib.paths import AlternativePath, InvPath, MulPath, Path, SequencePath


def pairs(graph: Graph, path: Path, start: Any, end: Any) -> Iterator[tuple[Any, Any]]:
    """Pairs of nodes that a path leads from and to; those of a path with ``*`` once each.

    Args:
        start, end: terms, or None.
    """
    if not isinstance(path, (MulPath, SequencePath)):
        yield from path.eval(graph, start, end)
    elif start is not None:
        for found in _reached(graph, path, start, True):
            if end is None or found == end:
                yield start, found
    elif end is not None:
        for found in _reached(graph, path, end, False):
            yield found, end
    else:
        everything = {term for s, _, o in graph.triples((None, None, None)) for term in (s, o)}
        for term in everything:
            for found in _reached(graph, path, term, True):
                yield term, found


def _reached(graph: Graph, path: Any, start: Any, forward: bool) -> dict[Any, None]:
    """The nodes at the other end of a path, each once."""
    if isinstance(path, InvPath):
        return _reached(graph, path.arg, start, not forward)
    if isinstance(path, AlternativePath):
        return {x: None for part in path.args for x in _reached(graph, part, start, forward)}
    if isinstance(path, SequencePath):
        here = {start: None}
        for part in path.args if forward else reversed(path.args):
            here = {x: None for node in here for x in _reached(graph, part, node, forward)}
        return here
    if isinstance(path, MulPath):
        return _closure(graph, path, start, forward)
    triple = (start, path, None) if forward else (None, path, start)
    return {s if not forward else o: None for s, _, o in graph.triples(triple)}


def _closure(graph: Graph, path: MulPath, start: Any, forward: bool) -> dict[Any, None]:
    found = {start: None} if path.zero else {}
    new = [start]
    while new:
        step = [x for node in new for x in _reached(graph, path.path, node, forward)]
        new = [x for x in dict.fromkeys(step) if x not in found]
        found.update(dict.fromkeys(new))
        if not path.more:
            break
    return found
