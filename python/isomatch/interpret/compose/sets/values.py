"""Sets one step away from others, and the values that things of a set have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import is_whole
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    ComparedOwn,
    Expression,
    Named,
    OfType,
    Onward,
    Valued,
    Without,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.lexical.constants import Comparison
from isomatch.interpret.compose.lexical.grading import Grading
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.lexical.voice import does_it
from isomatch.interpret.compose.sets.addresses import values_of_own
from isomatch.interpret.compose.sets.areas import way_over_places
from isomatch.interpret.compose.sets.events import ImpliedEvents
from isomatch.interpret.words.relation_spans import STEM
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.schema.types import Relation

OF_RECORDS = 0.35  # for the step to records that no word says
NAMED = 0.2  # for a step that a preposition says: works "on" a street, of `onStreet`


class Values:
    """Steps between sets, and steps to values, over one graph.

    Args:
        kinds: of the graph.
        lexicon: words of types and relations.
    """

    def __init__(self, kinds: GraphKinds, lexicon: Lexicon):
        self.kinds = kinds
        self.language = lexicon.language
        self.grammar = lexicon.language.grammar
        self.grading = Grading(kinds, lexicon)
        self.events = ImpliedEvents(kinds, lexicon.language, self.grading)
        self.named_extremes = self.grading.named_extremes
        self.paired = {step.relation for step, _ in self.named_extremes.values()}

    def whole(self, kinds: Kinds) -> OfType | None:
        """All nodes of the one type that these kinds are; None where there are several."""
        known = self.kinds.schema.sizes.keys() | self.kinds.own.keys() | self.kinds.classes
        types = self.kinds.widest(kinds & known)
        return OfType(types[0], self.kinds.of_type(types[0])) if len(types) == 1 else None

    def every(self, kinds: Kinds) -> OfType | None:
        """As `whole`, for what a relation leads to or from; whatever it is, without types."""
        unknown = bool(kinds) and not self.kinds.schema.typed
        return self.all_of(kinds) if unknown else self.whole(kinds)

    def all_of(self, kinds: Kinds) -> OfType:
        """All nodes of some kinds, be they several."""
        return self.whole(kinds) or OfType("", kinds)

    def compared(self, of: Expression, step: Step, comparisons: Iterable[Comparison]) -> Expression:
        """Those of a set whose value compares; where another set is no values, with its."""
        for one in comparisons:
            other = one.other
            if other is not None and not is_value(other):
                other = self.values(other, step)
            either = tuple((c.operator, c.values) for c in one.either)
            if one.own is not None:
                of = ComparedOwn(of, step, one.operator, one.own, of.kinds)
                continue
            of = Compared(of, step, one.operator, one.values, of.kinds, other, either, one.unit)
        return of

    def dates(self, kinds: Kinds) -> list[Step]:
        """The steps from things of these kinds to dates."""
        dates = [Step(id) for id in sorted(self.grading.dates)] if kinds else []
        return [step for step in dates if not self.kinds.ends(step)[0].isdisjoint(kinds)]

    def is_dated(self, relation: str) -> bool:
        """Whether a relation leads to dates only, or to years."""
        return self.grading.gives_date(relation) and self.kinds.gives_value(relation)

    def names_values(self, noun: str, relation: str) -> bool:
        """Whether a plural is the name of a relation to values: "fines", which are amounts."""
        name = tokens(self.kinds.schema.by_id[relation].text.partition("(")[0])
        one = self.language.singular(noun)
        verbs = self.language.schemas.verbs.get(one, ())  # what "costs" so much is no cost
        single = self.kinds.schema.by_id[relation].leads_to_one()  # else one is any of several
        return one != noun and name == [one] and one not in verbs and single

    def own_date(self, kinds: Kinds) -> Step | None:
        """The step to the one date that things of these kinds have, which no word need say.

        None for one of a birth or death: what people do has another date. Nor is a recipe "of
        1970" one that was discontinued then.
        """
        dates, ends = self.dates(kinds), self.language.schemas.ends
        if len(dates) != 1 or dates[0].relation in self.grading.lives:
            return None
        return dates[0] if ends.isdisjoint(self.grading.words[dates[0].relation]) else None

    def date_of(self, of: Expression) -> Step | None:
        """The date of a set: its own, or of several that of its type, or when it was made.

        Not where more than its type is said: what was shipped, or reviewed by somebody, in May was
        so then.
        """
        dates = [step for step in self.dates(of.kinds) if self._is_called_by(step, of.kinds)]
        dates = dates or [s for s in self.dates(of.kinds) if self.kinds.says_made(s.relation)]
        bare = isinstance(of, (OfType, Named))
        return dates[0] if bare and len(dates) == 1 else self.own_date(of.kinds)

    def _is_called_by(self, step: Step, kinds: Kinds) -> bool:
        """Whether a date is called by the type of what has it, and by nothing else."""
        called = {self.kinds.type_texts.get(kind, "") for kind in kinds}
        said = set(tokens(self.kinds.schema.by_id[step.relation].text))
        days = self.language.schemas.days
        return any(said - days == {*tokens(text)} for text in called if text) and bool(said & days)

    def leads_to_class(self, kinds: Kinds, step: Step) -> bool:
        """Whether a step is called as the class that it leads to, and others lead there from kinds.

        The "film" of an award is such a step, where people direct films.
        """
        there = self.kinds.ends(step)[1]
        texts = {self.kinds.type_texts.get(kind, "").lower() for kind in there}
        named = self.kinds.schema.by_id[step.relation].text.lower() in texts
        return named and bool(self.kinds.between(kinds, there))

    def values(self, of: Expression, step: Step) -> Expression:
        """The values that a step to values leads to from a set."""
        return self.paired_value(of, step.relation) or self.step(of, step)

    def step(self, of: Expression, step: Step) -> Along:
        """What a step leads to from a set."""
        return Along(of, step, self.kinds.ends(step)[1])

    def _leads_back(self, of: Expression, word: RelationWord) -> bool | None:
        """Whether a relation leads back from a set beside its verb; None where unknown."""
        beside = word.beside
        if "noun" in word.role or beside is None:
            return None
        does = does_it(beside, named=isinstance(of, Named))
        name = self.kinds.schema.by_id[word.relation].text
        if word.role == "forward" and self.language.is_passive(name):
            # "lektoriert von": only a passive verb stands for it
            return does if beside.startswith(("agent", "undergoer")) else None
        return None if does is None else does != (word.role == "forward")

    def values_of_records(
        self, of: Expression, word: RelationWord
    ) -> Iterator[tuple[Expression, float]]:
        """The ratings "of" a film, which its reviews have, where these are joined in one way.

        Those of somebody's reviews are not his own. And the addresses of people, see
        `values_of_own`.
        """
        yield from values_of_own(of, word, self.kinds)
        step = Step(word.relation)
        sides = (of.left, of.right) if isinstance(of, Both) else (of,)  # "the Sales department"
        one = all(isinstance(side, (Named, OfType)) for side in sides)
        one = one and any(isinstance(side, Named) and not is_value(side) for side in sides)
        named = one and self.kinds.schema.typed
        value = self.kinds.gives_value(word.relation) and not self.kinds.gives_date(word.relation)
        if not (named and value) or word.role != "noun":
            return
        source = self.kinds.ends(step)[0]
        ways = self.likely_steps(of.kinds, source) if source.isdisjoint(of.kinds) else []
        doers = self.language.schemas.makers | self.language.schemas.doers.keys()
        if len(ways) != 1 or not ways[0].back or self._is_by(ways[0], doers):
            return
        doer = tokens(self.kinds.schema.by_id[ways[0].relation].text)[-1]
        texts = (self.kinds.type_texts.get(kind, "") for kind in source)
        records = {noun for text in texts for noun in tokens(text)[-1:]}
        if any(noun[:STEM] == doer[:STEM] and noun != doer for noun in records):
            return  # the "surveyor" of a survey
        yield self.step(self.step(of, ways[0]), step), OF_RECORDS

    def has_own(self, of: Expression, word: RelationWord) -> bool:
        """Whether a set has what a noun says by a relation that says more: a "primary doctor"."""
        last = tokens(self.kinds.schema.by_id[word.relation].text)[-1:]
        if not self.language.prepositions.isdisjoint(last):
            return False
        own = (r for r in self.kinds.relations if not self.kinds.gives_value(r.id))
        return "noun" in word.role and any(
            self.leads(Step(r.id), of.kinds) and tokens(r.text)[-1:] == last for r in own
        )

    def leads(self, step: Step, kinds: Kinds) -> bool:
        """Whether a step may lead away from things of some kinds."""
        return self.kinds.leads(step, kinds)

    def leads_to_one(self, step: Step) -> bool:
        """Whether a step leads from each thing to one at most."""
        return self.kinds.schema.by_id[step.relation].leads_to_one(back=step.back)

    def onward(
        self, of: Expression, step: Step, things: Expression, gap: Sequence[str]
    ) -> Onward | None:
        """What is counted over all of a set: cooks "with recipes from the most countries".

        None for "ships with more than one captain": each of them has so many.
        """
        each = not self.grammar.with_.isdisjoint(gap)
        return None if each else Onward(of, step, things, of.kinds)

    def is_opposite(self, step: Step, gap: Sequence[str]) -> bool:
        """Whether the name of a step says the opposite of a preposition: "sent to", and "from".

        What is done "for" somebody is not done "by" them, but a patch "for" a bug mends it.
        """
        grammar, text = self.grammar, self.kinds.schema.by_id[step.relation].text
        by = step.back and self.language.is_passive(text) and grammar.by.isdisjoint(gap)
        if by and not (grammar.whither | grammar.for_).isdisjoint(gap):
            return True
        if {*gap} <= grammar.whither and gap:  # "sold to Ann" is not what is a "child of" hers
            others = self.language.prepositions - grammar.whither - grammar.placing
            return not others.isdisjoint(tokens(text)[-1:])
        return self.language.is_opposite(text, gap)

    def says_where(self, relation: Relation) -> bool:
        """Whether a relation says in which one place something is."""
        return relation.leads_to_one() and self.language.says_place(tokens(relation.text))

    def by_preposition(self, steps: Sequence[Step], gap: Sequence[str]) -> Sequence[Step]:
        """Those of some steps to what follows a preposition that it may mean."""
        grammar, known = self.grammar, self.kinds.schema.by_id
        steps = [step for step in steps if not self.is_opposite(step, gap)]
        if len(steps) > 1 and not grammar.whence.isdisjoint(gap):
            return [step for step in steps if self.says_whence(step)]
        if len(named := [step for step in steps if self._is_named_by(step, gap)]) == 1:
            return named  # works "on" a street, of `onStreet`, do not start there
        if not grammar.whither.isdisjoint(gap):  # "to" is from nowhere
            steps = [step for step in steps if not self.kinds.record_roles.is_aside(step)]
            return [s for s in steps if not self.says_whence(s)] if len(steps) > 1 else steps
        if not grammar.placing.isdisjoint(gap):  # cities "in" a country are not its capitals
            return [s for s in steps if self.says_where(known[s.relation])] or steps
        return steps

    def _is_named_by(self, step: Step, gap: Sequence[str]) -> bool:
        """Whether the name of a step to a set begins with a preposition before that."""
        first = tokens(self.kinds.schema.by_id[step.relation].text)[:1]
        return step.back and not self.prepositions(gap).isdisjoint(first)

    def cost_of_named(self, steps: Sequence[Step], gap: Sequence[str]) -> float:
        """What the only step costs that a preposition says; 0 where none does."""
        return NAMED if len(steps) == 1 and self._is_named_by(steps[0], gap) else 0.0

    def has_none(self, of: Expression, step: Step) -> bool:
        """Whether a step leads to none of a set: "without the status", and then "Open"."""
        less = of.less if isinstance(of, Without) else None
        if isinstance(less, Valued):
            return less.step == step.inverse
        return isinstance(less, Along) and less.step == step and is_whole(less)

    def is_single(self, word: str) -> bool:
        """Whether a class word is no plural."""
        return self.language.singular(word.lower()) == word.lower()

    def named_by_class(self, of: Expression, steps: Sequence[Step]) -> list[Step]:
        """The one step back over a relation that is called as the things of a set: a `team`."""
        kinds = () if isinstance(of, Named) else of.kinds  # "the city of New York" is that one
        called = {self.kinds.type_texts.get(type, "").lower() for type in kinds} - {""}
        own = [s for s in steps if s.back and self.grading.text(s.relation).lower() in called]
        return own if len(own) == 1 else []

    def named_by_end(self, steps: Sequence[Step]) -> list[Step]:
        """The step that says what it leads to, beside others that lead to one thing each.

        A line "serves station", and "starts at" one of them. A "former player" is no player.
        """
        known, texts = self.kinds.schema.by_id, self.kinds.type_texts
        many = [step for step in steps if not self.leads_to_one(step)]
        return [
            step
            for step in many
            for words in [tokens(known[step.relation].text)]
            if len(many) == 1 and self.language.is_verb(words[0])
            if any(
                texts.get(type, "").lower() == " ".join(words[1:])
                for type in known[step.relation].target_types
            )
        ]

    def likely_steps(self, left: Kinds, right: Kinds) -> list[Step]:
        """The steps from one kind to several of another; where one is called by that, only it.

        A department has many employees, and one head.
        """
        steps = self.kinds.between(left, right)
        several = [step for step in steps if not self.leads_to_one(step)] or steps
        return self.named_by_end(steps) or several

    def ways(self, left: Kinds, things: Expression) -> list[tuple[Step, Expression]]:
        """As `likely_steps` to things; or the way over the places where they are."""
        steps = [(step, things) for step in self.likely_steps(left, things.kinds)]
        return steps or way_over_places(left, things, self.kinds, self.says_where)

    def does_any(self, word: RelationWord, objects: Item) -> Valued | None:
        """All that do what a verb says, where its noun is all that follows: "use libraries"."""
        step = Step(word.relation)
        doers = self.whole(self.kinds.ends(step)[0])
        said = is_whole(objects.value) and self.is_object(objects, step)
        return Valued(doers, step, doers.kinds) if said and doers else None

    def is_object(self, noun: Item, step: Step) -> bool:
        """Whether a set is what a noun for a step leads to, from where only that step leads.

        The "libraries that Ann uses" use nothing themselves.
        """
        of, text = noun.value, self.kinds.schema.by_id[step.relation].text
        said = noun.head >= 0 and any(s.meaning == text for s in noun.spans)
        both = self.kinds.ends(step)[0] & of.kinds
        return said and isinstance(of, Along) and of.step == step and bool(of.kinds) and not both

    def members(self, of: Named) -> Expression | None:
        """What a name stands for as a class: "beverages", where a category has products."""
        steps = [s for s in of.steps if s.back and self.kinds.may_stand(s.relation)]
        if len(steps) != 1:
            return None
        members = self.step(of, steps[0])  # medicines that are bad for rabbits are none
        others = (self.kinds.ends(s)[1] for s in of.steps if s.back and s != steps[0])
        several = is_value(of) and self.kinds.schema.typed
        return None if several and any(map(members.kinds.intersection, others)) else members

    def paired_value(self, of: Expression, relation: str) -> Expression | None:
        """The height of the highest point: the value by which a state's point is the highest."""
        if isinstance(of, Along) and of.step.relation in self.named_extremes and not of.step.back:
            step, _ = self.named_extremes[of.step.relation]
            if step.relation == relation:
                return self.step(of.of, step)
        return None

    def tells_direction(self, of: Expression, word: RelationWord, gap: Sequence[str]) -> bool:
        """Whether a preposition before a name says what the name is to a relation.

        Nobody "lives in Carla", and "the plaintiff in Kestrel Air" is no case of theirs.
        """
        if self.language.free_order or not isinstance(of, Named) or is_value(of):
            return self.is_bare(word)
        source, target = self.kinds.ends(Step(word.relation))
        said = self.prepositions(gap) - self.grammar.by
        noun = word.role == "noun" and bool(source and target) and source.isdisjoint(target)
        noun &= self.grammar.being.isdisjoint(gap)  # "whose manager is in Oslo"
        name = tokens(self.kinds.schema.by_id[word.relation].text) or [""]
        first, last = name[0], name[-1]
        if first in self.language.schemas.linked and self.kinds.schema.typed:
            return False  # "who is assigned to the task", and the task to whom
        noun = noun and last not in said  # "on loan to the Harbour Museum"
        # "Languages spoken in Peru" are what it has, and nobody "works for" who "works at" a shop.
        verb = word.role == "forward" and (last in said or last in self.language.prepositions)
        return bool(said) and (noun or verb)

    def is_called(self, verb: str, word: RelationWord, gap: Sequence[str]) -> bool:
        """Whether a verb and its preposition are said of what leads to a place: "lives in"."""
        language = self.language
        name = language.spelled(self.kinds.schema.by_id[word.relation].text.lower())
        said = {f"{form} {last}" for form in language.forms(verb.lower()) for last in gap[-1:]}
        return not said.isdisjoint(language.schemas.called.get(name, ()))

    def is_of_another(self, of: Expression, word: RelationWord, gap: Sequence[str]) -> bool:
        """Whether a verb says who did something to a set, and its relation to whom: "sold cars".

        Of a prize that was "awarded to" somebody, words may say who got it.
        """
        text = self.kinds.schema.by_id[word.relation].text
        if "noun" in word.role or not self.language.is_for_another(text):
            return False
        verb, *to = tokens(text)
        source, schemas = self.kinds.ends(Step(word.relation))[0], self.language.schemas
        either = verb in schemas.received | schemas.linked
        return not (either or {*to} & {*gap} or source.isdisjoint(of.kinds))

    def is_key(self, of: Expression, step: Step) -> bool:
        """Whether a set is a value that nothing else has by this step."""
        named = step.back and isinstance(of, Named) and is_value(of)
        return named and self.kinds.schema.by_id[step.relation].max_in == 1

    def owner_called(self, of: Expression) -> Along | None:
        """What has a value that names it, as a number or an address; None for any other."""
        steps = [s for s in of.steps if s.back] if isinstance(of, Named) and is_value(of) else []
        if len(steps) != 1:
            return None
        (step,), schemas = steps, self.language.schemas
        last = tokens(self.kinds.schema.by_id[step.relation].text)[-1]
        named = schemas.abbreviations.get(last, last) in schemas.naming
        return self.step(of, step) if named or self.is_key(of, step) else None

    def is_bare(self, word: RelationWord) -> bool:
        """Whether a relation is called by a preposition alone: "to"."""
        return self.kinds.schema.by_id[word.relation].text.lower() in self.language.prepositions

    def prepositions(self, gap: Sequence[str]) -> set[str]:
        """The prepositions between two parts, without articles in them: "im" is "in"."""
        contracted = self.language.contractions
        return {contracted.get(word, word) for word in gap} & self.language.prepositions

    def by_whom(self, steps: Sequence[Step], *, plain: bool) -> Sequence[Step]:
        """Those of some steps that lead from who made something: "films by Ann", over `director`.

        Where none does, from who had another part in it, as its `editor`; else the only step, if
        it says no other deed.

        Args:
            plain: whether nothing else is said of the things; then what they record is done by whom
                it was.
        """
        schemas = self.language.schemas
        for doers in (schemas.makers, schemas.doers.keys() - schemas.playing):
            if made := [step for step in steps if self._is_by(step, doers)]:
                return made
        if done := [step for step in steps if plain and self._is_of_deed(step)]:
            return done
        deeds = any(self.language.is_verb(self.grading.text(s.relation)) for s in steps)
        return () if deeds or len(steps) > 1 else steps

    def _is_by(self, step: Step, doers: Set[str]) -> bool:
        """Whether a step leads from who does what such doers do: "written by", of a writer."""
        text, forms = self.kinds.schema.by_id[step.relation].text, self.language.forms
        first, *others = tokens(text)
        verbs = (verb for doer in doers for verb in self.language.schemas.doers.get(doer, ()))
        passive = bool(others) and self.kinds.is_passive(step.relation)
        done = passive and any(not forms(first).isdisjoint(forms(verb)) for verb in verbs)
        return step.back and (done or text.lower() in doers or (others or [first])[-1] in doers)

    def _is_of_deed(self, step: Step) -> bool:
        """Whether a step leads from who did what a class records: interviews "conducted by"."""
        forms, deeds = self.language.forms, self.language.schemas.deeds
        called = {self.kinds.type_texts.get(kind, "").lower() for kind in self.kinds.ends(step)[1]}
        verbs = {form for noun in called for verb in deeds.get(noun, ()) for form in forms(verb)}
        done = step.back and self.kinds.is_passive(step.relation)
        first = tokens(self.kinds.schema.by_id[step.relation].text)[0]
        return done and not verbs.isdisjoint(forms(first))

    def says_whence(self, step: Step) -> bool:
        """Whether a relation says where something is from: "from Oslo" is not who lives there."""
        words = {*tokens(self.kinds.schema.by_id[step.relation].text)}
        whence = self.language.says_origin(words) or not words.isdisjoint(self.grammar.whence)
        return whence or step.relation in self.kinds.record_roles.doers
