"""Finds what the words of a question may be, each by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Any

from isomatch.chains.graph import Step
from isomatch.interpret.compose.categories import Category, is_class
from isomatch.interpret.compose.expressions import Compared, OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.class_verbs import (
    has_keys,
    is_verb_of_class,
    names_value,
)
from isomatch.interpret.compose.lexical.constants import (
    comparisons_at,
    constant,
    measured_by,
    slashed,
)
from isomatch.interpret.compose.lexical.grading import scales, verbs_of_others, worked_with
from isomatch.interpret.compose.lexical.phrases import (
    KnownPhrases,
    ends_noun,
    groups_by,
    little_said,
    matched,
    meant_by,
    span_of,
)
from isomatch.interpret.compose.lexical.relation_phrases import phrases_of
from isomatch.interpret.compose.lexical.relation_words import EdgeKey, RelationWord, WordForms
from isomatch.interpret.compose.lexical.states import punctual, state_of, undone
from isomatch.interpret.compose.lexical.voice import beside_verb
from isomatch.interpret.compose.units import unit_at, unit_of_number
from isomatch.interpret.types import TOLD
from isomatch.interpret.words.content import Word, asks_whether
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Definition, Lexicon
from isomatch.schema.types import Relation
from isomatch.store.terms import words as words_of_key

_INFLECTED = 0.01  # a form twice that without its preposition: "teaches" is not "taught in"
_ELSEWHERE = 0.2
_CLASS_TOO = 0.001  # for the noun of a relation that is a type's: painters paint or not
_DESCRIBING = 0.1  # for a participle that rather describes what follows
_SLASHED = 0.05  # for a date that may be a text of the graph
_OTHER_SCALE = 0.05  # for "the shortest player", who has a height and no length
UNKNOWN_UNIT = 3.0  # for a unit that nothing is made of


class WordReader:
    """Finds what the words of questions may be, over one graph.

    Attributes:
        phrases: what phrases stand for, by the forms of their first words.
        forms: whether words are others than they look like.

    Args:
        kinds: of the graph.
        lexicon: words of relations and types.
    """

    def __init__(self, kinds: GraphKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._lexicon = lexicon
        self._language = language = lexicon.language
        self.phrases: KnownPhrases = {}
        for type_id, words in lexicon.types.items():
            for phrase in words.phrases():
                self._add(phrase, OfType(type_id, kinds.of_type(type_id)))
        for phrase, definition in lexicon.definitions.items():
            self._add(phrase, definition)
        for relation_id, keys in kinds.schema.edge_properties.items():
            for key in keys if relation_id in lexicon.relations else ():
                self._add_key(relation_id, key)
        self._scales = scales(lexicon)
        self._other_verbs = verbs_of_others(lexicon, kinds.schema)
        self._firsts = [s for s in self._scales if s.of and {*s.lowest} & language.grammar.first]
        self.forms = forms = WordForms(kinds, lexicon)
        for relation in kinds.relations:
            for role, text in phrases_of(relation, kinds, lexicon, forms):
                if forms.may_say(text, relation) and not self._is_of_shorter(text, relation):
                    self._add(text, RelationWord(relation.id, role))

    def _is_of_shorter(self, phrase: str, relation: Relation) -> bool:
        """Whether a word is the name of another relation of the same kinds.

        Who "knows" somebody is told by `knows`, where there is a `knowsPhone` too.
        """
        (first, *others), said = tokens(relation.text) or [""], tokens(phrase)
        if self._language.prepositions.issuperset(others) or len(said) > 1:
            return False  # what was "replaced by" something is no other than "replaced"
        if self._language.forms(first).isdisjoint(said):
            return False
        kinds, ends = self._kinds, self._kinds.ends(Step(relation.id))
        return any(kinds.ends(Step(id)) == ends for id in kinds.by_name.get(first.lower(), ()))

    def _add(self, phrase: str, value: Any) -> None:
        every, language = tuple(tokens(phrase)), self._language
        # Who "has no licence" has none, and "connected by family" is no "connected family".
        kept = language.operators.negation | {(w,) for w in every[1:-1] if w in language.grammar.by}
        small = language.function_words - language.pointing  # an "other contact" is another one
        small -= language.prepositions - language.grammar.of if is_class(value) else set()
        if isinstance(value, Definition):  # "the inquiry is complete" is no complete inquiry
            small -= language.auxiliaries | language.grammar.being
        words = tuple(w for w in every if w not in small or (w,) in kept)
        words = every if language.operators.words.issuperset(words) else words  # a "first name"
        if words:
            last = every[-1] if every[-1] in language.prepositions - {words[-1]} else ""
            for form in language.forms(words[0]):
                entries = self.phrases.setdefault(form, [])
                if (words, last, value) not in entries:
                    entries.append((words, last, value))

    def add_kinds(self, nouns: Mapping[str, str]) -> None:
        """Let words stand for kinds of a graph without types, by the nouns for these."""
        for word, noun in nouns.items():
            self._add(word, OfType(noun, frozenset((noun,))))

    def is_noun(self, word: str) -> bool:
        """Whether a word may begin what a type or relation is called."""
        return not self.phrases.keys().isdisjoint(self._language.noun_forms(word))

    def _add_key(self, relation_id: str, key: str) -> None:
        """The words for a property of a relation's edges."""
        language, name = self._language, words_of_key(key)
        for noun in (name, *language.schemas.nouns.get(language.singular(name), ())):
            self._add(noun, EdgeKey(relation_id, key.removeprefix(".")))
        for word in {form for w in tokens(words_of_key(key)) for form in language.forms(w)}:
            for phrase in language.schemas.numbers.get(word, ()):
                self._add(phrase, EdgeKey(relation_id, key.removeprefix("."), number=True))

    def items(self, question: str, words: Sequence[Word], place: int) -> Iterator[tuple[int, Item]]:
        """What may begin at a word, with the number of words that it takes."""
        yield from self._operators(question, words, place)
        if groups_by(words, place, self.phrases, self._language):
            span = meant_by(span_of(question, words, place, 1), "operator", "each")
            yield from ((1, Item(one, "each", spans=(span,))) for one in ("each", "sorting"))
        if described := self.forms.voice.described(words, place):
            meant = self._language.answers.any(described)
            span = meant_by(span_of(question, words, place, 1), "relation", meant)
            yield 1, Item("described", ((words[place].text,),), spans=(span,))
        texts, language = [w.text for w in words[place:]], self._language
        near = language.grammar.placing | language.grammar.for_  # "works at" is "works for"
        found: set[tuple[int, Any]] = set()
        if place and words[place - 1].text in language.function_of:  # "average price"
            for id in worked_with(texts[0], self._scales, self._kinds, self._lexicon):
                yield 1, self.known(question, words, place, 1, RelationWord(id, "noun"))
        for form in sorted(language.forms(texts[0])):
            for phrase, last, value in (entries := self.phrases.get(form, ())):
                if not (length := matched(phrase, texts, language, noun=is_class(value))):
                    continue
                other = self.forms.is_other(words, place, length, phrase, last, value)
                idiom = other or self.forms.is_idiom(words, place, length, value)
                if idiom or is_verb_of_class(words, place, value, entries, self._kinds):
                    continue
                following = texts[length] if length < len(texts) else ""
                length += bool(last) and last == following and self._compares(last)
                apart = last and following in language.prepositions and following != last
                far = length + 1 == len(texts) and not {last, following} <= near
                as_ = following in language.grammar.alike and not has_keys(value, self._kinds)
                if apart and (far or as_):
                    continue  # "what does Ann work on", "worked as a cook": she works for somebody
                value = self.forms.as_doer(words, place + length - 1, value)
                if (length, value) not in found:
                    found.add((length, value))
                    item = self.known(question, words, place, length, value)
                    if self.forms.counts_class(texts[length - 1], value):
                        item = replace(item, spans=(replace(item.spans[0], likeness=TOLD),))
                    relation = value.relation if item.category == "relation" else ""
                    if relation and (state := state_of(words, place, relation, self._kinds)):
                        so = replace(item, category="filter", value=state)
                        if self._kinds.is_boolean(relation):
                            item = so
                        else:
                            yield length, so
                    if language.free_order and item.category == "relation":
                        beside = beside_verb(words, place, language)
                        item = replace(item, value=replace(item.value, beside=beside))
                    less = _INFLECTED * (phrase[0] != texts[0])
                    less += less * (last not in ("", following))
                    less += _DESCRIBING * bool(described and len(phrase) == 1)  # "units on order"
                    if relation and self.forms.voice.names_class(texts[length - 1]):
                        less += _CLASS_TOO
                    ended = not last and self._goes_on(phrase, following, relation)
                    if apart or ended or self.forms.voice.says_another(phrase, value):
                        less += _ELSEWHERE * (1 + ended)  # "works in" is not "works on"
                    if last and last != following and self._names_another(value, phrase):
                        less += _ELSEWHERE  # "the result" is not the time of "result at"
                    yield length, (item := replace(item, score=item.score - less))
                    asked = place == 2 and words[0].text in language.prepositions
                    if asked and words[1].text in language.asking.which and item.category == "set":
                        yield length, replace(item, category="where in")

    def _compares(self, word: str) -> bool:
        """Whether a preposition of a relation may compare as well: "studied under"."""
        phrases = chain.from_iterable(self._language.comparisons.values())
        return word not in self._language.grammar.by and (word,) in phrases

    def _goes_on(self, phrase: Sequence[str], following: str, relation: str) -> bool:
        """Whether a verb and the preposition behind it are another relation's: "born in"."""
        entries = self.phrases.get(phrase[0], ()) if following else ()
        others = {
            getattr(v, "relation", "") for p, end, v in entries if (p, end) == (phrase, following)
        }
        return any(not self._kinds.gives_value(other) for other in others - {relation})

    def _names_another(self, value: Any, phrase: Sequence[str]) -> bool:
        """Whether words are all of a relation's name, and of another one's without its end."""
        if not isinstance(value, RelationWord) or "noun" not in value.role:
            return False
        sources, by_id = self._kinds.ends(Step(value.relation))[0], self._kinds.schema.by_id
        entries = self.phrases.get(phrase[0], ())
        others = (one.relation for _, _, one in entries if isinstance(one, RelationWord))
        return any(
            tuple(tokens(by_id[other].text)) == tuple(phrase)
            and not sources.isdisjoint(self._kinds.ends(Step(other))[0])
            for other in others
            if other != value.relation
        )

    def known(
        self, question: str, words: Sequence[Word], place: int, length: int, value: Any
    ) -> Item:
        """What a stretch of words is that stands for a value."""
        span = span_of(question, words, place, length)
        if isinstance(value, EdgeKey):
            return Item("key", value, head=place, spans=(meant_by(span, "relation", value.key),))
        if isinstance(value, OfType):
            called = self._lexicon.types.get(value.type)
            text = called.word if called else value.type
            return Item("set", value, head=place, spans=(meant_by(span, "type", text),))
        relation = self._kinds.schema.by_id[value.relation].text
        if isinstance(value, Definition):
            word = self._lexicon.types[value.type].word
            text = f"{word}, {relation} {value.operator} {value.value}"
            of = self._kinds.of_type(value.type)
            meant = Compared(
                OfType(value.type, of), Step(value.relation), value.operator, (value.value,), of
            )
            return Item("set", meant, head=place, spans=(meant_by(span, "type", text),))
        return Item("relation", value, head=place, spans=(meant_by(span, "relation", relation),))

    def _operators(
        self, question: str, words: Sequence[Word], place: int
    ) -> Iterator[tuple[int, Item]]:
        texts = tuple(w.text for w in words[place : place + 3])
        language, grammar = self._language, self._language.grammar
        assumed = language.assumed

        def item(category: Category, value: Any, length: int, meaning: str) -> tuple[int, Item]:
            span = meant_by(span_of(question, words, place, length), "operator", meaning)
            return length, Item(category, value, spans=(span,))

        first = texts[0]
        for length in range(1, len(texts) + 1):
            if texts[:length] in language.operators.count and self._counts(words, place):
                yield item("count", None, length, "count")
        singles: Mapping[Category, Set[str]] = {
            "than": grammar.than,
            "same": grammar.same | grammar.sharing,
            "solely": grammar.solely,
            "top": grammar.top,
            "pronoun": grammar.own,
            "function": language.function_of.keys(),
            "each": {word for word, *others in language.operators.each if not others},
        }
        for category, said in singles.items():
            if first in said:
                said_as: str = language.function_of.get(first, category)
                yield item(category, said_as, 1, assumed.own if category == "pronoun" else said_as)
        if first in grammar.sorting and not grammar.by.isdisjoint(texts[1:2]):
            yield item("sorting", None, 2, assumed.sorted)
        for kind, value, meaning in undone(words, place, self._kinds):
            yield item(kind, value, 1, meaning)
        senses: Counter[Any] = Counter()
        for length, category, value, meaning in self._adjectives(texts):
            cost = _OTHER_SCALE * senses[length, category]
            yield length, replace(item(category, value, length, meaning)[1], score=-cost)
            senses[length, category] += 1
        for scale in measured_by(words, place, self._scales, language):
            yield item("degree", scale, 1, scale.of[0])
        yield from (item(*most) for most in self._most(texts))
        for length, operator in comparisons_at(texts, language):
            yield item("comparison", (operator, None), length, operator)
        if first in language.numbers.ordinals:
            order = language.numbers.ordinals.index(first) + 1
            meant = assumed.place.format(order)
            yield item("ordinal", order, 1, meant)
            for scale in self._firsts if order > 1 else ():  # "the second film"
                yield item("superlative", (scale, False, (order - 1, 1)), 1, meant)
        if first in grammar.choosing and not asks_whether([w.text for w in words[:4]], language):
            yield item("or", None, 1, "or")  # "is it a state or a city" asks which
        negation = language.operators.negation
        for length in range(1, min(2, len(texts)) + 1):
            negated = length == 1 and first.endswith(language.endings.negated)
            if negated or texts[:length] in negation:
                yield item("not", None, length, "not")
        for category, told in self._asked(words, place):
            length, one = item(category, None, 1, told)
            yield length, replace(one, head=place) if category in ("when", "anything") else one
        yield from self._constants(question, words, place)

    def _counts(self, words: Sequence[Word], place: int) -> bool:
        """Whether words count things, and are no name: "phone number of", "amount of grants".

        Nor does "the total amount of orders" count them.
        """
        language, before = self._language, words[place - 1].text if place else ""
        named = self.is_noun(words[place].text) or before in language.function_of
        named &= words[place].text in language.asking.amount
        return not (named or ends_noun(words, place, self.phrases, self._language))

    def _most(self, texts: Sequence[str]) -> Iterator[tuple[Category, Any, int, str]]:
        """What "most" and "each year" are: category, value, length, meaning."""
        grammar, (first, *after) = self._language.grammar, texts[:2]
        if (first,) in self._language.operators.each and {*after} & {*self._language.asking.dates}:
            yield "each year", None, 2, "each"
        if first in grammar.most | grammar.fewest:
            most, length = first in grammar.most, 1 + len(grammar.often.intersection(after))
            yield "most", (most, (0, 1)), length, "most" if most else "fewest"
        if first in grammar.most and not grammar.common.isdisjoint(after):
            yield "most common", (0, 1), 2, "most"

    def _asked(self, words: Sequence[Word], place: int) -> Iterator[tuple[Category, str]]:
        """What a word asks for, and what it is told as."""
        asking, first = self._language.asking, words[place].text
        before = words[place - 1].text if place else ""
        following = [w.text for w in words[place + 1 : place + 2]]
        for category in little_said(first, following, self._language) if place else ():
            yield category, first
        if place == 0 and first in asking.where:
            yield "where", "where"
        date = before in asking.which and first in asking.dates
        if date or (place == 0 and first in asking.when):
            yield "when", "when"
        if first in asking.dates and not self._language.grammar.of.isdisjoint(following):
            yield "year of", first
        if place == 0 and asks_whether([w.text for w in words[:4]], self._language):
            yield "whether", "whether"

    def _constants(
        self, question: str, words: Sequence[Word], place: int
    ) -> Iterator[tuple[int, Item]]:
        """The number or date that begins at a word, with its unit; or "late", of a plan."""
        language = self._language
        for length, late, plan in punctual([w.text for w in words[place : place + 3]], self._kinds):
            span = meant_by(span_of(question, words, place, length), "operator", plan)
            yield length, Item("punctual", late, spans=(span,))
        if date := slashed(question, words, place):
            span = meant_by(span_of(question, words, place, 3), "number", date)
            yield 3, Item("constant", (date,), -_SLASHED, place, (span,))
        before, unit = words[place - 1].text if place else "", unit_at(words, place, language)
        if unit and before in language.grammar.indefinite:  # "longer than an hour"
            span = meant_by(span_of(question, words, place, unit[0]), "number", f"1 {unit[1].name}")
            yield unit[0], Item("quantity", (("1",), unit[1]), spans=(span,))
        if found := constant(words, place, language):
            length, value, meaning = found
            unit = unit_of_number(question, words, place, length, language)
            if unit and isinstance(value, str):
                extent = length + unit[0]
                span = span_of(question, words, place, extent)
                number = meant_by(span, "number", f"{meaning} {unit[1].name}")
                yield extent, Item("quantity", ((value,), unit[1]), spans=(number,))
                # Where no relation is known to have the unit, it is missed; but not "$".
                number = meant_by(span_of(question, words, place, length), "number", meaning)
                missed = meant_by(span_of(question, words, place + extent - 1, 1), "operator", "")
                cost, spans = UNKNOWN_UNIT * bool(unit[0]), (number, missed)[: 1 + bool(unit[0])]
                yield extent, Item("constant", (value,), -cost, spans=spans)
                return
            of: Category = "constant" if isinstance(value, str) else "compared"
            span = meant_by(span_of(question, words, place, length), "number", meaning)
            if words[place].text in language.numbers.seasons:  # not the same everywhere
                span = replace(span, likeness=TOLD)
            meant = (value,) if isinstance(value, str) else (None, value)
            # "Which 2006 vehicles", and not "shops with 2006 products"
            nouns = language.grammar.any_article | language.asking.which
            yield length, Item(of, meant, head=place if before in nouns else -1, spans=(span,))

    def _adjectives(self, texts: Sequence[str]) -> Iterator[tuple[int, Category, Any, str]]:
        """What the first words are as adjectives: how many, a category, its value, a meaning."""
        first, second = texts[0], texts[1] if texts[1:2] else ""
        grammar, how = self._language.grammar, self._language.asking.how
        for operator, many in ((">", grammar.more), ("<", grammar.fewer)):
            if first in many and second not in grammar.than:
                yield 1, "comparative", (operator, None, None), operator
        for scale in self._scales:
            for high, of, before in (
                (True, scale.highest, grammar.most_before),
                (False, scale.lowest, grammar.least_before),
            ):
                meaning = "largest" if high else "smallest"
                if first in of:
                    yield 1, "superlative", (scale, high, (0, 1)), meaning
                if first in before and second in scale.high:
                    yield 2, "superlative", (scale, high, (0, 1)), meaning
            higher, lower = (scale.higher, grammar.more), (scale.lower, grammar.fewer)
            for operator, (of, before) in ((">", higher), ("<", lower)):
                length = 1 if first in of else 2 * (first in before and second in scale.high)
                if length and not grammar.than.isdisjoint(texts[length : length + 1]):
                    yield length + 1, "comparison", (operator, scale), operator
                elif length:  # "which is longer, the Ohio or the Yukon"
                    yield length, "comparative", (operator, scale, None), operator
            if first in how and second in scale.high:
                yield 2, "degree", scale, scale.of[0]
            if first in scale.of and not (
                first in self._other_verbs or names_value(first, self.phrases, self._kinds)
            ):
                yield 1, "degree", scale, first
