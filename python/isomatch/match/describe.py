"""Turn rows of ids into matches with names, and facts as they are stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from time import perf_counter

from isomatch.link.candidates import VALUES
from isomatch.match.aggregate import value_words
from isomatch.match.base_search import FoundInterpretation
from isomatch.match.enumeration import TOLERANCE
from isomatch.match.same_as import Classes
from isomatch.match.search import SearchOutcome
from isomatch.match.types import (
    Bound,
    Choice,
    Count,
    Group,
    Interpretation,
    Match,
    MatchResult,
    Triple,
)
from isomatch.options import Options
from isomatch.pattern.identity import identity
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Schema
from isomatch.store.base import PARALLEL, Fact, MatchedTriple, Row, Store
from isomatch.store.terms import display_name, local_name, words
from isomatch.store.values import from_id, plain

CROWDED = (
    f"two nodes have more than {PARALLEL:,} relationships of one type: only the first ones count"
)

Namer = Callable[[Iterable[str]], Mapping[str, str]]


def describe(
    outcome: SearchOutcome, store: Store, schema: Schema, names: Namer, options: Options
) -> MatchResult:
    """The result of a search for people and programs.

    In a property graph parallel relationships are matches of their own: a row of the
    search becomes as many matches as there are choices of them, within the limits.

    Args:
        names: display names by node id.
        options: of the search.
    """
    started = perf_counter()
    describer = _Describer(outcome, store, schema, names)
    certificate = outcome.certificate
    if options.results == "matches":
        ranked = list(islice(describer.plain_matches(outcome.found), options.k + 1))
        if beyond := ranked[options.k :]:
            ranked.pop()
            near = beyond[0].gsd <= ranked[-1].gsd + TOLERANCE
            certificate = replace(certificate, ties=near)
        if describer.lost is not None:
            notes = (*certificate.notes, CROWDED)
            bound = min(certificate.bound, describer.lost)
            certificate = replace(
                certificate, exact=False, complete=False, bound=bound, notes=notes
            )
    else:
        ranked = [
            describer.interpretation(rank, one, options.limit)
            for rank, one in enumerate(outcome.found, 1)
        ]
    if gone := store.gone(outcome.passed_over) if outcome.passed_over else ():
        notes = (*certificate.notes, *_gone_words(outcome.plan.pattern, gone))
        certificate = replace(certificate, notes=notes)
    stages = {**outcome.profile.stages, "describe": (perf_counter() - started) * 1e3}
    profile = replace(outcome.profile, stages=stages)
    return MatchResult(outcome.plan.pattern, tuple(ranked), certificate, profile)


def _gone_words(pattern: Pattern, gone: Collection[str]) -> Iterator[str]:
    """What to say of candidates that are not in the graph."""
    given = {identity(node.text): node.text for node in pattern.nodes if node.text}
    yield from (f"{text} is not in the graph" for id, text in given.items() if id in gone)
    # Others come from the index, which was made when they were there.
    if number := len(set(gone).difference(given)):
        subject = "1 nearer candidate is" if number == 1 else f"{number} nearer candidates are"
        yield f"{subject} not in the graph any more: isomatch index --sync"


class _Describer:
    """Describes interpretations; names and facts of all rows are fetched at once."""

    def __init__(self, outcome: SearchOutcome, store: Store, schema: Schema, names: Namer):
        self.pattern = outcome.plan.pattern
        self.slots = outcome.plan.slots
        structure = outcome.plan.structure
        self.edges = structure.edges
        self.values, self.key = structure.values, structure.key
        self.directed = structure.directed
        self.walk = structure.nodes == "walk"
        self.column = {("n", n): i for i, n in enumerate(structure.used)}
        unknown = [e for e in structure.order if self.pattern.edges[e].relation is None]
        for i, e in enumerate(unknown, len(structure.used)):
            self.column["e", e] = i
        self.relations = schema.by_id
        # What says the type of a node alone, the only fact of its match.
        self.type_relation = Bound(schema.type_relation or "labels", "is a")
        self.parallel = store.capabilities.property_graph
        self.lost: float | None = None  # the least GSD of plain matches that were not read
        self._bounds: dict[str, Bound] = {}
        self._triples: dict[tuple[str, str, str, str | None], Triple] = {}
        facts = {
            fact
            for found in outcome.found
            for relations in [self.chosen(found)]
            for row in found.rows
            for fact in self.facts(relations, row)
        }
        width = len(structure.used)
        ids = {id for found in outcome.found for row in found.rows for id in row[:width] if id}
        ordered = sorted(facts)
        if structure.same_as:
            classes = Classes(store)
            self.stored = dict(zip(ordered, classes.facts(ordered), strict=True))
            self.names = names_of_classes(ids, classes, names)
        else:
            self.stored = dict(zip(ordered, store.facts(ordered), strict=True))
            self.names = names(ids)
        # Facts of more parallel relationships than the store returned.
        self.crowded = {
            fact for fact, stored in self.stored.items() if self.parallel and len(stored) > PARALLEL
        }
        if no_keys := schema.unsearched_names["no_keys"]:
            shown = ((fact, _shown(fact, stored, no_keys)) for fact, stored in self.stored.items())
            self.stored = dict(shown)

    def chosen(self, found: FoundInterpretation) -> dict[int, str]:
        """The relation that an interpretation chose for each edge that has words."""
        return {
            slot.index: c.id
            for slot, c in zip(self.slots, found.chosen, strict=True)
            if slot.kind == "relation"
        }

    def facts(self, relations: Mapping[int, str], row: Row) -> list[MatchedTriple]:
        """(source node, relation, target node) for every pattern edge, as written.

        With the value on it where the pattern has one.

        Args:
            relations: see `chosen`.
        """
        facts: list[MatchedTriple] = []
        for e, (a, b) in enumerate(self.edges):
            relation = relations[e] if e in relations else row[self.column["e", e]]
            source, target = row[self.column["n", a]], row[self.column["n", b]]
            plain = (source or "", relation or "", target or "")
            value = self.values[e]
            if value is None:
                facts.append(plain)
                continue
            carried, key = row[self.column["n", value]] or "", self.key(e)
            facts.append((*plain, carried) if key is None else (*plain, carried, key))
        return facts

    def plain_matches(self, found: Iterable[FoundInterpretation]) -> Iterator[Interpretation]:
        """Single matches with their ranks; the plugin gives a row for each relationship."""
        seen = set()
        rank = 0
        for one in found:
            relations = self.chosen(one)
            identity = (one.rows[0], *sorted(relations.items()))
            if identity not in seen:
                seen.add(identity)
                choices = self.choices(one)
                for match in self.matches(one, relations, one.rows[0]):
                    rank += 1
                    yield Interpretation(rank, one.gsd, choices, (match,))
                if self.lost is None and self.is_crowded(relations, one.rows[0]):
                    self.lost = one.gsd

    def interpretation(self, rank: int, found: FoundInterpretation, limit: int) -> Interpretation:
        """One found interpretation with at most ``limit`` matches."""
        relations = self.chosen(found)
        every = chain.from_iterable(self.matches(found, relations, row) for row in found.rows)
        matches = tuple(islice(every, limit))
        cut = found.cut or next(every, None) is not None
        cut = cut or any(self.is_crowded(relations, row) for row in found.rows)
        value = None if found.value is None else Bound(found.value, value_words(found.value))
        groups = tuple(self.groups(found, matches))
        return Interpretation(
            rank,
            found.gsd,
            self.choices(found),
            matches,
            cut,
            value=value,
            groups=groups,
            counted=None if found.counted is None else Count(rank, *found.counted),
            answers=None if found.answers is None else Count(rank, *found.answers),
        )

    def groups(self, found: FoundInterpretation, matches: Iterable[Match]) -> Iterator[Group]:
        """What is worked out for each answer, as far as the answer has a match here."""
        answers = dict.fromkeys(
            tuple(match.bindings[id] for id in self.pattern.answers)
            for match in (matches if found.groups else ())
        )
        for answer in answers:
            ids = found.groups.get(tuple(bound.id for bound in answer), ())
            values = (None if id is None else Bound(id, value_words(id)) for id in ids)
            yield Group(answer, tuple(values))

    def is_crowded(self, relations: Mapping[int, str], row: Row) -> bool:
        """Whether the database has more relationships of a row than it returned."""
        return bool(self.crowded) and not self.crowded.isdisjoint(self.facts(relations, row))

    def choices(self, found: FoundInterpretation) -> tuple[Choice, ...]:
        """What an interpretation chose, in the pattern's order."""
        choices = []
        for slot, candidate in sorted(
            zip(self.slots, found.chosen, strict=True),
            key=lambda pair: (_PARTS.index(pair[0].kind), pair[0].index),
        ):
            if slot.kind == "relation":
                text = self.pattern.edges[slot.index].relation
            else:
                node = self.pattern.nodes[slot.index]
                text = node.text if slot.kind == "node" else node.type
            id, name = candidate.id, candidate.name
            called = self.names.get(id, name) if slot.kind == "node" else name
            choice = Choice(
                slot.kind,
                text or "",
                id,
                name,
                candidate.distance,
                None if called == name else called,
            )
            if candidate.group:
                column = self.column["n", slot.index]
                ids = tuple(dict.fromkeys(row[column] or "" for row in found.rows))
                if len(ids) > 1:
                    meant = choice.text if candidate.group == VALUES else name
                    choice = replace(choice, name=meant, ids=ids, called=None)
            choices.append(choice)
        return tuple(choices)

    def matches(
        self, found: FoundInterpretation, relations: Mapping[int, str], row: Row
    ) -> Iterator[Match]:
        """One row with names, its edges turned as they are stored; see `describe`."""
        bindings = {
            node.id: self.bound(row[self.column["n", n]] or "")
            for n, node in enumerate(self.pattern.nodes)
        }
        if not self.edges:
            (node,), type = bindings.values(), found.chosen[-1]
            yield Match(bindings, (Triple(node, self.type_relation, Bound(type.id, type.name)),))
            return
        facts = self.facts(relations, row)
        ways = [
            [self.triple(fact, way) for way in self.stored[fact] if way.forward or not directed]
            for fact, directed in zip(facts, self.directed, strict=True)
        ]
        turned = _choices(ways, self.walk)
        first = next(turned, None)
        if first is None:  # what is not stored any more is shown as it was matched
            gone = [
                [*some, self.triple(f, Fact(True))] for some, f in zip(ways, facts, strict=True)
            ]
            first = next(_choices(gone, False), None) or tuple(some[-1] for some in gone)
        yield Match(bindings, first)
        if self.parallel:
            yield from (Match(bindings, triples) for triples in turned)

    def triple(self, fact: MatchedTriple, stored: Fact) -> Triple:
        """A fact as it is stored; the same one is the same object."""
        a, relation, b = fact[:3] if stored.forward else fact[2::-1]
        a, b = stored.ends or (a, b)
        known = self._triples.get((a, relation, b, stored.id))
        if known is None:
            known = self._triples[a, relation, b, stored.id] = Triple(
                self.bound(a),
                Bound(relation, self.relation_name(relation)),
                self.bound(b),
                stored.id,
                stored.properties,
            )
        return known

    def bound(self, id: str) -> Bound:
        """A node with its name; the same one is the same object."""
        known = self._bounds.get(id)
        if known is None:
            known = self._bounds[id] = Bound(id, self.names.get(id, id))
        return known

    def relation_name(self, id: str) -> str:
        """A relation's words."""
        known = self.relations.get(id)
        return known.text if known else words(local_name(id))


def _shown(
    triple: MatchedTriple, facts: Iterable[Fact], no_keys: Collection[str]
) -> tuple[Fact, ...]:
    """Facts without some properties, and without those that carry a value in these alone."""
    found = []
    for fact in facts:
        properties = {key: v for key, v in fact.properties.items() if key not in no_keys}
        values = chain.from_iterable(v if isinstance(v, list) else [v] for v in properties.values())
        if len(triple) != 4 or plain(from_id(triple[3])) in values:
            found.append(replace(fact, properties=properties))
    return tuple(found)


def names_of_classes(ids: Collection[str], classes: Classes, names: Namer) -> Mapping[str, str]:
    """Names for all nodes of some classes; for one without, that of the first with one."""
    members = {id: classes.members(id) for id in ids}
    found = names(dict.fromkeys(m for some in members.values() for m in some))
    named = {}
    for id, some in members.items():
        for member in (id, *some):
            best = next((m for m in (member, *some) if found[m] != display_name(m)), member)
            named[member] = found[best]
    return named


def _choices(ways: Sequence[Sequence[Triple]], repeat: bool) -> Iterator[tuple[Triple, ...]]:
    """Every choice of a way for each edge in which no stored fact comes twice, or may."""
    if all(len(way) == 1 for way in ways):  # as nearly always
        only = tuple([way[0] for way in ways])
        if repeat or len(set(map(id, only))) == len(only):  # the same fact is the same object
            yield only
        return
    # First the edges that leave the least choice: a dead end is met before it is multiplied.
    order = sorted(range(len(ways)), key=lambda edge: len(ways[edge]))
    for taken in _assignments([ways[edge] for edge in order], repeat):
        yield tuple(triple for _, triple in sorted(zip(order, taken, strict=True)))


def _assignments(
    ways: Sequence[Sequence[Triple]], repeat: bool, taken: tuple[Triple, ...] = ()
) -> Iterator[tuple[Triple, ...]]:
    if len(taken) == len(ways):
        yield taken
        return
    for triple in ways[len(taken)]:
        if repeat or triple not in taken:
            yield from _assignments(ways, repeat, (*taken, triple))


_PARTS = ("node", "relation", "type")
