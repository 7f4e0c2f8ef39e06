"""Verbs for what a class records: "ordered", of orders of products that customers place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from isomatch.chains.graph import Step
from isomatch.interpret.compose.categories import Category
from isomatch.interpret.compose.constants import Comparison, equal_to, is_date
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Expression,
    OfType,
    Onward,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.joins import Joined, Joins, Table
from isomatch.interpret.compose.phrases import meant_by, span_of
from isomatch.interpret.content import Word
from isomatch.lexicon.lexicon import Lexicon

Leaves = Mapping[tuple[int, int], list[Item]]  # by their places (start, end)
ALONE = 0.2  # for all who did it, whatever to


@dataclass(frozen=True, slots=True)
class Record:
    """A class whose members say that somebody did something.

    Attributes:
        every: all of it, or those of some time.
        doer: the step to who did it.
        objects: those to what it was done to, or done by.
        text: what the class is called.
    """

    every: Expression
    doer: Step
    objects: tuple[Step, ...]
    text: str


class RecordRules:
    """Finds the verbs for records in a question, and joins them with who did it, or with what.

    An item of category ``record`` has a `Record`. Where a class has no one relation to who did it,
    it records no deed.

    Args:
        joins: of the graph.
        lexicon: words of types.
    """

    def __init__(self, joins: Joins, lexicon: Lexicon):
        self._joins = joins
        self._kinds = joins.kinds
        self._lexicon = lexicon
        self.table: Table = {
            ("record", "set"): self.record_set,
            ("done by", "set"): self.done_by_set,
            ("set", "record"): self.set_record,
            ("recorded", "set"): self.recorded_set,
            ("when", "recorded"): self.when_recorded,
            ("undergone", "set"): self.undergone_set,
            ("done to", "set"): self.undergone_set,
            ("done at", "constant"): self.done_constant,
            ("done at", "compared"): self.done_compared,
            ("undergone", "most"): self.undergone_most,
            ("record", "extreme"): self.record_extreme,
            ("record", "having"): self.record_having,
        }

    def with_verbs(self, question: str, words: Sequence[Word], leaves: Leaves) -> Leaves:
        """The leaves, with verbs that are a class's noun; these are no nouns there."""
        read = dict(leaves)
        for place, length, item in self._verbs(question, words):
            here = [one for one in read.get((place, place + 1), ()) if not _is_class(one)]
            read[place, place + 1] = here
            read[place, place + length] = [*read.get((place, place + length), ()), item]
        return read

    def idle(self, words: Sequence[Word], leaves: Leaves) -> set[int]:
        """The places of verbs that say no more than a noun for records does: "placed an order"."""
        language, schemas = self._joins.language, self._joins.language.schemas
        nouns = {
            form
            for (_, end), items in leaves.items()
            if any(map(_is_class, items))
            for form in language.noun_forms(words[end - 1].text)
            if form in self._records
        }
        verbs = {verb for noun in nouns for verb in schemas.deeds.get(noun, ())}
        read = {place for start, end in leaves for place in range(start, end)}
        return {
            place
            for place, word in enumerate(words)
            if place not in read and not verbs.isdisjoint(language.forms(word.text))
        }

    def _verbs(self, question: str, words: Sequence[Word]) -> Iterator[tuple[int, int, Item]]:
        """The verbs of a question: (place, number of words, item)."""
        language, grammar = self._joins.language, self._joins.grammar
        if language.free_order or not self._records:
            return
        asked = False  # "did Ann order", and not "the order"
        for place, word in enumerate(words):
            asked = asked or (place > 0 and word.text in language.auxiliaries)
            if place == 0 or word.text in language.function_words:
                continue
            record = self._said(word.text)
            noun = not language.noun_forms(word.text).isdisjoint(self._records)
            base = word.text in self._records and asked and self._ends(words, place)
            if record is None or (noun and not base):
                continue
            spans = (meant_by(span_of(question, words, place, 1), "type", record.text),)
            following, before = {w.text for w in words[place + 1 : place + 2]}, words[:place]
            passive = not grammar.been.isdisjoint(w.text for w in before)
            category: Category = "undergone" if passive else "record"
            if not grammar.by.isdisjoint(following):
                yield place, 2, Item("done by", record, spans=spans)
            elif not (grammar.whither | grammar.for_).isdisjoint(following):
                yield place, 2, Item("done to", record, spans=spans)
            elif not language.prepositions.isdisjoint(following):
                yield place, 1, Item("done at", (record, category), spans=spans)
            else:
                yield place, 1, Item(category, record, spans=spans)

    def _said(self, verb: str) -> Record | None:
        """What records a deed: "order" that it was ordered, "prescription" that it was prescribed.

        None for no such class.
        """
        language = self._joins.language
        forms = language.forms(verb)
        nouns = [noun for noun in self._records if noun in forms]
        nouns += [n for n in self._records if any(language.is_deed(n, form) for form in forms)]
        return self._records[nouns[0]] if nouns else None

    def _ends(self, words: Sequence[Word], place: int) -> bool:
        """Whether a verb ends a question, or something small follows: "order from"."""
        after = [word.text for word in words[place + 1 : place + 2]]
        return self._joins.language.function_words.issuperset(after)

    @cached_property
    def _records(self) -> dict[str, Record]:
        """The records of the graph by their nouns; a verb that says a relation says that."""
        if not self._kinds.schema.typed:
            return {}
        forms, relations = self._joins.language.forms, self._kinds.relations
        called = (
            (relation, form)
            for relation in relations
            for phrase in self._kinds.phrases[relation.id]
            for form in forms(phrase.split()[0])
        )
        said: dict[str, list[str]] = {}
        for relation, form in called:
            said.setdefault(form, []).append(relation.id)
        found = {}
        for type_id, words in self._lexicon.types.items():
            of = self._kinds.of_type(type_id)
            own = {r.id for r in relations if not self._kinds.ends(Step(r.id))[0].isdisjoint(of)}
            record = (
                None if set(said.get(words.word, ())) - own else self._record(OfType(type_id, of))
            )
            if record is not None:
                found[words.word] = record
        return found

    def _record(self, every: OfType) -> Record | None:
        """A class, if there is one step to who did what it records, and one to what at least."""
        steps = [
            step
            for relation in self._kinds.relations
            if not self._kinds.gives_value(relation.id)
            for step in (Step(relation.id), Step(relation.id, True))
            if not self._kinds.ends(step)[0].isdisjoint(every.kinds)
        ]
        schemas = self._joins.language.schemas
        people = schemas.people | schemas.makers | schemas.doers.keys()
        doers = [s for s in steps if not s.back and self._kinds.is_passive(s.relation)]
        doers = doers or [step for step in steps if self._are(step, people)]
        objects = tuple(step for step in steps if step not in doers)
        text = self._kinds.type_texts[every.type]
        return Record(every, doers[0], objects, text) if len(doers) == 1 and objects else None

    def _are(self, step: Step, people: frozenset[str]) -> bool:
        """Whether a step leads to people, by their types or its name."""
        kinds = self._kinds.ends(step)[1]
        texts = {self._kinds.type_texts.get(kind, "").lower() for kind in kinds}
        named = not step.back and self._kinds.schema.by_id[step.relation].text.lower() in people
        known = bool(kinds) and self._joins.are_people(kinds)
        return named or known or not texts.isdisjoint(people)

    # -- rules ----------------------------------------------------------------------

    def record_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "reviewed the drill" """
        record: Record = left.value
        of: Expression = right.value
        if self._is_small(gap) and not is_value(of):
            for step in self._objects(record, of):
                done = self._members(record, of, step)
                yield "set", self._joins.step(done, record.doer), 0.1, -1

    def done_by_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "ordered by Ann" """
        if self._is_small(gap) and not is_value(right.value):
            yield from self._done_by(left.value, right.value)

    def undergone_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(who) was prescribed statin", "(what) was prescribed to Ann" """
        record: Record = left.value
        for step in self._objects(record, right.value) if self._is_small(gap) else ():
            done = self._members(record, right.value, step)
            for other in record.objects:
                if other != step:
                    yield "set", self._joins.step(done, other), 0.1, -1

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
        record, category = deed.value
        date = self._joins.own_date(record.every.kinds)
        if date and all(map(is_date, (v for c in comparisons for v in c.values))):
            every = self._joins.compared(record.every, date, comparisons)
            yield category, replace(record, every=every), 0.1, -1

    def undergone_most(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "was ordered the most", "is prescribed most often" """
        record, (most, places) = left.value, right.value
        for step in record.objects:
            yield "extreme", (step.inverse, most, record.every, places), 0.1, -1

    def _is_small(self, gap: Sequence[str]) -> bool:
        grammar = self._joins.grammar
        return (grammar.articles | grammar.indefinite).issuperset(gap)

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
        if plain and not is_value(of):
            yield from self._done_by(right.value, of)
            if not self._kinds.ends(right.value.doer)[1].isdisjoint(of.kinds):
                own = self._members(right.value, of, right.value.doer)
                yield "recorded", (right.value, own), 0.1, -1

    def recorded_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "(when) did Ann order the drill" """
        record, own = left.value
        for step in self._objects(record, right.value) if self._is_small(gap) else ():
            of = self._members(record, right.value, step)
            yield "recorded", (record, Both(own, of.right, own.kinds)), 0.0, -1

    def when_recorded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "when did Ann order the drill": the date of that order"""
        _, own = right.value
        if (date := self._joins.own_date(own.kinds)) is not None:
            yield "set", self._joins.step(own, date), 0.1, left.head

    def alone(self, item: Item) -> Iterator[Item]:
        """ "(who) ordered", whatever it was"""
        if item.category == "record":
            record: Record = item.value
            doers = self._joins.step(record.every, record.doer)
            yield Item("set", doers, item.score - ALONE, -1, item.spans)
        if item.category == "undergone":  # "was ever ordered"
            for step in item.value.objects:
                done = self._joins.step(item.value.every, step)
                yield Item("set", done, item.score - ALONE, -1, item.spans)

    def _done_by(self, record: Record, of: Expression) -> Iterator[Joined]:
        """What somebody did it to."""
        if self._kinds.ends(record.doer)[1].isdisjoint(of.kinds):
            return
        done = self._members(record, of, record.doer)
        for step in record.objects:
            yield "set", self._joins.step(done, step), 0.1, -1

    def _members(self, record: Record, of: Expression, step: Step) -> Both:
        """Those of the records that a step leads to a set from."""
        own = Along(of, step.inverse, record.every.kinds)
        return Both(record.every, own, record.every.kinds)


def _is_class(item: Item) -> bool:
    return isinstance(item.value, OfType)
