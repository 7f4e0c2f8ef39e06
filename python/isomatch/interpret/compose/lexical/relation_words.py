"""Words for relations, and whether a word of a question is a form of one or another word."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from isomatch.chains.graph import Step
from isomatch.interpret.compose.categories import Role
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.constants import is_numeral
from isomatch.interpret.compose.lexical.creation_verbs import creation_verbs
from isomatch.interpret.compose.lexical.states import says_more
from isomatch.interpret.compose.lexical.voice import Beside, Voice
from isomatch.interpret.compose.units import says_how_long, without_unit
from isomatch.interpret.words.content import Word, is_only_meant, is_state
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.opposites import are_opposites
from isomatch.schema.types import Relation


@dataclass(frozen=True, slots=True)
class RelationWord:
    """A relation that a word stands for, and which side of it the word is.

    Attributes:
        beside: what a set beside the word is to it, where the order of words does not say.
    """

    relation: str
    role: Role
    beside: Beside | None = None

    @property
    def to_things(self) -> Step:
        """The step from those who have it to what a noun is for."""
        return Step(self.relation, self.role == "inverse noun")


@dataclass(frozen=True, slots=True)
class EdgeKey:
    """A property that the edges of a relation have.

    Attributes:
        number: whether the word asks how many it says, as "units" for a quantity.
    """

    relation: str
    key: str
    number: bool = False


class WordForms:
    """Tells whether a word that has the form of a relation's word is another word, over one graph.

    Args:
        kinds: of the graph.
        lexicon: words of relations and types.
    """

    def __init__(self, kinds: GraphKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._lexicon = lexicon
        self._language = language = lexicon.language
        people = {language.plural(w) for of in language.question_words.values() for w in of}
        called = (w for words in lexicon.types.values() for w in words.phrases())
        classes = [w for w in called if w not in people]  # a population says how many these are
        self.classes = {form for word in classes for form in language.noun_forms(word)}
        doers = [w for words in lexicon.relations.values() for w in words.inverse_nouns]
        sources = {words.source for words in lexicon.relations.values() if words.source}
        self._sources = {form for word in sources for form in language.noun_forms(word)}
        self._bare = {r.text.lower() for r in kinds.relations} & language.prepositions
        self._called: dict[str, set[str]] = {}
        for relation in kinds.relations:
            for form in (f for word in tokens(relation.text)[:1] for f in language.forms(word)):
                self._called.setdefault(form, set()).add(relation.id)
        self.voice = Voice(kinds, language, self.classes, self._called)
        self._doers = {f for word in doers for f in language.noun_forms(word)} | self.classes

    def is_head_of_several(self, word: str) -> bool:
        """Whether the names of several types end with a word: of bus and police "stations"."""
        types, noun = self._lexicon.types.values(), self._language.singular(word)
        return sum(tokens(words.word)[-1:] == [noun] for words in types) > 1

    def is_class(self, word: str) -> bool:
        """Whether a word is what the sources of a relation are called, if only by a guess."""
        return not self._sources.isdisjoint(self._language.noun_forms(word))

    def verbs_by_name(self, relation: str) -> Sequence[str]:
        """What things do that have a relation of such a name: "take place", "take", "weigh"."""
        schemas, text = self._language.schemas, self._kinds.schema.by_id[relation].text.lower()
        days, dates = schemas.days.intersection(tokens(text)), self._language.asking.dates
        other = any(day in self._kinds.by_name for day in schemas.days)  # no mere "year"
        if (days or not other) and schemas.days.union(dates).issuperset(tokens(text)):
            return (*schemas.dated_verbs, *self._verbs_of_sources(relation))
        if says_how_long(relation, self._kinds):
            return schemas.lasting_verbs
        if begun := creation_verbs(relation, self._kinds, self._lexicon):
            return [verb for verbs in begun.values() for verb in verbs]
        language = self._language
        first, _, rest = text.partition(" ")  # "skill", of "has skill"
        called = language.singular(rest if first in language.grammar.having else text)
        names = {called, language.spelled(text), without_unit(text, language)}
        verbs = (verb for name in sorted(names) for verb in schemas.called.get(name, ()))
        return [*verbs, *self._verbs_of_target(relation)]

    def _verbs_of_target(self, relation: str) -> Sequence[str]:
        """What those do with a thing who have it, by a relation of its name: an award is "won".

        Not where they have a flag that says so itself: a nomination with `hasWon`.
        """
        noun = self._language.singular(self._kinds.schema.by_id[relation].text.lower())
        sources, targets = self._kinds.ends(Step(relation))
        types = targets & self._lexicon.types.keys()
        if noun not in {self._lexicon.types[type_id].word for type_id in types}:
            return ()
        forms, ends = self._language.forms, self._kinds.ends
        flags = (r for r in self._kinds.flags if not ends(Step(r.id))[0].isdisjoint(sources))
        own = {form for flag in flags for word in tokens(flag.text) for form in forms(word)}
        verbs = self._language.schemas.collocations.get(noun, ())
        return [verb for verb in verbs if own.isdisjoint(forms(verb))]

    def _verbs_of_sources(self, relation: str) -> list[str]:
        """What is done with the things that have a relation: matches are "played"."""
        types = self._kinds.ends(Step(relation))[0] & self._lexicon.types.keys()
        called = sorted(self._lexicon.types[type_id].word for type_id in types)
        verbs = self._language.schemas.collocations
        return [verb for noun in called for verb in verbs.get(noun, ())]

    def is_other(
        self,
        words: Sequence[Word],
        place: int,
        length: int,
        phrase: Sequence[str],
        last: str,
        value: Any,
    ) -> bool:
        """Whether the words at a place only look like a phrase.

        Args:
            length: how many words these are.
            last: the preposition that the phrase ends with; empty for none.
            value: what the phrase stands for.
        """
        if not isinstance(value, RelationWord):
            return False
        texts, language = [w.text for w in words[place:]], self._language
        asked = place == 1 and words[0].text in self._language.asking.who
        return (
            self.is_state(words, place, value)
            or self._is_noun(words, place, phrase, value)
            or self._is_counted(words, place + length - 1, value.relation)
            or says_more(words, place, value.relation, self._kinds)
            or self.voice.is_noun_of(words, place, length, last, value.role)
            or self._is_ordinal(words, place, value)
            or self.voice.is_for_telling(words, place, value.relation)
            or self._is_verb_of_name(texts[0], phrase, value)
            or (
                # "who coaches the team" asks for no coaches
                not (
                    value.role in ("forward", "backward")
                    and (asked or self.voice.is_own_doer(words, place))
                )
                and self._is_agent(texts[0], phrase[0], value, texts[length:])
            )
            or self.voice.is_other(words, place, length, phrase[0], value.relation, value.role)
            or (
                last in self._language.grammar.by
                and self.voice.is_active(words, place, length, value.relation)
            )
            or self.voice.is_doing(words, place, value.relation, value.role)
            or self.voice.is_handed_on(words, place, length, value.relation)
            or self.voice.is_noun_described(words, place, length, value.relation)
            or is_only_meant(words, place, self._kinds.schema.by_id[value.relation].text, language)
            or self._is_elsewhere(texts[length - 1 :], phrase, last, value)
        )

    def as_doer(self, words: Sequence[Word], place: int, value: Any) -> Any:
        """What a word stands for; the noun for who does it is no verb: "owners", of "owns".

        Who somebody "is followed by" at the end follows them.
        """
        if not isinstance(value, RelationWord) or value.role not in ("forward", "backward"):
            return value
        text, language = self._kinds.schema.by_id[value.relation].text.lower(), self._language
        word, *after = (w.text for w in words[place:])
        done = not language.grammar.been.isdisjoint(w.text for w in words[:place])
        if done and language.grammar.by.issuperset(after or [word]):
            if value.role == "backward":  # "is mentored by", where some are others' `mentor`
                kept = language.is_verb(text) or value.relation in self._kinds.done_by_sources
                return value if kept else replace(value, role="forward")
            passive = self._kinds.is_passive(value.relation)
            return value if passive else replace(value, role="backward")
        if value.role == "backward":
            return value
        doer = language.doer_of(text)
        said = doer is not None and doer in language.noun_forms(word) and doer != text
        said = said and not self.voice.is_own_doer(words, place)  # "whom does Ann mentor"
        return replace(value, role="inverse noun") if said else value

    def may_say(self, text: str, relation: Relation) -> bool:
        """Whether a word or phrase is one for a relation, and not too little or for another."""
        too_little = self._says_too_little(text, relation)
        denied = self._denies(tokens(text), relation.text)
        return not (too_little or denied or self._is_of_another(text, relation))

    def _denies(self, words: Sequence[str], name: str) -> bool:
        """Whether a relation says that something is not, as "not listed", and words do not."""
        return not self._language.denials(name).issubset(words)

    def _says_too_little(self, text: str, relation: Relation) -> bool:
        """Whether a part of a relation's name is a class, or only a preposition.

        "Orders" are not units on order, "packages" not what something "requires", and of "in
        country", "in" would be said by every "in". But an "order count" is how many these are.
        """
        if text.lower() == relation.text.lower():
            return False
        named = self.classes.intersection(self._language.noun_forms(text))
        last = tokens(relation.text)[-1:]
        counted = any(text in self._language.numbers_of(w, relation.text) for w in last)
        bare = text.lower() in self._language.prepositions - self._language.grammar.about
        # Not "in the same district", of `livesInDistrict`.
        own, object_ = self._lexicon.relations[relation.id], len(tokens(relation.text)) == 2
        object_ = object_ and text in own.nouns and bool(own.forward and own.inverse_nouns)
        alone = object_ or self._kinds.gives_value(relation.id)
        return bare or bool(named and not counted and alone)

    def counts_class(self, word: str, value: Any) -> bool:
        """Whether a number is of things that the graph has, too: a "team count" beside teams."""
        number = isinstance(value, RelationWord) and value.role == "number"
        return number and self.voice.names_class(word)

    def _is_of_another(self, text: str, relation: Relation) -> bool:
        """Whether a word is the name of another relation between such things, and not of this one.

        What people say for many a relation, as "acted" for a cast, may be what one is called.
        """
        forms, ends = self._language.forms, self._kinds.ends
        first = [form for word in tokens(text)[:1] for form in forms(word)]
        own = {form for word in tokens(relation.text) for form in forms(word)}
        if not own.isdisjoint(first) or text in self._lexicon.relations[relation.id].phrases():
            return False
        source, target = ends(Step(relation.id))
        others = {other for form in first for other in self._called.get(form, ())}
        return any(
            start & source and end & target
            for other in others
            for start, end in (ends(Step(other)), ends(Step(other, True)))
        )

    def _is_ordinal(self, words: Sequence[Word], place: int, value: RelationWord) -> bool:
        """Whether a word is an ordinal, and no verb: "the last concert"."""
        before, asking = words[place - 1].text if place else "", self._language.asking
        said = words[place].text in self._language.grammar.last and value.role == "forward"
        opens = place == 0 or before in asking.commands | asking.which  # "last train from Oslo"
        return said and (opens or before in self._language.grammar.articles)

    def _is_counted(self, words: Sequence[Word], place: int, relation: str) -> bool:
        """Whether things are counted that a relation measures: "how many floors", in m2."""
        language, text = self._language, self._kinds.schema.by_id[relation].text
        before, noun = [w.text for w in words[max(0, place - 2) : place]], words[place].text
        many = language.grammar.amounts.intersection(before[-1:])
        numbers = any(is_numeral(word, language) for word in before[-1:])
        counted = many or numbers or tuple(before) in language.operators.count
        several = noun not in tokens(text) and language.singular(noun) in tokens(text)
        return bool(counted and several and without_unit(text, language))

    def _is_noun(
        self, words: Sequence[Word], place: int, phrase: Sequence[str], value: RelationWord
    ) -> bool:
        """Whether a word is a noun for things and no verb: "the works" work for nobody.

        So is what "a mentor" is, where that is a noun of the relation as well.
        """
        if not place or self._language.free_order or value.role not in ("forward", "backward"):
            return False
        text, before = words[place].text, words[place - 1].text
        own, forms = self._lexicon.relations[value.relation], self._language.noun_forms(text)
        if before in self._language.grammar.indefinite and phrase[0] not in forms:
            return not forms.isdisjoint((*own.nouns, *own.inverse_nouns))
        verb, *rest = tokens(self._kinds.schema.by_id[value.relation].text)
        several = text == verb and self._language.singular(text) != text
        follows = [word.text for word in words[place + 1 : place + 2]]
        articled = before in self._language.grammar.articles
        return several and articled and bool(rest) and follows != rest[:1]

    def is_idiom(self, words: Sequence[Word], place: int, length: int, value: Any = None) -> bool:
        """Whether a preposition and a class word that ends a question say a state: "on order".

        A question for things of a class has an article or a plural there: "in an order".
        """
        language, grammar = self._language, self._language.grammar
        ends = place > 0 and place + length == len(words)
        noun, before = words[-1].text, words[place - 1].text
        if not ends or language.singular(noun) != noun or before in language.contractions:
            return False
        verb = isinstance(value, RelationWord) and length == 1 and noun in self.classes
        of_class = not isinstance(value, (RelationWord, EdgeKey)) or verb
        joining = grammar.of | grammar.by | grammar.with_ | grammar.lacking
        return of_class and before in language.prepositions - joining

    def _is_verb_of_name(self, word: str, phrase: Sequence[str], value: RelationWord) -> bool:
        """Whether a verb is taken for what is left of a name: "shipped" for a "ship name"."""
        whole = tokens(self._kinds.schema.by_id[value.relation].text)
        reduced = len(phrase) == 1 < len(whole) and phrase[0] == whole[0]
        named = reduced and "noun" in value.role and self._kinds.gives_value(value.relation)
        return named and phrase[0] not in self._language.noun_forms(word)

    def _is_agent(self, word: str, verb: str, value: RelationWord, after: Sequence[str]) -> bool:
        """Whether a noun is taken for a verb, "suppliers" for "supplies", or a verb for a noun."""
        nouns = self._language.noun_forms(word)
        if verb in nouns:
            return False
        if value.relation in self._kinds.record_roles.doers and not self.classes.isdisjoint(nouns):
            return True  # the "calls" of somebody are no callers
        own = self._lexicon.relations[value.relation].nouns  # "manager", of "managed by"
        if self._kinds.is_passive(value.relation) and not {verb, *nouns}.isdisjoint(own):
            return True
        doing = value.role == "noun" and verb in self._language.schemas.doers  # "edited"
        if value.role == "inverse noun":  # "whom does Ann report to", who is no reporter
            said = self._language.prepositions.intersection(after[:1])
            name = tokens(self._kinds.schema.by_id[value.relation].text)
            elsewhere = not (said.issubset(name) or self._kinds.gives_value(value.relation))
            # Who "teaches a course" is nothing that is "taught in" a room.
            present = self._language.singular(word) != word and len(name) > 1 and not said
            elsewhere |= present and name[-1] in self._language.prepositions
            idle = self._language.grammar.already  # "has it been packed yet"
            return elsewhere or self._language.prepositions.union(idle).issuperset(after)
        language = self._language
        does = any(language.does(noun, verb) for noun in nouns)
        return doing or ((does or "noun" not in value.role) and not self._doers.isdisjoint(nouns))

    def is_state(self, words: Sequence[Word], place: int, value: RelationWord) -> bool:
        """Whether a word says what something is, and a verb when it became that: "is open"."""
        text, relation = self._kinds.schema.by_id[value.relation].text, value.relation
        year = self._kinds.gives_value(relation) and self._language.is_verb(text)
        if not (year or self._kinds.gives_date(relation) or self._kinds.is_passive(relation)):
            return False
        return self._is_adjective(words, place, text) or is_state(
            words, words[place].start, text, self._language
        )

    def _is_adjective(self, words: Sequence[Word], place: int, text: str) -> bool:
        """Whether the stem of a participle describes a class: "open accounts".

        What "members maintain", they do.
        """
        grammar = self._language.grammar
        before = [w.text for w in words[1:place] if w.text not in grammar.solely][-1:]
        if any(w in grammar.relative or self.voice.names_class(w) for w in before):
            return False
        said, first = words[place].text, "".join(tokens(text)[:1])
        class_follows = any(self.voice.names_class(w.text) for w in words[place + 1 : place + 2])
        stem = len(said) < len(first) and first.startswith(said)
        lately = self._language.doer_of(first) is not None and self._language.is_verb(said)
        return class_follows and said != first and (stem or lately)  # "expired", of "expires"

    def is_turned(self, words: Sequence[Word], place: int, length: int, relation: str) -> bool:
        """Whether a preposition in or after a run of words makes them say another relation.

        "Fly from" is like "flies to", and is the other way.
        """
        said = tokens(self._kinds.schema.by_id[relation].text)
        texts = [w.text for w in words[place + 1 : place + length + 2]]
        turned = any(self._redirects(texts[n : n + 2], said) for n in range(length))
        turned = turned or self._is_of_bare(texts[:2], {*said})
        by = not self._language.grammar.by.isdisjoint(texts[:length])
        turned = turned or (by and self._language.is_for_another(" ".join(said)))  # "lent by Ann"
        turned = turned or self.voice.is_handed_on(words, place, length, relation)
        turned = turned or are_opposites(tokens(words[place].text), said, self._language)
        turned = turned or is_only_meant(words, place, " ".join(said), self._language)
        turned = turned or self._denies(
            [w.text for w in words[place : place + length]], " ".join(said)
        )
        return turned or says_more(words, place, relation, self._kinds)

    def _is_of_bare(self, following: Sequence[str], said: Set[str]) -> bool:
        """Whether another relation is called by a preposition alone, and that follows a verb.

        "Paid to" is not "paid with" where there is a "to".
        """
        return self._goes_on(following, self._bare - said)

    def _redirects(self, following: Sequence[str], said: Collection[str]) -> bool:
        """Whether a verb is followed by a preposition to or from elsewhere.

        What was "paid to Ann" was not paid by her, either.

        Args:
            said: the words of the relation.
        """
        grammar = self._language.grammar
        passive = not grammar.by.isdisjoint(said)
        others = grammar.directions | (grammar.whither | grammar.for_ if passive else frozenset())
        return self._goes_on(following, others.difference(said))

    def _goes_on(self, following: Sequence[str], prepositions: Set[str]) -> bool:
        """Whether a verb is followed by one of some prepositions, and not by a date: "in 1990"."""
        dated = len(following) > 1 and is_numeral(following[1], self._language)
        return not (dated or prepositions.isdisjoint(following[:1]))

    def _is_elsewhere(
        self, texts: Sequence[str], phrase: Sequence[str], last: str, value: RelationWord
    ) -> bool:
        """Whether a preposition makes a verb another one: "flows into" for "flows through".

        Args:
            texts: from the last word of the verb on.
        """
        following, grammar = "".join(texts[1:2]), self._language.grammar
        if following in grammar.whither and value.relation in self._kinds.record_roles.doers:
            return True  # a call was made to somebody else than who made it
        own = {*tokens(self._kinds.schema.by_id[value.relation].text)}
        if "noun" not in value.role and self._is_of_bare(texts[1:3], {last, *own}):
            return True
        if self._kinds.gives_date(value.relation):
            of_another = self._goes_on(texts[1:3], self._language.prepositions - own)
            others = grammar.by | grammar.whither | grammar.for_
            return of_another and (  # "sold to Ben", whatever says so
                following in others or self._is_called(phrase[0], following)
            )
        if "noun" in value.role or value.role == "number":
            return False
        if last in grammar.whence | grammar.whither and last not in own.union(texts):
            return True  # what "goes" does not "go from" there
        if self._kinds.gives_value(value.relation):  # "sold for 30", and not "sold in May"
            return last in grammar.for_ and last not in texts
        if last in grammar.of and following in grammar.placing:
            return True  # who died in Tarn did not die of it
        said = {last, *phrase, *own}
        if texts[0] in grammar.joint and following in grammar.owning - said:
            return bool(self._kinds.rivals(value.relation))  # directors work with actors, too
        elsewhere = self._language.prepositions - said
        if len(own) == 1:
            elsewhere -= grammar.by  # what was acquired by Ann is so whichever way "acquired" goes
        if following in elsewhere and self._is_called(phrase[0], following):
            return True  # what was sold to Ben was not sold by him
        return self._redirects(texts[1:3], said)

    def _is_called(self, verb: str, preposition: str) -> bool:
        """Whether some relation has a verb with a preposition: "sold to"."""
        called = (self._called.get(form, ()) for form in self._language.forms(verb))
        names = (self._kinds.schema.by_id[relation].text for some in called for relation in some)
        return any(preposition in tokens(name)[1:] for name in names)
