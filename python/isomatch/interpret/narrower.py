"""Values that a question names by a part of what the graph calls them: "cost", of shipping."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain, islice

from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.content import words_of
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.unsaid import CHOSEN_BY_WORDS
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mentions import Substitution
from isomatch.schema.types import Relation


class NarrowerNames:
    """Tells where the name of a relation to values says more than a question does, over one graph.

    The only cost that a graph knows of invoices may be a "shipping cost", and the only size of its
    agents a "shoe size". Who asks for the "cheapest invoice" or the "largest agent" is told so.

    Args:
        kinds: the relations of edges, and their types.
        lexicon: their words.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._lexicon = lexicon
        self._language = language = lexicon.language
        schemas, units = language.schemas, (w for phrase in language.unit_of for w in phrase)
        self._general = language.building | language.prepositions | schemas.days | schemas.general
        self._general |= {*language.asking.dates, *schemas.periods, *units}
        self._said_as = list(_said_as(language))

    def told(self, question: str, given: Hypothesis) -> Hypothesis:
        """The same, with the words of the question that stand for such values."""
        coverage = given.coverage
        if coverage is None or given.source not in CHOSEN_BY_WORDS:
            return given
        said = self._meant([word.text for word in words_of(question)])
        found = [
            Substitution(span.text, relation.text)
            for pattern in given.pattern.patterns()
            for edge in pattern.edges
            for relation in self._kinds.relations(edge)
            if not relation.target_types and self._is_narrower(relation, said)
            for span in self._saying(relation, coverage.understood)
        ]
        return replace(given, taken_for=tuple(dict.fromkeys((*given.taken_for, *found))))

    def _is_narrower(self, relation: Relation, said: Set[str]) -> bool:
        """Whether a word of a relation's name is not said, and not of what has the relation."""
        own = self._kinds.words(relation)
        phrases = (*own.nouns, *own.forward, *own.backward)
        if any({*tokens(phrase)} <= said for phrase in phrases):
            return False
        called = (word for text in self._kinds.called_source(relation) for word in tokens(text))
        known = self._general | {*called} | said
        name = tokens(relation.text.partition("(")[0])
        return any(known.isdisjoint(self._language.forms(word)) for word in name)

    def _saying(self, relation: Relation, spans: Sequence[Span]) -> Iterator[Span]:
        """The words that say something of a relation's name, or the number that has it."""
        name = {form for w in tokens(relation.text) for form in self._language.forms(w)}
        others = [span for span in spans if span.kind != "name"]
        saying = (s for s in others if not name.isdisjoint(self._meant(tokens(s.text))))
        numbers = (span for span in others if any(map(str.isdigit, span.text)))
        yield from islice(chain(saying, numbers), 1)

    def _meant(self, words: Sequence[str]) -> Set[str]:
        """The forms of words, and the nouns that they stand for in names: "earn", of a salary."""
        forms = {form for word in words for form in self._language.forms(word)}
        return forms.union(*(nouns for said, nouns in self._said_as if not forms.isdisjoint(said)))


def _said_as(language: Language) -> Iterator[tuple[Set[str], Set[str]]]:
    """Forms of words, and nouns in the names of relations that they may say."""
    schemas = language.schemas
    tables = schemas.verbs, schemas.called, schemas.collocations, schemas.numbers, schemas.nouns
    for table in (*tables, schemas.doers):
        for noun, phrases in table.items():
            firsts = (tokens(phrase)[0] for phrase in phrases)
            yield {form for first in firsts for form in language.forms(first)}, {*tokens(noun)}
    for adjective, nouns in language.degrees.items():
        yield {adjective}, {*nouns}
    for scale in language.scales:
        of = {word.removeprefix("-") for word in scale.of}
        highs, lows = (
            (scale.high, scale.higher, scale.highest),
            (scale.low, scale.lower, scale.lowest),
        )
        yield {word for words in (*highs, *lows) for word in words}, of
        if not language.asking.price.isdisjoint(scale.high):
            yield language.asking.much, of
    lasting = (tokens(verb)[0] for verb in schemas.lasting_verbs)
    yield {f for verb in lasting for f in language.forms(verb)}, schemas.durations | schemas.times
