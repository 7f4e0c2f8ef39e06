"""Who did what a class records, and to whom: the `caller` and the `called` of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import cached_property
from itertools import permutations
from typing import Literal

from isomatch.chains.graph import Step
from isomatch.interpret.types import Span
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Relation, Schema

Side = Literal["forward", "backward"]
"""From a record to one of its ends, or to the record, as `isomatch.interpret.compose` has it."""
MOST = 12  # relations of one class that are compared


def roles_of(schema: Schema, lexicon: Lexicon) -> RecordRoles:
    """The roles in the records of a graph, by the types that its relations lead from and to."""

    def ends(step: Step) -> tuple[frozenset[str], frozenset[str]]:
        relation = schema.by_id[step.relation]
        source, target = frozenset(relation.source_types), frozenset(relation.target_types)
        return (target, source) if step.back else (source, target)

    things = [relation for relation in schema.relations if relation.target_types]
    return RecordRoles(things, ends, lexicon)


class RecordRoles:
    """Finds the relations to who did what a class records, and to whom that was done.

    Args:
        relations: those between things.
        ends: the kinds that a step leads from and to.
        lexicon: words of types.
    """

    def __init__(
        self,
        relations: Sequence[Relation],
        ends: Callable[[Step], tuple[frozenset[str], frozenset[str]]],
        lexicon: Lexicon,
    ):
        self._relations, self._ends, self._lexicon = relations, ends, lexicon
        self._language = lexicon.language

    @cached_property
    def _pairs(self) -> Sequence[tuple[Relation, Relation]]:
        """The relations to whom it was done, each with one to who did it."""
        by_sources: dict[frozenset[str], list[Relation]] = {}
        for relation in self._relations:
            if relation.source_types:
                by_sources.setdefault(frozenset(relation.source_types), []).append(relation)
        return [
            (done, doer)
            for some in by_sources.values()
            for done, doer in permutations(some[:MOST], 2)
            if self._is_done_to(done, doer)
        ]

    @cached_property
    def objects(self) -> Set[str]:
        """The ids of relations to those to whom it was done."""
        return {done.id for done, _ in self._pairs}

    @cached_property
    def doers(self) -> Set[str]:
        """The ids of relations to those who did it."""
        return {doer.id for _, doer in self._pairs} - self.objects

    def is_aside(self, step: Step) -> bool:
        """Whether a step leads to a record from another than whom it was done to: `mentions`."""
        ends, objects = self._ends, self.objects
        apart = step.back and step.relation not in objects
        return apart and any(ends(Step(id)) == ends(step.inverse) for id in objects)

    def _is_done_to(self, relation: Relation, other: Relation) -> bool:
        """Whether one relation leads to whom that was done which the other's target did.

        A call was made to the phone that was `called`, or is its `callee`, and made by its
        `caller`; a message was sent to its `recipient`, and sent by its `sender`.
        """
        language, ends = self._language, self._ends
        text, doer = relation.text.lower(), other.text.lower()
        done = language.is_participle(text) and language.does(doer, text)
        done = done or language.undergoes(text, doer)
        sent = text in language.schemas.receivers
        sent = sent and any(language.is_doer(doer, verb) for verb in self._deeds(relation))
        return (done or sent) and ends(Step(relation.id)) == ends(Step(other.id))

    def _deeds(self, relation: Relation) -> list[str]:
        """The verbs for what the sources of a relation record: a call is "made"."""
        schemas, types = self._language.schemas, self._lexicon.types
        called = [types[t] for t in relation.source_types if t in types]
        nouns = {w for words in called for n in words.phrases() for w in tokens(n)[-1:]}
        return sorted({verb for noun in nouns for verb in schemas.deeds.get(noun, ())})

    def said(self, relation: Relation) -> Iterator[tuple[Side, str]]:
        """What is said of the two ends of a record by its relation: "calls received by Ann"."""
        if relation.id not in self.objects | self.doers:
            return
        for verb in self._deeds(relation):
            if relation.id in self.doers:
                yield "backward", verb
                yield "forward", f"{verb} by"
                yield "forward", f"{verb} from"
            else:
                yield "forward", f"{verb} to"
        receiving = sorted(self._language.schemas.receiving)
        for verb in receiving if relation.id in self.objects else ():
            yield "forward", f"{verb} by"
            yield "backward", verb


def counts_deeds(pattern: Pattern, span: Span, schema: Schema) -> bool:
    """Whether who did something to a name is counted, by a relation whose edges have values.

    Who reviewed a film is one for each of its "reviews"; see `doers_for_deeds`.
    """
    named = any(node.text is not None for node in pattern.nodes)
    said = [edge for edge in pattern.edges if edge.relation == span.meaning]
    if pattern.count is None or span.kind != "relation" or not named or len(pattern.edges) != 1:
        return False
    known = (r.id for r in schema.relations if r.text == span.meaning)
    return bool(said) and any(id in schema.edge_properties for id in known)
