"""The SPARQL 1.1 dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from isomatch.compile.base import Asked, Branch, Known, Part, Terms, last_node
from isomatch.compile.claims import Ref, qualifiers_of
from isomatch.compile.neighbourhood import SparqlNeighbourhood
from isomatch.compile.ranges import beyond
from isomatch.compile.readable import nameable, readable
from isomatch.plan.structure import Structure
from isomatch.schema.vocabulary import ALIAS_RELATIONS as ALIASES
from isomatch.store.base import Query
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.rdf import SPARQL
from isomatch.store.terms import (
    KIND_OF_DATATYPE,
    SAME_AS,
    is_blank,
    literal,
)

PLAIN = StoreCapabilities("sparql", same_as=True)
"""SPARQL 1.1 in the process, where ids are parameters."""

_ENDS = 16  # branches of `ends`: Oxigraph's planner takes the longer for each, the more there are
_AROUND = 300  # characters of a branch of `find` around its body, at most

DATATYPES = {
    f"literal:{kind}": tuple(d for d, k in KIND_OF_DATATYPE.items() if k == kind)
    for kind in ("text", "number", "date", "boolean")
}


class SparqlDialect(SparqlNeighbourhood):
    """SPARQL 1.1, as Oxigraph, Fuseki and Virtuoso speak it.

    Undirected edges of a fixed relation are property paths ``(p|^p)``, measured
    faster than a UNION; unknown relations need the UNION.
    """

    templates = SPARQL
    finds_all = True
    first_batch = 8  # nearly always enough for three; the server looks at all of them

    def __init__(self, capabilities: StoreCapabilities = PLAIN):
        super().__init__(capabilities)

    def match(self, part: Part, nodes: Mapping[int, str], limit: int) -> Query:
        """See `Dialect.match`.

        Node ids are parameters, or VALUES where the protocol has none. Where a
        relation is unknown or a node has a type, an engine that binds parameters
        after it has ordered the joins (Oxigraph) would begin with those, so there
        the ids are VALUES too, escaped like all ids.
        """
        names = {f"n{n}": id for n, id in nodes.items()}
        open_ended = any(part.relations[e] is None for e in part.structure.order) or any(
            part.types[n] is not None for n in part.structure.used
        )
        open_ended = open_ended or part.structure.same_as
        if self.capabilities.inline or (open_ended and not any(map(is_blank, names.values()))):
            text, columns = self._match_text(part, limit, tuple(names.items()))
            return Query(text, columns, name="match")
        text, columns = self._cached_text(part, limit)
        return Query(text, columns, names, "match")

    def count(self, part: Part, nodes: Mapping[int, str], node: int) -> Query | None:
        """See `Dialect.count`; a blank node has no name that a query could have."""
        if any(map(is_blank, nodes.values())):
            return None
        bound = {f"n{n}": id for n, id in nodes.items()}
        text = self.render(
            "count.rq.j2",
            bound=bound.items(),
            body=self._body_text(part),
            counted=f"n{node}",
            found=[column for column in _columns(part) if column not in bound],
        )
        return Query(text, ("count",), name="count")

    def pasteable(
        self,
        part: Part,
        nodes: Mapping[int, Known],
        limit: int,
        names: Mapping[str, str],
        languages: Sequence[str] = (),
    ) -> str:
        """`match` for people: values in place of parameters, prefixed names, and labels.

        A node that has no name in a query (a blank one) stays a variable, which a
        comment says.
        """
        named, nameless = nameable(nodes, names)
        schema = part.terms.schema
        relations = [r for r in (schema.name_relations if schema else ()) if r not in ALIASES]
        labelled = [
            f"n{n}"
            for n in part.structure.used
            if relations and not part.structure.known[n] and part.types[n] not in DATATYPES
        ]
        text = self.render(
            "show.rq.j2",
            bound=named,
            body=self._body_text(part),
            columns=" ".join(f"?{c}" for c in _columns(part)),
            labelled=labelled,
            name_relations=relations,
            languages=[literal(language) for language in languages],
            distinct=part.structure.same_as,
            limit=limit,
        )
        names = {**names, **{f"{n}_name": f"{names[n]}Name" for n in labelled}}
        return readable("".join([*nameless, text]), names)

    def answering(
        self, part: Part, nodes: Mapping[int, Known], names: Mapping[str, str], asked: Asked
    ) -> str:
        named, nameless = nameable(nodes, names)
        body = self._body_text(part)
        text = self.render("answers.rq.j2", bound=named, body=body, asked=asked)
        return readable("".join([*nameless, text]), names)

    def find(self, branches: Sequence[Branch], limit: int, wanted: int) -> Query | None:
        """See `Dialect.find`; the server looks at all branches, so ask about few.

        Raises:
            ValueError: a known node is a blank one, which this dialect cannot name.
        """
        columns = _columns(branches[0][0])
        asked = self._asked(branches)
        if not asked:
            return None
        text = self.render("find.rq.j2", branches=asked, columns=columns, limit=limit)
        return Query(text, ("i", *columns), name="find")

    def _asked(self, branches: Sequence[Branch]) -> list[dict[str, Any]]:
        """What templates take of the branches that may have rows."""
        return [
            {
                "number": number,
                "bound": [(f"n{n}", id) for n, id in nodes.items()],
                "body": self._body_text(part),
            }
            for number, (part, nodes) in enumerate(branches)
        ]

    def together(self, branches: Sequence[Branch]) -> int:
        """See `Dialect.together`: as many as fit into the longest query."""
        left = self.capabilities.longest_query
        if left is None:
            return len(branches)
        for number, (part, nodes) in enumerate(branches):
            left -= len(self._body_text(part)) + _AROUND + sum(map(len, nodes.values()))
            if left < 0:
                return max(1, number)
        return len(branches)

    @lru_cache(maxsize=4096)  # noqa: B019 - a dialect lives as long as the process
    def _cached_text(self, part: Part, limit: int) -> tuple[str, tuple[str, ...]]:
        return self._match_text(part, limit, ())

    def _match_text(
        self, part: Part, limit: int, bound: tuple[tuple[str, str], ...]
    ) -> tuple[str, tuple[str, ...]]:
        columns = _columns(part)
        text = self.render(
            "match.rq.j2",
            bound=bound,
            body=self._body_text(part),
            columns=" ".join(f"?{c}" for c in columns),
            distinct=part.structure.same_as,
            limit=limit,
        )
        return text, columns

    @lru_cache(maxsize=4096)  # noqa: B019 - a dialect lives as long as the process
    def _body_text(
        self,
        part: Part,
        listed_relations: frozenset[int] = frozenset(),
        listed_types: frozenset[int] = frozenset(),
    ) -> str:
        return self.render("part.j2", p=_body(part, listed_relations, listed_types))

    def probe(self, branches: Sequence[tuple[Part, Mapping[int, str]]]) -> Query:
        groups: dict[Part, list[tuple[int, Mapping[int, str]]]] = {}
        for number, (part, nodes) in enumerate(branches):
            groups.setdefault(part, []).append((number, nodes))
        parts = [
            {
                "nodes": list(rows[0][1]),
                "rows": [(number, list(nodes.values())) for number, nodes in rows],
                "body": self._body_text(part),
            }
            for part, rows in groups.items()
        ]
        return Query(self.render("probe.rq.j2", parts=parts), ("i",), name="probe")

    def brute(
        self,
        part: Part,
        nodes: Mapping[int, Sequence[str]],
        relations: Mapping[int, Sequence[str]],
        types: Mapping[int, Sequence[str]],
        limit: int,
    ) -> Query:
        lists = [(f"n{n}", ids) for n, ids in nodes.items()]
        lists += [(f"e{e}", ids) for e, ids in relations.items()]
        lists += [(f"t{n}", ids) for n, ids in types.items()]
        columns = tuple(name for name, _ in lists)
        text = self.render(
            "brute.rq.j2",
            body=self._body_text(part, frozenset(relations), frozenset(types)),
            lists=lists,
            columns=" ".join(f"?{c}" for c in columns),
            limit=limit,
        )
        return Query(text, columns, name="brute")

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
        relation, back = end or ("", False)
        text = self.render(
            "chains/around.rq.j2",
            relations=relations,
            excluded=terms.excluded,
            begins=terms.begins,
            ids=ids,
            relation=relation,
            back=back,
            sample=sample,
            edges=edges,
        )
        return Query(text, ("r", "back", "count"), name="chains/around")

    def walks(self, terms: Terms, chains: Sequence[Mapping[str, Any]]) -> Query:
        text = self.render("chains/exists.rq.j2", branches=list(enumerate(chains)))
        return Query(text, ("i",), name="chains/exists")

    def ends(self, branches: Sequence[Branch], limit: int) -> Query | None:
        last = f"n{last_node(*branches[0])}"
        asked = self._asked(branches)
        if not asked:
            return None
        text = self.render("chains/ends.rq.j2", branches=asked, last=last, limit=limit)
        return Query(text, ("i", last), name="chains/ends")

    def ends_together(self, branches: Sequence[Branch]) -> int:
        return self.together(branches[:_ENDS])

    def places(
        self,
        terms: Terms,
        edges: Sequence[tuple[str, str, str]],
        nodes: Sequence[str],
        values: Sequence[str],
        types: Mapping[str, str],
        limit: int,
    ) -> Query:
        text = self.render(
            "examples/facts.rq.j2",
            edges=edges,
            nodes=nodes,
            values=values,
            types=list(types.items()) if terms.type_relation else [],
            type_relation=terms.type_relation,
            limit=limit,
        )
        return Query(text, (*nodes, *values), name="examples/facts")


def _columns(part: Part) -> tuple[str, ...]:
    structure = part.structure
    return (
        *(f"n{n}" for n in structure.used),
        *(f"e{e}" for e in structure.order if part.relations[e] is None),
    )


def _body(
    part: Part,
    listed_relations: frozenset[int] = frozenset(),
    listed_types: frozenset[int] = frozenset(),
    known: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """What the template ``body.j2`` needs: edges, types and the rules as references.

    Args:
        listed_relations, listed_types: edges and nodes whose relation or type
            ranges over a list of the query.
        known: ids of nodes that the text names itself, by number.
    """
    structure, ids = part.structure, known or {}

    def node(number: int) -> Ref:
        return ("id", ids[number]) if number in ids else ("var", f"n{number}")

    def relation(edge: int) -> Ref:
        fixed = part.relations[edge]
        return ("id", fixed) if fixed is not None else ("var", f"e{edge}")

    edges = [
        {
            "a": node(structure.edges[e][0]),
            "b": node(structure.edges[e][1]),
            "relation": relation(e),
            "free": part.relations[e] is None and e not in listed_relations,
            "number": e,
            "directed": structure.directed[e],
        }
        for e in structure.order
    ]
    typed = [
        {
            "node": node(n),
            "type": ("var", f"t{n}") if (type_id := part.types[n]) is None else ("id", type_id),
            # No value stands alone: nothing is stated to be of the class of a datatype.
            "datatypes": DATATYPES.get(type_id or "", ()) if structure.edges else (),
            "subclasses": part.terms.subclasses.get(type_id or "", ()),
            "number": n,
            "start": n == part.start,
        }
        for n in structure.used
        if part.types[n] is not None or n in listed_types
    ]
    qualifiers = qualifiers_of(part, node, relation)
    conflicts = {
        (e, f): _conflict(structure, (e, f), node, relation, qualifiers)
        for e, f in structure.conflicts
        if _may_equal(relation(e), relation(f))
    }
    return {
        "edges": edges,
        "types": typed,
        "excluded": part.terms.excluded,
        "same_as": SAME_AS if structure.same_as else None,
        "unknown": [node(n) for n in structure.used if not structure.known[n]],
        "begins": part.terms.begins,
        "qualifiers": qualifiers,
        "type_relation": part.terms.type_relation,
        "apart": [(node(a), node(b)) for a, b in structure.apart],
        "conflicts": list(conflicts.values()),
        "triple_conflicts": list(_triples(structure, node, relation)),
        "dates": DATATYPES["literal:date"],
        "beyond": [(node(r.node), beyond(r)) for r in part.ranges],
    }


def _conflict(
    structure: Structure,
    pair: tuple[int, int],
    node: Callable[[int], Ref],
    relation: Callable[[int], Ref],
    qualifiers: Sequence[dict[str, Any]] = (),
    turned: bool = False,
) -> dict[str, Any]:
    """When two edges have the same ends; also ``turned``, where only arrows say otherwise."""
    e, f = pair
    a, b = structure.edges[e]
    arrows = (False,) * len(structure.directed) if turned else structure.directed
    values = {q["number"]: q for q in qualifiers if q["number"] in (e, f)}
    # How they can be two facts all the same: the first one way, the second the other.
    opposite = [(a, b), (b, a)]
    if arrows[e]:
        opposite = [(a, b)]
    elif arrows[f]:
        opposite = [structure.edges[f][::-1]]
    return {
        # Edges with values are facts whose statements have them.
        "qualified": [{"relation": relation(x), "qualifier": values.get(x)} for x in (e, f)]
        if values
        else (),
        "opposite": [(node(x), node(y)) for x, y in opposite],
        "a": node(a),
        "b": node(b),
        "loop": a == b,
        "directed": arrows[e] and arrows[f],
        "relations": (relation(e), relation(f)),
        "ways": [
            ((node(p), node(q)), (node(r), node(s)))
            for (p, q), (r, s) in replace(structure, directed=arrows).ways(e, f)
        ],
    }


def _triples(
    structure: Structure, node: Callable[[int], Ref], relation: Callable[[int], Ref]
) -> Iterator[list[dict[str, Any]]]:
    """Three edges that may have the same ends and relation.

    These have at most two stored triples, so two edges may share them (one each way) and
    a third never can. Three arrows are kept apart as pairs.
    """
    if structure.nodes == "walk":
        return
    for three in combinations(sorted(structure.order), 3):
        if all(structure.directed[e] for e in three):
            continue
        found = [
            _conflict(structure, (min(e, f), max(e, f)), node, relation, turned=True)
            for e, f in zip(three, (*three[1:], three[0]), strict=True)
            if _may_equal(relation(e), relation(f))
        ]
        if len([conflict for conflict in found if conflict["ways"]]) == len(three):
            yield found


def _may_equal(left: Ref, right: Ref) -> bool:
    return left[0] == "var" or right[0] == "var" or left[1] == right[1]
