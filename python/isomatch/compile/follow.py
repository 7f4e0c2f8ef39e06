"""Parts of a pattern as rows of one query text, which follows them hop by hop.

What other texts say in words (types, keys, directions, what must differ) is data here, so that
the server plans one text once, where every new kind of question would have had its own. Left to
them are unknown relations, values on edges, cycles, parts without anything known, and graphs of
more than `MOST_TYPES` relationship types. Where types are no parameters (see
`StoreCapabilities.dynamic_types`), the text has all types of the graph, in groups, of which a hub's
edges are read one at a time; planning a text for each choice of types took 200 ms, and most of a
search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from isomatch.compile.base import Branch, Onward, Terms
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
# hub is read and the longer the text is planned, once a graph (sixteen: about a second).
MOST_TYPES = 256
GROUPS = 16
HUB = 64  # relationships of a node above which only those of a group are read
MOST_WALKS = 50_000  # of a row of `onward`; where there are more, nothing is said
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
    alone, shared = ordered[: GROUPS // 2], ordered[GROUPS // 2 :]
    rest = GROUPS - len(alone)
    groups = [(id,) for id in alone] + [tuple(shared[i::rest]) for i in range(rest)]
    return tuple(group for group in groups if group)


def ways(shape: Shape, branch: Branch, schema: Schema) -> list[Way] | None:
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
            way = _way(branch, kind, schema)
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
        here = [] if shape is None else ways(shape, (part, nodes), part.terms.known_schema)
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
    parameters, text = _walked("follow", HOPS, rows, schema, groups)
    parameters |= {"limit": limit, "wanted": wanted}
    most = max(len(part.structure.used) for part, _ in branches)
    return Query(text, ("i", *(f"c{i}" for i in range(most))), parameters, "match", ways=True)


def onward(
    asked: Sequence[Onward], followed: Sequence[list[Way]], groups: tuple[tuple[str, ...], ...]
) -> Query | None:
    """See `Dialect.onward`; of relationships alone."""
    rows: list[dict[str, Any]] = []
    for i, (one, ways) in enumerate(zip(asked, followed, strict=True)):
        place = one.branch[0].structure.used.index(one.end)
        for way in ways:
            way["at"] = way["form"]["shown"][place]
        types = [r[1:] for r in one.relations if r.startswith(":")]
        if ways and types:
            rows.append({"i": i, "ways": ways, "types": types, "out": one.out})
    if not rows:
        return None
    schema = asked[0].branch[0].terms.known_schema
    parameters, text = _walked("onward", HOPS - 1, rows, schema, groups)
    return Query(text, ("i", "r"), parameters | {"most": MOST_WALKS}, "onward")


def _walked(
    template: str,
    hops: int,
    rows: list[dict[str, Any]],
    schema: Schema,
    groups: tuple[tuple[str, ...], ...],
) -> tuple[dict[str, Any], str]:
    """The parameters and the text of a template that walks the ways of rows."""
    where, names, forms = places(rows, schema), naming(schema), _shared_forms(rows)
    parameters: dict[str, Any] = {
        "asked": {"rows": rows, "forms": forms},
        "places": [place["name"] for place in where],
        "naming": {key: [label[1:] for label in labels] for key, labels in names.items()},
        "called": [
            [label, key]
            for key, labels in names.items()
            for label in ([x[1:] for x in labels] if f".{key}" in schema.by_id else [None])
        ],
    }
    hops = max(hops, *(len(way["hops"]) for row in rows for way in row["ways"]))
    if groups:
        number = {id[1:]: i for i, group in enumerate(groups) for id in group}
        for way in (way for row in rows for way in row["ways"]):
            for hop in way["hops"]:
                if hop["how"] == "walk":
                    hop["g"] = number.get(hop["r"])
    if hidden := schema.unsearched_names["no_labels"]:
        parameters["no_labels"] = hidden
    within = [
        hop["within"]
        for row in rows
        for way in row["ways"]
        for hop in way["hops"]
        if "within" in hop
    ]
    holed = any("holes" in ends for ends in within)
    looked_up = tuple(tuple(place.items()) for place in where)
    flags = (HUB, bool(hidden), bool(within), holed)
    return parameters, _text(template, hops, looked_up, groups, *flags)


@lru_cache(maxsize=256)
def _text(
    template: str,
    hops: int,
    places: tuple[tuple[tuple[str, Any], ...], ...],
    groups: tuple[tuple[str, ...], ...],
    hub: int,
    hidden: bool,
    ranged: bool,
    holed: bool,
) -> str:
    given = {"hops": hops, "places": [dict(place) for place in places], "groups": groups}
    flags = {"together": TOGETHER, "hub": hub, "hidden": hidden, "ranged": ranged, "holed": holed}
    return CYPHER.render(f"{template}.cypher.j2", **given, **flags)


def _way(branch: Branch, kind: Mapping[int, str], schema: Schema) -> Way | None:
    part, nodes = branch
    structure = part.structure
    known = [n for n in structure.used if n in nodes]
    start = next((n for n in known if kind[n] == "node"), known[0])
    place, hop_of = {start: 0}, dict[int, int]()
    hops: list[dict[str, Any]] = []
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
        hop: dict[str, Any] = {"f": place[here], "r": (part.relations[e] or "")[1:]}
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
        if there in nodes:
            hop |= {"value" if kind[there] == "value" else "id": bound_value(nodes[there])}
        hop_of[e], place[there] = len(hops), len(hops) + 1
        hops.append(hop)
    return {
        "id" if kind[start] == "node" else "value": bound_value(nodes[start]),
        "hops": hops,
        "form": {
            "shown": [place[n] for n in structure.used],
            **_rules(branch, kind, schema, place, hop_of),
        },
    }


def _rules(
    branch: Branch,
    kind: Mapping[int, str],
    schema: Schema,
    place: Mapping[int, int],
    hop_of: Mapping[int, int],
) -> Way:
    """What must differ, by places and hops; see `isomatch.compile.steps` for the reasons."""
    part, _ = branch
    structure, names = part.structure, naming(schema)
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


def _shared_forms(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Take what many ways have in common out of them: what is shown, and what must differ."""
    forms: dict[str, dict[str, Any]] = {}
    numbers: dict[str, int] = {}
    for way in (way for row in rows for way in row["ways"]):
        form = way.pop("form")
        key = repr(form)
        forms.setdefault(key, form)
        way["form"] = numbers.setdefault(key, len(numbers))
    return list(forms.values())
