"""The words by which questions of one language are read: a data file beside this module.

All words of a language that the reader knows are in its file, so that another language is
another file; the comments in ``english.toml`` say what each key means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict

from isomatch.lexicon import english
from isomatch.lexicon.lemmas import Lemmas
from isomatch.pattern.elements import Function
from isomatch.texts import data

FILES: Mapping[str, str] = {"en": "english.toml", "de": "german.toml"}
"""The tables of the package, by the code of the language."""
MOST_KEPT = 10_000  # words whose forms are kept


def _words(value: Any) -> Any:
    return tuple(value.split()) if isinstance(value, str) else value


def _phrases(value: Any) -> Any:
    """The phrases of an entry, separated by ``|``; words where it has none."""
    if not isinstance(value, str):
        return value
    parts = value.split("|") if "|" in value else value.split()
    return tuple(tuple(part.split()) for part in parts)


def _texts(value: Any) -> Any:
    return tuple(part.strip() for part in value.split("|")) if isinstance(value, str) else value


Words = Annotated[frozenset[str], BeforeValidator(_words)]
WordList = Annotated[tuple[str, ...], BeforeValidator(_words)]
Phrases = Annotated[frozenset[tuple[str, ...]], BeforeValidator(_phrases)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Scale:
    """Adjectives that compare the values of the same relations.

    Attributes:
        of: words for the relations, most usual first; after ``-`` where more is less.
        high, higher, highest, low, lower, lowest: the adjectives.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    of: WordList
    high: WordList = ()
    higher: WordList = ()
    highest: WordList = ()
    low: WordList = ()
    lower: WordList = ()
    lowest: WordList = ()


class Operators(_Table):
    """Words that change what is asked for, by what they do."""

    count: Phrases
    superlative: Phrases
    comparison: Phrases
    aggregate: Phrases
    negation: Phrases
    disjunction: Phrases
    condition: Phrases
    each: Phrases
    gradable: Phrases
    only: Phrases
    ordinal: Phrases

    @cached_property
    def every(self) -> frozenset[tuple[str, ...]]:
        """The phrases of all of them."""
        return frozenset().union(*(getattr(self, kind) for kind in type(self).model_fields))

    @cached_property
    def words(self) -> frozenset[str]:
        """Those of one word."""
        return frozenset(phrase[0] for phrase in self.every if len(phrase) == 1)

    @cached_property
    def hyphenated(self) -> frozenset[str]:
        """Words that change a question as parts of others too: "second-largest"."""
        return frozenset(phrase[0] for phrase in (*self.superlative, *self.ordinal))


class Asking(_Table):
    """Words that ask, and what a question begins with."""

    which: Words
    before_kinds: Words
    before_members: Words
    others: Words
    how: Words
    much: Words
    where: Words
    who: Words
    when: Words
    dates: WordList
    commands: Words
    whether: Words
    listener: Words

    @cached_property
    def nodes(self) -> frozenset[str]:
        """Words that ask for things, and never for numbers."""
        return self.who | self.where


class Grammar(_Table):
    """Words between the parts of a question, by what they say of how these join."""

    articles: Words
    of: Words
    by: Words
    joining: Words
    choosing: Words
    contrast: Words
    range: Words
    every: Words
    being: Words
    having: Words
    owning: Words
    relative: Words
    describing: Words
    whose: Words
    apposition: Words
    calling: Words
    possessive: Words
    linking: Words
    leaving_out: Texts
    lacking: Words
    than: Words
    incomplete: Words
    bounding: Words
    number: Words
    most: Words
    fewest: Words
    more: Words
    fewer: Words
    most_before: Words
    least_before: Words
    first: Words
    last: Words
    before_numbers: Words
    negation_after: Words

    @cached_property
    def finite(self) -> frozenset[str]:
        """Verbs that make a sentence of what is around them."""
        return self.being | self.having

    @cached_property
    def with_(self) -> frozenset[str]:
        """Words between a thing and what it has."""
        return self.having | self.owning

    @cached_property
    def has_some(self) -> frozenset[str]:
        """Words between a thing and any one of what it has."""
        return self.with_ | self.describing


class Endings(_Table):
    """What words begin and end with; tuples, as `str.endswith` takes them."""

    negated: WordList
    negating: WordList
    opposite: WordList
    decade: WordList
    higher: str
    highest: str
    infinitive: WordList
    present: WordList
    adjectives: WordList
    names: WordList
    thousands: str
    decimals: str


class Numbers(_Table):
    """Words for numbers: ``counting`` from zero on, ``powers`` multiply what is before them."""

    counting: WordList
    words: Words
    powers: Mapping[str, int]

    @cached_property
    def digits(self) -> Mapping[str, str]:
        """Words for small numbers, in digits."""
        return {word: str(number) for number, word in enumerate(self.counting)}


class SchemaWords(_Table):
    """Words in the names of relations, and what else people say for these."""

    places: Words
    symmetric: Words
    dating: WordList
    days: Words
    numbers: Mapping[str, Texts]
    verbs: Mapping[str, Texts]


class Morphology(Protocol):
    """The forms of the words of one language."""

    def singular(self, noun: str) -> str: ...
    def plural(self, noun: str) -> str: ...
    def is_verb(self, text: str) -> bool: ...
    def noun_forms(self, word: str) -> frozenset[str]: ...
    def verb_forms(self, word: str) -> frozenset[str]: ...


class Language(_Table):
    """The tables of one language, and the forms of its words.

    Attributes:
        code: as "en".
    """

    code: str
    lemmas: str
    similar_words: bool
    capital_nouns: bool
    free_order: bool
    function_words: Words
    prepositions: Words
    auxiliaries: Words
    idle: Words
    pointing: Words
    comparing: Words
    question_words: Mapping[str, Sequence[str]]
    asking: Asking
    grammar: Grammar
    endings: Endings
    numbers: Numbers
    schemas: SchemaWords
    operators: Operators
    degrees: Mapping[str, Words]
    functions: Mapping[Function, WordList]
    comparisons: Mapping[str, Phrases]
    scales: tuple[Scale, ...]

    @cached_property
    def function_of(self) -> Mapping[str, Function]:
        """What values are worked out by, by the word for it."""
        return {word: function for function, words in self.functions.items() for word in words}

    @cached_property
    def building(self) -> frozenset[str]:
        """Words that stand for nothing in a graph."""
        return self.function_words | self.idle

    @cached_property
    def graded(self) -> frozenset[str]:
        """Adjectives that may follow "how"."""
        return frozenset((*self.degrees, *(phrase[0] for phrase in self.operators.gradable)))

    def digits(self, text: str) -> str:
        """A number with the marks of English, where a text is one: "1.000,5" → "1000.5"."""
        thousands, decimals = self.endings.thousands, self.endings.decimals
        if decimals == "." or not self._marked.fullmatch(text):
            return text
        return text.replace(thousands, "").replace(decimals, ".")

    @cached_property
    def _marked(self) -> re.Pattern[str]:
        thousands, decimals = map(re.escape, (self.endings.thousands, self.endings.decimals))
        return re.compile(rf"(\d{{1,3}}({thousands}\d{{3}})+|\d+)({decimals}\d+)?")

    def singular(self, noun: str) -> str:
        """One of them: "actors" → "actor"; only the last word changes."""
        return self._morphology.singular(noun)

    def plural(self, noun: str) -> str:
        """Several of them: "country" → "countries"; only the last word changes."""
        return self._morphology.plural(noun)

    def is_verb(self, text: str) -> bool:
        """Whether a relation's name says what its sources do: "borders", "acted in", "wrote"."""
        return self._morphology.is_verb(text)

    @cached_property
    def _morphology(self) -> Morphology:
        if not self.lemmas:
            return english
        endings = (self.endings.infinitive, self.endings.present)
        return Lemmas(self.lemmas, *endings, capital_nouns=self.capital_nouns)

    @cached_property
    def noun_forms(self) -> Callable[[str], frozenset[str]]:
        """A noun and what it is a form of: "cities" → "city". A date answers for a year."""
        return lru_cache(MOST_KEPT)(self._noun_forms)

    @cached_property
    def forms(self) -> Callable[[str], frozenset[str]]:
        """A word and what it is a form of: "bordering", "borders" → "border"."""
        return lru_cache(MOST_KEPT)(self._forms)

    def _noun_forms(self, word: str) -> frozenset[str]:
        dates = self.asking.dates
        found = {word, *self._morphology.noun_forms(word)}
        return frozenset(found if found.isdisjoint(dates) else found.union(dates))

    def _forms(self, word: str) -> frozenset[str]:
        found = set(self.noun_forms(word))
        return frozenset(found.union(*map(self._morphology.verb_forms, found)))

    def focus(self, before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
        """What a question asks for, in words that may stand for it; empty if it is not said.

        "who …" asks for a person; "which languages …" and "… in which languages" for
        languages; "what did X direct" and "what is X's job" do not say it in front.

        Args:
            before, after: the question's tokens around its mention.
        """
        for side in (before, after):
            for at, word in enumerate(side):
                if word in self.question_words:
                    being = not self.grammar.being.isdisjoint(side[at + 1 : at + 2])
                    rest = self._next_content(side[at + 1 :]) if being else ()
                    return (*self.question_words[word], *rest)
                if word in self.asking.before_kinds:
                    return self._next_content(side[at + 1 :])
        return self._next_content(before)

    def _next_content(self, words: Sequence[str]) -> tuple[str, ...]:
        for word in words:
            if word in self.auxiliaries:
                break
            if word not in self.function_words:
                return (word,)
        return ()


@lru_cache
def language_of(code: str) -> Language:
    """The language of a code, as "en"; read once."""
    return Language.model_validate(_inflected(data("isomatch.lexicon", FILES[code])))


def _inflected(table: dict[str, Any]) -> dict[str, Any]:
    """A table whose adjectives have all their endings, and are among its operators."""
    endings = table["endings"]["adjectives"].split()
    if not endings:
        return table
    kinds = {"highest": "superlative", "higher": "comparison", "high": "gradable"}
    kinds |= {"lowest": "superlative", "lower": "comparison", "low": "gradable"}
    for scale in table["scales"]:
        for degree in kinds.keys() & scale.keys():
            words = scale[degree].split()
            every = [*words, *(word + ending for word in words for ending in endings)]
            scale[degree] = " ".join(every)
            operators, said = table["operators"], "|".join(every)
            phrases = operators[kinds[degree]]
            listed = phrases if "|" in phrases else "|".join(phrases.split())
            operators[kinds[degree]] = f"{listed}|{said}"
    return table


def default_language() -> Language:
    """English."""
    return language_of("en")
