"""The best tree of a reduced graph, or how far from the best the one at hand may be.

The tree is a program in whole numbers over directed edges from a root, with a cut for every
set of nodes that holds an aim (a node with a prize) of the tree and not the root (Ljubić et
al. 2006). Cuts are added as solutions break them: first to the linear program, whose dual
bounds every tree and rules most edges out, then to the program in whole numbers. HiGHS
solves both. Programs that need no cuts (flows, or numbers for the order of nodes) took 0.3 to
3 s on graphs of 48 nodes and 152 edges where this one takes 0.02 s. Of the linear program no
more is trusted than its dual values: the bound is worked out from them anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array, eye_array, hstack, vstack
from scipy.sparse.csgraph import breadth_first_order, dijkstra, maximum_flow

from isomatch import cancel
from isomatch.prizes.growth import best_subtree, grown_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from isomatch.prizes.reduction import Reduced

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

EQUAL = 2e-5  # scores nearer than this are one; `grain` finds no unit as small
# What the solver's tolerances may take off a bound from whole numbers: a share of the unit, or
# so much where there is none. That of the linear program is worked out anew.
_SHARE, _SAFE = 0.05, 1e-5
_SCALE = 10_000  # flows are of whole numbers of 32 bits
_BROKEN = 1e-3  # by how much a cut must be broken to be added
_NESTED = 3  # cuts of one aim in a round
_STALLED = 6  # rounds without progress of the bound


@dataclass(slots=True)
class Best:
    """The best tree so far, and a bound that no tree's score exceeds."""

    score: float
    nodes: set[int]
    edges: list[tuple[int, int]]
    bound: float = inf

    def better(self, score: float, nodes: set[int], edges: list[tuple[int, int]]) -> None:
        """Take a tree where it is better."""
        if score > self.score + EQUAL:
            self.score, self.nodes, self.edges = score, nodes, edges

    @property
    def proven(self) -> bool:
        """Whether no tree is better."""
        return self.bound <= self.score + EQUAL


def prove(reduced: Reduced, best: Best, unit: float, deadline: float) -> None:
    """Improve a tree until it is the best, or until the time is over.

    Args:
        best: a tree of the reduced graph, changed in place.
        unit: of which every score is a multiple; 0 for none.
        deadline: of `time.monotonic`.
    """
    best.bound = max(best.score, sum(reduced.prizes.values()))
    if best.proven:
        return
    program = _Program(reduced, best, unit, deadline)
    program.relax()
    if not best.proven:
        program.search()


class _Program:
    """The program: least costs of arcs less gains of nodes, all between 0 and 1.

    Its variables are the arcs, and then the nodes, each of which is as much in the tree as
    arcs reach it. The root is in it. Rows are of the form ``row @ variables <= 0``.
    """

    def __init__(self, reduced: Reduced, best: Best, unit: float, deadline: float):
        self._prizes, self._costs = reduced.prizes, reduced.costs
        self._best, self._unit, self._deadline = best, unit, deadline
        self._names = sorted(self._prizes)
        place = {name: i for i, name in enumerate(self._names)}
        self._gains = np.array([self._prizes[name] for name in self._names])
        pairs = [(place[u], place[v]) for u in self._names for v in self._costs[u]]
        ends = np.array(pairs, np.int64).reshape(-1, 2)
        lengths = np.array([c for u in self._names for c in self._costs[u].values()], np.float64)
        self._aims = np.flatnonzero(self._gains > 0)
        self._set_root(ends[:, 0], ends[:, 1], lengths)
        self._rows = self._first_rows()

    @property
    def _left(self) -> float:
        return self._deadline - monotonic()

    def _set_root(self, source: Places, target: Places, lengths: Floats) -> None:
        """An aim that some best tree surely has, else a node before all of them."""
        size = len(self._names)
        graph = csr_array((lengths, (source, target)), (size, size))
        top = int(np.argmax(self._gains))
        far = dijkstra(graph, indices=top)[self._aims].max(initial=0.0)
        if self._gains[top] >= far:  # a tree without it gains by the way to it
            keep = target != top
            self._root = top
            self._source, self._target, self._lengths = source[keep], target[keep], lengths[keep]
        else:
            self._root = size
            self._gains = np.append(self._gains, 0.0)
            self._source = np.concatenate([source, np.full(len(self._aims), size)])
            self._target = np.concatenate([target, self._aims])
            self._lengths = np.concatenate([lengths, np.zeros(len(self._aims))])

    @property
    def _weights(self) -> Floats:
        return np.concatenate([self._lengths, -self._gains])

    @property
    def _least(self) -> Floats:
        """The least values of the variables: the root is in the tree."""
        least = np.zeros(len(self._lengths) + len(self._gains))
        least[len(self._lengths) + self._root] = 1.0
        return least

    def _reaching(self) -> Any:
        """Rows that equal 0: a node but the root is in the tree as arcs reach it."""
        arcs, size = len(self._source), len(self._gains)
        into = csr_array((np.ones(arcs), (self._target, np.arange(arcs))), (size, arcs))
        inner = np.setdiff1d(np.arange(size), [self._root])
        return hstack([into[inner], -eye_array(size, format="csr")[inner]], format="csr")

    def _first_rows(self) -> Any:
        arcs, size = len(self._source), len(self._gains)
        numbers = np.arange(arcs)
        chosen = eye_array(size, format="csr")
        outof = csr_array((np.ones(arcs), (self._source, numbers)), (size, arcs))
        # What is no aim is passed through.
        passed = np.setdiff1d(np.arange(size), [*self._aims.tolist(), self._root])
        rows = [hstack([-outof[passed], chosen[passed]])]
        # An edge is used in one direction, and only by a node that is in the tree.
        onward = np.flatnonzero(self._source != self._root)
        number = {ends: i for i, ends in enumerate(self._pairs())}
        back = [number.get(pair[::-1], -1) for pair in self._pairs()]
        returning = np.array(
            [(row, back[a]) for row, a in enumerate(onward.tolist()) if back[a] >= 0], np.int64
        ).reshape(-1, 2)
        places = np.concatenate([np.arange(len(onward)), returning[:, 0]])
        used = np.concatenate([onward, returning[:, 1]])
        either = csr_array((np.ones(len(used)), (places, used)), (len(onward), arcs))
        rows.append(hstack([either, -chosen[self._source[onward]]]))
        if self._root == len(self._names):
            rows += self._first_aims(outof, chosen)
        return vstack(rows, format="csr")

    def _pairs(self) -> list[tuple[int, int]]:
        return list(zip(self._source.tolist(), self._target.tolist(), strict=True))

    def _first_aims(self, outof: Any, chosen: Any) -> list[Any]:
        """One arc leaves a root that is no aim, to the first of the aims in the tree."""
        arcs = np.flatnonzero(self._source == self._root)
        order = arcs[np.argsort(-self._gains[self._target[arcs]], kind="stable")]
        later = np.zeros((len(order), len(self._source)))
        for place in range(len(order)):
            later[place, order[place + 1 :]] = 1.0
        top = chosen[[self._root] * len(order)]
        return [
            hstack([csr_array(later), chosen[self._target[order]] - top]),
            hstack([outof[[self._root]], -chosen[[self._root]]]),
        ]

    # -- the linear program -----------------------------------------------------------------

    def relax(self) -> None:
        """Add cuts to the linear program while its bound falls."""
        stalled, before = 0, inf
        while not self._best.proven and self._left > 0 and stalled < _STALLED:
            cancel.check()
            found = linprog(
                self._weights,
                A_ub=self._rows,
                b_ub=np.zeros(self._rows.shape[0]),
                A_eq=self._reaching(),
                b_eq=np.zeros(len(self._gains) - 1),
                bounds=np.stack([self._least, np.ones(len(self._least))], axis=1),
                method="highs",
                options={"time_limit": max(0.01, self._left)},
            )
            if found.x is None or found.status != 0:
                return
            bound, reduced_costs = self._dual(found.ineqlin.marginals, found.eqlin.marginals)
            self._limit(bound, 1e-6)
            self._try(found.x)
            if self._best.proven:
                return
            stalled = 0 if bound < before - 1e-4 else stalled + 1
            before = min(before, bound)
            values = self._rule_out(bound, reduced_costs, found.x)
            if not self._add(self._cuts(values)):
                return

    def _dual(self, marginals: Floats, reaching: Floats) -> tuple[float, Floats]:
        """A bound that holds whatever the dual values are, and the reduced costs of arcs."""
        of_rows = self._rows.T @ np.minimum(marginals, 0.0)
        reduced = self._weights - of_rows - self._reaching().T @ reaching
        least = np.minimum(reduced, reduced * self._least).sum()
        return -float(least), reduced[: len(self._lengths)]

    def _limit(self, bound: float, slack: float) -> None:
        """Lower the bound, to the next multiple of the unit where there is one."""
        if self._unit:
            bound = floor(bound / self._unit + slack) * self._unit
        self._best.bound = max(min(self._best.bound, bound), self._best.score)

    def _rule_out(self, bound: float, reduced_costs: Floats, values: Floats) -> Floats:
        """Leave out the arcs that no better tree has; the values of the others."""
        need = self._best.score + (self._unit - 1e-6 if self._unit else 1e-6)
        keep = bound - np.maximum(reduced_costs, 0.0) >= need
        if keep.all():
            return values
        self._source, self._target = self._source[keep], self._target[keep]
        self._lengths = self._lengths[keep]
        kept = np.flatnonzero(np.concatenate([keep, np.ones(len(self._gains), bool)]))
        self._rows = self._rows[:, kept]
        of_kept: Floats = values[kept]
        return of_kept

    def _try(self, values: Floats) -> None:
        """A tree along the arcs that a solution uses."""
        used: dict[tuple[int, int], float] = {}
        for arc in np.flatnonzero(values[: len(self._source)] > 1e-6).tolist():
            if self._source[arc] == len(self._names):
                continue
            ends = self._names[int(self._source[arc])], self._names[int(self._target[arc])]
            pair = (min(ends), max(ends))
            used[pair] = min(1.0, used.get(pair, 0.0) + float(values[arc]))
        nodes = grown_tree(self._prizes, self._costs, used)
        if nodes:
            self._best.better(*best_subtree(self._prizes, self._costs, nodes))

    # -- cuts -------------------------------------------------------------------------------

    def _cuts(self, values: Floats) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Aims and sets of nodes around them that too few arcs enter."""
        arcs = len(self._source)
        reached, values = values[arcs:], values[:arcs]
        for aim in self._aims.tolist():
            if aim == self._root or reached[aim] < _BROKEN:
                continue
            capacities = np.rint(np.clip(values, 0, 1) * _SCALE).astype(np.int32)
            cancel.check()
            for _ in range(_NESTED):
                inside, flow = self._least_cut(capacities, aim)
                if flow / _SCALE > reached[aim] - _BROKEN:
                    break
                yield aim, inside
                enters = inside[self._target] & ~inside[self._source]
                capacities[enters] = _SCALE

    def _least_cut(self, capacities: NDArray[np.int32], aim: int) -> tuple[Any, int]:
        """The nodes on the aim's side of a least cut, as near the aim as can be."""
        size = len(self._gains)
        graph = csr_array((capacities, (self._source, self._target)), (size, size))
        flow = maximum_flow(graph, self._root, aim)
        rest = graph - flow.flow
        rest.data = np.where(rest.data > 0, 1, 0)
        rest.eliminate_zeros()
        inside = np.zeros(size, bool)
        inside[breadth_first_order(rest.T.tocsr(), aim, return_predecessors=False)] = True
        return inside, int(flow.flow_value)

    def _add(self, cuts: Iterator[tuple[int, NDArray[np.bool_]]]) -> bool:
        """Rows for the cuts: as much enters each set as its aim is in the tree."""
        arcs = len(self._source)
        rows: dict[bytes, NDArray[np.int8]] = {}
        for aim, inside in cuts:
            one = np.zeros(arcs + len(self._gains), np.int8)
            one[:arcs] = -(inside[self._target] & ~inside[self._source]).astype(np.int8)
            one[arcs + aim] = 1
            rows[one.tobytes()] = one
        if rows:
            added = csr_array(np.array(list(rows.values()), np.float64))
            self._rows = vstack([self._rows, added], format="csr")
        return bool(rows)

    # -- whole numbers ------------------------------------------------------------------------

    def search(self) -> None:
        """Solve in whole numbers, and add the cuts that the solutions break."""
        while not self._best.proven and self._left > 0:
            found = milp(
                self._weights,
                integrality=np.ones(len(self._weights)),
                bounds=Bounds(self._least, np.ones(len(self._least))),
                constraints=[
                    LinearConstraint(self._rows, ub=np.zeros(self._rows.shape[0])),
                    LinearConstraint(self._reaching(), lb=0.0, ub=0.0),
                ],
                options={"time_limit": self._left, "mip_rel_gap": 0.0},
            )
            if found.mip_dual_bound is not None and np.isfinite(found.mip_dual_bound):
                self._limit(_SAFE - float(found.mip_dual_bound), _SHARE)
            if found.x is None:
                return
            values = np.rint(found.x)
            self._try(values)
            if found.status != 0 or not self._add(self._cuts(values)):
                return
