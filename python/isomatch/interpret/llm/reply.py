"""A model's reply as a pattern: checked, and data all the way.

Unknowns are written as in the triples, ``UNKNOWN film 1``, and counts as
``count(UNKNOWN film 1)``; ``sum``, ``avg``, ``min`` and ``max`` are written so too, and beside
an unknown they are worked out for each. A key that is not known is refused where it may hold a
condition: a pattern without it would answer another question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from isomatch.errors import PatternError
from isomatch.lexicon.folding import fold
from isomatch.link.reading import KINDS
from isomatch.match.conditions import check_conditions
from isomatch.pattern import parse_triples
from isomatch.pattern.elements import EACH_FUNCTIONS, Aggregate, Each, EachFunction
from isomatch.pattern.types import (
    FUNCTIONS,
    Condition,
    Node,
    Order,
    Part,
    PartOperator,
    Pattern,
    ask_fault,
    each_fault,
    find_fault,
)
from isomatch.schema.types import Schema

_MOST = 100_000  # characters of a reply that are looked at
YES_OR_NO = "yes or no"  # asked for
_SEGMENTS = "segments"  # which only help the model to think
_WORKED = re.compile(rf"({'|'.join(EACH_FUNCTIONS)})\s*\((.*)\)", re.IGNORECASE | re.DOTALL)
_WORKED_OUT = re.compile(rf"(count|{'|'.join(FUNCTIONS)})\s*\((.*)\)", re.IGNORECASE | re.DOTALL)


def _as_text(value: object) -> object:
    """A number, true or false as a text, since models write constants either way."""
    return json.dumps(value) if isinstance(value, bool | int | float) else value


_Constant = Annotated[str, BeforeValidator(_as_text)]


class _WithoutNulls(BaseModel):
    """A part of a reply, in which null is as good as nothing."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        return {key: value for key, value in given.items() if value is not None}


class ReplyOrder(_WithoutNulls):
    """Which answers a reply keeps."""

    model_config = ConfigDict(extra="forbid", strict=True)

    by: str
    descending: bool = False
    limit: int | None = None
    offset: int = 0


class Said(_WithoutNulls):
    """The facts, conditions and order of a reply, or of a part of it."""

    triples: list[list[_Constant]]
    asks: list[str] = []
    where: list[list[_Constant]] = []
    either: list[list[list[_Constant]]] = []
    every: list[str] = []
    order: ReplyOrder | None = None


class ReplyPart(Said):
    """What unknowns of a reply must be, by the answers of other facts."""

    model_config = ConfigDict(extra="forbid")

    unknowns: list[str]
    operator: PartOperator
    alternative: bool = False


class Reply(Said):
    """What is used of a reply."""

    model_config = ConfigDict(extra="allow")

    parts: list[ReplyPart] = []
    optional: list[list[list[_Constant]]] = []


def pattern_of(reply: str, edge_values: bool = False) -> Pattern:
    """The pattern that a model's reply holds.

    Args:
        edge_values: whether a triple may have a fourth text, the value on the edge.

    Raises:
        PatternError: it holds none; the message says to a model what is wrong.
    """
    try:
        parsed = Reply.model_validate(_object(reply))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise PatternError(f"at {place!r}: {first['msg']}", text=cut(reply)) from error
    for key, value in (parsed.model_extra or {}).items():
        if key != _SEGMENTS and value and not isinstance(value, str):
            known = ", ".join((_SEGMENTS, *Reply.model_fields))
            raise PatternError(f"unknown key {cut(key)!r}; the keys are {known}", text=cut(reply))
    for i, part in enumerate(parsed.parts):
        before = parsed.parts[i - 1] if i else None
        if part.alternative and (
            before is None
            or not before.operator == part.operator == "in"
            or before.unknowns != part.unknowns
        ):
            raise PatternError(
                f"at 'parts.{i}': it is enough instead of the part before it where it is an "
                "'alternative'; both have the operator 'in' and the same 'unknowns'"
            )
    parts = tuple(_part(part, edge_values, f"parts.{i}.") for i, part in enumerate(parsed.parts))
    pattern = _pattern(parsed, edge_values, "", parts)
    if not parsed.optional:
        return pattern
    optional = [
        parse_triples(list(_triples(triples, edge_values, f"optional.{number}")))
        for number, triples in enumerate(parsed.optional)
    ]
    own = {n.id: n for n in pattern.nodes}
    return replace(
        pattern,
        returns=(*pattern.returns, *_shown(optional, own)) if pattern.returns else (),
        optional=tuple(
            replace(part, nodes=tuple(own.get(n.id, n) for n in part.nodes)) for part in optional
        ),
    )


def _shown(optional: Sequence[Pattern], own: Collection[str]) -> Iterator[str]:
    """The unknowns of optional parts alone, which are shown beside the answers."""
    ids = (n.id for part in optional for n in part.nodes if not n.known)
    return (id for id in dict.fromkeys(ids) if id not in own)


def _part(said: ReplyPart, edge_values: bool, place: str) -> tuple[ReplyPart, Pattern]:
    """A part and its pattern, which asks for the part's own unknowns where it does not say."""
    asked = said.model_copy(update={"asks": said.asks or said.unknowns})
    try:
        return said, _pattern(asked, edge_values, place)
    except PatternError as error:
        raise PatternError(f"at {place[:-1]!r}: {error}") from error


def _pattern(
    said: Said,
    edge_values: bool,
    place: str,
    parts: Sequence[tuple[ReplyPart, Pattern]] = (),
) -> Pattern:
    triples = list(_triples(said.triples, edge_values, f"{place}triples"))
    alone = not (triples or place) and said.asks
    bare = _alone(said.asks[0]) if alone else parse_triples(triples)
    nodes = _every(bare.nodes, said.every, f"{place}every")
    unknown = {node.id for node in nodes if not node.known}

    def id_of(text: str, key: str) -> str:
        return _unknown(text, unknown, f"{place}{key}")

    ask = [text.strip().lower() for text in said.asks] == [YES_OR_NO]
    asks = [] if ask else said.asks
    calls = [_WORKED_OUT.fullmatch(text.strip()) for text in asks]
    plain = [text for text, call in zip(asks, calls, strict=True) if call is None]
    returns = tuple(dict.fromkeys(id_of(text, "asks") for text in plain))
    worked = [(c[1].lower(), id_of(c[2], "asks")) for c in calls if c is not None]
    if len(worked) > 1 and not returns:
        raise PatternError(
            f"'{place}asks' has {len(worked)} functions, and at most one can be, but beside an "
            "UNKNOWN for each of which they are worked out"
        )
    each: tuple[Each, ...] = ()
    if returns:
        each, worked = tuple(Each(name, id) for name, id in worked), []  # type: ignore[arg-type]
    count = next((id for name, id in worked if name == "count"), None)
    aggregate = next(
        (Aggregate(f, id) for name, id in worked for f in FUNCTIONS if f == name), None
    )
    where = (
        *(_condition(texts, f"{place}where", unknown) for texts in said.where),
        *(_either(group, f"{place}either", unknown) for group in said.either),
    )
    within = tuple(
        Part(
            tuple(id_of(u, "parts") for u in part.unknowns), part.operator, inner, part.alternative
        )
        for part, inner in parts
    )
    order = None
    if said.order is not None:
        function, by = _worked(said.order.by)
        given = said.order
        order = Order(id_of(by, "order"), given.descending, given.limit, function, given.offset)
    if fault := (
        find_fault(nodes, bare.edges, returns, count, where, within, order, aggregate)
        or each_fault(nodes, returns, count or aggregate, each)
        or ask_fault(ask, order)
    ):
        raise PatternError(fault.problem)
    clauses = (count, where, within, order, aggregate)
    return Pattern(nodes, bare.edges, returns, *clauses, ask=ask, each=each)


def _alone(asked: str) -> Pattern:
    """All things of a kind, which is all that is said of them."""
    call = _WORKED_OUT.fullmatch(asked.strip())
    text = call[2] if call else asked
    node = parse_triples([(text, "is", "asked for")]).nodes[0]
    return Pattern((node,), ()) if node.type else parse_triples([])


def _every(nodes: Sequence[Node], names: Sequence[str], place: str) -> tuple[Node, ...]:
    """The nodes, of which those of some names stand for all things called so."""
    texts = {name.strip() for name in names}
    if missing := texts - {node.text for node in nodes}:
        raise PatternError(f"'{place}' has {cut(min(missing))!r}, which is no name of the triples")
    return tuple(replace(node, every=True) if node.text in texts else node for node in nodes)


def _triples(triples: Sequence[list[str]], edge_values: bool, place: str) -> Iterator[list[str]]:
    for number, triple in enumerate(triples):
        if len(triple) != 3 and not (edge_values and len(triple) == 4):
            raise PatternError(
                f"at '{place}.{number}': it has {len(triple)} texts, and not three"
                + (" or four" if edge_values else "")
            )
        # An empty fourth text is none: a grammar may make a model write one.
        yield triple[:3] if not "".join(triple[3:]).strip() else triple


def _either(group: Sequence[Sequence[str]], place: str, unknown: set[str]) -> Condition:
    """Conditions of which one is enough."""
    if len(group) < 2:
        raise PatternError(
            f"'{place}' needs lists of two or more conditions, of which one is enough"
        )
    first, *others = (_condition(texts, place, unknown) for texts in group)
    return replace(first, either=tuple(others))


def _condition(texts: Sequence[str], place: str, unknown: set[str]) -> Condition:
    if len(texts) < 3:
        raise PatternError(f"'{place}' needs three texts: an unknown, a comparison, a value")
    left, operator, *values = texts
    function, left = _worked(left)
    node = _unknown(left, unknown, place)
    for value in values:
        if worked := _worked(value)[0]:
            raise PatternError(f"'{place}' has a {worked} as its value; write the {worked} first")
    if len(values) == 1 and _is_unknown(values[0]):
        other = _unknown(values[0], unknown, place)
        return Condition(node, operator, other=other, function=function)  # type: ignore[arg-type]
    condition = Condition(node, operator, tuple(values), function=function)  # type: ignore[arg-type]
    try:
        check_conditions([condition])
    except PatternError as error:
        dates = (
            "" if function in ("count", "sum", "avg") else ", or a date that exists, as 2001-12-31"
        )
        listed = cut(", ".join(values))
        raise PatternError(
            f"'{place}' compares {operator} with {listed!r}: write a number in digits{dates}"
        ) from error
    return condition


def _worked(text: str) -> tuple[EachFunction | None, str]:
    """A function and what is in its brackets; None and the text without one."""
    found = _WORKED.fullmatch(text.strip())
    return (cast("EachFunction", found[1].lower()), found[2]) if found else (None, text)


def _is_unknown(text: str) -> bool:
    return text.split(maxsplit=1)[:1] == ["UNKNOWN"]


def _unknown(text: str, unknown: set[str], place: str) -> str:
    """The id of an unknown as the reply writes it: the triples' own rule decides."""
    id = parse_triples([(text, "is", "asked for")]).nodes[0].id
    if id not in unknown:
        raise PatternError(f"'{place}' has {cut(text)!r}, which is no UNKNOWN of the triples")
    return id


def without_kinds(pattern: Pattern, schema: Schema) -> Pattern:
    """The pattern, whose values may be of any kind where a relation has several.

    An "UNKNOWN number 1" is a value; where some lengths are stored as texts, they count too.
    """
    kinds = {fold(r.text): {*r.literal_kinds} for r in schema.relations if r.literal_kinds}
    several = {
        id
        for edge in pattern.edges
        for id in edge.nodes
        if kinds.get(fold(edge.relation or ""), {pattern.node(id).type}) != {pattern.node(id).type}
    }
    free = {n.id for n in pattern.nodes if n.type in KINDS and n.id in several}
    return replace(
        pattern,
        nodes=tuple(replace(n, type=None) if n.id in free else n for n in pattern.nodes),
        parts=tuple(replace(p, pattern=without_kinds(p.pattern, schema)) for p in pattern.parts),
    )


def _object(reply: str) -> dict[str, Any]:
    """The first JSON object with triples in a text, whatever stands around it."""
    reply = reply[:_MOST]
    decoder = json.JSONDecoder()
    start = reply.find("{")
    while start >= 0:
        try:
            value, _ = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and "triples" in value:
            return value
        start = reply.find("{", start + 1)
    raise PatternError("it is no JSON object with the key 'triples'", text=cut(reply))


def cut(text: str, most: int = 300) -> str:
    """The beginning of a text, as messages show it."""
    return text if len(text) <= most else f"{text[:most]}…"
