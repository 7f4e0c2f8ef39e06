"""A result as values of other libraries: pandas, rdflib, neo4j-viz, Cypher, Neo4j's driver."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.output.queries import Searched, to_query
from isomatch.output.rows import combined
from isomatch.phrasing import bound_words
from isomatch.store.terms import KIND_OF_DATATYPE, RDFS_LABEL, XSD, is_literal, split_literal

if TYPE_CHECKING:
    import pandas
    import rdflib
    from neo4j.graph import Graph
    from neo4j_viz import VisualizationGraph
    from rdflib.term import Node

    from isomatch.match.types import MatchResult


def to_cypher(result: MatchResult, session: Searched, **options: Any) -> str | None:
    """The best interpretation of a result as a statement for Neo4j Browser.

    It returns the matches of that interpretation: the graph's nodes and
    relationships, and the values. ``:param`` lines before it set its parameters.

    Args:
        result: of a search.
        session: that searched, over Neo4j.
        options: as they were given to the search.

    Returns:
        None for a result without matches.

    Raises:
        ConfigurationError: the graph is not in Neo4j, or an option is unknown.
    """
    check_cypher(session)
    return to_query(result, session, **options)


def to_neo4j_graph(result: MatchResult, session: Searched) -> Graph:
    """The nodes and relationships of all near matches, read from the database now.

    They have their labels and properties, as in the result of any query; a matched
    value is a property of its node. What was deleted since the search is missing.

    Args:
        result: of a search.
        session: that searched, over Neo4j.

    Raises:
        ConfigurationError: the graph is not in Neo4j.
        StoreError: the database failed.
    """
    check_cypher(session)
    bound = {b.id for _, match in result.near_matches for b in match.bindings.values()}
    facts = {t.id for _, match in result.near_matches for t in match.triples if t.id is not None}
    nodes = sorted(id for id in bound if not is_literal(id))
    graph: Graph = session.store.native_graph(nodes, sorted(facts))
    return graph


def in_neo4j(session: Searched) -> bool:
    """Whether the graph of a session is in Neo4j."""
    return bool(session.store.capabilities.property_graph)


def check_cypher(session: Searched) -> None:
    """Check that the graph of a session is in Neo4j.

    Raises:
        ConfigurationError: it is not.
    """
    if not in_neo4j(session):
        raise ConfigurationError(
            "the graph is not in Neo4j, so there is no Cypher to show: `isomatch explain` shows "
            "the SPARQL that a pattern becomes; NEO4J_URI names a Neo4j"
        )


_FLOATS = tuple(XSD + name for name in ("decimal", "float", "double"))
_DATES = tuple(XSD + name for name in ("date", "dateTime", "dateTimeStamp"))
# What a value is in pandas, by its datatype. A year alone stays as it is written.
_PANDAS = {
    **{d: "Int64" for d, kind in KIND_OF_DATATYPE.items() if kind == "number"},
    **dict.fromkeys(_FLOATS, "Float64"),
    **dict.fromkeys(_DATES, "datetime64"),
    XSD + "boolean": "boolean",
}
_ZONE = re.compile(r"(Z|[+-]\d\d:\d\d)$")
_BOOLEAN = {"true": True, "1": True, "false": False, "0": False}
ANSWER = "#ffd86e"
OTHER = "#a5abb6"


def to_frame(result: MatchResult) -> pandas.DataFrame:
    """The near matches of a result as a pandas frame, one row for each, best first.

    Where an optional part has several values, one for each of these.

    Columns: ``rank`` and ``gsd`` of the match's interpretation; for every node of
    the pattern, under its id, the name of what it is bound to; and the graph's id
    of that under ``<node>_id``. A column whose name is taken by an earlier one
    gets an underscore at its end. A result without matches has the columns too. That of a
    pattern that asks if there is a match has one row, with ``holds``: true, false, or missing.

    Types are ``Int64``, ``Float64``, ``boolean``, ``datetime64`` and ``string``. A
    node's column has one of the first four where all that it is bound to are values of
    that kind, which pandas can hold.

    Raises:
        MissingExtraError: pandas is not installed.

    Example:
        >>> from isomatch.match.types import *
        >>> from isomatch.pattern import parse
        >>> heat, mann = Bound("urn:heat", "Heat"), Bound("urn:mann", "Michael Mann")
        >>> match = Match({"film": heat, "by": mann}, ())
        >>> pattern = parse('(?film)-[directed by]-(by "Michael Mann")')
        >>> result = MatchResult(pattern, (Interpretation(1, 0.0, (), (match,)),),
        ...                      Certificate(True, True), Profile())
        >>> to_frame(result)[["rank", "film", "by", "film_id"]]
           rank  film            by   film_id
        0     1  Heat  Michael Mann  urn:heat
    """
    library = _library("pandas", "a result becomes a frame through pandas", "pandas")
    frame: pandas.DataFrame
    if result.pattern.ask:
        frame = library.DataFrame({"holds": library.Series([result.holds], dtype="boolean")})
        return frame
    nodes = [node.id for node in result.pattern.nodes]
    nodes += [id for p in result.pattern.optional for id in result.pattern.columns_of(p)]
    columns: dict[str, list[Any]] = {}
    for name in ("rank", "gsd", *nodes, *(f"{id}_id" for id in nodes)):
        while name in columns:
            name += "_"
        columns[name] = []
    for interpretation, match in result.near_matches:
        for bindings in combined(match):
            bound = [bindings.get(id) for id in nodes]
            row = (interpretation.rank, interpretation.gsd)
            cells = (*row, *(b and b.name for b in bound), *(b and b.id for b in bound))
            for column, cell in zip(columns.values(), cells, strict=True):
                column.append(cell)
    rank, gsd, *others = columns
    series = {
        rank: library.Series(columns[rank], dtype="Int64"),
        gsd: library.Series(columns[gsd], dtype="Float64"),
    }
    ids = others[len(nodes) :]
    for name, id in zip(others, ids, strict=False):
        series[name] = _typed(library, columns[id], columns[name])
    series |= {id: library.Series(columns[id], dtype="string") for id in ids}
    frame = library.DataFrame(series)
    return frame


def _typed(
    pandas: Any, ids: Sequence[str | None], names: Sequence[str | None]
) -> pandas.Series[Any]:
    """What a node is bound to, as values of one type or as names; missing for nothing."""
    values = [split_literal(id) if id and is_literal(id) else ("", "", None) for id in ids]
    given = zip(ids, values, strict=True)
    kinds = {_PANDAS.get(datatype, "string") for id, (_, datatype, _) in given if id is not None}
    texts = [None if id is None else v[0] for id, v in zip(ids, values, strict=True)]
    if kinds == {"Int64", "Float64"}:
        kinds = {"Float64"}
    try:
        if kinds == {"datetime64"}:
            zoned = all(_ZONE.search(text) for text in texts if text is not None)
            return pandas.Series(pandas.to_datetime(texts, format="ISO8601", utc=zoned))
        if kinds == {"Int64"}:
            return pandas.Series([t and int(t) for t in texts], dtype="Int64")
        if kinds == {"Float64"}:
            return pandas.Series([t and float(t) for t in texts], dtype="Float64")
        if kinds == {"boolean"}:
            return pandas.Series([t and _BOOLEAN[t] for t in texts], dtype="boolean")
    except (ValueError, TypeError, KeyError, OverflowError):
        pass  # ill-typed, or nothing that pandas can hold: the names say all of it
    return pandas.Series(names, dtype="string")


def to_viz(result: MatchResult) -> VisualizationGraph:
    """The facts of all near matches as a graph of ``neo4j-viz``; ``.render()`` draws it.

    Everything that a pattern node is bound to is a node, values too, so that results
    of any store can be drawn; answers stand out. Ids are the graph's.

    Raises:
        MissingExtraError: neo4j-viz is not installed.
    """
    viz = _library("neo4j_viz", "a result is drawn by neo4j-viz", "viz")
    bound = {node.id: node for _, match in result.near_matches for node in match.bindings.values()}
    asked = {
        match.bindings[id].id for _, match in result.near_matches for id in result.pattern.answers
    }
    facts = dict.fromkeys(triple for _, match in result.near_matches for triple in match.triples)
    graph: VisualizationGraph = viz.VisualizationGraph(
        [
            viz.Node(id=id, caption=bound_words(node), color=ANSWER if id in asked else OTHER)
            for id, node in bound.items()
        ],
        [
            viz.Relationship(
                id=fact.id or str(number),
                source=fact.source.id,
                target=fact.target.id,
                caption=bound_words(fact.relation),
                properties=dict(fact.properties),
            )
            for number, fact in enumerate(facts)
        ],
    )
    return graph


def to_rdflib(result: MatchResult, *, names: str | bool = False) -> rdflib.Graph:
    """The matched triples as a graph of rdflib, which can be serialised.

    As a ``CONSTRUCT`` over all near matches gives it: every fact once, as stored. Blank
    nodes have the labels of the store.

    Args:
        result: of a search in RDF.
        names: add the name of each node, by ``rdfs:label`` or by the predicate with
            this IRI; the names are those that the result shows.

    Raises:
        MissingExtraError: rdflib is not installed.
        ConfigurationError: the result is not of RDF.

    Example:
        >>> from isomatch.match.types import *
        >>> from isomatch.pattern import parse
        >>> heat, mann = Bound("urn:heat", "Heat"), Bound("urn:mann", "Michael Mann")
        >>> fact = Triple(heat, Bound("urn:directedBy", "directed by"), mann)
        >>> match = Match({"film": heat, "by": mann}, (fact,))
        >>> pattern = parse('(?film)-[directed by]-(by "Michael Mann")')
        >>> result = MatchResult(pattern, (Interpretation(1, 0.0, (), (match,)),),
        ...                      Certificate(True, True), Profile())
        >>> print(to_rdflib(result).serialize(format="nt").strip())
        <urn:heat> <urn:directedBy> <urn:mann> .
    """
    terms = _Terms()
    graph: rdflib.Graph = terms.rdflib.Graph()
    facts = dict.fromkeys(fact for _, match in result.near_matches for fact in match.triples)
    label = RDFS_LABEL if names is True else names
    for fact in facts:
        graph.add(tuple(terms[end.id] for end in (fact.source, fact.relation, fact.target)))
        for end in (fact.source, fact.target):
            if label and not isinstance(terms[end.id], terms.rdflib.Literal):
                graph.add((terms[end.id], terms[label], terms.rdflib.Literal(end.name)))
    return graph


def to_rdflib_bindings(result: MatchResult) -> list[dict[str, Node]]:
    """For each near match, best first: the term that each node of the pattern is bound to.

    As the rows of a ``SELECT`` in rdflib, ready for ``initBindings``. Nodes of optional parts that
    have nothing are left out, and several values of theirs are rows of their own.

    Raises:
        MissingExtraError, ConfigurationError: see `to_rdflib`.
    """
    terms = _Terms()
    return [
        {node: terms[bound.id] for node, bound in bindings.items()}
        for _, match in result.near_matches
        for bindings in combined(match)
    ]


class _Terms(dict[str, Any]):
    """Terms of rdflib by id."""

    def __init__(self) -> None:
        super().__init__()
        self.rdflib = _library("rdflib", "a result becomes terms of RDF through rdflib", "rdflib")

    def __missing__(self, id: str) -> Any:
        from isomatch.store.rdflib_terms import to_term

        try:
            term = self[id] = to_term(id)
        except ValueError as error:
            raise ConfigurationError(
                f"the graph is not RDF: {id[:80]!r} is no IRI, blank node or literal; "
                "to_neo4j_graph() and to_frame() are for results of Neo4j"
            ) from error
        return term


def _library(module: str, use: str, extra: str) -> Any:
    """An optional library.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"{use}: pip install 'isomatch[{extra}]'") from error
