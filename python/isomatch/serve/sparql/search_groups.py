"""Search groups: the triples about one subject, read as a search and its result columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from isomatch.pattern import Pattern, parse
from isomatch.serve.errors import RequestError
from isomatch.serve.sparql.tokens import Term
from isomatch.serve.sparql.vocabulary import (
    NAME,
    NODE,
    OPTIONS,
    SEARCHES,
    local_name,
    option_value,
)

Triple = tuple[Term, Term, Term]


@dataclass(frozen=True, slots=True)
class Search:
    """What to search; equal searches have equal results.

    Attributes:
        wanted: a pattern, or a question.
        options: names and values of `isomatch.options.Options`, by name.
    """

    wanted: Pattern | str
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class SearchGroup:
    """A search and where its results go.

    Attributes:
        subject: a variable or blank node; each row of the results is one.
        search: what to search.
        columns: a column of the results (``node-f``, ``name-f``, ``answer``, ``gsd``,
            …) and what it must be equal to: a variable, or a term.
    """

    subject: Term
    search: Search
    columns: tuple[tuple[str, Term], ...]

    @property
    def variables(self) -> list[str]:
        """Names of the variables that a row binds, the subject's last."""
        terms = [*(term for _, term in self.columns), self.subject]
        return list(dict.fromkeys(t.value for t in terms if isinstance(t, ox.Variable)))

    @property
    def column_variables(self) -> list[str]:
        """Names of the variables in columns, as often as they occur."""
        return [term.value for _, term in self.columns if isinstance(term, ox.Variable)]

    @property
    def node_variables(self) -> list[str]:
        """Names of the variables that take nodes, whose literals are the database's."""
        nodes = (t for c, t in self.columns if c == "answer" or c.startswith(NODE))
        return [term.value for term in nodes if isinstance(term, ox.Variable)]


def read_search_groups(triples: Iterable[Triple]) -> list[SearchGroup]:
    """The search groups of one basic graph pattern.

    Raises:
        RequestError: a triple is not of the vocabulary, or a group is incomplete.
        PatternError: a pattern breaks a rule.
    """
    subjects: dict[Term, list[tuple[str, Term]]] = {}
    for subject, predicate, value in triples:
        subjects.setdefault(subject, []).append((local_name(predicate), value))
    return [_group(subject, terms) for subject, terms in subjects.items()]


def _group(subject: Term, terms: Sequence[tuple[str, Term]]) -> SearchGroup:
    if not isinstance(subject, (ox.Variable, ox.BlankNode)):
        raise RequestError(400, f"a search is written about a variable or [], not {subject}")
    searches = [(name, term) for name, term in terms if name in SEARCHES]
    if len(searches) != 1:
        raise RequestError(400, _not_one_search(len(searches)))
    [(kind, term)] = searches
    if not isinstance(term, ox.Literal):
        raise RequestError(400, f"isomatch:{kind} must be a text in quotes, not {term}")
    options: dict[str, Any] = {}
    for name, value in terms:
        if name in OPTIONS:
            if name in options:
                raise RequestError(
                    400, f"isomatch:{name} is said twice about one search: say it once"
                )
            options[name] = option_value(name, value)
    columns = [(n, o) for n, o in terms if n not in SEARCHES and n not in OPTIONS]
    wanted = parse(term.value) if kind == "pattern" else term.value
    if isinstance(wanted, Pattern) and wanted.optional:
        raise RequestError(
            400,
            "isomatch:pattern: a pattern of the service has no optional parts: leave them out, and "
            "write OPTIONAL { … } beside the search",
        )
    columns = (
        _pattern_columns(wanted, columns)
        if isinstance(wanted, Pattern)
        else _question_columns(columns)
    )
    return SearchGroup(subject, Search(wanted, tuple(sorted(options.items()))), tuple(columns))


def _not_one_search(count: int) -> str:
    if count:
        return (
            "two searches about one subject: give each isomatch:pattern a subject of its own, "
            "as in [] isomatch:pattern …"
        )
    return (
        "a search needs isomatch:pattern or isomatch:question, in the same group of triples: "
        "an OPTIONAL, BIND or VALUES between triples about one subject ends the group"
    )


def _question_columns(columns: Sequence[tuple[str, Term]]) -> list[tuple[str, Term]]:
    for name, _ in columns:
        if name == "binding" or name.startswith((NODE, NAME)):
            raise RequestError(
                400,
                f"isomatch:{name} needs a pattern, whose nodes have ids; what answers a "
                "question is isomatch:answer ?x",
            )
    return list(columns)


def _pattern_columns(
    pattern: Pattern, written: Sequence[tuple[str, Term]]
) -> list[tuple[str, Term]]:
    columns: list[tuple[str, Term]] = []
    constants = []  # of `binding`: the calling engine has put values in place of variables
    for name, term in written:
        if name == "binding":
            if isinstance(term, ox.Variable):
                columns.append((NODE + _answer_named(pattern, term.value), term))
            else:
                constants.append(term)
        elif name == "holds" and not pattern.ask:
            raise RequestError(400, "isomatch:holds needs a pattern that asks: … return ask")
        elif name == "answer":
            columns.append((NODE + _one_answer(pattern), term))
        else:
            if name.startswith((NODE, NAME)):
                _check_node(pattern, name.partition("-")[2], name)
            columns.append((name, term))
    if constants:
        named = {column for column, term in columns if isinstance(term, ox.Variable)}
        left = [id for id in pattern.answers if NODE + id not in named]
        if len(constants) > 1 or len(left) != 1:
            raise RequestError(400, _unknown_node(pattern, constants[0]))
        columns.append((NODE + left[0], constants[0]))
    return columns


def _answer_named(pattern: Pattern, name: str) -> str:
    if name in pattern.answers:
        return name
    ids = ", ".join(f"?{id}" for id in pattern.answers)
    is_node = any(node.id == name for node in pattern.nodes)
    fix = (
        f"say isomatch:node-{name} ?{name}, or add ?{name} to its return"
        if is_node
        else "use one of these names, or isomatch:node-ID ?variable, which may have any name"
    )
    what = "does not ask for" if is_node else "has no node"
    raise RequestError(
        400, f"isomatch:binding ?{name}: the pattern {what} ?{name}, but {ids}; {fix}"
    )


def _one_answer(pattern: Pattern) -> str:
    if pattern.ask:
        raise RequestError(
            400, "isomatch:answer: the pattern asks if there is a match; isomatch:holds ?x says it"
        )
    if len(pattern.answers) != 1:
        ids = ", ".join(f"isomatch:node-{id}" for id in pattern.answers)
        raise RequestError(
            400, f"isomatch:answer: the pattern asks for several nodes; say which, by {ids}"
        )
    return pattern.answers[0]


def _check_node(pattern: Pattern, id: str, name: str) -> None:
    ids = [node.id for node in pattern.nodes]
    if id not in ids:
        raise RequestError(
            400, f"isomatch:{name}: the pattern has no node {id!r}; it has {', '.join(ids)}"
        )


def _unknown_node(pattern: Pattern, constant: Term) -> str:
    ids = ", ".join(f"isomatch:node-{id}" for id in pattern.answers)
    return (
        f"isomatch:binding {constant}: it is not known which node of the pattern that is. "
        "Engines put values in place of variables when they call a SERVICE; name the node by "
        f"the predicate then: {ids}"
    )
