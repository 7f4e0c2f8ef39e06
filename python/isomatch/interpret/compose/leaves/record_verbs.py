"""Verbs for what a class records: "ordered", of orders of products that customers place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from isomatch.chains.graph import Step
from isomatch.interpret.compose.categories import Category
from isomatch.interpret.compose.expressions import Expression, OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.leaves.record import Record, done_in
from isomatch.interpret.compose.lexical.constants import Comparison
from isomatch.interpret.compose.lexical.phrases import meant_by, span_of
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.schema.types import Relation

Leaves = Mapping[tuple[int, int], list[Item]]  # by their places (start, end)


class RecordVerbs:
    """Finds the verbs for records in a question; `RecordRules` says what the items are.

    Where a class has no one relation to who did it, it records no deed.

    Args:
        joins: of the graph.
        lexicon: words of types.
    """

    def __init__(self, joins: Joins, lexicon: Lexicon):
        self._joins = joins
        self._kinds = joins.kinds
        self._lexicon = lexicon

    def with_verbs(self, question: str, words: Sequence[Word], leaves: Leaves) -> Leaves:
        """The leaves, with verbs that are a class's noun; these are no nouns there."""
        read = dict(leaves)
        nouns = {form for word in words for form in self._joins.language.noun_forms(word.text)}
        for place, length, item, record in self._verbs(question, words):
            here = read.get((place, place + 1), ())
            ends = item.category == "done at" and place + length + 1 == len(words)
            if not ends:  # "order from" has no rule here
                to_it = item.category == "done to" and place + length + 1 < len(words)
                here = [one for one in here if not _is_other(one, record, to_it=to_it)]
            if self._is_active(words, place):  # "that called at 9:15", and was called by nobody
                here = [one for one in here if not self._is_object(one)]
            if record in self._done.values():
                here = [one for one in here if not _says(one, record.objects[0].relation)]
            if record.said_as[1] not in nouns:
                here = [one for one in here if not self._dates(one, record)]
            read[place, place + 1] = [*here]
            read[place, place + length] = [*read.get((place, place + length), ()), item]
        for place, record in self._idle(words, read):
            read[place, place + 1] = [*read.get((place, place + 1), ()), Item("deed", record)]
        return read

    def _is_active(self, words: Sequence[Word], place: int) -> bool:
        """Whether a verb follows its subject: "phones that called", "which have called".

        Who "received a message" is the one to whom it was sent.
        """
        grammar, language = self._joins.grammar, self._joins.language
        before = {w.text for w in words[max(0, place - 1) : place]}
        active = not before.isdisjoint(grammar.relative | grammar.having)
        return active and language.schemas.receiving.isdisjoint(language.forms(words[place].text))

    def _is_object(self, item: Item) -> bool:
        """Whether a word is read as the relation to whom something was done: `called`."""
        objects = self._kinds.record_roles.objects
        return isinstance(item.value, RelationWord) and item.value.relation in objects

    def holders(self, of: Expression) -> Expression | None:
        """Those who have some of a set of records that somebody has: a fine, and no donation.

        A booking is not had by who it was "booked by", who may have done it for another.
        """
        deeds, having = self._joins.language.schemas.deeds, self._joins.grammar.having
        for noun, record in self._by_noun.items():
            had = not having.isdisjoint(deeds.get(noun, ()))
            others = any(self._are(step, self._people) for step in record.objects)
            own = had and not (others or self._kinds.is_passive(record.doer.relation))
            if own and of.kinds and of.kinds <= record.every.kinds:
                return self._joins.step(of, record.doer)
        return None

    def _dates(self, item: Item, record: Record) -> bool:
        """Whether a verb is read as the date of records, which are not what was done: "ordered"."""
        word = item.value
        if not (isinstance(word, RelationWord) and self._kinds.gives_date(word.relation)):
            return False
        of = self._kinds.ends(Step(word.relation))[0]
        return bool(of) and of <= record.every.kinds

    def _idle(self, words: Sequence[Word], leaves: Leaves) -> list[tuple[int, Record]]:
        """The places of verbs as in "placed an order", with what they are verbs for."""
        language, schemas = self._joins.language, self._joins.language.schemas
        nouns = {
            form
            for (_, end), items in leaves.items()
            if any(map(_is_class, items))
            for form in language.noun_forms(words[end - 1].text)
            if form in self._by_noun
        }
        verbs = {verb: self._by_noun[n] for n in nouns for verb in schemas.deeds.get(n, ())}
        said = (at for at, some in leaves.items() if any(one.category != "making" for one in some))
        read = {place for start, end in said for place in range(start, end)}
        return [
            (place, record)
            for place, word in enumerate(words)
            if place not in read and word.text not in language.function_words
            if not (word.text in verbs and self._describes(words, place))
            for record in [verbs[f] for f in sorted(language.forms(word.text)) if f in verbs][:1]
        ]

    def _describes(self, words: Sequence[Word], place: int) -> bool:
        """Whether a verb may be an adjective of the noun after it: "open tickets"."""
        asked = self._joins.language.before_infinitives
        before, after = ({w.text for w in part} for part in (words[:place], words[place + 1 :][:1]))
        return asked.isdisjoint(before) and self._joins.language.function_words.isdisjoint(after)

    def _verbs(
        self, question: str, words: Sequence[Word]
    ) -> Iterator[tuple[int, int, Item, Record]]:
        """The verbs of a question: (place, number of words, item, what records them)."""
        language, grammar = self._joins.language, self._joins.grammar
        if language.free_order or not (self._records or self._parts):
            return
        nouns = {form for word in words for form in language.noun_forms(word.text)}
        asked = False  # "did Ann order", and not "the order"
        for place, word in enumerate(words):
            asked = asked or word.text in language.before_infinitives
            if place == 0 or word.text in language.function_words:
                continue
            length, record = self._found(words, place, nouns)
            record = record or self._tied(words, place)
            noun = not language.noun_forms(word.text).isdisjoint(self._records)
            base = word.text in self._records and asked and self._is_verb(words, place)
            if record is None or (noun and not base and length == 1):
                continue
            spans = (meant_by(span_of(question, words, place, length), *record.said_as),)
            end, before = place + length, words[:place]
            following = {w.text for w in words[end : end + 1]}
            passive = not grammar.been.isdisjoint(w.text for w in before)
            category: Category = "undergone" if passive else "record"
            own = self._begun_by(record.objects, following)
            if not grammar.by.isdisjoint(following):
                yield place, length + 1, Item("done by", record, spans=spans), record
            elif own:  # "complained about", of a complaint `about` something
                record = replace(record, objects=tuple(own))
                last = self._kinds.schema.by_id[own[0].relation].text
                ending = meant_by(span_of(question, words, end, 1), "relation", last)
                yield place, length + 1, Item(category, record, spans=(*spans, ending)), record
            elif not (grammar.whither | grammar.for_).isdisjoint(following):
                yield place, length + 1, Item("done to", (record, category), spans=spans), record
            elif not (language.prepositions.isdisjoint(following) or self._sums(words, end)):
                yield place, length, Item("done at", (record, category), spans=spans), record
            else:
                yield place, length, Item(category, record, spans=spans), record

    def _begun_by(self, steps: Sequence[Step], following: Set[str]) -> list[Step]:
        """The steps that the preposition after a verb begins: "acted in", of a role `inFilm`.

        Where to and for whom something was done is said of what was done, too.
        """
        language, grammar = self._joins.language, self._joins.grammar
        small = following & language.prepositions
        names = [(step, tokens(self._kinds.schema.by_id[step.relation].text)) for step in steps]
        apart = grammar.whither | grammar.for_ | grammar.by
        return [
            step
            for step, (first, *others) in names
            if first in small and not step.back and (not others or first not in apart)
        ]

    def _tied(self, words: Sequence[Word], place: int) -> Record | None:
        """What ties who did something to that in which it was done: roles, of films and actors."""
        following = {word.text for word in words[place + 1 : place + 2]}
        if self._joins.language.prepositions.isdisjoint(following):
            return None
        found = [
            replace(record, objects=tuple(own))
            for doer, record in self._ties
            if self._joins.language.does(doer, words[place].text)
            if (own := self._begun_by(record.objects, following))
        ]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _ties(self) -> list[tuple[str, Record]]:
        """The classes with one relation that is called by who does something, and that noun."""
        doers, found = self._joins.language.schemas.doers, []
        others = self._joins.language.schemas.others  # who was nominated is not all who acted
        types = self._lexicon.types.items() if self._kinds.schema.typed else ()
        for type_id in (id for id, words in types if words.word not in others):
            every = OfType(type_id, self._kinds.of_type(type_id))
            steps = [step for step in self._steps(every) if not step.back]
            for step in steps:
                text = self._kinds.schema.by_id[step.relation].text
                if text.lower() in doers:
                    rest = tuple(one for one in steps if one != step)
                    found.append((text.lower(), Record(every, step, rest, ("relation", text))))
        return found

    def _sums(self, words: Sequence[Word], place: int) -> bool:
        """Whether what follows is "in total"."""
        functions = self._joins.language.function_of
        return any(functions.get(word.text) == "sum" for word in words[place + 1 : place + 2])

    def _found(
        self, words: Sequence[Word], place: int, nouns: Set[str]
    ) -> tuple[int, Record | None]:
        """The record of a verb at a place, and how many words it is: "checked out", a checkout."""
        for particle in (word.text for word in words[place + 1 : place + 2]):
            for form in sorted(self._joins.language.forms(words[place].text)):
                if (phrasal := f"{form}{particle}") in self._records:
                    return 2, self._records[phrasal]
        return 1, self._said(words[place].text, nouns)

    def _said(self, verb: str, among: Set[str]) -> Record | None:
        """What records a deed: "order" that it was ordered, "prescription" that it was prescribed.

        None for no such class.

        Args:
            among: the nouns of the question.
        """
        nouns = [noun for noun in self._records if self._is_of(noun, verb)]
        if nouns:
            return self._records[nouns[0]]
        language = self._joins.language
        forms = language.forms(verb)
        if done := next((self._done[form] for form in sorted(forms) if form in self._done), None):
            return done
        for noun, doer, record in self._parts:
            # Who "wrote a review" is its author; "scored in the first match" says of no goal.
            deeds = language.schemas.deeds
            own = noun in among and not forms.isdisjoint(deeds[noun])
            bought = not forms.isdisjoint(deeds.get(f"{noun} {doer}", ()))
            if not own and (bought or language.does(doer, verb)):
                return record
        return None

    @cached_property
    def _done(self) -> Mapping[str, Record]:
        """The records that say by a participle what was done, by the forms of these."""
        return done_in(self._by_noun, self._kinds, self._joins)

    @cached_property
    def _parts(self) -> list[tuple[str, str, Record]]:
        """Loans and the like, with those who have a part in them: their nouns, and the record."""
        found = []
        deeds = self._joins.language.schemas.deeds
        for type_id, words in self._lexicon.types.items() if self._kinds.schema.typed else ():
            every = OfType(type_id, self._kinds.of_type(type_id))
            steps = self._steps(every) if words.word in deeds else []
            for step in (one for one in steps if not one.back):
                others = [one for one in steps if one != step]
                things = [one for one in others if not self._are(one, self._people)]
                text = self._kinds.schema.by_id[step.relation].text
                named = text.lower() in self._joins.language.schemas.people
                known = not named or f"{words.word} {text.lower()}" in deeds
                objects = tuple(things or others) if known else ()
                if objects:  # who "plays" for a team is the `player` of no transfer
                    record = Record(every, step, objects, ("relation", text))
                    found.append((words.word, text.lower(), record))
        return found

    def _is_verb(self, words: Sequence[Word], place: int) -> bool:
        """Whether a noun may be a verb: it ends a question, or something small follows.

        "Did the customer order", and not "does the shop have a recent order".
        """
        language, grammar = self._joins.language, self._joins.grammar
        after = [word.text for word in words[place + 1 : place + 2]]
        opens = grammar.any_article | grammar.every | grammar.lacking
        before = [word.text for word in words[:place]]
        at = max((n for n, text in enumerate(before) if text in opens), default=None)
        subject = at is None or any(map(self._joins.is_class, before[at + 1 :]))
        return language.function_words.issuperset(after) and subject

    @cached_property
    def _records(self) -> dict[str, Record]:
        """The records that say what something was done to, by their nouns, which are verbs too.

        A verb that says a relation says that.
        """
        forms, relations = self._joins.language.forms, self._kinds.relations
        said: dict[str, set[str]] = {}
        for relation in relations:
            for phrase in self._kinds.phrases[relation.id] if self._by_noun else ():
                for form in forms(phrase.split()[0]):
                    said.setdefault(form, set()).add(relation.id)
        found = {}
        for noun, record in self._by_noun.items():
            kinds = record.every.kinds
            own = {r.id for r in relations if not self._kinds.ends(Step(r.id))[0].isdisjoint(kinds)}
            own |= {r.id for r in relations if self._only_leads_to(r, kinds)}
            if record.objects and not said.get(noun, set()) - own:
                found[noun] = record
        return found

    def _only_leads_to(self, relation: Relation, kinds: Set[str]) -> bool:
        """Whether a relation to some records says no verb: an interview is "of application"."""
        bare = not self._joins.language.prepositions.isdisjoint(tokens(relation.text)[:1])
        return bare and not self._kinds.ends(Step(relation.id))[1].isdisjoint(kinds)

    @cached_property
    def _by_noun(self) -> dict[str, Record]:
        """The records of the graph by their nouns."""
        types = self._lexicon.types.items() if self._kinds.schema.typed else ()
        found: dict[str, Record] = {}
        for id, words in types:
            every, also = OfType(id, self._kinds.of_type(id)), {*words.also}
            nouns = (words.word, *({*tokens(words.word)[-1:]} & also))  # a "phone call" is a "call"
            own = {noun: self._record(noun, every) for noun in nouns}
            found |= {noun: record for noun, record in own.items() if record is not None}
            first = next((record for record in own.values() if record is not None), None)
            if first is None or not self._kinds.have_roles(every.kinds):
                continue
            for noun in (w for w in words.also if len(tokens(w)) == 1):  # also a "contact"
                found.setdefault(noun, first)
        return found

    def _record(self, word: str, every: OfType) -> Record | None:
        """A class of a noun, if there is one step to who did what it records."""
        schemas = self._joins.language.schemas
        if not {*tokens(word)}.isdisjoint(schemas.people | schemas.doers.keys()):
            return None  # who is somebody's driver was not driven
        known = word in schemas.deeds  # else people "live at" a location
        steps = [step for step in self._steps(every) if known or not step.back]
        doers = [s for s in steps if not s.back and self._is_done_by(word, s)]
        doers = doers or [step for step in steps if self._are(step, self._people)]
        objects = tuple(step for step in steps if step not in doers)
        text, those = self._kinds.type_texts[every.type], self._those_done(every)
        if len(doers) != 1 or those is None:
            return None
        return Record(those, doers[0], objects, ("type", text))

    def _is_done_by(self, noun: str, step: Step) -> bool:
        """Whether a step leads to who did what a class records: "prescribed by", "interviewer"."""
        text = self._kinds.schema.by_id[step.relation].text
        if self._joins.language.is_doer(text.lower(), noun):
            return True
        language, verb = self._joins.language, tokens(text)[0]
        said = not language.forms(verb).isdisjoint(language.schemas.deeds.get(noun, ()))
        return self._kinds.is_passive(step.relation) and (said or self._is_of(noun, verb))

    def _steps(self, every: OfType) -> list[Step]:
        """The steps from a class to other things."""
        return [
            step
            for relation in self._kinds.relations
            if not self._kinds.gives_value(relation.id)
            for step in (Step(relation.id), Step(relation.id, True))
            if not self._kinds.ends(step)[0].isdisjoint(every.kinds)
        ]

    @cached_property
    def _people(self) -> frozenset[str]:
        schemas = self._joins.language.schemas
        return schemas.people | schemas.makers | schemas.doers.keys()

    def _those_done(self, every: OfType) -> Expression | None:
        """Those of a class that say so: an approval may have "approved" false.

        None where they may be of either kind, as votes for and against.
        """
        schemas, word = self._joins.language.schemas, self._lexicon.types[every.type].word
        own = [r for r in self._kinds.relations if self._kinds.leads(Step(r.id), every.kinds)]
        if any(not schemas.verdicts.isdisjoint(tokens(r.text)) for r in own):
            return None
        those: Expression = every
        for relation in own:
            if self._kinds.is_boolean(relation.id) and self._is_of(word, relation.text):
                true = (Comparison("=", ("true",)),)
                those = self._joins.compared(those, Step(relation.id), true)
        return those

    def _is_of(self, noun: str, verb: str) -> bool:
        """Whether a noun is for what a verb says was done."""
        language = self._joins.language
        forms = language.forms(verb)
        return noun in forms or any(language.is_deed(noun, form) for form in forms)

    def _are(self, step: Step, people: frozenset[str]) -> bool:
        """Whether a step leads to people, by their types or its name."""
        kinds = self._kinds.ends(step)[1]
        texts = {self._kinds.type_texts.get(kind, "").lower() for kind in kinds}
        named = not step.back and self._kinds.schema.by_id[step.relation].text.lower() in people
        known = bool(kinds) and self._joins.are_people(kinds)
        return named or known or not texts.isdisjoint(people)


def idle_deeds(leaves: Leaves) -> set[int]:
    """The places of verbs that say no more than a noun for records does: "placed an order"."""
    return {
        start
        for (start, end), items in leaves.items()
        if end == start + 1 and {"deed"} <= {item.category for item in items} <= {"deed", "making"}
    }


def _says(item: Item, relation: str) -> bool:
    return isinstance(item.value, RelationWord) and item.value.relation == relation


def _is_class(item: Item) -> bool:
    return isinstance(item.value, OfType)


def _is_other(item: Item, record: Record, *, to_it: bool) -> bool:
    """Whether a word is read as a noun, or by the relation alone, where it is a record's verb.

    Args:
        to_it: whether something follows that it was done to: what was "donated to Ann" is no
            donation, where these say what was donated.
    """
    if not isinstance(item.value, RelationWord):
        return _is_class(item)
    own = {step.relation for step in record.objects}
    alone = own if to_it and len(own) > 1 else set()
    return item.value.relation in {record.doer.relation, *alone}
