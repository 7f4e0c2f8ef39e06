"""The rules of a pattern's optional parts, which give output columns and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from isomatch.pattern.elements import Aggregate, Condition, Each, Edge, Node, Order
from isomatch.pattern.rules import Fault, Within, components_of, shown

MOST_OPTIONAL = 8
RIGHT = "(?s)-[r]-(?x) optional { (?s)-[q]-(?t) } return ?s, ?t"


class OptionalPart(Protocol):
    """What the rules look at of an optional part; `isomatch.pattern.types.Pattern` is one."""

    @property
    def nodes(self) -> tuple[Node, ...]: ...

    @property
    def edges(self) -> tuple[Edge, ...]: ...

    @property
    def has_edges_alone(self) -> bool: ...


def own_ids(part: OptionalPart, nodes: Sequence[Node]) -> tuple[str, ...]:
    """Ids of the unknown nodes of an optional part that the pattern around it does not have."""
    outside = {node.id for node in nodes if node.is_variable}
    return tuple(node.id for node in part.nodes if node.is_variable and node.id not in outside)


def shared_ids(part: OptionalPart, nodes: Sequence[Node]) -> tuple[str, ...]:
    """Ids of the unknown nodes that an optional part has in common with the pattern around it."""
    outside = {node.id for node in nodes if node.is_variable}
    return tuple(node.id for node in part.nodes if node.is_variable and node.id in outside)


def required_ids(
    ids: Sequence[str], nodes: Sequence[Node], optional: Sequence[OptionalPart]
) -> tuple[str, ...]:
    """Those of some ids that are not of optional parts alone."""
    own = {id for part in optional for id in own_ids(part, nodes)}
    return tuple(id for id in ids if id not in own)


def functions_of(
    count: str | None, aggregate: Aggregate | None, each: Sequence[Each], ask: bool
) -> tuple[tuple[str, str], ...]:
    """What a pattern works out, each with the id of its node; ``ask`` has none."""
    counted = () if count is None else (("count", count),)
    worked = (*((aggregate,) if aggregate else ()), *each)
    asked = (("ask", ""),) if ask else ()
    return (*counted, *((one.function, one.node) for one in worked), *asked)


def optional_fault(
    optional: Sequence[OptionalPart],
    nodes: Sequence[Node],
    returns: Sequence[str],
    where: Sequence[Condition] = (),
    parts: Sequence[Within] = (),
    order: Order | None = None,
    functions: Iterable[tuple[str, str]] = (),
) -> Fault | None:
    """The first rule that is broken by optional parts, or by what is on a node of one.

    Args:
        functions: what is worked out, each with the node that it is of; ``ask`` is of none.
    """
    if not optional:
        return None
    own = {id: number for number, part in enumerate(optional) for id in own_ids(part, nodes)}
    found = (
        _uses(own, where, parts, order),
        _beside(own, functions),
        _part_faults(nodes, returns, optional),
    )
    return next((fault for faults in found for fault in faults), None)


def _uses(
    own: dict[str, int], where: Sequence[Condition], parts: Sequence[Within], order: Order | None
) -> Iterator[Fault]:
    for index, condition in enumerate(where):
        ids = (id for one in condition.alternatives for id in (one.node, one.other))
        if id := next((id for id in ids if id in own), None):
            written = f"?{condition.other} {condition.operator} ?{id}"
            form = (
                f"where {condition.function}(?{id}) > 3"
                if condition.function
                else f'where ?{id} = "…"'
            )
            yield Fault(
                _required(id, "a condition", written if condition.other else form), "where", index
            )
    for index, part in enumerate(parts):
        if id := next((id for id in part.nodes if id in own), None):
            yield Fault(
                _required(id, "a pattern in braces", f"where ?{id} in {{ … }}"), "parts", index
            )
    if order is not None and order.node in own:
        yield Fault(_required(order.node, "order by", f"return ?s order by ?{order.node}"), "order")


def _required(id: str, what: str, form: str) -> str:
    return (
        f"{what} names {shown(id)}, which is of an optional part and gives a column only: write "
        f"its edge in the pattern itself, as in (?s)-[r]-(?{id}) {form}"
    )


def _beside(own: dict[str, int], functions: Iterable[tuple[str, str]]) -> Iterator[Fault]:
    for function, id in functions:
        if id in own:
            form = f"return {function}(?{id})"
            yield Fault(_required(id, function, form), "optional", own[id])
        else:
            yield Fault(
                f"an optional part gives a column beside returned nodes, and {function} has none: "
                f"leave one of the two out, as in {RIGHT}",
                "optional",
            )


def _part_faults(
    nodes: Sequence[Node], returns: Sequence[str], optional: Sequence[OptionalPart]
) -> Iterator[Fault]:
    if len(optional) > MOST_OPTIONAL:
        problem = (
            f"the pattern has {len(optional)} optional parts; at most {MOST_OPTIONAL} are read"
        )
        yield Fault(problem, "optional", MOST_OPTIONAL)
    seen = {node.id for node in nodes}
    everything = seen.union(*(own_ids(part, nodes) for part in optional))
    if not everything.issuperset(returns):
        returns = ()  # a fault of its own
    for index, part in enumerate(optional):
        if problem := _part_problem(part, nodes, returns, seen):
            yield Fault(problem, "optional", index)
        seen.update(own_ids(part, nodes))
    if returns and not required_ids(returns, nodes, optional):
        yield Fault(
            "return names nodes of optional parts only: return one of the pattern itself too, as "
            f"in {RIGHT}",
            "returns",
        )


def _part_problem(
    part: OptionalPart, nodes: Sequence[Node], returns: Sequence[str], seen: set[str]
) -> str:
    own, shared = own_ids(part, nodes), shared_ids(part, nodes)
    if not part.has_edges_alone:
        return (
            "an optional part has edges only: write conditions, what is returned and all else in "
            f"the pattern itself, as in {RIGHT}"
        )
    if not shared:
        return (
            "an optional part shares no unknown node with the pattern before it: use an id of "
            f"that, as in {RIGHT}"
        )
    if not own:
        named = " and ".join(f"?{id}" for id in shared)
        return (
            f"an optional part has no unknown node of its own ({named} must be in every match) "
            f"and gives no column: give it one, as in {RIGHT}"
        )
    if again := [id for id in own if id in seen]:
        return (
            f"an optional part names {shown(again[0])}, which another part has already, or which "
            "has a name: each part is read by itself, so use another id"
        )
    for component in components_of(part.edges):
        if not any(set(part.edges[edge].nodes).intersection(shared) for edge in component):
            return (
                "an optional part has edges that are not connected with the pattern before it: "
                f"write them from one of its nodes on, as in {RIGHT}"
            )
    if returns and not set(own).intersection(returns):
        return (
            f"return names nothing of an optional part, which so gives no column: return ?{own[0]} "
            "too, or leave the part out"
        )
    return ""
