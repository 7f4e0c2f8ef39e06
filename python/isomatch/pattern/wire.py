"""The JSON form of patterns, for programs and for models that answer in JSON.

pydantic is imported on first use: the command line must start without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from isomatch.errors import PatternError
from isomatch.pattern.elements import EachFunction
from isomatch.pattern.rules import Fault
from isomatch.pattern.scanner import error_at
from isomatch.pattern.types import (
    FUNCTIONS,
    Aggregate,
    Condition,
    Each,
    Edge,
    Node,
    Order,
    Part,
    Pattern,
    shown,
)

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from isomatch.pattern.wire_model import WireCondition, WireOptional, WireOrder, WirePattern

_REFERENCE = "#/$defs/{model}"
_KEYS = {
    "nodes": ("id", "text", "type", "every"),
    "edges": ("source", "relation", "target", "value", "key", "directed"),
    "": (
        *("nodes", "edges", "return", "count", "where", "parts", "order", *FUNCTIONS),
        *("ask", "each", "optional"),
    ),
    "where": ("node", "operator", "values", "other", "counted", "function", "or"),
    "parts": ("nodes", "operator", "pattern", "alternative"),
    "optional": ("nodes", "edges"),
    "each": ("function", "node"),
    "order": ("node", "descending", "limit", "counted", "function", "offset"),
}
_KEYS["pattern"] = _KEYS[""]


def parse_json(value: str | Mapping[str, Any]) -> Pattern:
    """The pattern that a JSON text, or the mapping it stands for, describes.

    Raises:
        PatternError: the message names the place as a path (``edges[0].source``);
            `position` is set where the text is not JSON at all.

    Example:
        >>> parse_json({"nodes": [{"id": "f"}, {"id": "m", "text": "Michael Mann"}],
        ...             "edges": [{"source": "f", "target": "m"}]}).answers
        ('f',)
    """
    from pydantic import ValidationError

    from isomatch.pattern.wire_model import WirePattern

    text = value if isinstance(value, str) else None
    data = _loads(value) if isinstance(value, str) else value
    if not isinstance(data, Mapping):
        raise _error("a pattern in JSON is an object with nodes and edges", text)
    try:
        wire = WirePattern.model_validate(dict(data))
    except ValidationError as error:
        raise _error(_problem(error.errors(include_url=False)), text) from error
    return _pattern(wire, "", text)


def _pattern(wire: WirePattern, within: str, text: str | None) -> Pattern:
    nodes, edges = _graph(wire)
    returns = tuple(wire.returns)
    for place, given in _worked_out(wire):
        if given.counted and given.function:
            raise _error(f"{within}{place}.function: leave it out beside counted", text)
    where = tuple(map(_condition, wire.where))
    parts = tuple(
        Part(
            tuple(p.nodes),
            p.operator,
            _pattern(p.pattern, f"{within}parts[{i}].pattern.", text),
            p.alternative,
        )
        for i, p in enumerate(wire.parts)
    )
    order = _order(wire.order) if wire.order else None
    aggregates = [Aggregate(f, id) for f in FUNCTIONS if (id := getattr(wire, f)) is not None]
    if len(aggregates) > 1:
        raise _error(f"{within}{aggregates[1].function}: a pattern has one function", text)
    aggregate = next(iter(aggregates), None)
    each = tuple(Each(one.function, one.node) for one in wire.each)
    optional = tuple(
        _optional(one, f"{within}optional[{i}].", text) for i, one in enumerate(wire.optional)
    )
    single = (wire.count, where, parts, order, aggregate, wire.ask)
    try:
        return Pattern(nodes, edges, returns, *single, each, optional)
    except PatternError as error:
        raise _placed(error.fault, within, text, aggregate) from None


def _worked_out(wire: WirePattern) -> Iterator[tuple[str, WireCondition | WireOrder]]:
    """What may have a function, with its place."""
    for i, condition in enumerate(wire.where):
        yield f"where[{i}]", condition
        yield from ((f"where[{i}].or[{j}]", one) for j, one in enumerate(condition.either))
    if wire.order:
        yield "order", wire.order


def _optional(wire: WireOptional, within: str, text: str | None) -> Pattern:
    try:
        return Pattern(*_graph(wire))
    except PatternError as error:
        raise _placed(error.fault, within, text) from None


def _graph(wire: WirePattern | WireOptional) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    nodes = tuple(Node(n.id, n.text, n.type, n.every) for n in wire.nodes)
    edges = tuple(
        Edge(e.source, e.relation, e.target, e.value, e.directed, e.key) for e in wire.edges
    )
    return nodes, edges


def _placed(
    fault: Fault, within: str, text: str | None, aggregate: Aggregate | None = None
) -> PatternError:
    part: str | None = "return" if fault.part == "returns" else fault.part
    if part == "aggregate" and aggregate is not None:
        part = aggregate.function
    listed = part not in ("count", "order", "ask", *FUNCTIONS)
    place = f"{part}[{fault.index}]" if listed and part else part or ""
    place = f"{within}{place}".removesuffix(".")
    return _error(f"{place}: {fault.problem}" if place else fault.problem, text)


def to_json(pattern: Pattern) -> dict[str, Any]:
    """The pattern as a mapping that `json.dumps` takes and `parse_json` gives back.

    What is unknown is left out, as are the returns where there are none.
    """
    result: dict[str, Any] = {
        "nodes": [
            _present(id=n.id, text=n.text, type=n.type) | ({"every": True} if n.every else {})
            for n in pattern.nodes
        ],
        "edges": [
            _present(
                source=e.source, relation=e.relation, target=e.target, value=e.value, key=e.key
            )
            | ({"directed": True} if e.directed else {})
            for e in pattern.edges
        ],
    }
    if pattern.returns:
        result["return"] = list(pattern.returns)
    if pattern.count is not None:
        result["count"] = pattern.count
    if pattern.aggregate is not None:
        result[pattern.aggregate.function] = pattern.aggregate.node
    if pattern.each:
        result["each"] = [{"function": one.function, "node": one.node} for one in pattern.each]
    if pattern.ask:
        result["ask"] = True
    if pattern.where:
        result["where"] = list(map(_condition_form, pattern.where))
    if pattern.parts:
        result["parts"] = [
            {"nodes": list(p.nodes), "operator": p.operator, "pattern": to_json(p.pattern)}
            | ({"alternative": True} if p.alternative else {})
            for p in pattern.parts
        ]
    if pattern.optional:
        inner = map(to_json, pattern.optional)
        result["optional"] = [{"nodes": one["nodes"], "edges": one["edges"]} for one in inner]
    if (order := pattern.order) is not None:
        result["order"] = {"node": order.node, "descending": order.descending}
        if order.limit is not None:
            result["order"]["limit"] = order.limit
        result["order"] |= _function_form(order)
        if order.offset:
            result["order"]["offset"] = order.offset
    return result


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the form; published as docs/pattern.schema.json."""
    from isomatch.pattern.wire_model import WirePattern

    # A pattern may be inside another: the root is the pattern itself, and inner ones refer to it.
    schema = WirePattern.model_json_schema(ref_template=_REFERENCE)
    inner = schema.pop("$defs")
    root = inner.pop(WirePattern.__name__)
    text = json.dumps({"$defs": inner, **root})
    text = text.replace(_REFERENCE.format(model=WirePattern.__name__), "#")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **json.loads(text)}


def _condition(wire: WireCondition) -> Condition:
    either = tuple(map(_condition, wire.either))
    values, function = tuple(wire.values), _function(wire)
    return Condition(wire.node, wire.operator, values, wire.other, function, either)


def _order(wire: WireOrder) -> Order:
    return Order(wire.node, wire.descending, wire.limit, _function(wire), wire.offset)


def _function(wire: WireCondition | WireOrder) -> EachFunction | None:
    return "count" if wire.counted else wire.function


def _function_form(given: Condition | Order) -> dict[str, Any]:
    if given.counted:
        return {"counted": True}
    return {"function": given.function} if given.function else {}


def _condition_form(condition: Condition) -> dict[str, Any]:
    values = {"values": list(condition.values)}
    return (
        {"node": condition.node, "operator": condition.operator}
        | (values if condition.other is None else {"other": condition.other})
        | _function_form(condition)
        | ({"or": list(map(_condition_form, condition.either))} if condition.either else {})
    )


def _present(**values: str | None) -> dict[str, str]:
    return {key: value for key, value in values.items() if value is not None}


def _loads(text: str) -> Any:
    # The parser's own message differs between Python versions; the caret is enough.
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise error_at("not JSON from here on", text, error.pos, _example()) from error
    except (RecursionError, ValueError) as error:  # nested too deeply, a number too long
        raise _error(f"not JSON that can be read: {error}", text) from error


def _problem(errors: list[ErrorDetails]) -> str:
    """The mistake in words; an unknown key first, since it explains a missing one."""
    error = min(errors, key=lambda e: e["type"] != "extra_forbidden")
    *parents, last = error["loc"] or ("",)
    place = _path(error["loc"]) or "the pattern"
    if error["type"] in ("extra_forbidden", "invalid_key"):
        allowed = _KEYS[next((p for p in reversed(parents) if isinstance(p, str)), "")]
        near = get_close_matches(str(last), allowed, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the keys here are {', '.join(allowed)}"
        where = f" in {_path(tuple(parents))}" if parents else ""
        return f"unknown key {shown(str(last))}{where}; {hint}"
    if error["type"] == "missing":
        return f"{place} is missing"
    expected = {
        "string_type": "a text",
        "string_unicode": "valid Unicode text",
        "list_type": "a list",
        "bool_type": "true or false",
        "model_type": "an object",
    }
    told = error["msg"].removeprefix("Input should be ")
    return f"{place} must be {expected.get(error['type'], told)}"


def _path(location: tuple[int | str, ...]) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return path.removeprefix(".")


def _error(problem: str, text: str | None) -> PatternError:
    return PatternError(f"{problem}\nA correct pattern: {_example()}", text=text)


def _example() -> str:
    from isomatch.pattern.wire_model import EXAMPLE

    return json.dumps(EXAMPLE)
