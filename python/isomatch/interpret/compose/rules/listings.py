"""The rules for "products and their prices", "the price of each product"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import is_much, is_whole
from isomatch.interpret.compose.expressions import (
    Along,
    Expression,
    Extreme,
    Listed,
    Named,
    OfType,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.leaves.record import Record
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.groups import GroupRules
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule

ALONE = 0.2  # for what nothing but the verb says is asked for


class ListingRules(RuleSet):
    """Rules that list things with what they have.

    An item of category ``own`` has the `RelationWord`s of what is theirs; ``own set`` has a type;
    ``each record`` has an ``each of`` item and the `Record` of what each of them did.

    Args:
        groups: rules for "each".
    """

    def __init__(self, joins: Joins, groups: GroupRules):
        super().__init__(joins)
        self._groups = groups
        self.table = {
            ("pronoun", "relation"): self.pronoun_relation,
            ("own", "relation"): self.own_relation,
            ("set", "own"): self.set_own,
            ("pronoun", "set"): self.pronoun_set,
            ("set", "own set"): self.set_own_set,
            ("relation", "each of"): self.relation_each,
            ("relations", "each of"): self.relations_each,
            ("each of", "relation"): self.each_relation,
            ("set", "each of"): self.set_each,
            ("set", "each along"): self.set_along,
            ("each of", "record"): self.each_record,
            ("set", "each record"): self.set_each_record,
            ("record", "each of"): self.record_each,
        }

    def pronoun_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "their prices" """
        if "noun" in right.value.role and not gap:
            yield "own", (right.value,), 0.0, right.head

    def own_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "their prices and weights" """
        grammar = self._joins.grammar
        joined = (grammar.joining | grammar.own).issuperset(gap) and bool(gap)
        if joined and "noun" in right.value.role:
            yield "own", (*left.value, right.value), 0.0, left.head

    def set_own(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "products and their prices", "products with their prices" """
        if self._lists(gap):
            yield from self._listed(left.value, _steps(right.value), left.head)

    def pronoun_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "their products" """
        if isinstance(right.value, OfType) and not gap:
            yield "own set", right.value, 0.0, right.head

    def set_own_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "companies and their products", where these are joined in one way"""
        steps = self._joins.likely_steps(left.value.kinds, right.value.kinds)
        if len(steps) == 1 and self._lists(gap):
            ends = self._kinds.ends(steps[0])[1]
            mixed = not ends.issubset(right.value.kinds)
            things = self._kinds.type_texts[right.value.type] if mixed else None
            yield from self._listed(left.value, steps, left.head, things)

    def _lists(self, gap: Sequence[str]) -> bool:
        grammar = self._joins.grammar
        return bool(gap) and (grammar.joining | grammar.owning).issuperset(gap)

    def relation_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the price of each product" """
        if left.value.role == "noun" and self._joins.grammar.of.issuperset(gap) and gap:
            yield from self._listed(right.value, _steps((left.value,)), right.head)
        yield from self._groups.relation_each(left, right, gap)

    def each_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(what) does each employee earn" """
        value = self._kinds.gives_value(right.value.relation) and self._is_each(left)
        if value and right.value.role == "forward" and not gap:
            yield from self._listed(left.value, _steps((right.value,)), left.head)
        yield from self._groups.each_relation(left, right, gap)

    def set_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "tickets by product", "tickets by status": each thing with what it has"""
        things, of = left.value, right.value
        if gap or isinstance(things, (Named, Extreme)) or is_value(things):
            return
        if isinstance(of, Along) and is_whole(of):
            ordered = self._kinds.schema.by_id[of.step.relation].is_ordered  # "products by price"
            known = not (ordered or of.of.kinds.isdisjoint(things.kinds))
            steps = [of.step] if known else []
        else:
            steps = [s.inverse for s, _ in self._joins.unsaid(of, things.kinds)]
        if len(steps) == 1:
            yield from self._listed(things, steps, left.head)

    def set_along(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(which) products does each company make", "(which) company makes each product" """
        things, along = left.value, right.value
        plain = self._joins.language.auxiliaries.issuperset(gap) and self._is_each(right)
        if plain and isinstance(things, OfType) and things.kinds >= along.kinds:
            yield from self._listed(along.of, (along.step,), left.head)

    def or_values(self, rule: Rule) -> Rule:
        """A rule for a number of things; "how much does each product cost" asks for values."""

        def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
            if not isinstance(right.value, Listed):
                yield from rule(left, right, gap)
            elif is_much(left, self._joins.language):
                values = (self._kinds.gives_value(step.relation) for step in right.value.steps)
                if all(values):
                    yield "answer", right.value, 0.0, right.head

        return join

    def each_record(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(did) each customer order" """
        if not gap and self._is_each(left):
            yield "each record", (left, right.value), 0.0, -1

    def _is_each(self, item: Item) -> bool:
        """Whether each of some is asked about by itself; what "every" one does, all of them do."""
        said = {span.text.lower() for span in item.spans}
        return said.isdisjoint(self._joins.grammar.universal)

    def set_each_record(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(which) products did each customer order" """
        (each, record), things = right.value, left.value
        steps = [s for s in record.objects if self._kinds.ends(s)[1] <= things.kinds]
        if isinstance(things, OfType) and self._joins.language.auxiliaries.issuperset(gap) and gap:
            yield from self._recorded(each, record, steps)

    def _recorded(self, each: Item, record: Record, steps: Sequence[Step]) -> Iterator[Joined]:
        """Each of a set with what they did it to."""
        if len(steps) == 1:
            yield from self._by_records(each, record, record.doer, steps[0])

    def record_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(who) reviewed each product" """
        for step in left.value.objects if not gap and self._is_each(right) else ():
            yield from self._by_records(right, left.value, step, left.value.doer)

    def _by_records(self, each: Item, record: Record, own: Step, step: Step) -> Iterator[Joined]:
        """Each of a set, to which records lead by a step of theirs, with what another leads to."""
        of, way = each.value, own.inverse
        if isinstance(record.every, OfType) and of.kinds and self._joins.leads(way, of.kinds):
            found = Listed(of, (step,), of.kinds, None, (way, record.every))
            yield "answer", found, 0.1, each.head

    def alone(self, item: Item) -> Iterator[Item]:
        """ "who manages each employee", "what did each customer order" """
        found: Iterator[Joined] = iter(())
        if item.category == "each along" and self._is_each(item):
            found = self._listed(item.value.of, (item.value.step,), -1)
        elif item.category == "each record":
            each, record = item.value
            found = self._recorded(each, record, record.objects)
        for category, value, cost, head in found:
            yield Item(category, value, item.score - cost - ALONE, head, item.spans)

    def relations_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the price and weight of each product" """
        if self._joins.grammar.of.issuperset(gap) and gap:
            yield from self._listed(right.value, _steps(left.value), right.head)

    def of_nouns(self, rule: Rule) -> Rule:
        """A rule for several relations and a set; "the price and weight of" are two things."""

        def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
            of = self._joins.grammar.of
            if not of.isdisjoint(gap) and all(word.role == "noun" for word in left.value):
                yield from self._listed(right.value, _steps(left.value), right.head)
            else:
                yield from rule(left, right, gap)

        return join

    def _listed(
        self, of: Expression, steps: Sequence[Step], head: int, things: str | None = None
    ) -> Iterator[Joined]:
        known = bool(of.kinds) and all(self._joins.leads(step, of.kinds) for step in steps)
        one = isinstance(of, Named) and (of.nodes > 1 or len(steps) == 1)
        if known and not (one or isinstance(of, Extreme) or is_value(of)):
            yield "answer", Listed(of, tuple(steps), of.kinds, things), 0.0, head


def _steps(words: Sequence[RelationWord]) -> list[Step]:
    return [word.to_things for word in words]
