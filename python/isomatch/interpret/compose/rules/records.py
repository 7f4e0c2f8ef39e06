"""The rules for verbs of records: "ordered the drill", "donated to the zoo", "placed an order"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import reduce

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import is_much
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Count,
    Expression,
    ExtremeEach,
    Named,
    OfType,
    Onward,
    PerEach,
    Worked,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.leaves.record import Record
from isomatch.interpret.compose.lexical.constants import Comparison, equal_to, is_date
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.sets.counting import asks_how_often
from isomatch.interpret.compose.sets.joins import Joined, Joins
from isomatch.lexicon.folding import tokens

ALONE = 0.2  # for all who did it, whatever to
OF_PLACE = 0.3


class RecordRules(RuleSet):
    """Rules that join the verbs of records with who did it, to what, and when.

    Items of category ``record``, ``undergone``, ``done by`` and ``deed`` have a `Record`;
    ``undergone`` is what a passive says, and ``deed`` a verb that says no more than the noun.
    ``done to it`` has a step, and the records that it leads from to who did it, or had it done.
    Those of category ``done to`` and ``done at`` have a record and how it is without the
    preposition; ``recorded`` has a record, and its members by somebody.
    """

    def __init__(self, joins: Joins):
        super().__init__(joins)
        self.table = {
            ("record", "set"): self.record_set,
            ("record", "list"): self.record_list,
            ("done to", "list"): self.record_list,
            ("deed", "set"): self.deed_set,
            ("deed", "extreme"): self.deed_extreme,
            ("deed", "having"): self.deed_having,
            ("done by", "set"): self.done_by_set,
            ("set", "record"): self.set_record,
            ("recorded", "set"): self.recorded_set,
            ("set", "recorded by"): self.set_recorded_by,
            ("set", "undergone"): self.set_undergone,
            ("when", "recorded"): self.when_recorded,
            ("undergone", "set"): self.undergone_set,
            ("done to", "set"): self.done_to_set,
            ("set", "done to"): self.set_done_to,
            ("count", "recorded"): self.count_recorded,
            ("total", "recorded"): self.total_recorded,
            ("done at", "set"): self.done_at_set,
            ("done at", "constant"): self.done_constant,
            ("done at", "compared"): self.done_compared,
            ("done to it", "set"): self.done_to_whom,
            ("done to it", "constant"): self.done_constant,
            ("done to it", "compared"): self.done_compared,
            ("not", "record"): self.nobody_record,
            ("record", "filter"): self.record_filter,
            ("undergone", "filter"): self.record_filter,
            ("done at", "filter"): self.record_filter,
            ("done to it", "filter"): self.done_filter,
            ("undergone", "most"): self.undergone_most,
            ("most", "undergone"): self.most_undergone,
            ("record", "most"): self.record_most,
            ("record", "extreme"): self.record_extreme,
            ("record", "having"): self.record_having,
        }

    def record_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "reviewed the drill" """
        record: Record = left.value
        of: Expression = right.value
        if self._is_small(gap) and not is_value(of):
            for step in self._objects(record, of):
                done = self._members(record, of, step)
                yield "set", self._joins.step(done, record.doer), 0.1, -1
                yield "done to it", (record.doer, done), 0.1, -1

    def record_list(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "ordered tea and coffee", "applied for both posts": who did so to each of them"""
        rule = self.record_set if left.category == "record" else self.done_to_set
        said = [word for word in gap if word not in self._joins.grammar.both]
        every = [list(rule(left, replace(right, value=of), said)) for of in right.value]
        sets = [[j for j in found if j[0] == "set"] for found in every]
        if all(len(found) == 1 for found in sets):
            those = [found[0][1] for found in sets]
            both = reduce(lambda a, b: Both(a, b, a.kinds & b.kinds), those)
            yield "set", both, sum(found[0][2] for found in sets), -1

    def deed_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(who) made the largest donation" """
        record, of = left.value, right.value
        if self._is_small(gap) and self._are_of(record, of) and not isinstance(of, Named):
            yield "set", self._joins.step(of, record.doer), 0.1, -1

    def deed_extreme(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(who) placed the most orders" """
        step, descending, counted, places = right.value
        if step is None and counted is not None and self._are_of(left.value, counted):
            yield "extreme", (left.value.doer.inverse, descending, counted, places), 0.1, -1

    def deed_having(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(who) placed more than one order" """
        step, things, operator, number = right.value
        if step is None and self._are_of(left.value, things):
            yield "having", (left.value.doer.inverse, things, operator, number), 0.1, -1

    def _are_of(self, record: Record, of: Expression) -> bool:
        return not of.kinds.isdisjoint(record.every.kinds)

    def done_by_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "ordered by Ann" """
        record, of = left.value, right.value
        if self._is_small(gap) and not is_value(of) and self._does(record, of):
            yield from self._done_by(record, of)
            yield "recorded by", self._members(record, of, record.doer), 0.1, -1

    def undergone_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(who) was prescribed statin", "(what) was prescribed to Ann" """
        record: Record = left.value
        for step in self._objects(record, right.value) if self._is_small(gap) else ():
            done = self._members(record, right.value, step)
            for other in record.objects:
                if other != step:
                    yield "set", self._joins.step(done, other), 0.1, -1
                    yield "done to it", (other, done), 0.1, -1

    def done_at_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "transferred from Ajax", where that is a relation's preposition: `fromTeam`"""
        record, category = left.value
        if (timed := self._timed(record.every, right.value)) is not None:
            yield category, replace(record, every=timed), 0.1, -1
            return
        said = set(gap) - self._joins.grammar.articles
        every = self._objects(record, right.value)
        single = every if len(every) == 1 and said <= self._joins.grammar.placing else ()
        objects = tuple(single or (s for s in every if self._says(s, said)))
        beside = self._begun_by(record, right.value, said) if not objects else []
        if len(said) == 1 and len(beside) == 1:  # "watched on the phone", of its `onDevice`
            own = self._members(record, right.value, beside[0])
            yield category, replace(record, every=own), 0.1, -1
        elif len(said) == 1 and len(objects) == 1 and not is_value(right.value):
            record = replace(record, objects=objects)
            rule = self.undergone_set if category == "undergone" else self.record_set
            yield from rule(replace(left, value=record), right, ())

    def _begun_by(self, record: Record, of: Expression, small: Set[str]) -> list[Step]:
        """The steps from records to a set that one of some prepositions begins the name of."""
        names, between = self._kinds.schema.by_id, self._kinds.between(record.every.kinds, of.kinds)
        steps = [step for step in between if not (step.back or is_value(of))]
        return [s for s in steps if not small.isdisjoint(tokens(names[s.relation].text)[:1])]

    def _timed(self, of: Expression, value: Expression) -> Expression | None:
        """Those of some records that a text says the time of: "called at 20:26"."""
        schemas, known = self._joins.language.schemas, self._kinds.schema.by_id
        steps = [
            step
            for step in self._to_things(value, of.kinds)
            if schemas.say_when(tokens(known[step.relation].text))
            or self._kinds.gives_date(step.relation)
        ]
        return Both(of, self._joins.step(value, steps[0]), of.kinds) if len(steps) == 1 else None

    def _says(self, step: Step, words: Set[str]) -> bool:
        """Whether the name of a step has one of some words."""
        return not words.isdisjoint(tokens(self._kinds.schema.by_id[step.relation].text))

    def done_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "ordered in December 2023" """
        if gap and self._joins.language.prepositions.issuperset(gap):
            yield from self._dated(left, (equal_to(right.value),))

    def done_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "ordered after 2023" """
        scale, comparisons = right.value
        if scale is None and not gap:
            yield from self._dated(left, comparisons)

    def _dated(self, deed: Item, comparisons: Sequence[Comparison]) -> Iterator[Joined]:
        """A deed of a time, by the one date that its records have."""
        own = deed.value[1] if deed.category == "done to it" else deed.value[0].every
        date = self._date(own)
        if date is None or not all(map(is_date, (v for c in comparisons for v in c.values))):
            return
        dated = self._joins.compared(own, date, comparisons)
        if deed.category == "done to it":  # "ordered the drill in December 2023"
            yield "set", self._joins.step(dated, deed.value[0]), 0.1, -1
        else:
            record, category = deed.value
            yield category, replace(record, every=dated), 0.1, -1

    def nobody_record(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(films) that nobody has rated" """
        grammar, record = self._joins.grammar, right.value
        if left.spans[0].text.lower() in grammar.nobody and grammar.linking.issuperset(gap):
            for step, cost in self._things(record):
                yield "excluded", self._joins.step(record.every, step), 0.1 + cost, -1

    def record_filter(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(films) rated below 3 stars", by a value of the ratings"""
        record: Record = left.value[0] if left.category == "done at" else left.value
        every = self._with_value(record.every, right, gap)
        passive = self._joins.language.is_participle(left.spans[0].text.lower())
        if every is not None and (passive or left.category == "undergone"):
            yield "undergone", replace(record, every=every), 0.1, -1

    def done_filter(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(who) rated Heat below 3 stars", "with 3 stars" """
        step, done = left.value
        own = self._with_value(done, right, gap)
        if own is not None:
            yield "set", self._joins.step(own, step), 0.1, -1

    def _with_value(
        self, records: Expression, filtered: Item, gap: Sequence[str]
    ) -> Expression | None:
        """The records with such a value; None where it is no value of theirs."""
        step, comparisons = filtered.value
        theirs = self._joins.leads(step, records.kinds)
        if not theirs or not (self._joins.grammar.owning.issuperset(gap)):
            return None
        return self._joins.compared(records, step, comparisons)

    def done_to_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "prescribed to Ann", "donated to the zoo" """
        record, category = left.value
        grammar = self._joins.grammar
        objects = self._objects(record, right.value)
        to = [s for s in objects if self._says(s, grammar.whither | grammar.for_)]
        fitting = [s for s in objects if not self._says(s, grammar.whence)]
        chosen = tuple(to or fitting)
        if len(chosen) != 1:
            return
        if category == "undergone":
            others = tuple(s for s in record.objects if s not in objects)
            record = replace(record, objects=(*chosen, *others))
            yield from self.undergone_set(replace(left, value=record), right, gap)
        else:
            to_it = self._members(record, right.value, chosen[0])
            others = tuple(s for s in record.objects if s not in chosen)
            if to:  # "(what) did Ann donate to the zoo"
                yield "record", replace(record, every=to_it, objects=others), 0.1, -1
            record = replace(record, objects=chosen)
            yield from self.record_set(replace(left, value=record), right, gap)

    def done_to_whom(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(who) lent the drill to Ann" """
        step, done = left.value
        to = self._to(done, right.value, gap)
        if to is not None:
            own = Along(right.value, to.inverse, done.kinds)
            yield "set", self._joins.step(Both(done, own, done.kinds), step), 0.1, -1

    def _to(self, done: Expression, of: Expression, gap: Sequence[str]) -> Step | None:
        """The one step from records to a set that a preposition before it names."""
        grammar = self._joins.grammar
        said = set(gap) - grammar.articles - grammar.indefinite
        if len(said) != 1 or said.isdisjoint(grammar.whither | grammar.for_) or is_value(of):
            return None
        between = self._kinds.between(done.kinds, of.kinds)
        steps = [step for step in between if not step.back and self._says(step, said)]
        return steps[0] if len(steps) == 1 else None

    def set_done_to(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(what) did Ann donate to" """
        record, category = right.value
        grammar = self._joins.grammar
        to = [s for s in record.objects if self._says(s, grammar.whither | grammar.for_)]
        record = replace(record, objects=tuple(to or record.objects))
        if category == "record":
            yield from self.set_record(left, replace(right, value=record), gap)

    def count_recorded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "how much did Ann donate": all of it together; "how often did she donate" """
        record, own = right.value
        if asks_how_often(left, self._joins.language):
            yield "number of", Count(own), 0.0, -1
        prices = self._joins.grading.prices(own.kinds)
        if record.objects and is_much(left, self._joins.language) and len(prices) == 1:
            yield "number of", Worked("sum", own, prices[0]), 0.1, -1

    def total_recorded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "how many packets did Ann order": of all her orders together"""
        (_, own), step = right.value, Step(left.value.relation)
        if self._joins.language.auxiliaries.issuperset(gap) and self._joins.leads(step, own.kinds):
            yield "number of", Worked("sum", own, step), 0.1, -1

    def record_most(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "donated the most": those whose donations are the greatest together"""
        record, (most, places) = left.value, right.value
        prices = self._joins.grading.prices(record.every.kinds)
        doers = self._joins.whole(self._kinds.ends(record.doer)[1])
        language = self._joins.language
        gives = not language.forms(left.spans[0].text.lower()).isdisjoint(language.schemas.giving)
        if most and gives and len(prices) == 1 and doers and self._is_small(gap):
            step, own = record.doer.inverse, record.every
            each = PerEach(doers, step, own, doers.kinds, "sum", prices[0])
            yield "set", ExtremeEach(each, most, doers.kinds, places), ALONE, -1

    def _date(self, of: Expression) -> Step | None:
        """The date of records: their only one, or the one that is called by their class."""
        every = self._joins.whole(of.kinds)
        return self._joins.date_of(every) if every else None

    def undergone_most(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "was ordered the most", "is prescribed most often"

        Where orders say how many pieces they are of, only "often" counts the orders.
        """
        record, (most, places) = left.value, right.value
        often = asks_how_often(right, self._joins.language)
        pieces = [] if often else self._joins.grading.quantities(record.every.kinds)
        if len(pieces) == 1 and isinstance(record.every, OfType):
            yield "extreme each", (("sum", pieces[0], record.every), most, places), 0.1, -1
        for step, cost in () if pieces else self._things(record):
            yield "extreme", (step.inverse, most, record.every, places), 0.1 + cost, -1

    def most_undergone(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the most ordered (product)", "the most often borrowed" """
        for category, value, cost, head in self.undergone_most(right, left, ()) if not gap else ():
            yield "most undergone", Item(category, value), cost, head

    def _is_small(self, gap: Sequence[str]) -> bool:
        grammar = self._joins.grammar
        return (grammar.any_article).issuperset(gap)

    def _objects(self, record: Record, of: Expression) -> list[Step]:
        """The steps from a record to a set."""
        ends = self._kinds.ends
        return [step for step in record.objects if not ends(step)[1].isdisjoint(of.kinds)]

    def record_extreme(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "ordered the most products" """
        step, descending, counted, places = right.value
        if step is None and counted is not None:
            for one, things in self._counted(left.value, counted):
                yield "extreme", (one, descending, things, places), 0.1, -1

    def record_having(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "ordered more than two products" """
        step, things, operator, number = right.value
        if step is None:
            for one, counted in self._counted(left.value, things):
                yield "having", (one, counted, operator, number), 0.1, -1

    def _counted(self, record: Record, things: Expression) -> Iterator[tuple[Step, Onward]]:
        """The step from who did it to the records, and what is counted of these."""
        for step in self._objects(record, things):
            onward = Onward(record.every, step, things, record.every.kinds)
            yield record.doer.inverse, onward

    def set_record(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(what) did Ann order" """
        of: Expression = left.value
        plain = self._joins.language.auxiliaries.issuperset(gap) and left.head >= 0
        if plain and not is_value(of) and self._does(right.value, of):
            yield from self._done_by(right.value, of)
            own = self._members(right.value, of, right.value.doer)
            yield "recorded", (right.value, own), 0.1, -1

    def set_undergone(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(when) was the drill ordered" """
        of: Expression = left.value
        plain = isinstance(of, Named) and self._joins.grammar.been.issuperset(gap)
        for step in self._objects(right.value, of) if plain else ():
            record = replace(right.value, objects=())  # what else it was done to is not said
            yield "recorded", (record, self._members(right.value, of, step)), 0.1, -1

    def recorded_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(when) did Ann order the drill", "(did) Ann open Ticket 7" """
        record, own = left.value
        yield from self.set_recorded_by(right, replace(left, value=own), gap)
        steps = self._objects(record, right.value) if self._is_small(gap) else []
        to = self._to(own, right.value, gap)
        for step in steps if to is None else (to,):  # "did Ann lend the drill to Bob"
            of = self._members(record, right.value, step)
            yield "recorded", (record, Both(own, of.right, own.kinds)), 0.0, -1

    def when_recorded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "when did Ann order the drill": the date of that order"""
        _, own = right.value
        if (date := self._date(own)) is not None:
            yield "set", self._joins.step(own, date), 0.1, left.head

    def set_recorded_by(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(was) Ticket 7 opened by Ann", whether that one was"""
        one, own = left.value, right.value
        small = self._is_small(gap) or self._joins.grammar.been.issuperset(gap)
        if small and isinstance(one, Named) and one.kinds & own.kinds:
            known = isinstance(own, Both) and isinstance(own.left, OfType)
            yield "fact", Both(one, own.right if known else own, one.kinds), 0.1, -1

    def alone(self, item: Item) -> Iterator[Item]:
        """ "(who) ordered", whatever it was"""
        if item.category == "record":
            record: Record = item.value
            doers = self._joins.step(record.every, record.doer)
            yield Item("set", doers, item.score - ALONE, -1, item.spans)
        if item.category == "undergone":  # "was ever ordered"
            for step, cost in self._things(item.value):
                done = self._joins.step(item.value.every, step)
                yield Item("set", done, item.score - cost - ALONE, -1, item.spans)

    def _does(self, record: Record, of: Expression) -> bool:
        """Whether some of a set may be who did it."""
        return not self._kinds.ends(record.doer)[1].isdisjoint(of.kinds)

    def _done_by(self, record: Record, of: Expression) -> Iterator[Joined]:
        """What somebody did it to."""
        done = self._members(record, of, record.doer)
        for step, cost in self._things(record):
            yield "set", self._joins.step(done, step), 0.1 + cost, -1

    def _things(self, record: Record) -> Iterator[tuple[Step, float]]:
        """What it was done to, and what this costs: a place rather is where it was done.

        And whom it was done to or for is rather no answer to what was done.
        """
        aside = self._joins.grammar.whither | self._joins.grammar.for_
        for step in record.objects:
            called = tokens(self._kinds.schema.by_id[step.relation].text)
            apart = self._joins.language.says_place(called) or not aside.isdisjoint(called[1:])
            yield step, OF_PLACE * (len(record.objects) > 1 and apart)

    def _members(self, record: Record, of: Expression, step: Step) -> Both:
        """Those of the records that a step leads to a set from."""
        own = Along(of, step.inverse, record.every.kinds)
        return Both(record.every, own, record.every.kinds)
