"""The rules for values that say of which kind a record is: "chair", of memberships, "weight".

They are nouns for what such records are of: for who holds the post, and for what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Expression,
    Named,
    OfType,
    Worked,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.sets.joins import Joined, Joins
from isomatch.interpret.types import GUESSED, Span
from isomatch.lexicon.folding import tokens

COST_OF_ALL = 0.1  # for all who hold a post, wherever
COST_OF_SET = 0.2  # a relation of that name says more


@dataclass(frozen=True, slots=True)
class RecordKind:
    """Records of a kind.

    Attributes:
        records: all of them.
        held: the step to what the noun is for: who holds the post, or the value.
    """

    records: Expression
    held: Step


class RecordKindRules(RuleSet):
    """Rules for the nouns of records; an item of category ``post`` has a `RecordKind`."""

    def __init__(self, joins: Joins):
        super().__init__(joins)
        self.table = {
            ("post", "set"): self.post_set,
            ("set", "post"): self.set_post,
            ("function", "post"): self.function_post,
            ("relation", "post"): self.relation_post,
        }

    def leaves(self, names: Sequence[Item]) -> list[Item]:
        """The items of names that are values of kinds of records."""
        found = []
        for item in (one for one in names if one.category == "set" and is_value(one.value)):
            post = self._record_kind(item.value) if isinstance(item.value, Named) else None
            if post is not None:
                spans = tuple(self._told(span, post) for span in item.spans)
                found.append(replace(item, category="post", value=post, spans=spans))
        return found

    def _record_kind(self, of: Named) -> RecordKind | None:
        """What a value is the noun of; None where it is none, or of several kinds of records."""
        schemas, steps = self._joins.language.schemas, [s for s in of.steps if s.back]
        name = tokens(self._kinds.schema.by_id[steps[0].relation].text) if steps else []
        last = schemas.record_kind(name)
        if len(steps) != 1 or not last:
            return None
        records = self._joins.step(of, steps[0])
        own = [
            (Step(r.id), tokens(r.text))
            for r in self._kinds.relations
            if self._kinds.leads(Step(r.id), records.kinds) and Step(r.id) != steps[0].inverse
        ]
        people = [s for s, _ in own if self._are_people(s)] if last in schemas.posts else []
        values = [s for s, words in own if not schemas.readings.isdisjoint(words[-1:])]
        held = people or [s for s in values if last in schemas.measures]
        if self._joins.are_people(records.kinds) or len(held) != 1:
            return None
        if not schemas.members.isdisjoint(tokens(of.text)[-1:]):
            every = self._joins.whole(records.kinds)  # who leads or chairs it is a member, too
            return RecordKind(every, held[0]) if every is not None else None
        return RecordKind(records, held[0])

    def _are_people(self, step: Step) -> bool:
        kinds = self._kinds.ends(step)[1]
        return bool(kinds) and self._joins.grading.are_called_people(kinds)

    def _told(self, span: Span, post: RecordKind) -> Span:
        """The span of a noun, by which who held a post need not hold it any more."""
        span, held = replace(span, kind="relation"), self._kinds.schema.by_id[post.held.relation]
        if self._kinds.gives_value(held.id):
            return span
        if isinstance(post.records, OfType):  # by whatever they were: "member"
            return replace(span, meaning=held.text)
        meaning = self._joins.language.assumed.ever.format(span.meaning)
        return replace(span, meaning=meaning, likeness=GUESSED)

    def post_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the chair of the board", "soil moisture in Long Acre" """
        grammar = self._joins.grammar
        small = grammar.of | grammar.articles | grammar.placing | grammar.for_
        records = left.value.records
        if gap and small.issuperset(gap):
            yield from self._of(left.value, right.value, left.head)
        elif (
            not gap and right.head < 0 and right.value.kinds and right.value.kinds <= records.kinds
        ):
            both = Both(records, right.value, records.kinds)  # where a relation is called "of"
            yield "set", self._joins.step(both, left.value.held), 0.0, left.head

    def set_post(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the board's chair" """
        grammar = self._joins.grammar
        if gap and grammar.possessive.issuperset(gap):
            yield from self._of(right.value, left.value, right.head)

    def _of(self, post: RecordKind, of: Expression, head: int) -> Iterator[Joined]:
        """What the noun is for, of the records that one relation leads from to a set."""
        records, ends = post.records, self._kinds.ends
        between = self._kinds.between(records.kinds, of.kinds)
        steps = [step for step in between if not step.back and step != post.held]
        if len(steps) != 1 or is_value(of) or not ends(steps[0])[1] & of.kinds:
            return
        own = Along(of, steps[0].inverse, records.kinds)
        both = Both(records, own, records.kinds)
        yield "set", self._joins.step(both, post.held), COST_OF_SET, head

    def relation_post(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the salary of analysts", where the records themselves have one"""
        grammar, records = self._joins.grammar, right.value.records
        step, of = Step(left.value.relation), grammar.of | grammar.articles | grammar.every
        own = self._kinds.gives_value(step.relation) and self._kinds.leads(step, records.kinds)
        if own and "noun" in left.value.role and gap and of.issuperset(gap):
            yield "set", self._joins.step(records, step), 0.0, left.head

    def function_post(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "average weight", of all that was weighed"""
        post: RecordKind = right.value
        if not gap and self._kinds.gives_value(post.held.relation):
            yield "number of", Worked(left.value, post.records, post.held), COST_OF_ALL, right.head

    def alone(self, item: Item) -> Iterator[Item]:
        """ "ministers": all who hold, or held, that post"""
        if item.category == "post" and not self._kinds.gives_value(item.value.held.relation):
            held = self._joins.step(item.value.records, item.value.held)
            yield Item("set", held, item.score - COST_OF_ALL, item.head, item.spans)
