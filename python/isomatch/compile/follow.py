"""Parts of a pattern as rows of one query text, which follows them hop by hop.

What other texts say in words (types, keys, directions, what must differ) is data here, so that
the server plans one text once, where every new kind of question would have had its own. Left to
them are unknown relations, values on edges, cycles, parts without anything known, and graphs of
more than `MOST_TYPES` relationship types. Where types are no parameters (see
`StoreCapabilities.dynamic_types`), the text has all types of the graph, as expressions of which one
is evaluated: only a type that is in the text saves the server from reading all edges of a hub.
Planning a text for each choice of types took 200 ms, and most of a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

from isomatch.compile.base import Branch, Onward, Part, Terms
from isomatch.compile.ranges import ends_of
from isomatch.compile.shapes import VALUE_TYPES, Shape, bound_value, naming, uses_of
from isomatch.schema.types import Schema
from isomatch.store.base import Query
from isomatch.store.cypher import CYPHER

HOPS = 3  # of the text; a longer part has a text of its own
MOST_HOPS = 6
# A graph of so many nodes is scanned for a value: naming every place in the text would make
# planning it take longer than many scans.
SMALL = 10_000
MOST_PLACES = 8  # in the text; of more, those that a query needs
# Relationship types that the text has at most, and groups of them. The more groups, the less of a
# hub is read and the longer the text is planned, once a graph (32: two to three seconds).
MOST_TYPES = 256
GROUPS = 32
EDGES = 50_000  # relationships of a node that are read before the first is followed
HUB = 32  # relationships of a node above which it is asked for each type, and not read
MOST_ENDS = 50_000  # nodes of a hop in `onward`; where there are more, nothing is said
TOGETHER = 1000  # matches in one row of an answer
ANYWHERE = {"name": "", "label": "", "key": "", "listed": True}

Way = dict[str, Any]


def type_groups(terms: Terms) -> tuple[tuple[str, ...], ...]:
    """The relationship types in `GROUPS`, the most frequent ones alone; none if too many."""
    found = _type_groups(terms)
    return found if sum(map(len, found)) <= MOST_TYPES else ()


@lru_cache(maxsize=64)
def _type_groups(terms: Terms) -> tuple[tuple[str, ...], ...]:
    types = [r for r in terms.known_schema.relations if r.id.startswith(":")]
    ordered = [r.id for r in sorted(types, key=lambda r: (-r.triples, r.id))]
    most = GROUPS if len(ordered) <= GROUPS else GROUPS * 3 // 4
    alone, shared = ordered[:most], ordered[most:]
    rest = GROUPS - len(alone)
    groups = [(id,) for id in alone] + [tuple(shared[i::rest]) for i in range(rest)]
    return tuple(group for group in groups if group)


@lru_cache(maxsize=4096)
def without_relationships(part: Part) -> Part:
    """The part with one name for all relationship types."""
    relations = tuple(r and (":" if r[0] == ":" else r) for r in part.relations)
    return replace(part, relations=relations)


def ways(shape: Shape, branch: Branch) -> list[Way] | None:
    """The ways to follow a branch, none where it cannot match; None: it needs its own text."""
    part, nodes = branch
    structure = part.structure
    if (
        not nodes
        or len(structure.order) > MOST_HOPS
        or any(
            part.relations[e] is None or structure.values[e] is not None for e in structure.order
        )
        or any(part.types[n] in VALUE_TYPES for n in structure.used)
    ):
        return None
    found = []
    for kinds in product(*shape.domains):
        kind = dict(zip(structure.used, kinds, strict=True))
        edges = zip(structure.order, shape.edges, strict=True)
        if all(any(uses_of(structure, e, edge, kind)) for e, edge in edges):
            way = _way(branch, kinds)
            if way is None:
                return None
            found.append(way)
    return found


def followed(
    branches: Sequence[Branch], shapes: Sequence[Shape | None], always: bool
) -> list[list[Way]] | None:
    """The ways to follow each branch; None where some branch needs a text of its own.

    Relationships alone have texts that follow from the pattern's form, which the server runs
    faster. The chains that reading a question tries have many forms, and share one text.

    Args:
        always: follow relationships alone too.
    """
    plain = not always
    found = []
    for (part, nodes), shape in zip(branches, shapes, strict=True):
        here = [] if shape is None else ways(shape, (part, nodes))
        if here is None:
            return None
        found.append(here)
        tried = part.structure.nodes == "anchored" and any(part.structure.directed)
        plain &= shape is None or (not tried and all(e.kinds == ("rel",) for e in shape.edges))
    return None if plain else found


def query(
    branches: Sequence[Branch],
    followed: Sequence[list[Way]],
    limit: int,
    wanted: int,
    groups: tuple[tuple[str, ...], ...] = (),
) -> Query | None:
    """`Dialect.find` of branches that are followed; the nodes' columns are called c0, c1, …

    Args:
        groups: of the relationship types, see `type_groups`; none where types are parameters.
    """
    rows: list[dict[str, Any]] = [
        {"i": i, "ways": found} for i, found in enumerate(followed) if found
    ]
    if not rows:
        return None
    schema = branches[0][0].terms.known_schema
    parameters, text = _walked(rows, schema, groups)
    parameters |= {"limit": limit, "wanted": wanted}
    most = max(len(part.structure.used) for part, _ in branches)
    return Query(text, ("i", *(f"c{i}" for i in range(most))), parameters, "match", ways=True)


def onward(
    asked: Sequence[Onward], followed: Sequence[list[Way]], groups: tuple[tuple[str, ...], ...]
) -> Query | None:
    """See `Dialect.onward`; of relationships alone."""
    numbers = {id[1:]: i for i, id in enumerate(id for group in groups for id in group)}
    rows: list[dict[str, Any]] = []
    for i, (one, ways) in enumerate(zip(asked, followed, strict=True)):
        types = [numbers.get(r[1:]) for r in one.relations if r.startswith(":")]
        place = one.branch[0].structure.used.index(one.end)
        paths = [_path(way, way["form"]["shown"][place]) for way in ways] if types else []
        for path in paths:
            if path is None:  # a value has no relationships
                continue
            unknown = None in types or any(hop["r"] not in numbers for hop in path["hops"])
            rows.append({"i": i, "types": types, **({"hops": []} if unknown else path)})
    if not rows:
        return None
    schema = asked[0].branch[0].terms.known_schema
    _number_groups((hop for row in rows for hop in row["hops"]), groups)
    shared = _Shared()
    for row in rows:
        row["hops"] = [shared.number(hop) for hop in row["hops"]]
    listed = {id[1:] for one in asked for id in one.relations} & numbers.keys()
    names = {str(numbers[type]): type for type in sorted(listed)}
    parameters = {"asked": {"rows": rows, "types": names, "hops": shared.all}, "most": MOST_ENDS}
    if hidden := schema.unsearched_names["no_labels"]:
        parameters["no_labels"] = hidden
    hops = max(HOPS - 1, *(len(row["hops"]) for row in rows))
    text = _text("onward", hops, (), groups, hidden=bool(hidden), edges=EDGES, hub=HUB)
    return Query(text, ("i", "r"), parameters, "onward")


def _path(way: Way, end: int) -> Way | None:
    """The hops of a way from its start to a place, which are all relationships.

    A way without any where some are not; None where the place is of a value.
    """
    hops, apart = way["hops"], way["form"]["apart"]
    labels = dict(way["form"]["labels"])
    if end == 0 or hops[end - 1]["how"] == "read":
        return None if end else {"hops": []}
    path: list[dict[str, Any]] = []
    while end:
        hop = hops[end - 1]
        if hop["how"] != "walk":
            return {"hops": []}
        away = [0, end] in apart or [end, 0] in apart
        path.insert(0, {**hop, "away": away, "label": labels.get(end)})
        end = hop["f"]
    return {"id": way["id"], "hops": path}


def _walked(
    rows: list[dict[str, Any]], schema: Schema, groups: tuple[tuple[str, ...], ...]
) -> tuple[dict[str, Any], str]:
    """The parameters and the text that walk the ways of rows."""
    where, names, forms, shared = places(rows, schema), naming(schema), _Shared(), _Shared()
    every = [hop for row in rows for way in row["ways"] for hop in way["hops"]]
    _number_groups(every, groups)
    for way in (way for row in rows for way in row["ways"]):
        way["form"] = forms.number(way["form"])
        way["hops"] = [shared.number(hop) for hop in way["hops"]]
    parameters: dict[str, Any] = {
        "asked": {"rows": rows, "forms": forms.all, "hops": shared.all},
        "places": [place["name"] for place in where],
        "naming": {key: [label[1:] for label in labels] for key, labels in names.items()},
        "called": [
            [label, key]
            for key, labels in names.items()
            for label in ([x[1:] for x in labels] if f".{key}" in schema.by_id else [None])
        ],
    }
    hops = max(HOPS, *(len(way["hops"]) for row in rows for way in row["ways"]))
    if hidden := schema.unsearched_names["no_labels"]:
        parameters["no_labels"] = hidden
    within = [hop["within"] for hop in shared.all if "within" in hop]
    holed = any("holes" in ends for ends in within)
    looked_up = tuple(tuple(place.items()) for place in where)
    flags = {"hidden": bool(hidden), "ranged": bool(within), "holed": holed}
    return parameters, _text("follow", hops, looked_up, groups, edges=EDGES, **flags)


def _number_groups(hops: Iterable[dict[str, Any]], groups: tuple[tuple[str, ...], ...]) -> None:
    number = {id[1:]: i for i, group in enumerate(groups) for id in group}
    for hop in hops:
        if hop["how"] == "walk":
            hop["g"] = number.get(hop["r"])


@lru_cache(maxsize=256)
def _text(
    template: str,
    hops: int,
    places: tuple[tuple[tuple[str, Any], ...], ...],
    groups: tuple[tuple[str, ...], ...],
    **flags: int,
) -> str:
    given = {"hops": hops, "places": [dict(place) for place in places], "groups": groups}
    given |= {"types": [id for group in groups for id in group], "together": TOGETHER}
    return CYPHER.render(f"{template}.cypher.j2", **given, **flags)


def _way(branch: Branch, kinds: tuple[str, ...]) -> Way | None:
    """A way to follow a branch, whose nodes are of these kinds."""
    part, nodes = branch
    outline = _outline(without_relationships(part), tuple(nodes), kinds)
    if outline is None:
        return None
    start, hops, form = outline
    filled = []
    for e, there, key, hop in hops:
        filled.append({**hop, "r": (part.relations[e] or "")[1:]})
        if there in nodes:
            filled[-1][key] = bound_value(nodes[there])
    return {start[1]: bound_value(nodes[start[0]]), "hops": filled, "form": form}


_Start = tuple[int, str]  # a node, and how its id or value is called
_Hop = tuple[int, int, str, Way]  # an edge, the node that it leads to, likewise, and the hop


@lru_cache(maxsize=4096)
def _outline(
    part: Part, known: tuple[int, ...], kinds: tuple[str, ...]
) -> tuple[_Start, list[_Hop], Way] | None:
    """The way of branches that differ in relationship types, and in which nodes are known."""
    structure, schema = part.structure, part.terms.known_schema
    kind = dict(zip(structure.used, kinds, strict=True))
    called = {n: "value" if kind[n] == "value" else "id" for n in structure.used}
    starts = [n for n in structure.used if n in known]
    start = next((n for n in starts if kind[n] == "node"), starts[0])
    place, hop_of = {start: 0}, dict[int, int]()
    hops: list[_Hop] = []
    ranges = {range.node: range for range in part.ranges}
    rest = list(structure.order)
    while rest:
        e = next((e for e in rest if set(structure.edges[e]) & place.keys()), None)
        if e is None or set(structure.edges[e]) <= place.keys():
            return None  # another component, or a cycle
        rest.remove(e)
        here, there = structure.edges[e]
        turned = here not in place
        if turned:
            here, there = there, here
        hop: dict[str, Any] = {"f": place[here]}
        if kind[here] == kind[there]:
            hop["how"] = "walk"
            if structure.directed[e]:
                hop["out"] = not turned
        elif kind[here] == "node":
            hop["how"] = "read"
        else:
            hop |= {"how": "find", "places": _places(part.relations[e] or "", schema)}
        if kind[there] == "value" and there in ranges:
            hop["within"] = ends_of(ranges[there])
        hop_of[e], place[there] = len(hops), len(hops) + 1
        hops.append((e, there, called[there], hop))
    form: Way = {
        "shown": [place[n] for n in structure.used],
        # Where there are no values: the nodes that are not known.
        "told": None
        if "value" in kinds
        else [None if n in known else place[n] for n in structure.used],
        **_rules(part, kind, place, hop_of),
    }
    return (start, called[start]), hops, form


def _rules(
    part: Part, kind: Mapping[int, str], place: Mapping[int, int], hop_of: Mapping[int, int]
) -> Way:
    """What must differ, by places and hops; see `isomatch.compile.steps` for the reasons."""
    structure, names = part.structure, naming(part.terms.known_schema)
    rules: Way = {"apart": [], "called": [], "edges": [], "facts": [], "labels": [], "names": []}
    for a, b in structure.apart:
        if kind[a] == kind[b]:
            rules["apart"].append([place[a], place[b]])
        elif not any({a, b} == set(structure.edges[e]) for e in structure.order):
            node, value = (a, b) if kind[a] == "node" else (b, a)
            rules["called"].append([place[node], place[value]])
    ends = {}
    for e in structure.order:
        a, b = structure.edges[e]
        if kind[a] != kind[b]:
            ends[e] = (a, b) if kind[a] == "node" else (b, a)
            if (key := (part.relations[e] or "")[1:]) in names:
                rules["names"].append([place[ends[e][0]], key])
    for e, f in structure.conflicts:
        if e in ends and f in ends:
            if part.relations[e] == part.relations[f]:
                rules["facts"].append([place[n] for n in (*ends[e], *ends[f])])
        elif e not in ends and f not in ends:
            rules["edges"].append([hop_of[e], hop_of[f]])
    for n in structure.used:
        if (label := part.types[n]) is not None:
            rules["labels"].append([place[n], label[1:]])
    return rules


def _places(property: str, schema: Schema) -> list[str]:
    """Where a property is: the labels in a small graph, else the names of `places`."""
    relation = schema.by_id[property]
    if schema.nodes <= SMALL:
        return [label[1:] for label in relation.source_types]
    return [f"{label}{property}" for label in relation.source_types]


def places(rows: list[dict[str, Any]], schema: Schema) -> list[dict[str, Any]]:
    """Where the text looks values up: labels with a key, so that an index can be used.

    The same for every query of a graph where they are few, else those that rows need.
    """
    hops = [hop for row in rows for way in row["ways"] for hop in way["hops"]]
    needed = {name for hop in hops for name in hop.get("places", ())}
    if not needed:
        return []
    if schema.nodes <= SMALL:
        return [ANYWHERE]
    every = {
        f"{label}{r.id}": {"label": label, "key": r.id, "listed": r.listed}
        for r in schema.relations
        if r.id.startswith(".")
        for label in r.source_types
    }
    chosen = sorted(every if len(every) <= MOST_PLACES else needed)
    return [{"name": name, **every[name]} for name in chosen]


class _Shared:
    """Things that many ways have in common, each once, by number."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, one: Any) -> int:
        """The number of one that equals this one."""
        number = self._numbers.setdefault(str(one), len(self.all))
        if number == len(self.all):
            self.all.append(one)
        return number
