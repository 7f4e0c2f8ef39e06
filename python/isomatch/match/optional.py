"""Optional parts of a pattern: what they give for its matches, which are found without them.

A part is searched by itself, with the nodes that it shares bound to those of a match. It means
its nearest interpretation, whether or not that has anything for a match; where several are equally
near, as with two people of one name, it gives what any of them does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import inf
from time import perf_counter

from isomatch.compile.base import Branch, Terms
from isomatch.link.candidates import Candidate, Candidates
from isomatch.match.base_search import FoundInterpretation
from isomatch.match.branches import branch_of
from isomatch.match.edge_keys import with_stored_keys
from isomatch.match.parts import are_all, combinations, least_chosen, proven_together
from isomatch.match.query_executor import BudgetSpent, QueryExecutor
from isomatch.match.same_as import join_same_nodes
from isomatch.match.search import SearchOutcome
from isomatch.match.types import Bound, Certificate, Match, MatchResult, OptionalValues, Profile
from isomatch.options import Options
from isomatch.pattern.optional import shared_ids
from isomatch.pattern.types import Pattern
from isomatch.plan.planner import Plan, Slot, list_of, plan
from isomatch.plan.structure import Structure
from isomatch.schema.types import Schema
from isomatch.store.base import Row, Store
from isomatch.store.terms import is_blank

IN_OPTIONAL = "in an optional part: "
MOST_VALUES = 100  # that a part gives one match
MOST_ROWS = 256  # that are read to find them
MOST_READINGS = 64  # interpretations of a part that are equally near: at least
MOST_ASKED = 16_384  # of these, for all bindings together
SHOWN = 16  # of these, in a result

Shared = tuple[str, ...]
"""Ids of what the shared nodes of a part are bound to."""


@dataclass(frozen=True, slots=True)
class Given:
    """What an optional part gives one binding of its shared nodes.

    Attributes:
        rows: different ones, each an id for every column of the part.
        cut: whether there may be more.
    """

    rows: tuple[Row, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class OptionalAnswers:
    """What an optional part gives a pattern's matches.

    Attributes:
        shared: ids of the nodes that it shares with the pattern.
        columns: ids of the nodes that it gives columns for.
        given: by what the shared nodes are bound to.
        outcome: how it was read, as of a search.
    """

    shared: tuple[str, ...]
    columns: tuple[str, ...]
    given: Mapping[Shared, Given]
    outcome: SearchOutcome

    def notes(self) -> Iterator[str]:
        """What of its values is missing, in words."""
        named = " and ".join(f"?{id}" for id in self.columns)
        if any(one.cut and one.rows for one in self.given.values()):
            yield f"of {named} a match may have more values than are given"
        if unread := sum(one.cut and not one.rows for one in self.given.values()):
            yield f"{named} is not known of {unread:,} of what it is asked for: empty is not none"


def bindings_of(result: MatchResult, part: Pattern) -> tuple[Shared, ...]:
    """What the nodes that a part shares are bound to in the matches of a result."""
    shared = shared_ids(part, result.pattern.nodes)
    found = (tuple(match.bindings[id].id for id in shared) for _, match in result.matches)
    return tuple(dict.fromkeys(found))


def read_optional(
    part: Pattern,
    pattern: Pattern,
    bindings: Sequence[Shared],
    candidates: Candidates,
    store: Store,
    schema: Schema,
    options: Options,
) -> OptionalAnswers:
    """What an optional part gives for some bindings of the nodes that it shares.

    Args:
        part: of the pattern.
        pattern: with its optional parts.
        candidates: of the part, those at the least distance (`isomatch.match.parts.least`).
        options: with what is left of the budgets.

    Raises:
        PatternError, ConfigurationError, StoreError: see `isomatch.match.search.search`.
    """
    started = perf_counter()
    columns, shared = pattern.columns_of(part), shared_ids(part, pattern.nodes)
    part = with_stored_keys(part, store, schema)
    if options.same_as:
        candidates, schema, options = join_same_nodes(part, candidates, store, schema, options)
    chosen = plan(part, candidates, schema, options)
    most = max(MOST_READINGS, MOST_ASKED // max(len(bindings), 1))
    readings = list(islice(_readings(chosen, candidates), most))
    executor = QueryExecutor(store, options.deadline(started), options.budget_rows)
    reader = _Reader(part, shared, columns, chosen.structure, Terms.of(schema), executor)
    ended_by = None
    try:
        reader.read(bindings, readings)
    except BudgetSpent as spent:
        ended_by = spent.which
    every = combinations(candidates) <= most
    certificate = _certificate(chosen, candidates, schema, options, ended_by, every=every)
    outcome = SearchOutcome(
        candidates,
        chosen,
        tuple(_found(chosen, candidates, readings, options)),
        certificate,
        Profile({}, "optional", executor.rounds, executor.rows, len(readings)),
        tuple(executor.queries),
    )
    given = {binding: Given(cut=True) for binding in bindings}
    for binding, rows in reader.rows.items():
        different = sorted(dict.fromkeys(rows), key=str)
        cut = bool(reader.left[binding]) or not every or len(different) > MOST_VALUES
        given[binding] = Given(tuple(different[:MOST_VALUES]), cut)
    return OptionalAnswers(shared, columns, given, outcome)


Reading = Mapping[Slot, Candidate]


class _Reader:
    """Reads the rows of a part, for bindings of its shared nodes and readings of its words."""

    def __init__(
        self,
        part: Pattern,
        shared: Sequence[str],
        columns: Sequence[str],
        structure: Structure,
        terms: Terms,
        executor: QueryExecutor,
    ):
        number = {node.id: n for n, node in enumerate(part.nodes)}
        self._shared = [number[id] for id in shared]
        self._apart = structure.apart
        known = tuple(known or n in self._shared for n, known in enumerate(structure.known))
        # Anchored nodes differ from known ones alone, and what is shared is not known by name.
        nodes = "repeat" if structure.nodes == "anchored" else structure.nodes
        self._structure = replace(structure, known=known, nodes=nodes)
        self._columns = [structure.used.index(number[id]) for id in columns]
        self._values = structure.values
        self._terms = terms
        self._executor = executor
        self.rows: dict[Shared, list[Row]] = {}
        self.left: dict[Shared, int] = {}  # readings of which not all rows were read

    def read(self, bindings: Sequence[Shared], readings: Sequence[Reading]) -> None:
        """Read all rows into `rows`; what is not there when a budget ends was not read."""
        store = self._executor.store.capabilities
        asked: list[tuple[Shared, Branch]] = []
        for binding in bindings:
            if store.batched and any(map(is_blank, binding)):
                continue  # the text of a query cannot name it
            branches = [self._branch(binding, reading) for reading in readings]
            possible = [(binding, branch) for branch in branches if branch is not None]
            self.left[binding] = len(possible)
            self.rows[binding] = []
            if store.batched:
                asked += possible
                continue
            for _, branch in possible:
                self._add(binding, self._executor.matches(*branch, MOST_ROWS))
        while asked:
            found, decided = self._executor.find([b for _, b in asked], MOST_ROWS, len(asked))
            for number, (binding, _) in enumerate(asked[:decided]):
                self._add(binding, found.get(number, ([], False)))
            asked = asked[decided:]

    def _add(self, binding: Shared, read: tuple[list[Row], bool]) -> None:
        rows, cut = read
        column = {n: i for i, n in enumerate(self._structure.used)}
        apart = [(column[a], column[b]) for a, b in self._apart]
        kept = (row for row in rows if all(row[a] != row[b] for a, b in apart))
        self.rows[binding] += (tuple(row[c] for c in self._columns) for row in kept)
        self.left[binding] -= not cut

    def _branch(self, binding: Shared, reading: Reading) -> Branch | None:
        """The query for one binding and reading; None where nothing can match it."""
        ids = {slot: one.id for slot, one in reading.items()}
        for n, id in zip(self._shared, binding, strict=True):
            # A node that stands for all nodes of a name has an id in the reading too.
            if ids.setdefault(Slot("node", n), id) != id:
                return None
        ends = [ids[slot] for slot in ids if slot.kind == "node" and slot.index not in self._values]
        if self._structure.nodes == "distinct" and len(set(ends)) < len(ends):
            return None  # different nodes of the pattern are different nodes of the graph
        return branch_of(self._structure, ids.items(), self._terms)


def _readings(chosen: Plan, candidates: Candidates) -> Iterator[Reading]:
    lists = [list_of(slot, candidates, chosen.pattern) for slot in chosen.slots]
    for choice in product(*lists):
        yield dict(zip(chosen.slots, choice, strict=True))


def _found(
    chosen: Plan, candidates: Candidates, readings: Sequence[Reading], options: Options
) -> Iterator[FoundInterpretation]:
    """How the part was read, without matches."""
    nearest = least_chosen(candidates, chosen, {"type": options.type_weight})
    gsd = sum(candidate.distance for candidate in nearest)
    if not readings:
        yield FoundInterpretation(gsd, nearest, (), False)
    for reading in readings[:SHOWN]:
        pairs = zip(chosen.slots, nearest, strict=True)
        one = tuple(replace(reading[slot], distance=c.distance) for slot, c in pairs)
        yield FoundInterpretation(gsd, one, (), False)


def _certificate(
    chosen: Plan,
    candidates: Candidates,
    schema: Schema,
    options: Options,
    ended_by: str | None,
    *,
    every: bool,
) -> Certificate:
    exact = ended_by is None and every
    unlisted = sorted({f"{slot.kind}s" for slot in chosen.slots} & set(schema.partial))
    types = {one.id for found in candidates.types.values() for one in found}
    whole = not (unlisted or types.intersection(schema.subclasses_cut))
    notes = list(candidates.notes)
    if not every:
        notes.append("it has too many equally near readings for all of them to be read")
    if unlisted:
        notes.append(f"not all {' and '.join(unlisted)} of the graph are known")
    return Certificate(
        exact=exact,
        complete=exact and whole and are_all(candidates, options.type_weight),
        bound=inf,
        approximate=any(found.approximate for found in candidates.lists),
        ended_by=ended_by,
        notes=tuple(notes),
    )


def with_columns(
    result: MatchResult,
    pattern: Pattern,
    read: Sequence[tuple[OptionalAnswers, MatchResult]],
    names: Mapping[str, str],
) -> MatchResult:
    """The result of a pattern without its optional parts, with what they give its matches.

    Args:
        pattern: with its optional parts.
        read: what they gave, and how each was read.
        names: display names by id.
    """

    def values(match: Match) -> Iterator[OptionalValues]:
        for answers, _ in read:
            given = answers.given[tuple(match.bindings[id].id for id in answers.shared)]
            rows = (
                {
                    id: Bound(found or "", names.get(found or "", found or ""))
                    for id, found in zip(answers.columns, row, strict=True)
                }
                for row in given.rows
            )
            yield OptionalValues(tuple(rows), given.cut)

    parts = tuple(found for _, found in read)
    inner = tuple(one for found in parts for one in found.interpretations)
    interpretations = tuple(
        replace(
            one,
            matches=tuple(replace(match, optional=tuple(values(match))) for match in one.matches),
            parts=(*one.parts, *inner),
        )
        for one in result.interpretations
    )
    notes = [f"{IN_OPTIONAL}{note}" for found in parts for note in found.certificate.notes]
    notes += [note for answers, _ in read for note in answers.notes()]
    proofs = [result.certificate, *(found.certificate for found in parts)]
    told = dict.fromkeys((*result.certificate.notes, *notes))
    certificate = proven_together(proofs, tuple(told))
    profile = result.profile.with_parts([part.profile for part in parts])
    return replace(
        result,
        pattern=replace(result.pattern, returns=pattern.returns, optional=pattern.optional),
        interpretations=interpretations,
        certificate=certificate,
        profile=profile,
        optional=parts,
    )


def anchored_words(part: Pattern, pattern: Pattern) -> str:
    """How an optional part is asked for, in words."""
    named = " and ".join(f"?{id}" for id in shared_ids(part, pattern.nodes))
    return f"asked for what {named} is in each match, which the query here leaves open"
