"""The Cypher dialect, for property graphs in Neo4j 5.26 and later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

from isomatch.compile import follow
from isomatch.compile.base import Branch, Onward, Part, Terms, chain_part, last_node
from isomatch.compile.neighbourhood import CypherNeighbourhood
from isomatch.compile.procedure import Prefix, parameters
from isomatch.compile.shapes import (
    VALUE_TYPES,
    EdgeShape,
    Shape,
    anchored_nodes,
    list_parameters,
    merge_shapes,
    naming,
    narrowed,
    open_edge,
    places,
    property_keys,
    row_parameters,
    without_types,
)
from isomatch.compile.steps import Way, ways
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.plan.structure import Structure
from isomatch.schema.types import Schema
from isomatch.store.base import Query
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.cypher import CYPHER, NEO4J, identifier
from isomatch.store.terms import is_literal
from isomatch.store.values import from_id

# Ways to match in one query, beyond which the server plans longer than a round trip takes.
MOST_WAYS = 4
MOST_ARMS = 24  # relationship types and labels that one text of `around` has
MOST_ENDS = 256  # chains in one query of `ends`, which are rows of its parameters


class CypherDialect(CypherNeighbourhood):
    """Cypher over a property graph; ids are those of `isomatch.store.neo4j`.

    What varies from search to search is a parameter, relationship types too
    where the graph has few of them (`StoreCapabilities.dynamic_types`), so that the
    server's plans are used again: with more, types go into the text, because ``$(…)``
    reads all edges of a node and then drops those of other types. Lists whose length varies
    are in the map ``$asked``: the server makes a plan for each size class of a parameter that
    is a list (1, 10, 100, …), and one for all maps.
    """

    templates = CYPHER

    def __init__(self, capabilities: StoreCapabilities = NEO4J):
        super().__init__(capabilities)

    # -- matching ------------------------------------------------------------------

    def find(self, branches: Sequence[Branch], limit: int, wanted: int) -> Query | None:
        if (followed := self._followed(branches)) is not None:
            terms = branches[0][0].terms
            groups = follow.type_groups(terms) if self._inline(terms.known_schema) else ()
            return follow.query(branches, followed, limit, wanted, groups)
        arms, rows = self._grouped(branches)
        if not arms:
            return None
        terms = branches[0][0].terms
        columns, text = self._find_text(arms, terms)
        parameters = {"asked": {"rows": rows}, "limit": limit, "wanted": wanted}
        return Query(text, columns, self._with_names(text, parameters, terms), "match")

    def onward(self, asked: Sequence[Onward]) -> Query | None:
        """See `Dialect.onward`."""
        followed = self._followed([one.branch for one in asked])
        if followed is None:
            return None
        terms = asked[0].branch[0].terms
        return follow.onward(asked, followed, follow.type_groups(terms))

    def _followed(self, branches: Sequence[Branch]) -> list[list[follow.Way]] | None:
        terms = branches[0][0].terms
        inline = self._inline(terms.known_schema)
        if inline and not follow.type_groups(terms):
            return None
        # The text of these does not have the types, so that most branches have one shape.
        shapes = [
            self._shape_of(follow.without_relationships(part), nodes) for part, nodes in branches
        ]
        return follow.followed(branches, shapes, inline or self.capabilities.in_memory)

    def _grouped(
        self, branches: Sequence[Branch]
    ) -> tuple[tuple[Shape, ...], list[dict[str, Any]]]:
        """The shapes of those branches that can match, and a row of parameters for each."""
        shapes = [self._shape_of(*branch) for branch in branches]
        merged = merge_shapes(shapes)
        terms = branches[0][0].terms
        chosen = [
            (i, *branch, _same(merged[shape], terms))
            for i, (branch, shape) in enumerate(zip(branches, shapes, strict=True))
            if shape is not None and _ways(merged[shape], terms)
        ]
        arms = sorted({shape for *_, shape in chosen}, key=repr)
        rows = [
            {
                "i": i,
                "g": arms.index(shape),
                **row_parameters(part.structure, part.relations, part.types, nodes, part.ranges),
            }
            for i, part, nodes, shape in chosen
        ]
        return tuple(arms), rows

    def together(self, branches: Sequence[Branch]) -> int:
        """See `Dialect.together`: planning takes longer with every way to match."""
        forms = {
            self._shape_of(follow.without_relationships(part), nodes): (part, nodes)
            for part, nodes in branches
        }
        if self._followed([*forms.values()]) is not None:
            return len(branches)
        ways: dict[Shape, int] = {}
        for number, (part, nodes) in enumerate(branches):
            if (shape := self._shape_of(part, nodes)) is not None:
                bare = _same(without_types(shape), part.terms)
                ways[bare] = len(_ways(bare, part.terms))
                if number and sum(ways.values()) > MOST_WAYS:
                    return number
        return len(branches)

    @lru_cache(maxsize=1024)  # noqa: B019 - a dialect lives as long as the process
    def _find_text(self, shapes: tuple[Shape, ...], terms: Terms) -> tuple[tuple[str, ...], str]:
        arms = [
            {"group": group, "steps": way.steps, "found": [e for _, e in way.found]}
            for group, shape in enumerate(shapes)
            for way in _ways(shape, terms)
        ]
        columns = tuple(c for c, _ in _ways(shapes[0], terms)[0].found)
        text = self.render("find.cypher.j2", arms=arms, groups=len(shapes), columns=columns)
        return ("i", *columns), text

    def match(self, part: Part, nodes: Mapping[int, str], limit: int) -> Query:
        """See `Dialect.match`; the first column is the number of the interpretation."""
        query = self.find([(part, nodes)], limit, 1)
        return query or Query("", (), name="match")

    def count(self, part: Part, nodes: Mapping[int, str], node: int) -> Query | None:
        """See `Dialect.count`; None with values: 1 and 1.0 are the same, and a point has no id."""
        arms, rows = self._grouped([(part, nodes)])
        if not arms:
            return None
        domains = zip(part.structure.used, arms[0].domains, strict=True)
        if any(domain != ("node",) for n, domain in domains if n not in nodes):
            return None
        ways = [
            {"steps": way.steps, "counted": dict(way.found)[f"n{node}"]}
            for way in _ways(arms[0], part.terms)
        ]
        text = self.render("count.cypher.j2", arms=ways)
        parameters = self._with_names(text, {"asked": {"rows": rows}}, part.terms)
        return Query(text, ("count",), parameters, "count")

    def probe(self, branches: Sequence[Branch]) -> Query:
        query = self.find(branches, 1, len(branches))
        return replace(query, name="probe") if query else Query("", ("i",), name="probe")

    def brute(
        self,
        part: Part,
        nodes: Mapping[int, Sequence[str]],
        relations: Mapping[int, Sequence[str]],
        types: Mapping[int, Sequence[str]],
        limit: int,
    ) -> Query:
        shape = self._shape(part, nodes, relations, types)
        columns = (
            *(f"n{n}" for n in nodes),
            *(f"e{e}" for e in relations),
            *(f"t{n}" for n in types),
        )
        found = _ways(shape, part.terms) if shape else ()
        arms = [{"steps": way.steps, "found": dict(way.found)} for way in found]
        if not arms:
            return Query("", columns, name="brute")
        text = self.render("brute.cypher.j2", arms=arms, columns=columns)
        parameters = {"limit": limit, "lists": list_parameters(nodes, relations, types)}
        return Query(text, columns, self._with_names(text, parameters, part.terms), "brute")

    def procedure(
        self,
        pattern: Pattern,
        prefixes: Sequence[Prefix],
        options: Options,
        terms: Terms,
        seconds: float | None,
    ) -> Query:
        text = self.render("procedures/match.cypher.j2")
        given = parameters(pattern, prefixes, options, terms.known_schema, seconds)
        columns = ("rank", "gsd", "matches", "relations", "types", "proof", "cut")
        return Query(text, columns, given, "match")

    def scans(self, part: Part, nodes: Mapping[int, str]) -> tuple[str, ...]:
        """See `Dialect.scans`: properties that are looked up without a range index."""
        shape, schema = self._shape_of(part, nodes), part.terms.known_schema
        indexed = {(i.type, i.properties[:1]) for i in schema.indexes if i.kind == "range"}
        sizes = schema.sizes
        notes = []
        for way in _ways(shape, part.terms) if shape else ():
            for step in way.steps:
                for place in step.get("places", ()):
                    label, key = place["label"], place["key"]
                    if step["value"] and not place["listed"] and (label, (key,)) in indexed:
                        continue
                    if label == ":":
                        why = "some nodes that have it are without a label"
                    elif not step["value"]:
                        why = "the pattern names nothing to start from"
                    elif place["listed"]:
                        why = "no index finds the members of lists"
                    else:
                        target = f"(n:{identifier(label)}) ON (n.{identifier(key)})"
                        why = f"CREATE INDEX FOR {target} would end that"
                    said = "every node" if label == ":" else f"all {sizes.get(label, 0):,} {label}"
                    notes.append(f"looking up {key} scans {said}: {why}")
        return tuple(dict.fromkeys(notes))

    def _shape_of(self, part: Part, nodes: Mapping[int, str]) -> Shape | None:
        return self._cached_shape(part, tuple((n, is_literal(id)) for n, id in nodes.items()))

    @lru_cache(maxsize=4096)  # noqa: B019 - a dialect lives as long as the process
    def _cached_shape(self, part: Part, known: tuple[tuple[int, bool], ...]) -> Shape | None:
        return self._shape(part, {n: '""' if value else "" for n, value in known})

    def _shape(
        self,
        part: Part,
        nodes: Mapping[int, Any],
        relations: Mapping[int, Sequence[str]] | None = None,
        types: Mapping[int, Sequence[str]] | None = None,
    ) -> Shape | None:
        """What the text for a part depends on; None where nothing can match."""
        structure, schema = part.structure, part.terms.known_schema
        lists = relations is not None
        anchored = anchored_nodes(part.structure, nodes)
        domains: list[set[str]] = []
        typed: list[str | None] = []
        for n in structure.used:
            type = part.types[n]
            domain = {"node", "value"}
            if n in nodes:
                ids = nodes[n] if lists else [nodes[n]]
                domain &= {"value" if is_literal(id) else "node" for id in ids}
            if type is not None or (types and n in types):
                domain &= {"value" if type in VALUE_TYPES else "node"}
            if types and n in types:
                typed.append("list")
            elif type in VALUE_TYPES or type is None or n not in anchored:
                typed.append(type)
            else:
                typed.append("row")
            domains.append(domain)
        edges = [
            self._edge(part.relations[e], (relations or {}).get(e), e, structure, anchored, schema)
            for e in structure.order
        ]
        narrowed(structure, domains, edges)
        if not all(domains):
            return None
        return Shape(
            structure,
            tuple(tuple(sorted(d)) for d in domains),
            tuple(edges),
            tuple(typed),
            lists,
            tuple((r.node, r.numbers, r.years, r.has_holes) for r in part.ranges),
        )

    def _edge(
        self,
        relation: str | None,
        listed: Sequence[str] | None,
        e: int,
        structure: Structure,
        anchored: set[int],
        schema: Schema,
    ) -> EdgeShape:
        if relation is None:
            if listed is None:
                return open_edge(schema)
            properties = tuple(id for id in listed if id.startswith("."))
            kinds = tuple(
                kind
                for kind, sigil in (("rel", ":"), ("prop", "."))
                if any(id.startswith(sigil) for id in listed)
            )
            return EdgeShape(kinds, (), properties, "list")
        if relation.startswith("."):
            return EdgeShape(("prop",), (), (relation,))
        if self._inline(schema) or not anchored.issuperset(structure.edges[e]):
            return EdgeShape(("rel",), (relation,))
        return EdgeShape(("rel",))

    def _inline(self, schema: Schema) -> bool:
        """Whether relationship types are part of texts; see the class."""
        return sum(r.id[0] == ":" for r in schema.relations) > self.capabilities.dynamic_types

    def _with_names(self, text: str, parameters: dict[str, Any], terms: Terms) -> dict[str, Any]:
        schema = terms.known_schema
        if "$naming" in text:
            parameters["naming"] = {
                key: [label[1:] for label in labels] for key, labels in naming(schema).items()
            }
        if "$keys" in text:
            parameters["keys"] = [id[1:] for id in property_keys(schema)]
        names = schema.unsearched_names.items()
        return parameters | {name: found for name, found in names if f"${name}" in text}

    # -- what reading a question asks of the graph ----------------------------------------

    def around(
        self,
        terms: Terms,
        relations: Sequence[str],
        *,
        ids: Sequence[str] = (),
        end: tuple[str, bool] | None = None,
        sample: int,
        edges: int,
    ) -> Query:
        """See `Dialect.around`; all ``ids`` are nodes, or all are values."""
        of_values = any(map(is_literal, ids))
        text, parameters = self._around_text(terms, tuple(relations), end, of_values)
        given = {"ids": list(ids), "sample": sample, "edges": edges}
        values = {"values": [from_id(id) for id in ids]} if of_values else {}
        return Query(text, ("r", "back", "count"), {**parameters, **given, **values}, "around")

    @lru_cache(maxsize=1024)  # noqa: B019 - a dialect lives as long as the process
    def _around_text(
        self, terms: Terms, relations: Sequence[str], end: tuple[str, bool] | None, of_values: bool
    ) -> tuple[str, Mapping[str, Any]]:
        """The text of `around` with those parameters that are always the same."""
        schema = terms.known_schema
        keys = property_keys(schema)
        parameters = {
            "keys": [id[1:] for id in keys],
            "no_labels": schema.unsearched_names["no_labels"],
        }
        if of_values:
            found = [p for id in keys for p in places(schema.by_id[id], keys.index(id))]
            sources = {
                id[1:]: [label[1:] for label in schema.by_id[id].source_types] for id in keys
            }
            there = [] if schema.nodes <= follow.SMALL else found
            text = self._text("around_values", schema, places=there)
            return text if found else "", {**parameters, "sources": sources}
        types = [r for r in relations if r.startswith(":")]
        relation, back = end or ("", False)
        of_property = relation.startswith(".")
        given = list(schema.by_id[relation].source_types) if of_property else []
        ends, labels = types, sorted({x for id in keys for x in schema.by_id[id].source_types})
        if len(types) + len(labels) > MOST_ARMS or not types:
            ends, labels = [relation] if relation and not of_property else [], given
        shape = {"sampled": end is not None, "ends": ends, "labels": labels, "types": types}
        text = self._text("around", schema, **shape)
        step = {"types": types, "ends": ends, "labels": labels, "end": relation, "back": back}
        return text, {**parameters, **step, "sources": given, "key": relation[1:]}

    def walks(self, terms: Terms, chains: Sequence[Mapping[str, Any]]) -> Query:
        """See `Dialect.walks`.

        What may coincide is said by ``nodes``, so that ``apart`` holds by itself.
        """
        branches, numbers = [], []
        for number, chain in enumerate(chains):
            known_ones = [v for v, _ in chain["known"]]
            part, variables = chain_part(terms, chain["edges"], known_ones, chain["nodes"])
            for ids in product(*(ids for _, ids in chain["known"])):
                variable = (v for v, _ in chain["known"])
                known = {variables.index(v): id for v, id in zip(variable, ids, strict=True)}
                branches.append((part, known))
                numbers.append(number)
        query = self.find(branches, 1, len(branches)) if branches else None
        if query is None:
            return Query("", ("i",), name="walks")
        for row in query.parameters["asked"]["rows"]:
            row["i"] = numbers[row["i"]]
        return replace(query, columns=("i",), name="walks")

    def ends(self, branches: Sequence[Branch], limit: int) -> Query | None:
        arms, rows = self._grouped(branches)
        if not arms:
            return None
        terms = branches[0][0].terms
        last = f"n{last_node(*branches[0])}"
        ways = [
            {"group": group, "steps": way.steps, "last": dict(way.found)[last]}
            for group, shape in enumerate(arms)
            for way in _ways(shape, terms)
        ]
        text = self.render("ends.cypher.j2", arms=ways, groups=len(arms))
        parameters = self._with_names(text, {"asked": {"rows": rows}, "limit": limit}, terms)
        return Query(text, ("i", "found"), parameters, "ends")

    def ends_together(self, branches: Sequence[Branch]) -> int:
        """See `Dialect.ends_together`: those of one shape, whose plan is then used again."""
        shapes = [self._shape_of(*branch) for branch in branches[:MOST_ENDS]]
        bare = [shape and _same(without_types(shape), branches[0][0].terms) for shape in shapes]
        return next((i for i, shape in enumerate(bare) if shape != bare[0]), len(bare))

    def places(
        self,
        terms: Terms,
        edges: Sequence[tuple[str, str, str]],
        nodes: Sequence[str],
        values: Sequence[str],
        types: Mapping[str, str],
        limit: int,
    ) -> Query:
        part, variables = chain_part(terms, edges, ())
        chosen = tuple(types.get(v) for v in variables)
        query = self.match(replace(part, types=chosen), {}, limit)
        columns = tuple(f"n{variables.index(v)}" for v in (*nodes, *values))
        return replace(query, columns=columns, name="places")

    def sample(self, terms: Terms, relation: str, limit: int) -> Query:
        """See `Dialect.sample`; as one list, since a driver takes long to read a row."""
        query = super().sample(terms, relation, limit)
        if not query.text:
            return query
        listed = f"RETURN 0 AS i, collect([{query.columns[1]}]) AS matches"
        text = f"CALL () {{\n{query.text}\n}}\n{listed}"
        return replace(query, text=text, columns=("i", "v"), listed=True)


@lru_cache(maxsize=4096)
def _ways(shape: Shape, terms: Terms) -> tuple[Way, ...]:
    return tuple(ways(shape, terms.known_schema))


@lru_cache(maxsize=4096)
def _same(shape: Shape, terms: Terms) -> Shape:
    """The same shape without what makes no difference to its text."""
    bare = replace(shape, edges=tuple(replace(e, properties=()) for e in shape.edges))
    return bare if _ways(bare, terms) == _ways(shape, terms) else shape
