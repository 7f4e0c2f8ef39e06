"""The rules for questions that ask for yes or no: "is Austin the capital of Texas"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import (
    all_parts,
    is_of_all,
    is_of_name,
    is_participle,
    is_turned,
    last_words,
    leaves_out,
)
from isomatch.interpret.compose.expressions import (
    Along,
    Apart,
    Both,
    Expression,
    Extreme,
    Named,
    Valued,
    Whether,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.negations import denied
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule


class YesNoRules(RuleSet):
    """Rules that ask whether a set has anything in it, or a fact holds."""

    def __init__(self, joins: Joins):
        super().__init__(joins)
        self.table = {
            ("whether", "fact"): self.whether,
            ("whether", "one of"): self._begun(joins.grammar.being),
            ("whether", "owner"): self._begun(joins.grammar.having),
            ("whether", "set"): self.whether,
            ("whether", "done"): self.whether_done,
            ("described", "set"): self.described_set,
            ("described", "described"): self.described_described,
            ("not", "described"): self.not_described,
            ("described", "or"): self.described_or,
            ("open", "described"): self.open_described,
            ("set", "deeds"): self.set_deeds,
            ("relation", "not done"): self.but_not_done,
            ("relation", "not relation"): self.but_not_done,
        }

    def whether(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "is Austin the capital of Texas", "are there rivers in Alaska" """
        first = min(right.spans, key=lambda span: span.start)
        if first.kind == "name" and leaves_out(right.value):
            return  # "does Texas border no states" is not whether it borders something else
        if is_turned((left.spans[0].text.lower(),), right, self._kinds):
            return
        if not isinstance(right.value, Apart) and is_of_all(right, gap, self._joins.language):
            return
        if self._is_deed(right) or self._is_turned_deed(left, right):
            return
        of: Expression = right.value
        if not isinstance(of, (Named, Extreme)) and not is_value(of):
            yield "number of", Whether(of, may_deny=not self._asks_kind(right)), 0.0, -1

    def _asks_kind(self, item: Item) -> bool:
        """Whether a relation's noun is for what a name's things are by their type: "a student"."""
        of, (*names, noun) = item.value, sorted(item.spans, key=lambda span: span.start)
        if not (isinstance(of, Both) and isinstance(of.left, Named) and len(names) == 1):
            return False
        word = self._joins.language.singular(noun.text.lower())
        own = self._kinds.by_class_word.get(word, frozenset[str]())
        return noun.kind == "relation" and not own.isdisjoint(of.left.kinds)

    def has_some(self, noun: Item, gap: Sequence[str]) -> bool:
        """Whether things have what a noun says: "an email", and no "roof" that may be false."""
        relation, grammar = noun.value.relation, self._joins.grammar
        if not noun.spans or is_participle(last_words(noun)[-1], relation, self._kinds):
            return False  # who "have hired" have done it
        said = {*gap} - grammar.articles - grammar.indefinite
        owned = said <= grammar.having | grammar.relative and not said.isdisjoint(grammar.having)
        value = bool(self._kinds.schema.by_id[relation].literal_kinds)
        one = value and grammar.indefinite.issuperset(gap[-1:])  # "with an email"
        owned = owned or (one and said <= grammar.with_)
        return bool(said) and owned and self._kinds.only_texts_or_dates(relation)

    def has_value(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "does Ann have an email" """
        of, relation = left.value, right.value.relation
        named = isinstance(of, Named) and self._kinds.gives_value(relation)
        if named and self.has_some(right, gap) and self._joins.leads(Step(relation), of.kinds):
            yield "fact", Valued(of, Step(relation), of.kinds), 0.0, -1

    def set_done(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "people who have died", "has Fido been adopted": a verb that says all by itself"""
        of, passive = left.value, not self._joins.grammar.been.isdisjoint(gap)
        if isinstance(of, Named) and self._links(gap):
            yield "done", (of, right, passive), 0.0, -1
        elif self._is_subject(left, gap):
            events = self._joins.events
            if ways := events.ways_said(right, of.kinds, passive=passive):
                yield "answer", events.done(of, ways, self._joins.whole(of.kinds)), 0.3, left.head

    def both_deeds(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "verified and leaked" """
        verbs = not any("noun" in item.value.role for item in (left, right))
        if verbs and len(gap) == 1 and gap[0] in self._joins.grammar.joining:
            yield "deeds", ("and", left, right), 0.0, -1

    def but_not_done(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "delivered but not paid" """
        verb = denied(right)
        verbs = not any("noun" in item.value.role for item in (left, verb))
        if verbs and self._joins.grammar.contrast == {*gap}:
            yield "deeds", ("not", left, verb), 0.0, -1

    def set_deeds(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "sources that have been verified or leaked" """
        of, (how, *verbs), events = left.value, right.value, self._joins.events
        passive = not self._joins.grammar.been.isdisjoint(gap)
        if not self._is_subject(left, gap) or isinstance(of, Named):
            return
        first, second = (events.ways_said(verb, of.kinds, passive=passive) for verb in verbs)
        every = self._joins.whole(of.kinds)
        said = [last_words(verb)[0] for verb in verbs]
        sure = how in ("or", "and") or events.is_sure(said[1], of.kinds, second)
        sure = sure and (how != "neither" or events.is_sure(said[0], of.kinds, first))
        if not (first and second and sure):
            return
        if how == "or":
            done = events.done(of, [*first, *second], every)
        elif how == "and":
            done = events.done(events.done(of, first, every), second, every)
        else:
            first_done = first if how == "neither" else []
            done = of if first_done else events.done(of, first, every)
            done = events.not_done(done, [*first_done, *second], every or of)
        yield "answer", done, 0.3, left.head

    def _links(self, gap: Sequence[str]) -> bool:
        """Whether words only join a verb to who or what it is said of: "that have been"."""
        grammar = self._joins.grammar
        return (grammar.having | grammar.relative | grammar.been).issuperset(gap)

    def _is_subject(self, left: Item, gap: Sequence[str]) -> bool:
        """Whether a verb that follows with nothing after it may be said of a set by itself.

        Nothing follows, nor in a free order comes between: "born in Ulm", "not in Ulm died". What
        "did Ann launch" is launched by her.
        """
        named = not gap and any(span.kind == "name" for span in left.spans[-1:])
        free = self._joins.language.free_order
        return not (is_value(left.value) or named or free) and self._links(gap)

    def described_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the sold cars": as those that "have been sold"

        An item of category ``described`` has groups of verbs: one of each group was done.
        """
        of: Expression = right.value
        last = max(right.spans, key=lambda span: span.start)
        told = isinstance(of, (Named, Extreme)) or is_value(of) or last.kind not in ("type", "name")
        if gap or right.head < 0 or told:
            return  # what follows belongs to them: "the sold cars in Ulm"
        events, every = self._joins.events, self._joins.whole(of.kinds)
        for verbs in left.value:
            found = [events.ways(verb, of.kinds, passive=True) for verb in verbs]
            if not all(found):
                return
            of = events.done(of, [way for ways in found for way in ways], every)
        yield "set", of, 0.0, right.head

    def described_described(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "sold and inspected cars" """
        if not gap or self._joins.grammar.joining.issuperset(gap):
            yield "described", left.value + right.value, 0.0, -1

    def described_or(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "sold or", of "inspected" """
        if not gap and len(left.value) == 1:
            yield "open", left, 0.0, -1

    def open_described(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "sold or inspected cars" """
        first: Item = left.value
        if first.category == "described" and not gap and len(right.value) == 1:
            yield "described", (first.value[0] + right.value[0],), 0.0, -1

    def not_described(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "not assigned devices", as the "unassigned" ones, and not "no assigned devices" """
        lacking = left.spans[0].text.lower() in self._joins.grammar.lacking
        if not (gap or lacking) and len(right.value) == len(right.value[0]) == 1:
            yield "undone", right.value[0][0], 0.0, -1

    def whether_done(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "has Fido been adopted": by anybody, anywhere or on any day"""
        of, verb, passive = right.value
        passive = passive or left.spans[0].text.lower() in self._joins.grammar.being
        ways = self._joins.events.ways_said(verb, of.kinds, passive=passive, named=True)
        if ways:
            first, *others = (Valued(of, step, of.kinds) for step in ways)
            sure = self._joins.events.is_sure(last_words(verb)[0], of.kinds, ways)
            yield "number of", Whether(first, tuple(others), may_deny=sure), 0.0, -1

    def _begun(self, words: Set[str]) -> Rule:
        """The rule for a question that begins with some verb: "has Ann a mentor", "is Ann a"."""

        def whether(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
            if left.spans[0].text.lower() in words:
                yield from self.whether(left, right, gap)

        return whether

    def _is_deed(self, item: Item) -> bool:
        """Whether a set is what a verb says of a name, which `whether_done` reads as a whole."""
        of: Expression = item.value
        last = max(item.spans, key=lambda span: span.start)
        if not (is_of_name(of) and isinstance(of, Along) and last.kind == "relation"):
            return False
        verb = Item("relation", RelationWord(of.step.relation, "forward"), spans=(last,))
        ways = (
            self._joins.events.ways_said(verb, of.of.kinds, passive=passive, named=True)
            for passive in (True, False)
        )
        return any(ways)

    def _is_turned_deed(self, whether: Item, item: Item) -> bool:
        """Whether a class word is a verb, and who comes before it is whom that was done to.

        "Did Ann call Bob" is not so where she is the `callee` of a call.
        """
        first, *others = sorted(item.spans, key=lambda span: span.start)
        verb = others and first.kind == "name" and others[0].start == first.end + 1
        if not (verb and others[0].kind == "type" and self._is_auxiliary(whether)):
            return False
        objects = self._kinds.record_roles.objects
        return any(
            isinstance(part, Along) and part.of == name and part.step.relation in objects
            for part in all_parts(item.value)
            for name in all_parts(item.value)
            if isinstance(name, Named) and name.text == first.meaning
        )

    def _is_auxiliary(self, whether: Item) -> bool:
        return whether.spans[0].text.lower() in self._joins.language.auxiliaries


def whether(items: Iterable[Item]) -> Iterator[Item]:
    """What is asked by a question that begins with its verb: "Grenzt Texas an Utah?"."""
    for item in items:
        if item.category == "fact":
            yield replace(item, category="number of", value=Whether(item.value))
