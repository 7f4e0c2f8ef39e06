"""The words by which questions of one language are read: a data file beside this module.

All words of a language that the reader knows are in its file, so that another language is
another file; the comments in ``english.toml`` say what each key means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from itertools import takewhile
from operator import eq
from pathlib import Path

from pydantic import Field, ValidationError

from isomatch.errors import ConfigurationError
from isomatch.lexicon import english
from isomatch.lexicon.answer_words import AnswerWords, AssumedWords, Told
from isomatch.lexicon.count_names import numbered
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.inflection import inflected
from isomatch.lexicon.lemmas import Lemmas, Morphology, NameWords
from isomatch.lexicon.schema_words import SchemaWords
from isomatch.lexicon.tables import (
    Asking,
    Endings,
    Gender,
    Grammar,
    MadeUp,
    Numbers,
    Operators,
    Phrases,
    Scale,
    Table,
    Texts,
    Unit,
    Units,
    WordList,
    Words,
)
from isomatch.pattern.elements import Function
from isomatch.texts import data, parse_toml

FILES: Mapping[str, str] = {"en": "english.toml", "de": "german.toml"}
"""The tables of the package, by the code of the language."""
MOST_KEPT = 10_000  # words whose forms are kept


class Language(Table):
    """The tables of one language, and the forms of its words.

    Attributes:
        code: as "en".
        same_names: what one thing each is called.
        peoples: countries with the adjectives for what is of them, where endings do not tell.
    """

    code: str
    lemmas: str = ""
    irregular: Mapping[str, str] = Field(default_factory=dict)
    digraphs: Mapping[str, str] = Field(default_factory=dict)
    similar_words: bool = False
    capital_nouns: bool = False
    free_order: bool = False
    function_words: Words
    prepositions: Words = frozenset()
    same_names: tuple[Texts, ...] = ()
    peoples: tuple[Texts, ...] = ()
    contractions: Mapping[str, str] = Field(default_factory=dict)
    rephrased: Mapping[str, str] = Field(default_factory=dict)
    listed: Mapping[str, str] = Field(default_factory=dict)
    reworded: Mapping[str, str] = Field(default_factory=dict)
    auxiliaries: Words = frozenset()
    idle: Words = frozenset()
    living: Words = frozenset()
    sites: Words = frozenset()
    pointing: Words = frozenset()
    comparing: Words = frozenset()
    question_words: Mapping[str, Sequence[str]] = Field(default_factory=dict)
    asking: Asking = Asking()
    grammar: Grammar = Grammar()
    endings: Endings = Endings()
    made_up: MadeUp = MadeUp()
    told: Told = Told()
    answers: AnswerWords = Field(default_factory=lambda: default_language().answers)
    assumed: AssumedWords = Field(default_factory=lambda: default_language().assumed)
    numbers: Numbers = Numbers()
    schemas: SchemaWords = SchemaWords()
    operators: Operators = Operators()
    degrees: Mapping[str, Words] = Field(default_factory=dict)
    functions: Mapping[Function, WordList] = Field(default_factory=dict)
    comparisons: Mapping[str, Phrases] = Field(default_factory=dict)
    punctual: Mapping[str, Phrases] = Field(default_factory=dict)
    genders: tuple[Gender, ...] = ()
    scales: tuple[Scale, ...] = ()
    units: tuple[Units, ...] = ()

    @cached_property
    def unit_of(self) -> Mapping[tuple[str, ...], Unit]:
        """The units of measure, by each phrase for one."""
        return {
            tuple(phrase.split()): Unit(phrases[0], kind.of, factor)
            for kind in self.units
            for names, factor in kind.names.items()
            for phrases in [names.split("|")]
            for phrase in phrases
        }

    @cached_property
    def function_of(self) -> Mapping[str, Function]:
        """What values are worked out by, by the word for it."""
        return {word: function for function, words in self.functions.items() for word in words}

    @cached_property
    def building(self) -> frozenset[str]:
        """Words that stand for nothing in a graph."""
        return self.function_words | self.idle

    @cached_property
    def before_infinitives(self) -> frozenset[str]:
        """Auxiliaries that a verb follows as it is looked up: "did", but not "has"."""
        return self.auxiliaries - self.grammar.having

    @cached_property
    def nothing(self) -> frozenset[str]:
        """Words before a noun for things of which there are none: "no", but not "without"."""
        return self.grammar.lacking - self.prepositions

    @cached_property
    def graded(self) -> frozenset[str]:
        """Adjectives that may follow "how"."""
        return frozenset((*self.degrees, *(phrase[0] for phrase in self.operators.gradable)))

    @cached_property
    def comparatives(self) -> frozenset[str]:
        """Adjectives that compare by themselves: "older"."""
        return frozenset(word for s in self.scales for word in (*s.higher, *s.lower))

    @cached_property
    def before_classes(self) -> frozenset[str]:
        """Words before a name that stands for what has it: "a striker", "the oldest striker"."""
        superlatives = (word for word, *others in self.operators.superlative if not others)
        return self.asking.before_members | self.grammar.indefinite | frozenset(superlatives)

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

    def says_origin(self, words: Collection[str]) -> bool:
        """Whether the words of a relation say where something comes from, and nothing else.

        A "country of birth" does, and a "country of death" or a "destination country" does not.
        """
        origins = self.schemas.origins
        known = origins | self.schemas.places | self.idle | self.function_words
        return not origins.isdisjoint(words) and known.issuperset(words)

    def says_extent(self, words: Collection[str]) -> bool:
        """Whether the words of a relation say how many pages or words a text has."""
        grammar = self.grammar
        small = self.function_words | grammar.counted | grammar.numbering | grammar.number
        of = {*words} - small
        return bool(of) and self.schemas.extents.issuperset(of)

    def says_place(self, words: Collection[str]) -> bool:
        """Whether the words of a relation say in which place something is, and nothing else."""
        known = self.schemas.places, self.schemas.positions, self.idle, self.function_words
        return all(any(word in some for some in known) for word in words)

    def says_whole(self, words: Collection[str]) -> bool:
        """Whether the words of a relation say what something is part of, and nothing else."""
        wholes = self.schemas.wholes
        return not wholes.isdisjoint(words) and (wholes | self.function_words).issuperset(words)

    def numbers_of(self, word: str, name: str) -> Sequence[str]:
        """What a word in a relation's name says the number of: people, pages of a "page count"."""
        if said := numbered(word, tokens(name), self.grammar):
            return (" ".join((*said[:-1], self.plural(self.singular(said[-1])))),)
        return self.schemas.numbers.get(word, ())

    def is_opposite(self, name: str, gap: Collection[str]) -> bool:
        """Whether a relation cannot be meant by a preposition, by its name.

        It ends with the opposite of one, as of "to" and "from", or names no subject of an "about".
        """
        grammar, last = self.grammar, tokens(name)[-1:]
        if not (grammar.about.isdisjoint(gap) or self.says_subject(name)):
            return True
        return grammar.are_opposed((*last, *self.schemas.towards(tokens(name))), gap)

    def says_subject(self, name: str) -> bool:
        """Whether the name of a relation says what something is about."""
        forms = {form for word in tokens(name) for form in self.forms(word)}
        return not forms.isdisjoint(self.schemas.subjects)

    def denials(self, name: str) -> set[str]:
        """The words in the name of a relation that say what is not: "not listed", "non profit"."""
        prefixes = {prefix.rstrip("-") for prefix in self.endings.negating}  # "non"
        *words, _ = tokens(name) or [""]  # an "order no" is a number
        return {w for w in words if w in prefixes or (w,) in self.operators.negation}

    def spelled(self, name: str) -> str:
        """A name without abbreviations and digraphs: "hire date", of "hire dt"; "größe"."""
        return " ".join(map(self._morphology.spelled, self.schemas.spelled(name).split()))

    def holds_both_ways(self, name: str, with_: Words = frozenset()) -> bool:
        """Whether what a relation says holds both ways, by its name: "neighbour".

        After some words it is also done together: "worked with".
        """
        words, schemas = tokens(self.spelled(name.lower())), self.schemas
        said, last = {form for word in words for form in self.forms(word)}, words[-1:]
        both = not (said.isdisjoint(schemas.symmetric) and schemas.mutual_nouns.isdisjoint(last))
        return both or not (said.isdisjoint(schemas.together) or with_.isdisjoint(last))

    def other_nouns(self, noun: str) -> list[str]:
        """What else a noun is called: spelled out, and as people say for it."""
        said, nouns = self.spelled(noun), self.schemas.nouns
        others = [] if said == noun else [said]
        return [*others, *nouns.get(noun, ()), *(others and nouns.get(said, ()))]

    def date_noun(self, name: str) -> str:
        """What a date is called too whose relation says no such word: "due on", "last seen"."""
        word, *rest = tokens(name) or [""]
        date = next(iter(self.asking.dates), "")
        if rest and self.is_participle(rest[-1]):
            return f"{name} {date}"
        dated = len(rest) == 1 and rest[0] in self.prepositions - self.grammar.by
        return f"{word} {date}" if dated and not self.lemmas else ""

    def doer_of(self, name: str) -> str | None:
        """Who does what the name of a relation says in the present: "owns" → "owner"."""
        present = not self.lemmas and " " not in name and english.singular(name) != name
        return english.agent(english.singular(name)) if present else None

    def sorts_of(self, name: str) -> Sequence[str]:
        """What else a relation is called that says what things are: "type of account"."""
        *of, last = tokens(name) or [""]
        sorts = of and last in self.schemas.sorts and self.prepositions.isdisjoint(of)
        return [" ".join((last, *of))] if sorts else []

    def says_when_done(self, name: str) -> bool:
        """Whether a number is the year when something was done, as in "formed in"; in English."""
        said = tokens(name)
        return not self.lemmas and said[1:] == ["in"] and english.is_done_to(said[0])

    def dated_verb(self, name: str) -> str | None:
        """The verb for what the name of a relation dates; see `english.dated_verb`."""
        return None if self.lemmas else english.dated_verb(self.spelled(name))

    def is_participle(self, word: str) -> bool:
        """Whether a word is what something that was done is called. In English only."""
        return not self.lemmas and english.is_participle(word)

    def is_infinitive(self, word: str) -> bool:
        """Whether a word may be a verb as it stands after "to". In English only."""
        return not self.lemmas and english.base_verb(word) == word == english.singular(word)

    def done_by(self, doer: str) -> str | None:
        """The participle for what somebody does: "manager" → "managed". In English only."""
        return None if self.lemmas else english.done_by(doer)

    def deed(self, name: str) -> tuple[str, bool] | None:
        """What the name of a relation says that is done; see `english.deed`. In English only."""
        return None if self.lemmas else english.deed(name)

    def doers_of(self, verb: str) -> tuple[str, ...]:
        """The nouns of the table for who does what a verb says: "trained" → "trainer"."""
        forms = self.forms(verb)
        return tuple(n for n, verbs in self.schemas.doers.items() if not forms.isdisjoint(verbs))

    def is_doer(self, noun: str, verb: str) -> bool:
        """Whether a noun is for who does what a verb says: "borrower", of "borrow"."""
        said = self.schemas.doers.get(noun, ())
        return verb in said or (not self.lemmas and english.agent(verb) == noun)

    @cached_property
    def opposed_verbs(self) -> Mapping[str, Set[str]]:
        """The verbs with an opposite, by the noun for who does that; see `is_doer`."""
        pairs = self.schemas.opposites | self.schemas.complements
        verbs = {verb for pair in pairs for verb in pair}
        found = {noun: verbs.intersection(done) for noun, done in self.schemas.doers.items()}
        for verb in verbs if not self.lemmas else ():
            found.setdefault(english.agent(verb), set()).add(verb)
        return found

    def is_doer_itself(self, word: str) -> bool:
        """Whether a verb is what those are called who do it, too: "mentor"."""
        base = self.singular(word.lower())
        return self.is_doer(base, base)

    def does(self, noun: str, said: str) -> bool:
        """Whether a noun is for who does what some form of a word says: "maker", of "made"."""
        return any(self.is_doer(noun, form) for form in self.forms(said))

    def undergoes(self, noun: str, doer: str) -> bool:
        """Whether a noun is for whom a doer does something to: "payee", of a "payer"."""
        stem = noun.removesuffix(self.endings.undergoing)
        return "" not in (self.endings.undergoing, stem) and stem != noun and self.does(doer, stem)

    def is_deed(self, noun: str, verb: str) -> bool:
        """Whether a noun is for what a verb says was done: "payment", of "pay"."""
        stem = sum(1 for _ in takewhile(bool, map(eq, noun, verb)))
        ends = noun.endswith(self.endings.deed) or noun in self.schemas.deeds  # a "booking"
        return ends and stem >= max(3, len(verb) - 3)

    def superlatives(self, relation: str, *, greatest: bool) -> set[str]:
        """What the greatest or least values of a relation are called, and what "most" makes so."""
        found, words = set[str](), tokens(relation)
        for scale in self.scales:
            for high in {word[0] != "-" for word in scale.of if word.removeprefix("-") in words}:
                top = high == greatest
                found.update((*scale.highest, *scale.high) if top else (*scale.lowest, *scale.low))
        return found

    def is_passive(self, text: str) -> bool:
        """Whether a relation's name says what is done to its sources: "managed by"."""
        by = not self.grammar.by.isdisjoint(tokens(text)[1:])
        return by and (not self.lemmas or self.is_verb(text))  # and not "Leiter von"

    def is_for_another(self, text: str) -> bool:
        """Whether a relation says to or for whom somebody does a thing: "sold to", "made for".

        But a car that was "rented to" somebody was rented by them, too.
        """
        verb, *others = tokens(text) or [""]
        if len(others) != 1 or self.free_order or verb in self.schemas.tenancies:
            return False
        done = self.is_verb(verb) and self.singular(verb) == verb
        return done and others[0] in self.grammar.whither | self.grammar.for_

    @cached_property
    def _morphology(self) -> Morphology:
        if not self.lemmas:
            return english
        endings = (self.endings.infinitive, self.endings.present)
        tables = (self.irregular, self.digraphs)
        grammar, nouns = self.grammar, self.capital_nouns
        being = grammar.being | grammar.passive
        names = NameWords(grammar.having, being, grammar.by, self.endings.unchanged)
        return Lemmas(self.lemmas, *endings, *tables, capital_nouns=nouns, names=names)

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
        before = takewhile(lambda word: word not in self.auxiliaries, words)
        return tuple(word for word in before if word not in self.function_words)[:1]


@lru_cache
def language_of(name: str) -> Language:
    """A language by its code, as "en", or by the path of a table; read once.

    Raises:
        ConfigurationError: there is no such table, or it is wrong; the message has the key.
    """
    if not name.endswith(".toml"):
        if name not in FILES:
            raise ConfigurationError(
                f"there is no table for questions in the language {name!r}: there are "
                f"{', '.join(FILES)}, or give the path of one, as {name}.toml"
            )
        return Language.model_validate(inflected(data("isomatch.lexicon", FILES[name])))
    try:
        return Language.model_validate(inflected(parse_toml(Path(name).read_text("utf-8"))))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ConfigurationError(f"{name}: {key}: {first['msg']}") from error
    except ValueError as error:  # of TOML, or of UTF-8
        raise ConfigurationError(f"{name} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigurationError(f"{name} cannot be read: {error.strerror}") from error


def default_language() -> Language:
    """English."""
    return language_of("en")
