"""The second oracle: what a search must find, straight from the definitions in the docs.

It goes the other way round than a search. Nested loops lay the pattern onto the whole
graph in every possible way; each way that the option `nodes` allows then says which
interpretations it is a match of, and how far these are. There are no lists, bounds or
rounds to be wrong, and nothing of `tests.oracle.brute` or `isomatch.match` is used.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import combinations, product

import numpy as np

from isomatch.link.normalise import as_iso, normalise, value_of
from isomatch.options import Options
from isomatch.pattern import Pattern
from isomatch.pattern.types import Condition
from isomatch.store.terms import (
    RDF_TYPE,
    RDFS_LABEL,
    display_name,
    is_blank,
    is_literal,
    literal_kind,
    local_name,
    split_literal,
    words,
)

Triple = tuple[str, str, str]
Embed = Callable[[Sequence[str]], "np.ndarray"]
Key = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""An interpretation: ids of known nodes, of known relations, and of types, in their order.

A known node that stands for values, such as the days of a year, is those words in place of an id.
"""
Way = tuple[tuple[str, ...], tuple[Triple, ...]]
"""A graph node for each node of the pattern, a fact for each of its edges."""
Match = tuple[tuple[str, ...], tuple[str, ...]]
"""A graph node for each node, a relation for each edge: facts of both directions are one match."""

ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
NAMING = (RDFS_LABEL, ALIAS)
WIKIDATA = "http://www.wikidata.org/prop/"
SUBCLASS_OF = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
DIRECT_CLAIM = "http://wikiba.se/ontology#directClaim"


@dataclass(frozen=True)
class Graph:
    """A graph as its triples, every term an id; `languages` are those of names.

    Where it says which claims are direct it is a Wikibase: these are the facts, with all that
    is no part of it, and the qualifiers of their statements are values on edges.
    """

    triples: tuple[Triple, ...]
    languages: tuple[str, ...] = ("en",)

    @cached_property
    def wikibase(self) -> bool:
        """Whether only direct claims are facts."""
        return any(p == DIRECT_CLAIM for _, p, _ in self.triples)

    @cached_property
    def type_relation(self) -> str:
        """The predicate that gives types."""
        return WIKIDATA + "direct/P31" if self.wikibase else RDF_TYPE

    @cached_property
    def wider(self) -> dict[str, set[str]]:
        """The classes that each class is said to be a subclass of; both have an IRI."""
        relation = WIKIDATA + "direct/P279" if self.wikibase else SUBCLASS_OF
        found: dict[str, set[str]] = defaultdict(set)
        for s, p, o in self.triples:
            if p == relation and not any(map(_is_no_iri, (s, o))):
                found[s].add(o)
        return found

    def with_wider(self, classes: Iterable[str]) -> set[str]:
        """Classes, and all that they are subclasses of, directly or over others."""
        found: set[str] = set()
        rest = list(classes)
        while rest:
            one = rest.pop()
            if one not in found:
                found.add(one)
                rest += self.wider.get(one, ())
        return found

    @cached_property
    def facts(self) -> tuple[Triple, ...]:
        """Triples that say neither names nor types, once each.

        Subclasses are facts where one class with an IRI is said to be one of another.
        """
        others = (*NAMING, self.type_relation)
        between = [
            t for t in self.triples if t[1] == SUBCLASS_OF and not any(map(_is_no_iri, t[::2]))
        ]
        if not between:
            others = (*others, SUBCLASS_OF)
        found = dict.fromkeys(t for t in self.triples if t[1] not in others)
        if self.wikibase:  # with what is beside it
            own = (WIKIDATA, DIRECT_CLAIM)
            beside = [t for t in found if not t[1].startswith(own)]
            return tuple(t for t in found if t[1].startswith(WIKIDATA + "direct/P") or t in beside)
        return tuple(found)

    @cached_property
    def values(self) -> dict[Triple, set[str]]:
        """Values on edges: the qualifiers of any statement that says the fact."""
        said: dict[str, set[Triple]] = defaultdict(set)
        says, claims = WIKIDATA + "statement/", WIKIDATA + "P"
        for s, p, o in self.triples:
            if p.startswith(claims):
                number = p.removeprefix(WIKIDATA)
                ends = [t for a, q, t in self.triples if a == o and q == says + number]
                said[o].update((s, f"{WIKIDATA}direct/{number}", end) for end in ends)
        found: dict[Triple, set[str]] = defaultdict(set)
        for s, p, o in self.triples:
            if p.startswith(WIKIDATA + "qualifier/P"):
                for fact in said[s]:
                    found[fact].add(o)
        return found

    @cached_property
    def touching(self) -> dict[str, list[Triple]]:
        """Facts by each of their ends."""
        found: dict[str, list[Triple]] = defaultdict(list)
        for fact in self.facts:
            for end in {fact[0], fact[2]}:
                found[end].append(fact)
        return found

    @cached_property
    def labels(self) -> dict[str, list[str]]:
        """The names that are in force, the best one first, of what has any."""
        found: dict[str, list[tuple[bool, int, str]]] = defaultdict(list)
        for s, p, o in self.triples:
            if p in NAMING and is_literal(o):
                text, _, tag = split_literal(o)
                if text.strip():
                    found[s].append((p == ALIAS, self._place((tag or "").lower()), text))
        return {id: self._in_force(sorted(named)) for id, named in found.items()}

    def _place(self, tag: str) -> int:
        """Languages as asked for, then no language, then others."""
        asked = [i for i, x in enumerate(self.languages) if tag == x or tag.startswith(x + "-")]
        return asked[0] if asked else len(self.languages) + bool(tag)

    def _in_force(self, named: list[tuple[bool, int, str]]) -> list[str]:
        """Those of the languages asked for and of none, else all; and the best one."""
        fits = [text for _, place, text in named if place <= len(self.languages)]
        return list(dict.fromkeys((named[0][2], *(fits or (text for _, _, text in named)))))

    @cached_property
    def nodes(self) -> dict[str, list[str]]:
        """Every node of a fact that can be known, with its names; values have their own form."""
        found = {}
        qualifiers = [o for _, p, o in self.triples if p.startswith(WIKIDATA + "qualifier/P")]
        for id in dict.fromkeys((*self.ends, *qualifiers)):
            if is_literal(id):
                found[id] = [split_literal(id)[0]]
            elif id in self.labels:
                found[id] = self.labels[id]
            elif not is_blank(id):
                found[id] = [display_name(id)]
        return found

    @cached_property
    def ends(self) -> list[str]:
        """What facts are about."""
        return [end for s, _, o in self.facts for end in (s, o)]

    @cached_property
    def relations(self) -> dict[str, list[str]]:
        """Relations with their words."""
        return {p: [self._words(p)] for _, p, _ in self.facts}

    def _words(self, id: str) -> str:
        entity = id.replace("/prop/direct/P", "/entity/P")
        plain = "subclass of" if id == SUBCLASS_OF else local_name(id)
        named = self.labels.get(id) or self.labels.get(entity) or [plain]
        name = named[0].strip()
        return name if any(map(str.isspace, name)) else words(name)

    @cached_property
    def types(self) -> dict[str, list[str]]:
        """Types with their words; none where no node has one."""
        stated = dict.fromkeys(o for _, p, o in self.triples if p == self.type_relation)
        classes = dict.fromkeys((*stated, *sorted(self.with_wider(stated))))
        if not classes:
            return {}
        kinds = {k for n in self.ends if is_literal(n) and (k := literal_kind(n)) != "other"}
        return {c: [self._words(c)] for c in classes} | {f"literal:{k}": [k] for k in kinds}

    @cached_property
    def types_of(self) -> dict[str, set[str]]:
        """The types of each node, with the classes that these are subclasses of."""
        found = defaultdict(set)
        for s, p, o in self.triples:
            if p == self.type_relation:
                found[s] |= self.with_wider((o,))
        for id in self.nodes:
            if is_literal(id):
                found[id].add(f"literal:{literal_kind(id)}")
        return found


def _is_no_iri(id: str) -> bool:
    return is_blank(id) or is_literal(id)


def distances(texts: Mapping[str, Sequence[str]], text: str, embed: Embed) -> dict[str, float]:
    """Of each element by its nearest name: L2, six decimals, below 0.0001 it is 0."""
    owners = [(id, name) for id, names in texts.items() for name in names]
    if not owners:
        return {}
    rows = embed([text, *(name for _, name in owners)]).astype(np.float64)
    found: dict[str, float] = {}
    for (id, _), exact in zip(owners, np.linalg.norm(rows[1:] - rows[0], axis=1), strict=True):
        measured = float(np.float32(exact))
        d = 0.0 if measured < 1e-4 else round(measured, 6)
        found[id] = min(d, found.get(id, d))
    return found


def node_distances(graph: Graph, text: str, embed: Embed) -> dict[str, float]:
    """Of every node that a text may mean: by identity alone, or by name and value."""
    if (known := _identified(graph, text)) is not None:
        return {id: 0.0 for id in known if id in graph.nodes}
    by_name = {
        id: names
        for id, names in graph.nodes.items()
        if not is_literal(id) or literal_kind(id) in ("text", "other")
    }
    found = distances(by_name, text, embed)
    found.update({id: 0.0 for id in graph.nodes if is_literal(id) and _equals(id, text)})
    dated = (id for id, names in by_name.items() if any(_is_date_in(n, text) for n in names))
    found.update(dict.fromkeys(dated, 0.0))
    return found


def _identified(graph: Graph, text: str) -> list[str] | None:
    """The ids that a text stands for; None where it is a name."""
    if exact := re.fullmatch(r"<(\S+:\S+)>", text):
        return [exact[1]]
    if not re.fullmatch(r"(?=\D*\d)[\w.~-]{2,64}", text):
        return None
    plain, texts = normalise(text), {n for id in graph.nodes for n in graph.nodes[id]}
    named = plain in {normalise(n) for n in texts}
    if named or any(is_literal(id) and _equals(id, text) for id in graph.nodes):
        return None
    spaces = {re.split(r"[^#/:]*$", id)[0] for id in (*graph.relations, *graph.types)}
    return [id for id in graph.nodes if id in {space + text for space in spaces}] or None


def _is_date_in(name: str, text: str) -> bool:
    """Whether a name is a day, or a time of one, that the text is or holds."""
    found, asked = (t.replace(" ", "T", 1).removesuffix(".000") for t in (name, text))
    if not re.fullmatch(r"\d{4}-\d\d-\d\d(T[\d:]+)?", found):
        return False
    return found == asked or (asked[:4].isdigit() and found.startswith((f"{asked}-", f"{asked}T")))


def _equals(id: str, text: str) -> bool:
    form, kind = split_literal(id)[0], literal_kind(id)
    if kind == "number":
        plain = re.fullmatch(r"[+-]?[\d,]*\d(\.\d+)?", text)
        return plain is not None and Decimal(form) == Decimal(text.replace(",", ""))
    if kind == "date":  # the period itself, and what lies in it
        return form == text or (text[:4].isdigit() and form.startswith((f"{text}-", f"{text}T")))
    return kind == "boolean" and form == text.lower()


def choice_of(graph: Graph, id: str, text: str) -> str:
    """What a known node was taken for: a node, or all the values that its text means."""
    dated = any(_is_date_in(name, text) for name in graph.nodes.get(id, ()))
    return f"values of {text}" if dated or (is_literal(id) and _equals(id, text)) else id


def match_of(way: Way) -> Match:
    """What tells one match from another."""
    nodes, facts = way
    return nodes, tuple(relation for _, relation, _ in facts)


@dataclass
class Truth:
    """All interpretations that have a match.

    Attributes:
        gsd: by interpretation.
        ways: by interpretation, all ways to lay the pattern that satisfy its conditions.
    """

    gsd: dict[Key, float] = field(default_factory=dict)
    ways: dict[Key, set[Way]] = field(default_factory=dict)

    def matches(self, key: Key) -> set[Match]:
        """The matches of an interpretation."""
        return set(map(match_of, self.ways[key]))

    @cached_property
    def ascending(self) -> list[tuple[float, Key]]:
        """Nearest first."""
        return sorted((d, key) for key, d in self.gsd.items())


Fixed = Mapping[tuple[str, str], Mapping[str, float]]
"""Fixed lists by kind (``node``, ``relation``, ``type``) and text."""


def satisfies(id: str, condition: Condition) -> bool:
    """Whether a value satisfies a condition; dates are compared as texts filled up."""
    if not is_literal(id):
        return False
    form, kind = split_literal(id)[0], literal_kind(id)
    if condition.operator == "between":
        least, greatest = condition.values
        return _is(form, kind, ">=", least) and _is(form, kind, "<=", greatest)
    return any(_is(form, kind, condition.operator, value) for value in condition.values)


def _is(form: str, kind: str, operator: str, value: str) -> bool:
    if operator in ("contains", "starts with"):
        at = form.casefold().find(value.casefold())
        return kind == "text" and (at >= 0 if operator == "contains" else at == 0)
    equal, unequal = operator in ("=", "in"), operator == "!="
    plain = re.compile(r"[+-]?[\d,]*\d(\.\d+)?")
    number = form.strip()
    if kind == "number" or (kind == "text" and plain.fullmatch(number)):
        if plain.fullmatch(value):
            try:
                mine = Decimal(number.replace(",", ""))
            except InvalidOperation:
                return False
            return mine.is_finite() and _fits(mine, Decimal(value.replace(",", "")), operator)
    elif kind == "boolean":
        same = {"1": "true", "0": "false"}.get(form, form) == value
        return value in ("true", "false") and (same if equal else unequal and not same)
    iso = {"date": as_iso(form), "text": value_of(form).iso}.get(kind)
    other = value_of(value).iso
    if iso and other and re.match(r"\d{4}", iso) and re.match(r"\d{4}", other):
        start, end = iso + _FIRST[len(iso) :], iso + _LAST[len(iso) :]
        first, last = other + _FIRST[len(other) :], other + _LAST[len(other) :]
        return {
            "=": first <= start and end <= last,
            "in": first <= start and end <= last,
            "!=": end < first or last < start,
            "<": end < first,
            "<=": end <= last,
            ">": last < start,
            ">=": first <= start,
        }[operator]
    same = normalise(form) == normalise(value)
    return kind == "text" and (same if equal else unequal and not same)


_FIRST, _LAST = "0000-01-01T00:00:00.000", "9999-12-31T23:59:59.999"


def _fits(mine: Decimal, other: Decimal, operator: str) -> bool:
    if operator in ("=", "in", "!="):
        return (mine == other) != (operator == "!=")
    if mine == other:
        return "=" in operator
    return (mine < other) == (operator[0] == "<")


MOST_WAYS = 3_000_000


class TooManyWays(Exception):
    """A pattern has more ways onto a graph than are looked at one by one."""


def enumerate_all(
    graph: Graph, pattern: Pattern, options: Options, embed: Embed, fixed: Fixed | None = None
) -> Truth:
    """All interpretations of a pattern that have a match in the graph, with their matches.

    Args:
        fixed: the lists whose length is fixed; every other list is the whole graph.

    Raises:
        TooManyWays: there are more than `MOST_WAYS`, known names or not.
    """
    lists = {**_whole_lists(graph, pattern, embed), **(fixed or {})}
    known = [(i, lists["node", n.text]) for i, n in enumerate(pattern.nodes) if n.text is not None]
    named = [
        (i, lists["relation", words(e.relation)])
        for i, e in enumerate(pattern.edges)
        if e.relation is not None
    ]
    typed = [
        (i, lists["type", words(n.type)])
        for i, n in enumerate(pattern.nodes)
        if n.type is not None and graph.types
    ]
    truth = Truth()
    place = {node.id: i for i, node in enumerate(pattern.nodes)}
    for number, (nodes, facts) in enumerate(_ways(graph, pattern, options)):
        if number == MOST_WAYS:
            raise TooManyWays
        parts = [(nodes[i], found) for i, found in known]
        relations = [(facts[i][1], found) for i, found in named]
        if not all(id in found for id, found in (*parts, *relations)):
            continue
        sum_of_names = sum(found[id] for id, found in (*parts, *relations))
        choices = [[t for t in graph.types_of[nodes[i]] if t in found] for i, found in typed]
        for types in product(*choices):
            weighted = sum(found[t] for t, (_, found) in zip(types, typed, strict=True))
            ids = (choice_of(graph, nodes[i], str(pattern.nodes[i].text)) for i, _ in known)
            key = tuple(ids), tuple(id for id, _ in relations), types
            truth.gsd[key] = sum_of_names + options.type_weight * weighted
            ways = truth.ways.setdefault(key, set())
            if all(
                any(satisfies(nodes[place[c.node]], one) for one in c.alternatives)
                for c in pattern.where
            ):
                ways.add((nodes, facts))
    return truth


def _whole_lists(graph: Graph, pattern: Pattern, embed: Embed) -> dict[tuple[str, str], object]:
    lists: dict[tuple[str, str], object] = {}
    for node in pattern.nodes:
        if node.text is not None:
            lists["node", node.text] = node_distances(graph, node.text, embed)
        if node.type is not None:
            lists["type", words(node.type)] = distances(graph.types, words(node.type), embed)
    for edge in pattern.edges:
        if edge.relation is not None:
            text = words(edge.relation)
            lists["relation", text] = distances(graph.relations, text, embed)
    return lists


def _ways(graph: Graph, pattern: Pattern, options: Options) -> Iterator[Way]:
    """Every way to lay the pattern onto the graph that the options allow."""
    number = {node.id: i for i, node in enumerate(pattern.nodes)}
    ends = [(number[e.source], number[e.target]) for e in pattern.edges]
    carriers = [None if e.value is None else number[e.value] for e in pattern.edges]
    apart = _apart(pattern, options)
    bound: list[str | None] = [None] * len(pattern.nodes)
    facts: list[Triple] = []

    def put(places: tuple[int, int], ids: tuple[str, str]) -> list[int] | None:
        """Bind both ends; the places that were free before, or None where that is not allowed."""
        fresh: list[int] = []
        for place, id in zip(places, ids, strict=True):
            if bound[place] is None:
                bound[place] = id
                fresh.append(place)
            elif bound[place] != id:
                break
        else:
            if all(bound[a] is None or bound[a] != bound[b] for a, b in apart):
                return fresh
        for place in fresh:
            bound[place] = None
        return None

    def lay(edge: int) -> Iterator[Way]:
        if edge == len(ends):
            yield tuple(str(id) for id in bound), tuple(facts)
            return
        a, b = (bound[place] for place in ends[edge])
        near = graph.facts if a is b is None else graph.touching[str(a if a is not None else b)]
        for fact in near:
            if options.nodes != "walk" and fact in facts:
                continue
            source, _, target = fact
            turns = [(source, target)]
            drawn = options.direction == "as drawn" and pattern.edges[edge].directed
            if options.direction != "as written" and not drawn and source != target:
                turns.append((target, source))
            for turn in turns:
                fresh = put(ends[edge], turn)
                if fresh is None:
                    continue
                facts.append(fact)
                for value in graph.values[fact] if carriers[edge] is not None else (None,):
                    if value is not None:
                        bound[carriers[edge]] = value
                    yield from lay(edge + 1)
                facts.pop()
                for place in fresh:
                    bound[place] = None

    return lay(0)


def _apart(pattern: Pattern, options: Options) -> list[tuple[int, int]]:
    """Pairs of pattern nodes that may not be the same graph node; values on edges may."""
    values = {edge.value for edge in pattern.edges}
    ends = [i for i, node in enumerate(pattern.nodes) if node.id not in values]
    compared = [
        {one.node, one.other}
        for condition in pattern.where
        for one in (condition, *condition.either)
        if one.operator in ("=", "<=", ">=")
    ]
    pairs = [
        (a, b)
        for a, b in combinations(ends, 2)
        if {pattern.nodes[a].id, pattern.nodes[b].id} not in compared
    ]
    if options.nodes == "distinct":
        return pairs
    if options.nodes == "anchored":
        return [(a, b) for a, b in pairs if pattern.nodes[a].known or pattern.nodes[b].known]
    return []
