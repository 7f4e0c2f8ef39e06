"""The rules for "largest", "most", "highest point"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import (
    begins_with_relation,
    first_of,
    function_said,
    is_participle,
    last_words,
)
from isomatch.interpret.compose.expressions import (
    Both,
    Compared,
    Count,
    Expression,
    Extreme,
    Named,
    OfType,
    Valued,
    Without,
    Worked,
    is_value,
    last_steps,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import Kinds
from isomatch.interpret.compose.leaves.untyped_kinds import anything, is_called
from isomatch.interpret.compose.lexical.constants import Comparison
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.sets.counting import (
    asks_how_often,
    doers,
    ends_with_most,
    first_places,
    is_said_otherwise,
    those_doing,
)
from isomatch.interpret.compose.sets.joins import RIVAL, Joined, Joins
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.tables import Scale

FIRST = (0, 1)  # places of `Extreme`
OF_ALL, VALUE_OF_ALL = 0.2, 0.3  # for those of all, and for "the highest price" of all
OF_WHOM = 0.7  # for those who have "the highest salary", and not that salary
SECOND_SENSE = 0.5  # for each relation that an adjective compares before another


class SuperlativeRules(RuleSet):
    """Rules that make sets of those with the greatest or least value, by what they join.

    An item of category ``superlative`` has (scale, whether the greatest, places); one of category
    ``extreme`` has (step, whether the greatest, what is counted at the step or None, places). The
    step is None where what is counted says it; `Extreme` says what the places are.
    """

    def __init__(self, joins: Joins):
        super().__init__(joins)
        self.table = {
            ("ordinal", "superlative"): self.ordinal_superlative,
            ("ordinal", "most"): self.ordinal_most,
            ("constant", "superlative"): self.constant_superlative,
            ("constant", "answer"): self.constant_answer,
            ("superlative", "set"): self.superlative_ranked,
            ("set", "superlative"): self.set_superlative,
            ("set", "best in"): self.set_best,
            ("superlative", "relation"): self.superlative_relation,
            ("relation", "superlative"): self.relation_superlative,
            ("relation", "most"): self.relation_most,
            ("most", "set"): self.most_set,
            ("most", "relation"): self.most_relation,
            ("most", "number of"): self.most_number,
            ("extreme", "relation"): self.extreme_relation,
            ("set", "extreme"): self.set_extreme,
        }

    def ordinal_superlative(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the second largest" """
        scale, descending, _ = right.value
        if not gap:
            yield "superlative", (scale, descending, (left.value - 1, 1)), 0.0, -1

    def constant_answer(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "three rivers have the greatest length" """
        if not gap and (firsts := first_of(left.value, right.value)) is not None:
            yield "answer", firsts, 0.0, right.head

    def ordinal_most(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the second most" """
        if not gap:
            yield "most", (right.value[0], (left.value - 1, 1)), 0.0, -1

    def constant_superlative(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the three largest" """
        scale, descending, (offset, _) = right.value
        if (places := first_places(left.value)) and not (gap or offset):
            yield "superlative", (scale, descending, places), 0.0, -1

    def superlative_ranked(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the largest country", "the largest in Texas", and what may be "by population" """
        scale, descending, places = left.value
        of: Expression = right.value
        if isinstance(of, Named) and gap and self._joins.grammar.placing.issuperset(gap):
            yield "best in", (left, right, tuple(gap)), 0.1, -1
        sets = not isinstance(of, (Named, Extreme)) and not is_value(of)
        if sets and not self._joins.grading.is_dating(scale):
            yield "ranking", (of, descending, places), 0.0, right.head
        yield from self.superlative_set(left, right, gap)

    def superlative_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the largest state that borders Texas" """
        scale, descending, places = left.value
        of: Expression = right.value
        if isinstance(of, (Named, Extreme)) or is_value(of) or self._is_of_deeds(scale, right):
            return
        graded = self._joins.grading.graded(scale, descending, of.kinds)
        date = None if graded else self._own_date(left, of.kinds, made=isinstance(of, OfType))
        if date and right.head < 0 and self._kinds.says_made(date.relation):
            date = None  # the team that Ann "joined first"
        if date is not None:  # "the first film", by its premiere
            graded = [(date, descending)]
        own = self._joins.date_of(of) if self._joins.grading.is_dating(scale) else None
        graded = [one for one in graded if one[0] == own] or graded  # not by when it is due
        for place, (step, great) in enumerate(graded):
            extreme = Extreme(of, step, great, of.kinds, None, places)
            yield "set", extreme, SECOND_SENSE * place, right.head

    def _own_date(self, superlative: Item, kinds: Kinds, *, made: bool) -> Step | None:
        """The one date of things by which some are the first or latest.

        The first of people is so by what they did, and "the newest" by when they came. What has a
        date when it ends is no newer for a later one.

        Args:
            made: whether it may be when they were made, of several dates.
        """
        scale, *_ = superlative.value
        people, grading = self._joins.are_people(kinds), self._joins.grading
        if not grading.is_dating(scale) or (people and self._is_when(superlative)):
            return None
        came = [step for step in self._joins.dates(kinds) if step.relation not in grading.lives]
        first = [step for step in came if made and self._kinds.says_made(step.relation)]
        if self._is_when(superlative):
            return self._joins.own_date(kinds) or (first[0] if len(first) == 1 else None)
        came = first if len(first) == 1 else came
        ends = self._joins.language.schemas.ends
        one = len(came) == 1 and ends.isdisjoint(grading.words[came[0].relation])
        return came[0] if one else None

    def _is_of_deeds(self, scale: Scale, people: Item) -> bool:
        """Whether the first or last of people is asked for by what a word says they did.

        That has a date of its own, which is none of theirs.
        """
        deeds = any(span.kind == "relation" for span in people.spans)
        dating = self._joins.grading.is_dating(scale)
        return deeds and dating and self._joins.are_people(people.value.kinds)

    def set_superlative(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "which state is the largest" """
        if not self._joins.grammar.being.isdisjoint(gap):
            for _, value, cost, _ in self.superlative_set(right, left, gap):
                yield self._joins.said(gap), value, cost, left.head
        elif self._is_when(right) and self._joins.language.prepositions.issuperset(gap):
            if self._joins.are_people(left.value.kinds) or self._joins.grading.have_dates(
                self._kinds.ends(step)[0] for step in last_steps(left.value)
            ):
                return  # a book was "borrowed first" by the date of a loan
            for _, value, cost, _ in self.superlative_set(right, left, gap):
                yield "set", value, cost + 0.2, left.head  # "that Tom Hanks directed first"

    def set_best(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "which city is the largest in Texas": of those there"""
        superlative, place, within = right.value
        if self._joins.grammar.being.isdisjoint(gap):
            return
        for there, cost in self._joins.met(left.value, place.value, within):
            of = replace(left, value=there)
            for _, value, more, _ in self.superlative_set(superlative, of, ()):
                yield "answer", value, cost + more, left.head

    def _is_when(self, superlative: Item) -> bool:
        """Whether a superlative may stand after a verb, and says when: "first"."""
        grammar = self._joins.grammar
        return superlative.spans[0].text.lower() in grammar.first | grammar.last

    def superlative_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the largest population" """
        word, (scale, descending, places) = right.value, left.value
        grading, language = self._joins.grading, self._joins.language
        dated = grading.gives_date(word.relation)
        if not dated and left.spans[-1].text.lower() in language.numbers.ordinals:
            return  # "the first floor" is not the lowest
        if dated and not grading.is_dating(scale) and language.is_verb(last_words(right)[0]):
            return  # "the cheapest sold car" was not sold first
        ordered = self._kinds.schema.by_id[word.relation].is_ordered  # no texts
        great = grading.great(scale, descending, step := Step(word.relation))
        if ordered and grading.agrees(word.relation, great):
            yield "extreme", (step, great, None, places), 0.0, -1
        is_large = descending and not language.asking.degrees.isdisjoint(scale.high)
        counted = self._joins.every(self._kinds.ends(step)[1]) if word.role == "noun" else None
        if counted and is_large and last_words(right)[-1] in language.schemas.collectives:
            yield "extreme", (step, descending, counted, places), 0.0, -1  # "the largest cast"

    def relation_superlative(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "joined first", where that has a date: the first who did; "takes the longest" """
        word: RelationWord = left.value
        scale, descending, places = right.value
        step = Step(word.relation)
        being, articles = self._grammar.being, self._grammar.articles
        said = {*gap} - articles and being | articles >= {*gap}
        if said and "noun" in word.role and self._kinds.gives_value(word.relation):
            yield from self.superlative_relation(right, left, ())  # "whose budget is the lowest"
            return
        dated = self._joins.is_dated(word.relation)
        graded = self._joins.grading.graded(scale, descending, self._kinds.ends(step)[0])
        late: set[str] = {">"} if descending else {"<"}
        dated = dated and not self._joins.grading.is_other_end(step.relation, left.spans[0], late)
        if dated and not gap and self._joins.grading.is_dating(scale):
            yield "extreme", (step, descending, None, places), 0.0, -1
        takes = word.role == "forward" and self._joins.grammar.articles.issuperset(gap)
        if takes and (step, descending) in graded:
            yield "extreme", (step, descending, None, places), 0.0, -1

    def relation_most(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "earns the most", "was cited the most", "was played most often" """
        relation, said, (most, places) = left.value.relation, last_words(left)[-1], right.value
        if self._kinds.gives_value(relation):  # "was delayed the most": the minutes of delay
            if "noun" not in left.value.role or self._joins.language.is_participle(said):
                yield from self.most_relation(right, left, gap)
            return
        # What somebody gave the most of need not be the number of gifts, but how often is.
        often = asks_how_often(right, self._joins.language)
        passive = is_participle(said, relation, self._kinds)
        for back in (False, True)[self._joins.does(said, relation) :]:  # who "runs" lines
            step = Step(relation, back)
            counted = self._joins.every(self._kinds.ends(step)[1])
            done = back if passive else self._kinds.is_passive(relation) and not back
            if counted is not None and (done or (often and not passive)):
                yield "extreme", (step, most, counted, places), 0.1, -1

    def most_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the most people" """
        word: RelationWord = right.value
        step = word.to_things
        most, places = left.value
        if self._kinds.gives_value(word.relation):
            dated = self._joins.grading.gives_date(word.relation)
            if self._kinds.schema.by_id[word.relation].is_ordered and not dated:
                yield "extreme", (step, most, None, places), 0.0, -1
            return
        counted = self._joins.every(self._kinds.ends(step)[1])
        if "noun" in word.role and counted is not None:  # "the most actors"
            yield "extreme", (step, most, counted, places), 0.0, -1

    def most_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the most rivers", "the fewest rivers" """
        (most, places), of = left.value, right.value
        if isinstance(of, Valued) and not (gap or self._kinds.gives_value(of.step.relation)):
            counted = self._joins.every(self._kinds.ends(of.step)[1])
            if counted is not None:  # "the most cited patent"
                yield (
                    "set",
                    Extreme(of.of, of.step, most, of.kinds, counted, places),
                    0.1,
                    right.head,
                )
        if isinstance(right.value, (OfType, Both, Compared, Without)):
            yield "extreme", (None, most, right.value, places), 0.0, -1

    def most_number(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the most number of rivers", "the smallest number of rivers" """
        *_, most, places = left.value
        if isinstance(right.value, Count):
            yield "extreme", (None, most, right.value.of, places), 0.0, -1

    def of_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "borders the most states", and "sold the most copies", of one relation"""
        step = right.value[0]
        if step is not None and step.relation == left.value.relation:
            yield "extreme", right.value, 0.0, -1
        else:
            yield from self.relation_extreme(left, right, gap)

    def relation_extreme(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "borders the most states" """
        step, descending, counted, places = right.value
        if counted is None or step is not None:
            return
        for one, cost in self._joins.subject_steps(left.value, gap, counted.kinds):
            yield "extreme", (one, descending, counted, places), cost, -1

    def extreme_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "do most states border", of what they do; "wer hat die meisten Kurse besucht" """
        step, descending, counted, places = left.value
        if counted is None or step or gap or "noun" in right.value.role:
            return
        one = Step(right.value.relation, right.value.role == "forward")
        steps = (one, one.inverse) if self._joins.language.free_order else (one,)
        fitting = [step for step in steps if self._kinds.ends(step)[1] & counted.kinds]
        if len(fitting) == 1:
            yield "extreme", (fitting[0], descending, counted, places), 0.0, -1

    def extreme_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the most populous state", and "the largest population of a state" """
        step, descending, counted, places = left.value
        of: Expression = right.value
        if isinstance(of, Named) or is_value(of) or counted is not None or ends_with_most(left):
            return
        if self._joins.leads(step, of.kinds):
            extreme = Extreme(of, step, descending, of.kinds, None, places)
            yield "set", extreme, 0.6 if gap else 0.0, right.head
            if gap:
                yield "set", self._joins.step(extreme, step), 0.2, -1

    def set_extreme(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the state with the largest population" """
        step, descending, counted, places = right.value
        of: Expression = left.value
        if isinstance(of, (Named, Extreme)) or is_value(of) or (step is None and left.head < 0):
            return
        if is_said_otherwise(left, right, gap, self._joins.language):
            return
        ways = [(step, counted)] if step else self._joins.ways(of.kinds, counted)
        for one, things in ways:
            if self._joins.leads(one, of.kinds):
                cost = RIVAL * (len(ways) - 1)
                extreme = Extreme(of, one, descending, of.kinds, things, places)
                single = things is not None and self._joins.leads_to_one(one)
                category = "answer" if single else self._joins.said(gap)
                yield category, extreme, cost + 0.1 * (things is not None), left.head
                if single and (onward := self._joins.onward(of, one, things, gap)):
                    yield "extreme", (None, descending, onward, places), cost, -1

    def highest_point(self, word: RelationWord, of: Expression, head: int) -> Iterator[Joined]:
        """The highest point of a region: that of the state in it whose point is the highest."""
        step, descending = self._joins.named_extremes[word.relation]
        source = self._kinds.ends(step)[0]
        if not of.kinds or not source.isdisjoint(of.kinds):
            return
        for type_id in sorted(source & self._kinds.schema.sizes.keys()):
            every = OfType(type_id, self._kinds.of_type(type_id))
            for within, cost in self._joins.met(every, of, ()):
                best = Extreme(within, step, descending, within.kinds)
                yield "set", self._joins.step(best, Step(word.relation)), cost + 0.1, head

    def alone(self, item: Item) -> Iterator[Item]:
        """What a relation's noun may be by itself: "a state with a capital"."""
        if item.category in ("extreme", "having") and item.value[0] is not None:
            yield from self._everyone(item)
        if item.category == "extreme":
            yield from self._value_alone(item)
        if item.category == "set" and (function := function_said(item, self._joins.language)):
            worked = Worked(function, item.value.of, item.value.step)
            yield Item("number of", worked, item.score, -1, item.spans)
        if item.category != "relation":
            return
        relation, noun = item.value.relation, "noun" in item.value.role
        noun |= self._joins.language.free_order  # "bezahlte Rechnungen"
        if noun and self._kinds.is_boolean(relation):  # "discontinued products"
            step, true = Step(relation), (Comparison("=", ("true",)),)
            yield Item("filter", (step, true), item.score, -1, item.spans)
            if there := self._joins.whole(self._kinds.ends(step)[0]):  # "a VIP"
                those = self._joins.compared(there, step, true)
                yield Item("set", those, item.score - OF_WHOM, item.head, item.spans)
            return
        if item.value.role == "inverse noun":
            yield from self._doers(item)
        if item.value.role != "noun":
            return
        named = self._joins.named_extremes.get(relation)
        if named:
            yield Item("extreme", (*named, None, FIRST), item.score - 0.1, -1, item.spans)
        called = not named and is_called(item, self._kinds)
        source = self._kinds.ends(Step(relation))[0]
        whole = anything(relation, self._kinds) if called else self._joins.whole(source)
        if whole is None or self._is_first(relation):
            return
        every = Extreme(whole, *named, whole.kinds) if named else whole
        value = self._joins.step(every, Step(relation))
        cost = 0.2 if named or called else 0.5
        yield Item("set", value, item.score - cost, item.head, item.spans)

    def _is_first(self, relation: str) -> bool:
        """Whether a relation leads to the first of those who did something to each of others.

        "Who was the first climber" asks for none of those who were the first on some peak.
        """
        grammar = self._joins.grammar
        first = self._kinds.schema.by_id[relation].text.split()[0].lower()
        return first in grammar.first | grammar.last and not self._kinds.gives_value(relation)

    def _value_alone(self, item: Item) -> Iterator[Item]:
        """ "the highest price", "the second highest price": of all that have one"""
        step, descending, counted, places = item.value
        if step is None or counted is not None or places[1] != 1:
            return
        if self._joins.grading.gives_date(step.relation) and not self._says_when(item):
            return  # "the newest listing" is none of the dates when something was listed
        every = self._joins.whole(self._kinds.ends(step)[0])
        if every is not None and places != FIRST:
            ranked = Extreme(every, step, descending, every.kinds, None, places)
            value = self._joins.step(ranked, step)
            yield Item("answer", value, item.score - VALUE_OF_ALL, -1, item.spans)
        elif every is not None and step.relation not in self._joins.paired:
            worked = Worked("max" if descending else "min", every, step)
            yield Item("number of", worked, item.score - VALUE_OF_ALL, -1, item.spans)

    def _says_when(self, item: Item) -> bool:
        """Whether words ask for a date: "the latest closing date", and "deadline", of that name."""
        language, said = self._joins.language, last_words(item)
        named = language.singular(" ".join(said)) in self._kinds.called(item.value[0].relation)
        return named or not {*language.schemas.days, *language.asking.dates}.isdisjoint(said)

    def _everyone(self, item: Item) -> Iterator[Item]:
        """ "who directed the most movies", "who directed more than two": of all that may."""
        step, counts = item.value[0], item.category == "having" or item.value[2] is not None
        every = (self._joins.every if counts else self._joins.whole)(self._kinds.ends(step)[0])
        if every is None:
            return
        cost = OF_ALL
        if item.category == "having":
            found = those_doing(every, item)
        else:
            _, descending, counted, places = item.value
            of = every if descending or counted is None else doers(every, step, counted)
            found = Extreme(of, step, descending, every.kinds, counted, places)
            said, called = item.spans[0].text.lower(), self._kinds.called(step.relation)
            noun = any(said in tokens(text) for text in called)  # "height (is) the greatest"
            doing = begins_with_relation(item) and (self._joins.language.is_verb(said) or not noun)
            cost = OF_ALL if counted or doing else OF_WHOM
        if found is not None:
            yield Item("answer", found, item.score - cost, -1, item.spans)

    def _doers(self, item: Item) -> Iterator[Item]:
        """ "actors", where people acted in movies: all that have the relation."""
        step, word = Step(item.value.relation, True), last_words(item)[-1]
        said, kinds = tokens(self._kinds.schema.by_id[step.relation].text), self._kinds.ends(step)
        ways = self._joins.events.ways(word, kinds[1], passive=True)
        if self._joins.language.says_whole(said) or len(ways) > 1:
            return  # "which parts does Ann supply"; what was "fixed" need have no date of that
        if (every := self._joins.whole(kinds[0])) is not None:
            doing = self._joins.step(every, step)
            yield replace(item, category="set", value=doing, score=item.score - 0.2)
