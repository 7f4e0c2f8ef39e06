"""From the triples about one subject to a search and the columns that are wanted of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rdflib.term import BNode, Literal, Node, Variable

from isomatch.pattern import Pattern, parse
from isomatch.serve.refusal import Refusal
from isomatch.serve.vocabulary import (
    NAME,
    NODE,
    OPTIONS,
    SEARCHES,
    local_name,
    option_value,
)

Triple = tuple[Node, Node, Node]


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for; equal searches have equal results.

    Attributes:
        wanted: a pattern, or a question.
        options: names and values of `isomatch.options.Options`, by name.
    """

    wanted: Pattern | str
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A search with the places that its results go to.

    Attributes:
        subject: a variable or blank node; each row of the results is one.
        search: what is looked for.
        columns: a column of the results (``node-f``, ``name-f``, ``answer``, ``gsd``,
            …) and what it must be equal to: a variable, or a term.
    """

    subject: Node
    search: Search
    columns: tuple[tuple[str, Node], ...]


def read_groups(triples: Sequence[Triple]) -> list[Group]:
    """The groups of one basic graph pattern.

    Raises:
        Refusal: a triple is not of our vocabulary, or a group is not whole.
        PatternError: a pattern breaks a rule.
    """
    subjects = dict.fromkeys(triple[0] for triple in triples)
    return [_group(s, [(local_name(p), o) for s_, p, o in triples if s_ == s]) for s in subjects]


def _group(subject: Node, terms: Sequence[tuple[str, Node]]) -> Group:
    if not isinstance(subject, (Variable, BNode)):
        raise Refusal(400, f"a search is written about a variable or [], not {subject.n3()}")
    looked_for = [(name, term) for name, term in terms if name in SEARCHES]
    if len(looked_for) != 1:
        raise Refusal(400, _not_one(len(looked_for)))
    (kind, term) = looked_for[0]
    if not isinstance(term, Literal):
        raise Refusal(400, f"isomatch:{kind} must be a text in quotes, not {term.n3()}")
    options: dict[str, Any] = {}
    for name, value in terms:
        if name in OPTIONS:
            if name in options:
                raise Refusal(400, f"isomatch:{name} is said twice about one search: say it once")
            options[name] = option_value(name, value)
    places = [(n, o) for n, o in terms if n not in SEARCHES and n not in OPTIONS]
    wanted = parse(str(term)) if kind == "pattern" else str(term)
    columns = (
        _columns_of_pattern(wanted, places)
        if isinstance(wanted, Pattern)
        else _columns_of_question(places)
    )
    return Group(subject, Search(wanted, tuple(sorted(options.items()))), tuple(columns))


def _not_one(count: int) -> str:
    if count:
        return (
            "two searches about one subject: give each isomatch:pattern a subject of its own, "
            "as in [] isomatch:pattern …"
        )
    return (
        "a search needs isomatch:pattern or isomatch:question, in the same group of triples: "
        "an OPTIONAL, BIND or VALUES between triples about one subject ends the group"
    )


def _columns_of_question(places: Sequence[tuple[str, Node]]) -> list[tuple[str, Node]]:
    for name, _ in places:
        if name == "binding" or name.startswith((NODE, NAME)):
            raise Refusal(
                400,
                f"isomatch:{name} needs a pattern, whose nodes have ids; what answers a "
                "question is isomatch:answer ?x",
            )
    return list(places)


def _columns_of_pattern(
    pattern: Pattern, places: Sequence[tuple[str, Node]]
) -> list[tuple[str, Node]]:
    columns: list[tuple[str, Node]] = []
    constants = []  # of `binding`: the engine that asks has put values in place of variables
    for name, term in places:
        if name == "binding":
            if isinstance(term, Variable):
                columns.append((NODE + _answer_named(pattern, str(term)), term))
            else:
                constants.append(term)
        elif name == "answer":
            columns.append((NODE + _one_answer(pattern), term))
        else:
            if name.startswith((NODE, NAME)):
                _check_node(pattern, name.partition("-")[2], name)
            columns.append((name, term))
    if constants:
        named = {column for column, term in columns if isinstance(term, Variable)}
        left = [id for id in pattern.answers if NODE + id not in named]
        if len(constants) > 1 or len(left) != 1:
            raise Refusal(400, _which_node(pattern, constants[0]))
        columns.append((NODE + left[0], constants[0]))
    return columns


def _answer_named(pattern: Pattern, name: str) -> str:
    if name in pattern.answers:
        return name
    ids = ", ".join(f"?{id}" for id in pattern.answers)
    where = any(node.id == name for node in pattern.nodes)
    fix = (
        f"say isomatch:node-{name} ?{name}, or add ?{name} to its return"
        if where
        else "use one of these names, or isomatch:node-ID ?variable, which may have any name"
    )
    what = "does not ask for" if where else "has no node"
    raise Refusal(400, f"isomatch:binding ?{name}: the pattern {what} ?{name}, but {ids}; {fix}")


def _one_answer(pattern: Pattern) -> str:
    if len(pattern.answers) != 1:
        ids = ", ".join(f"isomatch:node-{id}" for id in pattern.answers)
        raise Refusal(
            400, f"isomatch:answer: the pattern asks for several nodes; say which, by {ids}"
        )
    return pattern.answers[0]


def _check_node(pattern: Pattern, id: str, name: str) -> None:
    ids = [node.id for node in pattern.nodes]
    if id not in ids:
        raise Refusal(
            400, f"isomatch:{name}: the pattern has no node {id!r}; it has {', '.join(ids)}"
        )


def _which_node(pattern: Pattern, constant: Node) -> str:
    ids = ", ".join(f"isomatch:node-{id}" for id in pattern.answers)
    return (
        f"isomatch:binding {constant.n3()}: it is not known which node of the pattern that is. "
        "Engines put values in place of variables when they call a SERVICE; name the node by "
        f"the predicate then: {ids}"
    )
