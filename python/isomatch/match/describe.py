"""Turn rows of ids into matches with names, and facts as they are stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from isomatch.match.same_as import Classes
from isomatch.match.search import SearchOutcome
from isomatch.match.state import FoundInterpretation
from isomatch.match.types import (
    Bound,
    Choice,
    Interpretation,
    Match,
    MatchResult,
    Triple,
)
from isomatch.schema.types import Schema
from isomatch.store.base import Fact, MatchedTriple, Store
from isomatch.store.terms import display_name, local_name, words

Namer = Callable[[Iterable[str]], Mapping[str, str]]


def describe(outcome: SearchOutcome, store: Store, schema: Schema, names: Namer) -> MatchResult:
    """The result of a search for people and programs.

    Args:
        names: display names by node id.
    """
    started = perf_counter()
    describer = _Describer(outcome, store, schema, names)
    ranked = [describer.interpretation(rank, one) for rank, one in enumerate(outcome.found, 1)]
    certificate = outcome.certificate
    if gone := store.gone(outcome.passed_over) if outcome.passed_over else ():
        subject = (
            "1 nearer candidate is" if len(gone) == 1 else f"{len(gone)} nearer candidates are"
        )
        note = f"{subject} not in the graph any more: isomatch index --sync"
        certificate = replace(certificate, notes=(*certificate.notes, note))
    stages = {**outcome.profile.stages, "describe": (perf_counter() - started) * 1e3}
    profile = replace(outcome.profile, stages=stages)
    return MatchResult(outcome.plan.pattern, tuple(ranked), certificate, profile)


class _Describer:
    """Describes interpretations; names and facts of all rows are fetched at once."""

    def __init__(self, outcome: SearchOutcome, store: Store, schema: Schema, names: Namer):
        self.pattern = outcome.plan.pattern
        self.slots = outcome.plan.slots
        structure = outcome.plan.structure
        self.edges = structure.edges
        self.values = structure.values
        self.directed = structure.directed
        self.walk = structure.nodes == "walk"
        self.column = {("n", n): i for i, n in enumerate(structure.used)}
        unknown = [e for e in structure.order if self.pattern.edges[e].relation is None]
        for i, e in enumerate(unknown, len(structure.used)):
            self.column["e", e] = i
        self.relations = schema.by_id
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
            self.names = _names_of_classes(ids, classes, names)
        else:
            self.stored = dict(zip(ordered, store.facts(ordered), strict=True))
            self.names = names(ids)

    def chosen(self, found: FoundInterpretation) -> dict[int, str]:
        """The relation that an interpretation chose for each edge that has words."""
        return {
            slot.index: c.id
            for slot, c in zip(self.slots, found.chosen, strict=True)
            if slot.kind == "relation"
        }

    def facts(
        self, relations: Mapping[int, str], row: tuple[str | None, ...]
    ) -> list[MatchedTriple]:
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
            facts.append(plain if value is None else (*plain, row[self.column["n", value]] or ""))
        return facts

    def interpretation(self, rank: int, found: FoundInterpretation) -> Interpretation:
        """One found interpretation with its choices in the pattern's order."""
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
            choices.append(
                Choice(
                    slot.kind,
                    text or "",
                    id,
                    name,
                    candidate.distance,
                    None if called == name else called,
                )
            )
        relations = self.chosen(found)
        matches = tuple(self.match(relations, row) for row in found.rows)
        return Interpretation(rank, found.gsd, tuple(choices), matches, found.cut)

    def match(self, relations: Mapping[int, str], row: tuple[str | None, ...]) -> Match:
        """One row with names, its edges turned as they are stored."""
        bindings = {
            node.id: self.bound(row[self.column["n", n]] or "")
            for n, node in enumerate(self.pattern.nodes)
        }
        facts = self.facts(relations, row)
        ways = [
            [self.triple(fact, way) for way in self.stored[fact] if way.forward or not directed]
            for fact, directed in zip(facts, self.directed, strict=True)
        ]
        chosen = (
            {e: some[0] for e, some in enumerate(ways) if some} if self.walk else _distinct(ways)
        )
        triples = (
            # A fact that is not stored any more is shown as it was matched.
            chosen[edge] if edge in chosen else self.triple(fact, Fact(True))
            for edge, fact in enumerate(facts)
        )
        return Match(bindings, tuple(triples))

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


def _names_of_classes(ids: Collection[str], classes: Classes, names: Namer) -> Mapping[str, str]:
    """Names for all nodes of some classes; for one without, that of the first with one."""
    members = {id: classes.members(id) for id in ids}
    found = names(dict.fromkeys(m for some in members.values() for m in some))
    named = {}
    for id, some in members.items():
        for member in (id, *some):
            best = next((m for m in (member, *some) if found[m] != display_name(m)), member)
            named[member] = found[best]
    return named


def _distinct(ways: Sequence[Sequence[Triple]]) -> dict[int, Triple]:
    """One of its ways for each edge, by number, such that no stored fact comes twice.

    A bipartite matching by augmenting paths; parallel edges are the only ones
    that compete.
    """
    first = [some[0] for some in ways if some]
    if len({id(triple) for triple in first}) == len(ways):
        return dict(enumerate(first))
    holder: dict[Triple, int] = {}

    def assign(edge: int, tried: set[Triple]) -> bool:
        for triple in sorted(ways[edge], key=holder.__contains__):  # free ones first
            if triple not in tried:
                tried.add(triple)
                if triple not in holder or assign(holder[triple], tried):
                    holder[triple] = edge
                    return True
        return False

    for edge in range(len(ways)):
        assign(edge, set())
    return {edge: triple for triple, edge in holder.items()}


_PARTS = ("node", "relation", "type")
