"""The rules for "how long", "longer than", "between 1990 and 2000", "in 1999"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import (
    begins_with_relation,
    ends_with_state,
    first_of,
    is_of_other_kind,
    is_whole,
)
from isomatch.interpret.compose.expressions import (
    Along,
    Counted,
    Expression,
    Extreme,
    Named,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.constants import (
    Comparison,
    are_apart,
    are_dates,
    equal_to,
    is_date,
)
from isomatch.interpret.compose.lexical.states import is_planned_beside
from isomatch.interpret.compose.rules.amounts import UNSAID_VALUE, AmountRules, with_unit
from isomatch.interpret.compose.rules.base import RuleSet, swapped
from isomatch.interpret.compose.rules.dates import (
    did_then,
    done_then,
    is_day_of_year,
    set_done_then,
)
from isomatch.interpret.compose.rules.superlatives import SECOND_SENSE
from isomatch.interpret.compose.sets.counting import OPPOSITE, is_any, numbered, several_texts
from isomatch.interpret.compose.sets.joins import RIVAL, Joined, Joins
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.tables import Scale
from isomatch.pattern.types import Operator

TURNED: Mapping[str, Operator] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
MOST_THINGS = 100  # that a number before a noun counts; "10255 orders" may be a code
OTHER_KIND = 0.5  # for a name of several kinds, as another kind than what is compared with it


class ComparisonRules(RuleSet):
    """Rules that compare values with constants and with other values.

    An item of category ``compared`` has (scale of the adjective or None, comparisons); one of
    category ``filter`` (step to the value, comparisons).
    """

    def __init__(self, joins: Joins):
        super().__init__(joins)
        # "came out in", and not "released in 1990 and 2000"
        self._at = joins.language.building - joins.grammar.joining
        self.table = {
            **AmountRules(joins).table,
            ("degree", "set"): self.degree_set,
            ("set", "degree"): swapped(self.degree_set),
            ("comparison", "constant"): self.comparison_constant,
            ("comparison", "quantity"): self.comparison_quantity,
            ("range", "constant"): self.range_constant,
            ("range", "quantity"): self.range_quantity,
            ("relation", "quantity"): self.relation_quantity,
            ("comparison", "set"): self.comparison_set,
            ("compared", "compared"): self.compared_compared,
            ("relation", "compared"): self.relation_compared,
            ("compared", "relation"): swapped(self.relation_compared),
            ("relation", "constant"): self.relation_constant,
            ("relation", "punctual"): self.relation_punctual,
            ("constant", "relation"): self.constant_relation,
            ("quantity", "relation"): self.quantity_relation,
            ("set", "constant"): self.set_constant,
            ("compared", "set"): self.compared_set,
            ("constant", "set"): self.constant_set,
            ("relation", "having"): self.relation_having,
            ("set", "having"): self.set_having,
            ("not", "having"): self.not_having,
            ("not", "filter"): self.not_filter,
            ("not", "compared"): self.not_compared,
            ("filter", "set"): swapped(self.set_filter),
            ("year of", "relation"): self.year_relation,
            ("set", "done then"): lambda a, b, gap: set_done_then(a, b, gap, self._joins),
            ("not", "done then"): lambda a, b, gap: iter([("excluded", b.value, 0.0, -1)]),
            ("comparative", "relation"): self.comparative_relation,
        }

    def alone(self, item: Item) -> Iterator[Item]:
        """Those of whom a verb and a comparison say something: "who joined before 2000"."""
        if item.category == "done then":
            yield replace(item, category="answer", score=item.score - 0.3)
        if item.category != "filter":
            return
        step, comparisons = item.value
        every = self._joins.whole(self._kinds.ends(step)[0])
        free = self._joins.language.free_order
        if every is not None and (free or begins_with_relation(item)):
            found = self._joins.compared(every, step, comparisons)
            first = min(item.spans, key=lambda span: span.start).text.lower()
            if self._joins.names_values(first, step.relation):  # "fines over 500"
                found = self._joins.step(found, step)
            yield Item("answer", found, item.score - 0.2, -1, item.spans)

    def degree_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "how long is the Ohio", "the height of the highest mountain" """
        of: Expression = right.value
        scale: Scale = left.value
        graded = self._joins.grading.graded
        if isinstance(of, Along) and of.step.relation in self._joins.named_extremes:
            step, descending = self._joins.named_extremes[of.step.relation]
            if any(step == s for s, _ in graded(scale, descending, self._kinds.ends(step)[0])):
                yield "set", self._joins.step(of.of, step), 0.0, -1
                return
        if is_value(of):
            said, being = left.spans[-1].text, self._joins.grammar.being
            if not being.isdisjoint(gap) and self._joins.grading.is_degree_of(said, scale, of):
                yield "set", of, 0.1, right.head  # "how high is the salary of Ann"
            return
        for place, (step, great) in enumerate(graded(scale, True, of.kinds)):
            if great:  # a year of birth does not say how old
                yield "set", self._joins.step(of, step), SECOND_SENSE * place, -1

    def comparison_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "over 500" """
        operator, scale = left.value
        if len(right.value) > 1 or (self._is_by(left) and not is_date(right.value[0])):
            return
        if operator == "between":
            yield "range", right.value, 0.0, -1
        else:
            yield "compared", (scale, (Comparison(operator, right.value),)), 0.0, -1

    def comparison_quantity(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "over 500 km" """
        (operator, scale), (values, unit) = left.value, right.value
        if operator != "between" and not self._is_by(left):
            yield "compared", (scale, (Comparison(operator, values, unit=unit),)), 0.0, -1

    def _is_by(self, comparison: Item) -> bool:
        """Whether a comparison is "by 1900", which only dates are compared with."""
        return comparison.spans[0].text.lower() in self._joins.grammar.by

    def range_quantity(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "between 500 and 1000 km" """
        values, unit = right.value
        for _, (scale, both), cost, head in self.range_constant(left, Item("set", values), gap):
            yield "compared", (scale, tuple(replace(c, unit=unit) for c in both)), cost, head

    def relation_quantity(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "a length of 500 km" """
        values, unit = right.value
        constant = Item("constant", values)
        for _, (step, (equal,)), cost, head in self.relation_constant(left, constant, gap):
            yield "filter", (step, (replace(equal, unit=unit),)), cost, head

    def year_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the year of birth", where a relation "born" leads to years or dates"""
        relation = self._kinds.schema.by_id[right.value.relation]
        values = relation.is_ordered and self._kinds.gives_value(relation.id)
        if values and gap and self._joins.grammar.of.issuperset(gap):
            yield "relation", replace(right.value, role="noun"), 0.0, right.head

    def range_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "between 1990 and 2000" """
        if not self._joins.grammar.range.isdisjoint(gap):
            both = (Comparison(">=", left.value), Comparison("<=", right.value))
            yield "compared", (None, both), 0.0, -1

    def compared_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "above 500 and below 1000"; not "built after 1950 are smaller than Auk" """
        (scale, first), (other, second), being = left.value, right.value, self._joins.grammar.being
        if scale == other and (being.isdisjoint(gap) or not are_apart(first, second)):
            both = (*(replace(c, unit=c.unit or second[0].unit) for c in first), *second)
            yield "compared", (scale, both), 0.0, -1

    def comparison_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "longer than the Ohio" """
        operator, scale = left.value
        if operator != "between":
            compared = Comparison(operator, (), right.value)
            yield "compared", (scale, (compared,)), 0.0, -1
            if tuple(left.spans[0].text.lower().split()) in self._joins.grammar.temporal:
                yield "dated", (compared,), 0.0, -1

    def relation_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "a population over 500" """
        relation, (_, found) = left.value.relation, right.value
        value = self._kinds.gives_value(relation) and not self._kinds.is_boolean(relation)
        others = [one.other for one in found if one.other and not is_value(one.other)]
        value = value and all(self._joins.leads(Step(relation), of.kinds) for of in others)
        dates = all(is_date(number) for one in found for number in one.values)
        value = value and (dates or not self._joins.is_dated(relation))  # "more than one founder"
        texts = self._kinds.gives_texts(relation) and not self._joins.grading.gives_date(relation)
        value = value and not texts  # "made after 2010" compares no make
        when = tuple(right.spans[0].text.lower().split()) in self._joins.grammar.temporal
        value = value and not (when and self._joins.grading.is_measure(relation))
        # "opened before 2000 are closed", "have closed" says not when
        verbs = self._joins.grammar.being | self._joins.language.auxiliaries
        apart = left.spans[0].start > right.spans[0].start and not verbs.isdisjoint(gap)
        end = self._joins.grading.is_other_end(relation, left.spans[0], {o.operator for o in found})
        if texts and (several := several_texts(left, found, self._kinds)) is not None:
            yield "having", several, 0.0, -1  # "at least two languages"
        if value and not (apart or end):
            own = {*tokens(self._kinds.schema.by_id[relation].text)[-1:]}
            if own & {span.text.lower() for span in right.spans} and found[0].operator == "<=":
                found = (replace(found[0], operator="="), *found[1:])  # "valid until May"
            yield "filter", (Step(relation), found), 0.0, -1
        if left.spans[0].start < right.spans[0].start and not self._is_over(right):
            yield from did_then(left, found, self._joins)

    def relation_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "released in 1999" """
        relation = left.value.relation
        dated = self._kinds.gives_date(relation) and not self._joins.grammar.of.isdisjoint(gap)
        if dated and not self._joins.language.is_verb(left.spans[-1].text.lower()):
            return  # "the end of 2001" is no day on which something ended
        end = self._joins.grading.is_other_end(relation, left.spans[0], {"="})
        value = self._kinds.gives_value(relation) and not self._kinds.is_boolean(relation)
        texts = self._kinds.gives_texts(relation) and not any(map(is_date, right.value))
        if value and not (end or texts) and self._at.issuperset(gap):
            yield "filter", (Step(relation), (equal_to(right.value),)), 0.0, -1
        if gap and self._at.issuperset(gap):
            yield from did_then(left, (equal_to(right.value),), self._joins)

    def relation_punctual(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "ended later than planned", "delivered on time" """
        relation, (operator, plan) = left.value.relation, right.value
        beside = not gap and is_planned_beside(plan.relation, relation, self._kinds)
        if beside and self._joins.grading.gives_date(relation):
            yield "filter", (Step(relation), (Comparison(operator, (), own=plan),)), 0.0, -1

    def constant_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "8 cores", where a relation says how many, and "2021 eingetreten" in a free order"""
        (number, *others), noun = left.value, right.spans[-1].text.lower()
        free = self._joins.language.free_order and "noun" not in right.value.role
        if free and is_date(number) and self._kinds.gives_date(right.value.relation):
            yield from self.relation_constant(right, left, gap)
        named = {*tokens(noun)} <= {*tokens(self._kinds.schema.by_id[right.value.relation].text)}
        told = right.value.role == "number" or (right.value.role == "noun" and named)
        plain = number.isdecimal() and not (others or gap or is_date(number))
        if plain and told and not self._joins.is_single(noun):  # "5 ratings" are no rating of 5
            yield from self.relation_constant(right, left, ())

    def quantity_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "64 GB of memory" """
        if gap and self._joins.grammar.of.issuperset(gap) and right.value.role == "noun":
            yield from self.relation_quantity(right, left, ())

    def set_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "rivers longer than 500", "films after 2000" """
        (scale, comparisons), of = right.value, left.value
        if isinstance(of, Named) or is_value(of):
            return
        if scale is None:
            if all(c.other is None for c in comparisons):
                first = min(right.spans, key=lambda span: span.start).text.lower().split()[:1]
                said = {word for span in right.spans for word in tokens(span.text)}
                many = said & (self._joins.grammar.more | self._joins.grammar.fewer)
                if not many and not self._is_over(right):  # no date is "more" or "over 1000"
                    yield from self._dated(left, comparisons)
                above = self._joins.language.prepositions.issuperset(first)  # no distance
                verbal = any(span.kind == "relation" for span in left.spans)
                if above and not (verbal or self._says_what(right)):
                    yield from with_unit(of, comparisons, left.head, self._joins)
            return
        for place, (step, great) in enumerate(self._joins.grading.graded(scale, True, of.kinds)):
            if not (great or are_dates(comparisons)):
                continue  # what is "older than 50" was not founded before the year 50
            turned = [c if great else c.turned(TURNED) for c in comparisons]
            cost = SECOND_SENSE * place + OTHER_KIND * any(
                is_of_other_kind(c.other, of) for c in comparisons
            )
            yield "set", self._joins.compared(of, step, turned), cost, left.head

    def _is_over(self, compared: Item) -> bool:
        """Whether a preposition compares amounts only, as "under" does, and "before" does not."""
        said, compares = tuple(tokens(compared.spans[0].text)), self._joins.language.comparisons
        over = any(said in compares.get(sign, ()) for sign in ("<", ">"))
        return over and said not in self._joins.grammar.temporal

    def _says_what(self, compared: Item) -> bool:
        """Whether a comparison has an adjective, as "higher than"."""
        words = {word for span in compared.spans for word in span.text.lower().split()}
        scales = self._joins.language.scales
        return any(not words.isdisjoint((*s.higher, *s.lower)) for s in scales)

    def set_dated(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "films after Heat" """
        of, (one,) = left.value, right.value
        for step in self._joins.dates(of.kinds) if not is_value(of) else ():
            if self._joins.leads(step, one.other.kinds) and not is_value(one.other):
                yield from self._dated(left, (one,))
                return

    def set_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "films of 1999" """
        of: Expression = left.value
        if gap and self._at.issuperset(gap) and not isinstance(of, Named) and not is_value(of):
            then = not self._joins.grammar.placing.isdisjoint(gap)
            yield from self._dated(left, (equal_to(right.value),), then=then)

    def _dated(
        self, left: Item, comparisons: Sequence[Comparison], *, then: bool = False
    ) -> Iterator[Joined]:
        """Those of a set with such a date, where they have one; ``then`` is for "in 1920"."""
        of: Expression = left.value
        if not are_dates(comparisons):
            return
        if ends_with_state(left, self._joins.language):
            return
        if (done := done_then(left, comparisons, self._joins)) is not None:
            yield "set", done, UNSAID_VALUE, left.head
            return
        date = self._joins.date_of(of)
        if date and is_day_of_year(date, comparisons, self._joins):
            return
        # Banks that were there in 1920 may be older.
        if date and not (then and date.relation in self._joins.grading.foundings):
            yield "set", self._joins.compared(of, date, comparisons), UNSAID_VALUE, left.head

    def compared_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "at least two rivers", "fewer than two rivers" """
        scale, comparisons = left.value
        things: Expression = right.value
        if scale is not None or len(comparisons) > 1 or isinstance(things, Named):
            return
        operator, values = comparisons[0].operator, comparisons[0].values
        plain = comparisons[0].unit is None and not comparisons[0].either
        counts = plain and len(values) == 1 and values[0].isdecimal() and operator in OPPOSITE
        if not counts or is_value(things):
            return
        number = int(values[0])
        if isinstance(things, Along) and is_whole(things):  # "at least two neighbours"
            if every := self._joins.every(things.kinds):
                yield "having", (things.step, every, operator, number), 0.0, -1
            return
        if not self._is_verb(right, number):
            yield "having", (None, things, operator, number), 0.0, -1

    def _is_verb(self, things: Item, number: int) -> bool:
        """Whether things begin with a verb, or with no plural where several are counted.

        "Patients over 50 live in Basel" counts none who live there.
        """
        first = min(things.spans, key=lambda span: span.start)
        if first.kind != "relation" or self._joins.language.free_order:
            return False
        return things.head < 0 or (number != 1 and self._joins.is_single(first.text))

    def not_having(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "do not border more than two states" """
        step, things, operator, number = right.value
        if left.spans[0].text.lower() not in self._joins.grammar.leaving_out:
            yield "having", (step, things, OPPOSITE[operator], number), 0.0, -1

    def not_filter(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "did not open before 1950": what opened then or later, and nothing without a date"""
        step, comparisons = right.value
        turned = all(c.operator in OPPOSITE and not c.either for c in comparisons)
        constant = all(c.other is None and c.unit == comparisons[0].unit for c in comparisons)
        turned &= not self._kinds.is_boolean(step.relation)
        if turned and (constant or len(comparisons) == 1):  # before or after the nineties
            one, *others = (replace(c, operator=OPPOSITE[c.operator]) for c in comparisons)
            yield "filter", (step, (replace(one, either=tuple(others)),)), 0.0, -1

    def not_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "not larger than France" """
        scale, comparisons = right.value
        one = comparisons[0]
        plain = scale is not None and len(comparisons) == 1 and not (gap or one.either)
        if plain and one.operator in OPPOSITE:
            yield "compared", (scale, (replace(one, operator=OPPOSITE[one.operator]),)), 0.0, -1

    def constant_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "two rivers" """
        number = left.value[0] if len(left.value) == 1 else ""
        if gap or not number.isdecimal() or int(number) > MOST_THINGS:
            return
        if (firsts := first_of(left.value, right.value)) is not None:
            yield "set", firsts, 0.0, right.head
        compared = Item("compared", (None, (Comparison("=", left.value),)))
        yield from self.compared_set(compared, right, gap)

    def relation_having(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "borders at least two states" """
        step, things, operator, number = right.value
        if step is not None and step.relation == left.value.relation:
            yield "having", right.value, 0.0, -1  # "speak at least two languages"
        for one, cost in () if step else self._joins.subject_steps(left.value, gap, things.kinds):
            yield "having", (one, things, operator, number), cost, -1

    def set_having(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "states with at least two rivers" """
        step, things, operator, number = right.value
        of: Expression = left.value
        if isinstance(of, (Named, Extreme, Counted)) or is_value(of):
            return
        if step is None and left.head < 0:
            return  # "Texas borders two states" says nothing of what Texas borders
        steps = [step] if step else self._joins.likely_steps(of.kinds, things.kinds)
        for one in steps:
            if self._joins.leads(one, of.kinds):
                cost = RIVAL * (len(steps) - 1)
                counted = numbered(of, one, things, operator, number)
                single = self._joins.leads_to_one(one) and not is_any(operator, number)
                if counted is not None:
                    category = "answer" if single else self._joins.said(gap)
                    yield category, counted, cost + 0.1, left.head
                if single and (onward := self._joins.onward(of, one, things, gap)):
                    yield "having", (None, onward, operator, number), cost, -1

    def comparative_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "a larger population", "more people" """
        operator, scale, _ = left.value
        relation = right.value.relation
        if scale is None and self._joins.is_dated(relation):
            return  # "more founders" are no later year, where companies were "founded in" one
        agrees = scale is None or self._joins.grading.agrees(relation, operator == ">")
        ordered = self._kinds.schema.by_id[relation].is_ordered
        if agrees and ordered and self._kinds.gives_value(relation) and not gap:
            yield "comparative", (operator, scale, Step(relation)), 0.0, -1

    def set_filter(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "states with a population over 500" """
        step, comparisons = right.value
        of: Expression = left.value
        if not self._joins.grammar.joining.isdisjoint(gap) and self._ends_in_value(left):
            return  # "started and ended in 2001": both of them then
        if not isinstance(of, Named) and not is_value(of) and self._joins.leads(step, of.kinds):
            yield self._joins.said(gap), self._joins.compared(of, step, comparisons), 0.0, left.head

    def _ends_in_value(self, left: Item) -> bool:
        """Whether the last word before says that something has a value, as "started"."""
        last = max(left.spans, key=lambda span: span.start)
        values = (r.text for r in self._kinds.relations if self._kinds.gives_value(r.id))
        return last.kind == "relation" and last.meaning in values
