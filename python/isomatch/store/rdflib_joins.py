"""The order of joins in rdflib's SPARQL engine.

The engine sorts the triples of a basic graph pattern once, by how many of their
variables are bound before the first of them; and where more than two groups are
joined it computes each on its own, over the whole graph. So a chain of three
edges, or ``VALUES`` before two groups, takes minutes where it should take
milliseconds. Here a translated query is put in order: every join becomes one
chain of nested loops, each step of which begins at what is bound by then.

Source: ``evalBGP`` and ``evalJoin`` of `rdflib.plugins.sparql.evaluate`,
``reorderTriples`` and ``analyse`` of `rdflib.plugins.sparql.algebra` (7.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rdflib.plugins.sparql.algebra import BGP, Join
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Variable

_PARTS = ("p", "p1", "p2")
# Bindings from outside may go into these without a change of the result.
_PUSHABLE = ("BGP", "Join", "Union", "Filter", "Extend")
_FAR = 10  # more than a leaf has free variables


def in_order(node: CompValue, bound: frozenset[Variable]) -> CompValue:
    """A part of a translated query, with its joins in order.

    Args:
        node: changed in place where it is no join.
        bound: variables that have a value before it.
    """
    if node.name in ("Join", "BGP"):
        return _chain(list(_leaves(node)), bound)
    for key, part in _parts(node):
        node[key] = in_order(part, bound)
    return node


def _parts(node: CompValue) -> Iterator[tuple[str, CompValue]]:
    for key in _PARTS:
        if isinstance(part := getattr(node, key), CompValue):
            yield key, part


def _leaves(node: CompValue) -> Iterator[CompValue]:
    """What a join joins, in the order of the text: single triples, VALUES, groups."""
    if node.name == "Join":
        yield from _leaves(node.p1)
        yield from _leaves(node.p2)
    elif node.name == "BGP":
        for triple in node.triples:
            yield _with_variables(BGP([triple]), (x for x in triple if isinstance(x, Variable)))
    elif _is_values(node):
        yield _with_variables(node, (name for row in node.p.res for name in row))
    else:
        yield node


def _chain(leaves: list[CompValue], bound: frozenset[Variable]) -> CompValue:
    """The leaves as nested loops: groups that stand alone, then what is bound most."""
    values = [leaf for leaf in leaves if _is_values(leaf)]
    alone = [leaf for leaf in leaves if not _is_pushable(leaf)]
    rest = [leaf for leaf in leaves if _is_pushable(leaf) and not _is_values(leaf)]
    known = set(bound)
    chain: CompValue | None = None

    def add(leaf: CompValue, lazy: bool) -> None:
        nonlocal chain
        known.update(leaf["_vars"])
        if chain is None:
            chain = leaf
        else:
            chain = _with_variables(Join(chain, leaf), chain["_vars"] | leaf["_vars"])
            chain["lazy"] = lazy

    for leaf in alone:
        add(in_order(leaf, bound), lazy=False)
    while rest:
        listed = known.union(*(leaf["_vars"] for leaf in values))
        best = min(rest, key=lambda leaf: _cost(leaf, listed))
        rest.remove(best)
        for some in [leaf for leaf in values if not best["_vars"].isdisjoint(leaf["_vars"])]:
            values.remove(some)
            add(some, lazy=True)
        add(best if best.name == "BGP" else in_order(best, frozenset(known)), lazy=True)
    for some in values:
        add(some, lazy=True)
    return chain or _with_variables(BGP([]), ())


def _cost(leaf: CompValue, bound: set[Variable]) -> int:
    """Its free variables; far more where nothing at its ends is given."""
    free = len(leaf["_vars"] - bound)
    if leaf.name != "BGP":
        return free if leaf["_vars"] & bound else free + _FAR
    subject, _, target = leaf.triples[0]
    given = any(not isinstance(end, Variable) or end in bound for end in (subject, target))
    return free if given else free + _FAR


def _with_variables(node: CompValue, variables: Iterable[Variable]) -> CompValue:
    node["_vars"] = set(variables)  # as the engine's own translation leaves them
    return node


def _is_values(leaf: CompValue) -> bool:
    return bool(leaf.name == "ToMultiSet" and leaf.p.name == "values")


def _is_pushable(leaf: CompValue) -> bool:
    if _is_values(leaf):
        return True
    return leaf.name in _PUSHABLE and all(_is_pushable(part) for _, part in _parts(leaf))


def ordered(query: Any, bound: Iterable[str]) -> Any:
    """A prepared query of rdflib, with its joins in order; changed in place.

    Args:
        query: `rdflib.plugins.sparql.sparql.Query`.
        bound: names of variables that are given with it.
    """
    algebra = query.algebra
    algebra["p"] = in_order(algebra.p, frozenset(map(Variable, bound)))
    return query
