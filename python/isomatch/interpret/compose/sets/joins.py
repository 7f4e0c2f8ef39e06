"""How sets join: what is in both, what is one step away, what a set's values are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import log10
from typing import Any, TypeGuard

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import do_the_same, is_given, is_whole, names_before
from isomatch.interpret.compose.categories import Category
from isomatch.interpret.compose.expressions import (
    Along,
    AlongValue,
    Both,
    Compared,
    Expression,
    Extreme,
    Named,
    OfType,
    Without,
    is_of_kind,
    is_value,
    last_steps,
    leads_back,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.sets.names import every_called, is_apposed, is_defined
from isomatch.interpret.compose.sets.possession import Owners
from isomatch.lexicon.lexicon import Lexicon

Joined = tuple[Category, Any, float, int]  # category, value, cost of 0 or more, head
Rule = Callable[[Item, Item, Sequence[str]], Iterator[Joined]]
Table = Mapping[tuple[Category, Category], Rule]

WHICHEVER = 0.5  # for a step to a whole type that no word asks for
UNSAID = 0.25  # for a step that no word says
RARER = 0.05  # for a relation that has a tenth of the facts of another one
RIVAL = 0.4  # for each other step that the words may as well mean
BACK_AGAIN = 0.6  # for a step back the way that led there
SAID_AGAIN = 0.2  # … where a word says it
AS_BEFORE = 0.1  # … where those who did something do it again
OF_ANOTHER = 2.0  # for a value of another relation, of which nothing is
KEY = 0.05  # for the step from a value that names one thing
BRIDGE = 0.1  # for a step between a subject and its verb
UNSURE = 2.0  # for a set that may be subject or object of a verb
TURNED = 0.8  # for a step against the direction that its word asks for


class Joins(Owners):
    """What the rules share, over one graph.

    Args:
        kinds: of the graph.
        lexicon: words of types and relations.
    """

    def __init__(self, kinds: GraphKinds, lexicon: Lexicon):
        super().__init__(kinds, lexicon)
        who = self.language.asking.who
        called = {w for key in who for w in self.language.question_words.get(key, ())}
        self.people = {
            kind
            for type_id, words in lexicon.types.items()
            if called.intersection(words.phrases())
            for kind in kinds.of_type(type_id)
        } | {
            type_id for relation in self.grading.lives for type_id in self.grading.living(relation)
        }
        self._types = {f for t in lexicon.types.values() for f in self.language.noun_forms(t.word)}
        self._classes = {r.id for r in kinds.relations if self.is_class(r.text.lower())}
        self.met_before = lru_cache(8_192)(lambda *sets: tuple(self._met(*sets)))  # most meet again

    def are_people(self, kinds: Kinds) -> bool:
        """Whether things of some kinds are people, who are older than what they do."""
        return not kinds or not kinds.isdisjoint(self.people)

    def is_class(self, word: str) -> bool:
        """Whether a word is the class word of a type."""
        return not self._types.isdisjoint(self.language.noun_forms(word))

    def does(self, verb: str, relation: str) -> bool:
        """Whether a verb has the ending of one who does it, and is done: "runs", `operated by`."""
        present = not self.language.free_order and self.language.singular(verb) != verb
        return present and self.kinds.is_passive(relation)

    def met(
        self, head: Expression, other: Expression, gap: Sequence[str], *, turned: bool = False
    ) -> Iterator[tuple[Expression, float]]:
        """The members of a set that are in another, or one step from it, and what that costs.

        Args:
            gap: the function words between the two.
            turned: whether the other set is said first.
        """
        return iter(self.met_before(head, other, tuple(gap), turned))

    def _met(
        self, head: Expression, other: Expression, gap: Sequence[str], turned: bool
    ) -> Iterator[tuple[Expression, float]]:
        if isinstance(head, Extreme) and isinstance(other, (Along, Without, Both, Compared)):
            for of, cost in self.met(head.of, other, gap):
                yield replace(head, of=of, kinds=of.kinds), cost
        if isinstance(head, Named):
            yield from self._named(head, other, gap, turned=turned)
            return
        classes = isinstance(head, OfType) and isinstance(other, OfType)
        if is_value(head) or (classes and not (gap or turned)):  # "vehicle crimes" are crimes
            return
        grammar = self.grammar
        owners = self.owners_of(other, gap)
        if owners is not None:  # "authors with an advisor"
            if head.kinds & owners.kinds:
                yield Both(head, owners, head.kinds & owners.kinds), 0.0
            return
        linked = not grammar.connecting.isdisjoint(gap)
        if linked:
            other = self.owner_called(other) or other
            if is_value(other) or head.kinds & other.kinds or not (head.kinds and other.kinds):
                return  # a person "linked to" another may be so by many others
            gap = [*grammar.owning]
        yield from self._same(head, other, gap)
        if not grammar.calling.isdisjoint(gap):
            return  # "rivers called Colorado" are not those in Colorado
        verbal = isinstance(other, (Along, Both, Compared)) and not (turned or is_apposed(other))
        if verbal and (self.language.prepositions | grammar.with_).isdisjoint(gap):
            return  # "which city wrote Heat": a city does not stand for its people
        of_it = not (grammar.of | grammar.possessive).isdisjoint(gap)
        own = of_it or (isinstance(other, Named) and self.language.auxiliaries.issuperset(gap))
        whole = isinstance(head, Along) and (is_whole(head) or (of_it and is_of_kind(head)))
        if own and whole and (of_it or not is_value(other)):
            return  # "the neighbours of Lagos" are none of the countries that Lagos is in
        every = is_whole(other) and grammar.has_some.isdisjoint(gap)  # "of an order", whichever
        beside = not grammar.owning.isdisjoint(gap)
        of = head.of if isinstance(head, Extreme) else head
        owner = self.owner_called(other)  # "crimes at 12 Lily Avenue", a location's address
        other = owner if owner and not owner.kinds & head.kinds else other
        steps = [*self.unsaid(other, head.kinds, linked=linked)]
        meant = self.by_preposition([step for step, _ in steps], gap)
        steps = [(s, cost) for s, cost in steps if s in meant and not self.has_none(of, s)]
        if not grammar.by.isdisjoint(gap):
            plain = isinstance(of, OfType)  # no "appointments paid by Ann", who booked them
            again = [step for step, _ in steps if leads_back(other, step)]  # its director's
            made = again or self.by_whom([step for step, _ in steps], plain=plain)
            steps = [(step, UNSAID + RIVAL * (len(made) - 1)) for step in made]
        for step, cost in steps:
            key = not gap and self.is_key(other, step)  # "order 10248"
            cost = KEY if key else self.cost_of_named(meant, gap) or cost
            both: Expression = Both(of, self.step(other, step), of.kinds, beside)
            if isinstance(head, Extreme):  # "her first film": the first of hers
                both = replace(head, of=both)
            yield both, cost + WHICHEVER * every
        if not self.language.prepositions.isdisjoint(gap):
            for inside, cost in self._inside(other, head.kinds):
                there = Both(of, inside, of.kinds)
                yield replace(head, of=there) if isinstance(head, Extreme) else there, cost

    def _inside(self, of: Expression, kinds: Kinds) -> Iterator[tuple[Expression, float]]:
        """What is in places that are in one: museums in a country, each of them in a city there.

        Only where no relation leads there at once.
        """
        place = of.right if is_apposed(of) else of  # "in area M2"
        if not isinstance(place, Named) or is_value(place):
            return
        if self.kinds.between(place.kinds, kinds):
            return
        ways = (Step(r.id, True) for r in filter(self.says_where, self.kinds.relations))
        for there in filter(place.steps.__contains__, ways):
            places = self.step(of, there)
            for step, cost in self.unsaid(places, kinds):
                if step.back and self.says_where(self.kinds.schema.by_id[step.relation]):
                    yield self.step(places, step), cost + UNSAID

    def shared_kinds(self, named: Named, other: Expression) -> Kinds:
        """The kinds of a name that are those of a set; empty where it cannot be in that.

        In a graph without types these are guesses, and a name may be where its relations lead.
        """
        leads = isinstance(other, Along) and other.step.inverse in named.steps
        same = named.kinds & other.kinds
        return same or (other.kinds if leads and not self.kinds.schema.typed else same)

    def bridged(self, head: Expression, of: Expression) -> Iterator[tuple[Expression, float]]:
        """Those of a set that do what a verb says by something that they have or do.

        "Customers ordered tea": they made the orders, and "products that Bern Bakery bought" are
        in what it purchased. Only where one relation leads there; a city does not write what its
        people do.
        """
        if isinstance(head, Named) or is_value(head) or is_value(of) or head.kinds & of.kinds:
            return
        if any(self.kinds.is_symmetric(step.relation) for step in last_steps(of)):
            return  # what borders a state is no lake in one that does
        steps = self.kinds.between(of.kinds, head.kinds)
        if not steps or (steps[0].back and not self.kinds.does(steps[0].relation)):
            return  # what a keeper does is not what the animals do that are "cared for by" him
        last = [*last_steps(of)]
        done = self.kinds.are_done_by(last) and not self.are_people(of.kinds)
        done = done and self.kinds.offers(steps[0])  # "items bought by Ann", of her lots
        if len(steps) == 1 and (done or steps[0].back in {step.back for step in last}):
            yield Both(head, self.step(of, steps[0]), head.kinds), UNSAID + BRIDGE

    def unsaid(
        self, of: Expression, kinds: Kinds, *, linked: bool = False
    ) -> Iterator[tuple[Step, float]]:
        """The steps that lead from a set to some kinds, where no word says which is meant.

        One may be said to do so: "crimes ``linked`` to people involved in crimes".
        """
        between = self.kinds.between(of.kinds, kinds)
        steps = [step for step in between if step.relation not in self.named_extremes]
        if isinstance(of, Named):
            steps = self._away(of, steps)
        elif is_value(of):
            return
        facts = [self.kinds.schema.by_id[step.relation].triples for step in steps]
        named = self.named_by_end(steps)  # "the most stations" that a line "serves station"
        own = self.named_by_class(of, steps)  # "in a team whose lead is Ann"
        for step, count in zip(steps, facts, strict=True):
            rarer = RARER * log10(max(facts) / max(1, count))
            back = leads_back(of, step)
            if back and (own == [step] if own else not step.back):  # "by the director of Heat"
                yield step, UNSAID + AS_BEFORE
            else:
                rivals = 0 if [step] in (named, own) else len(steps) - 1
                again = SAID_AGAIN if linked else BACK_AGAIN
                yield step, UNSAID + RIVAL * rivals + rarer + again * back

    def _away(self, name: Named, steps: list[Step]) -> list[Step]:
        """Those of some steps that lead away from a name; all, where a thing has none of them.

        Not those of a value: "active" is a status, and the purpose of nothing.
        """
        there = [step for step in steps if step in name.steps]
        return there if there or is_value(name) else steps

    def _named(
        self, head: Named, other: Expression, gap: Sequence[str], *, turned: bool
    ) -> Iterator[tuple[Expression, float]]:
        if isinstance(other, OfType):
            yield from self._same(head, other, gap)
        elif isinstance(other, Named) and not turned and not gap:  # "Springfield, Missouri"
            for step in self._away(other, self.kinds.between(other.kinds, head.kinds)):
                yield Both(head, self.step(other, step), head.kinds), 0.1 if step.back else 0.5

    def _same(
        self, head: Expression, other: Expression, gap: Sequence[str]
    ) -> Iterator[tuple[Expression, float]]:
        """What is in both sets, where they may have members in common."""
        grammar = self.grammar
        some = not grammar.indefinite.isdisjoint(gap)
        if some and not (grammar.having.isdisjoint(gap) or isinstance(head, Named)):
            return  # those who "have a student in Oslo" are not such students
        # "performed by which band", "the capital of which state"
        asked = isinstance(other, OfType) and not self.language.asking.which.isdisjoint(gap)
        if grammar.passive.isdisjoint(gap) and not asked:  # where "by" says who does what
            being = not grammar.being.isdisjoint(gap)  # in "ist der Erbauer" an article
            of = grammar.of - (grammar.articles if being else frozenset())
            if not (of.isdisjoint(gap) or is_given(other) or is_defined(other)):
                return  # "the manager of the manager"
            if not grammar.by.isdisjoint(gap):
                return
        if any(isinstance(a, Both) and a.left == b for a, b in ((head, other), (other, head))):
            return  # "crimes linked to a vehicle crime" are not those with a vehicle
        same = head.kinds & other.kinds
        classes = isinstance(head, OfType) + isinstance(other, OfType)
        if (not same and head.kinds and other.kinds) or classes == 2:
            return
        if do_the_same(head, other):  # "the actor who played Neo"
            yield other, 0.0
            return
        if isinstance(head, Named) or isinstance(other, Named):
            noun = isinstance(head, Along) and is_whole(head)  # "a friend named Ann"
            # "The river Ohio", "Ohio is a river", and not "the states with Ohio".
            if classes or (noun and not grammar.calling.isdisjoint(gap)):
                cost = 0.0 if self.grammar.apposition.issuperset(gap) else 1.0
                said = self.grammar.calling.intersection(gap)
                one, two = (every_called(side) if said else side for side in (head, other))
                yield Both(one, two, same or head.kinds), cost
            return
        cost = (0.0 if classes else 0.1) + (0.0 if same else 0.5) + 0.1 * isinstance(head, Extreme)
        yield Both(head, other, same or head.kinds), cost

    def object_back(self, word: RelationWord, gap: Sequence[str]) -> bool:
        """Whether a relation leads back from the set that follows it."""
        back = word.role in ("inverse noun", "forward")
        grammar = self.grammar
        by = not grammar.by.isdisjoint(gap)
        if by and word.role == "forward":  # "managed by Alice", where she manages
            return self.kinds.is_passive(word.relation)
        if by and word.role == "backward" and self.kinds.names_doer(word.relation):
            # "owned by Ann", where no kinds tell who is the owner
            return word.relation not in self.kinds.done_by_sources
        if word.role == "forward" and self._is_noun(word.relation, gap):
            return False
        if self.is_sure(word, gap):  # "grenzt an Texas", and "grenzt Texas" at what
            return bool(self.prepositions(gap))
        # "whose manager is Carol", and "whose mentor" over "mentored by": no verb, before "is"
        return back != (not grammar.being.isdisjoint(gap))

    def _is_noun(self, relation: str, gap: Sequence[str]) -> bool:
        """Whether what looks like a verb in the present is the plural of a noun: "allies of Ann".

        But the "mentors of Ann" mentor her.
        """
        text = self.kinds.schema.by_id[relation].text.lower()
        present = self.language.doer_of(text) is not None and not self.grammar.of.isdisjoint(gap)
        return present and not self.language.is_doer_itself(text)

    def is_sure(self, word: RelationWord, gap: Sequence[str]) -> bool:
        """Whether prepositions before a set that follows a verb say what the set is to it.

        Only where the order of words does not.
        """
        last = self.kinds.schema.by_id[word.relation].text.split()[-1]
        if word.role != "forward" or not self.language.free_order:
            return False
        between = self.prepositions(gap)
        return last in self.language.prepositions and between <= {last}

    def _unsure(self, word: RelationWord, steps: int, sure: bool) -> float:
        """What it costs that a set may be subject or object of a verb, and nothing says which."""
        free = self.language.free_order and word.role in ("forward", "backward")
        known = sure or steps < 2 or self.kinds.is_symmetric(word.relation)
        return UNSURE if free and not known else 0.0

    def along(
        self, of: Expression, word: RelationWord, *, back: bool, sure: bool = False
    ) -> Iterator[tuple[Expression, float]]:
        """One step of a relation from a set, rather in one direction than in the other.

        Args:
            sure: whether a preposition says which, where the order of words does not.
        """
        paired = self.paired_value(of, word.relation)
        if paired is not None:
            yield paired, 0.0
        valued = isinstance(of, AlongValue) or self.kinds.gives_value(word.relation)
        if valued and isinstance(of, (Along, AlongValue)) and of.step.relation == word.relation:
            yield of, 0.0  # "played the role of Neo", "how many copies did Paper Moons sell"
            return
        told = self._leads_back(of, word)
        back, sure = (back, sure) if told is None else (told, True)
        steps: tuple[Step, ...] = (Step(word.relation, back), Step(word.relation, not back))
        ends = self.kinds.ends(steps[0])
        # "state" as a relation leads to states, but in "whose state is Ohio"; as a class it is read
        # elsewhere. An actor of people is no film.
        is_said = isinstance(of, Named) and back != (word.role == "inverse noun")
        if "noun" in word.role and word.relation in self._classes and not is_said:
            steps = (word.to_things,)
        elif word.role == "inverse noun" and ends[0].isdisjoint(ends[1]):
            steps = steps[:1]
        fitting = [
            step
            for step in steps
            if self.leads(step, of.kinds)
            and not (self._lacks_kind(of, step) and step not in of.steps)
            and (not self.kinds.gives_value(step.relation) or step.back == _is_named_value(of))
        ]
        unsure = self._unsure(word, len(fitting), sure)
        # Without types the kinds are guesses, and do not tell the direction.
        likely = fitting if self.kinds.schema.typed else steps
        for step in fitting:
            other = _is_named_value(of) and step not in of.steps  # of another relation
            cost = SAID_AGAIN * leads_back(of, step) + OF_ANOTHER * other
            yield self.step(of, step), TURNED * likely.index(step) + cost + unsure
        yield from self.values_of_records(of, word)
        owner = self.owner_called(of)  # "the relatives of the Kellys", by their surname
        if owner is not None and not fitting and self.kinds.is_symmetric(word.relation):
            yield self.step(owner, steps[0]), UNSAID
        said = fitting or word.relation in self.named_extremes or self.has_own(of, word)
        # What borders a river is not what borders the states along it.
        if said or self.kinds.gives_value(word.relation) or self.kinds.is_symmetric(word.relation):
            return
        won = word.role == "forward" and self.kinds.is_won(word.relation)  # and by no other
        if won or any(self.leads(t, inner.kinds) for t in steps for inner in names_before(of)):
            return  # "the position that Ann plays" is hers, and not that of her team's captain
        if "noun" in word.role and is_value(of):  # "residences at 3 Lee Lane" are nobody there
            steps = steps[:1]
        for turned, through in enumerate(steps):  # "customers bought a product": an order of it
            apart = self.leads_to_class(of.kinds, through)  # "her films": not of her awards
            for step, cost in () if apart else self.unsaid(of, self.kinds.ends(through)[0]):
                if step != through.inverse:
                    yield self.step(self.step(of, step), through), cost + BRIDGE + 0.2 * turned

    def _lacks_kind(self, of: Expression, step: Step) -> TypeGuard[Named]:
        """Whether only the facts of a name tell if a step leads away: "floor 1" of no type."""
        kinds = bool(of.kinds and self.kinds.ends(step)[0])
        return isinstance(of, Named) and self.kinds.schema.typed and not kinds

    def beside(self, of: Expression, step: Step) -> Expression | None:
        """Those who take a step to the same as others do: who acted in films with them."""
        source, target = self.kinds.ends(step)
        every = self.whole(target)
        if every is None or source & target or source.isdisjoint(of.kinds):
            return None
        shared = Both(every, self.step(of, step), every.kinds, beside=True)
        return self.step(shared, step.inverse)

    def same_way(self, of: Expression, name: Named) -> Expression | None:
        """What the steps that lead from a name to a set lead to from another name."""
        if isinstance(of, Both):
            return self.same_way(of.right, name) or self.same_way(of.left, name)
        if not isinstance(of, Along):
            return None
        if isinstance(of.of, Named):
            there = of.step in name.steps or not is_value(name)  # "vans that are not red"
            return self.step(name, of.step) if there and of.of.kinds & name.kinds else None
        inner = self.same_way(of.of, name)
        return None if inner is None else self.step(inner, of.step)

    def subject_steps(
        self, word: RelationWord, gap: Sequence[str], kinds: Kinds
    ) -> Iterator[tuple[Step, float]]:
        """The steps of a relation from its subject to what follows, and what they cost.

        Args:
            kinds: of what follows.
        """
        likely = not self.object_back(word, gap)
        steps = [Step(word.relation, likely), Step(word.relation, not likely)]
        fitting = [step for step in steps if not self.kinds.ends(step)[1].isdisjoint(kinds)]
        unsure = self._unsure(word, len(fitting), self.is_sure(word, gap))
        for number, step in enumerate(steps):
            if step in fitting:
                yield step, RIVAL * number + unsure

    def said(self, gap: Sequence[str]) -> Category:
        """What a set is of which something is said: "cities in Texas have …" is a sentence.

        It says that of the cities, and cannot be a part of another set, as "Texas, which has …"
        can.
        """
        grammar = self.grammar
        sentence = not grammar.finite.isdisjoint(gap) and grammar.relative.isdisjoint(gap)
        return "answer" if sentence else "set"


def _is_named_value(of: Expression) -> TypeGuard[Named]:
    return isinstance(of, Named) and is_value(of)
