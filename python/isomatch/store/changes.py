"""What the last loads changed in an embedded graph, so that a sync reads that alone.

A load compares the graph with the one that it replaces, and keeps the triples that are new
or gone beside the data, after those of the loads before:

    [{"since": "<generation>", "new": [["urn:a", "urn:p", "\\"text\\""], …], "gone": […]}, …]

Of a load that changed much nothing is kept: then everything has to be read again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from isomatch.store.base import ChangedTriple, Changes
from isomatch.store.cells import term_cell

FILE = "changes.json"  # in the folder of a generation
MOST = 50_000  # triples that are kept, of all loads together


class Watch:
    """Compares a graph that is being filled with the one before.

    Args:
        before: the graph before.
        adds: whether the new one has all that it has.
    """

    def __init__(self, before: ox.Store, *, adds: bool):
        self.before = before
        self.adds = adds
        self.sees_all = True
        self._new: set[ox.Quad] = set()

    def of(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """The same quads, while they are written to the new graph."""
        for quad in quads:
            if len(self._new) <= MOST and (triple := _default(quad)) not in self.before:
                self._new.add(triple)
            yield quad

    def missed(self) -> None:
        """Say that quads were written that were not seen."""
        self.sees_all = False

    def changed(self, after: ox.Store) -> Changes | None:
        """The triples that one of the graphs has and the other has not; None where they are many.

        Args:
            after: the new graph, filled.
        """
        here = ox.DefaultGraph()
        new = self._new
        if not self.sees_all:
            new = set(_lacking(after.quads_for_pattern(None, None, None, here), self.before))
        gone: set[ox.Quad] = set()
        if not self.adds and len(new) <= MOST:
            wanted = triples_in(self.before) + len(new) - triples_in(after)
            if wanted <= MOST:
                quads = self.before.quads_for_pattern(None, None, None, here)
                gone = set(_lacking(quads, after, wanted))
        if len(new) + len(gone) > MOST:
            return None
        return Changes(tuple(map(_cells, new)), tuple(map(_cells, gone)))


def keep(folder: Path, earlier: Path | None, since: str, changes: Changes | None) -> None:
    """Write what a load changed, after what the loads before it did.

    Args:
        folder: of the new generation.
        earlier: that of the one before, if any.
        since: the name of the one before.
        changes: see `Watch.changed`.

    Raises:
        OSError: it cannot be written.
    """
    if changes is None:
        return
    kept = [*(_read(earlier) if earlier else ()), (since, changes)]
    while sum(len(one) for _, one in kept) > MOST:
        del kept[0]
    written = [{"since": name, "new": one.new, "gone": one.gone} for name, one in kept]
    (folder / FILE).write_text(json.dumps(written), "utf-8")


def changes_since(folder: Path, since: str) -> Changes | None:
    """What has changed since another generation, by all loads together.

    Args:
        folder: of the generation now.
        since: the name of the other one.

    Returns:
        None where it is not known.
    """
    if since == folder.name and folder.is_dir():
        return Changes()
    kept = _read(folder)
    starts = [name for name, _ in kept]
    if since not in starts:
        return None
    later = [one for _, one in kept[starts.index(since) :]]
    return Changes(
        tuple(triple for one in later for triple in one.new),
        tuple(triple for one in later for triple in one.gone),
    )


def _read(folder: Path) -> list[tuple[str, Changes]]:
    """Each load: the generation before it, and what it changed."""
    try:
        kept = json.loads((folder / FILE).read_text("utf-8"))
        return [
            (str(one["since"]), Changes(_triples(one["new"]), _triples(one["gone"])))
            for one in kept
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _triples(rows: Iterable[Iterable[str | None]]) -> tuple[ChangedTriple, ...]:
    return tuple((s, p, o) for s, p, o in rows)


def _cells(quad: ox.Quad) -> ChangedTriple:
    return term_cell(quad.subject), term_cell(quad.predicate), term_cell(quad.object)


def _default(quad: ox.Quad) -> ox.Quad:
    return ox.Quad(quad.subject, quad.predicate, quad.object)


def _lacking(quads: Iterable[ox.Quad], graph: ox.Store, most: int = MOST + 1) -> Iterator[ox.Quad]:
    """The quads that a graph lacks, until there are so many."""
    if most <= 0:
        return
    for quad in quads:
        if quad not in graph:
            yield quad
            most -= 1
            if not most:
                return


def triples_in(graph: ox.Store) -> int:
    """How many triples there are in the default graph."""
    solutions: Any = graph.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    return int(next(iter(solutions))["n"].value)
