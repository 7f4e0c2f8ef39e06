"""The pattern of an expression: its answer is the set that the expression means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any, TypeGuard

from isomatch.chains.graph import Step
from isomatch.errors import PatternError
from isomatch.interpret.compose.analysis import comes_back, most_homonyms, repeats
from isomatch.interpret.compose.expressions import (
    Along,
    AlongValue,
    Apart,
    Both,
    Compared,
    ComparedEach,
    ComparedOwn,
    Count,
    Counted,
    Expression,
    Extreme,
    ExtremeEach,
    Linked,
    Listed,
    Named,
    OfType,
    OnEdge,
    Onward,
    PerEach,
    Shared,
    Valued,
    Whether,
    Without,
    Worked,
    in_units,
)
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.sets.counting import doers, may_have_none, with_some, without_any
from isomatch.interpret.scored import search_options
from isomatch.lexicon.folding import fold
from isomatch.pattern.types import (
    Aggregate,
    Condition,
    Each,
    Edge,
    Node,
    Order,
    Part,
    Pattern,
)


def to_pattern(expression: Expression | Whether, kinds: GraphKinds) -> Pattern | None:
    """The pattern whose answers are the set; None where there is no such pattern."""
    try:
        return _Builder(kinds).pattern(expression)
    except PatternError:
        return None


def to_patterns(
    expression: Expression | Whether, kinds: GraphKinds
) -> tuple[Pattern, tuple[Pattern, ...]] | None:
    """As `to_pattern`, with what answers where the pattern is proven to have no match.

    Who has the fewest of something has none, if anybody has none. Else the least number counts.
    What is in no such place may be in one there.
    """
    if not (isinstance(expression, Extreme) and may_have_none(expression, kinds)):
        pattern = to_pattern(expression, kinds)
        others = expression.otherwise if isinstance(expression, Whether) else ()
        otherwise = tuple(p for other in others if (p := to_pattern(Whether(other), kinds)))
        return None if pattern is None or len(otherwise) < len(others) else (pattern, otherwise)
    none = without_any(expression)
    first = None if none is None else to_pattern(none, kinds)
    second = to_pattern(with_some(expression), kinds)
    return None if first is None or second is None else (first, (second,))


class _Builder:
    """Collects the nodes, edges and conditions of one pattern.

    What is worked out of values takes one for each match. So what has several matches for one
    member of a set is put into a part there.
    """

    def __init__(self, kinds: GraphKinds):
        self._kinds = kinds
        self._once = False
        self._nodes: dict[str, Node] = {}
        self._edges: list[Edge] = []
        self._where: list[Condition] = []
        self._parts: list[Part] = []
        self._order: Order | None = None
        self._names: dict[Named, str] = {}
        self._values: dict[tuple[str, Step], str] = {}

    def pattern(self, expression: Expression | Whether) -> Pattern:
        counted, asks = isinstance(expression, Count), isinstance(expression, Whether)
        worked: Aggregate | None = None
        each: tuple[Each, ...] = ()
        answer = self._new()
        if isinstance(expression, Worked):
            self._once = True
            self._place(expression.of, answer)
            step = expression.step
            worked = Aggregate(expression.function, self._value(answer, step) if step else answer)
        elif isinstance(expression, Extreme):
            if may_have_none(expression, self._kinds):
                raise PatternError("who has none of the things would be left out")
            self._place_counted(expression.of, expression.step, expression.counted, answer)
            self._order = self._ordered(expression, answer)
        elif isinstance(expression, Counted):
            self._place_counted(expression.of, expression.step, expression.things, answer)
            self._where.append(self._having(expression, answer))
        elif isinstance(expression, PerEach):
            each = (Each(expression.function, self._place_each(expression, answer)),)
        elif isinstance(expression, (ExtremeEach, ComparedEach)):
            value, function = self._place_each(expression.of, answer), expression.of.function
            if isinstance(expression, ExtremeEach):
                offset, limit = expression.places
                self._order = Order(value, expression.descending, limit, function, offset)
            else:
                self._where += [
                    Condition(value, *one, function=function) for one in expression.where
                ]
        elif isinstance(expression, (Count, Whether)):
            self._place_apart(expression.of, answer)
        elif isinstance(expression, Listed):
            return self._listing(expression, answer)
        else:
            self._place(expression, answer)
        self._give_edges()
        return Pattern(
            tuple(self._nodes.values()),
            tuple(self._edges),
            () if counted or worked or asks else (answer,),
            answer if counted else None,
            tuple(self._where),
            tuple(self._parts),
            self._order,
            worked,
            asks,
            each,
        )

    def _listing(self, of: Listed, id: str) -> Pattern:
        """What is beside each of a set is optional; what a name has is all that is asked for."""
        self._place(of.of, id)
        if isinstance(of.of, Named):
            values = tuple(self._value(id, step) for step in of.steps)
            self._give_edges()
            return Pattern(tuple(self._nodes.values()), tuple(self._edges), values)
        columns = [self._new() for _ in of.steps]
        optional = []
        for column, step in zip(columns, of.steps, strict=True):
            kept, beside, source = len(self._edges), [Node(id)], id
            if of.records is not None:
                back, records = of.records
                source = self._new()
                self._edge(id, back, source)
                beside.append(Node(source, type=self._kinds.type_texts[records.type]))
            self._edge(source, step, column)
            beside.append(Node(column, type=of.things))
            for node in beside[1:]:
                del self._nodes[node.id]
            optional.append(Pattern(tuple(beside), tuple(self._edges[kept:])))
            del self._edges[kept:]
        self._give_edges()
        nodes, edges = tuple(self._nodes.values()), tuple(self._edges)
        returns, parts = (id, *columns), tuple(self._parts)
        where = tuple(self._where)
        return Pattern(nodes, edges, returns, where=where, parts=parts, optional=tuple(optional))

    def _place_each(self, of: PerEach, id: str) -> str:
        """Let a node stand for a set; the node that something is worked out of for each."""
        self._once = of.function != "count"
        self._place_counted(of.of, of.step, of.things, id)
        things = self._new()
        self._edge(id, of.step, things)
        if of.things is not None:
            self._place(of.things, things)
        if of.key:
            value = self._new()
            self._edges[-1] = replace(self._edges[-1], value=value, key=of.key)
            return value
        return self._value(things, of.value) if of.value else things

    def _place_apart(self, of: Expression | Apart, id: str) -> None:
        """Let a node stand for a set, and one for each of several sets."""
        if isinstance(of, Apart):
            self._place_apart(of.left, id)
            self._place_apart(of.right, self._new())
        else:
            self._place(of, id)

    def _new(self) -> str:
        id = f"x{len(self._nodes) + 1}"
        self._nodes[id] = Node(id)
        return id

    def _place_counted(
        self, of: Expression, step: Step, things: Expression | None, id: str
    ) -> None:
        """Let a node stand for a set; that it has things is said where these are counted."""
        if isinstance(of, Both):
            self._place_counted(of.left, step, things, id)
            self._place_counted(of.right, step, things, id)
        elif not (isinstance(of, Along) and of.step == step.inverse and _is_any(of.of, things)):
            self._place(of, id)

    def _place(self, of: Expression, id: str) -> None:
        """Let a node stand for the members of a set."""
        if self._once and repeats(of, self._kinds):
            self._part(id, of)
        elif isinstance(of, Named):
            self._set(id, text=of.text, type=of.type, every=of.every)
            self._names[of] = id
        elif isinstance(of, OfType):
            self._set(id, type=of.type)
        elif isinstance(of, Both):
            self._place(of.left, id)
            self._place(of.right, id)
        elif isinstance(of, Along):
            known = self._names.get(of.of) if isinstance(of.of, Named) else None
            source = known or self._new()
            self._edge(source, of.step, id, either=of.either)
            if known is None:
                self._place(of.of, source)
        elif isinstance(of, Shared):
            source = self._new()
            for step in of.steps:
                self._edge(source, step, id)
            self._place(of.of, source)
        elif isinstance(of, Linked):
            source = self._new()
            self._edges.append(Edge(source, None, id, directed=False))
            self._place(of.of, source)
        elif isinstance(of, Without):
            self._place(of.of, id)
            ways = any_nameless(of, self._kinds)
            for number, way in enumerate(ways):
                self._part(id, way)
                self._parts[-1] = replace(self._parts[-1], alternative=number > 0)
            if not ways:
                self._part(id, of.less, negated=True)
        elif isinstance(of, (Extreme, Counted)):
            self._place(self._of_some(of), id)
            self._part(id, of)
        elif isinstance(of, (ExtremeEach, ComparedEach)):
            self._place(of.of.of, id)
            self._part(id, of)
        elif isinstance(of, Valued):
            self._place(of.of, id)
            self._value(id, of.step)
        elif isinstance(of, (Compared, ComparedOwn)):
            self._place(of.of, id)
            self._compare(of, id)
        elif isinstance(of, (OnEdge, AlongValue)):
            self._place_value(of, id)
        else:
            raise PatternError("a number of things has no members")

    def _compare(self, of: Compared | ComparedOwn, id: str) -> None:
        """Let the value of a node compare."""
        value = self._value(id, of.step)
        if isinstance(of, ComparedOwn):
            if self._kinds.gives_value(of.there.relation):  # "ended later than planned"
                own = self._value(id, of.there)
            else:
                owner = self._new()
                self._edge(id, of.there, owner)
                own = self._value(owner, of.step)
            self._where.append(Condition(value, of.operator, other=own))
        elif of.other is None:
            values, *others = in_units(of, self._kinds)
            operators = (operator for operator, _ in of.either)
            either = tuple(map(Condition, repeat(value), operators, others))
            self._where.append(Condition(value, of.operator, values, either=either))
        else:
            other = to_part(of.other, self._kinds)
            if of.operator not in ("=", "!=", "<", "<=", ">", ">="):
                raise PatternError(f"{of.operator} compares no values of a set")
            self._parts.append(Part((value,), of.operator, other))

    def _of_some(self, of: Extreme | Counted) -> Expression:
        """What a set is of, with an edge that its members have if not all of the type have one."""
        every = of.of
        if not isinstance(of, Counted) or not isinstance(every, OfType):
            return every
        if isinstance(of.things, Onward) or self._kinds.total(every.type) is not None:
            return every
        return doers(every, of.step, of.things)

    def _ordered(self, of: Extreme, id: str) -> Order:
        offset, limit = of.places
        if of.key:
            value = self._new()
            self._edge(id, of.step, self._new())
            self._edges[-1] = replace(self._edges[-1], value=value, key=of.key)
            return Order(value, of.descending, limit, offset=offset)
        if of.counted is None:
            return Order(self._value(id, of.step), of.descending, limit, offset=offset)
        value = self._things(id, of.step, of.counted)
        return Order(value, of.descending, limit, "count", offset)

    def _place_value(self, of: OnEdge | AlongValue, id: str) -> None:
        """An edge with a value, which the node stands for, or is an end of."""
        ends: list[str] = []
        sets = (of.source, of.target) if isinstance(of, OnEdge) else (of.of,)
        for one in sets:
            known = self._names.get(one) if isinstance(one, Named) else None
            ends.append(known or self._new())
            if one is not None and known is None:
                self._place(one, ends[-1])
        value = id
        if isinstance(of, AlongValue):
            ends.append(id)
            value = self._new()
            self._set(value, text=of.text or None)
            self._where += [Condition(value, *one) for one in of.where]
        self._edge(ends[0], of.step, ends[1])
        self._edges[-1] = replace(self._edges[-1], value=value, key=of.key)

    def _having(self, of: Counted, id: str) -> Condition:
        things = self._things(id, of.step, of.things)
        return Condition(things, of.operator, (of.value,), function="count")

    def _things(self, id: str, step: Step, of: Expression) -> str:
        """The node of the things that are counted at a step."""
        things = self._new()
        self._edge(id, step, things)
        if isinstance(of, Onward):
            self._place(of.of, things)
            return self._things(things, of.step, of.things)
        self._place(of, things)
        return things

    def _value(self, id: str, step: Step) -> str:
        """The value of a node: one, however often it is compared."""
        if (id, step) not in self._values:
            self._values[id, step] = self._new()
            self._edge(id, step, self._values[id, step])
        return self._values[id, step]

    def _part(self, id: str, of: Expression, *, negated: bool = False) -> None:
        pattern = to_part(of, self._kinds)
        self._parts.append(Part((id,), "not in" if negated else "in", pattern))

    def _edge(self, source: str, step: Step, target: str, *, either: bool = False) -> None:
        text = self._kinds.schema.by_id[step.relation].text
        ends = (target, source) if step.back else (source, target)
        directed = not (either or self._kinds.is_symmetric(step.relation))
        self._edges.append(Edge(ends[0], text, ends[1], directed=directed))

    def _set(
        self, id: str, *, text: str | None = None, type: str | None = None, every: bool = False
    ) -> None:
        node = self._nodes[id]
        if text is not None and node.text is not None and text != node.text:
            raise PatternError("one node has two names")
        types = self._kinds.schema
        both = [t for t in (type, node.type) if t is not None]
        if len(set(both)) == 2:
            narrow = [
                t for t in both if all(t == o or t in types.subclasses.get(o, ()) for o in both)
            ]
            if not narrow:
                raise PatternError("one node has two types")
            both = narrow
        self._nodes[id] = Node(
            id, text or node.text, both[0] if both else None, every or node.every
        )

    def _give_edges(self) -> None:
        """Types from ids to texts; a node beside others gets an edge that all of its type have."""
        touched = {id for edge in self._edges for id in edge.nodes}
        texts = self._kinds.type_texts
        alone = len(self._nodes) == 1 and self._kinds.schema.typed
        for id, node in list(self._nodes.items()):
            if id not in touched and not (alone and node.type and node.text is None):
                relation = self._kinds.total(node.type or "", several=not self._once)
                if relation is None:
                    raise PatternError("a node has no edge")
                self._edge(id, Step(relation), self._new())
            self._nodes[id] = replace(node, type=texts.get(node.type or ""))


def _is_any(of: Expression, things: Expression | None) -> bool:
    """Whether a set is that of some things, or whatever a relation leads from."""
    return of == things or (isinstance(of, OfType) and not of.type)


def any_nameless(of: Without, kinds: GraphKinds) -> Sequence[OfType | Valued]:
    """The sets in any of which the members are, where no name tells them; else empty.

    So `compose.analysis.any_of` and `compose.sets.events` say what was done in any way. ``in`` may
    take another name or one of several relations alike, as ``not in`` may not.
    """
    ways: list[OfType | Valued] = []
    outside = of.less
    while isinstance(outside, Without):
        way = outside.less
        if not _is_sure(way, kinds):
            return ()
        ways.insert(0, way)
        outside = outside.of
    within = isinstance(outside, OfType) and of.of.kinds and of.of.kinds <= outside.kinds
    return ways if outside == of.of or within else ()


def _is_sure(of: Expression, kinds: GraphKinds) -> TypeGuard[OfType | Valued]:
    """Whether a set is those of a type, or of these with a value, by words of one meaning."""
    every = of.of if isinstance(of, Valued) else of
    if not isinstance(every, OfType):
        return False
    types = list(map(fold, kinds.type_texts.values()))
    told = types.count(fold(kinds.type_texts.get(every.type, ""))) == 1
    if isinstance(of, Valued):
        relations = [fold(relation.text) for relation in kinds.schema.relations]
        told = told and relations.count(fold(kinds.schema.by_id[of.step.relation].text)) == 1
    return told


def to_part(expression: Expression, kinds: GraphKinds) -> Pattern:
    """As `to_pattern`, with an error where there is no such pattern."""
    return _Builder(kinds).pattern(expression)


def options_of(of: Expression) -> Mapping[str, Any]:
    """Of the search: sets may share members, but who works with somebody is not the same."""
    nodes = "anchored" if comes_back(of) else "walk"
    return search_options(nodes, "as drawn", several=most_homonyms(of) > 1)
