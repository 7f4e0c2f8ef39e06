"""Gold queries as programs: the expression that a query means, over the graph's schema."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

from isomatch.chains.graph import Step
from isomatch.errors import LoadError
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Count,
    Extreme,
    Named,
    OfType,
    Worked,
)
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.learn.programs.cypher import GoldEdge, GoldQuery


def to_expression(query: GoldQuery, kinds: GraphKinds) -> Any:
    """The expression of a gold query.

    Raises:
        LoadError: the graph lacks a type or relation of it, or programs cannot say it.
    """
    return _Tree(query, kinds).whole()


class _Tree:
    """Reads a query as a tree whose root is what is asked for."""

    def __init__(self, query: GoldQuery, kinds: GraphKinds):
        self._query, self._kinds = query, kinds
        self._left = list(query.edges)
        self._seen: set[str] = set()

    def whole(self) -> Any:
        query = self._query
        of = self._set(query.answer)
        if self._left:
            raise LoadError("programs are trees, and the query has two parts")
        label = query.nodes[query.answer].label
        if query.order:
            if query.limit != 1:
                raise LoadError("programs order for the first place only")
            if query.order == query.key and not query.function:
                step = self._key(query.order)
                return Worked("max" if query.descending else "min", of, step)
            of = Extreme(of, self._key(query.order), query.descending, self._type(label).kinds)
        if query.function in ("", "count"):
            if query.key and self._has(query.key):
                step = self._key(query.key)
                of = Along(of, step, self._kinds.ends(step)[1])
            return Count(of) if query.function else of
        return Worked(query.function, of, self._key(query.key))  # type: ignore[arg-type]

    def _set(self, variable: str) -> Any:
        if variable in self._seen:
            raise LoadError("programs are trees, and the query has a circle")
        self._seen.add(variable)
        node = self._query.nodes[variable]
        parts = [*self._of_node(node.label, node.conditions), *self._of_edges(variable)]
        if not parts:
            raise LoadError("a node of the query has no type, property or edge")
        return reduce(lambda a, b: Both(a, b, a.kinds), parts)

    def _of_node(self, label: str, conditions: list[tuple[str, str, str]]) -> Iterator[Any]:
        of = self._type(label) if label else None
        for key, operator, value in conditions:
            if operator != "=":
                whole = of or OfType("", frozenset())
                yield Compared(whole, self._key(key), operator, (value,), whole.kinds)  # type: ignore[arg-type]
            elif self._has(key):
                step = Step(self._key(key).relation, True)
                yield Along(Named(value, None, frozenset()), step, self._kinds.ends(step)[1])
            else:  # the property that names the node
                yield Named(value, None, of.kinds if of else frozenset())
        if of is not None:
            yield of

    def _of_edges(self, variable: str) -> Iterator[Any]:
        for edge in [e for e in self._left if variable in (e.source, e.target)]:
            if edge not in self._left:
                continue
            self._left.remove(edge)
            other = edge.target if edge.source == variable else edge.source
            step, either = self._step(edge, other, variable)
            yield Along(self._set(other), step, self._kinds.ends(step)[1], either)

    def _step(self, edge: GoldEdge, source: str, target: str) -> tuple[Step, bool]:
        """The step from one node to another, and whether it is taken either way."""
        step = Step(self._relation(f":{edge.type}"))
        if edge.directed:
            return (step if edge.source == source else step.inverse), False
        nodes = self._query.nodes
        ends = [
            self._type(nodes[v].label).kinds if nodes[v].label else None for v in (source, target)
        ]
        fits = [s for s in (step, step.inverse) if self._fits(s, *ends)]
        if not fits:
            raise LoadError(f"{edge.type} does not lead from one type of the query to the other")
        return fits[0], len(fits) == 2

    def _fits(self, step: Step, source: Any, target: Any) -> bool:
        of, to = self._kinds.ends(step)
        return not ((source and of.isdisjoint(source)) or (target and to.isdisjoint(target)))

    def _has(self, key: str) -> bool:
        return f".{key}" in self._kinds.schema.by_id

    def _key(self, key: str) -> Step:
        return Step(self._relation(f".{key}"))

    def _relation(self, id: str) -> str:
        if id not in self._kinds.schema.by_id or not self._kinds.knows(Step(id)):
            raise LoadError(f"the graph has no relation {id}")
        return id

    def _type(self, label: str) -> OfType:
        id = f":{label}"
        if all(t.id != id for t in self._kinds.schema.types):
            raise LoadError(f"the graph has no type {label}")
        return OfType(id, self._kinds.of_type(id))
