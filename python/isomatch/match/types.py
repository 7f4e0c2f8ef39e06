"""The result of a search: ranked interpretations, their matches and a certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from typing import Any

from isomatch.match.nearness import DEFAULT
from isomatch.pattern.text import format_text
from isomatch.pattern.types import Pattern
from isomatch.texts import html_table, shortened

IN_NOTEBOOKS = 20  # rows of a table
TIE = 1e-6  # GSDs nearer than this are equal: sums of float32 distances


@dataclass(frozen=True, slots=True)
class Bound:
    """A graph element that a part of the pattern is matched to."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact as the database stores it.

    Attributes:
        source, relation, target: the nodes, or a node and its value, and what
            holds between them.
        id: the relationship's own, in a property graph.
        properties: of the relationship, as values that JSON has.
    """

    source: Bound
    relation: Bound
    target: Bound
    id: str | None = None
    properties: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class OptionalValues:
    """What an optional part of a pattern gives a match.

    Attributes:
        rows: different ones: what the part's own nodes that are returned are bound to; none
            where the part has no match.
        cut: whether there may be more; with no rows, whether there is one is not known.
    """

    rows: tuple[Mapping[str, Bound], ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """One embedding of the pattern.

    Attributes:
        bindings: pattern node id to graph node, or to a value.
        triples: one for each pattern edge, in the pattern's order; of a node alone the one
            that says its type.
        optional: what each optional part of the pattern gives it, in their order.
    """

    bindings: Mapping[str, Bound]
    triples: tuple[Triple, ...]
    optional: tuple[OptionalValues, ...] = ()

    def column(self, id: str) -> tuple[Bound, ...]:
        """What a node of the pattern, or of an optional part, stands for; empty where for nothing.

        Example:
            >>> heat = Bound("urn:heat", "Heat")
            >>> Match({"film": heat}, (), (OptionalValues(),)).column("tagline")
            ()
        """
        if id in self.bindings:
            return (self.bindings[id],)
        rows = (row for values in self.optional for row in values.rows)
        return tuple(dict.fromkeys(row[id] for row in rows if id in row))


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of an interpretation: a part of the pattern and its element.

    Attributes:
        part: ``node``, ``relation`` or ``type``.
        text: the pattern's words.
        id: the graph element.
        name: the one of its names that was compared.
        distance: what it adds to the GSD (a type's is weighted already).
        called: what it is called, where that is another of its names.
        ids: of several values or nodes that the words mean together, such as the days of a year
            or all nodes of a name, those that have a match; ``id`` is one of them.
    """

    part: str
    text: str
    id: str
    name: str
    distance: float
    called: str | None = None
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """What a pattern works out for one answer (`Pattern.each`).

    Attributes:
        answer: what the returned nodes are bound to.
        values: of each function, in order; None where no value is there to work with.
    """

    answer: tuple[Bound, ...]
    values: tuple[Bound | None, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One interpretation of the pattern's words, with all of its matches.

    Attributes:
        rank: 1 is the best.
        gsd: graph semantic distance, the sum of the choices' distances
            (SimGRAG, equation 3).
        choices: known nodes, known relations and types, in the pattern's order.
        matches: in the pattern's order, else the database's; empty only where none
            satisfies the pattern's conditions.
        cut: whether the limit of matches cut the list.
        parts: how the parts of the pattern were read, the same for every interpretation:
            those interpretations whose answers its matches are compared with, and those that
            optional parts were taken for.
        value: what the pattern works out of all its matches, listed or not (`Pattern.aggregate`);
            None where it works nothing out, or no match has a value.
        groups: what it works out for each answer, of all matches of that, listed or not.
        counted: what the pattern counts in all its matches, listed or not; None where it counts
            nothing, or only what is listed is known.
        answers: how many different answers all its matches have, listed or not; None where it
            returns nothing, or only what is listed is known.
    """

    rank: int
    gsd: float
    choices: tuple[Choice, ...]
    matches: Sequence[Match]
    cut: bool = False
    parts: tuple[Interpretation, ...] = ()
    value: Bound | None = None
    groups: tuple[Group, ...] = ()
    counted: Count | None = None
    answers: Count | None = None

    @property
    def near(self) -> bool:
        """Whether it is near enough to be what the words mean (`isomatch.match.nearness`)."""
        return DEFAULT.holds(self)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a search proved.

    Everything here is relative to three things: this interpretation of a question or
    pattern, the index and schema as they were made at ``as_of`` from the graph as it was
    then, and the vectors of its embedder. A node that the graph got later is not in the
    index. Where the store can tell that the graph has changed (`Store.state`), nothing is
    ``complete``; an endpoint that cannot count fast leaves it at ``as_of``.

    Attributes:
        exact: the result equals brute force over the candidate lists. False
            only when a budget ended the search (see ``ended_by``), when ``k`` counts
            matches and some of too many parallel relationships are missing, or when not
            all subclasses of a type are known (a note says either).
        complete: no interpretation outside the candidate lists is better than the
            last one returned.
        bound: no interpretation that was not examined has a smaller GSD than this;
            `math.inf` when every interpretation was examined.
        approximate: lists came from an approximate vector index, or a search of the
            database's own; exact and complete hold relative to them.
        ended_by: the budget that ended the search (``time``, ``rows``, or the plugin's
            ``memory``), or None.
        notes: in words: vectors exact or HNSW, types ignored, limits that cut.
        as_of: when the index was made, ISO 8601, UTC; empty where there was none.
        changed: whether the graph has changed since then.
        ties: whether further interpretations, or matches where ``k`` counts those, are
            as near as the last one and were not returned; None where it is not known.
    """

    exact: bool
    complete: bool
    bound: float = inf
    approximate: bool = False
    ended_by: str | None = None
    notes: tuple[str, ...] = ()
    as_of: str = ""
    changed: bool = False
    ties: bool | None = False

    def relative_to(self, as_of: str, *, changed: bool) -> Certificate:
        """The certificate of a search over the index of a moment; see the class."""
        complete = self.complete and not changed
        return replace(self, as_of=as_of, changed=changed, complete=complete)


@dataclass(frozen=True, slots=True)
class Profile:
    """Where the time went.

    Attributes:
        stages: milliseconds by stage (interpret, link, plan, compile,
            execute, match, describe, answer) and ``total``.
        strategy: how the planner searched, or ``procedure`` for the plugin.
        rounds: round trips to the database.
        rows: rows that came back.
        examined: interpretations that were looked for in the database.
        vectors_read: vectors that the search for names, relations and types compared in full.
            Lists that are remembered read none; nor is counted what an approximate index
            or the database's own vector index reads.
    """

    stages: Mapping[str, float] = field(default_factory=dict)
    strategy: str = ""
    rounds: int = 0
    rows: int = 0
    examined: int = 0
    vectors_read: int = 0

    def with_parts(self, parts: Sequence[Profile]) -> Profile:
        """The same, with what was asked for the parts of a pattern."""
        every = (self, *parts)
        return replace(
            self,
            rounds=sum(one.rounds for one in every),
            rows=sum(one.rows for one in every),
            examined=sum(one.examined for one in every),
        )


@dataclass(frozen=True, slots=True)
class Count:
    """How many different nodes or values an interpretation gives the counted node.

    Attributes:
        rank: of the interpretation.
        value: how many are in its matches.
        at_least: whether there may be more, because its matches were cut.
    """

    rank: int
    value: int
    at_least: bool

    def __str__(self) -> str:
        return f"at least {self.value}" if self.at_least else str(self.value)


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult:
    """The best interpretations of a pattern, ascending by GSD.

    Under ``results="matches"`` each item of ``interpretations`` holds exactly
    one match, and ranks count matches (SimGRAG's plain top-k).

    Attributes:
        certificate: what is proven of it.
        profile: what the search did, and how long it took.
        parts: the results of the pattern's parts, in their order.
        refuted: of a pattern that asks if there is a match (`Pattern.ask`), whether it is proven
            that there is none, by names that are all the graph's own.
        optional: how the pattern's optional parts were read, in their order; without matches.
    """

    pattern: Pattern
    interpretations: tuple[Interpretation, ...]
    certificate: Certificate
    profile: Profile
    parts: tuple[MatchResult, ...] = ()
    refuted: bool = False
    optional: tuple[MatchResult, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.interpretations)

    def __repr__(self) -> str:
        """In a few words: everything would fill the screens of a notebook."""
        distances = [round(i.gsd, 3) for i in self.interpretations]
        matches = sum(len(i.matches) for i in self.interpretations)
        return (
            f"<MatchResult of {shortened(format_text(self.pattern), 400)}: {matches} matches, "
            f"distances {shortened(str(distances), 200)}, exact={self.certificate.exact}, "
            f"complete={self.certificate.complete}{'' if self.found else ', found=False'}>"
        )

    def _repr_html_(self) -> str:
        """The first matches as a table, for notebooks."""
        count = sum(len(i.matches) for i in self.interpretations)
        head = [node.id for node in self.pattern.nodes]
        rows = [
            [
                *(m.bindings[id].name or m.bindings[id].id for id in head),
                f"{i.rank}{'' if i.near else ' (far)'}",
                f"{i.gsd:.3f}",
            ]
            for i, m in islice(self.matches, IN_NOTEBOOKS)
        ]
        shown = f", {len(rows)} shown" if len(rows) < count else ""
        far = "" if self.found else ", none near enough to be what the words mean"
        proof = f"exact={self.certificate.exact}, complete={self.certificate.complete}"
        return html_table([*head, "rank", "gsd"], rows, f"{count} matches{shown}{far}; {proof}")

    @property
    def found(self) -> bool:
        """Whether an interpretation is near enough to be what the words mean, and has matches.

        A count of 0 is found too: that of an interpretation whose matches satisfy no condition.

        ``isomatch match`` and ``ask``, their JSON and the SPARQL service go by the same rule.
        """
        return any(i.near and self.gives(i) for i in self.interpretations)

    def gives(self, interpretation: Interpretation) -> bool:
        """Whether one of the interpretations has matches, a count, or a value worked out."""
        if self.pattern.aggregate is not None:
            return interpretation.value is not None
        return bool(interpretation.matches) or self.pattern.count is not None

    @property
    def holds(self) -> bool | None:
        """What a pattern that asks if there is a match is answered by: True for yes, False for no.

        None where neither is known, and for every other pattern.
        """
        if not self.pattern.ask:
            return None
        return True if self.found else False if self.refuted else None

    @property
    def matches(self) -> Iterator[tuple[Interpretation, Match]]:
        """Every match with its interpretation, best first."""
        return ((i, m) for i in self.interpretations for m in i.matches)

    @property
    def near_matches(self) -> Iterator[tuple[Interpretation, Match]]:
        """Those whose interpretation is near enough to be what the words mean."""
        return ((i, m) for i, m in self.matches if i.near)

    def count(self, rank: int = 1) -> Count | None:
        """The count of the interpretation at one rank; None where the pattern counts nothing."""
        counted = self.pattern.count
        for interpretation in self.interpretations:
            if interpretation.rank == rank and counted is not None:
                return count_of(counted, interpretation)
        return None

    def value(self, rank: int = 1) -> Bound | None:
        """What is worked out of the interpretation at one rank; see `Interpretation.value`."""
        return next((i.value for i in self.interpretations if i.rank == rank), None)

    def groups(self, rank: int = 1) -> tuple[Group, ...]:
        """What is worked out for each answer of the interpretation at one rank."""
        return next((i.groups for i in self.interpretations if i.rank == rank), ())

    def answers(self, rank: int = 1) -> tuple[Bound, ...]:
        """Distinct nodes that the asked-for parts are bound to, at one rank.

        Also where that interpretation is too far to be meant, see `found`.
        """
        found: dict[str, Bound] = {}
        for interpretation in self.interpretations:
            if interpretation.rank == rank:
                for match in interpretation.matches:
                    for id in self.pattern.answers:
                        node = match.bindings[id]
                        found.setdefault(node.id, node)
        return tuple(found.values())


def nearest(interpretations: Sequence[Interpretation]) -> list[Interpretation]:
    """The first of ranked interpretations, and those that are as near as it."""
    return [i for i in interpretations if i.gsd <= interpretations[0].gsd + TIE]


def lacks_answers(pattern: Pattern, interpretation: Interpretation) -> bool:
    """Whether there may be an answer that none of the listed matches has."""
    given = interpretation.answers
    if not interpretation.cut or given is None:
        return interpretation.cut
    listed = {tuple(m.bindings[id].id for id in pattern.answers) for m in interpretation.matches}
    return given.at_least or len(listed) < given.value


def count_of(counted: str, interpretation: Interpretation) -> Count:
    """How many different elements a node of the pattern stands for in an interpretation."""
    if interpretation.counted is not None:
        return interpretation.counted
    found = {match.bindings[counted].id for match in interpretation.matches}
    return Count(interpretation.rank, len(found), interpretation.cut)
