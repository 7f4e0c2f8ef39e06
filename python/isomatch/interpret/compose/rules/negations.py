"""The rules for "not", "no" and "neither": what is left out of a set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import are_names, is_of_each, is_whole, last_words
from isomatch.interpret.compose.categories import Category
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Expression,
    Named,
    OfType,
    Valued,
    Without,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.constants import Comparison
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.lists import names_doer, verb_before
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule
from isomatch.interpret.compose.syntax.scopes import is_never
from isomatch.interpret.compose.units import is_amount
from isomatch.schema.types import LITERAL


class NegationRules(RuleSet):
    """Rules that leave sets out of others.

    An item of category ``excluded`` has a set; one of category ``none of`` several.

    Args:
        relation_set, set_relation: the rules that join a verb and what is beside it.
    """

    def __init__(self, joins: Joins, relation_set: Rule, set_relation: Rule):
        super().__init__(joins)
        self._language = joins.language
        self._relation_set = relation_set
        self._set_relation = set_relation
        self.table = {
            ("not", "set"): self.not_set,
            ("set", "elided"): self.set_elided,
            ("not", "relation"): self.not_relation,
            ("not relation", "not relation"): self.neither,
            ("not relation", "not done"): self.neither,
            ("not done", "not relation"): self.neither,
            ("not done", "not done"): self.neither,
            ("excluded", "excluded"): self.neither,
            ("not relations", "set"): self.not_relations_set,
            ("set", "left out"): self.set_left_out,
            ("set", "none of"): self.set_none_of,
            ("relation", "none of"): self.relation_none_of,
            ("set", "not relation"): self.set_not_relation,
            ("set", "not done"): self.set_not_done,
            ("list", "not relation"): self.list_not_relation,
            ("relation", "excluded"): self.relation_excluded,
            ("excluded", "relation"): self.excluded_relation,
            ("set", "excluded"): self.set_excluded,
            ("answer", "excluded"): self.answer_excluded,
            ("set", "undone"): self.set_undone,
            ("undone", "set"): self.undone_set,
        }
        if self._grammar.negation_after:
            self.table |= {
                ("relation", "not"): self.relation_not,
                ("not relation", "set"): self.not_relation_set,
            }

    def alone(self, item: Item) -> Iterator[Item]:
        """ "who never led a project", "who plays neither guitar nor drums": all but these"""
        verbs = sum(span.kind == "relation" for span in item.spans)
        # "who does not speak German and lives in Basel" denies only the first
        said = isinstance(item.value, (Along, Both, Valued)) and verbs == 1
        if item.category == "excluded" and said:
            every = self._joins.whole(item.value.kinds)
            if every is not None:
                less = Without(every, item.value, every.kinds)
                yield Item("answer", less, item.score - 0.3, -1, item.spans)
        if item.category == "not relation":
            yield from self._nobody_doing(item)
        if (
            item.category == "none of"
            and item.head < 0
            and all(isinstance(one, Along) for one in item.value)
        ):
            first, second = item.value
            every = self._joins.whole(first.kinds & second.kinds)
            if every is not None:
                less = Without(Without(every, first, every.kinds), second, every.kinds)
                yield Item("answer", less, item.score - 0.3, -1, item.spans)

    def _nobody_doing(self, item: Item) -> Iterator[Item]:
        """ "who does not mentor anyone": all of whom the graph might say it"""
        never = any(is_never(span, self._language) for span in item.spans)
        if not never or self._language.is_participle(item.spans[-1].text.lower()):
            return  # "who is not mentored by anyone" mentors perhaps
        verb, events = denied(item), self._joins.events
        verb = replace(verb, spans=verb.spans[-1:])
        ways = events.ways_said(verb, frozenset(), passive=False)
        every = self._joins.whole(self._kinds.of_ports(ways)) if ways else None
        if every is not None and self._joins.grading.are_called_people(every.kinds):
            for _, less, cost, _ in self._not_done(
                Item("set", every), last_words(verb)[0], ways, "answer"
            ):
                yield Item("answer", less, item.score - cost - 0.3, -1, item.spans)

    def not_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of: Expression = right.value
        whole = of.of if isinstance(of, Along) else of
        deed = right.head < 0 and right.spans[-1].kind == "type"  # read by the records of it
        if isinstance(whole, OfType) and not (deed or self._grammar.been.isdisjoint(gap)):
            return  # who has "never been visited" is no visitor, and no visit
        word, spans = left.spans[0].text.lower(), sorted(right.spans, key=lambda span: span.start)
        ends = (spans[0].kind, spans[-1].kind)
        if word in self._language.nothing and ends == ("type", "relation"):
            return  # the papers that "no paper cites" are not those that cite none
        if deed and word in self._grammar.nobody:
            return  # what "nobody has visited" is no visitor
        if self._goes_beyond(right):
            return
        if is_of_each(of):
            return  # "not directed by Ann and Ben" may be by one of them
        if word in self._grammar.nobody and right.head >= 0 and is_whole(of):
            return  # who has "nobody as their boss" need be nobody's
        apart = word in self._grammar.leaving_out
        # "Teams without a rival", "employees who do not have a manager", who may be one.
        if word in self._grammar.lacking or not self._grammar.having.isdisjoint(gap):
            of = self._joins.owners(of) or of
        if apart and isinstance(of, Named) and not is_value(of):
            yield "left out", of, 0.0, right.head
        elif isinstance(of, Named) or not (is_value(of) or apart):
            yield "excluded", of, 0.0, right.head

    def _goes_beyond(self, denied: Item) -> bool:
        """Whether more than a state is left out: "not discontinued in Ulm" are those in Ulm."""
        first, *rest = sorted(denied.spans, key=lambda span: span.start)
        said = self._kinds.by_name.get(first.meaning.lower(), ())
        if first.kind != "relation" or not any(map(self._kinds.is_boolean, said)):
            return False
        return any(s.kind != "operator" and s.start > first.end + 1 for s in rest[:1])

    def set_elided(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "that Ann likes but Ben does not": not by the same way as by her"""
        does = gap or right.spans[0].text.lower().endswith(self._language.endings.negated)
        named = isinstance(left.value, Named) and not is_value(left.value)
        if named and does and (self._language.auxiliaries | self._grammar.being).issuperset(gap):
            yield "excluded", left.value, 0.0, -1

    def not_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        relation = right.value.relation
        if self._kinds.is_boolean(relation):  # "that are not discontinued"
            yield "filter", (Step(relation), (Comparison("=", ("false",)),)), 0.0, -1
            return
        if left.spans[0].text.lower() in self._grammar.nobody and "noun" in right.value.role:
            return
        if not self._kinds.gives_value(relation):
            yield "not relation", right.value, 0.0, -1
            if not self._grammar.been.isdisjoint(gap):
                yield "not done", (right, True), 0.0, -1
            return
        lacking = left.spans[0].text.lower() in self._grammar.lacking
        noun, step = right.value.role == "noun", Step(relation)
        having, values = self._kinds.ends(step)
        every, single = OfType("", having), self._joins.is_single(right.spans[-1].text)
        if not (lacking and noun):
            if not (lacking or noun or self._language.free_order):
                yield "not done", (right, not self._grammar.been.isdisjoint(gap)), 0.0, -1
        elif values != {f"{LITERAL}number"} or (single and not is_amount(relation, self._kinds)):
            yield "excluded", Valued(every, step, having), 0.0, -1  # "no year of birth"
        elif self._kinds.is_of_all(relation):  # "no goals"
            yield "filter", (step, (Comparison("=", ("0",)),)), 0.0, -1
        elif single:  # "no delay": one of 0, or none. Who has no number of goals may have some
            yield "excluded", Compared(every, step, "!=", ("0",), having), 0.0, -1

    def relation_not(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "grenzen nicht" """
        if right.spans[0].text.lower() in self._grammar.negation_after:
            yield from self.not_relation(right, left, gap)

    def not_relation_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "grenzen nicht an Texas" """
        yield from _excluded(self._relation_set(Item("relation", left.value), right, gap))

    def set_not_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "that Tom Hanks did not act in", "that he acted in but did not direct" """
        of: Expression = left.value
        never = any(is_never(span, self._language) for span in right.spans)
        told, verb = right.spans[0], right.spans[-1]
        been = not self._grammar.been.isdisjoint(gap)
        if told.text.lower() in self._grammar.nobody:  # "goals that nobody assisted"
            if self._grammar.linking.issuperset(gap):
                done = Item("not done", (right, True), spans=right.spans)
                yield from [*self.set_not_done(left, done, ())] or self._nobody(left, right)
            return
        # "teams that have never won", and not "never been cited"
        after = self._is_after_name(left, gap)
        if been or after or (never and verb.start - told.end <= 1):
            done = Item("not done", (right, been), spans=right.spans)
            yield from self.set_not_done(left, done, gap)
        if after or not (self._grammar.contrast | self._grammar.joining).issuperset(gap):
            return  # "employees in Sales do not work" says it of the employees
        if never and left.head < 0 and not isinstance(of, Named):
            yield from self._without_deeds(left, right.value)
        elif isinstance(of, Along) and isinstance(of.of, Named) and not is_value(of.of):
            for less, cost in self._joins.along(of.of, right.value, back=of.step.back):
                if of.kinds & less.kinds:
                    yield "set", Without(of, less, of.kinds), cost, left.head
        named = isinstance(of, Named) and not is_value(of)  # no value does anything
        if named and self._grammar.contrast.isdisjoint(gap):
            word = Item("relation", right.value)
            yield from _excluded(self._set_relation(left, word, gap))

    def _nobody(self, left: Item, right: Item) -> Iterator[Joined]:
        """ "components that nobody supplies": all but what is supplied"""
        verb = "noun" not in right.value.role and isinstance(left.value, (OfType, Both, Compared))
        step = Step(right.value.relation, right.value.role == "backward")
        doers, undergone = self._kinds.ends(step)
        if verb and not undergone.isdisjoint(left.value.kinds):
            done = self._joins.step(OfType("", doers), step)
            yield from self.set_excluded(left, Item("excluded", done, spans=right.spans), ())

    def set_not_done(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "songs that have never been played", "painters who have not died" """
        of: Expression = left.value
        verb, told = right.value
        grammar, events = self._grammar, self._joins.events
        after = self._is_after_name(left, gap)
        passive = told or after or not grammar.been.isdisjoint(gap)  # "are not adopted"
        ways = events.ways_said(verb, of.kinds, passive=passive)
        if ways and (after or (grammar.having | grammar.linking).issuperset(gap)):
            yield from self._not_done(left, last_words(verb)[0], ways, "answer")

    def _is_after_name(self, left: Item, gap: Sequence[str]) -> bool:
        """Whether nobody is said not to do it: "reported by Ann but not fixed" by anybody."""
        last = max(left.spans, key=lambda span: span.start)
        joined = (self._grammar.contrast | self._grammar.joining).issuperset(gap)
        return bool(gap) and joined and last.kind == "name"

    def _not_done(
        self, left: Item, verb: str, ways: Sequence[Step], category: Category
    ) -> Iterator[Joined]:
        """Those of a set that were done in none of several ways, where that tells they were not."""
        of: Expression = left.value
        every, events = self._joins.whole(of.kinds), self._joins.events
        if every is None or is_value(of) or isinstance(of, Named):
            return
        if events.is_sure(verb, of.kinds, ways):
            yield category, events.not_done(of, ways, every), 0.0, left.head

    def _without_deeds(self, left: Item, word: RelationWord) -> Iterator[Joined]:
        """ "who directed Heat but never acted": in nothing at all"""
        of: Expression = left.value
        for step in (Step(word.relation), Step(word.relation, True)):
            source, target = self._kinds.ends(step)
            things = self._joins.whole(target)
            if things is not None and source & of.kinds:
                deeds = self._joins.step(things, step.inverse)
                yield "set", Without(of, deeds, of.kinds), 0.0, left.head
                return

    def list_not_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "that Tom Hanks and Meg Ryan did not direct": neither of them did"""
        grammar = self._grammar
        names = all(isinstance(one, Named) for one in left.value)
        if names and (grammar.contrast | grammar.joining | grammar.linking).issuperset(gap):
            word, sets = Item("relation", right.value), [Item("set", one) for one in left.value]
            yield from self._none_of(self._set_relation(one, word, ()) for one in sets)

    def neither(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "neither directed nor produced", "not in Heat and not in Ali" """
        own = self._own_preposition(left.value) if left.category == "not relation" else []
        if not self._grammar.joining.issuperset(gap[gap[:1] == own :]):
            return
        first = left.value
        if isinstance(first, Named) and names_doer(right):  # "neither Ann nor Ben directed"
            first = self._joins.same_way(right.value, first)
        category: Category = "none of" if left.category == "excluded" else "not relations"
        if first is not None and "not done" not in (left.category, right.category):
            yield category, (first, right.value), 0.0, min(left.head, right.head)
        if left.category == "excluded":
            return
        verbs = denied(left), denied(right)
        if not any("noun" in verb.value.role for verb in verbs):
            yield "deeds", ("neither", *verbs), 0.0, -1

    def not_relations_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "neither directed nor produced by Tom Hanks", "neither departs from nor arrives at" """
        if len({word.relation for word in left.value}) < len(left.value):
            return  # who "neither sued nor was sued by Ann" did not sue her
        yield from self._none_of(
            self._relation_set(Item("relation", word), right, self._own_preposition(word) or gap)
            for word in left.value
        )

    def _none_of(self, joined: Iterable[Iterable[Joined]]) -> Iterator[Joined]:
        firsts = [next((j for j in some if j[0] == "set"), None) for some in joined]
        found = [j for j in firsts if j is not None]
        if len(found) == len(firsts):
            yield "none of", tuple(j[1] for j in found), sum(j[2] for j in found), -1

    def set_left_out(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "teams except Elm": of the same kind it is left out itself, and not its rivals"""
        of, less = left.value, right.value
        if not of.kinds & less.kinds:
            yield from self.set_excluded(left, right, gap)
            return
        every = self._joins.whole(less.kinds)
        if every is not None and not (isinstance(of, Named) or is_value(of)):
            named = Both(replace(less, every=True), every, less.kinds)
            yield "set", Without(of, named, of.kinds), 0.0, left.head

    def relation_none_of(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "run neither through Texas nor through Ohio" """
        if all(isinstance(one, Named) for one in right.value):
            sets = [Item("set", one) for one in right.value]
            yield from self._none_of(self._relation_set(left, one, gap) for one in sets)

    def set_none_of(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "films neither directed nor produced by Tom Hanks" """
        of, costs = left.value, 0.0
        if are_names(left, right) and self._grammar.relative.isdisjoint(gap):
            return  # "films that Ann and Ben did not direct" are none of Ann's
        has = right.head >= 0 and not self._grammar.with_.isdisjoint(gap)
        for less in right.value:
            if has and isinstance(less, Along):  # "have neither children nor"
                less = self._joins.owners(less) or less
            excluded = self.set_excluded(replace(left, value=of), Item("excluded", less), gap)
            joined = next(excluded, None)
            if joined is None:
                return
            _, of, cost, _ = joined
            costs += cost
        yield "set", of, costs, left.head

    def relation_excluded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "who directed no movie", "border no country in Europe" """
        of: Expression = right.value
        if isinstance(of, OfType) or (isinstance(of, Both) and isinstance(of.left, OfType)):
            yield from _excluded(self._relation_set(left, replace(right, category="set"), gap))

    def excluded_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(films that) no critic likes": all but what any of them likes"""
        other = Step(right.value.relation, right.value.role != "backward")  # what does it to them
        if self._is_subject(left) and not gap:
            joined = self._set_relation(replace(left, category="set"), right, gap)
            yield from _excluded(one for one in joined if getattr(one[1], "step", None) != other)

    def _is_subject(self, excluded: Item) -> bool:
        """Whether what is left out may be those who do nothing of the kind: "no critic"."""
        first = min(excluded.spans, key=lambda span: span.start, default=None)
        said = first is not None and first.text.lower() in self._language.nothing
        return said and isinstance(excluded.value, (OfType, Both))

    def set_undone(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "tickets that are unassigned" """
        ways = self._joins.events.ways(right.value, left.value.kinds, passive=True)
        if ways and self._grammar.having.isdisjoint(gap):  # what "has been unloaded" was so itself
            yield from self._not_done(left, right.value, ways, "set")

    def undone_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "unassigned tickets" """
        if not gap:
            yield from self.set_undone(right, left, gap)

    def _is_lacked(
        self, of: Expression, less: Expression, excluded: Item, gap: Sequence[str]
    ) -> bool:
        """Whether they lack some of their class: "has no manager", and not "is no manager"."""
        grammar, named = self._grammar, less.of if isinstance(less, Along) else less
        by_value = isinstance(named, Named) and is_value(named)
        classes = (less.left, less.right) if isinstance(less, Both) else (less,)  # "no home policy"
        own = any(isinstance(one, OfType) for one in classes)
        own &= not of.kinds.isdisjoint(less.kinds)
        said = {span.text.lower() for span in excluded.spans if span.kind == "operator"}
        if not grammar.being.isdisjoint(gap):
            said &= self._language.prepositions  # "are without a manager"
        return (by_value or own) and not grammar.lacking.isdisjoint(said)

    def set_excluded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of: Expression = left.value
        less: Expression = right.value
        if isinstance(of, Named) or is_value(of):
            return
        if are_names(left, right) and self._grammar.relative.isdisjoint(gap):
            return  # "films that Ann and Ben did not direct" are none of Ann's
        does = self._grammar.relative | self._language.before_infinitives
        if self._is_lacked(of, less, right, gap) or (
            self._is_subject(right) and does & {*gap[-1:]}
        ):
            return  # who "has no manager" may be one, and "films that no critic" lacks a verb
        if isinstance(less, (Along, Both, Named)) and of.kinds & less.kinds:
            yield "set", Without(of, less, of.kinds), 0.0, left.head
        if isinstance(less, Valued) or (isinstance(less, Compared) and _is_of_any(less)):
            every = self._joins.whole(of.kinds)
            if every is not None and of.kinds & less.kinds:  # "states with no area"
                yield "set", Without(of, replace(less, of=every), of.kinds), 0.0, left.head
            return
        if isinstance(less, OfType) and of.kinds & less.kinds:  # "papers that are not surveys"
            if left.head >= 0:  # "Texas borders no states" says nothing of what Texas borders
                yield "set", Without(of, less, of.kinds), 0.0, left.head
            return
        same = self._joins.same_way(of, less) if isinstance(less, Named) else None
        if same is not None:  # "who acted in Heat but not in Ali"
            yield "set", Without(of, same, of.kinds), 0.1, left.head
        elif isinstance(less, Named) and of.kinds & less.kinds:
            return  # "who acted in Heat without Ann": no word says what she is to them
        elif isinstance(less, (OfType, Named, Both, Compared)):
            verb = verb_before(left, right, gap)
            for step, cost in self._joins.unsaid(less, of.kinds):
                if verb and isinstance(of, Along) and step.relation != of.step.relation:
                    continue  # who "reported no ticket" is no one who reports to somebody
                other = self._joins.step(less, step)
                yield "set", Without(of, other, of.kinds), cost, left.head
        elif isinstance(less, Along) and left.head >= 0:  # "categories that Ann does not supply"
            for met, cost in self._joins.bridged(of, less):
                if isinstance(met, Both):
                    yield "set", Without(of, met.right, of.kinds), cost, left.head

    def answer_excluded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "who have children but no spouse" """
        if self._grammar.contrast == {*gap}:
            yield from (("answer", *j[1:]) for j in self.set_excluded(left, right, gap))


def denied(item: Item) -> Item:
    """The verb that "not" is before, of an item of category ``not relation`` or ``not done``."""
    verb = item.value if isinstance(item.value, RelationWord) else item.value[0].value
    return Item("relation", verb, spans=item.spans)


def _is_of_any(less: Compared) -> bool:
    """Whether a set compares the values of whatever has one: "no delay"."""
    return less.of == OfType("", less.kinds)


def _excluded(joined: Iterable[Joined]) -> Iterator[Joined]:
    """The sets among what words join to, as what is left out of another set."""
    sets = ((value, cost) for category, value, cost, _ in joined if category == "set")
    return (("excluded", value, cost, -1) for value, cost in sets)
