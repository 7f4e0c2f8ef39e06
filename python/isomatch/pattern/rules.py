"""The rules of a pattern, which every form of it obeys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from isomatch.pattern.elements import (
    COMPARISONS,
    EACH_FUNCTIONS,
    FUNCTIONS,
    MAX_EDGES,
    MOST_CONSTANTS,
    MOST_NESTED,
    OPERATORS,
    PART_OPERATORS,
    Aggregate,
    Condition,
    Each,
    Edge,
    Node,
    Order,
)


class Inner(Protocol):
    """What the rules look at of a pattern in a part."""

    @property
    def answers(self) -> tuple[str, ...]: ...

    @property
    def depth(self) -> int: ...

    @property
    def counts(self) -> bool: ...

    @property
    def each(self) -> tuple[Each, ...]: ...

    @property
    def optional(self) -> tuple[Inner, ...]: ...


class Within(Protocol):
    """What the rules look at of a part; `isomatch.pattern.types.Part` is one."""

    @property
    def nodes(self) -> tuple[str, ...]: ...

    @property
    def operator(self) -> str: ...

    @property
    def pattern(self) -> Inner: ...

    @property
    def alternative(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule and the part of the pattern that breaks it.

    Attributes:
        problem: what is wrong, in words.
        part: which attribute of the pattern; None for the pattern as a whole.
        index: offset into it, where it is a sequence.
    """

    problem: str
    part: str | None = None
    index: int = 0


def find_fault(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    returns: Sequence[str] = (),
    count: str | None = None,
    where: Sequence[Condition] = (),
    parts: Sequence[Within] = (),
    order: Order | None = None,
    aggregate: Aggregate | None = None,
) -> Fault | None:
    """The first rule that these parts of a pattern break; None where they are one.

    The input forms call this before they build a `Pattern`, to show the place in
    their own terms.
    """
    single = count if aggregate is None else aggregate.node
    asked = returns if single is None else (single,)
    found = (
        _faults(nodes, edges, returns, count),
        _condition_faults(nodes, where, asked),
        _part_faults(nodes, parts),
        _order_faults(nodes, returns, count, order),
        _aggregate_faults(nodes, aggregate, alone=not (returns or count or order)),
    )
    return next(chain(*found), None)


def each_fault(
    nodes: Sequence[Node], returns: Sequence[str], alone: object, each: Sequence[Each]
) -> Fault | None:
    """The first rule that is broken by what is worked out for each answer.

    Args:
        alone: a count or an aggregate of all matches together, if the pattern has one.
    """
    return next(_each_faults(nodes, returns, alone, each), None)


def ask_fault(ask: bool, *others: object) -> Fault | None:
    """What a pattern that asks if there is a match has beside that; None where it has nothing."""
    if ask and any(others):
        problem = "ask stands alone: return ask, and leave returns, counts and orders out"
        return Fault(problem, "ask")
    return None


def shown(text: str) -> str:
    """The text as a message quotes it: in quotes, and cut where it is long."""
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


def _faults(
    nodes: Sequence[Node], edges: Sequence[Edge], returns: Sequence[str], count: str | None
) -> Iterator[Fault]:
    alone = not edges and len(nodes) == 1
    if alone and (nodes[0].type is None or nodes[0].known):
        yield Fault("a node alone needs a type and no name, as in (?film:film)")
    if not (edges or alone):
        yield Fault("the pattern is empty: it has no edge")
    if len(edges) > MAX_EDGES:
        problem = f"the pattern has {len(edges)} edges; at most {MAX_EDGES} are searched"
        yield Fault(problem, "edges", MAX_EDGES)
    ids = [n.id for n in nodes]
    known = {n.id for n in nodes if n.known}
    given = {n.id for n in nodes if not n.is_variable}
    touched = set(ids) if alone else {id for e in edges for id in e.nodes}
    for index, node in enumerate(nodes):
        if problem := _node_problem(node, ids[:index], touched):
            yield Fault(problem, "nodes", index)
    for index, edge in enumerate(edges):
        if problem := _edge_problem(edge, ids) or _value_problem(index, edges):
            yield Fault(problem, "edges", index)
    for component in components_of(edges):
        members = [edges[i] for i in component]
        if all(e.relation is None and known.isdisjoint(e.nodes) for e in members):
            problem = "a connected part of the pattern has no known node and no known relation"
            yield Fault(problem, "edges", component[0])
    for index, id in enumerate(returns):
        if problem := _return_problem(id, returns[:index], ids, given):
            yield Fault(problem, "returns", index)
    if count is not None:
        problem = _return_problem(count, (), ids, given, "count")
        if returns:
            problem = "count stands alone: return count(?x), or return what is counted"
        if problem:
            yield Fault(problem, "count")


def _condition_faults(
    nodes: Sequence[Node], where: Sequence[Condition], answers: Sequence[str]
) -> Iterator[Fault]:
    known = {node.id: not node.is_variable for node in nodes}
    for index, condition in enumerate(where):
        problems = (_condition_problem(c, known, answers) for c in condition.alternatives)
        problem = next(filter(None, problems), "") or _either_problem(condition)
        if problem:
            yield Fault(problem, "where", index)


def _condition_problem(
    condition: Condition, known: Mapping[str, bool], answers: Sequence[str]
) -> str:
    for id in (condition.node, condition.other):
        if id is not None and id not in known:
            return f"a condition names {shown(id)}, which the pattern does not have"
        if id is not None and known[id]:
            what = "conditions are on unknown nodes"
            return f"a condition names {shown(id)}, which is known: {what}"
    return _comparison_problem(condition, answers)


def _either_problem(condition: Condition) -> str:
    for one in condition.either:
        if one.node != condition.node or one.function != condition.function:
            return (
                "or joins conditions on one value, as in ?x < 3 or ?x > 5; these are on "
                f"{of_node(condition)} and {of_node(one)}"
            )
        if one.either:
            return f"or is in or, in a condition on {of_node(one)}: write one list of them"
    return ""


def of_node(given: Condition | Order) -> str:
    """What is compared or ordered, as it is written."""
    return f"{given.function}(?{given.node})" if given.function else f"?{given.node}"


def _function_problem(given: Condition | Order, clause: str, answers: Sequence[str]) -> str:
    if given.function not in EACH_FUNCTIONS:
        return f"{shown(str(given.function))} is no function: use {', '.join(EACH_FUNCTIONS)}"
    if answers and given.node not in answers:
        return ""
    node, does = f"?{given.node}", "counts" if given.counted else "works with"
    return f"{clause} {of_node(given)} {does} {node} for each answer: return others than {node}"


def _comparison_problem(condition: Condition, answers: Sequence[str]) -> str:
    named, operator, values = shown(condition.node), condition.operator, condition.values
    if operator not in OPERATORS:
        return f"{shown(operator)} is no comparison: use {', '.join(OPERATORS)}"
    if condition.other is not None and (values or condition.function):
        return f"the condition {operator} on {named} compares with a value or a node, not both"
    if condition.other is not None:
        if operator in COMPARISONS:
            return ""
        return f"{operator} compares with values: use {', '.join(COMPARISONS)} between two nodes"
    if condition.function and operator not in (*COMPARISONS, "between", "in"):
        allowed = f"{', '.join(COMPARISONS)}, between or in"
        return f"{operator} compares texts: use {allowed} for a {condition.function}"
    if condition.function and (problem := _function_problem(condition, "where", answers)):
        return problem
    if operator == "between" and len(values) != 2:
        return f"the condition between on {named} needs two values"
    if not values or (len(values) > 1 and operator not in ("in", "between")):
        return f"the condition {operator} on {named} needs one value"
    if len(values) > MOST_CONSTANTS:
        return f"in takes at most {MOST_CONSTANTS:,} values, not {len(values):,}"
    problem = next(filter(None, map(_text_problem, values)), "")
    return problem and f"the value that {named} is compared with {problem}"


def _part_faults(nodes: Sequence[Node], parts: Sequence[Within]) -> Iterator[Fault]:
    unknown = {node.id for node in nodes if node.is_variable}
    for index, part in enumerate(parts):
        problem = ""
        named = [id for id in part.nodes if id not in unknown]
        answers = len(part.pattern.answers)
        if named:
            problem = f"a part is on {shown(named[0])}, which is no unknown node of the pattern"
        elif part.operator not in PART_OPERATORS:
            problem = f"{shown(part.operator)} is no comparison: use {', '.join(PART_OPERATORS)}"
        elif part.pattern.each:
            problem = "a part gives nodes: leave what is worked out for each of them out"
        elif part.pattern.optional:
            problem = "a part gives nodes to compare with, no columns: leave optional out of it"
        elif "in" in part.operator and part.pattern.counts:
            problem = "a part counts or adds: return nodes, or compare the number by ="
        elif answers != len(part.nodes) or not answers:
            problem = (
                f"a part gives {answers} nodes, and is compared with {len(part.nodes)}: its return "
                "says which, one for each node"
            )
        elif part.pattern.depth >= MOST_NESTED:
            problem = f"patterns are nested more than {MOST_NESTED} deep"
        elif len(part.nodes) > 1 and "in" not in part.operator:
            problem = f"{part.operator} compares one node, not {len(part.nodes)}"
        elif part.alternative:
            problem = _alternative_problem(part, parts[index - 1] if index else None)
        if problem:
            yield Fault(problem, "parts", index)


def _alternative_problem(part: Within, before: Within | None) -> str:
    if before is None:
        return "the first part is no alternative: there is none before it"
    if before.nodes == part.nodes and before.operator == part.operator == "in":
        return ""
    joined = " and ".join(
        f"{', '.join(f'?{id}' for id in one.nodes)} {one.operator} {{ … }}"
        for one in (before, part)
    )
    return (
        "or joins patterns in braces that the same nodes are in, as in "
        f"?x in {{ … }} or ?x in {{ … }}; these are {joined}"
    )


def _order_faults(
    nodes: Sequence[Node], returns: Sequence[str], count: str | None, order: Order | None
) -> Iterator[Fault]:
    if order is None:
        return
    if order.node not in {node.id for node in nodes if node.is_variable}:
        yield Fault(f"order by names {shown(order.node)}, which is no unknown node", "order")
    elif count is not None:
        problem = "count and order by do not go together: a count has one answer"
        yield Fault(problem, "order")
    elif order.function and (problem := _function_problem(order, "order by", returns)):
        yield Fault(problem, "order")
    elif order.limit is not None and order.limit < 1:
        yield Fault(f"limit {order.limit}: at least one answer is kept", "order")
    elif order.offset < 0:
        problem = f"offset {order.offset}: it is how many places are passed over, 0 or more"
        yield Fault(problem, "order")


def _aggregate_faults(
    nodes: Sequence[Node], aggregate: Aggregate | None, *, alone: bool
) -> Iterator[Fault]:
    if aggregate is None:
        return
    function = aggregate.function
    known = {node.id for node in nodes if not node.is_variable}
    ids = [node.id for node in nodes]
    problem = _return_problem(aggregate.node, (), ids, known, function)
    if function not in FUNCTIONS:
        problem = f"{shown(function)} is no function: use count, {', '.join(FUNCTIONS)}"
    elif not alone:
        problem = f"{function} stands alone: return {function}(?x), and leave the rest out"
    if problem:
        yield Fault(problem, "aggregate")


def _each_faults(
    nodes: Sequence[Node], returns: Sequence[str], alone: object, each: Sequence[Each]
) -> Iterator[Fault]:
    known = {node.id for node in nodes if not node.is_variable}
    ids = [node.id for node in nodes]
    for index, one in enumerate(each):
        written = f"{one.function}(?{one.node})"
        problem = _return_problem(one.node, (), ids, known, one.function)
        if one.function not in EACH_FUNCTIONS:
            problem = f"{shown(one.function)} is no function: use {', '.join(EACH_FUNCTIONS)}"
        elif alone or not returns:
            problem = (
                f"{written} is one of several, for each answer: return ?x, {written}; or return "
                "one function alone"
            )
        elif one.node in returns:
            problem = f"{written} is for each answer: return others than ?{one.node}"
        elif one in each[:index]:
            problem = f"return names {written} twice"
        if problem:
            yield Fault(problem, "each", index)


def _node_problem(node: Node, earlier: Sequence[str], touched: set[str]) -> str:
    if node.id in earlier:
        return f"two nodes share the id {shown(node.id)}"
    if not node.id or not node.id.replace("_", "a").isalnum():
        return f"{shown(node.id)} is no node id: use letters, digits and underscores"
    if node.text is not None and (problem := _text_problem(node.text)):
        return f"the name of the node {shown(node.id)} {problem}"
    if node.type is not None and (problem := _text_problem(node.type)):
        return f"the type of the node {shown(node.id)} {problem}"
    if node.id not in touched:
        return f"the node {shown(node.id)} has no edge"
    if node.every and node.text is None:
        return f"the node {shown(node.id)} has no name: every is for all nodes of a name"
    return ""


def _edge_problem(edge: Edge, ids: Sequence[str]) -> str:
    for id in edge.nodes:
        if id not in ids:
            return f"an edge names the node {shown(id)}, which the pattern does not have"
    if edge.relation is not None and (problem := _text_problem(edge.relation)):
        return f"the relation between {shown(edge.source)} and {shown(edge.target)} {problem}"
    if edge.key is not None and (problem := _text_problem(edge.key)):
        return f"the property on the edge {problem}"
    if edge.key is not None and edge.value is None:
        return f"the property {shown(edge.key)} has no value; give one, as {{{edge.key}: ?x}}"
    return ""


def _value_problem(index: int, edges: Sequence[Edge]) -> str:
    value = edges[index].value
    if value is None:
        return ""
    if any(value in (e.source, e.target) for e in edges):
        return f"the node {shown(value)} is a value of an edge and an end of one; use two ids"
    if any(e.value == value for e in edges[:index]):
        return f"the node {shown(value)} is the value of two edges; two values need two ids"
    return ""


def _return_problem(
    id: str, earlier: Sequence[str], ids: Sequence[str], known: set[str], what: str = "return"
) -> str:
    if id not in ids:
        return f"{what} names {shown(id)}, which the pattern does not have"
    if id in known:
        return f"{what} names {shown(id)}, which is known already; ask for an unknown node"
    if id in earlier:
        return f"return names {shown(id)} twice"
    return ""


def _text_problem(text: str) -> str:
    if not text.strip():
        return "is empty; leave it out if it is unknown"
    try:
        text.encode()
    except UnicodeEncodeError:
        # A shell argument that is not UTF-8 arrives so; no store could take it.
        return "is not valid Unicode: it has half a surrogate pair"
    return ""


def components_of(edges: Sequence[Edge]) -> tuple[tuple[int, ...], ...]:
    """Indices of edges, grouped into connected components, in order."""
    groups: list[tuple[set[str], list[int]]] = []
    for index, edge in enumerate(edges):
        names, members = set(edge.nodes), [index]
        rest = []
        for other_names, other_members in groups:
            if names & other_names:
                names |= other_names
                members = other_members + members
            else:
                rest.append((other_names, other_members))
        groups = [*rest, (names, sorted(members))]
    return tuple(tuple(m) for _, m in sorted(groups, key=lambda g: g[1][0]))
