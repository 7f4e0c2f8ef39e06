"""The rules for "more people than", "the same currency as" and "only": one thing beside others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Expression,
    Extreme,
    Named,
    OfType,
    Without,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.constants import Comparison
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule
from isomatch.lexicon.folding import tokens


class OtherRules(RuleSet):
    """Rules that compare what things have with what a named thing has.

    An item of category ``exceeding`` has (operator, step to the value), one of category ``same
    relation`` a `RelationWord`, one of category ``sharing`` (its relation, the set of those that
    have the same, the named thing itself), one of category ``only`` a set, and one of
    category ``solely relation`` the item of its verb.

    Args:
        relation_set: the rule that joins a verb and what follows it.
        set_compared: the one that compares what is in a set.
    """

    def __init__(self, joins: Joins, relation_set: Rule, set_compared: Rule):
        super().__init__(joins)
        self._relation_set = relation_set
        self._set_compared = set_compared
        grammar = joins.grammar
        self.table = {
            ("joint", "set"): self.joint_set,
            ("set", "joint"): lambda a, b, gap: self.joint_set(b, a, gap or grammar.possessive),
            ("comparative", "than"): self.comparative_than,
            ("exceeding", "set"): self.exceeding_set,
            ("exceeding", "constant"): self.exceeding_constant,
            ("same", "relation"): self.same_relation,
            ("same relation", "set"): self.same_set,
            ("same", "set"): self.same_class,
            ("relation", "same class"): self.relation_same_class,
            ("same step", "set"): self.same_step_set,
            ("set", "sharing"): self.set_sharing,
            ("relation", "sharing"): self.relation_sharing,
            ("solely", "set"): self.solely_set,
            ("relation", "only"): self.relation_only,
            ("solely", "relation"): self.solely_relation,
            ("solely relation", "set"): self.solely_relation_set,
        }

    def or_class(self, rule: Rule) -> Rule:
        """A rule for two sets; of two classes that "are" each other, those that are of both.

        "Which persons are trainers" asks for nobody who has a trainer.
        """
        grammar = self._grammar
        linking = grammar.being | grammar.indefinite | grammar.already

        def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
            one, other = left.value, right.value
            narrow = self._subclass(one, other) if not gap and isinstance(other, OfType) else None
            if narrow is not None:  # "regional trains", and not a train called Regional
                yield "set", narrow, 0.0, right.head
                return
            are = linking.issuperset(gap) and not grammar.being.isdisjoint(gap)
            if not (are and isinstance(one, OfType) and isinstance(other, OfType)):
                yield from rule(left, right, gap)
                return
            for narrow, wide in ((one, other), (other, one)):
                if self._kinds.within(narrow.type, wide.type):
                    yield "set", narrow, 0.0, left.head

        return join

    def _subclass(self, of: Expression, wide: OfType) -> OfType | None:
        """The subclass of a class that a word before it is for; its own node may have its name."""
        if isinstance(of, Named):
            said = "".join(tokens(of.text.lower()))
            texts = self._kinds.type_texts.items()
            named = [id for id, text in texts if "".join(tokens(text.lower())) == said]
            classes = [OfType(id, self._kinds.of_type(id)) for id in named]
        else:
            classes = [of] if isinstance(of, OfType) else []
        narrow = (one for one in classes if one.type != wide.type)
        return next((one for one in narrow if self._kinds.within(one.type, wide.type)), None)

    def alone(self, item: Item) -> Iterator[Item]:
        """ "who has the same salary as Ann", "what is cheaper than the drill" """
        if item.category == "compared" and item.value[0] is not None:
            yield from self._than(item)
        if item.category == "sharing":
            _, same, itself = item.value
            others = Without(same, itself, same.kinds)
            yield replace(item, category="answer", value=others, score=item.score - 0.2)

    def _than(self, compared: Item) -> Iterator[Item]:
        """Those of the kind of a name that compare with it."""
        others = [one.other for one in compared.value[1]]
        named = others[0] if len(others) == 1 else None
        every = self._joins.whole(named.kinds) if isinstance(named, Named) else None
        if every is not None and not is_value(every):
            for _, value, cost, _ in self._set_compared(Item("set", every), compared, ()):
                yield Item("answer", value, compared.score - cost - 0.2, -1, compared.spans)

    def joint_set(self, left: Item, right: Item, gap: Collection[str]) -> Iterator[Joined]:
        """ "the co-actors of Ann": who has a part in the same as she"""
        word, of, grammar = left.value, right.value, self._grammar
        step = Step(word.relation, word.role == "noun")
        small = (
            grammar.of | grammar.possessive | grammar.articles | self._joins.language.auxiliaries
        )
        people = self._joins.are_people(of.kinds) or self._joins.grading.are_called_people(of.kinds)
        shared = not self._kinds.gives_value(word.relation)
        if gap and small.issuperset(gap) and isinstance(of, Named) and people and shared:
            others = self._joins.beside(of, step)
            if others is not None:
                yield "set", others, 0.0, left.head

    def comparative_than(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "more people than" """
        operator, _, step = left.value
        if step is not None and not gap:
            yield "exceeding", (operator, step), 0.0, -1

    def exceeding_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "more people than France" """
        operator, step = left.value
        of: Expression = right.value
        leads = bool(of.kinds) and self._joins.leads(step, of.kinds)
        if leads and not is_value(of) and isinstance(of, (Named, Extreme, Along)):
            if isinstance(of, Along) and not self._is_single(of):
                return  # "than the neighbours of France": than which of them
            yield "filter", (step, (Comparison(operator, (), of),)), 0.0, -1

    def exceeding_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "more people than 500" """
        operator, step = left.value
        if len(right.value) == 1 and not gap:
            yield "filter", (step, (Comparison(operator, right.value),)), 0.0, -1

    def _is_single(self, of: Along) -> bool:
        relation = self._kinds.schema.by_id[of.step.relation]
        return isinstance(of.of, Named) and relation.leads_to_one(back=of.step.back)

    def same_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the same currency": of one, and not all of several languages"""
        word: RelationWord = right.value
        relation = self._kinds.schema.by_id[word.relation]
        one = relation.leads_to_one() or self._joins.is_single(right.spans[-1].text)
        shares = self._shares(left)  # "share an office"
        plain = self._grammar.indefinite.issuperset(gap) if shares else not gap
        # A prize may be shared by having won it, and by a nomination.
        forms = self._joins.language.noun_forms
        by = {form for said in tokens(relation.text) for form in forms(said)}
        told = not self._kinds.rivals(relation.id) or right.spans[-1].text.lower() in by
        if word.role == "noun" and one and plain and (told or not shares):
            yield "same relation", word, 0.0, right.head

    def _shares(self, item: Item) -> bool:
        first = min(item.spans, key=lambda span: span.start)
        return first.text.lower() in self._grammar.sharing

    def same_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the same currency as Germany", "a currency with Germany" that is shared"""
        step, of = Step(left.value.relation), right.value
        alike = self._grammar.owning if self._shares(left) else self._grammar.alike
        if alike.isdisjoint(gap) or not isinstance(of, Named) or is_value(of):
            return
        every = self._joins.whole(of.kinds)
        if every is None or not self._joins.leads(step, of.kinds):
            return
        if self._kinds.gives_value(step.relation):
            equal = Comparison("=", (), of)
            same, own = self._joins.compared(every, step, (equal,)), None
        else:
            there = self._joins.step(replace(of, every=True), step)
            same, own = self._joins.step(there, step.inverse), self._all_of_name(of, step)
        itself = own or Both(replace(of, every=True), every, of.kinds)
        yield "sharing", (step.relation, same, itself), 0.0, -1

    def same_class(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the same shipyard": one of these"""
        plain = isinstance(right.value, OfType) and not gap and not self._shares(left)
        if plain and self._joins.is_single(right.spans[-1].text):
            yield "same class", right.value, 0.0, -1

    def relation_same_class(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "built by the same shipyard", "live in the same town" """
        things: OfType = right.value
        if "noun" in left.value.role:
            return
        for step, cost in self._joins.subject_steps(left.value, gap, things.kinds):
            yield "same step", (step, things), cost, -1

    def same_step_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "built by the same shipyard as Condor" """
        (step, things), of = left.value, right.value
        if self._grammar.alike.isdisjoint(gap) or not isinstance(of, Named) or is_value(of):
            return
        if not self._joins.leads(step, of.kinds):
            return
        there: Expression = self._joins.step(replace(of, every=True), step)
        if not there.kinds <= things.kinds:
            there = Both(there, things, there.kinds & things.kinds)
        same = self._joins.step(there, step.inverse)
        having = self._joins.step(things, step.inverse)
        itself = Both(replace(of, every=True), having, of.kinds)
        yield "sharing", (step.relation, same, itself), 0.0, -1

    def _all_of_name(self, of: Named, step: Step) -> Expression | None:
        """All nodes of a name that have something at a step."""
        things = self._joins.whole(self._kinds.ends(step)[1])
        if things is None:
            return None
        having = self._joins.step(things, step.inverse)
        return Both(replace(of, every=True), having, of.kinds)

    def set_sharing(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "countries with the same currency as Germany" """
        of, (_, same, itself) = left.value, right.value
        kinds = of.kinds & same.kinds
        if kinds and isinstance(of, Named):
            yield "fact", Both(of, same, kinds), 0.0, -1
        elif kinds and not isinstance(of, Extreme):
            others = Without(Both(of, same, kinds), itself, kinds)
            yield self._joins.said(gap), others, 0.0, left.head

    def relation_sharing(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "use the same currency as Germany" """
        if left.value.relation == right.value[0]:
            yield "sharing", right.value, 0.0, -1

    def solely_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "only Portuguese" """
        of: Expression = right.value
        if not (isinstance(of, (OfType, Extreme)) or is_value(of) or right.head < 0):
            yield "only", of, 0.0, right.head

    def solely_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "only speak" """
        if "noun" not in right.value.role and not gap:
            yield "solely relation", right, 0.0, -1

    def solely_relation_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "only speak Portuguese" """
        for _, value, _, head in self.solely_set(left, right, ()):
            yield from self.relation_only(left.value, Item("only", value, head=head), gap)

    def relation_only(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "speak only Portuguese": that, and no other language"""
        of: Expression = right.value
        every = self._joins.whole(of.kinds)
        for category, value, cost, head in self._relation_set(left, right, gap):
            if every is None or category != "set" or not isinstance(value, Along):
                continue
            named = self._all_of_name(of, value.step) if isinstance(of, Named) else of
            # Who directed only "Heat" directed nothing else, of no other type.
            known = self._kinds.ends(value.step)[0] <= every.kinds
            if value.of == of and named is not None and known:
                others = Without(every, named, every.kinds)
                less = self._joins.step(others, value.step)
                yield "set", Without(value, less, value.kinds), cost, head
