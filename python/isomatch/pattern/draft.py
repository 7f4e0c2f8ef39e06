"""Assemble a pattern from the mentions of its nodes in a text.

A node may be mentioned many times, by its id or by its name alone. The rules for which
mentions are one node, and for the id of a node without one, are the same for every text
form.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import count
from typing import cast

from isomatch.errors import PatternError
from isomatch.pattern.elements import EachFunction, Function
from isomatch.pattern.scanner import Scanner
from isomatch.pattern.types import (
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

_ID_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a text names a node.

    Attributes:
        id: as written; None where the text gives none.
        text: the name of a known node; None for an unknown one.
        type: in words; one mention of several may leave it out.
        position: offset into the input.
        every: whether it has a question mark and a name.
        value: whether it stands on an edge. A value without an id is a node of
            its own, whatever else has its name: "John Malkovich as John
            Malkovich" has two.
        properties: relations and values that are written in the node itself.
    """

    id: str | None
    text: str | None
    type: str | None
    position: int
    value: bool = False
    properties: tuple[tuple[str, Mention], ...] = ()
    every: bool = False


class Draft:
    """Collects mentions, edges and returns in order, then makes the pattern.

    Args:
        scanner: of the text, for errors.
        anonymous: how ids of unknown nodes without one begin.
    """

    def __init__(self, scanner: Scanner, anonymous: str = "_") -> None:
        self._scanner = scanner
        self._anonymous = anonymous
        self._mentions: list[Mention] = []
        self._edges: list[tuple[int, str | None, int, int | None, int, bool, str | None]] = []
        self._returns: list[tuple[str, int]] = []
        self._functions: list[tuple[str, str, int]] = []
        self._where: list[tuple[Condition, int]] = []
        self._parts: list[tuple[Part, int]] = []
        self._order: tuple[Order | None, int] = (None, 0)
        self._ask: tuple[bool, int] = (False, 0)
        self._optional: list[tuple[Pattern, int]] = []

    def mention(self, mention: Mention) -> int:
        """Add a mention, with an edge for each of its properties; its number, for `edge`."""
        self._mentions.append(mention)
        number = len(self._mentions) - 1
        for relation, value in mention.properties:
            self.edge(number, relation, self.mention(value), None, value.position, directed=True)
        return number

    def edge(
        self,
        source: int,
        relation: str | None,
        target: int,
        value: int | None,
        position: int,
        directed: bool = False,
        key: str | None = None,
    ) -> None:
        """Add an edge between two mentions, perhaps with a third as its value."""
        self._edges.append((source, relation, target, value, position, directed, key))

    def returned(self, id: str, position: int) -> None:
        """Add an id that the pattern returns."""
        self._returns.append((id, position))

    def condition(self, condition: Condition, position: int) -> None:
        """Add a condition that the pattern has."""
        self._where.append((condition, position))

    def part(self, part: Part, position: int) -> None:
        """Add a part that the pattern has."""
        self._parts.append((part, position))

    def ordered(self, order: Order, position: int) -> None:
        """Set the order of the pattern's answers."""
        self._order = (order, position)

    def asked(self, position: int) -> None:
        """Let the pattern ask only if there is a match."""
        self._ask = (True, position)

    def optional(self, part: Pattern, position: int) -> None:
        """Add an optional part that the pattern has."""
        self._optional.append((part, position))

    @property
    def next_anonymous(self) -> str:
        """How ids of nodes without one begin in the next optional part: none is shared."""
        return f"_o{len(self._optional) + 1}_"

    @property
    def has_clauses(self) -> bool:
        """Whether it has anything beside edges."""
        return self.asks or bool(self._where or self._parts or self._optional)

    @property
    def asks(self) -> bool:
        """Whether it returns, counts or orders anything yet, or asks if there is a match."""
        given = bool(self._returns or self._functions) or self._ask[0]
        return given or self._order[0] is not None

    def unknown_ids(self) -> list[str]:
        """Ids of nodes that may be asked for, those that the text gives, in order."""
        asked = (m for m in self._mentions if m.text is None or m.every)
        return list(dict.fromkeys(m.id for m in asked if m.id))

    def worked_out(self, function: str, id: str, position: int) -> None:
        """Add a function that the pattern returns, and the id that it is of."""
        self._functions.append((function, id, position))

    def pattern(self, end: int | None = None) -> Pattern:
        """The pattern; PatternError at the place that breaks a rule.

        Args:
            end: where it ends; None for the end of the text.
        """
        ids = self._ids()
        merged: dict[str, Node] = {}
        places: list[int] = []
        for id, mention in zip(ids, self._mentions, strict=True):
            if id not in merged:
                places.append(mention.position)
            merged[id] = self._merge(merged.get(id), id, mention)
        nodes = tuple(merged.values())
        edges = tuple(
            Edge(ids[s], relation, ids[t], None if v is None else ids[v], directed, key)
            for s, relation, t, v, _, directed, key in self._edges
        )
        returns = tuple(id for id, _ in self._returns)
        count, aggregate, each, worked_at = self._worked_out()
        where = tuple(condition for condition, _ in self._where)
        parts = tuple(part for part, _ in self._parts)
        order, ordered_at = self._order
        ask, asked_at = self._ask
        optional = tuple(part for part, _ in self._optional)
        single = (order, aggregate, ask)
        try:
            return Pattern(nodes, edges, returns, count, where, parts, *single, each, optional)
        except PatternError as error:
            fault = error.fault
        positions = {
            None: [len(self._scanner.text) if end is None else end],
            "nodes": places,
            "edges": [edge[4] for edge in self._edges],
            "returns": [position for _, position in self._returns],
            "count": worked_at,
            "where": [position for _, position in self._where],
            "parts": [position for _, position in self._parts],
            "order": [ordered_at],
            "aggregate": worked_at,
            "each": worked_at,
            "ask": [asked_at],
            "optional": [position for _, position in self._optional],
        }
        return self._scanner.fail(fault.problem, positions[fault.part][fault.index])

    def _worked_out(self) -> tuple[str | None, Aggregate | None, tuple[Each, ...], list[int]]:
        """What is worked out of all matches, or for each answer; and its places."""
        places = [position for *_, position in self._functions]
        if self._returns or len(self._functions) > 1:
            each = tuple(Each(cast("EachFunction", f), id) for f, id, _ in self._functions)
            return None, None, each, places
        for function, id, _ in self._functions:
            if function == "count":
                return id, None, (), places
            return None, Aggregate(cast("Function", function), id), (), places
        return None, None, (), places

    def _ids(self) -> list[str]:
        """The id of every mention's node."""
        taken = {m.id for m in self._mentions if m.id is not None}
        of_text: dict[str, dict[str, None]] = {}
        for m in self._mentions:
            if m.id is not None and m.text is not None and not (m.value or m.every):
                of_text.setdefault(m.text, {})[m.id] = None
        anonymous = (id for n in count(1) if (id := f"{self._anonymous}{n}") not in taken)
        numbered = (id for n in count(1) if (id := f"n{n}") not in taken)
        ids = []
        for m in self._mentions:
            if m.id is not None:
                ids.append(m.id)
            elif m.text is None or m.every:
                ids.append(next(anonymous))
            else:
                same = {} if m.value else of_text.setdefault(m.text, {})
                if len(same) > 1:
                    first, second, *_ = same
                    self._scanner.fail(
                        f"several nodes are named {shown(m.text)}; say which, with the id"
                        f" {shown(first)} or {shown(second)}",
                        m.position,
                    )
                if not same:
                    readable = slug(m.text)
                    id = readable if readable and readable not in taken else next(numbered)
                    taken.add(id)
                    same[id] = None
                ids.extend(same)
        return ids

    def _merge(self, node: Node | None, id: str, mention: Mention) -> Node:
        if node is None:
            return Node(id, mention.text, mention.type, mention.every)
        # Once it has its name, a variable needs no name: (?p "Mary")-[knows]-(?x), (?p)-[…
        every = node.every or mention.every
        if not every and node.known != (mention.text is not None):
            self._scanner.fail(
                f"the node {shown(id)} is named in one place and unknown in another;"
                " two nodes need two ids",
                mention.position,
            )
        if node.text is not None and mention.text is not None and node.text != mention.text:
            self._scanner.fail(
                f"the node {shown(id)} has two names, {shown(node.text)} and"
                f" {shown(mention.text)}; two nodes need two ids",
                mention.position,
            )
        if node.type is not None and mention.type not in (None, node.type):
            self._scanner.fail(
                f"the node {shown(node.text or id)} has two types, {shown(node.type)} and"
                f" {shown(mention.type or '')}; two nodes need two ids",
                mention.position,
            )
        return Node(id, node.text or mention.text, node.type or mention.type, every)


def slug(text: str) -> str:
    """A readable id for a text: its letters and digits, lower case, without accents.

    Empty where the text has neither (an emoji, say).

    Example:
        >>> slug("Beyoncé Knowles-Carter")
        'beyonce_knowles_carter'
    """
    decomposed = unicodedata.normalize("NFKD", text[: 4 * _ID_LENGTH].lower())
    bare = "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
    runs = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", bare))
    return "_".join(runs)[:_ID_LENGTH].rstrip("_")
