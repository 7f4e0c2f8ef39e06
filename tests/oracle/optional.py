"""What optional parts of patterns must give, by their definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf
from types import MappingProxyType

from hypothesis import assume
from hypothesis import strategies as st
from tests.oracle.brute import interpretations
from tests.oracle.checks import candidates_of
from tests.oracle.graphs import Case
from tests.oracle.language import NAMES, Films
from tests.oracle.property_graphs import PropertyCase

from isomatch.match.enumeration import TOLERANCE
from isomatch.match.optional import read_optional
from isomatch.match.parts import least
from isomatch.options import Options
from isomatch.pattern import Edge, Node, Pattern
from isomatch.schema.types import Schema
from isomatch.session import Session
from isomatch.store.base import Store
from isomatch.store.terms import is_blank

Binding = tuple[str, ...]


def check_optional(session: Session, graph: Films) -> None:
    """Optional parts give the columns that they must, and leave the matches alone."""
    people = Pattern((Node("p"), Node("t")), (Edge("p", "lives", "t", directed=True),))
    by = Pattern((Node("p"), Node("f")), (Edge("f", "by", "p", directed=True),))
    assert columns(session, people, by) == {
        (person,): {(film,) for film in graph.films_of([person])} for person in graph.names
    }

    dated = Pattern((Node("f"), Node("y")), (Edge("f", "year", "y", directed=True),))
    films = {film for film, _, _ in graph.facts}
    for name in NAMES:
        if not (called := graph.called(name)):
            continue
        edges = (Edge("f", "by", "n", directed=True), Edge("f", "by", "p", directed=True))
        beside = Pattern((Node("f"), Node("p"), Node("n", name)), edges)
        own = graph.films_of(called)
        # Of two people of one name, each makes the other one "beside".
        expected = {
            (film,): {
                (p,)
                for p in graph.people(film)
                if any(one != p for one in graph.people(film) & set(called))
            }
            if film in own
            else set()
            for film in films
        }
        assert columns(session, dated, beside) == expected, name

    # From a value on: films of the same year.
    again = Pattern((Node("z"), Node("y")), (Edge("z", "year", "y", directed=True),))
    found = columns(session, dated, again, shared=("f", "y"))
    assert {film for film, _ in found} == films
    for (_, year), rows in found.items():
        assert rows == {(z,) for z in films if any(f'"{y}"' in year for y in graph.years(z))}


BLANK = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
_:f :by :p ; :year 1990 . _:g :by :p . :h :by :p ; :year 1992 .
:p rdfs:label "Ann Lee" . :h rdfs:label "Heat" .
"""


def check_blank_nodes(session: Session) -> None:
    """What is asked of a blank node is known, or said not to be."""
    text = '(?f)-[by]->("Ann Lee") optional { (?f)-[year]->(?y) } return ?f, ?y'
    result = session.match(text, k=1)
    found = sorted((m.column("y")[0].name if m.column("y") else "") for _, m in result.matches)
    unknown = sum(m.optional[0].cut for _, m in result.matches)
    if not session.store.capabilities.batched:
        assert (found, unknown) == (["", "1990", "1992"], 0)
    else:
        assert (found, unknown) == (["", "", "1992"], 2)  # no query can name them
        notes = " ".join(result.certificate.notes)
        assert "?y is not known of 2 of what it is asked for: empty is not none" in notes


def columns(
    session: Session, pattern: Pattern, part: Pattern, shared: Sequence[str] = ()
) -> dict[Binding, set[Binding]]:
    """By what nodes of a pattern are bound to, what an optional part gives."""
    shared = shared or [n.id for n in part.nodes if n.id in {node.id for node in pattern.nodes}]
    whole = Pattern(pattern.nodes, pattern.edges, optional=(part,))
    result, plain = session.match(whole, k=1), session.match(pattern, k=1)
    assert result.certificate.exact
    assert result.certificate.complete == plain.certificate.complete
    assert [m.bindings for _, m in result.matches] == [m.bindings for _, m in plain.matches]
    own = whole.columns_of(part)
    found: dict[Binding, set[Binding]] = {}
    for _, match in result.matches:
        (values,) = match.optional
        assert not values.cut
        rows = [tuple(row[id].id for id in own) for row in values.rows]
        assert len(set(rows)) == len(rows)
        key = tuple(match.bindings[id].id for id in shared)
        assert found.setdefault(key, set(rows)) == set(rows)
    return found


def rows_by_definition(
    case: Case | PropertyCase, shared: Sequence[str], chosen: Options
) -> dict[Binding, set[Binding]]:
    """Of a pattern as an optional part, its own nodes by what the shared ones are bound to."""
    unknown = [n.id for n in case.pattern.nodes if not n.known]
    own = [id for id in unknown if id not in shared]
    number = {node.id: n for n, node in enumerate(case.pattern.nodes)}
    lists: Sequence[tuple[Mapping[object, Mapping[str, float]], float]] = (
        (case.lists.nodes, 1.0),  # type: ignore[list-item]
        (case.lists.relations, 1.0),  # type: ignore[list-item]
        (case.lists.types, chosen.type_weight),  # type: ignore[list-item]
    )
    least = sum(
        min(entries.values(), default=inf) * weight
        for some, weight in lists
        for entries in some.values()
    )
    truth = interpretations(
        case.graph,
        case.pattern,
        case.lists,
        nodes=chosen.nodes,
        direction=chosen.direction,
        type_weight=chosen.type_weight,
    )
    found: dict[Binding, set[Binding]] = {}
    for one in truth:
        for match in one.matches if one.gsd <= least + TOLERANCE else ():
            key = tuple(match.nodes[number[id]] for id in shared)
            found.setdefault(key, set()).add(tuple(match.nodes[number[id]] for id in own))
    return found


def shared_nodes(case: Case | PropertyCase, data: st.DataObject) -> list[str]:
    """What a case's pattern, as an optional part, shares with the pattern around it.

    A case without a choice is drawn again. Ask before you fill a server: that takes longer.
    """
    pattern = case.pattern
    unknown = [node.id for node in pattern.nodes if not node.known]
    assume(len(unknown) > 1 and pattern.has_edges_alone)
    ends = [{id for e in some for id in pattern.edges[e].nodes} for some in pattern.components()]
    # Of those that may be, so that only a pattern without any is drawn again.
    may_be = [
        some
        for number in range(1, len(unknown))
        for some in combinations(unknown, number)
        if all(part.intersection(some) for part in ends)
    ]
    assume(may_be)
    return list(data.draw(st.sampled_from(may_be)))


def check_rows(
    case: Case | PropertyCase,
    shared: Sequence[str],
    chosen: Options,
    data: st.DataObject,
    store: Store,
    schema: Schema,
    ids: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """A case's pattern as an optional part gives the rows of its definition, whatever is shared.

    Args:
        shared: its nodes that the pattern around it has too; see `shared_nodes`.
        ids: of nodes in the store, by id in the case, where they differ.
    """
    pattern = replace(case.pattern, returns=())
    unknown = [node.id for node in pattern.nodes if not node.known]
    chosen = chosen.with_(type_weight=chosen.type_weight or 1.0)
    around = Pattern(
        tuple(map(Node, shared)), tuple(Edge(id, "r", id) for id in shared), optional=(pattern,)
    )
    truth = rows_by_definition(replace(case, pattern=pattern), shared, chosen)
    nodes = sorted({end for fact in case.graph.facts for end in (fact.source, fact.target)})
    others = data.draw(st.lists(st.tuples(*[st.sampled_from(nodes)] * len(shared)), max_size=3))
    asked = [b for b in dict.fromkeys([*truth, *others]) if not any(map(is_blank, b))]

    def placed(ids: Mapping[str, str], binding: Sequence[str | None]) -> Binding:
        return tuple(ids.get(id or "", id or "") for id in binding)

    nearest = least(
        candidates_of(case.placed(ids) if isinstance(case, PropertyCase) else case, None)
    )
    bindings = [placed(ids, binding) for binding in asked]
    read = read_optional(pattern, around, bindings, nearest, store, schema, chosen)

    names = {stored: id for id, stored in ids.items()}
    assert read.columns == tuple(id for id in unknown if id not in shared)
    assert set(read.given) == set(bindings)
    for binding, given in read.given.items():
        assert len(set(given.rows)) == len(given.rows)
        if not given.cut:
            expected = truth.get(placed(names, binding), set())
            assert {placed(names, row) for row in given.rows} == expected
    assert read.outcome.certificate.exact or any(one.cut for one in read.given.values())
