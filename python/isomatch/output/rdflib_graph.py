"""A result as terms and as a graph of rdflib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.store.terms import RDFS_LABEL

if TYPE_CHECKING:
    import rdflib
    from rdflib.term import Node

    from isomatch.match.types import MatchResult


def to_rdflib(result: MatchResult, *, names: str | bool = False) -> rdflib.Graph:
    """The triples that were matched, as a graph that can be serialised.

    What a ``CONSTRUCT`` over all matches would give: every fact of every match once,
    as stored. Blank nodes have the labels of the store.

    Args:
        result: of a search in RDF.
        names: also say what each node is called, by ``rdfs:label`` or by the
            predicate of this IRI; the names are those that the result shows.

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
    facts = dict.fromkeys(fact for _, match in result.matches for fact in match.triples)
    label = RDFS_LABEL if names is True else names
    for fact in facts:
        graph.add(tuple(terms[end.id] for end in (fact.source, fact.relation, fact.target)))
        for end in (fact.source, fact.target):
            if label and not isinstance(terms[end.id], terms.rdflib.Literal):
                graph.add((terms[end.id], terms[label], terms.rdflib.Literal(end.name)))
    return graph


def to_rdflib_bindings(result: MatchResult) -> list[dict[str, Node]]:
    """For each match, best first: the term that each node of the pattern is bound to.

    As the rows of a ``SELECT`` in rdflib, ready for ``initBindings``.

    Raises:
        MissingExtraError, ConfigurationError: see `to_rdflib`.
    """
    terms = _Terms()
    return [
        {node: terms[bound.id] for node, bound in match.bindings.items()}
        for _, match in result.matches
    ]


class _Terms(dict[str, Any]):
    """Terms of rdflib by id."""

    def __init__(self) -> None:
        try:
            import rdflib
        except ImportError as error:
            raise MissingExtraError(
                "a result becomes terms of RDF through rdflib: pip install 'isomatch[rdflib]'"
            ) from error
        super().__init__()
        self.rdflib = rdflib

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
