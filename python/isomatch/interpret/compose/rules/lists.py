"""The rules for names joined by "and": what is said of each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import any_of, is_of_name, is_whole
from isomatch.interpret.compose.expressions import (
    Along,
    Apart,
    Both,
    Expression,
    Extreme,
    Named,
    alike,
    last_steps,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.unions import any_along
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule
from isomatch.lexicon.language import Language

IN_COMMON = 0.4  # for what several things have together, where no word says so


class ListRules(RuleSet):
    """Rules that join several names, or what they have, with what is said of them.

    Args:
        relation_set, set_relation: the rules that join a verb and what is beside it.
    """

    def __init__(self, joins: Joins, relation_set: Rule, set_relation: Rule):
        super().__init__(joins)
        self._relation_set = relation_set
        self._set_relation = set_relation
        self.table = {
            ("set", "list"): self._set_list,
            ("list", "set"): self._list_set,
            ("relation", "list"): self._relation_list,
            ("list", "relation"): self._list_relation,
        }

    def alone(self, item: Item) -> Iterator[Item]:
        """What several sets are together."""
        if item.category == "list" and all(isinstance(one, Along) for one in item.value):
            together: Expression | None
            if self._is_of_one(item.value[0]):  # "the capitals that France and Spain have"
                together = any_along(item.value, self._joins)
            else:
                together = reduce(lambda a, b: Both(a, b, a.kinds & b.kinds), item.value)
            if together is not None:
                yield Item("set", together, item.score - 0.1, item.head, item.spans)

    def _set_list(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "films with Tom Hanks and Meg Ryan": those with each of them"""
        if isinstance(left.value, Named) and all(isinstance(one, Named) for one in right.value):
            if not gap:  # "Ann, Ben and Cleo"
                yield "list", (left.value, *right.value), 0.0, -1
            return
        for choice in product(*(self._joins.met(left.value, one, gap) for one in right.value)):
            met = [value for value, _ in choice]
            if all(alike(value, met[0]) for value in met):
                said = not self._grammar.both.isdisjoint(gap)  # "by both Ann and Ben"
                one = not said and isinstance(met[0], Both) and self._is_of_one(met[0].right)
                both = reduce(lambda a, b: Both(a, b, a.kinds), met)
                joined = any_of(left.value, met) if one else both
                yield "set", joined, sum(cost for _, cost in choice) / len(choice), left.head

    def _is_of_one(self, of: Expression) -> bool:
        """Whether nothing has a step to several: a city is in one country."""
        if not (isinstance(of, Along) and isinstance(of.of, Named)):
            return False
        relation = self._kinds.schema.by_id[of.step.relation]
        if self._kinds.gives_value(relation.id):
            return False  # two values say not whose they are
        return relation.leads_to_one(back=not of.step.back)

    def _list_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "France and Spain are countries": each of them is one"""
        of: Expression = right.value
        if left.head < 0 and all(map(is_of_name, left.value)):  # "France and Spain border a state"
            met = [next(self._joins.met(one, of, gap), None) for one in left.value]
            found = [one for one in met if one is not None]
            if len(found) == len(met):
                yield "fact", _apart([v for v, _ in found]), sum(c for _, c in found), -1
            return
        mutual = any(self._kinds.is_symmetric(step.relation) for step in last_steps(of))
        if right.head < 0 or (mutual and is_whole(of)):  # "neighbours": of each other
            return
        names = left.value if all(isinstance(one, Named) for one in left.value) else ()
        plain = not isinstance(of, (Named, Extreme)) and self._grammar.linking.issuperset(gap)
        if plain and names and all(one.kinds & of.kinds for one in names):
            told = [Both(one, of, one.kinds & of.kinds) for one in names]
            yield "fact", _apart(told), 0.0, -1

    def _relation_list(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        each = list(self._each(left, right, self._relation_set, gap))
        done = "noun" not in left.value.role
        if done and not self._grammar.both.isdisjoint(gap):  # "by both Ann and Ben"
            for _, sets, cost, head in each:
                yield "set", reduce(lambda a, b: Both(a, b, a.kinds & b.kinds), sets), cost, head
            return
        if not self._is_of_any(left, gap):
            yield from each
            return
        for category, sets, cost, head in each:
            either = any_along(sets, self._joins)
            if either is not None:
                yield "set", replace(either, assumed=self._assumed(left, right)), cost, head
            yield category, sets, cost + IN_COMMON, head

    def _assumed(self, noun: Item, names: Item) -> str:
        """In words, that what any of several things has is asked for; empty where it must be."""
        word = noun.value
        relation = self._kinds.schema.by_id[word.relation]
        if relation.leads_to_one(back=word.role != "noun"):
            return ""
        spans = sorted((*noun.spans, *names.spans), key=lambda span: span.start)
        answers, assumed = self._kinds.language.answers, self._kinds.language.assumed
        said = assumed.asked_of.format(spans[0].text, answers.any(s.text for s in spans[1:]))
        return assumed.any_of_several.format(answers.quoted.format(said))

    def _is_of_any(self, noun: Item, gap: Sequence[str]) -> bool:
        """Whether a noun is said of each of several: "the capitals of France and Spain"."""
        grammar, word = self._grammar, noun.value
        relation = self._kinds.schema.by_id[word.relation]
        if "noun" not in word.role or self._kinds.gives_value(relation.id):
            return False
        single = word.role == "noun" and relation.leads_to_one()
        several = single or not self._joins.is_single(noun.spans[-1].text)
        return several and not grammar.of.isdisjoint(gap) and grammar.both.isdisjoint(gap)

    def _list_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        def turned(word: Item, of: Item, gap: Sequence[str]) -> Iterator[Joined]:
            return self._set_relation(of, word, gap)

        yield from self._each(right, left, turned, gap)
        names, step = left.value, Step(right.value.relation)
        if len(names) != 2 or not self._kinds.is_symmetric(step.relation):
            return
        one, other = names
        plain = isinstance(one, Named) and isinstance(other, Named) and not gap
        if plain and self._joins.leads(step, one.kinds) and self._joins.leads(step, other.kinds):
            to_other = self._joins.step(one, step)  # "do Spain and Morocco border"
            yield "fact", Both(other, to_other, other.kinds), 0.0, -1

    def _each(self, word: Item, several: Item, rule: Rule, gap: Sequence[str]) -> Iterator[Joined]:
        """A rule for each set of a list."""
        rows = [
            [j for j in rule(word, Item("set", one), gap) if j[0] == "set"] for one in several.value
        ]
        for choice in zip(*rows, strict=False):
            first = choice[0]
            if all(alike(j[1], first[1]) for j in choice):
                yield "list", tuple(j[1] for j in choice), first[2], first[3]


def _apart(sets: Sequence[Expression]) -> Expression:
    """All of several sets, each of which has a member."""
    return reduce(lambda one, other: Apart(one, other), sets[1:], sets[0])


def are_two_of_kind(left: Item, right: Item, gap: Sequence[str], language: Language) -> bool:
    """Whether one thing and another of the same class are named: "a red car and a blue car"."""
    grammar = language.grammar
    ends = gap[:1] and gap[0] in grammar.joining and not grammar.indefinite.isdisjoint(gap[1:])
    if not ends or left.head < 0 or right.head < 0:
        return False
    classes = [{s.meaning for s in one.spans if s.kind == "type"} for one in (left, right)]
    return not classes[0].isdisjoint(classes[1])


def names_doer(excluded: Item) -> bool:
    """Whether a name comes before its verb in what is left out: "nor Ben directed"."""
    spans = sorted(excluded.spans, key=lambda span: span.start)
    kinds = [span.kind for span in spans if span.kind != "operator"]
    return isinstance(excluded.value, Along) and kinds[:2] == ["name", "relation"]


def verb_before(left: Item, excluded: Item, gap: Sequence[str]) -> bool:
    """Whether a set ends with the verb whose object is left out: "reported" neither."""
    last = max(left.spans, key=lambda span: span.start)
    denied = all(span.kind == "operator" for span in excluded.spans[:1])  # none of "neither"
    return not gap and last.kind == "relation" and denied
