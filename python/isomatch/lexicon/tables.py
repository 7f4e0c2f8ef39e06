"""The parts of the table of a language, see `isomatch.lexicon.language`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _words(value: Any) -> Any:
    return tuple(value.split()) if isinstance(value, str) else value


def phrases_of(value: Any) -> Any:
    """The phrases of an entry, separated by ``|``; words where it has none."""
    if not isinstance(value, str):
        return value
    parts = value.split("|" if "|" in value else None)
    return tuple(tuple(part.split()) for part in parts if part.strip())


def _texts(value: Any) -> Any:
    return tuple(part.strip() for part in value.split("|")) if isinstance(value, str) else value


Words = Annotated[frozenset[str], BeforeValidator(_words)]
WordList = Annotated[tuple[str, ...], BeforeValidator(_words)]
Phrases = Annotated[frozenset[tuple[str, ...]], BeforeValidator(phrases_of)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


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


@dataclass(frozen=True, slots=True)
class Gender:
    """The words that agree with the nouns of one gender.

    Attributes:
        name: as "masculine"; "plural" for several of any.
        articles: before a noun.
        oblique: those after another noun, or after a preposition.
        pronouns: relative ones.
        oblique_pronouns: those after a preposition.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: str
    articles: Words = frozenset()
    oblique: Words = frozenset()
    pronouns: Words = frozenset()
    oblique_pronouns: Words = frozenset()


@dataclass(frozen=True, slots=True)
class Units:
    """Units of what some relations measure.

    Attributes:
        of: words for the relations.
        names: what each is called, phrases separated by ``|``, and how much of the first it is.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    of: WordList
    names: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure, see `Units`; ``factor``: how much of the first of its kind it is."""

    name: str
    of: tuple[str, ...]
    factor: Decimal


class Operators(Table):
    """Words that change what is asked for, by what they do."""

    count: Phrases = frozenset()
    superlative: Phrases = frozenset()
    comparison: Phrases = frozenset()
    aggregate: Phrases = frozenset()
    negation: Phrases = frozenset()
    disjunction: Phrases = frozenset()
    condition: Phrases = frozenset()
    doubt: Phrases = frozenset()
    each: Phrases = frozenset()
    still: Phrases = frozenset()
    gradable: Phrases = frozenset()
    only: Phrases = frozenset()
    ordinal: Phrases = frozenset()

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


class Asking(Table):
    """Words that ask, and what a question begins with."""

    which: Words = frozenset()
    before_kinds: Words = frozenset()
    before_members: Words = frozenset()
    others: Words = frozenset()
    how: Words = frozenset()
    much: Words = frozenset()
    price: Words = frozenset()
    degrees: Words = frozenset()
    age: Words = frozenset()
    amount: Words = frozenset()
    where: Words = frozenset()
    who: Words = frozenset()
    when: Words = frozenset()
    dates: WordList = ()
    commands: Words = frozenset()
    requests: Words = frozenset()
    command: str = ""
    command_ends: Words = frozenset()
    please: str = ""
    whether: Words = frozenset()
    listener: Words = frozenset()
    subjects: Words = frozenset()
    objects: Words = frozenset()

    @cached_property
    def nodes(self) -> frozenset[str]:
        """Words that ask for things, and never for numbers."""
        return self.who | self.where


class Grammar(Table):
    """Words between the parts of a question, by what they say of how these join."""

    articles: Words = frozenset()
    of: Words = frozenset()
    by: Words = frozenset()
    joining: Words = frozenset()
    choosing: Words = frozenset()
    contrast: Words = frozenset()
    range: Words = frozenset()
    every: Words = frozenset()
    universal: Words = frozenset()
    of_all: Words = frozenset()
    pointing: Words = frozenset()
    particles: Words = frozenset()
    some: Words = frozenset()
    anything: Words = frozenset()
    anywhere: Words = frozenset()
    both: Words = frozenset()
    shared: Words = frozenset()
    indefinite: Words = frozenset()
    being: Words = frozenset()
    having: Words = frozenset()
    owning: Words = frozenset()
    own: Words = frozenset()
    antecedents: Words = frozenset()
    relative: Words = frozenset()
    subject_pronouns: Words = frozenset()
    object_pronouns: Words = frozenset()
    describing: Words = frozenset()
    whose: Words = frozenset()
    apposition: Words = frozenset()
    calling: Words = frozenset()
    bearing: Words = frozenset()
    possessive: Words = frozenset()
    linking: Words = frozenset()
    leaving_out: Texts = ()
    lacking: Words = frozenset()
    never: Words = frozenset()
    nobody: Words = frozenset()
    listing: Words = frozenset()
    returning: Words = frozenset()
    besides: Words = frozenset()
    been: Words = frozenset()
    modal: Phrases = frozenset()
    infinitive: Words = frozenset()
    already: Words = frozenset()
    also: Words = frozenset()
    than: Words = frozenset()
    same: Words = frozenset()
    alike: Words = frozenset()
    sharing: Words = frozenset()
    solely: Words = frozenset()
    incomplete: Words = frozenset()
    distinct: Words = frozenset()
    bounding: Words = frozenset()
    temporal: Phrases = frozenset()
    number: Words = frozenset()
    counted: Words = frozenset()
    numbering: Words = frozenset()
    vague: Words = frozenset()
    containing: Words = frozenset()
    connecting: Words = frozenset()
    designating: Words = frozenset()
    joint: Words = frozenset()
    directions: Words = frozenset()
    most: Words = frozenset()
    fewest: Words = frozenset()
    often: Words = frozenset()
    singular: Words = frozenset()
    plural: Words = frozenset()
    common: Words = frozenset()
    generic: Words = frozenset()
    more: Words = frozenset()
    fewer: Words = frozenset()
    most_before: Words = frozenset()
    least_before: Words = frozenset()
    first: Words = frozenset()
    last: Words = frozenset()
    before_numbers: Words = frozenset()
    dating: Words = frozenset()
    sorting: Words = frozenset()
    top: Words = frozenset()
    around_dates: Words = frozenset()
    placing: Words = frozenset()
    whence: Words = frozenset()
    whither: Words = frozenset()
    for_: Words = frozenset()
    about: Words = frozenset()
    starting: Words = frozenset()
    onward: Words = frozenset()
    negation_after: Words = frozenset()
    out_of: Phrases = frozenset()
    passive: Words = frozenset()
    past: Words = frozenset()

    @cached_property
    def finite(self) -> frozenset[str]:
        """Verbs of a sentence."""
        return self.being | self.having

    @cached_property
    def any_article(self) -> frozenset[str]:
        """The articles, definite or not: "the", "a"."""
        return self.articles | self.indefinite

    @cached_property
    def with_(self) -> frozenset[str]:
        """Words between a thing and what it has."""
        return self.having | self.owning

    @cached_property
    def opposed(self) -> tuple[tuple[Words, Words], ...]:
        """Words for where something is from, with those for where it goes to, and turned round."""
        return (self.whence, self.whither), (self.whither, self.whence)

    def are_opposed(self, ends: Collection[str], gap: Collection[str]) -> bool:
        """Whether words before a name say the opposite of what a relation ends with.

        Args:
            ends: the last words of a relation, and of verbs for it: "to", of a `destination`.
            gap: the words before the name.
        """
        own, said = {*ends}, {*gap}
        return any(
            bool(one & own and other & said) and not (one & said or other & own)
            for one, other in self.opposed
        )

    @cached_property
    def has_some(self) -> frozenset[str]:
        """Words between a thing and any one of what it has."""
        return self.with_ | self.describing

    @cached_property
    def amounts(self) -> frozenset[str]:
        """Words that compare how much or how many: "more", "least"."""
        return self.most | self.fewest | self.more | self.fewer


class Endings(Table):
    """What words begin and end with; tuples, as `str.endswith` takes them."""

    negated: WordList = ()
    negating: WordList = ()
    undone: Words = frozenset()
    opposite: WordList = ()
    joint: WordList = ()
    decade: WordList = ()
    ordinal: WordList = ()
    higher: str = ""
    highest: str = ""
    superlative: WordList = ()
    infinitive: WordList = ()
    present: WordList = ()
    going: WordList = ()
    deed: WordList = ()
    undergoing: str = ""
    feminine: str = ""
    unchanged: WordList = ()
    related: WordList = ()
    adjectives: WordList = ()
    names: WordList = ()
    demonyms: WordList = ()
    regions: WordList = ()
    again: WordList = ()
    thousands: str = ","
    decimals: str = "."


class MadeUp(Table):
    """Sentences of questions that are made up of a schema, and the phrases in them."""

    asked: Sequence[str] = ("{things}",)
    counted: Sequence[str] = ()
    whether: Sequence[str] = ()
    valued: Sequence[str] = ()
    most_of: Sequence[str] = ()
    extreme: Sequence[str] = ()
    greatest: Sequence[str] = ()
    least: Sequence[str] = ()
    adjective: Sequence[str] = ()
    called: Sequence[str] = ()
    with_value: Sequence[str] = ()
    above: Sequence[str] = ()
    below: Sequence[str] = ()
    excluded: Sequence[str] = ()
    subject: Sequence[str] = ()
    object: Sequence[str] = ()
    has: Sequence[str] = ()
    of: Sequence[str] = ()
    related: Sequence[str] = ("{things} {relation} {others}",)


class Numbers(Table):
    """Words for numbers: ``counting`` from zero on, ``ordinals`` from first on.

    ``decades`` are those of the last century; ``parts`` are how many of each a year has;
    ``month_names`` are those of the twelve months, where the language is not English.
    """

    counting: WordList = ()
    ordinals: WordList = ()
    words: Words = frozenset()
    months: Words = frozenset()
    month_names: WordList = ()
    century: Words = frozenset()
    decades: Mapping[str, int] = Field(default_factory=dict)
    parts: Mapping[str, int] = Field(default_factory=dict)
    seasons: Mapping[str, int] = Field(default_factory=dict)
    powers: Mapping[str, int] = Field(default_factory=dict)
    half: Words = frozenset()

    @cached_property
    def digits(self) -> Mapping[str, str]:
        """Words for small numbers, in digits."""
        return {word: str(number) for number, word in enumerate(self.counting)}

    def dated(self, words: Iterable[str]) -> str:
        """Words with the names of months in English, as `value_of` reads dates.

        Example:
            >>> Numbers(month_names=("januar", "februar")).dated(["3", "februar", "2024"])
            '3 February 2024'
        """
        return " ".join(self._english_months.get(word, word) for word in words)

    @cached_property
    def _english_months(self) -> Mapping[str, str]:
        return dict(zip(self.month_names, _MONTHS, strict=False))
