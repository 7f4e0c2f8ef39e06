"""The rules for where things are, and when: "where is Oslo", "is Oslo in Norway"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import ends_with_state, last_words
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Expression,
    Named,
    OfType,
    Whether,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules.amounts import UNSAID_VALUE
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.sets.joins import UNSAID, Joined, Joins
from isomatch.lexicon.folding import tokens


class PlaceRules(RuleSet):
    """Rules for places and dates."""

    def __init__(self, joins: Joins):
        super().__init__(joins)
        self._in = sorted(joins.grammar.placing)[:1]
        self.table = {
            ("where", "set"): self.where_set,
            ("when", "set"): self.when_set,
            ("where in", "set"): self.where_in_set,
            ("whether", "way"): self.whether_way,
        }

    def when_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "when was order 10250 placed", "in what year": the date, of what has one only"""
        of: Expression = right.value
        if isinstance(of, Along) and (
            of.step in self._joins.dates(of.of.kinds)
            or (not (of.of.kinds or of.step.back) and self._joins.is_dated(of.step.relation))
        ):
            yield "set", of, 0.0, left.head
        if ends_with_state(right, self._joins.language):
            return
        date = None if self._joins.are_people(of.kinds) else self._joins.date_of(of)
        if date is not None and (right.head >= 0 or isinstance(of, Named)):
            yield "set", self._joins.step(of, date), UNSAID_VALUE, left.head

    def _there(
        self, left: Item, right: Item, gap: Sequence[str]
    ) -> Iterator[tuple[Expression, float]]:
        """ "locations where crimes happened": those where such things are, by one relation"""
        of, things = left.value, right.value
        where = not self._joins.language.asking.where.isdisjoint(gap)
        if not where or left.head < 0 or isinstance(of, Named) or is_value(of) or is_value(things):
            return
        steps = [
            step
            for step in self._kinds.between(things.kinds, of.kinds)
            if not step.back and self._joins.says_where(self._kinds.schema.by_id[step.relation])
        ]
        if len(steps) == 1 and things.kinds.isdisjoint(of.kinds):
            yield Both(of, self._joins.step(things, steps[0]), of.kinds), 0.1

    def around(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "which data centre is db-01 in": where the one place is in which it is, a rack"""
        of, thing = left.value, right.value
        named = isinstance(thing, Named) and not is_value(thing) and len(right.spans) == 1
        being = bool(gap) and self._joins.grammar.being.issuperset(gap)
        if not (named and being and isinstance(of, OfType)) or self._kinds.between(
            thing.kinds, of.kinds
        ):
            return
        at = [s for s in self._steps if s in thing.steps and self._says(s, whence=False)]
        ways = [
            (step, on)
            for step in at
            for on in self._steps
            if self._says(on, whence=False)
            and not self._kinds.ends(step)[1].isdisjoint(self._kinds.ends(on)[0])
            and not self._kinds.ends(on)[1].isdisjoint(of.kinds)
        ]
        if len(ways) == 1 and len(at) == 1:
            step, on = ways[0]
            there = self._joins.step(self._joins.step(thing, step), on)
            yield "set", Both(of, there, of.kinds), UNSAID + UNSAID, left.head

    def are_joined(self, gap: Sequence[str]) -> bool:
        """Whether only `within` reads two names: one word for places is between them."""
        return bool(self._placed(gap))

    def _placed(self, gap: Sequence[str]) -> str:
        """The word for places that alone is between two names; empty for none."""
        grammar = self._joins.grammar
        said = [word for word in gap if word not in grammar.articles]
        alone = len(said) == 1 and said[0] in grammar.placing | grammar.whence
        return said[0] if alone else ""

    def met(
        self, left: Item, right: Item, gap: Sequence[str]
    ) -> Iterator[tuple[Expression, float]]:
        """As `Joins.met`, but for a name that a preposition joins to the noun before it.

        "Who complained about works on Mill Lane" need not live there.
        """
        of = left.value
        yield from self._there(left, right, gap)
        verb = left.head < 0 or self._is_done(left)
        verbal = verb and isinstance(of, (Along, Both)) and not is_value(of)
        said = self._joins.prepositions(gap) - self._joins.grammar.owning
        placed = isinstance(right.value, Named) and bool(said)
        if not (verbal and placed and self._joins.is_class(last_words(left)[-1])):
            yield from self._joins.met(of, right.value, gap)

    def _is_done(self, left: Item) -> bool:
        """Whether a participle says the step to a set, and no noun: "sent a message"."""
        first = min(left.spans, key=lambda span: span.start)
        of, language = left.value, self._joins.language
        text = self._kinds.schema.by_id[of.step.relation].text if isinstance(of, Along) else ""
        return first.meaning == text and language.is_participle(first.text.lower())

    def within(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """That one thing is in or from another, in the shortest ways that may lead there.

        Where cities and countries are both "located in" something, there are several, and more
        than two steps may lead on: then nothing is denied.
        """
        thing: Expression = left.value
        place: Expression = right.value
        word = self._placed(gap)
        if not word or not (isinstance(thing, Named) and isinstance(place, Named)):
            return
        if is_value(thing):
            return
        whence = word in self._joins.grammar.whence
        ways = sorted(self._ways(thing, place, whence), key=len)
        ways = [way for way in ways if way[0] in thing.steps]
        if is_value(place) and not ways:  # "is app-02 in maintenance", by its status
            own = [s.inverse for s in place.steps if s.inverse in thing.steps]
            ways = [(step,) for step in own if self._is_state(step) and not whence]
        facts = [self._fact(thing, way, place) for way in ways]
        if facts:
            # Of two ways, and of one that may lead elsewhere too, none tells that it is not there.
            doubtful = len(ways[0]) > 1 and self._leads_elsewhere(ways[0])
            others = tuple(facts[1:2])
            yield "way", Whether(facts[0], others, may_deny=not (others or doubtful)), 0.2, -1

    def _is_state(self, step: Step) -> bool:
        """Whether a step leads to the state of a thing, and to no place where it began."""
        words = tokens(self._kinds.schema.by_id[step.relation].text)
        return not self._joins.language.schemas.outcomes.isdisjoint(words)

    def _fact(self, thing: Named, way: Sequence[Step], place: Named) -> Both:
        """That a way leads from a thing to a place."""
        inside: Expression = place
        for step in reversed(way):
            inside = self._joins.step(inside, step.inverse)
        return Both(thing, inside, thing.kinds & inside.kinds or thing.kinds)

    def _leads_elsewhere(self, way: Sequence[Step]) -> bool:
        """Whether another relation says where the place between a thing and a place is."""
        middle = self._kinds.ends(way[0])[1]
        others = (step for step in self._steps if step != way[1] and self._says(step, False))
        return any(not middle.isdisjoint(self._kinds.ends(step)[0]) for step in others)

    def whether_way(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "is Oslo in Norway" """
        yield "number of", right.value, 0.0, -1

    def _ways(self, thing: Named, place: Named, whence: bool) -> Iterator[tuple[Step, ...]]:
        """The steps that lead from a thing to the places of which one is named.

        One step is said by the preposition, "from" with `whence`; a second one leads on to the
        place around.
        """
        around = [s for s in self._steps if self._leads_to(s, place)]
        for step in self._steps:
            if not (self._joins.leads(step, thing.kinds) and self._says(step, whence)):
                continue
            if step in around:
                yield (step,)
            middle = self._kinds.ends(step)[1]
            yield from (
                (step, on)
                for on in around
                if middle & self._kinds.ends(on)[0] and self._says(on, whence=False)
            )

    @cached_property
    def _steps(self) -> list[Step]:
        """The steps to the one place where something is, or that it comes from."""
        steps = (Step(relation.id) for relation in self._kinds.relations)
        return [s for s in steps if self._says(s, whence=True) or self._says(s, whence=False)]

    def _leads_to(self, step: Step, place: Named) -> bool:
        if is_value(place) or not (place.kinds and self._kinds.schema.typed):
            return step.inverse in place.steps
        return not self._kinds.ends(step)[1].isdisjoint(place.kinds)

    def _says(self, step: Step, whence: bool) -> bool:
        """Whether a relation says in which one place something is; or from where, with `whence`."""
        relation = self._kinds.schema.by_id[step.relation]
        language = self._joins.language
        words = set(tokens(relation.text))
        if whence:  # and not the country of death, nor the museum that something is in
            return relation.leads_to_one() and language.says_origin(words)
        named = language.schemas.places | language.grammar.placing
        return self._joins.says_where(relation) and not words.isdisjoint(named)

    def where_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of: Expression = right.value
        places = self._joins.language.schemas.places
        is_there = not self._joins.grammar.being.isdisjoint(gap)  # "where is", and not "where did"
        steps = [
            (self._kinds.schema.by_id[s.relation].objects, s)
            for relation in self._kinds.relations
            for s in [Step(relation.id)]
            if of.kinds
            and not self._kinds.gives_value(s.relation)
            and not self._kinds.ends(s)[0].isdisjoint(of.kinds)
            for words in [self._joins.grading.words[relation.id]]
            if not places.isdisjoint(words) or (is_there and self._says(s, whence=False))
            if self._joins.language.schemas.lives.isdisjoint(words)  # nobody is where they died
        ]
        known = self._kinds.schema.typed and bool(of.kinds)
        if isinstance(of, Named) and not known:  # what kind it is, is a guess
            inside = [s for s in of.steps if self._says(s, whence=False) and not s.back]
            steps = [(self._kinds.schema.by_id[s.relation].objects, s) for s in inside]
        people = self._joins.are_people(of.kinds) or self._joins.grading.are_called_people(of.kinds)
        if not (steps or people) and known:
            every = (Step(relation.id) for relation in self._kinds.relations)
            there = (s for s in every if not self._kinds.ends(s)[0].isdisjoint(of.kinds))
            own = of.steps if isinstance(of, Named) else there
            called = [s for s in own if self._names_place(s)]
            steps = [(1, s) for s in called if len(called) == 1]  # and no city beside a country
        for place, (_, step) in enumerate(sorted(steps, key=lambda s: (-s[0], s[1]))):
            yield "set", self._joins.step(of, step), 0.2 + 0.5 * place, -1

    def _names_place(self, step: Step) -> bool:
        """Whether a step leads to texts that its relation's name says are places: a "city"."""
        relation = self._kinds.schema.by_id[step.relation]
        text = self._kinds.gives_value(step.relation) and not relation.is_ordered
        return text and not step.back and self._joins.language.says_place(tokens(relation.text))

    def where_in_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "in which country is the hub of Reef Air" """
        grammar = self._joins.grammar
        if gap and (grammar.being | grammar.articles).issuperset(gap):
            # What follows describes the hub, and not the country.
            for value, cost in self._joins.met(left.value, right.value, (*gap, *self._in)):
                yield "answer", value, cost, left.head
            for _, value, cost, head in self.around(left, right, gap):
                yield "answer", value, cost, head
