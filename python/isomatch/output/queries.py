"""The best interpretation of a result as a query for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from isomatch.errors import ConfigurationError
from isomatch.pattern.clauses import format_clauses, format_count, format_each, format_order
from isomatch.pattern.text import format_text
from isomatch.store.terms import is_literal

if TYPE_CHECKING:
    from isomatch.compile.base import Known, Part
    from isomatch.match.types import MatchResult
    from isomatch.pattern import Pattern
    from isomatch.schema.types import Schema
    from isomatch.settings import Settings

_PARTS = ("node", "relation", "type")


class Searched(Protocol):
    """The part of a session that is needed."""

    @property
    def store(self) -> Any:
        """The database; a `Store`."""

    @property
    def schema(self) -> Schema:
        """What it holds."""

    @property
    def settings(self) -> Settings:
        """With the languages of labels."""


def to_query(result: MatchResult, session: Searched, **options: Any) -> str | None:
    """The best interpretation of a result as one query: SPARQL, or a Cypher statement.

    Its variables are those of the pattern, beside labels of the nodes. A comment names the
    conditions and the count of the pattern, which the query lacks: it gives what they are of.

    Args:
        result: of a search.
        session: that searched.
        options: as they were given to the search.

    Returns:
        None where the best interpretation has no matches.

    Raises:
        ConfigurationError: an option is unknown.
    """
    text, pattern = _query(result, session, options), result.pattern
    lacking = _lacking(pattern, format_clauses(pattern, format_text) + format_count(pattern))
    if text is None or not lacking:
        return text
    mark = "//" if session.store.capabilities.property_graph else "#"
    return f"{mark} without:{lacking}\n{text}"


def answers_query(result: MatchResult, session: Searched, **options: Any) -> str | None:
    """The best interpretation of a result as SPARQL whose rows are the answers, for programs.

    Nothing else is selected: no other nodes, no labels. A pattern that counts gives a query of
    the count, one that asks if there is a match an ASK.

    Args:
        result: of a search.
        session: that searched.
        options: as they were given to the search.

    Returns:
        None where nothing matches, and so where the answer is no.

    Raises:
        ConfigurationError: the database is not asked in SPARQL, the pattern has a part that the
            query would lack, as a condition, or an option is unknown.
    """
    from isomatch.compile.base import Asked
    from isomatch.compile.dialects import dialect_of

    pattern = result.pattern
    if session.store.capabilities.property_graph:
        raise ConfigurationError(
            "this graph is asked in Cypher: only for an RDF store there is a query in SPARQL"
        )
    function = format_count(pattern) if pattern.aggregate else ""
    if lacking := _lacking(pattern, format_clauses(pattern, format_text) + function):
        raise ConfigurationError(
            f"no query says all that was asked for; it would be without:{lacking}"
        )
    if not result or not result.interpretations[0].matches:
        return None
    read = _read(result, session, options)
    numbers = {node.id: number for number, node in enumerate(pattern.nodes)}
    asked = Asked(tuple(numbers[id] for id in pattern.answers), pattern.count is not None)
    return dialect_of(session.store).answering(read.part, read.nodes, read.names, asked)


def _lacking(pattern: Pattern, clauses: str) -> str:
    """What the queries of an interpretation do not say beside some clauses."""
    each = f" return {', '.join(format_each(pattern))}" if pattern.each else ""
    return clauses + each + format_order(pattern)


def _query(result: MatchResult, session: Searched, options: Mapping[str, Any]) -> str | None:
    from isomatch.compile.dialects import dialect_of
    from isomatch.compile.pasteable import Seen, pasteable

    if not result or not result.interpretations[0].matches:
        return None
    read = _read(result, session, options)
    if not session.store.capabilities.property_graph:
        languages = session.settings.languages
        dialect = dialect_of(session.store)
        return dialect.pasteable(read.part, read.nodes, read.limit, read.names, languages)
    pattern, best = result.pattern, result.interpretations[0]
    seen = dict.fromkeys(
        Seen(
            frozenset(
                n for n, node in enumerate(pattern.nodes) if is_literal(match.bindings[node.id].id)
            ),
            tuple(triple.relation.id for triple in match.triples[: len(pattern.edges)]),
        )
        for match in best.matches
    )
    return pasteable(read.part, read.nodes, seen, read.limit, read.names)


@dataclass(frozen=True)
class _Read:
    """The best interpretation, as dialects take it."""

    part: Part
    nodes: Mapping[int, Known]
    names: Mapping[str, str]
    limit: int


def _read(result: MatchResult, session: Searched, options: Mapping[str, Any]) -> _Read:
    from isomatch.compile.base import Part, Terms
    from isomatch.link.candidates import Candidates
    from isomatch.match.same_as import join_same_nodes
    from isomatch.options import Options
    from isomatch.pattern.columns import column_names
    from isomatch.plan.structure import Structure

    pattern, best = result.pattern, result.interpretations[0]
    chosen, names = Options().with_(**options), column_names(result.pattern)
    schema = session.schema
    if chosen.same_as:  # the same terms and options as the search had
        none = Candidates({}, {}, {})
        _, schema, chosen = join_same_nodes(pattern, none, session.store, schema, chosen)
    ids = {part: iter([c for c in best.choices if c.part == part]) for part in _PARTS}
    typed = any(c.part == "type" for c in best.choices)
    known = (n for n, node in enumerate(pattern.nodes) if node.known)
    nodes = {n: one.ids or one.id for n, one in zip(known, ids["node"], strict=True)}
    part = Part(
        Structure.of(pattern, chosen),
        tuple(None if e.relation is None else next(ids["relation"]).id for e in pattern.edges),
        # A graph without types ignores them all.
        tuple(next(ids["type"]).id if n.type and typed else None for n in pattern.nodes),
        Terms.of(schema),
    )
    return _Read(part, nodes, names, chosen.limit)
